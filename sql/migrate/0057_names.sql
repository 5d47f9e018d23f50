-- Older programs wrote into the log whom somebody excluded or erased, and the reason with it: of raters who came with a file the name
-- in that file. They are told by their number from now on, those who are gone by nothing.
-- sqlite
DROP TRIGGER audit_no_update;
-- postgres
ALTER TABLE audit DISABLE TRIGGER audit_keep;
-- both
UPDATE audit SET detail = COALESCE((SELECT MAX(CASE WHEN r.consent_ms IS NULL THEN 'rater/' || CAST(r.id AS TEXT) ELSE r.pseudonym END)
    FROM campaign c JOIN rater r ON r.campaign = c.id
    WHERE c.name = audit.subject AND (audit.detail IN (r.pseudonym, 'rater/' || CAST(r.id AS TEXT))
        OR substr(audit.detail, 1, length(r.pseudonym) + 2) = r.pseudonym || ': ')), '…')
WHERE what IN ('campaign.exclude', 'campaign.erase');
-- sqlite
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
-- postgres
ALTER TABLE audit ENABLE TRIGGER audit_keep;
