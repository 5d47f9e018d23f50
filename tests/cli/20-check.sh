#!/usr/bin/env bash
# `audition check`: every mistake at once, each at its place.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

cat >good.yaml <<'END'
suite: small
language: en
elicit: {kind: single, repeats: 3}
instrument:
  kind: dimensions
  dimensions:
    - id: quality
      levels: {1: "In character", 0.5: "Almost", 0: "Not at all"}
items:
  - {id: hello, prompt: "Hello, who are you?"}
  - {id: rain, prompt: "It rains again."}
END

echo "a good file is called good"
expect 0 check good.yaml
says out 'good.yaml: ok (2 items, 3 repeats, 1 dimension)'
[ ! -s err ]
expect 0 check --json good.yaml
[ "$(cat out)" = '[]' ]

echo "all mistakes of two files and their items"
sed -e 's/kind: single, repeats: 3/kind: singel, repeats: 0/' -e 's/id: rain, //;s/prompt: "It/prmpt: "It/' \
    good.yaml >bad.yaml
sed 's/^items:.*/items: items.jsonl/;/^  - {id: [hr]/d' good.yaml >second.yaml
printf '%s\n' '{"id": "a", "prompt": "one"}' '{"id": "a", "prompt": "two"}' '{"id": ' >items.jsonl
expect 1 check bad.yaml second.yaml good.yaml
says out 'good.yaml: ok'
lacks out bad.yaml
lacks out second.yaml
grep -qE '^bad\.yaml:3:[0-9]+: error: ' err
grep -qE '^bad\.yaml:11:[0-9]+: error: ' err
grep -qE '^items\.jsonl:2:' err
grep -qE '^items\.jsonl:3:' err
grep -q '\^' err
tail -n 1 err | grep -qE '^[0-9]+ errors'

echo "the same for programs"
expect 1 check --json bad.yaml second.yaml
[ "$(wc -l <out)" -eq 1 ]
says out '"file":"bad.yaml","line":3'
says out '"level":"error"'
says out '"file":"items.jsonl"'

echo "a warning is said, and is no failure"
sed 's/^    - id: quality/    - {id: length, scale: 0..10}\n&/' good.yaml >mixed.yaml
expect 0 check mixed.yaml
says out 'mixed.yaml: ok'
says err 'mixed.yaml:4:1: warning: dimensions have different scales (0..10, 0..1)'

echo "dimensions in a file that suites share"
sed -n '/^  dimensions:/,/^      levels/s/^  //p' good.yaml >rubric.yaml
sed 's/^  kind: dimensions/  use: rubric.yaml/;/^  dimensions:/,/^      levels/d' good.yaml >shared.yaml
expect 0 check shared.yaml
says out 'shared.yaml: ok (2 items, 3 repeats, 1 dimension)'
sed -i 's/levels: {1/levels: {0.2/' rubric.yaml
expect 1 check shared.yaml
grep -qE '^rubric\.yaml:[0-9]+:[0-9]+: error: ' err

echo "models.yaml is looked at too"
printf 'models:\n  - {name: a, base_url: "ftp://x", tiemout: 3}\n' >models.yaml
expect 1 check good.yaml
grep -qE '^models\.yaml:2:' err
says err 'timeout'
printf 'models:\n  - {name: a, base_url: "http://127.0.0.1:1"}\n' >models.yaml
expect 0 check good.yaml
says out 'models.yaml: ok (1 model)'
expect 0 check models.yaml
[ "$(cat out)" = 'models.yaml: ok (1 model)' ] || fail "models.yaml was taken for a suite"
expect 1 check -c absent.yaml good.yaml
says err 'absent.yaml'

echo "an empty item file is named, and so is a folder without a suite"
printf '' >none.jsonl
sed 's/items.jsonl/none.jsonl/' second.yaml >empty.yaml
expect 1 check empty.yaml
grep -qE '^empty\.yaml:[0-9]+:[0-9]+: error: .*contain no items' err
mkdir -p folder
expect 1 check folder
says err 'folder contains no suite'

echo "a suite that is too large is told where its items can go; one that cannot be read is not"
{ sed '/^items:/q' good.yaml && yes '  - {prompt: "It rains again, and again, and again, and again."}' | head -n 150000; } >big.yaml
expect 1 check big.yaml
says err 'error: big.yaml: over 8 MB: move the items to a .jsonl or .csv file'
expect 1 run big.yaml -m a
says err 'big.yaml: over 8 MB: move the items to a .jsonl or .csv file'
expect 1 check second.yaml nowhere.yaml
lacks err 'move the items'

echo "a file that is not there"
expect 1 check nowhere.yaml
says err 'nowhere.yaml'

echo "run refuses a faulty suite, with all mistakes, and stores nothing"
expect 1 run bad.yaml -m a
grep -qE '^bad\.yaml:3:[0-9]+: error: ' err
grep -qE '^bad\.yaml:11:[0-9]+: error: ' err
says err 'nothing was asked'
expect 1 run second.yaml -m a
says err 'items.jsonl:2:'
[ ! -e audition.db ] || [ "$("$AUDITION" list --json | grep -c small)" -eq 0 ]
