-- The title of a suite in every language that its file has: readers see theirs. It is not frozen with the run, whose key stays.
ALTER TABLE run ADD COLUMN titles TEXT NOT NULL DEFAULT '';     -- JSON; '': `title` is all there is

-- sqlite
DROP INDEX run_face;
CREATE INDEX run_face ON run (id, title, titles, suite, name, label, tags, worked_ms);
-- both
