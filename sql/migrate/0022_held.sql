-- What a worker has taken of the budget of the run that it works on, and has not written as spent.

ALTER TABLE worker ADD COLUMN run BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN usd DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE worker ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0;
