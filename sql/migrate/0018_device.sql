-- Browsers in which somebody has signed in before. Their guesses are counted apart, so that strangers who
-- guess at a password do not lock its owner out. The token itself is in the browser alone.
CREATE TABLE device (
    token       TEXT PRIMARY KEY,             -- its hash
    account     BIGINT NOT NULL REFERENCES account (id),
    created_ms  BIGINT NOT NULL,
    seen_ms     BIGINT NOT NULL
);
CREATE INDEX device_account ON device (account);
