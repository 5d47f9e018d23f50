-- Human judging: campaigns, passages, raters, assignments, ratings.

-- name: campaign_add
INSERT INTO campaign (run, name, spec, state, secret, created_ms)
VALUES ($1, $2, $3, 'draft', $4, $5) ON CONFLICT (name) DO NOTHING RETURNING id;

-- name: campaign_get as campaign
SELECT id, name, spec AS frozen, state, secret, stale, created_ms, closed_ms, run AS run__id
FROM campaign WHERE name = $1;

-- name: campaign_by_id as campaign
SELECT id, name, spec AS frozen, state, secret, stale, created_ms, closed_ms, run AS run__id
FROM campaign WHERE id = $1;

-- name: campaign_now
SELECT id, secret, state, stale, closed_ms FROM campaign WHERE id = $1;

-- name: campaign_list as campaign_line
SELECT c.id, c.name, c.state, c.stale, c.created_ms, c.closed_ms, c.run AS run__id,
    r.name AS run__name, c.erased_ms
FROM campaign c JOIN run r ON r.id = c.run ORDER BY c.id DESC;

-- name: campaign_turn
UPDATE campaign SET state = $3, stale = stale + 1,
    opened_ms = CASE WHEN $3 = 'open' AND opened_ms IS NULL THEN $4 ELSE opened_ms END,
    closed_ms = CASE WHEN $3 = 'closed' THEN $4 WHEN $3 = 'open' THEN NULL ELSE closed_ms END,
    erased_ms = CASE WHEN $3 = 'open' THEN NULL ELSE erased_ms END,
    unmasked_ms = CASE WHEN $3 = 'unmasked' THEN $4 ELSE unmasked_ms END
WHERE id = $1 AND state = $2;

-- Lock: written first by every transaction that assigns something, so that no two choose concurrently.
-- name: campaign_lock
UPDATE campaign SET turns = turns + 1 WHERE id = $1;

-- Counts changes: if it has grown since outcomes were computed, these are already old.
-- name: campaign_stale
UPDATE campaign SET stale = stale + 1 WHERE id = $1;

-- name: campaign_staleness
SELECT stale FROM campaign WHERE id = $1;

-- Marks by AI judges do not touch the campaign, so they are counted.
-- name: campaign_judged
SELECT COUNT(*) FROM sample s JOIN verdict v ON v.sample = s.id AND v.state = 'done'
WHERE s.run = $1;

-- name: campaign_fresh
UPDATE campaign SET stale = 0 WHERE id = $1 AND stale = $2;

-- Passages with an answer that is not hidden; for sittings held by raters, all passages ($3 = 1).
-- name: passage_plan
INSERT INTO passage (campaign, item)
SELECT DISTINCT CAST($1 AS BIGINT), s.item FROM sample s
WHERE s.run = $2 AND (s.state = 'done' OR CAST($3 AS BIGINT) = 1) AND (s.repeat = 0 OR CAST($4 AS BIGINT) = 1)
    AND NOT EXISTS (SELECT 1 FROM withheld w WHERE w.campaign = $1 AND w.sample = s.id AND w.decision = 'hide');

-- The passage of a text that is to be shown after all.
-- name: passage_add
INSERT INTO passage (campaign, item) SELECT CAST($1 AS BIGINT), item FROM sample WHERE id = $2
ON CONFLICT (campaign, item) DO NOTHING;

-- Texts that a rule leaves out are already decided, by the suite.
-- name: withheld_add
INSERT INTO withheld (campaign, sample, why, words, decision)
VALUES ($1, $2, $3, $4, CASE WHEN CAST($3 AS TEXT) = 'left-out' THEN 'hide' END)
ON CONFLICT (campaign, sample) DO NOTHING;

