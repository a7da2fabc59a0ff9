-- name: of row
SELECT at, user_id, user_name, op, version, field, old, new
FROM content_history
WHERE tab = $1 AND uid = $2
ORDER BY id DESC
LIMIT $3;

-- name: insert
INSERT INTO content_history (id, at, user_id, user_name, op, tab, uid, version, field, old, new)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: last entry
SELECT COALESCE(MAX(last), 0) FROM content_ids WHERE tab = 'history';

-- name: hold entries
UPDATE content_ids SET last = last WHERE tab = 'history';

-- name: entry there
SELECT COUNT(*) FROM content_history WHERE id = $1 AND at = $2;
