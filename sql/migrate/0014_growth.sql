-- What is asked of one run, campaign or passage costs the same however many others there are. The state
-- stands in the index too: counting how a run stands reads no row. So does the id, which is the order of exports.

DROP INDEX sample_run;
CREATE INDEX sample_run ON sample (run, id, state);
CREATE INDEX verdict_run ON verdict (run, id, state);
CREATE INDEX run_suite ON run (suite);
CREATE INDEX invite_rater ON invite (rater);
CREATE INDEX assignment_passage ON assignment (item);
CREATE INDEX complaint_campaign ON complaint (campaign, id);
CREATE INDEX web_session_expiry ON web_session (expires_ms);
