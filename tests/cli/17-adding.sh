#!/usr/bin/env bash
# docs/ADDING.md is true: each recipe under tests/adding is a patch that touches what the recipe
# names and nothing else. All of them are applied to a copy of the sources, which is built, and what
# they add is there: a judge, a rule, a column, a command, a page, a key.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ "$AUDITION" = "$REPO/build/audition" ] || skip "the plain build follows the recipes"
command -v git >/dev/null || skip "git is not installed"

echo "what a newcomer reads first fits on a page"
[ "$(wc -w <"$REPO/docs/ARCHITECTURE.md")" -le 900 ] || fail "docs/ARCHITECTURE.md is longer than 900 words"

mkdir house
cp -a "$REPO"/{Makefile,src,sql,share,tools,scripts,docs,packaging} house
mkdir -p house/build
cp -a "$REPO"/build/{src,gen,tools} house/build # only what the recipes change is compiled again
cd house
for recipe in judge column command page key rule; do
    git apply "$REPO/tests/adding/$recipe.patch" || fail "$recipe: the patch does not apply any more"
done
# What the compiler warns of matters here, speed does not.
# shellcheck disable=SC2016 # make expands it
make --no-print-directory -j2 CFLAGS='-std=c17 -O0 -U_FORTIFY_SOURCE -fPIE $(WARN)' build/audition >../build.log 2>&1 || {
    tail -n 30 ../build.log
    fail "the copy with all recipes does not build"
}
cd ..
program=$PWD/house/build/audition

# says what a command of the new program prints
new()
{
    status 0 "$program" "$@"
}

cat >suite.yaml <<'END'
suite: added
title: What was added
language: en
elicit: {kind: single}
instrument: {dimensions: [{id: right, scale: 0..1, aim: 0.5}]}
rules: {shouting: note}
items: [{id: a, prompt: Say it, reference: GOOD}]
END
cat >models.yaml <<'END'
models: [{name: actor, kind: recorded, file: replies.jsonl}]
END
echo '{"item": "a", "text": "GOOD EVENING TO YOU ALL"}' >replies.jsonl

echo "== a judge, a column, a rule, a key"
new run suite.yaml -m actor --judge objective:begins -q
new board latest
says out asked
new board latest --json
says out '"value":1'
new flag latest
says out shouting
new help suite dimension
says out aim
echo "== a command"
new hello world
says out 'hello, world'
new hello 世界 --language ja
says out 'こんにちは、世界'
echo "== a page"
start "$program" serve --port 0 --db pages.db >serve.out 2>&1
until_true "the server" 20 grep -qE '127\.0\.0\.1:[0-9]+' serve.out
port=$(grep -oE '127\.0\.0\.1:[0-9]+' serve.out | head -n 1)
curl -s "http://$port/hello" >page
says page '<h1>Hello</h1>'
