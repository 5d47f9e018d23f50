-- Who may look after things in the browser, who is signed in, and what they did.

CREATE TABLE account (
    id           {{id}},
    name         TEXT NOT NULL UNIQUE,
    role         TEXT NOT NULL,               -- admin, coordinator, analyst
    password     TEXT NOT NULL,               -- Argon2id
    created_ms   BIGINT NOT NULL,
    disabled_ms  BIGINT
);

-- Of people that are signed in; the token itself is in their browser alone.
CREATE TABLE web_session (
    token       TEXT PRIMARY KEY,             -- its hash
    kind        TEXT NOT NULL,                -- staff, rater
    who         BIGINT NOT NULL,              -- account or rater
    csrf        TEXT NOT NULL,
    created_ms  BIGINT NOT NULL,
    seen_ms     BIGINT NOT NULL,
    expires_ms  BIGINT NOT NULL
);
CREATE INDEX web_session_who ON web_session (kind, who);

-- Only ever added to.
CREATE TABLE audit (
    id       {{id}},
    at_ms    BIGINT NOT NULL,
    who      TEXT NOT NULL,
    what     TEXT NOT NULL,
    subject  TEXT NOT NULL,
    detail   TEXT NOT NULL
);
-- sqlite
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
-- postgres
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''the audit log is only added to''; END';
CREATE TRIGGER audit_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    EXECUTE FUNCTION audit_refuse();
-- both
