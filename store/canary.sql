-- name: Canary
SELECT value FROM canary WHERE id = 1

-- name: PutCanary
INSERT INTO canary (id, value) VALUES (1, $1) ON CONFLICT (id) DO NOTHING
