-- name: of row
SELECT uid FROM content_records WHERE tab = $1 AND draft_of = $2 AND workspace > 0 AND deleted = 0;

-- name: on page
SELECT tab, uid FROM content_records WHERE pid = $1 AND workspace > 0 AND deleted = 0;

-- name: make
UPDATE content_records SET workspace = $1, draft_of = $2 WHERE tab = $3 AND uid = $4;
