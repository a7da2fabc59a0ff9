-- +goose Up
CREATE TABLE canary (
	id    BIGINT PRIMARY KEY CHECK (id = 1),
	value BYTEA NOT NULL
);

-- The allocator of integer ids.
CREATE TABLE sequences (
	name TEXT PRIMARY KEY,
	last BIGINT NOT NULL
);

CREATE TABLE users (
	id      BIGINT PRIMARY KEY CHECK (id > 0),
	name    TEXT NOT NULL UNIQUE CHECK (name <> ''),
	email   TEXT NOT NULL,
	lang    TEXT NOT NULL,
	admin   INTEGER NOT NULL CHECK (admin IN (0, 1)),
	enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
	version BIGINT NOT NULL CHECK (version > 0),
	created BIGINT NOT NULL
);

-- rights is the canonical JSON of what the group allows.
CREATE TABLE groups (
	id      BIGINT PRIMARY KEY CHECK (id > 0),
	name    TEXT NOT NULL UNIQUE CHECK (name <> ''),
	rights  BYTEA NOT NULL
);

CREATE TABLE memberships (
	user_id  BIGINT NOT NULL REFERENCES users (id),
	group_id BIGINT NOT NULL REFERENCES groups (id),
	PRIMARY KEY (user_id, group_id)
);
CREATE INDEX memberships_group ON memberships (group_id);

-- hash is the SHA-256 of the token; the token itself is kept nowhere. scopes
-- and tools are JSON arrays.
CREATE TABLE tokens (
	id        TEXT PRIMARY KEY,
	hash      BYTEA NOT NULL UNIQUE,
	kind      TEXT NOT NULL CHECK (kind IN ('person', 'agent', 'service')),
	user_id   BIGINT REFERENCES users (id),
	service   TEXT NOT NULL,
	scopes    BYTEA NOT NULL,
	tools     BYTEA NOT NULL,
	created   BIGINT NOT NULL,
	last_used BIGINT,
	revoked   BIGINT,
	CHECK ((kind = 'service') = (user_id IS NULL)),
	CHECK ((kind = 'service') = (service <> ''))
);
CREATE INDEX tokens_user ON tokens (user_id);

-- expires is null for a link that lives as long as its database.
CREATE TABLE links (
	hash     BYTEA PRIMARY KEY,
	user_id  BIGINT NOT NULL REFERENCES users (id),
	reusable INTEGER NOT NULL CHECK (reusable IN (0, 1)),
	expires  BIGINT,
	used     BIGINT
);
CREATE INDEX links_expires ON links (expires);

CREATE TABLE sessions (
	hash    BYTEA PRIMARY KEY,
	data    BYTEA NOT NULL,
	expires BIGINT NOT NULL
);
CREATE INDEX sessions_expires ON sessions (expires);

CREATE TABLE idempotency (
	owner   TEXT NOT NULL,
	key     TEXT NOT NULL,
	body    BYTEA NOT NULL,
	run     TEXT NOT NULL,
	expires BIGINT NOT NULL,
	PRIMARY KEY (owner, key)
);
CREATE INDEX idempotency_expires ON idempotency (expires);
