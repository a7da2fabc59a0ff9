-- name: Keep
INSERT INTO records (run, sequence, kind, verdict, by_id, by_name, at, value)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)

-- name: Latest
SELECT sequence, verdict, by_id, by_name, at, value FROM records
WHERE run = $1 AND kind = $2 ORDER BY sequence DESC LIMIT 1

-- name: LatestDecision
SELECT verdict, by_id, by_name, at FROM records
WHERE run = $1 AND kind = 'shown' ORDER BY sequence DESC LIMIT 1
