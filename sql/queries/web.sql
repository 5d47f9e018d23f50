-- Accounts, sessions, the audit log.

-- name: account_add
INSERT INTO account (name, role, password, created_ms) VALUES ($1, $2, $3, $4)
ON CONFLICT (name) DO NOTHING RETURNING id;

-- name: account_count
SELECT COUNT(*) FROM account;

-- name: account_by_name as account
SELECT id, name, role, password, created_ms, disabled_ms, totp FROM account WHERE name = $1;

-- name: account_by_id as account
SELECT id, name, role, password, created_ms, disabled_ms, totp FROM account WHERE id = $1;

-- name: account_list as account
SELECT id, name, role, password, created_ms, disabled_ms, totp FROM account ORDER BY name COLLATE BINARY;

-- One column each: changing the role does not undo a simultaneous change of the password, and so on.
-- name: account_role
UPDATE account SET role = $2 WHERE id = $1;

-- name: account_disable
UPDATE account SET disabled_ms = $2 WHERE id = $1;

-- name: account_password
UPDATE account SET password = $2 WHERE id = $1;

-- The same password hashed with current parameters, unless it was changed meanwhile.
-- name: account_rehash
UPDATE account SET password = $2 WHERE id = $1 AND password = $3;

-- name: account_admins
SELECT COUNT(*) FROM account WHERE role = 'admin' AND disabled_ms IS NULL;

-- name: session_add
INSERT INTO web_session (token, kind, who, csrf, created_ms, seen_ms, expires_ms, address, agent,
    confirmed_ms, strong)
VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $5, $9);

-- name: session_get as session
SELECT w.kind, w.who, w.csrf, w.created_ms, w.seen_ms, w.expires_ms, w.confirmed_ms, w.strong, c.secret
FROM web_session w LEFT JOIN rater r ON r.id = w.who AND w.kind <> 'staff' LEFT JOIN campaign c ON c.id = r.campaign
WHERE w.token = $1;

-- name: session_seen
UPDATE web_session SET seen_ms = $2 WHERE token = $1 AND seen_ms < $2;

-- name: session_turn
UPDATE web_session SET csrf = $3 WHERE token = $1 AND csrf = $2;

-- name: session_drop
DELETE FROM web_session WHERE token = $1;

-- name: session_drop_who
DELETE FROM web_session WHERE kind = $1 AND who = $2;

-- name: session_sweep
DELETE FROM web_session WHERE expires_ms < $1;

-- name: audit_add
INSERT INTO audit (at_ms, who, what, subject, detail) VALUES ($1, $2, $3, $4, $5);

-- Filtered by person, kind of act and subject; '' matches any.
-- name: audit_find as audit
SELECT id, at_ms, who, what, subject, detail FROM audit
WHERE id < $1 AND ($3 = '' OR who = $3) AND ($4 = '' OR what LIKE $4 || '%')
    AND ($5 = '' OR subject = $5)
ORDER BY id DESC LIMIT $2;

-- ---- browsers that are known ----

-- name: device_add
INSERT INTO device (token, account, created_ms, seen_ms) VALUES ($1, $2, $3, $3);

-- name: device_known
SELECT COUNT(*) FROM device d JOIN account a ON a.id = d.account WHERE d.token = $1 AND a.name = $2;

-- name: device_forget
DELETE FROM device WHERE account = $1;

-- name: device_sweep
DELETE FROM device WHERE seen_ms < $1;
