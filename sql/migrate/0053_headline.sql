-- Whose numbers a run shows unless somebody else's are asked for: its first panel with anybody on it, else people who are unmasked.
CREATE VIEW headline_key AS
SELECT r.id AS run, COALESCE(
    (SELECT t.panel FROM seat t JOIN judge j ON j.id = t.judge WHERE t.run = r.id AND j.dropped = 0
        ORDER BY CASE WHEN t.panel = '' THEN 0 ELSE 1 END, t.id LIMIT 1),
    (SELECT 'campaign:' || c.name FROM campaign c WHERE c.run = r.id AND c.state = 'unmasked'
        AND EXISTS (SELECT 1 FROM juror x WHERE x.campaign = c.id) ORDER BY c.id LIMIT 1), '') AS jury
FROM run r;

-- And what people call them: the first panel has no other name than those who sit on it, in the order of seat_run.
-- sqlite
CREATE VIEW headline AS
SELECT k.run AS run, k.jury AS jury, CASE WHEN k.jury <> '' THEN k.jury ELSE COALESCE((SELECT group_concat(j.name, '+')
    FROM seat t JOIN judge j ON j.id = t.judge WHERE t.run = k.run AND t.panel = '' AND j.dropped = 0), '') END AS judges
FROM headline_key k;
-- postgres
CREATE VIEW headline AS
SELECT k.run AS run, k.jury AS jury, CASE WHEN k.jury <> '' THEN k.jury ELSE COALESCE((SELECT string_agg(j.name, '+' ORDER BY t.id)
    FROM seat t JOIN judge j ON j.id = t.judge WHERE t.run = k.run AND t.panel = '' AND j.dropped = 0), '') END AS judges
FROM headline_key k;
-- both
