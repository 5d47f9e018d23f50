-- Verdicts by the second sample of a pair.

CREATE INDEX verdict_other ON verdict (other) WHERE other <> 0;
