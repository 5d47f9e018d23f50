-- How battles are chosen: not all of them, but those that tell most. 0: there is no such limit.

ALTER TABLE run ADD COLUMN pair_budget BIGINT NOT NULL DEFAULT 0;         -- battles to be planned
ALTER TABLE run ADD COLUMN pair_rd DOUBLE PRECISION NOT NULL DEFAULT 0;   -- largest deviation wanted
