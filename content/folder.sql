-- name: insert file
INSERT INTO content_files (uid, storage, identifier, folder) VALUES ($1, $2, $3, $4);

-- name: insert folder
INSERT INTO content_folders (storage, path, parent) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- name: storages
SELECT DISTINCT storage FROM content_folders WHERE parent = '' ORDER BY storage;

-- name: folder
SELECT COUNT(*) FROM content_folders WHERE storage = $1 AND path = $2;

-- name: folders
SELECT path FROM content_folders
WHERE parent = $1 AND storage = $2
ORDER BY path
LIMIT $3;

-- name: files
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_files x
CROSS JOIN content_records r -- the order in which SQLite is to look
WHERE x.folder = $1 AND x.storage = $2 AND x.uid > $3 AND r.tab = 'files' AND r.uid = x.uid AND r.deleted = 0 AND r.workspace = 0
ORDER BY x.uid
LIMIT $4;

-- name: references to file
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_references x
CROSS JOIN content_records r -- the order in which SQLite is to look
WHERE x.file_uid = $1 AND x.uid > $2 AND r.tab = 'file_references' AND r.uid = x.uid AND r.deleted = 0 AND r.workspace = 0
ORDER BY x.uid
LIMIT $3;
