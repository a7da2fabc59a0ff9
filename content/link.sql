-- name: clear
DELETE FROM content_links WHERE tab = $1 AND uid = $2;

-- name: insert
INSERT INTO content_links (tab, uid, kind, to_tab, to_uid) VALUES ($1, $2, $3, $4, $5);

-- name: incoming
SELECT r.tab, r.uid
FROM content_links x
JOIN content_records r ON r.tab = x.tab AND r.uid = x.uid
WHERE x.to_tab = $1 AND x.to_uid = $2 AND x.kind = 0 AND r.deleted = 0 AND r.workspace = 0
ORDER BY r.tab, r.uid;

-- name: owned
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields
FROM content_links x
JOIN content_records r ON r.tab = x.tab AND r.uid = x.uid
WHERE x.to_tab = $1 AND x.to_uid = $2 AND x.kind = 1 AND r.deleted = 0 AND r.workspace = 0
ORDER BY r.tab, r.sorting, r.uid;

-- name: unlinked
SELECT COUNT(*) FROM content_ids WHERE tab = 'unlinked';

-- name: of table
SELECT tab, uid, pid, version, sorting, language, origin, deleted, created, changed, changed_by, fields
FROM content_records
WHERE tab = $1 AND uid > $2 AND workspace = 0
ORDER BY uid
LIMIT 500;

-- name: linked
DELETE FROM content_ids WHERE tab = 'unlinked';
