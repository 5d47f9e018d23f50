#!/usr/bin/env bash
# Judges that need no model: what they score, what they refuse, and that all behind them is the same.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

sql() { sqlite3 -batch audition.db "$1"; }
value() { sql "SELECT k.value FROM mark k JOIN verdict v ON v.id = k.verdict JOIN judge j ON j.id = v.judge
    JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item WHERE j.name = '$1' AND i.name = '$2'"; }

cat >models.yaml <<'END'
models:
  - {name: steady, kind: recorded, file: steady.jsonl}
END
cat >suite.yaml <<'END'
suite: quiz
language: en
instrument:
  dimensions:
    - {id: right, scale: 0..10, step: any}
items:
  - {id: sum, prompt: Six times seven?, reference: "42", pattern: "^4[0-9]$"}
  - {id: pick, prompt: "Capital of France? A. Rome B. Paris", reference: B}
  - {id: open, prompt: Say something.}
END
cat >steady.jsonl <<'END'
{"item": "sum", "text": "42"}
{"item": "pick", "text": "答案是Ｂ。"}
{"item": "open", "text": "Something."}
END

# values on the dimension's scale; an item without a reference is unscored, and says why
status 3 "$AUDITION" run suite.yaml -m steady --judge objective:exact --judge objective:choice --judge objective:regex --judge objective:edit -q
is "$(value objective:exact sum)" 10.0 "exact, sum"
is "$(value objective:exact pick)" 0.0 "exact, pick"
is "$(value objective:choice pick)" 10.0 "choice, pick"
is "$(value objective:regex sum)" 10.0 "regex, sum"
# folded: 答案是b and b, one common of five runes
is "$(sql "SELECT round(k.value, 6) FROM mark k JOIN verdict v ON v.id = k.verdict JOIN judge j ON j.id = v.judge
    JOIN sample s ON s.id = v.sample JOIN item i ON i.id = s.item WHERE j.name = 'objective:edit' AND i.name = 'pick'")" 4.0 "edit, pick"
is "$(sql "SELECT count(*) FROM verdict WHERE state = 'unscored' AND why = 'no reference'")" 3 "without a reference"
is "$(sql "SELECT count(*) FROM verdict WHERE state = 'unscored' AND why = 'no pattern'")" 2 "without a pattern"
is "$(sql "SELECT count(*) FROM call")" 0 "requests"
says out "give the item a usable reference"
says out "agreement"

# read again from its own words; nothing is done twice
status 0 "$AUDITION" verify latest
says out "no differences"
status 3 "$AUDITION" run suite.yaml -m steady -q
is "$(sql "SELECT count(*) FROM verdict")" 12 "verdicts"
status 0 "$AUDITION" report latest --json
says out '"agreement"'

# a dry run costs nothing
status 0 "$AUDITION" run suite.yaml -m steady --judge objective:bleu-4 --dry-run
says out "computed from the reference answers"
says out "about 0 tokens in and 0 out"

# refused before anybody is asked
status 1 "$AUDITION" run suite.yaml -m steady --judge objective:numerc
says err "did you mean 'numeric'?"
status 2 "$AUDITION" run suite.yaml -m objective:exact
says err "use --judge objective:exact"
sed 's/scale: 0..10, step: any/scale: 0..1/' suite.yaml >whole.yaml
status 2 "$AUDITION" run whole.yaml -m steady --judge objective:edit
says err "step: any"
status 3 "$AUDITION" run whole.yaml -m steady --judge objective:exact -q
sed 's/    - {id: right.*/    - {id: right, scale: 0..1}\n    - {id: kind, scale: 0..1}/' suite.yaml >two.yaml
status 2 "$AUDITION" run two.yaml -m steady --judge objective:exact
says err "2 dimensions"

echo "several multipliers make one; an answer that was not searched to its end is unscored"
cat >large.yaml <<'END'
suite: large
language: ja
instrument: {dimensions: [{id: right, scale: 0..1}]}
items:
  - {id: yen, prompt: 幾ら？, reference: "30000000", pattern: KEY}
  - {id: yuan, prompt: 多少？, reference: "3000000000000", pattern: KEY}
END
printf '{"item": "yen", "text": "3千万円"}\n{"item": "yuan", "text": "%070000d KEY 3万亿元"}\n' 0 >steady.jsonl
status 0 "$AUDITION" run large.yaml -m steady --judge objective:numeric -q --db large.db
says out '1.000'
status 3 "$AUDITION" run large.yaml -m steady --judge objective:regex -q --db large.db
says out 'the answer is too long for a pattern'
