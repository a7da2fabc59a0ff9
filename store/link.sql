-- name: AddLink
INSERT INTO links (hash, user_id, reusable, expires) VALUES ($1, $2, $3, $4)

-- name: LinkUser
SELECT user_id FROM links
WHERE hash = $1 AND (expires IS NULL OR expires > $2) AND (used IS NULL OR reusable = 1)

-- name: UseLink
UPDATE links SET used = $1
WHERE hash = $2 AND (expires IS NULL OR expires > $3) AND (used IS NULL OR reusable = 1)
	AND user_id IN (SELECT id FROM users WHERE enabled = 1)
RETURNING user_id

-- name: PurgeLinks
DELETE FROM links WHERE expires <= $1

-- name: EndLinks
DELETE FROM links WHERE expires IS NULL
