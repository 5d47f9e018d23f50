-- Facts that never change once they are stored, each with its id and its contents as text; $2: only those without a
-- seal. Rows with the same id follow each other, those with names sorted bytewise, or ($3) in the collation of the
-- database, which may be that of a language.

-- name: seal_run
SELECT r.id, r.key, r.generation, r.suite, r.frozen, r.seed, r.repeats FROM run r
WHERE r.id = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z WHERE z.run = $1 AND z.kind = 'run'));

-- A run that was sealed before models were keeps its digest: its models get no seals. The address and family of a model
-- may change when the run continues.
-- name: seal_model
SELECT m.id, m.name FROM model m WHERE m.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z WHERE z.run = $1
        AND (z.kind = 'model' AND z.fact = m.id OR z.kind = 'run' AND NOT EXISTS (SELECT 1 FROM seal y
            WHERE y.run = $1 AND y.kind = 'model')))) ORDER BY m.id;

-- name: seal_item
SELECT i.id, i.position, i.name, i.body FROM item i WHERE i.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'item' AND z.fact = i.id)) ORDER BY i.id;

-- name: seal_judge
SELECT j.id, j.name, j.template FROM judge j WHERE j.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'judge' AND z.fact = j.id)) ORDER BY j.id;

-- name: seal_call
SELECT c.id, c.key, c.url, c.request, c.response, c.packed, c.dictionary, c.plain, c.elapsed_ms, c.created_ms FROM call c
WHERE c.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'call' AND z.fact = c.id)) ORDER BY c.id;

-- name: seal_answer
SELECT s.id, s.model, s.item, s.repeat, s.round, s.answer, s.thinking, s.finish, s.tokens_in,
    s.tokens_out, CAST(ROUND(s.cost * 1000000000) AS BIGINT), s.tries, s.elapsed_ms, s.ended_ms,
    s.fault, s.why, s.call
FROM sample s WHERE s.run = $1 AND s.state = 'done'
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'answer' AND z.fact = s.id)) ORDER BY s.id;

-- name: seal_turn
SELECT t.sample, t.position, t.part, t.speaker, t.kind, t.text, t.fact, t.source, t.quote, t.why,
    t.thinking, t.finish, t.tokens_in, t.tokens_out, t.elapsed_ms, t.at_ms, t.call
FROM turn t JOIN sample s ON s.id = t.sample WHERE s.run = $1 AND s.state = 'done'
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'turn' AND z.fact = t.sample)) ORDER BY t.sample, t.position;

-- name: seal_verdict
SELECT v.id, v.judge, v.sample, v.other, v.shown, v.repeat, v.round, v.reply,
    CAST(ROUND(v.overall * 1000000000) AS BIGINT), v.reason, v.repairs, v.tokens_in, v.tokens_out,
    CAST(ROUND(v.cost * 1000000000) AS BIGINT), v.tries, v.elapsed_ms, v.ended_ms, v.call, v.choice,
    v.winner
FROM verdict v WHERE v.run = $1 AND v.state = 'done'
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'verdict' AND z.fact = v.id)) ORDER BY v.id;

-- name: seal_mark
SELECT v.id, k.dimension, CAST(ROUND(k.value * 1000000000) AS BIGINT), k.analysis, k.evidence,
    k.advice
FROM verdict v JOIN mark k ON k.verdict = v.id WHERE v.run = $1 AND v.state = 'done'
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'mark' AND z.fact = v.id)) ORDER BY v.id, CASE WHEN $3 = 0 THEN k.dimension COLLATE BINARY END, k.dimension;

-- Ratings that were handed in. A rater who withdraws removes them.
-- name: seal_rating
SELECT a.id, a.rater, a.item, a.shown, g.sample, g.other, g.dimension,
    CAST(ROUND(g.value * 1000000000) AS BIGINT), g.comment, g.quotes, g.version
FROM campaign c JOIN assignment a ON a.campaign = c.id JOIN rating g ON g.assignment = a.id
WHERE c.run = $1 AND a.state = 'done'
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'rating' AND z.fact = a.id))
ORDER BY a.id, g.sample, g.other, CASE WHEN $3 = 0 THEN g.dimension COLLATE BINARY END, g.dimension;

-- name: seal_class
SELECT k.sample, k.classifier, k.identity, CAST(ROUND(k.logit * 1000000000) AS BIGINT), k.label
FROM class_mark k CROSS JOIN sample s WHERE s.id = k.sample AND s.run = $1
    AND k.sample >= (SELECT MIN(id) FROM sample WHERE run = $1)
    AND k.sample <= (SELECT MAX(id) FROM sample WHERE run = $1)
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'class' AND z.fact = k.sample)) ORDER BY k.sample, CASE WHEN $3 = 0 THEN k.classifier COLLATE BINARY END, k.classifier;

