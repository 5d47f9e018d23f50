-- The interview room: sittings that a person holds.

-- name: room_sample
SELECT s.state, s.model, s.repeat, m.name AS model_name, m.config, COALESCE(k.position, 0) AS position,
    COALESCE(k.until_ms, 0) AS until_ms
FROM sample s JOIN model m ON m.id = s.model LEFT JOIN asking k ON k.sample = s.id
WHERE s.id = $1;

-- name: room_claim
INSERT INTO asking (sample, position, token, until_ms)
SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS BIGINT)
FROM assignment WHERE id = $6 AND state = 'leased'
ON CONFLICT (sample) DO UPDATE SET position = $2, token = $3, until_ms = $4
WHERE asking.position <> $2 OR asking.until_ms < $5;

-- name: room_keep
UPDATE asking SET until_ms = $3 WHERE sample = $1 AND token = $2;

-- name: room_free
DELETE FROM asking WHERE sample = $1 AND token = $2;

-- name: room_spent
UPDATE sample SET tokens_in = COALESCE($2 + COALESCE(tokens_in, 0), tokens_in),
    tokens_out = COALESCE($3 + COALESCE(tokens_out, 0), tokens_out),
    cost = COALESCE($4 + COALESCE(cost, 0), cost), tries = tries + 1
WHERE id = $1 AND state = 'planned';

-- name: mute_add
INSERT INTO mute (model, times, since_ms, fault, why) VALUES ($1, 1, $2, $3, $4)
ON CONFLICT (model) DO UPDATE SET times = mute.times + 1, fault = $3, why = $4;

-- name: mute_end
DELETE FROM mute WHERE model = $1;

-- name: mute_list as mute
SELECT m.name AS model, x.times, x.since_ms, x.fault, x.why FROM mute x JOIN model m ON m.id = x.model
WHERE m.run = $1 ORDER BY x.since_ms, m.id;

-- name: room_end
UPDATE sample SET state = 'done', answer = $2, finish = $3, elapsed_ms = $4, ended_ms = $5, call = $6
WHERE id = $1 AND state = 'planned';

-- The sittings of a passage, held or not: how many raters have each, how often this rater met its model, and
-- how often any rater of the campaign did. An assignment of a sitting shows nothing else.
-- name: room_sittings as sitting
SELECT s.id, s.state,
    (SELECT COUNT(*) FROM assignment a WHERE a.item = s.item AND a.phase = 'main'
        AND a.shown = '[[' || CAST(s.id AS TEXT) || ',-1]]'
        AND (a.state = 'done' OR (a.state = 'leased' AND a.lease_ms > $5))) AS taken,
    (SELECT COUNT(*) FROM assignment a JOIN sample o ON o.item = a.item
            AND a.shown = '[[' || CAST(o.id AS TEXT) || ',-1]]'
        WHERE a.rater = $6 AND a.phase = 'main' AND o.model = s.model) AS met,
    (SELECT COUNT(*) FROM assignment a JOIN sample o ON o.item = a.item
            AND a.shown = '[[' || CAST(o.id AS TEXT) || ',-1]]'
        WHERE a.campaign = $1 AND a.phase = 'main' AND o.model = s.model
            AND (a.state = 'done' OR (a.state = 'leased' AND a.lease_ms > $5))) AS met_by_all
FROM sample s
WHERE s.run = $2 AND s.item = $3 AND s.state IN ('planned', 'done') AND (s.repeat = 0 OR $4 = 1)
    AND NOT EXISTS (SELECT 1 FROM withheld w WHERE w.campaign = $1 AND w.sample = s.id
        AND (w.decision IS NULL OR w.decision = 'hide'))
ORDER BY s.model, s.repeat;

-- Ends the assignment of a rater whose lease expired; there is at most one.
-- name: room_leave
UPDATE assignment SET state = 'left'
WHERE item = $1 AND shown = $2 AND (state = 'expired' OR (state = 'leased' AND lease_ms <= $3))
RETURNING id;

-- name: room_held
SELECT COUNT(*) FROM assignment WHERE item = $1 AND shown = $2 AND state = 'leased';

-- name: room_keep_turns
INSERT INTO left_turn (assignment, position, part, speaker, kind, text, fact, source, quote, why,
    thinking, finish, tokens_in, tokens_out, elapsed_ms, at_ms, call)
SELECT CAST($2 AS BIGINT), position, part, speaker, kind, text, fact, source, quote, why, thinking,
    finish, tokens_in, tokens_out, elapsed_ms, at_ms, call
FROM turn WHERE sample = $1 AND NOT EXISTS (SELECT 1 FROM assignment a JOIN rater r ON r.id = a.rater
    WHERE a.id = $2 AND r.state = 'withdrawn');

-- name: room_clear_turns
DELETE FROM turn WHERE sample = $1;

-- name: room_clear_asking
DELETE FROM asking WHERE sample = $1;

-- A sample of this model that was neither used nor promised to anybody.
-- name: room_spare
SELECT s.id FROM sample s WHERE s.model = $1 AND s.item = $2 AND s.state = 'planned'
    AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.sample = s.id)
    AND NOT EXISTS (SELECT 1 FROM asking k WHERE k.sample = s.id)
ORDER BY s.repeat LIMIT 1;

-- Adds a sample when all planned ones are used: an arena has no end.
-- name: room_more
INSERT INTO sample (run, model, item, repeat, state)
SELECT run, model, item, MAX(repeat) + 1, 'planned' FROM sample WHERE model = $1 AND item = $2
GROUP BY run, model, item RETURNING id;

-- name: room_promise
INSERT INTO asking (sample, position, token, until_ms) VALUES ($1, 0, '', 0)
ON CONFLICT (sample) DO NOTHING;
