-- name: Finished
SELECT id FROM runs WHERE created_at < $1 AND finished_at > 0 AND finished_at < $1
ORDER BY created_at, id LIMIT $2

-- name: Unfinished
SELECT id FROM runs WHERE created_at < $1 AND finished_at = 0 AND (lease = 0 OR lease < $2)
ORDER BY created_at, id LIMIT $3

-- name: HoldFinished
UPDATE runs SET lease = lease WHERE id = $1 AND finished_at > 0 AND finished_at < $2

-- name: HoldUnfinished
UPDATE runs SET lease = lease WHERE id = $1 AND created_at < $2 AND finished_at = 0 AND (lease = 0 OR lease < $3)

-- name: Events
DELETE FROM events WHERE run = $1

-- name: Records
DELETE FROM records WHERE run = $1

-- name: Keys
DELETE FROM idempotency WHERE run = $1

-- name: Run
DELETE FROM runs WHERE id = $1
