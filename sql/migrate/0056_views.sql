-- Which conversations a page shows: one, or two to be compared.
CREATE VIEW page_sample AS
SELECT a.id AS page, a.rater AS rater, a.item AS item, a.phase AS phase, a.state AS state, a.shown AS shown, s.id AS sample
FROM assignment a JOIN item i ON i.id = a.item JOIN model m ON m.run = i.run JOIN sample s ON s.model = m.id AND s.item = i.id
    AND (a.shown LIKE '[[' || CAST(s.id AS TEXT) || ',%]]' OR a.shown LIKE '[[%,' || CAST(s.id AS TEXT) || ']]');

-- The rater's own words, in conversations that this rater held: of the pages that show one, the first that was not left to somebody
-- else. What is gone was said by whoever has no page of it any more.
CREATE VIEW own_turn AS
SELECT p.rater AS rater, t.sample AS sample, t.position AS position, t.text AS text, t.at_ms AS at_ms
FROM page_sample p JOIN turn t ON t.sample = p.sample AND t.source = 'person' AND t.text <> '…'
WHERE p.phase = 'main' AND p.state <> 'left'
    AND NOT EXISTS (SELECT 1 FROM assignment b WHERE b.item = p.item AND b.shown = p.shown AND b.id < p.page AND b.state <> 'left');

-- What silence has lost to whoever would have met it: battles that nobody is shown. The sample of the earlier model is a.
CREATE VIEW silence AS
SELECT f.run AS run, i.id AS item, i.name AS item_name, a.repeat AS repeat, a.model AS a, ma.name AS a_name, b.model AS b, mb.name AS b_name,
    CASE WHEN f.sample = a.id THEN b.model ELSE a.model END AS winner, a.id AS sample_a, b.id AS sample_b, i.position AS position
FROM flag f JOIN sample s ON s.id = f.sample
    JOIN model ma ON ma.run = f.run JOIN model mb ON mb.run = f.run AND mb.id > ma.id
    JOIN sample a ON a.model = ma.id AND a.item = s.item AND a.repeat = s.repeat
    JOIN sample b ON b.model = mb.id AND b.item = s.item AND b.repeat = s.repeat AND s.id IN (a.id, b.id)
    JOIN item i ON i.id = s.item
WHERE f.kind = 'empty' AND f.overruled_by IS NULL AND (a.state = 'done' OR b.state = 'done');
