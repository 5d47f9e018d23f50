-- Everything in a database that does not depend on when or how often it was asked: no ids, times,
-- tries, nor tokens and costs, which count answers that came to nothing. Two runs of the same thing must give the same text. Read by tests/chaos.sh.

SELECT 'run', name, key, generation, fresh, suite, seed, repeats, frozen FROM run ORDER BY key;

SELECT 'sample', m.name, i.name, s.repeat, s.round, s.state, s.answer, s.thinking, s.finish,
    s.fault, s.why, (SELECT l.worker FROM sample_lease l WHERE l.id = s.id), s.call IS NULL
FROM sample s JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
ORDER BY m.name, i.name, s.repeat;

SELECT 'turn', m.name, i.name, s.repeat, t.position, t.part, t.speaker, t.kind, t.text, t.fact,
    t.source, t.quote, t.why, t.thinking, t.finish, t.call IS NULL
FROM turn t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model
    JOIN item i ON i.id = s.item
ORDER BY m.name, i.name, s.repeat, t.position;

SELECT 'verdict', j.name, m.name, i.name, s.repeat, v.repeat, v.round, v.state, v.reply, v.overall,
    v.reason, v.repairs, v.fault, v.why, (SELECT l.worker FROM verdict_lease l WHERE l.id = v.id), v.call IS NULL
FROM verdict v JOIN judge j ON j.id = v.judge JOIN sample s ON s.id = v.sample
    JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
ORDER BY j.name, m.name, i.name, s.repeat, v.repeat;

SELECT 'mark', j.name, m.name, i.name, s.repeat, v.repeat, k.dimension, k.value, k.analysis,
    k.evidence
FROM mark k JOIN verdict v ON v.id = k.verdict JOIN judge j ON j.id = v.judge
    JOIN sample s ON s.id = v.sample JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item
ORDER BY j.name, m.name, i.name, s.repeat, v.repeat, k.dimension;

SELECT 'flag', m.name, i.name, s.repeat, f.kind, f.value
FROM flag f JOIN sample s ON s.id = f.sample JOIN model m ON m.id = s.model
    JOIN item i ON i.id = s.item
ORDER BY m.name, i.name, s.repeat, f.kind;

SELECT 'score', subject, metric, value, lo, hi, n, clusters, method FROM score
WHERE metric NOT IN ('tokens', 'cost') ORDER BY subject, metric;

SELECT 'call', request, response FROM call ORDER BY request, response;
