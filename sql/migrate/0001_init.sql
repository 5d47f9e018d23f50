-- The first schema: runs, who takes part, what was asked, answered and judged, and what follows
-- from it. Planned rows are the queue; the last table is derived and can be dropped and rebuilt.
-- Times are UTC milliseconds; JSON is text; {{id}} is each database's own counted primary key.

CREATE TABLE run (
    id          {{id}},
    name        TEXT NOT NULL UNIQUE,        -- short hexadecimal word that people type
    key         TEXT NOT NULL,               -- hash of all that was frozen
    generation  BIGINT NOT NULL DEFAULT 0,   -- the same key, asked anew
    fresh       BIGINT NOT NULL DEFAULT 0,   -- 1: replies of other runs are not reused
    suite       TEXT NOT NULL,               -- id of the suite
    frozen      TEXT NOT NULL,               -- the whole suite, templates and characters inlined
    seed        BIGINT NOT NULL,
    repeats     BIGINT NOT NULL,
    stale       BIGINT NOT NULL DEFAULT 1,   -- 1: the derived rows are older than the verdicts
    created_ms  BIGINT NOT NULL,
    UNIQUE (key, generation)
);

CREATE TABLE model (
    id      {{id}},
    run     BIGINT NOT NULL REFERENCES run (id),
    name    TEXT NOT NULL,
    family  TEXT NOT NULL,
    config  TEXT NOT NULL,                   -- the endpoint, without its key
    UNIQUE (run, name)
);

CREATE TABLE judge (
    id        {{id}},
    run       BIGINT NOT NULL REFERENCES run (id),
    name      TEXT NOT NULL,                 -- NAME, or NAME:TEMPLATE when another template is used
    family    TEXT NOT NULL,
    config    TEXT NOT NULL,
    template  TEXT NOT NULL,                 -- frozen, JSON
    repeats   BIGINT NOT NULL,
    UNIQUE (run, name)
);

CREATE TABLE item (
    id        {{id}},
    run       BIGINT NOT NULL REFERENCES run (id),
    position  BIGINT NOT NULL,
    name      TEXT NOT NULL,
    body      TEXT NOT NULL,
    UNIQUE (run, name)
);

-- One line per process that works on runs. A row that is leased belongs to a worker; when the
-- worker's beat stops, or its process is gone, its rows are planned again.
CREATE TABLE worker (
    id       {{id}},
    name     TEXT NOT NULL UNIQUE,
    host     TEXT NOT NULL,
    pid      BIGINT NOT NULL,
    started  BIGINT NOT NULL,                -- of the process, as the system tells it
    beat_ms  BIGINT NOT NULL
);

CREATE TABLE call (
    id          {{id}},
    run         BIGINT NOT NULL REFERENCES run (id),
    key         TEXT NOT NULL,               -- hash of URL, body, repeat and round, 128 bits
    url         TEXT NOT NULL,
    request     TEXT NOT NULL,
    response    TEXT NOT NULL,
    elapsed_ms  BIGINT NOT NULL,
    created_ms  BIGINT NOT NULL,
    UNIQUE (key, run)
);

CREATE TABLE sample (
    id          {{id}},
    run         BIGINT NOT NULL REFERENCES run (id),
    model       BIGINT NOT NULL REFERENCES model (id),
    item        BIGINT NOT NULL REFERENCES item (id),
    repeat      BIGINT NOT NULL,             -- which of the n answers, from 0
    round       BIGINT NOT NULL DEFAULT 0,   -- how often failed work was taken up again
    state       TEXT NOT NULL,
    worker      BIGINT,
    answer      TEXT,                        -- the part of the reply that counts
    thinking    TEXT,
    finish      TEXT,
    tokens_in   BIGINT,
    tokens_out  BIGINT,
    cost        DOUBLE PRECISION,            -- USD
    tries       BIGINT NOT NULL DEFAULT 0,
    elapsed_ms  BIGINT,
    ended_ms    BIGINT,
    fault       TEXT,
    why         TEXT,
    call        BIGINT,
    UNIQUE (model, item, repeat)
);
CREATE INDEX sample_run ON sample (run);
CREATE INDEX sample_queue ON sample (model, id) WHERE state = 'planned';
CREATE INDEX sample_leased ON sample (worker) WHERE state = 'leased';

CREATE TABLE verdict (
    id          {{id}},
    run         BIGINT NOT NULL REFERENCES run (id),
    judge       BIGINT NOT NULL REFERENCES judge (id),
    sample      BIGINT NOT NULL REFERENCES sample (id),
    other       BIGINT NOT NULL DEFAULT 0,   -- second sample of a pair
    shown       TEXT NOT NULL DEFAULT '',    -- order in which a pair was shown
    repeat      BIGINT NOT NULL,
    round       BIGINT NOT NULL DEFAULT 0,
    state       TEXT NOT NULL,
    worker      BIGINT,
    reply       TEXT,                        -- the judge's raw words
    overall     DOUBLE PRECISION,            -- the judge's own, kept for comparison
    reason      TEXT,
    repairs     BIGINT NOT NULL DEFAULT 0,
    tokens_in   BIGINT,
    tokens_out  BIGINT,
    cost        DOUBLE PRECISION,
    tries       BIGINT NOT NULL DEFAULT 0,
    elapsed_ms  BIGINT,
    ended_ms    BIGINT,
    fault       TEXT,                        -- kind, when unscored or failed
    why         TEXT,
    call        BIGINT,
    UNIQUE (sample, judge, other, shown, repeat)
);
CREATE INDEX verdict_left ON verdict (run) WHERE state IN ('failed', 'unscored');
CREATE INDEX verdict_queue ON verdict (judge, id) WHERE state = 'planned';
CREATE INDEX verdict_leased ON verdict (worker) WHERE state = 'leased';

CREATE TABLE mark (
    verdict    BIGINT NOT NULL REFERENCES verdict (id),
    dimension  TEXT NOT NULL,
    value      DOUBLE PRECISION NOT NULL,
    analysis   TEXT,
    evidence   TEXT,
    PRIMARY KEY (verdict, dimension)
);

CREATE TABLE flag (
    id            {{id}},
    run           BIGINT NOT NULL REFERENCES run (id),
    sample        BIGINT NOT NULL REFERENCES sample (id),
    kind          TEXT NOT NULL,             -- duplicate, ...
    value         DOUBLE PRECISION,          -- for a duplicate: the similarity
    evidence      TEXT,                      -- JSON: what it was compared with, what they share
    overruled_by  TEXT,
    overruled_why TEXT,
    overruled_ms  BIGINT,
    UNIQUE (sample, kind)
);
CREATE INDEX flag_run ON flag (run);

-- Derived: recomputable from the tables above, by `audition verify` for one.
CREATE TABLE score (
    run       BIGINT NOT NULL REFERENCES run (id),
    subject   TEXT NOT NULL,                 -- model/NAME or judge/NAME
    metric    TEXT NOT NULL,
    value     DOUBLE PRECISION,
    lo        DOUBLE PRECISION,
    hi        DOUBLE PRECISION,
    n         BIGINT NOT NULL,
    clusters  BIGINT NOT NULL,
    method    TEXT NOT NULL,
    PRIMARY KEY (run, subject, metric)
);
