-- Which worker asks which endpoint: the limits of an endpoint are shared by those who ask it, of
-- whatever run.

CREATE TABLE asked (
    endpoint  TEXT NOT NULL,                 -- address and model
    worker    BIGINT NOT NULL,
    PRIMARY KEY (endpoint, worker)
);
CREATE INDEX asked_worker ON asked (worker);
