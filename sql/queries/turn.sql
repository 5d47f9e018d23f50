-- Interviews, turn by turn.

-- name: turn_list as turn
SELECT position, part, speaker, kind, text, fact, source, quote, why, thinking, finish,
    COALESCE(tokens_in, -1) AS tokens_in, COALESCE(tokens_out, -1) AS tokens_out, elapsed_ms, at_ms, COALESCE(call, 0) AS call
FROM turn WHERE sample = $1 ORDER BY position;

-- The turn that came from a call, where the turn is all that is stored of the reply.
-- name: turn_of_call as turn
SELECT position, part, speaker, kind, text, fact, source, quote, why, thinking, finish,
    COALESCE(tokens_in, -1) AS tokens_in, COALESCE(tokens_out, -1) AS tokens_out, elapsed_ms, at_ms, COALESCE(call, 0) AS call
FROM turn WHERE call = $1 ORDER BY sample LIMIT 1;

-- Only if our worker holds the sample, and only once.
-- name: turn_add
INSERT INTO turn (sample, position, part, speaker, kind, text, fact, source, quote, why, thinking,
    finish, tokens_in, tokens_out, elapsed_ms, at_ms, call)
SELECT s.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
FROM sample s WHERE s.id = $1 AND CASE s.state WHEN 'planned' THEN COALESCE((SELECT worker FROM sample_lease WHERE id = $1), 0) END = $18
ON CONFLICT (sample, position) DO NOTHING;

-- Tokens and cost so far: they are spent even if the interview is cut off.
-- name: turn_spent
UPDATE sample SET tokens_in = COALESCE($2 + COALESCE(tokens_in, 0), tokens_in),
    tokens_out = COALESCE($3 + COALESCE(tokens_out, 0), tokens_out),
    cost = COALESCE($4 + COALESCE(cost, 0), cost), tries = tries + $5
WHERE id = $1 AND CASE state WHEN 'planned' THEN COALESCE((SELECT worker FROM sample_lease WHERE id = $1), 0) END = $6;

-- For a sitting that a person holds: no worker has it.
-- name: turn_say
INSERT INTO turn (sample, position, part, speaker, kind, text, fact, source, quote, why, thinking,
    finish, tokens_in, tokens_out, elapsed_ms, at_ms, call)
SELECT s.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
FROM sample s WHERE s.id = $1 AND s.state = 'planned'
ON CONFLICT (sample, position) DO NOTHING;
