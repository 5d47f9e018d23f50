-- Programs that act for an account; the token itself is with the program alone.
CREATE TABLE api_token (
    id          {{id}},
    account     BIGINT NOT NULL REFERENCES account (id),
    name        TEXT NOT NULL,                -- for people
    hash        TEXT NOT NULL UNIQUE,
    scope       TEXT NOT NULL,                -- read, write
    created_ms  BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL,
    revoked_ms  BIGINT,
    used_ms     BIGINT
);
CREATE INDEX api_token_account ON api_token (account);
