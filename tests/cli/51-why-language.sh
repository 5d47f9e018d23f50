#!/usr/bin/env bash
# Why an answer or a verdict is missing is stored in English, and read by everybody in their own language.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

gate suite.yaml
sed -i 's/^language: .*/language: ja/' suite.yaml
for item in one two three; do
    printf '{"item": "%s", "text": "Only the miller."}\n' $item
done >part.jsonl
: >nothing.jsonl
printf 'models: [{name: %s, kind: recorded, file: %s}, {name: %s, kind: recorded, file: %s}]\n' \
    part part.jsonl silent nothing.jsonl >models.yaml
audition 3 run suite.yaml -m part --judge silent -q
why='the file has no reply for this item and repeat' zh='文件中没有这道题这次重复的回复' ja='ファイルにこの項目・この回の返答がありません'
is "$(sql audition.db "SELECT DISTINCT why FROM sample WHERE state = 'failed'")" "$why" "what is stored"

echo "reports are in the language of their suite"
for form in html md; do
    audition 0 report latest -o "r.$form"
    says "r.$form" "$ja"
    lacks "r.$form" "$why"
done
audition 0 report latest -o r.json # for programs
says r.json "$why"

echo "pages and commands in that of their reader"
audition 0 show latest --language zh
says out "$zh"
serve one
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode 'password=correct horse battery'
run=$(sql audition.db 'SELECT name FROM run')
failed=$(sql audition.db "SELECT id FROM sample WHERE state = 'failed'")
unjudged=$(sql audition.db "SELECT MIN(sample) FROM verdict WHERE state = 'failed'")
for path in "/runs/$run/method" "/runs/$run/samples/$failed" "/runs/$run/samples/$unjudged"; do
    ask 200 ada "$path" -H 'Accept-Language: zh-CN'
    says page "$zh"
    lacks page "$why"
    ask 200 ada "$path" -H 'Accept-Language: en'
    says page "$why"
done
