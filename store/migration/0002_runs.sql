-- +goose Up

-- One row per run. state is the sealed suspended turn; the columns from
-- pending to waiting_since say in clear what lists show of it. tools holds the
-- names of the turn's tools, each between two line feeds. started is 1
-- once a write of the current segment was begun. next_sequence and head are
-- the end of the run's event chain: every append updates them first.
CREATE TABLE runs (
	id                TEXT PRIMARY KEY CHECK (id <> ''),
	status            TEXT NOT NULL CHECK (status IN ('queued', 'running', 'waiting_for_approval', 'waiting_for_input', 'completed', 'failed', 'cancelled')),
	reason            TEXT NOT NULL DEFAULT '',
	error_class       TEXT NOT NULL DEFAULT '',
	agent             TEXT NOT NULL,
	owner_id          BIGINT NOT NULL,
	owner_name        TEXT NOT NULL,
	started_by        TEXT NOT NULL DEFAULT '',
	rounds            BIGINT NOT NULL DEFAULT 0,
	truncated         INTEGER NOT NULL DEFAULT 0 CHECK (truncated IN (0, 1)),
	tokens_prompt     BIGINT NOT NULL DEFAULT 0,
	tokens_completion BIGINT NOT NULL DEFAULT 0,
	tokens_total      BIGINT NOT NULL DEFAULT 0,
	claim             TEXT NOT NULL DEFAULT '',
	lease             BIGINT NOT NULL DEFAULT 0,
	started           INTEGER NOT NULL DEFAULT 0 CHECK (started IN (0, 1)),
	effect            TEXT NOT NULL DEFAULT '' CHECK (effect IN ('', 'idempotent_write', 'non_idempotent_write')),
	state             BYTEA,
	state_sequence    BIGINT NOT NULL DEFAULT 0,
	quarantine        BYTEA,
	pending           TEXT NOT NULL DEFAULT '[]',
	tools             TEXT NOT NULL DEFAULT '',
	calls             BIGINT NOT NULL DEFAULT 0,
	stale             TEXT NOT NULL DEFAULT '[]',
	back              INTEGER NOT NULL DEFAULT 0 CHECK (back IN (0, 1)),
	waiting_since     BIGINT NOT NULL DEFAULT 0,
	next_sequence     BIGINT NOT NULL DEFAULT 0,
	head              BYTEA,
	search            TEXT NOT NULL,
	created_at        BIGINT NOT NULL,
	started_at        BIGINT NOT NULL DEFAULT 0,
	finished_at       BIGINT NOT NULL DEFAULT 0,
	CHECK (status = 'running' OR (claim = '' AND lease = 0)),
	CHECK (status <> 'waiting_for_approval' OR state IS NOT NULL)
);
CREATE INDEX runs_waiting ON runs (status, waiting_since, id);
CREATE INDEX runs_recent ON runs (created_at, id);
CREATE INDEX runs_owner ON runs (owner_id, created_at, id);
CREATE INDEX runs_lease ON runs (lease) WHERE status = 'running';

CREATE TABLE events (
	run      TEXT NOT NULL REFERENCES runs (id),
	sequence BIGINT NOT NULL CHECK (sequence >= 0),
	kind     TEXT NOT NULL,
	at       BIGINT NOT NULL,
	payload  TEXT NOT NULL,
	PRIMARY KEY (run, sequence)
);

-- Sealed records of a run: what was shown at a decision, what came out at the
-- end. sequence is that of the event written with it.
CREATE TABLE records (
	run        TEXT NOT NULL REFERENCES runs (id),
	sequence   BIGINT NOT NULL,
	kind       TEXT NOT NULL CHECK (kind IN ('shown', 'outcome')),
	verdict    TEXT NOT NULL DEFAULT '',
	by_id      BIGINT NOT NULL DEFAULT 0,
	by_name    TEXT NOT NULL DEFAULT '',
	at         BIGINT NOT NULL,
	value      BYTEA NOT NULL,
	PRIMARY KEY (run, sequence, kind)
);
CREATE INDEX records_by ON records (by_id, run);
