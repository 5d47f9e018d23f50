-- Was a second factor given when this session began (or within it)?
ALTER TABLE web_session ADD COLUMN strong BIGINT NOT NULL DEFAULT 0;
UPDATE web_session SET strong = 1
WHERE kind = 'staff' AND who IN (SELECT id FROM account WHERE totp IS NOT NULL);

-- Who somebody is to a provider of single sign-on.
CREATE TABLE identity (
    issuer   TEXT NOT NULL,
    subject  TEXT NOT NULL,
    account  BIGINT NOT NULL REFERENCES account (id),
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_account ON identity (account);

-- Steps of signing in that were begun in a browser and are to end there, once.
CREATE TABLE sign_in (
    token       TEXT PRIMARY KEY,             -- hash of `state`, or of a challenge
    kind        TEXT NOT NULL,                -- enter, confirm, link: single sign-on; passkey
    browser     TEXT NOT NULL,                -- hash of what its cookie holds
    nonce       TEXT NOT NULL,
    verifier    TEXT NOT NULL,                -- of PKCE
    next        TEXT NOT NULL,                -- where to go afterwards
    session     TEXT NOT NULL,                -- hash of the session that is to be confirmed; ''
    created_ms  BIGINT NOT NULL
);
CREATE INDEX sign_in_created ON sign_in (created_ms);

-- Public halves of passkeys.
CREATE TABLE passkey (
    id          TEXT PRIMARY KEY,             -- the authenticator's name for it, base64url
    account     BIGINT NOT NULL REFERENCES account (id),
    name        TEXT NOT NULL,                -- for people
    kind        TEXT NOT NULL,                -- ES256, RS256
    spki        TEXT NOT NULL,                -- base64url
    counter     BIGINT NOT NULL,              -- of signatures, where the authenticator counts
    created_ms  BIGINT NOT NULL,
    used_ms     BIGINT
);
CREATE INDEX passkey_account ON passkey (account);
