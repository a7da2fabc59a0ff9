-- name: list
SELECT id, code, label FROM content_languages ORDER BY id;

-- name: set
INSERT INTO content_languages (id, code, label) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE SET code = excluded.code, label = excluded.label;
