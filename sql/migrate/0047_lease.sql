-- Who holds a row stands in a table of its own, so that a row changes once, when it ends, and not when it is leased: every
-- change of a row is one of its indexes too. For the same reason no index of all rows has their state; counts by state come
-- from those of the few that are not done.

-- sqlite
CREATE TABLE sample_lease (
    id      INTEGER PRIMARY KEY,             -- of the sample
    worker  BIGINT NOT NULL,
    batch   BIGINT NOT NULL                  -- which of this worker's leases, to find what the last one took
);
CREATE TABLE verdict_lease (id INTEGER PRIMARY KEY, worker BIGINT NOT NULL, batch BIGINT NOT NULL);
-- postgres
CREATE TABLE sample_lease (id BIGINT PRIMARY KEY, worker BIGINT NOT NULL, batch BIGINT NOT NULL);
CREATE TABLE verdict_lease (id BIGINT PRIMARY KEY, worker BIGINT NOT NULL, batch BIGINT NOT NULL);
-- Looked up for every row, as in 0045: an item comes in the transaction that makes its run, and a sample in one that puts its
-- model or reads its item; whoever adds calls holds the run (call_hold).
ALTER TABLE item DROP CONSTRAINT item_run_fkey;
ALTER TABLE call DROP CONSTRAINT call_run_fkey;
ALTER TABLE sample DROP CONSTRAINT sample_model_fkey;
-- both
INSERT INTO sample_lease (id, worker, batch) SELECT id, worker, 0 FROM sample WHERE state = 'leased';
INSERT INTO verdict_lease (id, worker, batch) SELECT id, worker, 0 FROM verdict WHERE state = 'leased';
UPDATE sample SET state = 'planned' WHERE state = 'leased';
UPDATE verdict SET state = 'planned' WHERE state = 'leased';

DROP INDEX sample_leased;
DROP INDEX sample_queue;
DROP INDEX sample_run;
DROP INDEX verdict_leased;
DROP INDEX verdict_queue;
DROP INDEX verdict_run;
ALTER TABLE sample DROP COLUMN worker;
ALTER TABLE verdict DROP COLUMN worker;
CREATE INDEX sample_run ON sample (run, id);
CREATE INDEX sample_queue ON sample (run, model, id, state) WHERE state = 'planned';
CREATE INDEX sample_left ON sample (run) WHERE state = 'failed';
CREATE INDEX verdict_run ON verdict (run, id, judge);
CREATE INDEX verdict_queue ON verdict (run, judge, id, state) WHERE state = 'planned';
