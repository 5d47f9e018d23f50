#!/usr/bin/env bash
# The benchmark: what there is of it, that it is clean, and that each fault an editor would mark is found.
set -euo pipefail

# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

of() { sqlite3 :memory: "SELECT json_extract(CAST(readfile('out') AS TEXT), '$1')"; }

echo "== the shipped one is clean, and counted"
status 0 "$AUDITION" bench check "$REPO/suites/bench"
status 0 "$AUDITION" bench info "$REPO/suites/bench" --json
[ "$(of '$.collection')" = bench ] || fail "not the benchmark"
[ "$(of '$.items')" -ge 17 ] || fail "items are not counted"
status 0 "$AUDITION" bench info "$REPO/suites/bench" --language zh
says out 有平行版
for task in info check; do
    status 1 "$AUDITION" bench $task # there is none here
    says err 'there is no suites/bench here' "audition bench $task PATH"
    [ ! -s out ] || fail "a table of nothing"
    status 1 "$AUDITION" bench $task missing
    says err "there is no file or folder missing"
done
echo 'models: []' >models.yaml # whose keys are no suite's
status 1 "$AUDITION" bench info models.yaml
says err "begin the file with 'suite: some-id'" "nothing to count"
[ ! -s out ] || fail "a table of nothing"
status 1 "$AUDITION" bench check models.yaml
rm models.yaml

echo "== every fault is found, with its file and item"
mkdir -p b/en b/zh b/ja
mark='canary of the test 0f3a'
cat >b/bench.yaml <<END
# $mark
collection: b
canary: $mark
suites:
  - {file: en/a.yaml, kind: memory}
  - {file: en/b.yaml, kind: break}
  - {file: zh/a.yaml, kind: memory}
  - {file: en/c.yaml, kind: facts, judges: ["objective:contains"]}
  - {file: ja/a.yaml, kind: memory}
END
suite()
{
    printf '# %s\nsuite: %s\nlanguage: %s\ncharacter: {name: Ida, text: "%s"}\n' "$mark" "$1" "$2" "$3"
    printf 'instrument: {dimensions: [{id: q, scale: 0..10}]}\nitems:\n'
}
card='card: {skills: [voice], difficulty: 2, hard: It is., weak: Less.}'
{
    suite a en 'Keeps a gate.'
    cat <<END
  - {id: long, $card, prompt: "Say {{n}}", reference: "It is {{n}}", slots: {n: [one, "one thousand two hundred and thirty-four and a half"]}}
  - {id: bare, prompt: "Who goes there at this hour?", reference: "A friend, and cold."}
  - {id: help, $card, prompt: "Can you open it?", reference: "As an AI language model, I cannot open gates."}
  - {id: list, $card, prompt: "What is in the hut?", reference: "## Hut\n- a stove\n- a chair"}
  - {id: lang, $card, prompt: "What is your word?", reference: "我叫门卫，请出示证件，谢谢合作。"}
  - {id: tone, $card, prompt: "How was the night?", reference: "It is important to note that the night was long."}
  - {id: same, $card, prompt: "The lamp over the gate has gone out again, who was to fill it?", reference: "Not me."}
END
} >b/en/a.yaml
{
    suite b en 'Somebody else altogether.'
    echo "  - {id: same2, $card, prompt: \"The lamp over the gate has gone out again; who was to fill it?\", reference: \"Him.\"}"
} >b/en/b.yaml
{
    suite c zh '守门的。'
    echo "  - {id: tone, $card, prompt: \"夜里怎么样？\", reference: \"长。\"}"
    echo "  - {id: you, $card, prompt: \"门开着吗？\", reference: \"您慢走，我送你到桥头。\"}"
    # shellcheck disable=SC1111 # the quotation marks of the language
    echo "  - {id: quoted, $card, prompt: \"门关了吗？\", reference: \"您慢走，他只说了一句“你也配”。\"}"
    echo "  - {id: wood, $card, prompt: \"船长，昨天夜里那批木材一共三十二根，其中四根被水冲走了，你记得是哪一天到港的吗？\", reference: \"不记得。\"}"
} >b/zh/a.yaml
{
    suite d ja '門番。'
    echo "  - {id: mixed, $card, prompt: \"門は？\", reference: \"もう閉めました。さっさと帰るんだな、いや、帰るんだ。\"}"
    echo "  - {id: two, card: {skills: [register], difficulty: 2, hard: a, weak: b}, prompt: \"鍵は？\", reference: \"旦那、鍵はここです。おい小僧、持ってくるんだ。\"}"
    echo "  - {id: timber, $card, prompt: \"船長、昨夜の木材は全部で三十二本、そのうち四本が水に流されましたが、港に着いたのはいつでしたか。\", reference: \"覚えていない。\"}"
} >b/ja/a.yaml
{
    suite e en 'A clock. It does not use contractions.'
    echo "  - {id: short, $card, prompt: \"The train at 10:42, 11:17 and 12:53: which did I take?\", reference: \"I don't know|never\"}"
    echo "  - {id: told, $card, prompt: \"You took the 10:42, did you not? Say it.\", reference: \"10:42\"}"
} >b/en/c.yaml
echo nothing >b/zh/stray.txt
status 1 "$AUDITION" bench check b
says err "b/zh/stray.txt lacks the canary"
says err "en/a.yaml: long: form 1 has"
says err "en/a.yaml: bare: its card lacks skills difficulty hard weak"
says err "en/a.yaml: help: the reference speaks as a program"
says err "en/a.yaml: list: the reference has markup"
says err "en/a.yaml: lang: the reference is in another language"
says err "en/a.yaml: tone: a lecture"
says err "en/a.yaml: same and en/b.yaml: same2: the prompt and the prompt are alike"
says err "two people are called Ida"
says err "zh/a.yaml: tone: en/a.yaml has an item of that name"
says err "zh/a.yaml: you: one speaker mixes two registers: 您 and 你"
lacks err "quoted: two registers"
says err "ja/a.yaml: mixed: one speaker mixes two registers"
lacks err "two: two registers"
says err "en/c.yaml: short: one speaker mixes two registers"
says err "ja/a.yaml: timber: zh/a.yaml: wood says much the same: translated?"
says err "en/c.yaml: told: repeating the prompt gets full marks from objective:contains"
status 1 "$AUDITION" bench check b --language ja
says err "目印（canary）がありません"

