-- What people did about flags, kept for good: who overruled which fact, or let it stand again, and
-- why. It names the sample and the kind, not the flag, whose row goes when the fact is no longer found.
CREATE TABLE flag_log (
    id      {{id}},
    run     BIGINT NOT NULL REFERENCES run (id),
    sample  BIGINT NOT NULL REFERENCES sample (id),
    kind    TEXT NOT NULL,
    act     TEXT NOT NULL,                   -- overrule, restore
    who     TEXT NOT NULL,
    why     TEXT NOT NULL,
    at_ms   BIGINT NOT NULL
);
CREATE INDEX flag_log_run ON flag_log (run);

-- The last search of training lines for the answers of a run.
CREATE TABLE look (
    run      BIGINT PRIMARY KEY REFERENCES run (id),
    key      TEXT NOT NULL,                  -- hash of file, threshold and answers; '': not searched
    lines    BIGINT NOT NULL,
    skipped  BIGINT NOT NULL,
    note     TEXT NOT NULL
);
