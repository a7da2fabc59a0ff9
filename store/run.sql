-- name: Begin
INSERT INTO runs (id, status, agent, owner_id, owner_name, started_by, claim, lease, search, created_at, started_at)
VALUES ($1, 'running', $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: Run
SELECT id, status, reason, error_class, agent, owner_id, owner_name, started_by, rounds, truncated,
	tokens_prompt, tokens_completion, tokens_total, claim, lease, started, effect, state, state_sequence,
	pending, calls, stale, back, waiting_since, next_sequence, created_at, started_at, finished_at
FROM runs WHERE id = $1

-- name: Pause
UPDATE runs SET status = 'waiting_for_approval', claim = '', lease = 0, effect = '',
	state = $1, state_sequence = next_sequence, pending = $2, tools = $3, calls = $4, stale = $5, back = $6,
	waiting_since = CASE WHEN CAST($7 AS BIGINT) = 1 AND waiting_since > 0 THEN waiting_since ELSE $8 END,
	rounds = $9, tokens_prompt = $10, tokens_completion = $11, tokens_total = $12
WHERE id = $13 AND status = 'running' AND claim = $14

-- name: Settle
UPDATE runs SET status = $1, reason = $2, error_class = $3, truncated = $4,
	rounds = $5, tokens_prompt = $6, tokens_completion = $7, tokens_total = $8,
	claim = '', lease = 0, effect = '', state = NULL, request = CASE WHEN CAST($9 AS BIGINT) = 1 THEN request END,
	finished_at = $10
WHERE id = $11 AND status = 'running' AND claim = $12

-- name: Cancel
UPDATE runs SET status = 'cancelled', reason = 'cancelled', error_class = '',
	claim = '', lease = 0, effect = '', state = NULL, request = CASE WHEN CAST($1 AS BIGINT) = 1 THEN request END,
	finished_at = $2
WHERE id = $3 AND status IN ('queued', 'running', 'waiting_for_approval', 'waiting_for_input')

-- name: Quarantine
UPDATE runs SET quarantine = state WHERE id = $1
