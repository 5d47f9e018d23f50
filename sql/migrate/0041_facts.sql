-- A run that is scored again without anything new in it is not searched for flags and sealed again.

ALTER TABLE run ADD COLUMN facts TEXT NOT NULL DEFAULT '';     -- how many of each there were when they were sealed
ALTER TABLE run ADD COLUMN digest TEXT NOT NULL DEFAULT '';    -- the hash of all seals then
