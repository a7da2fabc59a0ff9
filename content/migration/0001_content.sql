-- +goose Up

-- One row of any table. Columns of the schema are in fields, a JSON object that
-- only the program reads; what SQL has to find or sort by stands beside it.
CREATE TABLE content_records (
    tab        TEXT   NOT NULL,
    uid        BIGINT NOT NULL,
    pid        BIGINT NOT NULL,
    version    BIGINT NOT NULL CHECK (version > 0),
    sorting    BIGINT NOT NULL,
    language   BIGINT NOT NULL,
    origin     BIGINT NOT NULL,
    deleted    BIGINT NOT NULL CHECK (deleted >= 0), -- number of the deletion, 0 while the row lives
    slug       TEXT   NOT NULL,
    created    BIGINT NOT NULL,
    changed    BIGINT NOT NULL,
    changed_by BIGINT NOT NULL,
    fields     TEXT   NOT NULL,
    PRIMARY KEY (tab, uid)
);
CREATE INDEX content_records_page ON content_records (tab, pid, sorting, uid);
CREATE INDEX content_records_origin ON content_records (tab, origin, language) WHERE origin > 0;
CREATE INDEX content_records_deletion ON content_records (deleted) WHERE deleted > 0;
CREATE INDEX content_records_slug ON content_records (slug, language) WHERE slug <> '';

-- Which record holds which file: the index of the rows of file_references.
CREATE TABLE content_references (
    uid         BIGINT NOT NULL PRIMARY KEY,
    owner_table TEXT   NOT NULL,
    owner_uid   BIGINT NOT NULL,
    owner_field TEXT   NOT NULL,
    file_uid    BIGINT NOT NULL
);
CREATE INDEX content_references_owner ON content_references (owner_table, owner_uid, owner_field);
CREATE INDEX content_references_file ON content_references (file_uid);

-- Where a file lies: the index of the rows of files.
CREATE TABLE content_files (
    uid        BIGINT NOT NULL PRIMARY KEY,
    storage    TEXT   NOT NULL,
    identifier TEXT   NOT NULL,
    UNIQUE (storage, identifier)
);

-- Which file a row of file_metadata describes.
CREATE TABLE content_file_metadata (
    uid      BIGINT NOT NULL PRIMARY KEY,
    file_uid BIGINT NOT NULL
);
CREATE INDEX content_file_metadata_file ON content_file_metadata (file_uid);

CREATE TABLE content_page_rights (
    page          BIGINT NOT NULL PRIMARY KEY,
    owner         BIGINT NOT NULL,
    group_name    TEXT   NOT NULL,
    owner_may     BIGINT NOT NULL,
    group_may     BIGINT NOT NULL,
    everybody_may BIGINT NOT NULL
);

CREATE TABLE content_languages (
    id    BIGINT NOT NULL PRIMARY KEY,
    code  TEXT   NOT NULL,
    label TEXT   NOT NULL
);

-- One row for each field that a write changed; a created, deleted or restored
-- row has one with an empty field.
CREATE TABLE content_history (
    id        BIGINT NOT NULL PRIMARY KEY,
    at        BIGINT NOT NULL,
    user_id   BIGINT NOT NULL,
    user_name TEXT   NOT NULL,
    op        TEXT   NOT NULL,
    tab       TEXT   NOT NULL,
    uid       BIGINT NOT NULL,
    version   BIGINT NOT NULL,
    field     TEXT   NOT NULL,
    old       TEXT,
    new       TEXT
);
CREATE INDEX content_history_row ON content_history (tab, uid, id);

-- Last uid given out for each table, because identity columns differ between
-- databases.
CREATE TABLE content_ids (
    tab  TEXT   NOT NULL PRIMARY KEY,
    last BIGINT NOT NULL
);
