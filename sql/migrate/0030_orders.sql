-- What people want of runs that other processes work on, of endpoints and of workers.

ALTER TABLE run ADD COLUMN orders TEXT NOT NULL DEFAULT '';      -- queued: for whoever has time; paused; cancelled
ALTER TABLE run ADD COLUMN priority BIGINT NOT NULL DEFAULT 0;   -- the highest first
ALTER TABLE run ADD COLUMN needs BIGINT NOT NULL DEFAULT 0;      -- what its workers must know: see RUN_KNOWS
ALTER TABLE run ADD COLUMN budget_usd DOUBLE PRECISION;          -- of a queued run; NULL: none
ALTER TABLE run ADD COLUMN budget_tokens BIGINT NOT NULL DEFAULT 0;
CREATE INDEX run_queue ON run (priority DESC, id) WHERE orders = 'queued';

-- A process has another row in `worker` each time it begins anew; orders are for the process.
CREATE TABLE held (
    subject   TEXT PRIMARY KEY,              -- endpoint/NAME or worker/HOST:PID
    word      TEXT NOT NULL,                 -- pause or drain
    since_ms  BIGINT NOT NULL
);

ALTER TABLE worker ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE worker ADD COLUMN since_ms BIGINT NOT NULL DEFAULT 0;
