-- A rater may write down words, or pick some out of a text, before deciding on the mark: kept in the same
-- row, so that its versions go on when the mark comes.

ALTER TABLE rating ADD COLUMN marked BIGINT NOT NULL DEFAULT 1;   -- 0: words alone, no mark yet
