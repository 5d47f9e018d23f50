-- Juries: panels of judges, and people.

-- name: seat_put
INSERT INTO seat (run, panel, judge) VALUES ($1, $2, $3) ON CONFLICT (judge, panel) DO NOTHING;

-- Puts a judge without a seat on the first panel.
-- name: seat_first
INSERT INTO seat (run, panel, judge)
SELECT j.run, '', j.id FROM judge j WHERE j.id = $1
    AND NOT EXISTS (SELECT 1 FROM seat t WHERE t.judge = $1);

-- $2 = 1: including dropped ones.
-- name: seat_list as seat
SELECT t.panel, j.id, j.name, j.family, j.template FROM seat t JOIN judge j ON j.id = t.judge
WHERE t.run = $1 AND j.dropped <= $2 ORDER BY t.id;

-- name: judge_drop
UPDATE judge SET dropped = $3 WHERE run = $1 AND name = $2;

-- Results of people are compared with those of judges.
-- name: judge_drop_campaigns
UPDATE campaign SET stale = stale + 1 WHERE run = $1;

-- name: judge_dropped
SELECT id FROM judge WHERE run = $1 AND name = $2 AND dropped = 1;

-- Campaigns with marks that count.
-- name: jury_campaigns as jury
SELECT c.id, c.name, c.state <> 'unmasked' AS masked FROM campaign c
WHERE c.run = $1 AND EXISTS (SELECT 1 FROM juror x WHERE x.campaign = c.id) ORDER BY c.id;

-- name: juror_list as seat
SELECT '' AS panel, r.id, r.pseudonym AS name, '' AS family, '' AS template FROM juror x JOIN rater r ON r.id = x.rater
WHERE x.campaign = $1 ORDER BY r.id;

-- Marks of people: handed in, on a passage, by raters who count. Columns of struct mark_fact.
-- name: people_mark_each as fact
SELECT s.model, s.item, s.repeat, s.id AS sample, a.rater AS judge, k.dimension COLLATE BINARY AS dimension, k.value
FROM assignment a JOIN juror x ON x.campaign = $2 AND x.rater = a.rater
    JOIN rating k ON k.assignment = a.id JOIN sample s ON s.id = k.sample
WHERE a.campaign = $2 AND a.phase = 'main' AND a.state = 'done' AND k.other = -1
    AND k.value IS NOT NULL AND s.run = $1 AND s.state = 'done'
UNION ALL
SELECT s.model, s.item, s.repeat, s.id, NULL, NULL, NULL FROM sample s
WHERE s.run = $1 AND s.state = 'done' AND NOT EXISTS (
    SELECT 1 FROM assignment a JOIN juror x ON x.campaign = $2 AND x.rater = a.rater
        JOIN rating k ON k.assignment = a.id AND k.sample = s.id
    WHERE a.campaign = $2 AND a.item = s.item AND a.phase = 'main' AND a.state = 'done'
        AND k.other = -1 AND k.value IS NOT NULL)
ORDER BY 4, 5, 6;

-- Repeats that people are not shown are left out; $3 = 1: included, as up to version 11.
-- name: people_silent_each as fact
SELECT s.model, s.item, s.repeat, s.id AS sample, 0 AS judge, NULL AS dimension, NULL AS value
FROM flag f JOIN sample s ON s.id = f.sample
WHERE f.run = $1 AND f.kind = 'empty' AND f.overruled_by IS NULL
    AND s.model IN (SELECT m.model FROM assignment a
        JOIN juror x ON x.campaign = $2 AND x.rater = a.rater JOIN rating k ON k.assignment = a.id
        JOIN sample m ON m.id = k.sample
        WHERE a.campaign = $2 AND a.phase = 'main' AND a.state = 'done' AND k.value IS NOT NULL)
    AND ($3 = 1 OR s.repeat <= (SELECT MAX(m.repeat) FROM assignment a
        JOIN rating k ON k.assignment = a.id JOIN sample m ON m.id = k.sample
        WHERE a.campaign = $2 AND a.phase = 'main' AND a.state = 'done'))
ORDER BY s.id;

-- Same columns as battle_each. The sample of the earlier model is a. The winner is the one chosen for the whole or, if
-- nothing was chosen, by most of the votes on turns; "both bad" is a tie. $3 = 1: an empty answer has lost to every
-- answer that it would have met, before as many raters as look at a battle on average.
-- name: people_battle_each as battle
WITH seen AS (SELECT g.assignment AS id, t.rater AS judge, r.pseudonym AS judge_name, i.id AS item, i.name AS item_name,
    a.repeat AS repeat, 0 AS judge_repeat, a.model AS a, ma.name AS a_name, b.model AS b,
    mb.name AS b_name, CASE WHEN g.sample = a.id THEN 'ab' ELSE 'ba' END AS shown,
    'done' AS state, NULL AS choice,
    CASE WHEN AVG(NULLIF(g.value, -1)) > 0.5 THEN y.model WHEN AVG(NULLIF(g.value, -1)) < 0.5 THEN z.model ELSE 0 END AS winner,
    a.id AS sample_a, b.id AS sample_b, i.position AS position
FROM assignment t JOIN juror x ON x.campaign = $2 AND x.rater = t.rater
    JOIN rater r ON r.id = t.rater JOIN rating g ON g.assignment = t.id
    JOIN sample y ON y.id = g.sample JOIN sample z ON z.id = g.other
    JOIN sample a ON a.id = CASE WHEN y.model < z.model THEN y.id ELSE z.id END
    JOIN sample b ON b.id = CASE WHEN y.model < z.model THEN z.id ELSE y.id END
    JOIN model ma ON ma.id = a.model JOIN model mb ON mb.id = b.model JOIN item i ON i.id = a.item
WHERE i.run = $1 AND t.campaign = $2 AND t.phase = 'main' AND t.state = 'done'
    AND g.value IS NOT NULL AND y.model <> z.model AND (g.dimension = 'choice' OR NOT EXISTS (
        SELECT 1 FROM rating w WHERE w.assignment = t.id AND w.dimension = 'choice' AND w.marked = 1))
GROUP BY g.assignment, g.sample, g.other, t.rater, r.id, i.id, a.id, b.id, y.id, z.id, ma.id, mb.id)
SELECT id, judge, judge_name, item, item_name, repeat, judge_repeat, a, a_name, b, b_name, shown, state, choice, winner,
    sample_a, sample_b, position
