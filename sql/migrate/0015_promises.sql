-- What a rater agreed to, word for word: the campaign's text in the language it was read in.
ALTER TABLE rater ADD COLUMN consent_language TEXT;
ALTER TABLE rater ADD COLUMN consent_text TEXT;

-- When the campaign's retention period had passed and was carried out.
ALTER TABLE campaign ADD COLUMN erased_ms BIGINT;

CREATE INDEX complaint_assignment ON complaint (assignment);
