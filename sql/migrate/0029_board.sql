-- One number of every model of a run, for boards over many runs.

CREATE INDEX score_metric ON score (run, metric, subject) WHERE jury = '';