FROM seen
UNION ALL
SELECT 0, x.rater, r.pseudonym, q.item, q.item_name, q.repeat, 0, q.a, q.a_name, q.b, q.b_name, 'ab', 'done', NULL, q.winner,
    q.sample_a, q.sample_b, q.position
FROM silence q JOIN juror x ON x.campaign = $2 JOIN rater r ON r.id = x.rater
WHERE $3 = 1 AND q.run = $1 AND q.repeat <= (SELECT MAX(repeat) FROM seen)
    AND (SELECT COUNT(*) FROM juror z WHERE z.campaign = $2 AND z.rater <= x.rater) <= (
        SELECT (2 * (SELECT COUNT(*) FROM seen) + COUNT(*)) / NULLIF(2 * COUNT(*), 0)
        FROM (SELECT DISTINCT sample_a, sample_b FROM seen) w)
ORDER BY position, repeat, a, b, judge, id;

-- Columns of struct tally: people count as one judge.
-- name: people_tally as tally
SELECT 'campaign:' || c.name AS name, COUNT(DISTINCT CAST(a.id AS TEXT) || ' ' ||
        CAST(k.sample AS TEXT) || ' ' || CAST(k.other AS TEXT)) AS total,
    COUNT(DISTINCT CASE WHEN k.value IS NOT NULL THEN CAST(a.id AS TEXT) || ' ' ||
        CAST(k.sample AS TEXT) || ' ' || CAST(k.other AS TEXT) END) AS done,
    0 AS unscored, 0 AS failed, 0 AS repaired, 0 AS tokens, NULL AS cost
FROM campaign c JOIN assignment a ON a.campaign = c.id
    JOIN juror x ON x.campaign = c.id AND x.rater = a.rater JOIN rating k ON k.assignment = a.id
WHERE c.run = $1 AND c.id = $2 AND a.phase = 'main' AND a.state = 'done' AND k.sample > 0
GROUP BY c.id, c.name;

-- What people said about a text; same columns as verdict_each, with the negated id of the assignment.
-- name: people_verdict_each as verdict
SELECT -g.assignment AS id, g.sample, 0 AS repeat,
    'campaign:' || c.name || '/' || r.pseudonym AS judge_name, m.name AS model_name,
    i.name AS item_name, s.repeat AS sample_repeat,
    CASE WHEN COUNT(g.value) > 0 THEN 'done' ELSE 'unscored' END AS state, NULL AS reply,
    NULL AS reason, NULL AS overall, 0 AS repairs, 0 AS call,
    NULL AS fault, NULL AS why, om.name AS other_name, 'ab' AS shown,
    CASE WHEN om.name IS NULL OR COUNT(g.value) = 0 THEN NULL WHEN AVG(NULLIF(g.value, -1)) > 0.5 THEN 'A'
        WHEN AVG(NULLIF(g.value, -1)) < 0.5 THEN 'B' ELSE 'tie' END AS choice,
    CASE WHEN om.name IS NULL THEN NULL WHEN AVG(NULLIF(g.value, -1)) > 0.5 THEN m.name
        WHEN AVG(NULLIF(g.value, -1)) < 0.5 THEN om.name END AS winner_name
FROM campaign c JOIN assignment t ON t.campaign = c.id
    JOIN juror x ON x.campaign = c.id AND x.rater = t.rater JOIN rater r ON r.id = t.rater
    JOIN rating g ON g.assignment = t.id JOIN sample s ON s.id = g.sample
    JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    LEFT JOIN sample o ON o.id = g.other LEFT JOIN model om ON om.id = o.model
WHERE c.run = $1 AND c.id = $2 AND c.state = 'unmasked' AND ($3 = 0 OR g.sample = $3)
    AND t.phase = 'main' AND t.state = 'done' 
    AND (g.other = -1 OR (o.id IS NOT NULL AND (g.dimension = 'choice' OR NOT EXISTS (
        SELECT 1 FROM rating w WHERE w.assignment = t.id AND w.dimension = 'choice' AND w.marked = 1))))
GROUP BY g.assignment, g.sample, g.other, t.rater, c.name, r.pseudonym, m.id, m.name, i.name,
    i.position, s.repeat, om.name
ORDER BY m.id, i.position, s.repeat, t.rater, g.assignment, g.other;

-- name: people_mark_list as mark
SELECT dimension, value, comment AS analysis, quotes AS evidence, '' AS advice FROM rating
WHERE assignment = $1 AND sample = $2 AND other = -1 AND value IS NOT NULL ORDER BY dimension COLLATE BINARY;
