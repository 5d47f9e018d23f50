-- Whose number it is. Judges that were named together sit on one panel; one that comes later has a
-- panel of its own, and each score says whose it is. Panel '' is the first of a run: what was judged
-- before there were panels.

CREATE TABLE seat (
    id     {{id}},
    run    BIGINT NOT NULL REFERENCES run (id),
    panel  TEXT NOT NULL,
    judge  BIGINT NOT NULL REFERENCES judge (id),
    UNIQUE (judge, panel)
);
CREATE INDEX seat_run ON seat (run);
INSERT INTO seat (run, panel, judge) SELECT run, '', id FROM judge ORDER BY id;

ALTER TABLE judge ADD COLUMN dropped BIGINT NOT NULL DEFAULT 0;  -- 1: kept, but nobody counts it

-- Raters whose marks count in the main table of their campaign, as its outcomes say.
CREATE VIEW juror AS
SELECT o.campaign AS campaign, r.id AS rater
FROM outcome o JOIN rater r ON r.campaign = o.campaign AND o.subject = 'rater/' || r.pseudonym
WHERE o.metric = 'counts';

-- Outcomes of before do not say it: they are computed again.
UPDATE campaign SET stale = stale + 1;

CREATE TABLE jury_score (
    run       BIGINT NOT NULL REFERENCES run (id),
    jury      TEXT NOT NULL,                 -- '', a panel, a judge or campaign:NAME
    subject   TEXT NOT NULL,                 -- model/NAME or judge/NAME
    metric    TEXT NOT NULL,
    value     DOUBLE PRECISION,
    lo        DOUBLE PRECISION,
    hi        DOUBLE PRECISION,
    n         BIGINT NOT NULL,
    clusters  BIGINT NOT NULL,
    method    TEXT NOT NULL,
    why       TEXT,
    version   BIGINT NOT NULL DEFAULT 1,
    PRIMARY KEY (run, jury, subject, metric)
);
INSERT INTO jury_score (run, jury, subject, metric, value, lo, hi, n, clusters, method, why, version)
SELECT run, '', subject, metric, value, lo, hi, n, clusters, method, why, version FROM score;
DROP TABLE score;
ALTER TABLE jury_score RENAME TO score;

-- What people call a run, and when somebody last worked on it.
ALTER TABLE run ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN tags TEXT NOT NULL DEFAULT '';      -- ' a b ', each between spaces
ALTER TABLE run ADD COLUMN worked_ms BIGINT NOT NULL DEFAULT 0;
UPDATE run SET worked_ms = created_ms;

-- A hash of every fact that never changes once it is there, made when the run is first scored after
-- it came.
CREATE TABLE seal (
    run   BIGINT NOT NULL REFERENCES run (id),
    kind  TEXT NOT NULL,
    fact  BIGINT NOT NULL,                   -- id of the row
    hash  BIGINT NOT NULL,
    PRIMARY KEY (run, kind, fact)
);
ALTER TABLE run ADD COLUMN sealed TEXT NOT NULL DEFAULT '';    -- hash of all seals, when it was scored
