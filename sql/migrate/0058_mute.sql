-- Models that people talk to and that have not answered since: for those who run the campaign, until the next answer.
CREATE TABLE mute (
    model     BIGINT PRIMARY KEY REFERENCES model (id),
    times     BIGINT NOT NULL,
    since_ms  BIGINT NOT NULL,
    fault     TEXT NOT NULL,
    why       TEXT NOT NULL                  -- of the last time
);
