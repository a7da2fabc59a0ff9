-- name: ListWaiting
SELECT id, status, reason, error_class, agent, owner_id, owner_name, started_by, rounds, truncated,
	tokens_prompt, tokens_completion, tokens_total, claim, lease, started, effect, NULL, state_sequence,
	pending, calls, stale, back, waiting_since, next_sequence, created_at, started_at, finished_at
FROM runs
WHERE status = 'waiting_for_approval'
	AND (waiting_since, id) > ($1, $2)
	AND (CAST($3 AS BIGINT) = 1 OR owner_id = $4 OR (started_by <> '' AND started_by = $5))
	AND ($6 = '' OR agent = $6)
	AND ($7 = '' OR replace(tools, $7, '') <> tools)
	AND (CAST($8 AS BIGINT) = 0 OR back = 1)
	AND (CAST($9 AS BIGINT) = 0 OR owner_id = $9)
	AND (CAST($10 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM records r WHERE r.run = runs.id AND r.kind = 'shown' AND r.by_id = $10))
	AND ($11 = '' OR replace(search, $11, '') <> search OR replace(tools, $11, '') <> tools)
ORDER BY waiting_since, id
LIMIT $12

-- name: ListRecent
SELECT id, status, reason, error_class, agent, owner_id, owner_name, started_by, rounds, truncated,
	tokens_prompt, tokens_completion, tokens_total, claim, lease, started, effect, NULL, state_sequence,
	pending, calls, stale, back, waiting_since, next_sequence, created_at, started_at, finished_at
FROM runs
WHERE (created_at, id) < ($1, $2)
	AND (CAST($3 AS BIGINT) = 1 OR owner_id = $4 OR (started_by <> '' AND started_by = $5))
	AND ($6 = '' OR agent = $6)
	AND ($7 = '' OR replace(tools, $7, '') <> tools)
	AND (CAST($8 AS BIGINT) = 0 OR back = 1)
	AND (CAST($9 AS BIGINT) = 0 OR owner_id = $9)
	AND (CAST($10 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM records r WHERE r.run = runs.id AND r.kind = 'shown' AND r.by_id = $10))
	AND ($11 = '' OR replace(search, $11, '') <> search OR replace(tools, $11, '') <> tools)
	AND ($12 = '' OR status = $12)
	AND (CAST($13 AS BIGINT) = 0 OR status IN ('completed', 'failed', 'cancelled'))
ORDER BY created_at DESC, id DESC
LIMIT $14

-- name: CountWaiting
SELECT count(*) FROM (SELECT 1 FROM runs
WHERE status = 'waiting_for_approval'
	AND (CAST($1 AS BIGINT) = 1 OR owner_id = $2 OR (started_by <> '' AND started_by = $3))
	AND ($4 = '' OR agent = $4)
	AND ($5 = '' OR replace(tools, $5, '') <> tools)
	AND (CAST($6 AS BIGINT) = 0 OR back = 1)
	AND (CAST($7 AS BIGINT) = 0 OR owner_id = $7)
	AND (CAST($8 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM records r WHERE r.run = runs.id AND r.kind = 'shown' AND r.by_id = $8))
	AND ($9 = '' OR replace(search, $9, '') <> search OR replace(tools, $9, '') <> tools)
LIMIT $10) AS counted