-- A text reported by a rater is still shown until somebody decides.
-- name: withheld_report
INSERT INTO withheld (campaign, sample, why, words, decision, decided_by, decided_ms)
VALUES ($1, $2, 'report', '', 'show', '', $3)
ON CONFLICT (campaign, sample) DO NOTHING;

-- name: withheld_list as withheld
SELECT w.sample, m.name AS model_name, i.name AS item_name, w.why, w.words, s.answer AS text, w.decision
FROM withheld w JOIN sample s ON s.id = w.sample JOIN model m ON m.id = s.model
    JOIN item i ON i.id = s.item
WHERE w.campaign = $1 ORDER BY i.position, m.id;

-- Number of shown texts that must not be shown any more.
-- name: withheld_shown
SELECT COUNT(*) FROM withheld w WHERE w.campaign = $1
    AND (w.decision IS NULL OR w.decision = 'hide')
    AND (CAST($2 AS TEXT) LIKE '%[' || CAST(w.sample AS TEXT) || ',%'
        OR CAST($2 AS TEXT) LIKE '%,' || CAST(w.sample AS TEXT) || ']%');

-- name: withheld_decide
UPDATE withheld SET decision = $3, decided_by = $4, decided_ms = $5
WHERE campaign = $1 AND sample = $2;

-- done: submitted. counted: relevant for the main table; if only raters who finish count ($3), raters in
-- progress who were not seen since $4 are not waited for.
-- name: coverage_list as coverage
WITH counted AS (SELECT a.item, COUNT(*) AS n FROM assignment a JOIN rater r ON r.id = a.rater
        WHERE a.campaign = $1 AND a.item > 0 AND a.phase = 'main' AND a.state = 'done'
        AND r.excluded_by IS NULL AND r.state <> 'withdrawn'
        AND ($3 = 0 OR r.state = 'finished' OR (r.state <> 'rejected' AND EXISTS (SELECT 1
            FROM assignment x WHERE x.rater = r.id AND x.seen_ms > $4)))
        GROUP BY a.item),
    live AS (SELECT item, COUNT(*) AS n FROM assignment
        WHERE campaign = $1 AND phase = 'main' AND state = 'leased' AND lease_ms > $2 GROUP BY item),
    waits AS (SELECT s.item, COUNT(*) AS n FROM withheld w JOIN sample s ON s.id = w.sample
        WHERE w.campaign = $1 AND w.decision IS NULL GROUP BY s.item)
SELECT p.item, i.name AS item_name, p.done, COALESCE(c.n, 0) AS counted, COALESCE(l.n, 0) AS live, COALESCE(w.n, 0) AS waits
FROM passage p JOIN item i ON i.id = p.item LEFT JOIN counted c ON c.item = p.item
    LEFT JOIN live l ON l.item = p.item LEFT JOIN waits w ON w.item = p.item
WHERE p.campaign = $1 ORDER BY i.position;

-- name: handed_in
SELECT rater, item FROM assignment
WHERE campaign = $1 AND phase = 'main' AND state = 'done' ORDER BY rater, item;

-- ---- raters ----

-- name: invite_add
INSERT INTO invite (campaign, hash, label, created_ms, expires_ms) VALUES ($1, $2, $3, $4, $5)
RETURNING id;

-- name: invite_find
SELECT id, campaign, expires_ms, revoked_ms, used_ms FROM invite WHERE hash = $1;

-- name: invite_use
UPDATE invite SET used_ms = $2, rater = $3
WHERE id = $1 AND used_ms IS NULL AND revoked_ms IS NULL AND expires_ms >= $2;

-- name: invite_revoke
UPDATE invite SET revoked_ms = $3
WHERE campaign = $1 AND id = $2 AND used_ms IS NULL AND revoked_ms IS NULL;

-- name: invite_list as invite
SELECT i.id, i.campaign, i.label, i.created_ms, i.expires_ms, i.revoked_ms, i.used_ms, r.pseudonym AS rater
FROM invite i LEFT JOIN rater r ON r.id = i.rater WHERE i.campaign = $1 AND i.id > $2
ORDER BY i.id LIMIT $3;

