-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION db_now() RETURNS BIGINT LANGUAGE SQL VOLATILE AS $$
	SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)
$$;
-- +goose StatementEnd
