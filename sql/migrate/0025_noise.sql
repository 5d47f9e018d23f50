-- Outcomes of campaigns have variance components: computed anew at the next look.

UPDATE campaign SET stale = stale + 1 WHERE stale = 0;
