-- Where somebody is signed in, and when they last gave their password there.
ALTER TABLE web_session ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE web_session ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE web_session ADD COLUMN confirmed_ms BIGINT NOT NULL DEFAULT 0;

-- The second factor: a secret shared with an app on the phone, and the last of its codes that was used.
ALTER TABLE account ADD COLUMN totp TEXT;
ALTER TABLE account ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0;

-- For the day the phone is lost: each is used once, and only its hash is here.
CREATE TABLE recovery (
    account  BIGINT NOT NULL REFERENCES account (id),
    hash     TEXT NOT NULL,
    PRIMARY KEY (account, hash)
);

CREATE TABLE team (
    id    {{id}},
    name  TEXT NOT NULL UNIQUE
);
CREATE TABLE team_member (
    team     BIGINT NOT NULL REFERENCES team (id),
    account  BIGINT NOT NULL REFERENCES account (id),
    PRIMARY KEY (team, account)
);
CREATE INDEX team_member_account ON team_member (account);

-- What somebody may do in one campaign: an account, or everybody of a team. The other one is 0.
CREATE TABLE campaign_role (
    campaign  BIGINT NOT NULL REFERENCES campaign (id),
    account   BIGINT NOT NULL DEFAULT 0,
    team      BIGINT NOT NULL DEFAULT 0,
    role      TEXT NOT NULL,                  -- coordinator, analyst
    PRIMARY KEY (campaign, account, team)
);
CREATE INDEX campaign_role_account ON campaign_role (account);
CREATE INDEX campaign_role_team ON campaign_role (team);
