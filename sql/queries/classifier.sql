-- Classifiers of answers.

-- name: class_forget
DELETE FROM class_mark WHERE classifier = $2 AND identity <> $3
    AND sample IN (SELECT id FROM sample WHERE run = $1);

-- name: class_missing
SELECT s.id FROM sample s LEFT JOIN class_mark k ON k.sample = s.id AND k.classifier = $2
WHERE s.run = $1 AND s.state = 'done' AND k.sample IS NULL ORDER BY s.id;

-- name: class_answer
SELECT answer FROM sample WHERE id = $1;

-- name: class_put
INSERT INTO class_mark (sample, classifier, identity, logit, label) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (sample, classifier) DO UPDATE SET identity = excluded.identity, logit = excluded.logit,
    label = excluded.label;

-- The class that a classifier counts.
-- name: class_label
SELECT k.label FROM class_mark k JOIN sample s ON s.id = k.sample
WHERE s.run = $1 AND k.classifier = $2 AND k.label <> '' ORDER BY s.id LIMIT 1;

-- name: class_logits
SELECT k.logit FROM class_mark k JOIN sample s ON s.id = k.sample
WHERE s.run = $1 AND k.classifier = $2 ORDER BY s.id;

-- A rate is the share of logits above 0.
-- name: class_tally
SELECT m.name AS model, k.classifier, COUNT(*) AS n, SUM(CASE WHEN k.logit > 0 THEN 1 ELSE 0 END) AS above
FROM class_mark k CROSS JOIN sample s JOIN model m ON m.id = s.model
WHERE s.id = k.sample AND s.run = $1 AND s.state = 'done' AND k.sample >= (SELECT MIN(id) FROM sample WHERE run = $1)
    AND k.sample <= (SELECT MAX(id) FROM sample WHERE run = $1)
GROUP BY m.id, m.name, k.classifier, s.item ORDER BY k.classifier COLLATE BINARY, m.id, s.item;
