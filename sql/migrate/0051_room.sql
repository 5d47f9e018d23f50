-- PostgreSQL puts a changed row behind all others unless there is room beside it. Samples and verdicts are planned short and
-- change once, when they end and get their texts: a page that is planned full is read and written for every one of them once
-- more, together with the page that it goes to.

-- postgres
ALTER TABLE sample SET (fillfactor = 12);
ALTER TABLE verdict SET (fillfactor = 12);
-- both
