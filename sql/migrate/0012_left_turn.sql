-- A sitting that a rater left, and that somebody else has begun afresh: what was said in it, under the
-- assignment of whoever said it. The assignment has the state `left`, and is not gone on with.

CREATE TABLE left_turn (
    assignment  BIGINT NOT NULL REFERENCES assignment (id),
    position    BIGINT NOT NULL,
    part        BIGINT NOT NULL,
    speaker     TEXT NOT NULL,
    kind        TEXT NOT NULL,
    text        TEXT NOT NULL,
    fact        TEXT NOT NULL,
    source      TEXT NOT NULL,
    quote       TEXT NOT NULL,
    why         TEXT NOT NULL,
    thinking    TEXT NOT NULL,
    finish      TEXT NOT NULL,
    tokens_in   BIGINT,
    tokens_out  BIGINT,
    elapsed_ms  BIGINT NOT NULL,
    at_ms       BIGINT NOT NULL,
    call        BIGINT,
    PRIMARY KEY (assignment, position)
);
