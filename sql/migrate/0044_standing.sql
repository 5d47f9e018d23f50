-- Flags that count: neither a person has overruled them, nor judges whom no person has answered.
CREATE VIEW standing AS
SELECT f.id AS id, f.run AS run, f.sample AS sample, f.kind AS kind
FROM flag f
WHERE f.overruled_by IS NULL AND (f.kind <> 'knowledge' OR COALESCE(f.value, 1) >= 0.5
    OR (SELECT l.act FROM flag_log l WHERE l.run = f.run AND l.sample = f.sample AND l.kind = f.kind
        ORDER BY l.id DESC LIMIT 1) = 'restore');
