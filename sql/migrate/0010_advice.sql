-- What a judge advises, beside why it gave a mark. The evidence of a mark on an interview is a JSON list
-- of {turn, text, found}: the words quoted, where from, and whether they stand there.

ALTER TABLE mark ADD COLUMN advice TEXT;
