-- name: NextID
INSERT INTO sequences (name, last) VALUES ($1, 1)
ON CONFLICT (name) DO UPDATE SET last = sequences.last + 1
RETURNING last