-- Whether a judge counts. This may be changed later: see seal_jury_drop.
-- name: seal_jury
SELECT j.id, j.dropped FROM judge j WHERE j.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'jury' AND z.fact = j.id)) ORDER BY j.id;

-- name: seal_campaign
SELECT c.id, c.spec FROM campaign c WHERE c.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'campaign' AND z.fact = c.id)) ORDER BY c.id;

-- name: seal_seat
SELECT t.id, t.panel, t.judge FROM seat t WHERE t.run = $1
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'seat' AND z.fact = t.id)) ORDER BY t.id;

-- Verdicts without a score. They may be replaced: see seal_unscored_drop.
-- name: seal_unscored
SELECT v.id, v.judge, v.sample, v.other, v.shown, v.repeat, v.round, v.state, v.reply, v.fault, v.why, v.repairs,
    v.tokens_in, v.tokens_out, CAST(ROUND(v.cost * 1000000000) AS BIGINT), v.tries, v.elapsed_ms, v.ended_ms, v.call
FROM verdict v WHERE v.run = $1 AND v.state IN ('failed', 'unscored')
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'unscored' AND z.fact = v.id)) ORDER BY v.id;

-- What decides whether a rating of seal_rating counts.
-- name: seal_phase
SELECT a.id, a.phase, g.sample, g.other, g.dimension, g.marked
FROM campaign c JOIN assignment a ON a.campaign = c.id JOIN rating g ON g.assignment = a.id
WHERE c.run = $1 AND a.state = 'done'
    AND ($2 = 0 OR NOT EXISTS (SELECT 1 FROM seal z
        WHERE z.run = $1 AND z.kind = 'phase' AND z.fact = a.id))
ORDER BY a.id, g.sample, g.other, CASE WHEN $3 = 0 THEN g.dimension COLLATE BINARY END, g.dimension;

-- Call before judge $2 is dropped ($3: 1) or taken back, if that changes anything.
-- name: seal_jury_drop
DELETE FROM seal WHERE run = $1 AND kind = 'jury'
    AND fact IN (SELECT id FROM judge WHERE run = $1 AND name = $2 AND dropped <> $3);

-- name: seal_classes_drop
DELETE FROM seal WHERE run = $1 AND kind = 'class' AND fact >= $2 AND fact <= $3;

-- The seal of one verdict, or (0) those of verdicts that were planned again; dropped judges are not asked again.
-- name: seal_unscored_drop
DELETE FROM seal WHERE run = $1 AND kind = 'unscored'
    AND (fact = $2 OR $2 = 0 AND fact IN (SELECT id FROM verdict WHERE run = $1 AND state = 'planned'));

-- name: seal_add
INSERT INTO seal (run, kind, fact, hash) VALUES ($1, $2, $3, $4)
ON CONFLICT (run, kind, fact) DO NOTHING;

-- name: seal_list as seal
SELECT fact, hash FROM seal WHERE run = $1 AND kind = $2 ORDER BY fact;

-- The number of facts of each kind that can be added, and which judges count. For failed answers and for ratings that
-- were handed in also their times: one may have been tried again, or withdrawn.
-- name: seal_count
SELECT r.facts, (SELECT COUNT(*) FROM item WHERE run = $1) AS items,
    (SELECT CAST(COALESCE(SUM(id), 0) AS BIGINT) FROM judge WHERE run = $1 AND dropped = 0) AS judges,
    (SELECT COUNT(*) FROM call WHERE run = $1) AS calls,
    (SELECT COUNT(*) FROM sample WHERE run = $1)
        - (SELECT COUNT(*) FROM sample WHERE run = $1 AND state = 'planned') - s.failed AS answers,
    s.failed, s.failed_ms, (SELECT COUNT(*) FROM model WHERE run = $1) AS models,
    (SELECT COUNT(*) FROM verdict WHERE run = $1)
        - (SELECT COUNT(*) FROM verdict WHERE run = $1 AND state = 'planned')
        - (SELECT COUNT(*) FROM verdict WHERE run = $1 AND state IN ('failed', 'unscored')) AS verdicts,
    (SELECT COUNT(*) FROM campaign c JOIN assignment a ON a.campaign = c.id
     WHERE c.run = $1 AND a.state = 'done') AS handed_in,
    (SELECT COALESCE(MAX(a.submitted_ms), 0) FROM campaign c JOIN assignment a ON a.campaign = c.id
     WHERE c.run = $1 AND a.state = 'done') AS handed_in_ms
FROM run r CROSS JOIN (SELECT COUNT(*) AS failed, COALESCE(MAX(ended_ms), 0) AS failed_ms
    FROM sample WHERE run = $1 AND state = 'failed') s
WHERE r.id = $1;
