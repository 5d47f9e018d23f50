-- The reply to a request of a dialogue is its turn: whoever asks the same finds it there.

CREATE INDEX turn_call ON turn (call);
