-- +goose Up

-- request is the sealed request of a run that was queued, until it ends;
-- requeued counts how often a worker was lost. unrepeatable is 1 once a write
-- that is not safe to repeat was begun: such a run never starts over.
ALTER TABLE runs ADD COLUMN request BYTEA CHECK (status <> 'queued' OR request IS NOT NULL);
ALTER TABLE runs ADD COLUMN requeued BIGINT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN unrepeatable INTEGER NOT NULL DEFAULT 0 CHECK (unrepeatable IN (0, 1));