-- name: rater_add
INSERT INTO rater (campaign, pseudonym, state, language, return_hash, created_ms)
VALUES ($1, $2, 'invited', $3, $4, $5) RETURNING id;

-- A rater who was erased (erase_person) without withdrawing can only be recognised by return_hash: a request
-- that was pending then must not store personal data again.
-- name: rater_from
UPDATE rater SET panel = $2, network = $3 WHERE id = $1 AND return_hash NOT LIKE 'gone-%';

-- name: rater_panel
SELECT COUNT(*) FROM rater WHERE campaign = $1 AND panel = $2;

-- name: rater_network
SELECT COUNT(*) FROM rater WHERE campaign = $1 AND network = $2 AND created_ms > $3;

-- name: rater_get as rater
SELECT r.id, r.campaign, r.pseudonym, r.panel, r.network, r.state, r.language, r.consent, r.about, r.stratum, r.code,
    r.practice, r.created_ms, r.consent_ms, r.finished_ms, r.excluded_by, r.excluded_why,
    a.done, k.rounds, k.passed_attempts, k.passed_done, k.passed_ms, a.shown_done AS handed_in
FROM rater r,
    (SELECT COUNT(CASE WHEN phase = 'main' THEN 1 END) AS done, COUNT(CASE WHEN phase <> 'practice' THEN 1 END) AS shown_done
        FROM assignment WHERE rater = $1 AND state = 'done') AS a,
    (SELECT COUNT(DISTINCT round) AS rounds, MAX(attempt) + 1 AS passed_attempts, MAX(done) AS passed_done, MAX(at_ms) AS passed_ms
        FROM calibration WHERE rater = $1 AND passed = 1) AS k
WHERE r.id = $1;

-- name: rater_list as rater
SELECT r.id, r.campaign, r.pseudonym, r.panel, r.network, r.state, r.language, r.consent, r.about, r.stratum, r.code,
    r.practice, r.created_ms, r.consent_ms, r.finished_ms, r.excluded_by, r.excluded_why,
    (SELECT COUNT(*) FROM assignment a WHERE a.rater = r.id AND a.phase = 'main' AND a.state = 'done') AS done,
    (SELECT COUNT(DISTINCT k.round) FROM calibration k WHERE k.rater = r.id AND k.passed = 1) AS rounds,
    (SELECT MAX(k.attempt) + 1 FROM calibration k WHERE k.rater = r.id AND k.passed = 1) AS passed_attempts,
    (SELECT MAX(k.done) FROM calibration k WHERE k.rater = r.id AND k.passed = 1) AS passed_done,
    (SELECT MAX(k.at_ms) FROM calibration k WHERE k.rater = r.id AND k.passed = 1) AS passed_ms,
    (SELECT COUNT(*) FROM assignment a WHERE a.rater = r.id AND a.phase <> 'practice'
        AND a.state = 'done') AS handed_in
FROM rater r WHERE r.campaign = $1 AND r.id > $2 ORDER BY r.id LIMIT $3;

-- name: rater_named
SELECT id FROM rater WHERE campaign = $1 AND pseudonym = $2;

-- name: rater_return
SELECT id FROM rater WHERE return_hash = $1 AND state <> 'withdrawn';

-- name: rater_new_return
UPDATE rater SET return_hash = $2 WHERE id = $1 AND return_hash NOT LIKE 'gone-%';

-- name: rater_state
UPDATE rater SET state = $3 WHERE id = $1 AND state = $2;

-- name: rater_consent
UPDATE rater SET state = 'consented', consent = $2, consent_ms = $3, consent_language = $4,
    consent_text = $5
WHERE id = $1 AND state = 'invited' AND return_hash NOT LIKE 'gone-%';

