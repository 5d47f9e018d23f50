#!/usr/bin/env bash
# The interview room and the rating of interviews in a real browser.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

need_browser
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

db=interview.db
cp -R "$REPO/tests/fixtures/interview" fixtures
mock slow --latency 300
# shellcheck disable=SC2154 # mock() sets it
llm=$port
cat >models.yaml <<END
models:
  - {name: secretive-ann, base_url: "http://127.0.0.1:$llm", model: think-ann}
  - {name: secretive-bob, base_url: "http://127.0.0.1:$llm", model: chat-bob}
END

# RC, LA, CQ, IC, with their levels
for language in zh en; do
    sed -i -e '/^instrument:/,/^  dimensions:/d' -e "/^score:/i instrument: {use: interview.$language}" fixtures/$language.yaml
done
"$AUDITION" run fixtures/zh.yaml -m secretive-ann --examiner person --limit 1 --db $db -q >/dev/null
printf 'campaign: live\npassages_per_rater: 1\noverlap: 1\npractice: no\nanswer_wait_seconds: 0\n' >live.yaml
"$AUDITION" campaign new live.yaml --db $db >/dev/null
"$AUDITION" run fixtures/en.yaml -m secretive-bob --examiner script --limit 1 --db $db -q >/dev/null
printf 'campaign: recorded\npassages_per_rater: 1\noverlap: 2\npractice: no\n' >recorded.yaml
"$AUDITION" campaign new recorded.yaml --db $db >/dev/null

serve site --db $db
export BASE=$url
links=()
for name in live recorded recorded; do
    [ "${#links[@]}" -eq 2 ] || "$AUDITION" campaign open "$name" --db $db >/dev/null
    links+=("$("$AUDITION" campaign invite "$name" --url "$url" --db $db | grep -o 'http[^ ]*')")
done

browse interview "127.0.0.1:$llm" "${links[@]}" || fail "an interview"

is "$(sql $db "SELECT count(*), sum(json_extract(quotes, '\$[0].found')), sum(json_extract(quotes, '\$[0].turn') > 0), sum(comment <> '')
    FROM rating")" "12|12|12|8" "marks, quotations that stand there, with their turn, comments"
is "$(sql $db "SELECT count(*) FROM turn GROUP BY sample" | sort -u)" 33 "turns of each sitting"
is "$(sql $db "SELECT count(*) FROM turn t JOIN call c ON c.id = t.call GROUP BY t.sample" | sort -u)" 15 "answers, each asked once"
is "$(sql $db "SELECT count(*) FROM call WHERE instr(request, '\"stream\":true') > 0")" 15 "answers that streamed"
