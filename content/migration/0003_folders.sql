-- +goose Up

-- The folder that a file lies in: its path up to the last slash.
ALTER TABLE content_files ADD COLUMN folder TEXT NOT NULL DEFAULT '/';
UPDATE content_files
SET folder = CASE WHEN identifier LIKE '%/%' THEN rtrim(identifier, replace(identifier, '/', '')) ELSE '/' END;
CREATE INDEX content_files_folder ON content_files (folder, storage, uid);

-- Every folder that a file ever lay in or below; the parent of a topmost one is
-- empty.
CREATE TABLE content_folders (
    storage TEXT NOT NULL,
    path    TEXT NOT NULL,
    parent  TEXT NOT NULL,
    PRIMARY KEY (storage, path)
);
CREATE INDEX content_folders_parent ON content_folders (parent, storage, path);
INSERT INTO content_folders (storage, path, parent)
WITH RECURSIVE up (storage, path) AS (
    SELECT storage, folder FROM content_files
    UNION
    SELECT storage, rtrim(substr(path, 1, length(path) - 1), replace(path, '/', '')) FROM up WHERE path <> ''
)
SELECT storage, path, rtrim(substr(path, 1, length(path) - 1), replace(path, '/', ''))
FROM up
WHERE path <> '';
