-- name: uids
SELECT uid FROM content_records WHERE tab = $1;

-- name: add language
INSERT INTO content_languages (id, code, label) VALUES ($1, $2, $3);

-- name: file there
SELECT uid FROM content_files WHERE storage = $1 AND identifier = $2;
