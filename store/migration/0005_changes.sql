-- +goose Up

-- What other programs changed is found by when it was recorded. The kinds left
-- out are the steps between two changes that a list shows.
CREATE INDEX events_at ON events (at, run, sequence) WHERE kind NOT IN ('request', 'start', 'tool');
