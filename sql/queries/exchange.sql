-- Samples and verdicts for export, import and verify.

-- name: judgement_each as judgement
SELECT v.id, v.sample, j.name AS judge_name, m.name AS model_name, i.name AS item_name, s.repeat AS sample_repeat, v.repeat, v.state, s.state AS sample_state, v.reply, v.reason,
    v.overall, v.repairs, v.fault, v.why, k.dimension, k.value, k.analysis, k.evidence,
    om.name AS other_name, v.shown, v.choice, w.name AS winner_name, CASE WHEN v.other <> 0 THEN i.body END AS item_body,
    k.advice, s.answer
FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample
    JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
    LEFT JOIN mark k ON k.verdict = v.id
    LEFT JOIN sample o ON o.id = v.other LEFT JOIN model om ON om.id = o.model
    LEFT JOIN model w ON w.id = v.winner
WHERE v.run = $1 ORDER BY v.id, k.dimension COLLATE BINARY;

-- name: sample_find as found
SELECT id, state, answer AS text FROM sample WHERE model = $1 AND item = $2 AND repeat = $3;

-- Takes a row that is neither done nor held, to end it in the same transaction.
-- name: sample_take
INSERT INTO sample (run, model, item, repeat, state) VALUES ($1, $2, $3, $4, 'planned')
ON CONFLICT (model, item, repeat) DO UPDATE SET state = 'planned'
WHERE sample.state IN ('planned', 'failed') AND NOT EXISTS (SELECT 1 FROM sample_lease l WHERE l.id = sample.id) RETURNING id;

-- name: verdict_find as found
SELECT id, state, reply AS text FROM verdict
WHERE judge = $1 AND sample = $2 AND other = $3 AND shown = $4 AND repeat = $5;

-- name: verdict_take
INSERT INTO verdict (run, judge, sample, other, shown, repeat, state)
VALUES ($1, $2, $3, $4, $5, $6, 'planned')
ON CONFLICT (judge, sample, other, shown, repeat) DO UPDATE SET state = 'planned'
WHERE verdict.state IN ('planned', 'failed', 'unscored') AND NOT EXISTS (SELECT 1 FROM verdict_lease l WHERE l.id = verdict.id)
RETURNING id;
