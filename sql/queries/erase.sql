-- Deletion of a rater's data.

-- name: erase_said
SELECT t.sample, t.position, s.answer FROM own_turn t JOIN sample s ON s.id = t.sample
WHERE t.rater = $1 ORDER BY t.sample, t.position;

-- Rows that change lawfully are sealed again when the run is next scored: seals of the sitting, of requests
-- about it, and of verdicts on it.
-- name: erase_seal_words
DELETE FROM seal WHERE run = (SELECT i.run FROM sample s JOIN item i ON i.id = s.item WHERE s.id = $1)
    AND kind IN ('answer', 'turn') AND fact = $1;

-- name: erase_seal_calls
DELETE FROM seal WHERE run = (SELECT i.run FROM sample s JOIN item i ON i.id = s.item WHERE s.id = $1)
    AND kind = 'call' AND fact IN (SELECT call FROM turn WHERE sample = $1 AND call IS NOT NULL
    UNION SELECT call FROM verdict WHERE sample = $1 AND call IS NOT NULL
    UNION SELECT call FROM verdict WHERE other = $1 AND other <> 0 AND call IS NOT NULL);

-- name: erase_seal_verdicts
DELETE FROM seal WHERE run = (SELECT i.run FROM sample s JOIN item i ON i.id = s.item WHERE s.id = $1)
    AND kind IN ('verdict', 'unscored', 'mark') AND fact IN (SELECT id FROM verdict WHERE sample = $1
    UNION SELECT id FROM verdict WHERE other = $1 AND other <> 0);

-- name: erase_seal_quotes
DELETE FROM seal WHERE run = (SELECT i.run FROM sample s JOIN item i ON i.id = s.item WHERE s.id = $1)
    AND kind = 'rating' AND fact IN (SELECT a.id FROM sample s JOIN assignment a ON a.item = s.item WHERE s.id = $1);

-- name: erase_stale
UPDATE run SET stale = 1, sealed = '', facts = ''
WHERE id = (SELECT i.run FROM sample s JOIN item i ON i.id = s.item WHERE s.id = $1);

-- name: erase_rater_stale
UPDATE run SET stale = 1, sealed = '' WHERE id = (SELECT c.run FROM rater r JOIN campaign c ON c.id = r.campaign WHERE r.id = $1);

-- name: erase_answer
UPDATE sample SET answer = CASE WHEN answer IS NOT NULL THEN $2 END, thinking = NULL, call = NULL WHERE id = $1;

-- name: erase_calls
DELETE FROM call WHERE id IN (SELECT call FROM turn WHERE sample = $1
    UNION SELECT call FROM verdict WHERE sample = $1
    UNION SELECT call FROM verdict WHERE other = $1 AND other <> 0);

-- What judges said about it in audits. Their results stay, like those without trials, which are not recounted.
-- name: erase_audits
UPDATE judge_audit SET seal = 0 WHERE run = (SELECT run FROM sample WHERE id = $1)
    AND judge IN (SELECT judge FROM judge_trial WHERE sample = $1);

-- name: erase_trials
DELETE FROM judge_trial WHERE run = (SELECT run FROM sample WHERE id = $1)
    AND judge IN (SELECT judge FROM judge_trial WHERE sample = $1);

-- name: erase_run
SELECT c.run FROM rater r JOIN campaign c ON c.id = r.campaign WHERE r.id = $1;

-- Requests of run $2, a run with people, that nothing refers to any more: of sittings that the rater left, and
-- of judges that were asked again. A request is deleted even if another run refers to it, because it contains
-- the words. The subqueries in brackets do not depend on the call, so each runs only once.
-- name: erase_stray
SELECT k.id FROM call k WHERE k.run = $2
    AND (EXISTS (SELECT 1 FROM assignment a JOIN left_turn l ON l.assignment = a.id WHERE a.rater = $1)
        OR EXISTS (SELECT 1 FROM sample s JOIN turn t ON t.sample = s.id WHERE s.run = $2 AND t.source = 'person'))
    AND k.id NOT IN (SELECT s.call FROM sample s WHERE s.run = $2 AND s.call IS NOT NULL
        UNION SELECT v.call FROM verdict v WHERE v.run = $2 AND v.call IS NOT NULL
        UNION SELECT t.call FROM sample s JOIN turn t ON t.sample = s.id WHERE s.run = $2 AND t.call IS NOT NULL
        UNION SELECT l.call FROM rater r JOIN assignment a ON a.rater = r.id JOIN left_turn l ON l.assignment = a.id
            WHERE r.campaign = (SELECT campaign FROM rater WHERE id = $1) AND r.id <> $1 AND l.call IS NOT NULL);

