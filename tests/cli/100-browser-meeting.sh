#!/usr/bin/env bash
# Two models at once in a real browser: three languages, 360 px, with a script and without.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

need_browser
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

db=meeting.db
cp -R "$REPO/tests/fixtures/dialogue" fixtures
sed -i '/^instrument:/,$d; s/by: model/by: person/' fixtures/dialogue.yaml
cat >>fixtures/dialogue.yaml <<'Y'
instrument: {kind: pair, criteria: [stays in the role], ties: yes}
items:
  - {id: dusk, prompt: "A lock on a canal, after dark."}
Y
mock slow --latency 300
# shellcheck disable=SC2154 # mock() sets it
llm=$port
cat >models.yaml <<END
models:
  - {name: secretive-ann, base_url: "http://127.0.0.1:$llm", model: chat-ann}
  - {name: secretive-bob, base_url: "http://127.0.0.1:$llm", model: identity-leak-bob}
END
"$AUDITION" run fixtures/dialogue.yaml -m secretive-ann -m secretive-bob --db $db -q >/dev/null
printf 'campaign: two\npassages_per_rater: 1\noverlap: 1\nanswer_wait_seconds: 0\n' >two.yaml
"$AUDITION" campaign new two.yaml --db $db >/dev/null
"$AUDITION" campaign open two --db $db >/dev/null
serve site --db $db
export BASE=$url
mapfile -t links < <("$AUDITION" campaign invite two -n 5 --url "$url" --db $db | grep -o 'http[^ ]*')
browse meeting "127.0.0.1:$llm" "${links[@]}" || fail "a meeting"

is "$(sql $db "SELECT dimension, CAST(value AS INTEGER), count(*) FROM rating WHERE dimension = 'choice' GROUP BY 1, 2" | tr '\n' ' ')" "choice|-1|3 choice|1|2 " "votes"
is "$(sql $db "SELECT count(*) FROM rating WHERE dimension = 'turn-1'")" 5 "votes on turns"
is "$(sql $db "SELECT count(*) FROM sample WHERE state = 'done'")" 10 "talks"
is "$(sql $db "SELECT count(*) FROM turn t JOIN call c ON c.id = t.call")" 18 "answers, each asked once"
"$AUDITION" verify latest --db $db >/dev/null || fail "verify"