-- name: rater_about
UPDATE rater SET about = $2, stratum = $3 WHERE id = $1 AND state = 'consented' AND return_hash NOT LIKE 'gone-%';

-- name: rater_practised
UPDATE rater SET practice = practice + 1
WHERE id = $1 AND practice = $2 AND state <> 'withdrawn';

-- name: calibration_add
INSERT INTO calibration (rater, attempt, dimension, round, done, passed, n, exact, near, bias, kappa,
    at_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: calibration_list as calibration
SELECT r.pseudonym AS rater, k.attempt, k.dimension, k.round, k.done, k.passed, k.n AS is__n, k.exact AS is__exact,
    k.near AS is__near, k.bias AS is__bias, k.kappa AS is__kappa, k.at_ms
FROM rater r JOIN calibration k ON k.rater = r.id WHERE r.campaign = $1
ORDER BY r.id, k.attempt, k.dimension COLLATE BINARY;

-- name: rater_finish
UPDATE rater SET state = 'finished', code = $2, finished_ms = $3
WHERE id = $1 AND state = 'rating' AND return_hash NOT LIKE 'gone-%' AND $4 <= (SELECT COUNT(*) FROM assignment a
    WHERE a.rater = $1 AND a.phase = 'main' AND a.state = 'done');

-- name: rater_exclude
UPDATE rater SET excluded_by = $3, excluded_why = $4, excluded_ms = $5
WHERE campaign = $1 AND pseudonym = $2;

-- ---- assignments ----

-- name: assignment_get as assignment
SELECT a.id, a.campaign, a.rater, a.phase, a.item, a.anchor, a.attempt, a.position, a.shown, a.state,
    a.started_ms, a.submitted_ms, a.active_ms
FROM assignment a WHERE a.id = $1;

-- Assignments begun and not submitted, oldest first; expired ones can be resumed. During practice ($3 = 1) only
-- texts of this attempt, otherwise only passages.
-- name: assignment_open as assignment
SELECT a.id, a.campaign, a.rater, a.phase, a.item, a.anchor, a.attempt, a.position, a.shown, a.state,
    a.started_ms, a.submitted_ms, a.active_ms
FROM assignment a
WHERE a.rater = $1 AND a.state IN ('leased', 'expired')
    AND ((a.phase = 'practice' AND a.attempt = $2 AND $3 = 1)
        OR (a.phase <> 'practice' AND $3 = 0))
ORDER BY a.position LIMIT 1;

-- name: assignment_list as assignment
SELECT a.id, a.campaign, a.rater, a.phase, a.item, a.anchor, a.attempt, a.position, a.shown, a.state,
    a.started_ms, a.submitted_ms, a.active_ms
FROM assignment a WHERE a.rater = $1 ORDER BY a.position;

-- A passage may come again if its sitting was taken over by somebody else.
-- name: assignment_add
INSERT INTO assignment (campaign, rater, phase, item, anchor, attempt, position, shown, state,
    lease_ms, started_ms, seen_ms)
VALUES ($1, $2, $3, $4, $5, $6 + (SELECT COUNT(*) FROM assignment y
        WHERE y.rater = $2 AND y.item = $4 AND y.state = 'left'),
    (SELECT COUNT(*) FROM assignment x WHERE x.rater = $2), $7, 'leased',
    $8, $9, $9)
RETURNING id;

-- name: assignment_keep
UPDATE assignment SET state = 'leased', lease_ms = $2
WHERE id = $1 AND state IN ('leased', 'expired');

-- name: assignment_expire
UPDATE assignment SET state = 'expired' WHERE campaign = $1 AND state = 'leased' AND lease_ms < $2;

-- Active time as reported by the client, but no more than has passed. A lease grows by at least a minute,
-- because changing it updates every index on PostgreSQL.
-- name: assignment_seen
UPDATE assignment SET lease_ms = CASE WHEN $2 - lease_ms BETWEEN 0 AND 59999 THEN lease_ms ELSE $2 END,
    seen_ms = $3, state = 'leased',
    active_ms = active_ms + CASE WHEN $3 < seen_ms THEN 0
        WHEN $4 < $3 - seen_ms THEN $4 ELSE $3 - seen_ms END
WHERE id = $1 AND state IN ('leased', 'expired');

-- name: assignment_read
UPDATE assignment SET read_to_end = 1 WHERE id = $1 AND state <> 'closed';

-- name: assignment_submit
UPDATE assignment SET state = 'done', submitted_ms = $2
WHERE id = $1 AND state IN ('leased', 'expired');

-- name: assignment_skip
UPDATE assignment SET state = 'skipped' WHERE id = $1 AND state IN ('leased', 'expired');

-- name: passage_done
UPDATE passage SET done = done + 1 WHERE campaign = $1 AND item = $2;

-- name: passage_given
INSERT INTO passage_stratum (campaign, stratum, item, given) VALUES ($1, $2, $3, 1)
ON CONFLICT (campaign, stratum, item) DO UPDATE SET given = passage_stratum.given + 1;

-- Usage of each passage, in total and by similar raters: the basis of the choice. Aggregated for all passages
-- at once, from the smaller side, because others wait for the lock.
-- name: passage_use
WITH counted AS (SELECT a.item, COUNT(*) AS n FROM assignment a JOIN rater r ON r.id = a.rater
        WHERE a.campaign = $1 AND a.item > 0 AND a.phase = 'main' AND a.state = 'done'
        AND r.excluded_by IS NULL AND r.state <> 'withdrawn'
        AND ($5 = 0 OR r.state = 'finished' OR (r.state <> 'rejected' AND EXISTS (SELECT 1
            FROM assignment x WHERE x.rater = r.id AND x.seen_ms > $6)))
        GROUP BY a.item),
    live AS (SELECT item, COUNT(*) AS n FROM assignment
        WHERE campaign = $1 AND phase = 'main' AND state = 'leased' AND lease_ms > $4 GROUP BY item),
    met AS (SELECT a.item, COUNT(*) AS n FROM assignment mine
        JOIN assignment o ON o.campaign = mine.campaign AND o.item = mine.item AND o.rater <> $2
        JOIN assignment a ON a.rater = o.rater AND a.item <> o.item
        WHERE mine.rater = $2 AND mine.phase = 'main' AND o.phase = 'main' AND a.phase = 'main'
        GROUP BY a.item)
SELECT p.item, COALESCE(c.n, 0) + COALESCE(l.n, 0) AS uses, COALESCE(m.n, 0) AS together, COALESCE(k.given, 0) AS stratum,
    CASE WHEN p.item IN (SELECT item FROM assignment WHERE rater = $2 AND state <> 'left')
        THEN 1 ELSE 0 END AS mine,
    CASE WHEN p.item IN (SELECT s.item FROM withheld w JOIN sample s ON s.id = w.sample
        WHERE w.campaign = $1 AND w.decision IS NULL) THEN 1 ELSE 0 END AS waits
FROM passage p JOIN item i ON i.id = p.item LEFT JOIN counted c ON c.item = p.item
    LEFT JOIN live l ON l.item = p.item LEFT JOIN met m ON m.item = p.item
    LEFT JOIN passage_stratum k ON k.campaign = $1 AND k.stratum = $3 AND k.item = p.item
WHERE p.campaign = $1 ORDER BY i.position;

-- How often a passage was assigned: selects the row of its Williams square.
-- name: passage_shown
SELECT COUNT(*) FROM assignment WHERE campaign = $1 AND item = $2 AND phase = 'main';

-- Samples are found through their model: no index begins with the item.
-- name: passage_texts
SELECT s.id FROM model m JOIN sample s ON s.model = m.id AND s.item = $3
WHERE m.run = $2 AND s.state = 'done' AND (s.repeat = 0 OR $4 = 1)
    AND NOT EXISTS (SELECT 1 FROM withheld w WHERE w.campaign = $1 AND w.sample = s.id
        AND (w.decision IS NULL OR w.decision = 'hide'))
ORDER BY m.id, s.repeat;

-- name: passage_texts_of as passage_answer
SELECT s.id, s.answer FROM item i JOIN model m ON m.run = i.run
    JOIN sample s ON s.model = m.id AND s.item = i.id
WHERE i.id = $1 AND s.state = 'done';

-- ---- ratings ----

-- name: rating_add
INSERT INTO rating (assignment, sample, other, dimension, value, comment, quotes, version, client,
    created_ms, saved_ms, marked)
VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $9, $9, $10)
ON CONFLICT (assignment, sample, other, dimension) DO NOTHING;

