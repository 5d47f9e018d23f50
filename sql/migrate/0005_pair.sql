-- A verdict on two samples: what the judge chose, and who that was.

ALTER TABLE verdict ADD COLUMN choice TEXT;    -- A (shown first), B or tie, as the judge said it
ALTER TABLE verdict ADD COLUMN winner BIGINT;  -- model; 0: a tie
