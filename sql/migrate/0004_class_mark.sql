-- What classifiers say about answers.

CREATE TABLE class_mark (
    sample      BIGINT NOT NULL REFERENCES sample (id),
    classifier  TEXT NOT NULL,                -- how the user calls it
    identity    TEXT NOT NULL,                -- what it was: a file's hash, an endpoint's address
    logit       DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (sample, classifier)
);