-- Words without a mark ($10 = 0) do not change the mark.
-- name: rating_change
UPDATE rating SET value = CASE WHEN $10 = 1 THEN $5 ELSE value END, comment = $6, quotes = $7,
    version = version + 1, client = $8, saved_ms = $9,
    marked = CASE WHEN $10 = 1 THEN 1 ELSE marked END
WHERE assignment = $1 AND sample = $2 AND other = $3 AND dimension = $4 AND version = $11;

-- A vote on one exchange of a meeting.
-- name: rating_turn
INSERT INTO rating (assignment, sample, other, dimension, value, comment, quotes, version, client,
    created_ms, saved_ms, marked)
SELECT a.id, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS DOUBLE PRECISION), CAST($7 AS TEXT), '', 1, '',
    CAST($6 AS BIGINT), CAST($6 AS BIGINT), 1
FROM assignment a WHERE a.id = $1 AND a.state IN ('leased', 'expired')
ON CONFLICT (assignment, sample, other, dimension) DO UPDATE SET value = excluded.value,
    comment = excluded.comment, version = rating.version + 1, saved_ms = excluded.saved_ms
WHERE rating.value <> excluded.value OR rating.comment <> excluded.comment;

-- Is the assignment open, and the rating, if there is one.
-- name: rating_get as rating_saved
SELECT a.state = 'leased' AS open, k.value, k.comment, k.quotes, k.version, k.client, k.saved_ms, k.marked
FROM assignment a LEFT JOIN rating k
    ON k.assignment = a.id AND k.sample = $2 AND k.other = $3 AND k.dimension = $4
