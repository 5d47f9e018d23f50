#!/usr/bin/env bash
# A model with a template of its own: what it is asked, what is kept, what is planned anew when the
# template changes, and what is said of one that does not fit.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

command -v python3 >/dev/null || skip "python3 is not installed"
mock llm --latency 0
cat >suite.yaml <<'END'
suite: next-line
language: ja
character: {id: mo, name: 遠見, text: 灯台の番をしている老人。}
elicit:
  kind: continue
  template: "続けてください：{{prompt}}"
instrument: {dimensions: [{id: fits, scale: 0..5}]}
items:
  - {id: storm, prompt: 嵐の夜。, weather: rain}
  - id: talk
    weather: fog
    turns:
      - {role: user, text: 誰だ？}
      - {role: assistant, text: 番人だ。}
      - {role: user, text: 入れてくれ。}
END
models() # TEMPLATE of base, as YAML
{
    cat >models.yaml <<END
models:
  - {name: chat, base_url: "http://127.0.0.1:$port", key: none}
  - name: base
    base_url: http://127.0.0.1:$port
    key: none
    template: $1
END
}
own='{system: "", user: "{{character}}{{prompt}}（{{weather}}）{{character_name}}「"}'

# asked MODEL ITEM: the messages of its request, one a line
asked()
{
    "$AUDITION" show latest -m "$1" --item "$2" --raw --json >shown.json
    python3 - <<'END'
import json
for m in json.loads(json.load(open("shown.json"))[0]["request"])["messages"]:
    print(m["role"] + ": " + m["content"])
END
}

models "$own"
"$AUDITION" check suite.yaml >out 2>&1 || fail "check: $(cat out)"
"$AUDITION" run suite.yaml -m chat -m base -q >/dev/null
expect_same()
{
    [ "$1" = "$2" ] || fail "expected: $2"$'\n'"got: $1"
}
expect_same "$(asked chat storm)" "system: 灯台の番をしている老人。
user: 続けてください：嵐の夜。"
expect_same "$(asked base storm)" "user: 灯台の番をしている老人。嵐の夜。（rain）遠見「"
# dialogue goes along as it is; the template shapes the last message
expect_same "$(asked base talk)" "user: 誰だ？
assistant: 番人だ。
user: 灯台の番をしている老人。入れてくれ。（fog）遠見「"
"$AUDITION" show latest -m base --item storm >out
grep -q "its own template" out || fail "show does not tell the template"
grep -qF '（{{weather}}）' out || fail "show does not have its words"
"$AUDITION" show latest -m chat --item storm | grep -q "its own" && fail "chat has none"

# without a system text the suite's stays
models '"{{prompt}}{{character_name}}「"'
before=$(wc -l <llm.log)
runs=$("$AUDITION" list | wc -l)
"$AUDITION" run suite.yaml -m chat -m base -q >/dev/null
expect_same "$(asked base storm)" "system: 灯台の番をしている老人。
user: 嵐の夜。遠見「"
# another template is another run, in which only that model is asked again
expect_same "$(($("$AUDITION" list | wc -l) - runs))" 1
expect_same "$(($(wc -l <llm.log) - before))" 2
# and the one before is there again with its own
models "$own"
before=$(wc -l <llm.log)
"$AUDITION" run suite.yaml -m chat -m base -q >/dev/null
expect_same "$(($(wc -l <llm.log) - before))" 0

# a run goes on with the template that it began with
models '"Other: {{prompt}}"'
"$AUDITION" run --resume latest -q >/dev/null 2>err || fail "resume"
grep -q "template differ" err || fail "a changed template is not said: $(cat err)"
"$AUDITION" run --resume latest -m base -q >/dev/null 2>err && fail "two models of one name"
grep -q "parameters or template differ" err || fail "$(cat err)"

# a judge's template is the judge's: that of its models.yaml entry has no say
models "$own"
"$AUDITION" run suite.yaml -m chat --judge base -q >/dev/null 2>&1 || [ $? -eq 3 ]
models '"Other: {{prompt}}"'
before=$(wc -l <llm.log)
"$AUDITION" run suite.yaml -m chat --judge base -q >out 2>&1 || [ $? -eq 3 ]
grep -q "another model" out && fail "$(cat out)"
expect_same "$(($(wc -l <llm.log) - before))" 0

# what no item fills: a warning where suites are checked, a fault where the model is asked
models '"{{prompt}} {{season}}"'
"$AUDITION" check suite.yaml >out 2>&1 || fail "a model for other suites is no fault"
grep -q "^models.yaml:6:15: warning: base cannot answer suite.yaml: the item has no 'season', which the template of base uses" out ||
    fail "$(cat out)"
printf 'collection: one\nsuites:\n  - {file: suite.yaml}\n' >one.yaml
"$AUDITION" check one.yaml >out 2>&1 || fail "nor for suites of a collection"
grep -q "warning: base cannot answer suite.yaml" out || fail "$(cat out)"
"$AUDITION" run suite.yaml -m chat --dry-run >/dev/null
for how in --dry-run -q; do
    "$AUDITION" run suite.yaml -m base $how >out 2>&1 && fail "asked with a hole"
    grep -q "^suite.yaml:9:5: error: the item has no 'season', which the template of base uses" out ||
        fail "$how: $(cat out)"
done
# ... also where the items are stored already
sed 's/name: base/name: late/' models.yaml >late.yaml && mv late.yaml models.yaml
"$AUDITION" run --resume latest -m late -q >out 2>&1 && fail "asked with a hole, later"
grep -q "^models.yaml:6:15: error: item 'storm' has no 'season', which the template of late uses" out ||
    fail "$(cat out)"

# broken ones are faults wherever models.yaml is read
models '"{{prompt}} {{reference}}"'
for command in "check suite.yaml" "run suite.yaml -m chat" doctor; do
    # shellcheck disable=SC2086 # words
    "$AUDITION" $command >out 2>&1 && fail "$command took it"
    grep -q "models.yaml:6:15: error: the template 'inline' uses {{reference}}, which models must not see" out ||
        fail "$command: $(cat out)"
done
sed '/^character/d; s/template: .*/template: "{{prompt}}"/' suite.yaml >nobody.yaml
models "$own"
"$AUDITION" run nobody.yaml -m base -q >out 2>&1 && fail "a character that is not there"
grep -q "^models.yaml:6:15: error: the template of base uses {{character}}, but the suite has no character" out ||
    fail "$(cat out)"
