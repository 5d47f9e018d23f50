-- Interviews: who asks, and what was said, turn by turn. A sample that is an interview has its turns
-- here from the moment each was said; its answer is the transcript of them all.

CREATE TABLE examiner (
    id      {{id}},
    run     BIGINT NOT NULL REFERENCES run (id),
    name    TEXT NOT NULL,
    family  TEXT NOT NULL,
    config  TEXT NOT NULL,                   -- the endpoint, without its key
    UNIQUE (run, name)
);

CREATE TABLE turn (
    sample      BIGINT NOT NULL REFERENCES sample (id),
    position    BIGINT NOT NULL,             -- from 1
    part        BIGINT NOT NULL,             -- 1, 2 or 3
    speaker     TEXT NOT NULL,               -- examiner or model
    kind        TEXT NOT NULL,               -- instruction, identity, ..., task, follow-up, answer
    text        TEXT NOT NULL,
    fact        TEXT NOT NULL,               -- id of the fact on the card that is asked for, or ''
    source      TEXT NOT NULL,               -- bank, generic, examiner, prepared, person; '' of answers
    quote       TEXT NOT NULL,               -- of a follow-up: words of the model that it takes up
    why         TEXT NOT NULL,               -- what is unusual about it, or ''
    thinking    TEXT NOT NULL,
    finish      TEXT NOT NULL,
    tokens_in   BIGINT,
    tokens_out  BIGINT,
    elapsed_ms  BIGINT NOT NULL,
    at_ms       BIGINT NOT NULL,
    call        BIGINT,
    PRIMARY KEY (sample, position)
);
