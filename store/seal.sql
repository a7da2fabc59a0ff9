-- name: State
SELECT id, 'state', state_sequence, state FROM runs
WHERE id > $1 AND state IS NOT NULL ORDER BY id LIMIT $2

-- name: SetState
UPDATE runs SET state = $1 WHERE id = $2 AND state = $3

-- name: Quarantine
SELECT id, 'state', state_sequence, quarantine FROM runs
WHERE id > $1 AND quarantine IS NOT NULL ORDER BY id LIMIT $2

-- name: SetQuarantine
UPDATE runs SET quarantine = $1 WHERE id = $2 AND quarantine = $3

-- name: Request
SELECT id, 'request', CAST(0 AS BIGINT), request FROM runs
WHERE id > $1 AND request IS NOT NULL ORDER BY id LIMIT $2

-- name: SetRequest
UPDATE runs SET request = $1 WHERE id = $2 AND request = $3

-- name: Records
SELECT run, kind, sequence, value FROM records
WHERE (run, sequence, kind) > ($1, CAST($2 AS BIGINT), $3) ORDER BY run, sequence, kind LIMIT $4

-- name: SetRecord
UPDATE records SET value = $1 WHERE run = $2 AND sequence = $3 AND kind = $4 AND value = $5

-- name: SetCanary
UPDATE canary SET value = $1 WHERE id = 1 AND value = $2
