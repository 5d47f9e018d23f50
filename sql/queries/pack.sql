-- Requests and replies of finished runs, packed: see store_pack.h.

-- Finished runs with calls that are not packed. Not runs in which people spoke: a dictionary contains pieces of the
-- texts that it was made from, and what somebody withdraws must be gone.
-- name: pack_runs as pack_run
SELECT r.id AS run, (SELECT COUNT(*) FROM call c WHERE c.run = r.id AND c.packed IS NULL) AS calls,
    COALESCE((SELECT MAX(c.dictionary) FROM call c WHERE c.run = r.id AND c.dictionary > 0), 0) AS dictionary
FROM run r
WHERE EXISTS (SELECT 1 FROM call c WHERE c.run = r.id AND c.packed IS NULL)
    AND NOT EXISTS (SELECT 1 FROM sample s WHERE s.run = r.id AND s.state = 'planned')
    AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.run = r.id AND v.state = 'planned')
    AND NOT EXISTS (SELECT 1 FROM sample s JOIN turn t ON t.sample = s.id
        WHERE s.run = r.id AND t.source = 'person')
ORDER BY r.id;

-- Every $2th of them, to make a dictionary from.
-- name: pack_some as pack
SELECT id, request, response FROM call WHERE run = $1 AND packed IS NULL AND id % $2 = 0 ORDER BY id;

-- The next ones after $2.
-- name: pack_next as pack
SELECT id, request, response FROM call WHERE run = $1 AND packed IS NULL AND id > $2 ORDER BY id LIMIT $3;

-- As in run_claim: nobody can score the run until the transaction ends.
-- name: pack_hold
UPDATE run SET derived = derived WHERE id IN (
    SELECT id FROM run WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED);

-- Not if the call has moved to another run meanwhile: the dictionary may be gone.
-- name: pack_put
UPDATE call SET request = '', response = '', packed = $2, dictionary = $3, plain = $4
WHERE id = $1 AND packed IS NULL AND run = $5;

-- name: dictionary_add
INSERT INTO dictionary (bytes) VALUES ($1) RETURNING id;

-- Deletes a dictionary that nothing needs because somebody else was faster.
-- name: dictionary_unused
DELETE FROM dictionary WHERE id = $1
    AND NOT EXISTS (SELECT 1 FROM call c WHERE c.dictionary = $1 AND c.dictionary > 0);

-- name: dictionary_get as dictionary
SELECT id, bytes FROM dictionary WHERE id = $1;

-- The dictionaries of the calls that a run uses, whichever run made them.
-- name: dictionary_list as dictionary
SELECT id, bytes FROM dictionary WHERE id IN (
    SELECT dictionary FROM call WHERE run = $1
    UNION SELECT c.dictionary FROM sample s JOIN call c ON c.id = s.call WHERE s.run = $1
    UNION SELECT c.dictionary FROM sample s JOIN turn t ON t.sample = s.id JOIN call c ON c.id = t.call
        WHERE s.run = $1
    UNION SELECT c.dictionary FROM verdict v JOIN call c ON c.id = v.call WHERE v.run = $1);

-- name: pack_sizes as pack_size
SELECT COUNT(*) AS calls, CAST(COALESCE(SUM(plain), 0) AS BIGINT) AS plain,
    CAST(COALESCE(SUM(OCTET_LENGTH(packed)), 0) AS BIGINT)
        + CAST((SELECT COALESCE(SUM(OCTET_LENGTH(bytes)), 0) FROM dictionary) AS BIGINT) AS packed
FROM call WHERE packed IS NOT NULL;
