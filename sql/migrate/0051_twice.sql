-- A sample or verdict is written twice, when it is planned and when it ends, and on PostgreSQL stands in each index twice: leaves
-- that planning had filled were searched for what could go, and then split. Half empty they take both, and end as full as before.

-- postgres
ALTER INDEX sample_pkey SET (fillfactor = 45);
ALTER INDEX sample_model_item_repeat_key SET (fillfactor = 45);
ALTER INDEX sample_run SET (fillfactor = 45);
ALTER INDEX verdict_pkey SET (fillfactor = 45);
ALTER INDEX verdict_run SET (fillfactor = 45);
-- both
