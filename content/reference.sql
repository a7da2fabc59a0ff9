-- name: of field
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_references x
JOIN content_records r ON r.tab = 'file_references' AND r.uid = x.uid
WHERE x.owner_table = $1 AND x.owner_uid = $2 AND x.owner_field = $3 AND r.deleted = 0 AND r.workspace = 0
ORDER BY r.sorting, r.uid;

-- name: of record
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_references x
JOIN content_records r ON r.tab = 'file_references' AND r.uid = x.uid
WHERE x.owner_table = $1 AND x.owner_uid = $2 AND r.workspace = 0
ORDER BY x.owner_field, r.sorting, r.uid;

-- name: to file
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_references x
CROSS JOIN content_records r -- the order in which SQLite is to look
WHERE r.tab = 'file_references' AND r.uid = x.uid AND x.file_uid = $1 AND r.deleted = 0 AND r.workspace = 0
ORDER BY r.uid;

-- name: insert
INSERT INTO content_references (uid, owner_table, owner_uid, owner_field, file_uid)
VALUES ($1, $2, $3, $4, $5);

-- name: metadata
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_file_metadata x
CROSS JOIN content_records r -- the order in which SQLite is to look
WHERE r.tab = 'file_metadata' AND r.uid = x.uid AND x.file_uid = $1 AND r.deleted = 0 AND r.workspace = 0
ORDER BY r.language, r.uid;

-- name: insert metadata
INSERT INTO content_file_metadata (uid, file_uid) VALUES ($1, $2);

-- name: file at
SELECT uid FROM content_files WHERE storage = $1 AND identifier = $2;
