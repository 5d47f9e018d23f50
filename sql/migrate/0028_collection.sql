-- Several suites that make one leaderboard, as they were declared when they last ran, and their runs.
-- No number is stored here: the board is computed from the scores of the runs.

CREATE TABLE collection (
    id          {{id}},
    name        TEXT NOT NULL UNIQUE,
    body        TEXT NOT NULL,
    created_ms  BIGINT NOT NULL
);
CREATE TABLE collection_run (
    collection  BIGINT NOT NULL REFERENCES collection (id),
    run         BIGINT NOT NULL REFERENCES run (id),
    PRIMARY KEY (collection, run)
);
CREATE INDEX collection_run_run ON collection_run (run);
