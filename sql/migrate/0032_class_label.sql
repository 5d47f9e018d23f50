-- Which class a classifier counts; '' in rows from before it was stored.
ALTER TABLE class_mark ADD COLUMN label TEXT NOT NULL DEFAULT '';
