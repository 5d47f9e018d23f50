#!/usr/bin/env bash
# docs/ADDING.md is true: a recipe under tests/adding is a patch that follows it, and touches only what the
# recipe names. All of them are applied to a copy of the sources, which is built. The tests that the patches
# bring along pass, and what they add is there: a judge, a rule, a column, a command, a page, a key.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ "$AUDITION" = "$REPO/build/audition" ] || skip "the plain build follows the recipes"
command -v git >/dev/null || skip "git is not installed"

echo "what a newcomer reads first fits on a page"
[ "$(wc -w <"$REPO/docs/ARCHITECTURE.md")" -le 900 ] || fail "docs/ARCHITECTURE.md is longer than 900 words"

# named RECIPE FILE: does the recipe name the file, as `src/a.c`, `share/words/{en,zh}`, `src/cmd/cmd_NAME.c` or [A.md](A.md)?
named()
{
    local pattern

    # shellcheck disable=SC2016,SC2053 # backquotes are meant, and it is a pattern
    while read -r pattern; do
        [[ $2 != $pattern ]] || return 0
    done < <(
        awk -v head="^## A $1( |:|$)" '/^## / { on = !found && $0 ~ head; found = found || on } on' "$REPO/docs/ADDING.md" |
            grep -oE '`[^` ]+/[^` ]+`|\]\([A-Z]+\.md' |
            sed -E 's/^\]\(/docs\//; s/`//g; s/NAME|NN/*/g; s/\{/@(/g; s/\}/)/g; s/,/|/g'
    )
    return 1
}

echo "a recipe names every file that its patch changes, and one of them is a test"
recipes=(judge column command page key rule)
for recipe in "${recipes[@]}"; do
    sed -n 's/^+++ b\///p' "$REPO/tests/adding/$recipe.patch" >files
    grep -q ^tests/ files || fail "$recipe.patch tests nothing"
    while read -r file; do
        named "$recipe" "$file" || fail "docs/ADDING.md: the recipe for a $recipe does not name $file"
    done <files
    ! named "$recipe" src/base/str.c || fail "docs/ADDING.md: the recipe for a $recipe names everything"
done

mkdir -p house/build house/tests
cp -a "$REPO"/{Makefile,src,sql,share,tools,scripts,docs,packaging} house
cp -a "$REPO"/tests/{*.sh,cli,fixtures,unit} house/tests
cp -a "$REPO"/build/{src,gen,tools} house/build # only what the recipes change is compiled again
cd house
for recipe in "${recipes[@]}"; do
    git apply "$REPO/tests/adding/$recipe.patch" || fail "$recipe: the patch does not apply any more"
done
units=(build/tests/test_{flag,objective,report_build,suite,suite_rules})
# What the compiler warns of matters here, speed does not.
# shellcheck disable=SC2016 # make expands it
make --no-print-directory -j2 CFLAGS='-std=c17 -O0 -U_FORTIFY_SOURCE -fPIE $(WARN)' build/audition "${units[@]}" >../build.log 2>&1 || {
    tail -n 30 ../build.log
    fail "the copy with all recipes does not build"
}

echo "the tests of the recipes pass, and every text has its translations"
for unit in "${units[@]}"; do
    "$unit" >../unit.log 2>&1 || {
        cat ../unit.log
        fail "$unit"
    }
done
scripts/messages.pl || fail "share/words/messages"
program=$PWD/build/audition
AUDITION=$program scripts/keys.sh
# shellcheck disable=SC2016 # backquotes are meant
says docs/SUITES.md '| `aim` |' '| `shouting` |'
says share/schema/suite.schema.json '"aim"' '"shouting"'
for script in 10-usage 200-hello 95-serve; do
    mkdir "../$script"
    (cd "../$script" && REPO=${program%/build/*} AUDITION=$program "$OLDPWD/tests/cli/$script.sh" >log 2>&1) || {
        tail -n 30 "../$script/log"
        fail "$script.sh"
    }
done
cd ..

# new ARGUMENT...: what a command of the new program prints
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
items: [{id: a, prompt: Say it, reference: GOOD}, {id: b, prompt: Say more, reference: GOOD}, {id: c, prompt: Whisper, reference: GOOD}]
END
cat >models.yaml <<'END'
models: [{name: actor, kind: recorded, file: replies.jsonl}]
END
printf '{"item": "%s", "text": "%s"}\n' a "GOOD EVENING TO YOU ALL" b "GOOD NIGHT TO EVERYBODY" c "Good night." >replies.jsonl

echo "a judge, a rule, a key"
new run suite.yaml -m actor --judge objective:begins -q
new flag latest
says out shouting
new help suite dimension
says out aim
new help suite rules
says out shouting

echo "a column, in all five forms"
new board latest
is "$(awk '$1 == "model" { head = $NF } $1 == "actor" { print head, $NF }' out)" "flags 2" "the board"
for form in html md csv json; do
    new report latest -o "report.$form"
done
says report.html 'data-title="flags">2</td>'
says report.md '| flags |' '| actor | 0.667 (1) | 3 | 0 | 2 |'
says report.csv ',actor,raised,2,'
says report.json '"raised":2,'
