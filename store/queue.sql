-- name: Enqueue
INSERT INTO runs (id, status, agent, owner_id, owner_name, started_by, search, created_at, request)
VALUES ($1, 'queued', $2, $3, $4, $5, $6, $7, $8)

-- name: Request
SELECT request, requeued, unrepeatable FROM runs WHERE id = $1

-- name: CountRequeued
SELECT requeued FROM runs WHERE id = $1

-- name: Take
UPDATE runs SET status = 'running', claim = $1, lease = $2, started = 0, effect = '',
	started_at = CASE WHEN started_at > 0 THEN started_at ELSE $3 END
WHERE id = $4 AND status = 'queued'

-- name: Requeue
UPDATE runs SET status = 'queued', claim = '', lease = 0, effect = '', requeued = requeued + 1
WHERE id = $1 AND status = 'running' AND claim = $2 AND substr(claim, 1, 7) = 'worker:'
	AND request IS NOT NULL AND requeued < 3 AND effect <> 'non_idempotent_write' AND unrepeatable = 0

-- name: RequeueLapsed
UPDATE runs SET status = 'queued', claim = '', lease = 0, effect = '', requeued = requeued + 1
WHERE id = $1 AND status = 'running' AND lease > 0 AND lease < $2 AND substr(claim, 1, 7) = 'worker:'
	AND request IS NOT NULL AND requeued < 3 AND effect <> 'non_idempotent_write' AND unrepeatable = 0
