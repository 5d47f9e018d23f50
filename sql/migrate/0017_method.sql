-- Why a number has no interval, or a caution with it; and the version of the methods behind the row.
-- Rows from before this have none: their points hold, their intervals are computed anew.

ALTER TABLE score ADD COLUMN why TEXT;
ALTER TABLE score ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE outcome ADD COLUMN why TEXT;
ALTER TABLE outcome ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- Campaigns compute theirs anew at the next look.
UPDATE campaign SET stale = stale + 1 WHERE stale = 0;
