-- name: Claim
UPDATE runs SET status = 'running', claim = $1, lease = $2, started = 0, effect = ''
WHERE id = $3 AND status = 'waiting_for_approval'
RETURNING id, status, reason, error_class, agent, owner_id, owner_name, started_by, rounds, truncated,
	tokens_prompt, tokens_completion, tokens_total, claim, lease, started, effect, state, state_sequence,
	pending, calls, stale, back, waiting_since, next_sequence, created_at, started_at, finished_at

-- name: Status
SELECT status, claim FROM runs WHERE id = $1

-- name: Stamp
UPDATE runs SET effect = $1, started = 1, lease = $2,
	unrepeatable = CASE WHEN $3 = 'non_idempotent_write' THEN 1 ELSE unrepeatable END
WHERE id = $4 AND status = 'running' AND claim = $5

-- name: Renew
UPDATE runs SET lease = $1
WHERE id = $2 AND status = 'running' AND claim = $3

-- name: Clear
UPDATE runs SET effect = '', lease = $1
WHERE id = $2 AND status = 'running' AND claim = $3

-- name: Lapsed
SELECT id FROM runs WHERE status = 'running' AND lease > 0 AND lease < $1
ORDER BY lease, id LIMIT $2

-- name: Return
UPDATE runs SET status = 'waiting_for_approval', claim = '', lease = 0, back = 1
WHERE id = $1 AND status = 'running' AND lease > 0 AND lease < $2
	AND substr(claim, 1, 7) = 'resume:' AND effect = '' AND started = 0
RETURNING pending

-- name: Mark
UPDATE runs SET stale = $1 WHERE id = $2

-- name: Bury
UPDATE runs SET status = 'failed',
	reason = CASE
		WHEN effect = 'non_idempotent_write' THEN 'outcome_unknown'
		WHEN substr(claim, 1, 7) = 'worker:' AND request IS NOT NULL AND unrepeatable = 0 AND requeued >= 3 THEN 'retries_exhausted'
		ELSE 'not_retryable' END,
	error_class = 'lease_lapsed', claim = '', lease = 0, effect = '', state = NULL,
	request = CASE WHEN CAST($1 AS BIGINT) = 1 THEN request END, finished_at = $2
WHERE id = $3 AND status = 'running' AND lease > 0 AND lease < $4
RETURNING reason
