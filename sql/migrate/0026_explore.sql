-- What lists of runs and of samples are found and sorted by.

ALTER TABLE run ADD COLUMN title TEXT NOT NULL DEFAULT '';      -- of the frozen suite
ALTER TABLE run ADD COLUMN derived BIGINT NOT NULL DEFAULT 0;   -- how often the derived rows were made
ALTER TABLE run ADD COLUMN valued BIGINT NOT NULL DEFAULT -1;   -- the same, when sample_value was

-- sqlite
UPDATE run SET title = COALESCE(json_extract(frozen, '$.title'), '') WHERE json_valid(frozen);
-- Rows of runs hold whole suites: lists read them from here alone.
CREATE INDEX run_face ON run (id, title, suite, name, label, tags, worked_ms);
-- postgres
UPDATE run SET title = COALESCE(CAST(frozen AS json) ->> 'title', '');
-- both

-- Derived: what each sample is worth by the run's first jury, rules applied. Samples without a value have no row.
CREATE TABLE sample_value (
    sample     BIGINT PRIMARY KEY REFERENCES sample (id),
    run        BIGINT NOT NULL REFERENCES run (id),
    value      DOUBLE PRECISION NOT NULL,
    spread     DOUBLE PRECISION,             -- greatest less least of the judges' means; NULL: fewer than two
    rule       TEXT                          -- kind of the flag that set or capped it
);
CREATE INDEX sample_value_run ON sample_value (run, sample);
CREATE INDEX model_name ON model (name, run);
CREATE INDEX judge_name ON judge (name, run);