WHERE a.id = $1;

-- name: rating_list as rating_mark
SELECT sample AS is__sample, other AS is__other, dimension, value, comment, quotes, version, saved_ms, 1 - marked AS unmarked FROM rating
WHERE assignment = $1 ORDER BY sample, other, dimension COLLATE BINARY;

-- name: complaint_add
INSERT INTO complaint (campaign, assignment, sample, why, at_ms)
SELECT CAST($1 AS BIGINT), id, CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS BIGINT)
FROM assignment WHERE id = $2 AND state <> 'closed';

-- name: complaint_list as complaint
SELECT r.pseudonym AS rater, COALESCE(i.name, '') AS item_name, c.sample, c.why, c.at_ms, s.answer AS text
FROM complaint c JOIN assignment a ON a.id = c.assignment JOIN rater r ON r.id = a.rater
    LEFT JOIN item i ON i.id = a.item LEFT JOIN sample s ON s.id = c.sample
WHERE c.campaign = $1 ORDER BY c.id;

-- ---- results ----

-- All marks with rater and text. Ratings of the reference have no model. The order is that of the indexes, so
-- that an export of a million rows needs no sort.
-- name: rating_each as rating
SELECT r.pseudonym, r.state AS rater_state, r.excluded_why AS excluded, r.stratum, a.id AS assignment, a.phase, a.item,
    i.name AS item_name, a.anchor, a.position, CASE WHEN a.state = 'done' THEN 1 ELSE 0 END AS handed_in, a.submitted_ms, a.active_ms, a.shown,
    g.sample, g.other, m.name AS system, n.name AS other_system, s.repeat, g.dimension, g.value, g.comment, g.quotes,
    g.version, g.created_ms, g.saved_ms
