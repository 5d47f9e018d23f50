-- Verdicts on pairs of samples. The sample of the earlier model is `sample`, the other one is `other`; `shown` is ab if
-- `sample` was shown first, as A, and ba if it was shown as B.

-- name: pair_span
SELECT COALESCE(MIN(id + 0), 0) AS first, COALESCE(MAX(id + 0), -1) AS last FROM sample WHERE run = $1;

-- Pairs of answered samples that a judge has not been given; $5 '': in neither order, else in this one. Models of the
-- judge's family are left out, as for single verdicts. Samples from $6 to below $7; $8: only pairs that some judge was
-- given.
-- name: pair_missing
SELECT a.id AS a, b.id AS b, i.name AS item, ma.name AS a_name, mb.name AS b_name, a.repeat
FROM sample a JOIN model ma ON ma.id = a.model JOIN model mb ON mb.run = $1 AND mb.id > a.model
    JOIN sample b ON b.model = mb.id AND b.item = a.item AND b.repeat = a.repeat
    JOIN item i ON i.id = a.item
WHERE a.run = $1 AND a.state = 'done' AND b.state = 'done'
    AND ($4 = '' OR (ma.family <> $4 AND mb.family <> $4))
    AND a.id >= $6 AND a.id < $7
    AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.sample = a.id AND v.judge = $2
        AND v.other = b.id AND v.repeat = $3 AND ($5 = '' OR v.shown = $5))
    AND ($8 = 0 OR EXISTS (SELECT 1 FROM verdict m WHERE m.sample = a.id AND m.other = b.id))
ORDER BY a.id, b.id;

-- The same for the pairs of one sample that was just answered.
-- name: pair_missing_of as pair_missing
SELECT CASE WHEN s.model < o.model THEN s.id ELSE o.id END AS a,
    CASE WHEN s.model < o.model THEN o.id ELSE s.id END AS b, i.name AS item,
    CASE WHEN s.model < o.model THEN ms.name ELSE mo.name END AS a_name,
    CASE WHEN s.model < o.model THEN mo.name ELSE ms.name END AS b_name, s.repeat
FROM sample s JOIN model ms ON ms.id = s.model JOIN model mo ON mo.run = $1 AND mo.id <> s.model
    JOIN sample o ON o.model = mo.id AND o.item = s.item AND o.repeat = s.repeat
    JOIN item i ON i.id = s.item
WHERE s.id = $6 AND s.state = 'done' AND o.state = 'done'
    AND ($4 = '' OR (ms.family <> $4 AND mo.family <> $4))
    AND NOT EXISTS (SELECT 1 FROM verdict v
        WHERE v.sample = CASE WHEN s.model < o.model THEN s.id ELSE o.id END AND v.judge = $2
            AND v.other = CASE WHEN s.model < o.model THEN o.id ELSE s.id END AND v.repeat = $3
            AND ($5 = '' OR v.shown = $5))
ORDER BY mo.id;

-- name: pair_plan
INSERT INTO verdict (run, judge, sample, other, shown, repeat, state)
VALUES ($1, $2, $3, $4, $5, $6, 'planned')
ON CONFLICT (sample, judge, other, shown, repeat) DO NOTHING;

-- Battles before the judges on panel $2, or judge $3, or ('*') all judges. The order follows from the plan alone, not
-- from who answered first; the two orders of a pair follow each other. $4 = 1: also battles that an empty answer, which
-- no judge is shown, loses to one that is not empty, before each judge that judged anything (id 0).
-- name: battle_each as battle
SELECT v.id AS id, v.judge AS judge, j.name AS judge_name, i.id AS item, i.name AS item_name,
    a.repeat AS repeat, v.repeat AS judge_repeat, a.model AS a, ma.name AS a_name, b.model AS b,
    mb.name AS b_name, v.shown AS shown, v.state AS state, v.choice AS choice, v.winner AS winner,
    v.sample AS sample_a, v.other AS sample_b, i.position AS position
FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample a ON a.id = v.sample
    JOIN sample b ON b.id = v.other JOIN model ma ON ma.id = a.model JOIN model mb ON mb.id = b.model
    JOIN item i ON i.id = a.item
WHERE v.run = $1 AND j.dropped = 0 AND (v.judge = $3
    OR $3 = 0 AND ($2 = '*' OR EXISTS (SELECT 1 FROM seat t WHERE t.judge = v.judge AND t.panel = $2)))
UNION ALL
SELECT 0, j.id, j.name, q.item, q.item_name, q.repeat, 0, q.a, q.a_name, q.b, q.b_name, 'ab', 'done', NULL, q.winner,
    q.sample_a, q.sample_b, q.position
FROM silence q JOIN judge j ON j.run = $1 AND j.dropped = 0
WHERE $4 = 1 AND q.run = $1
    AND (j.id = $3 OR $3 = 0 AND ($2 = '*' OR EXISTS (SELECT 1 FROM seat t WHERE t.judge = j.id AND t.panel = $2)))
    AND EXISTS (SELECT 1 FROM verdict v WHERE v.run = $1 AND v.judge = j.id AND v.state = 'done')
ORDER BY position, repeat, a, b, judge, judge_repeat, shown;

-- name: answer_each
SELECT id AS sample, answer FROM sample WHERE run = $1 AND state = 'done' ORDER BY id;

-- Answered samples: the cells of the plan from which battles are made.
-- name: pair_cells as cell
SELECT s.id AS sample, s.model, s.item, i.name AS item_name, s.repeat FROM sample s JOIN item i ON i.id = s.item
WHERE s.run = $1 AND s.state = 'done' ORDER BY i.position, s.repeat, s.model;

-- name: pair_goal
SELECT pair_budget AS budget, pair_rd AS rd FROM run WHERE id = $1;

-- name: pair_goal_set
UPDATE run SET pair_budget = $2, pair_rd = $3 WHERE id = $1;