-- name: erase_stray_seal
DELETE FROM seal WHERE run = (SELECT run FROM call WHERE id = $1) AND kind = 'call' AND fact = $1;

-- name: erase_stray_call
DELETE FROM call WHERE id = $1;

-- name: erase_stray_stale
UPDATE run SET stale = 1, sealed = '', facts = '' WHERE id = (SELECT run FROM call WHERE id = $1);

-- Flags are found again when the run is next scored, if they still apply.
-- name: erase_evidence
UPDATE flag SET evidence = NULL WHERE sample = $1;

-- name: erase_words
UPDATE turn SET call = NULL, thinking = '', text = CASE WHEN source = 'person' THEN '…' ELSE text END
WHERE sample = $1;

-- Workers that are asking judges about it lose their claim, so that pending replies are not stored.
-- name: erase_askers
DELETE FROM worker WHERE id IN (SELECT l.worker FROM verdict_lease l
    WHERE l.id IN (SELECT id FROM verdict WHERE sample = $1 UNION SELECT id FROM verdict WHERE other = $1 AND other <> 0));

-- What judges wrote may quote the rater; their decisions stay.
-- name: erase_replies
UPDATE verdict SET reply = NULL, reason = NULL, why = CASE WHEN state = 'failed' THEN why END
WHERE id IN (SELECT id FROM verdict WHERE sample = $1 UNION SELECT id FROM verdict WHERE other = $1 AND other <> 0);

-- name: erase_analyses
UPDATE mark SET analysis = NULL, evidence = NULL, advice = NULL
WHERE verdict IN (SELECT id FROM verdict WHERE sample = $1 UNION SELECT id FROM verdict WHERE other = $1 AND other <> 0);

-- Quotations of the rater's turns by other raters.
-- name: erase_quotes
UPDATE rating SET quotes = '' WHERE assignment IN (SELECT a.id FROM sample s JOIN assignment a ON a.item = s.item WHERE s.id = $1)
    AND (sample = $1 OR other = $1) AND EXISTS (SELECT 1 FROM turn t WHERE t.sample = $1 AND t.source = 'person'
        AND (REPLACE(rating.quotes, ' ', '') LIKE '%"turn":' || CAST(t.position AS TEXT) || ',%'
            OR REPLACE(rating.quotes, ' ', '') LIKE '%"turn":' || CAST(t.position AS TEXT) || '}%'));

-- name: erase_withheld
UPDATE withheld SET words = '…' WHERE sample = $1
    AND campaign IN (SELECT c.id FROM sample s JOIN campaign c ON c.run = s.run WHERE s.id = $1);

-- A sitting that was not over belongs to nobody now.
-- name: erase_sitting
DELETE FROM turn WHERE sample IN (SELECT p.sample FROM page_sample p JOIN sample s ON s.id = p.sample
    WHERE p.rater = $1 AND p.phase = 'main' AND p.state IN ('leased', 'expired') AND s.state = 'planned');

-- name: erase_asking
DELETE FROM asking WHERE sample IN (SELECT p.sample FROM page_sample p JOIN sample s ON s.id = p.sample
    WHERE p.rater = $1 AND p.phase = 'main' AND p.state IN ('leased', 'expired') AND s.state = 'planned');

-- Submitted passages no longer count.
-- name: erase_counts
UPDATE passage SET done = done - 1
WHERE campaign = $2 AND item IN (SELECT item FROM assignment
    WHERE rater = $1 AND phase = 'main' AND state = 'done');

-- name: erase_done
UPDATE assignment SET state = 'closed', shown = '[]' WHERE rater = $1 AND state = 'done';

-- Not 'expired', which could be resumed. A sitting that was not over has no turns left and no longer belongs to
-- this rater; the turns of one that was over can still be found.
-- name: erase_pages
UPDATE assignment SET state = 'closed', shown = CASE WHEN EXISTS (SELECT 1 FROM page_sample p JOIN turn t ON t.sample = p.sample
    WHERE p.page = assignment.id) THEN shown ELSE '[]' END
