-- Dialogues that a rule leaves out were still in drift, survival, memory, contradictions and battles: such runs are scored anew.
UPDATE run SET stale = 1 WHERE frozen LIKE '%leave-out%';
