-- A run that later ones of the same suite are compared with.

ALTER TABLE run ADD COLUMN baseline BIGINT NOT NULL DEFAULT 0;   -- 1: declared; one per suite
