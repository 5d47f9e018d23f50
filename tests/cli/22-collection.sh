#!/usr/bin/env bash
# Several suites, a folder and a collection: one command runs them, resumes them and ends with one board.
set -euo pipefail

# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# suite NAME: eight items with one right answer each
suite()
{
    printf 'suite: %s\nlanguage: en\ninstrument: {dimensions: [{id: right, scale: 0..10}]}\nitems:\n' "$1"
    for i in 1 2 3 4 5 6 7 8; do
        printf '  - {id: i%s, prompt: "%s %s?", reference: "yes %s"}\n' "$i" "$1" "$i" "$i"
    done
}

# replies N: the first N of eight are right
replies()
{
    for i in 1 2 3 4 5 6 7 8; do
        [ "$i" -le "$1" ] && printf '{"item": "i%s", "text": "yes %s"}\n' "$i" "$i" ||
            printf '{"item": "i%s", "text": "no"}\n' "$i"
    done
}

mkdir bench
suite near >bench/near.yaml
suite far >bench/far.yaml
cat >bench/bench.yaml <<'END'
collection: both
title: {en: Near and far, zh: 远近, ja: 遠近}
models: [good, poor]
judges: ["objective:exact"]
suites:
  - {file: near.yaml, weight: 3}
  - {file: far.yaml, title: The far one}
END
replies 6 >good.jsonl
replies 2 >poor.jsonl
replies 4 >late.jsonl
printf 'models:\n' >models.yaml
for m in good poor late; do
    printf '  - {name: %s, kind: recorded, file: %s.jsonl}\n' "$m" "$m" >>models.yaml
done
of() { sqlite3 :memory: "SELECT json_extract(CAST(readfile('out') AS TEXT), '$1')"; }

status 0 "$AUDITION" check bench/bench.yaml
says out 'near.yaml: ok (8 items' 'far.yaml: ok (8 items' 'bench.yaml: ok (2 suites)'
sed 's/far.yaml/fat.yaml/' bench/bench.yaml >bench/bad.yaml
status 1 "$AUDITION" check bench/bad.yaml
says err "bad.yaml:7:12: error: no suite 'fat.yaml' (did you mean 'far.yaml'?)"
status 1 "$AUDITION" run bench/bad.yaml
says err 'bad.yaml: the collection has faults'
printf 'suite: far\ntitle: [not closed\n' >bench/fat.yaml
status 1 "$AUDITION" check bench/bad.yaml
says err "bench/fat.yaml:2:8: error: this '[' is not closed"
rm bench/bad.yaml
status 0 "$AUDITION" check bench
says out 'near.yaml: ok (8 items' 'far.yaml: ok (8 items' 'bench.yaml: ok (2 suites)'

# In a folder without a collection every suite counts, at whatever depth, and one that cannot be read is not passed over.
mkdir -p several/deeper/characters
printf 'name: Maren\ntext: A ferrywoman.\n' >several/deeper/characters/maren.yaml
mv bench/fat.yaml several/
cp bench/near.yaml several/deeper/
for command in check 'run -m good'; do
    # shellcheck disable=SC2086 # two words
    status 1 "$AUDITION" $command several
    says err "several/fat.yaml:2:8: error: this '[' is not closed"
done
rm several/fat.yaml
status 0 "$AUDITION" check several
says out 'several/deeper/near.yaml: ok (8 items'
lacks err maren
for i in $(seq 200); do
    suite "s$i" >"several/$i.yaml"
done
status 1 "$AUDITION" run several -m good
says err '201 suites; at most 200 can be asked'
[ ! -e audition.db ] || fail "nothing was asked, but there is a database"
rm -r several
status 1 "$AUDITION" board bench
status 0 "$AUDITION" run bench --dry-run
[ ! -e audition.db ] || fail "a dry run left a database behind"
status 0 "$AUDITION" run bench -q
says out "Near and far"; says out "The far one"; says out "overall"
[ "$(sqlite3 audition.db 'SELECT COUNT(*) FROM run')" = 2 ] || fail "not two runs"

# The same command asks nobody and finds the same runs; a folder, its file and the name are one thing.
status 0 "$AUDITION" run bench/bench.yaml -q --json
[ "$(of '$.collection')" = both ] || fail "run --json of a collection is no single board"
[ "$(sqlite3 audition.db 'SELECT COUNT(*) FROM run')" = 2 ] || fail "the same command made other runs"
for name in both bench bench/bench.yaml; do
    status 0 "$AUDITION" board "$name" --json
    [ "$(of '$.models[0].model')" = good ] || fail "$name: the best is not first"
    [ "$(of '$.models[0].overall.value')" = 75.0 ] || fail "$name: overall is not 75"
