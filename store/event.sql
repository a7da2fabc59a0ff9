-- name: Extend
UPDATE runs SET next_sequence = next_sequence + CAST($1 AS BIGINT) WHERE id = $2
RETURNING next_sequence - CAST($3 AS BIGINT), head

-- name: Head
UPDATE runs SET head = $1 WHERE id = $2

-- name: Append
INSERT INTO events (run, sequence, kind, at, payload) VALUES ($1, $2, $3, $4, $5)

-- name: Events
SELECT sequence, kind, at, payload FROM events
WHERE run = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
