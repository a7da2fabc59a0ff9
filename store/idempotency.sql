-- name: ReserveKey
INSERT INTO idempotency (owner, key, body, run, expires) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (owner, key) DO UPDATE SET body = excluded.body, run = excluded.run, expires = excluded.expires
	WHERE idempotency.expires <= $6

-- name: Key
SELECT body, run FROM idempotency WHERE owner = $1 AND key = $2

-- name: PurgeKeys
DELETE FROM idempotency WHERE expires <= $1