echo "== an item in training data, whoever says it there, and the canary"
cat >train.jsonl <<END
{"messages": [{"role": "user", "content": "the lamp over the gate has gone out again, who was to fill it"}, {"role": "assistant", "content": "Nobody."}]}
{"text": "something else"}
{"text": "a file with the $mark in it"}
END
status 1 "$AUDITION" bench check b --training train.jsonl --json
[ "$(of '$.in_training')" = 3 ] || fail "not three finds: $(cat out)"
says err "train.jsonl:1: the prompt of en/a.yaml: same appears there"
says err "train.jsonl:3: the canary appears there"
printf '{"text": "the lamp in the hall"}\n' >clean.jsonl
status 0 "$AUDITION" bench check "$REPO/suites/bench" --training clean.jsonl

echo "== in short: three models, every suite, one board; the same command asks nobody again"
mock play --dimensions 'fits-character=0|1|2|3|4|5,fits-story=0|1|2|3|4|5' --reply-bytes 60
{
    echo 'models:'
    for m in ann bob cy; do
        printf '  - {name: %s, base_url: "http://127.0.0.1:%s", model: %s, key: none}\n' "$m" "$port" "$m"
    done
} >models.yaml
status 0 "$AUDITION" run "$REPO/suites/bench" -m ann -m bob -m cy --limit 1 -q --json
[ "$(of '$.suites[8].suite')" = bench-en-decline ] || fail "not all suites are on the board"
asked=$(wc -l <play.log)
[ "$asked" -gt 20 ] || fail "nobody was asked"
status 0 "$AUDITION" run "$REPO/suites/bench" -m ann -m bob -m cy --limit 1 -q
[ "$(wc -l <play.log)" = "$asked" ] || fail "the same command asked again"
says out "not scored"

echo "suites that no collection names"
gate loose.yaml
audition 1 bench check loose.yaml
says err "loose.yaml names no 'canary'"
audition 0 bench info loose.yaml --json
says out '"kind":"gate"'
