-- Requests and replies of finished runs, packed: see src/store/store_pack.h.

CREATE TABLE dictionary (
    id     {{id}},
    bytes  BYTEA NOT NULL                    -- what the texts of a run have in common
);

-- Where `packed` is not NULL, request and response are empty and stand in it.
ALTER TABLE call ADD COLUMN packed BYTEA;
ALTER TABLE call ADD COLUMN dictionary BIGINT;  -- that it was packed with; 0: none
ALTER TABLE call ADD COLUMN plain BIGINT;       -- bytes of what is packed
CREATE INDEX call_dictionary ON call (dictionary) WHERE dictionary > 0;
