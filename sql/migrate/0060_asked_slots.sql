-- How many requests a worker may have in flight at an endpoint: what all of them hold is no more than its window. The row
-- of worker 0 is locked by whoever takes more.
ALTER TABLE asked ADD COLUMN slots BIGINT NOT NULL DEFAULT 0;