FROM rater r JOIN assignment a ON a.rater = r.id LEFT JOIN item i ON i.id = a.item JOIN rating g ON g.assignment = a.id
    LEFT JOIN sample s ON s.id = g.sample LEFT JOIN model m ON m.id = s.model LEFT JOIN sample o ON o.id = g.other
    LEFT JOIN model n ON n.id = o.model
WHERE r.campaign = $1 AND g.marked = 1
ORDER BY r.id, a.position, a.id, g.sample, g.other, g.dimension COLLATE BINARY;

-- Amount of text shown by each assignment, and time spent on it.
-- name: effort_each as effort
SELECT a.rater, a.active_ms,
    (SELECT SUM(LENGTH(s.answer)) FROM item i JOIN model m ON m.run = i.run
        JOIN sample s ON s.model = m.id AND s.item = i.id AND s.state = 'done'
        WHERE i.id = a.item AND (a.shown LIKE '%[' || CAST(s.id AS TEXT) || ',%'
            OR a.shown LIKE '%,' || CAST(s.id AS TEXT) || ']%')) AS characters
FROM assignment a WHERE a.campaign = $1 AND a.phase = 'main' AND a.state = 'done'
ORDER BY a.rater, a.position;

-- name: outcome_drop
DELETE FROM outcome WHERE campaign = $1;

-- name: outcome_add
INSERT INTO outcome (campaign, subject, metric, method, value, lo, hi, n, clusters, why, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: outcome_versions as versions
SELECT MIN(version) AS oldest, MAX(version) AS newest FROM outcome WHERE campaign = $1;

-- name: outcome_list as score
SELECT subject, metric, method, value, lo, hi, n, clusters, why FROM outcome WHERE campaign = $1
ORDER BY subject COLLATE BINARY, metric COLLATE BINARY;

-- ---- ratings from a file ----

-- name: rater_import
INSERT INTO rater (campaign, pseudonym, state, language, stratum, return_hash, created_ms,
    excluded_by, excluded_why, excluded_ms)
VALUES ($1, $2, $3, 'en', $4, $5, $6, $7, $8, $6) RETURNING id;

-- name: assignment_import
INSERT INTO assignment (campaign, rater, phase, item, anchor, position, shown, state, lease_ms,
    started_ms, seen_ms, submitted_ms, active_ms)
VALUES ($1, $2, $3, $4, $5, $6, '[]', $7, $8, $8, $8, $9, $10)
ON CONFLICT (rater, phase, item, anchor, attempt) DO NOTHING RETURNING id;

-- name: assignment_shown
UPDATE assignment SET shown = $2 WHERE id = $1;

-- name: rating_import
INSERT INTO rating (assignment, sample, other, dimension, value, comment, quotes, version, client,
    created_ms, saved_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'import', $9, $10)
ON CONFLICT (assignment, sample, other, dimension) DO NOTHING;

-- ---- progress of a campaign ----

-- name: rater_states as rater_count
SELECT state, COUNT(*) AS n FROM rater WHERE campaign = $1 GROUP BY state ORDER BY state COLLATE BINARY;

-- Unused invitations.
-- name: invite_waiting
SELECT COUNT(*) FROM invite
WHERE campaign = $1 AND used_ms IS NULL AND revoked_ms IS NULL AND expires_ms >= $2;

-- name: handed_in_days as day_count
SELECT submitted_ms / 86400000 AS day, COUNT(*) AS n FROM assignment
WHERE campaign = $1 AND phase = 'main' AND state = 'done' AND submitted_ms >= $2
GROUP BY submitted_ms / 86400000 ORDER BY submitted_ms / 86400000;
