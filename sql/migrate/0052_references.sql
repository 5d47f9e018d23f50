-- What 0045 and 0047 said of PostgreSQL is so on SQLite, if cheaper: every new item, sample and call looked up what it names,
-- which the transaction that adds it has made, read or holds. Such a constraint is a word in the schema and nothing in
-- the file: https://www.sqlite.org/lang_altertable.html#otheralter. The table that comes and goes tells others to read it again.

-- sqlite
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ' REFERENCES run (id)', ''), ' REFERENCES model (id)', ''),
    ' REFERENCES item (id)', '')
WHERE type = 'table' AND name IN ('item', 'sample', 'call');
PRAGMA writable_schema = RESET;
CREATE TABLE changed (id BIGINT);
DROP TABLE changed;
-- both
