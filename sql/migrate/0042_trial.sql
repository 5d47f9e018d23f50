-- What a judge on trial said, so that how often it fell can be counted again.

ALTER TABLE judge_audit ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;  -- hash of the row; 0: made before trials were kept
CREATE INDEX judge_audit_run ON judge_audit (run);

CREATE TABLE judge_trial (
    id      {{id}},
    run     BIGINT NOT NULL REFERENCES run (id),
    judge   TEXT NOT NULL,
    sample  BIGINT NOT NULL REFERENCES sample (id),
    probe   TEXT NOT NULL,                   -- order, identical, padded, ...; plain: the answer as it is
    reply   TEXT NOT NULL,                   -- the judge's words
    seal    BIGINT NOT NULL,
    UNIQUE (run, judge, sample, probe)
);
CREATE INDEX judge_trial_sample ON judge_trial (sample);