done
# 3/4 and 1/4 of independent intervals: each limit as far as sqrt(w1^2 d1^2 + w2^2 d2^2).
sqlite3 :memory: "WITH j AS (SELECT CAST(readfile('out') AS TEXT) AS t)
    SELECT abs(75 - sqrt(.0625 * 9 * d * d + .0625 * d * d) - lo) < 1e-9 FROM (SELECT
    75 - json_extract(t, '\$.models[0].suites.near.lo') AS d, json_extract(t, '\$.models[0].overall.lo') AS lo FROM j)" |
    grep -qx 1 || fail "the interval is not the combined one"
[ "$(of '$.suites[0].judges')" = objective:exact ] || fail "a column does not say whose it is"

# A model that came later has no score in one suite: a dash and what is missing, never a zero.
status 0 "$AUDITION" run bench/near.yaml -m late --judge objective:exact -q
runs=$("$AUDITION" list --json | grep -o '"run":"[0-9a-f]*"' | cut -d'"' -f4 | head -n 3)
# shellcheck disable=SC2086 # a word a run
status 0 "$AUDITION" board $runs --json
[ "$(of '$.models[2].model')" = late ] || fail "who is not complete does not stand last"
[ "$(of '$.models[2].overall')" = "" ] || fail "an overall of a part of the suites"
[ "$(of '$.models[2].missing')" = far ] || fail "what is missing is not said"
[ "$(of '$.models[2].suites.near.value')" = 50.0 ] || fail "its one score is not shown"
# shellcheck disable=SC2086
status 0 "$AUDITION" board $runs
says out "not scored"
status 100 "$AUDITION" board both --fail-under 60
says err "poor: the score 25 is below 60"
status 0 "$AUDITION" run bench -m late -q
says out "late"
status 0 "$AUDITION" board both --json
[ "$(of '$.models[1].overall.value')" = 50.0 ] || fail "a model that ran later is not on the board"

# All five forms.
for form in html md json csv txt; do
    status 0 "$AUDITION" report both -o "r.$form"
    says "r.$form" late
done
says r.csv "both,good,overall,75,"
says r.md "| good | 75.0 ["
says r.html "<title>Near and far</title>"
status 0 "$AUDITION" board both --language ja
says out 総合

# Runs that asked something else are left out, and the board says so.
sed -i 's/near 8?/near eight?/' bench/near.yaml
status 0 "$AUDITION" run bench -q
says out "is left out: it asked something different"

# Every run of it is verified, and one changed mark is found.
status 0 "$AUDITION" verify both
sqlite3 audition.db "UPDATE mark SET value = 10 WHERE value = 0"
status 1 "$AUDITION" verify both

# A folder without a collection, and several files; faults of all files come before anything is asked.
rm audition.db bench/bench.yaml
status 0 "$AUDITION" run bench -m good --judge objective:exact -q
says out "overall"
status 0 "$AUDITION" run bench/near.yaml bench/far.yaml -m good --judge objective:exact -q
[ "$(sqlite3 audition.db 'SELECT COUNT(*) FROM run')" = 2 ] || fail "files and folder differ"
echo 'suite: worst' >bench/worst.yaml
status 1 "$AUDITION" run bench -m poor -q
says err "no 'language'"
[ "$(sqlite3 audition.db 'SELECT COUNT(*) FROM run')" = 2 ] || fail "a faulty suite did not stop the others"

# The mean of a group is by weight, as that of all suites is.
{
    printf 'collection: group\nsuites:\n'
    for i in 1 2 3 4 5 6; do
        suite "one-$i" | grep -v '^  - ' >"one-$i.yaml"
        printf '  - {id: i%s, prompt: "%s?", reference: "yes %s"}\n' "$i" "$i" "$i" >>"one-$i.yaml"
        echo "  - {file: one-$i.yaml, group: ones, weight: $((i > 1 ? 1 : 3))}"
    done
} >group.yaml
status 0 "$AUDITION" run group.yaml -m poor --judge objective:exact --db group.db -q --json
is "$(of '$.models[0].overall.value')/$(of '$.models[0].overall.n')" 50.0/6 "the first two of six, of which one counts three times"

