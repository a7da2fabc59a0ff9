-- name: Count
INSERT INTO sequences (name, last) VALUES ('ready', 1)
ON CONFLICT (name) DO UPDATE SET last = sequences.last + 1
