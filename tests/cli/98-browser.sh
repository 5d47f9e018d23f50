#!/usr/bin/env bash
# Raters and administrators in a real browser, on a phone-sized screen.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

need_browser

db=browser.db

# ---- a run: three systems, four passages, one text that is hostile and one that tells who wrote it

gate suite.yaml
echo 'rules: {identity: note}' >>suite.yaml
cat >wily.jsonl <<'END'
{"item": "one", "text": "<script>window.pwned=1</script><img src=x onerror=\"window.pwned=1\">A friend."}
{"item": "two", "text": "\u202eretsarf\u202c is the word </p></fieldset><script>window.pwned=1</script>"}
{"item": "three", "text": "From the hills, javascript:window.pwned=1, and tired."}
{"item": "four", "text": "{{prompt}} &lt;b&gt; <b>bold</b>"}
END
cat >plain.jsonl <<'END'
{"item": "one", "text": "Only the miller."}
{"item": "two", "text": "I have forgotten it."}
{"item": "three", "text": "From the mill."}
{"item": "four", "text": "Your lamp, and no other."}
END
cat >quick.jsonl <<'END'
{"item": "one", "text": "Me."}
{"item": "two", "text": "Open."}
{"item": "three", "text": "As an AI language model I come from nowhere."}
{"item": "four", "text": "Dark."}
END
cat >models.yaml <<'END'
models:
  - {name: wily-model, kind: recorded, file: wily.jsonl}
  - {name: plain-model, kind: recorded, file: plain.jsonl}
  - {name: quick-model, kind: recorded, file: quick.jsonl}
END
"$AUDITION" run suite.yaml -m wily-model -m plain-model -m quick-model --db $db -q >/dev/null

# ---- the server, on a free port

start "$AUDITION" serve --port 0 --db $db >serve.out 2>&1
until_true "the server" 20 grep -q code serve.out
BASE=$(sed -n 's/^serving .* at \(http[^ ]*\).*/\1/p' serve.out)
export BASE
code=$(sed -n 's/.*code \([A-Z0-9-]*\)$/\1/p' serve.out)

browse admin "$code" before >links || fail "an administrator, before"
mapfile -t links < <(grep /invite/ links)
[ "${#links[@]}" -eq 3 ] || fail "three links were to be made"
browse rater "${links[@]}" || fail "a rater"
"$AUDITION" campaign show comic --db $db >out
says out 'reported a text of ' ': rude' "--db $db --show, or --hide"

cat >learn.yaml <<'END'
campaign: learn
passages_per_rater: 2
practice: {texts: 1, attempts: 2, silent: 0, again_items: 1}
examples:
  - {prompt: "A?", answer: "Aa.", score: {overall: 1, fluent: 1}, reason: "Because of A."}
  - {prompt: "B?", answer: "Bb.", score: {overall: 1, fluent: 1}}
  - {prompt: "C?", answer: "Cc.", score: {overall: 1, fluent: 1}}
END
"$AUDITION" campaign new learn.yaml --db $db >/dev/null
"$AUDITION" campaign open learn --db $db >/dev/null
link=$("$AUDITION" campaign invite learn --url "$BASE" --db $db)
browse practice "$link" || fail "practice"

# A room full of raters comes from one address: right links are not counted, wrong ones are.
status() { curl -s -o /dev/null -w '%{http_code}' "$1"; }
link=$("$AUDITION" campaign invite comic --url "$BASE" --db $db)
for _ in {1..15}; do
    [ "$(status "$link")" = 200 ] || fail "a right link was counted against its network"
done
for _ in {1..10}; do
    status "$BASE/invite/wrong-wrong" >/dev/null
done
[ "$(status "$BASE/invite/wrong-wrong")" = 429 ] || fail "wrong links can be tried without end"

browse admin "$code" after || fail "an administrator, after"

# Nothing that lets somebody in is in the log.
for link in "${links[@]}"; do
    ! grep -q "${link##*/}" serve.out || fail "the log holds an invitation"
done
