-- name: Password
SELECT id, password FROM users WHERE name = $1 AND enabled = 1

-- name: SetPassword
UPDATE users SET password = $1 WHERE id = $2

-- name: NewAttempt
INSERT INTO attempts (name, failed, next) VALUES ($1, 0, 0) ON CONFLICT (name) DO NOTHING

-- name: Attempts
SELECT failed, next FROM attempts WHERE name = $1

-- name: Attempt
UPDATE attempts SET failed = failed + 1, next = $1 WHERE name = $2 AND failed = $3 AND next <= $4

-- name: Forget
DELETE FROM attempts WHERE name = $1

-- name: PurgeAttempts
DELETE FROM attempts WHERE next < CAST($1 AS BIGINT) - 86400000
