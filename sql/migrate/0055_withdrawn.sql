-- Whoever withdrew in the middle of a conversation stayed the first to have had it, so that words of those who held it afterwards were
-- counted as theirs. It is told by the time: all was said after another page of the same conversation was begun.
UPDATE assignment SET shown = '[]' WHERE phase = 'main' AND state = 'closed' AND shown <> '[]'
    AND EXISTS (SELECT 1 FROM item i JOIN model m ON m.run = i.run JOIN sample s ON s.model = m.id AND s.item = i.id
            AND (assignment.shown LIKE '[[' || CAST(s.id AS TEXT) || ',%]]' OR assignment.shown LIKE '[[%,' || CAST(s.id AS TEXT) || ']]')
        JOIN assignment b ON b.item = i.id AND b.shown = assignment.shown AND b.id > assignment.id
        WHERE i.id = assignment.item AND EXISTS (SELECT 1 FROM turn t WHERE t.sample = s.id AND t.source = 'person')
            AND NOT EXISTS (SELECT 1 FROM turn t WHERE t.sample = s.id AND t.source = 'person' AND t.at_ms < b.started_ms));
