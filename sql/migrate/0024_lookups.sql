-- What is sealed and counted for one run, and a run that is named by its label, cost the same however
-- many others there are.

CREATE INDEX call_run ON call (run, id);
CREATE INDEX campaign_run ON campaign (run);
CREATE INDEX run_label ON run (label);
