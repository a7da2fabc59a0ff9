-- name: Session
SELECT data, expires FROM sessions WHERE hash = $1

-- name: PutSession
INSERT INTO sessions (hash, data, expires) VALUES ($1, $2, $3)
ON CONFLICT (hash) DO UPDATE SET data = excluded.data, expires = excluded.expires

-- name: DropSession
DELETE FROM sessions WHERE hash = $1

-- name: PurgeSessions
DELETE FROM sessions WHERE expires <= $1
