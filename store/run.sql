-- name: Begin
INSERT INTO runs (id, status, agent, owner_id, owner_name, started_by, claim, lease, search, created_at, started_at)
VALUES ($1, 'running', $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: Run
SELECT id, status, reason, error_class, agent, owner_id, owner_name, started_by, rounds, truncated,
	tokens_prompt, tokens_completion, tokens_total, claim, lease, started, effect, state, state_sequence,
	pending, calls, stale, back, waiting_since, next_sequence, created_at, started_at, finished_at
FROM runs WHERE id = $1

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
SELECT count(*)
FROM runs
WHERE status = 'waiting_for_approval'
	AND (CAST($1 AS BIGINT) = 1 OR owner_id = $2 OR (started_by <> '' AND started_by = $3))
	AND ($4 = '' OR agent = $4)
	AND ($5 = '' OR replace(tools, $5, '') <> tools)
	AND (CAST($6 AS BIGINT) = 0 OR back = 1)
	AND (CAST($7 AS BIGINT) = 0 OR owner_id = $7)
	AND (CAST($8 AS BIGINT) = 0 OR EXISTS (SELECT 1 FROM records r WHERE r.run = runs.id AND r.kind = 'shown' AND r.by_id = $8))
	AND ($9 = '' OR replace(search, $9, '') <> search OR replace(tools, $9, '') <> tools)

-- name: Pause
UPDATE runs SET status = 'waiting_for_approval', claim = '', lease = 0, effect = '',
	state = $1, state_sequence = next_sequence, pending = $2, tools = $3, calls = $4, stale = $5, back = $6,
	waiting_since = CASE WHEN CAST($7 AS BIGINT) = 1 AND waiting_since > 0 THEN waiting_since ELSE $8 END,
	rounds = $9, tokens_prompt = $10, tokens_completion = $11, tokens_total = $12
WHERE id = $13 AND status = 'running' AND claim = $14

-- name: Settle
UPDATE runs SET status = $1, reason = $2, error_class = $3, truncated = $4,
	rounds = $5, tokens_prompt = $6, tokens_completion = $7, tokens_total = $8,
	claim = '', lease = 0, effect = '', state = NULL, finished_at = $9
WHERE id = $10 AND status = 'running' AND claim = $11

-- name: Cancel
UPDATE runs SET status = 'cancelled', reason = 'cancelled', error_class = '',
	claim = '', lease = 0, effect = '', state = NULL, finished_at = $1
WHERE id = $2 AND status IN ('queued', 'running', 'waiting_for_approval', 'waiting_for_input')

-- name: Quarantine
UPDATE runs SET quarantine = state WHERE id = $1
