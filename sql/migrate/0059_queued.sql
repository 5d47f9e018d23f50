-- How often a run was queued: a worker takes it out of the queue only where nobody has queued it since that worker began.
ALTER TABLE run ADD COLUMN queued BIGINT NOT NULL DEFAULT 0;
