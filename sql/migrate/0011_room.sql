-- The interview room: an answer that somebody waits for. Whoever asks holds the sitting until the
-- answer is stored, or until a moment that is put off as long as they wait; so that two windows do not
-- ask twice, and a server that was killed holds nothing for long.

CREATE TABLE asking (
    sample    BIGINT PRIMARY KEY REFERENCES sample (id),
    position  BIGINT NOT NULL,                -- of the answer
    token     TEXT NOT NULL,                  -- of whoever asks
    until_ms  BIGINT NOT NULL
);
