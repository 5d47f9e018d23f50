-- What those who work say of themselves every other second, for those who look on.

ALTER TABLE worker ADD COLUMN rate DOUBLE PRECISION NOT NULL DEFAULT 0;   -- rows a minute
ALTER TABLE worker ADD COLUMN retries BIGINT NOT NULL DEFAULT 0;          -- since it began on its run
ALTER TABLE worker ADD COLUMN throttled BIGINT NOT NULL DEFAULT 0;        -- ... told to wait by an endpoint
ALTER TABLE worker ADD COLUMN waiting TEXT NOT NULL DEFAULT '';           -- what holds it up
