-- Where a rater comes from: the number that a panel gave them, and a keyed hash of their network.

ALTER TABLE rater ADD COLUMN panel TEXT;                    -- gone when the rater withdraws
ALTER TABLE rater ADD COLUMN network TEXT;                  -- of open arenas; likewise
CREATE INDEX rater_panel ON rater (campaign, panel);
CREATE INDEX rater_network ON rater (campaign, network);
