-- On PostgreSQL every reference of a new row is looked up by itself, which was a third of what planning a sample cost. Model
-- and sample already keep a run from being removed under rows that are planned for it: what else they name belongs to the
-- same run.

-- postgres
ALTER TABLE sample DROP CONSTRAINT sample_run_fkey, DROP CONSTRAINT sample_item_fkey;
ALTER TABLE verdict DROP CONSTRAINT verdict_run_fkey, DROP CONSTRAINT verdict_judge_fkey;
-- both
