-- name: rights
SELECT owner, group_name, owner_may, group_may, everybody_may
FROM content_page_rights
WHERE page = $1;

-- name: set rights
INSERT INTO content_page_rights (page, owner, group_name, owner_may, group_may, everybody_may)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (page) DO UPDATE
SET owner = excluded.owner, group_name = excluded.group_name, owner_may = excluded.owner_may,
    group_may = excluded.group_may, everybody_may = excluded.everybody_may;

-- name: branch
WITH RECURSIVE branch (uid, depth) AS (
    SELECT r.uid, 0 FROM content_records r
    WHERE r.tab = 'pages' AND r.uid = $1 AND r.deleted = 0 AND r.workspace = 0
    UNION ALL
    SELECT r.uid, b.depth + 1 FROM branch b
    CROSS JOIN content_records r -- the order in which SQLite is to look
    WHERE r.pid = b.uid AND r.tab = 'pages' AND r.deleted = 0 AND r.workspace = 0 AND r.origin = 0 AND b.depth < $2
)
SELECT uid, MIN(depth) FROM branch GROUP BY uid ORDER BY MIN(depth), uid;

-- name: tree
WITH RECURSIVE branch (uid, depth) AS (
    SELECT r.uid, 0 FROM content_records r
    WHERE r.tab = 'pages' AND r.uid = $1 AND r.deleted = 0 AND r.workspace = 0 AND r.origin = 0
    UNION ALL
    SELECT r.uid, 0 FROM content_records r
    WHERE $1 = 0 AND r.tab = 'pages' AND r.pid = 0 AND r.deleted = 0 AND r.workspace = 0 AND r.origin = 0
    UNION ALL
    SELECT r.uid, b.depth + 1 FROM branch b
    CROSS JOIN content_records r -- the order in which SQLite is to look
    WHERE r.pid = b.uid AND r.tab = 'pages' AND r.deleted = 0 AND r.workspace = 0 AND r.origin = 0 AND b.depth < $2
)
SELECT r.tab, r.uid, r.pid, r.version, r.sorting, r.language, r.origin, r.deleted, r.created, r.changed,
    r.changed_by, r.fields, COALESCE(p.owner, 0), COALESCE(p.group_name, ''), COALESCE(p.owner_may, 0),
    COALESCE(p.group_may, 0), COALESCE(p.everybody_may, 0)
FROM (SELECT DISTINCT uid FROM branch) b
CROSS JOIN content_records r
LEFT JOIN content_page_rights p ON p.page = r.uid
WHERE r.tab = 'pages' AND r.uid = b.uid
ORDER BY r.sorting, r.uid;
