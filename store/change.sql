-- The condition on kind is that of the index, word for word.
-- name: Changed
SELECT run, MAX(sequence) FROM events
WHERE at >= $1 AND kind NOT IN ('request', 'start', 'tool')
GROUP BY run
