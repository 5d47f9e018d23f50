-- Single sign-on, and passkeys.

-- name: sign_in_add
INSERT INTO sign_in (token, kind, browser, nonce, verifier, next, session, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- Can be taken once: a second attempt finds nothing.
-- name: sign_in_take as sign_in
DELETE FROM sign_in WHERE token = $1
RETURNING kind, browser, nonce, verifier, next, session, created_ms;

-- name: sign_in_sweep
DELETE FROM sign_in WHERE created_ms < $1;

-- name: identity_get
SELECT account FROM identity WHERE issuer = $1 AND subject = $2;

-- name: identity_add
INSERT INTO identity (issuer, subject, account) VALUES ($1, $2, $3)
ON CONFLICT (issuer, subject) DO NOTHING;

-- name: identity_of
SELECT COUNT(*) FROM identity WHERE account = $1;

-- name: passkey_add
INSERT INTO passkey (id, account, name, kind, spki, counter, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING;

-- name: passkey_get as passkey
SELECT id, account, name, kind, spki, counter, created_ms, used_ms FROM passkey WHERE id = $1;

-- name: passkey_list as passkey
SELECT id, account, name, kind, spki, counter, created_ms, used_ms FROM passkey
WHERE account = $1 ORDER BY created_ms;

-- A counter must grow; authenticators without a counter always send 0.
-- name: passkey_use
UPDATE passkey SET counter = $2, used_ms = $3 WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0));

-- name: passkey_drop
DELETE FROM passkey WHERE id = $1 AND account = $2;

-- name: passkey_drop_all
DELETE FROM passkey WHERE account = $1;
