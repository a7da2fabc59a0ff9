-- name: get
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND uid = $2 AND workspace = 0;

-- name: on page
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND pid = $2 AND deleted = 0 AND workspace = 0
ORDER BY sorting, uid;

-- name: all
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND deleted = 0 AND workspace = 0
ORDER BY uid;

-- name: translations
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND origin = $2 AND origin > 0 AND deleted = 0 AND workspace = 0
ORDER BY language, uid;

-- name: anything on page
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE pid = $1 AND tab <> 'pages' AND tab <> 'file_references' AND deleted = 0 AND workspace = 0
ORDER BY tab, sorting, uid;

-- name: slug
SELECT COUNT(*)
FROM content_records
WHERE tab = 'pages' AND slug = $1 AND slug <> '' AND language = $2 AND deleted = 0 AND workspace = 0 AND uid <> $3;

-- name: insert
INSERT INTO content_records
    (tab, uid, pid, version, sorting, language, origin, deleted, slug, created, changed, changed_by, fields)
VALUES ($1, $2, $3, 1, $4, $5, $6, 0, $7, $8, $9, $10, $11);

-- name: update
UPDATE content_records
SET version = version + 1, pid = $1, sorting = $2, deleted = $3, slug = $4, changed = $5, changed_by = $6, fields = $7
WHERE tab = $8 AND uid = $9 AND version = $10 AND workspace = 0;

-- name: taken
SELECT COUNT(*) FROM content_records WHERE tab = $1 AND uid = $2;

-- name: lock
UPDATE content_records SET version = version WHERE tab = $1 AND uid = $2 AND workspace = 0 RETURNING version, deleted;

-- name: of deletion
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE deleted = $1 AND deleted > 0 AND workspace = 0
ORDER BY tab, uid;

-- name: order
SELECT uid, sorting FROM content_records
WHERE tab = $1 AND pid = $2 AND deleted = 0 AND workspace = 0
ORDER BY sorting, uid;

-- name: set sorting
UPDATE content_records SET sorting = $1 WHERE tab = $2 AND uid = $3 AND workspace = 0;

-- name: allocate
INSERT INTO content_ids (tab, last) VALUES ($1, $2)
ON CONFLICT (tab) DO UPDATE SET last = content_ids.last + excluded.last
RETURNING last;

-- name: raise uid
INSERT INTO content_ids (tab, last) VALUES ($1, $2)
ON CONFLICT (tab) DO UPDATE
SET last = CASE WHEN content_ids.last < excluded.last THEN excluded.last ELSE content_ids.last END;
