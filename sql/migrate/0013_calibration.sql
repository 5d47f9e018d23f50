-- Every attempt at practice texts, as it came out: one row for each dimension. A round is passed or
-- not within the attempts of the campaign file; the first comes before the first passage, others after
-- so many passages or days.

CREATE TABLE calibration (
    rater      BIGINT NOT NULL REFERENCES rater (id),
    attempt    BIGINT NOT NULL,               -- of all that the rater has had, from 0
    dimension  TEXT NOT NULL,
    round      BIGINT NOT NULL,               -- from 0
    done       BIGINT NOT NULL,               -- passages handed in by then
    passed     BIGINT NOT NULL,               -- the attempt, in all its dimensions
    n          BIGINT NOT NULL,               -- marks
    exact      DOUBLE PRECISION,              -- share that is right
    near       DOUBLE PRECISION,              -- share at most one step away
    bias       DOUBLE PRECISION,              -- mean error in steps
    kappa      DOUBLE PRECISION,
    at_ms      BIGINT NOT NULL,
    PRIMARY KEY (rater, attempt, dimension)
);