WHERE rater = $1 AND state IN ('leased', 'expired');

-- Passages assigned to raters of this stratum, as long as the rater counts in it.
-- name: erase_kind
UPDATE passage_stratum SET given = given - (SELECT COUNT(*) FROM assignment a
    WHERE a.rater = $1 AND a.phase = 'main' AND a.item = passage_stratum.item)
WHERE campaign = (SELECT campaign FROM rater WHERE id = $1)
    AND stratum = (SELECT stratum FROM rater WHERE id = $1 AND about IS NOT NULL);

-- name: erase_kinds
DELETE FROM passage_stratum WHERE campaign = (SELECT campaign FROM rater WHERE id = $1) AND given <= 0;

-- name: erase_person
UPDATE rater SET about = NULL, panel = NULL, network = NULL, stratum = '', language = '', code = NULL,
    return_hash = 'gone-' || CAST(id AS TEXT)
WHERE id = $1;

-- Staff's remarks about the rater; the exclusion itself stays.
-- name: erase_why
UPDATE rater SET excluded_why = '…' WHERE id = $1 AND excluded_why IS NOT NULL;

-- An imported rater has the name from the file, which may be a real name, and no consent here.
-- name: erase_name
UPDATE rater SET pseudonym = 'gone-' || CAST(id AS TEXT) WHERE id = $1 AND consent_ms IS NULL;

-- name: erase_withdrawn
UPDATE rater SET state = 'withdrawn' WHERE id = $1;

-- The note on an invitation may be a name.
-- name: erase_label
UPDATE invite SET label = '' WHERE rater = $1;

-- name: erase_labels
UPDATE invite SET label = '' WHERE campaign = $1;

-- name: erase_sessions
DELETE FROM web_session WHERE kind IN ('rater', 'pass') AND who = $1;

-- name: erase_ratings
DELETE FROM rating WHERE assignment IN (SELECT id FROM assignment WHERE rater = $1);

-- name: erase_turns
DELETE FROM left_turn WHERE assignment IN (SELECT id FROM assignment WHERE rater = $1);

-- name: erase_calibration
DELETE FROM calibration WHERE rater = $1;

-- name: erase_reports
DELETE FROM complaint WHERE assignment IN (SELECT id FROM assignment WHERE rater = $1);

-- An endpoint that refuses a request may quote it in the reason.
-- name: erase_mute
DELETE FROM mute WHERE model IN (SELECT id FROM model WHERE run = (SELECT c.run FROM rater r JOIN campaign c ON c.id = r.campaign
    WHERE r.id = $1));

-- name: erase_outcomes
DELETE FROM outcome WHERE campaign = (SELECT campaign FROM rater WHERE id = $1)
    AND subject = 'rater/' || (SELECT pseudonym FROM rater WHERE id = $1);

-- name: erase_carried_out
UPDATE campaign SET erased_ms = $2 WHERE id = $1;

-- The newest line of the audit log about an erasure.
-- name: erase_newest
SELECT COALESCE(MAX(id), 0) FROM audit WHERE what IN ('rater.withdraw', 'campaign.erase', 'campaign.retention');

-- ---- what is kept of a rater, for the rater ----

-- name: own_consent
SELECT consent_language, consent_text FROM rater WHERE id = $1;

-- name: own_reports as own_text
SELECT c.why AS text, c.at_ms FROM complaint c JOIN assignment a ON a.id = c.assignment
WHERE a.rater = $1 ORDER BY c.id;

-- Staff's note on the invitation.
-- name: own_notes as own_text
SELECT label AS text, created_ms AS at_ms FROM invite WHERE rater = $1 AND label <> '' ORDER BY id;

-- name: own_practice
SELECT attempt, dimension, passed, n, exact, near, bias, kappa, at_ms FROM calibration WHERE rater = $1
ORDER BY attempt, dimension COLLATE BINARY;

-- name: own_words as own_text
SELECT text, at_ms FROM own_turn WHERE rater = $1
UNION ALL
SELECT l.text, l.at_ms FROM assignment a JOIN left_turn l ON l.assignment = a.id
    AND l.source = 'person' WHERE a.rater = $1 ORDER BY at_ms;
