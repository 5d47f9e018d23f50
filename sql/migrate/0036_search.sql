-- Words of answers and of what judges wrote, findable by any three letters in any script. Derived: see report/values.h.

CREATE TABLE word_run (
    run      BIGINT PRIMARY KEY,
    derived  BIGINT NOT NULL                 -- as run.derived when its words were taken
);
UPDATE run SET valued = -1;                  -- words are taken together with values
CREATE INDEX run_words ON run (id, stale, derived);

-- sqlite
CREATE VIRTUAL TABLE word_sample USING fts5 (words, tokenize = 'trigram');
CREATE VIRTUAL TABLE word_verdict USING fts5 (words, tokenize = 'trigram');
-- postgres
CREATE TABLE word_sample (rowid BIGINT PRIMARY KEY, words TEXT NOT NULL);
CREATE TABLE word_verdict (rowid BIGINT PRIMARY KEY, words TEXT NOT NULL);
-- Where the extension may not be made, words are found all the same, only slower.
DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE INDEX word_sample_words ON word_sample USING gin (words gin_trgm_ops);
    CREATE INDEX word_verdict_words ON word_verdict USING gin (words gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN NULL;
END $$;
-- both
