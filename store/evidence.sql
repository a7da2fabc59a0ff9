-- name: Run
SELECT * FROM runs WHERE id = $1

-- name: Events
SELECT * FROM events WHERE run = $1 ORDER BY sequence

-- name: Records
SELECT * FROM records WHERE run = $1 ORDER BY sequence, kind
