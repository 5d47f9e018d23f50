-- Human judging. A campaign shows the answers of a run to raters; what they said stays here, apart
-- from the verdicts of other judges. Personal data is in rater.about alone, so that it can go.

CREATE TABLE campaign (
    id           {{id}},
    run          BIGINT NOT NULL REFERENCES run (id),
    name         TEXT NOT NULL UNIQUE,
    spec         TEXT NOT NULL,               -- the campaign file, frozen
    state        TEXT NOT NULL,               -- draft, open, closed, unmasked
    secret       TEXT NOT NULL,               -- keys the names under which raters see texts
    turns        BIGINT NOT NULL DEFAULT 0,   -- written by whoever assigns, one after another
    stale        BIGINT NOT NULL DEFAULT 1,   -- 1: outcomes are older than the ratings
    created_ms   BIGINT NOT NULL,
    opened_ms    BIGINT,
    closed_ms    BIGINT,
    unmasked_ms  BIGINT
);

-- A passage is an item of the run with all its answers; one rater sees all of them.
CREATE TABLE passage (
    campaign  BIGINT NOT NULL REFERENCES campaign (id),
    item      BIGINT NOT NULL REFERENCES item (id),
    done      BIGINT NOT NULL DEFAULT 0,      -- assignments handed in
    PRIMARY KEY (campaign, item)
);

-- How often a passage was given to raters of a stratum, counted as it is given: the choice must not
-- take longer the more there are. Nothing here says who.
CREATE TABLE passage_stratum (
    campaign  BIGINT NOT NULL REFERENCES campaign (id),
    stratum   TEXT NOT NULL,
    item      BIGINT NOT NULL REFERENCES item (id),
    given     BIGINT NOT NULL,
    PRIMARY KEY (campaign, stratum, item)
);

-- A text that may give its author away. It is shown to nobody until somebody has decided.
CREATE TABLE withheld (
    campaign    BIGINT NOT NULL REFERENCES campaign (id),
    sample      BIGINT NOT NULL REFERENCES sample (id),
    why         TEXT NOT NULL,
    words       TEXT NOT NULL,
    decision    TEXT,                         -- show, hide
    decided_by  TEXT,
    decided_ms  BIGINT,
    PRIMARY KEY (campaign, sample)
);

CREATE TABLE rater (
    id            {{id}},
    campaign      BIGINT NOT NULL REFERENCES campaign (id),
    pseudonym     TEXT NOT NULL,
    state         TEXT NOT NULL,              -- invited, consented, practising, rating, finished,
                                              -- rejected, withdrawn
    language      TEXT NOT NULL,
    consent       TEXT,                       -- version that was agreed to
    consent_ms    BIGINT,
    about         TEXT,                       -- JSON; gone when the rater withdraws
    stratum       TEXT NOT NULL DEFAULT '',
    return_hash   TEXT NOT NULL,              -- of the words that let a rater come back
    code          TEXT,                       -- shown at the end
    practice      BIGINT NOT NULL DEFAULT 0,  -- attempts at the practice texts
    created_ms    BIGINT NOT NULL,
    finished_ms   BIGINT,
    excluded_by   TEXT,
    excluded_why  TEXT,
    excluded_ms   BIGINT,
    UNIQUE (campaign, pseudonym)
);
CREATE UNIQUE INDEX rater_return ON rater (return_hash);
CREATE INDEX rater_campaign ON rater (campaign, id);

CREATE TABLE invite (
    id          {{id}},
    campaign    BIGINT NOT NULL REFERENCES campaign (id),
    hash        TEXT NOT NULL UNIQUE,
    label       TEXT NOT NULL DEFAULT '',     -- for whoever sends it; raters never see it
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL,
    revoked_ms  BIGINT,
    used_ms     BIGINT,
    rater       BIGINT
);
CREATE INDEX invite_campaign ON invite (campaign);

CREATE TABLE assignment (
    id            {{id}},
    campaign      BIGINT NOT NULL REFERENCES campaign (id),
    rater         BIGINT NOT NULL REFERENCES rater (id),
    phase         TEXT NOT NULL,              -- practice, anchor, main
    item          BIGINT NOT NULL DEFAULT 0,  -- passage; 0: an anchor text
    anchor        BIGINT NOT NULL DEFAULT -1, -- anchor text of the campaign file, from 0
    attempt       BIGINT NOT NULL DEFAULT 0,  -- of the practice
    position      BIGINT NOT NULL,            -- which of the rater's, from 0
    shown         TEXT NOT NULL,              -- JSON: the texts in the order shown
    state         TEXT NOT NULL,              -- leased, expired, done
    lease_ms      BIGINT NOT NULL,            -- until then it counts as taken
    started_ms    BIGINT NOT NULL,
    seen_ms       BIGINT NOT NULL,
    submitted_ms  BIGINT,
    active_ms     BIGINT NOT NULL DEFAULT 0,
    read_to_end   BIGINT NOT NULL DEFAULT 0,
    UNIQUE (rater, phase, item, anchor, attempt)
);
CREATE INDEX assignment_place ON assignment (rater, position, id);
CREATE INDEX assignment_item ON assignment (campaign, item, rater, state);
CREATE INDEX assignment_live ON assignment (campaign, item, lease_ms) WHERE state = 'leased';

CREATE TABLE rating (
    assignment  BIGINT NOT NULL REFERENCES assignment (id),
    sample      BIGINT NOT NULL,              -- 0: the reference, or an anchor text
    other       BIGINT NOT NULL DEFAULT -1,   -- second of a pair; -1: none
    dimension   TEXT NOT NULL,
    value       DOUBLE PRECISION,             -- NULL: cannot say. Of a pair 1, 0 or .5: `sample` won
    comment     TEXT NOT NULL DEFAULT '',
    quotes      TEXT NOT NULL DEFAULT '',     -- JSON list
    version     BIGINT NOT NULL,              -- how often it was saved
    client      TEXT NOT NULL,                -- names the last save, so that a repeat does no harm
    created_ms  BIGINT NOT NULL,
    saved_ms    BIGINT NOT NULL,
    PRIMARY KEY (assignment, sample, other, dimension)
);

-- "Report this text."
CREATE TABLE complaint (
    id          {{id}},
    campaign    BIGINT NOT NULL REFERENCES campaign (id),
    assignment  BIGINT NOT NULL REFERENCES assignment (id),
    sample      BIGINT NOT NULL,
    why         TEXT NOT NULL,
    at_ms       BIGINT NOT NULL
);

-- Derived: recomputable from the tables above.
CREATE TABLE outcome (
    campaign  BIGINT NOT NULL REFERENCES campaign (id),
    subject   TEXT NOT NULL,                  -- system/NAME, dimension/ID, rater/NAME
    metric    TEXT NOT NULL,
    value     DOUBLE PRECISION,
    lo        DOUBLE PRECISION,
    hi        DOUBLE PRECISION,
    n         BIGINT NOT NULL,
    clusters  BIGINT NOT NULL,
    method    TEXT NOT NULL,
    PRIMARY KEY (campaign, subject, metric)
);
