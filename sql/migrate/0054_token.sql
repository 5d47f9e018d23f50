-- Where a role needs the second factor, a program needs a token that was made by somebody who had given it. Tokens from before hold
-- where the account has a second factor.
ALTER TABLE api_token ADD COLUMN strong BIGINT NOT NULL DEFAULT 0;
UPDATE api_token SET strong = 1 WHERE account IN (SELECT id FROM account WHERE totp IS NOT NULL UNION SELECT account FROM passkey);
