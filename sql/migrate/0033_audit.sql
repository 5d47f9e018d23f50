-- How often a judge falls for tricks, tried on stored answers of a run.

CREATE TABLE judge_audit (
    id     {{id}},
    run    BIGINT NOT NULL REFERENCES run (id),
    judge  TEXT NOT NULL,                    -- name in models.yaml
    probe  TEXT NOT NULL,                    -- order, identical, padded, ...
    n      BIGINT NOT NULL,                  -- tried, with a reply that could be read
    fell   BIGINT NOT NULL,
    at_ms  BIGINT NOT NULL,
    UNIQUE (judge, run, probe)
);
