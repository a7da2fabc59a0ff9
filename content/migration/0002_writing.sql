-- +goose Up

-- A row of a draft workspace is no part of the content: no statement but those
-- about drafts sees a row whose workspace is above 0.
ALTER TABLE content_records ADD COLUMN workspace BIGINT NOT NULL DEFAULT 0;
ALTER TABLE content_records ADD COLUMN draft_of BIGINT NOT NULL DEFAULT 0;
CREATE INDEX content_records_draft ON content_records (tab, draft_of) WHERE workspace > 0;
CREATE INDEX content_records_draft_page ON content_records (pid) WHERE workspace > 0;

-- What lies on a page, whatever its table.
CREATE INDEX content_records_lying ON content_records (pid, tab, sorting, uid);

-- Which row says something of which other one: kind 0 refers to it, kind 1
-- belongs to it. Made anew from the columns with every write.
CREATE TABLE content_links (
    tab    TEXT   NOT NULL,
    uid    BIGINT NOT NULL,
    kind   BIGINT NOT NULL,
    to_tab TEXT   NOT NULL,
    to_uid BIGINT NOT NULL,
    PRIMARY KEY (tab, uid, kind, to_tab, to_uid)
);
CREATE INDEX content_links_to ON content_links (to_tab, to_uid, kind, tab, uid);

-- Rows that are older than this table have yet to be read.
INSERT INTO content_ids (tab, last) SELECT 'unlinked', 1 WHERE EXISTS (SELECT 1 FROM content_records);
