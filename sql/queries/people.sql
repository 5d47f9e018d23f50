-- Staff: sessions, second factors, API tokens, teams, and roles in campaigns.

-- name: session_list as session_list
SELECT token, created_ms, seen_ms, address, agent FROM web_session WHERE kind = $1 AND who = $2
ORDER BY seen_ms DESC;

-- name: session_drop_one
DELETE FROM web_session WHERE kind = $1 AND who = $2 AND token = $3;

-- name: session_confirm
UPDATE web_session SET confirmed_ms = $2 WHERE token = $1;

-- name: session_strong
UPDATE web_session SET strong = 1 WHERE token = $1;

-- name: totp_set
UPDATE account SET totp = $2, totp_step = 0 WHERE id = $1;

-- A code can be used once.
-- name: totp_use
UPDATE account SET totp_step = $2 WHERE id = $1 AND totp_step < $2;

-- name: recovery_add
INSERT INTO recovery (account, hash) VALUES ($1, $2);

-- name: recovery_use
DELETE FROM recovery WHERE account = $1 AND hash = $2;

-- name: recovery_drop
DELETE FROM recovery WHERE account = $1;

-- name: team_add
INSERT INTO team (name) VALUES ($1) ON CONFLICT (name) DO NOTHING;

-- name: team_list as word_pair
SELECT t.name AS name, COALESCE(a.name, '') AS word FROM team t
    LEFT JOIN team_member m ON m.team = t.id LEFT JOIN account a ON a.id = m.account
ORDER BY t.name COLLATE BINARY, a.name COLLATE BINARY;

-- name: team_join
INSERT INTO team_member (team, account)
SELECT t.id, a.id FROM team t, account a WHERE t.name = $1 AND a.name = $2
ON CONFLICT (team, account) DO NOTHING;

-- name: team_known
SELECT COUNT(*) FROM team t, account a WHERE t.name = $1 AND a.name = $2;

-- name: team_grants_drop
DELETE FROM campaign_role WHERE team = (SELECT id FROM team WHERE name = $1);

-- name: team_members_drop
DELETE FROM team_member WHERE team = (SELECT id FROM team WHERE name = $1);

-- name: team_drop
DELETE FROM team WHERE name = $1;

-- name: team_leave
DELETE FROM team_member WHERE team = (SELECT id FROM team WHERE name = $1)
    AND account = (SELECT id FROM account WHERE name = $2);

-- name: team_named
SELECT COUNT(*) FROM team WHERE name = $1;

-- A name belongs to an account or a team; if both have it, it is ambiguous.
-- name: grant_put
INSERT INTO campaign_role (campaign, account, team, role)
SELECT CAST($1 AS BIGINT), COALESCE(a.id, 0), COALESCE(t.id, 0), CAST($3 AS TEXT)
FROM (SELECT CAST($2 AS TEXT) AS name) n LEFT JOIN account a ON a.name = n.name
    LEFT JOIN team t ON t.name = n.name
WHERE (a.id IS NULL) <> (t.id IS NULL)
ON CONFLICT (campaign, account, team) DO UPDATE SET role = $3;

-- name: grant_drop
DELETE FROM campaign_role WHERE campaign = $1
    AND (account IN (SELECT id FROM account WHERE name = $2)
        OR team IN (SELECT id FROM team WHERE name = $2));

-- name: grant_list as word_pair
SELECT COALESCE(a.name, t.name) AS name, g.role AS word FROM campaign_role g
    LEFT JOIN account a ON a.id = g.account LEFT JOIN team t ON t.id = g.team
WHERE g.campaign = $1 ORDER BY 1;

-- The roles of an account in a campaign ($2: its name), or in each ('').
-- name: grant_of as grant_of
SELECT c.id AS campaign, g.role FROM campaign_role g JOIN campaign c ON c.id = g.campaign
WHERE (g.account = $1 OR g.team IN (SELECT team FROM team_member WHERE account = $1))
    AND (CAST($2 AS TEXT) = '' OR c.name = $2);

-- name: api_token_add
INSERT INTO api_token (account, name, hash, scope, created_ms, expires_ms, strong)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: api_token_get as api_token
SELECT id, account, scope, strong FROM api_token
WHERE hash = $1 AND revoked_ms IS NULL AND expires_ms > $2;

-- Rounded to minutes: a program that sends many requests does not cause as many writes.
-- name: api_token_used
UPDATE api_token SET used_ms = $2 WHERE id = $1 AND (used_ms IS NULL OR used_ms + 60000 < $2);

-- name: api_token_list as api_token_list
SELECT id, name, scope, created_ms, expires_ms, used_ms FROM api_token
WHERE account = $1 AND revoked_ms IS NULL ORDER BY id;

-- name: api_token_revoke
UPDATE api_token SET revoked_ms = $3 WHERE account = $1 AND id = $2 AND revoked_ms IS NULL;

-- name: api_token_revoke_all
UPDATE api_token SET revoked_ms = $2 WHERE account = $1 AND revoked_ms IS NULL;
