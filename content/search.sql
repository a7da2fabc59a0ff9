-- name: batch
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND uid > $2 AND deleted = 0 AND workspace = 0
ORDER BY uid
LIMIT $3;

-- name: batch on page
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND pid = $2 AND sorting >= $3 AND (sorting > $4 OR uid > $5) AND deleted = 0 AND workspace = 0
ORDER BY sorting, uid
LIMIT $6;

-- name: by slug
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = 'pages' AND slug = $1 AND slug <> '' AND language = $2 AND deleted = 0 AND workspace = 0
ORDER BY +uid -- by the index of paths
LIMIT $3;

-- name: history of field
SELECT at, user_id, user_name, op, version, field, old, new
FROM content_history
WHERE tab = $1 AND uid = $2 AND field = $3
ORDER BY id DESC
LIMIT $4;
