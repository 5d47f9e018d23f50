#!/bin/sh
# `audition check`: every mistake at once, each at its place.
set -eu

expect()
{
    want=$1
    shift
    echo "audition $*"
    code=0
    "$AUDITION" "$@" >out 2>err || code=$?
    [ "$code" -eq "$want" ] || { echo "ended with $code, not $want"; cat out err; exit 1; }
}

says()
{
    grep -qF -e "$2" "$1" || { echo "$1 lacks: $2"; cat "$1"; exit 1; }
}

# lacks TEXT FILE...
lacks()
{
    text=$1
    shift
    if grep -qF -e "$text" "$@"; then
        echo "should not be there: $text"
        exit 1
    fi
}

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
lacks bad.yaml out
lacks second.yaml out
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

echo "models.yaml is looked at too"
printf 'models:\n  - {name: a, base_url: "ftp://x", tiemout: 3}\n' >models.yaml
expect 1 check good.yaml
grep -qE '^models\.yaml:2:' err
says err 'timeout'
printf 'models:\n  - {name: a, base_url: "http://127.0.0.1:1"}\n' >models.yaml
expect 0 check good.yaml
says out 'models.yaml: ok (1 model)'
expect 1 check -c absent.yaml good.yaml
says err 'absent.yaml'

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
