-- name: ByStatus
SELECT status, COUNT(*) FROM runs WHERE created_at >= $1 GROUP BY status

-- name: ByReason
SELECT reason, COUNT(*) FROM runs WHERE created_at >= $1 AND reason <> '' GROUP BY reason

-- name: Now
SELECT COUNT(*) FROM runs WHERE status = $1