# Dialogues and casts: the collection names who plays the user. Scenes of one item make a group, whose interval is over scenes.
cp -R "$REPO/suites/dialogue" talk
mock talk --dimensions 'role=1|2|3|4|5,scene=1|2|3|4|5' --reply-bytes 60
# shellcheck disable=SC2154 # mock() sets it
printf 'models:\n  - {name: ann, base_url: "http://127.0.0.1:%s", model: ann}\n  - {name: critic, base_url: "http://127.0.0.1:%s", model: judge}\n' "$port" "$port" >talk.yaml
sed -i 's/^  turns: .*/  turns: 4/; /^ *each:/d; /^examples:/d; /^judge: {examples/d' talk/*.yaml
{
    printf 'collection: talk\nsuites:\n  - {file: talk/dialogue.en.yaml, kind: dialogue, user: script, weight: 0}\n'
    for i in 1 2 3 4 5 6; do
        sed "s/^suite: .*/suite: scene-$i/" talk/kitchen.en.yaml >"talk/scene-$i.yaml"
        echo "  - {file: talk/scene-$i.yaml, kind: cast, group: scenes}"
    done
} >talk-bench.yaml
status 0 "$AUDITION" bench info talk-bench.yaml --json
[ "$(of '$.kinds[0].items'),$(of '$.kinds[0].users'),$(of '$.kinds[1].suites')" = 10,8,6 ] || fail "$(cat out)"
# The judge knows the scales of scenes alone: dialogues stay without a score.
status 3 "$AUDITION" run talk-bench.yaml -m ann --judge critic -c talk.yaml --db talk.db --limit 2 -q --json
sqlite3 :memory: "WITH m AS (SELECT json_extract(CAST(readfile('out') AS TEXT), '\$.models[0]') AS t),
    s AS (SELECT json_extract(value, '\$.value') AS v FROM m, json_each(t, '\$.suites') WHERE key LIKE 'scene%')
    SELECT count(*), abs(avg(v) - (SELECT json_extract(t, '\$.overall.value') FROM m)) < 1e-9,
    (SELECT json_extract(t, '\$.overall.lo') < avg(v) FROM m) FROM s" | grep -qx '6|1|1' || fail "scenes are no group: $(cat out)"
status 0 "$AUDITION" run talk-bench.yaml -m ann --user script -c talk.yaml --db other.db --limit 1 -q
sed -i 's/, user: script//' talk-bench.yaml
status 2 "$AUDITION" run talk-bench.yaml -m ann -c talk.yaml --db other.db --limit 1 -q
says err "--user script"
stop "$mock_pid"

# Faults of a collection file, at their place.
cat >wrong.yaml <<'END'
collection: wrong
overal: mean
suites:
  - {file: bench/near.yaml, weight: -1}
  - {file: bench/near.yaml}
  - {file: models.yaml}
  - {file: nowhere.yaml}
END
status 1 "$AUDITION" run wrong.yaml -m good
says err "wrong.yaml:2:1"; says err "overall"
says err "wrong.yaml:4:37"
says err "wrong.yaml:5:12: error: two suites"
says err "is not a suite"
says err nowhere.yaml

echo "what a folder holds is not passed over: empty, without a target, without a right"
mkdir -p whole/shut
cp bench/far.yaml whole/far.yaml
: >whole/none.yaml
ln -s nowhere.yaml whole/gone.yaml
status 1 "$AUDITION" check whole
says err 'whole/none.yaml: error: the file is empty'
says err 'whole/gone.yaml: No such file or directory'
rm whole/none.yaml whole/gone.yaml
if [ "$(id -u)" != 0 ]; then
    chmod 000 whole/shut
    status 1 "$AUDITION" check whole
    says err 'whole/shut: the folder cannot be read'
    chmod 755 whole/shut
fi

echo "of two collections none is chosen in silence, nor is one taken apart beside another suite"
mkdir pair
cp bench/near.yaml bench/far.yaml pair
for id in one two; do
    printf 'collection: %s\nsuites: [{file: near.yaml}]\n' "$id" >pair/"$id".yaml
done
status 1 "$AUDITION" check pair
says err 'pair contains several collections; name one of them: pair/two.yaml'
status 1 "$AUDITION" run pair
says err 'pair contains several collections'
rm pair/two.yaml
status 2 "$AUDITION" run pair whole/far.yaml -m good
says err 'pair is a collection: run it by a command of its own'

echo "two suites by one name have a column each"
mkdir twins
cp bench/far.yaml twins/a.yaml
sed 's/"yes/"never/' bench/far.yaml >twins/b.yaml
status 0 "$AUDITION" run twins -m good --judge objective:exact -q --json
tail -n 1 out >last && mv last out
is "$(of '$.suites[0].suite')" far "the first column"
[ "$(of '$.suites[1].suite')" != far ] || fail "two columns have one name"
