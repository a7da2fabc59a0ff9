-- +goose Up
-- What proves a password, with its salt and cost; empty: this person has none.
ALTER TABLE users ADD COLUMN password TEXT NOT NULL DEFAULT '';

-- How often signing in under a name failed in a row, and when it may be tried
-- again. name is a hash: it may be anything that somebody typed.
CREATE TABLE attempts (
	name   BYTEA PRIMARY KEY,
	failed BIGINT NOT NULL,
	next   BIGINT NOT NULL
);
CREATE INDEX attempts_next ON attempts (next);
