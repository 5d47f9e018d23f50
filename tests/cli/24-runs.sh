#!/usr/bin/env bash
# Runs as people keep them: names, notes, tags, lists that are narrowed, and runs that go.
set -euo pipefail

# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

"$AUDITION" init . --language en >/dev/null
suite=suites/first.yaml
long=$(printf '渡%.0s' {1..40})
double() { printf '  - {name: %s, kind: recorded, file: replies/understudy.jsonl}\n' double "$long"甲 "$long"乙 >>models.yaml; }
double

# keep URL: all of it on one database
keep()
{
    export AUDITION_DB=$1

    status 0 "$AUDITION" run $suite -m understudy --judge prompter -q --name spring --note "before the change" --tag paper --tag two
    status 0 "$AUDITION" run $suite -m understudy -m double -q --seed 2
    second=$("$AUDITION" list --json | grep -o '"run":"[0-9a-f]*"' | cut -d'"' -f4 | head -n 1)

    # A name does in place of the id; nothing else may be called so.
    status 0 "$AUDITION" board spring
    says out "(spring)"
    status 0 "$AUDITION" board spring --json
    says out '"label":"spring"'; says out '"tags":["paper","two"]'; says out '"note":"before the change"'
    status 0 "$AUDITION" show spring --limit 1
    says out "note  before the change"
    status 2 "$AUDITION" describe "$second" --name spring
    says err "already called spring"
    status 2 "$AUDITION" describe "$second" --name 3f9c
    status 2 "$AUDITION" describe "$second" --name "two words"
    status 2 "$AUDITION" describe "$second" --tag "a,b c"
    status 0 "$AUDITION" describe "$second" --tag two --tag old --note $'line\033[2J'
    status 0 "$AUDITION" describe "$second" --untag old
    says out "tags  two"
    status 2 "$AUDITION" describe "$second" --note $'\xff'
    says err "--note: not valid UTF-8"
    status 0 "$AUDITION" describe "$second"
    ! grep -q "$(printf '\033')" out || fail "an escape of a note reached the terminal"

    # Two runs of a suite without a model in common are not compared, and can be published.
    status 0 "$AUDITION" run $suite -m double -m "$long"甲 -m "$long"乙 -q --seed 3
    status 0 "$AUDITION" run $suite -m understudy -q --seed 4 --name last
    status 0 "$AUDITION" publish apart
    # However long the names of models, each has a file.
    is "$(find apart -name 'model--*' | wc -l)" 4 "pages of models"
    status 2 "$AUDITION" board spring last --traffic
    status 2 "$AUDITION" report spring last --samples 3
    status 2 "$AUDITION" report model:double --sensitive
    says err "--sensitive needs a single run"
    lacks apart/runs/"$(sql "$AUDITION_DB" "SELECT name FROM run WHERE label = 'last'")".html \
        "$(sql "$AUDITION_DB" "SELECT name FROM run WHERE seed = 3")"
    status 0 "$AUDITION" rm last "$(sql "$AUDITION_DB" "SELECT name FROM run WHERE seed = 3")" -y

    # Lists are narrowed by everything that is shown.
    status 0 "$AUDITION" runs
    says out spring; says out "paper, two"
    for only in "--tag paper" "--judge prompter" "--state done" "--tag two --tag paper"; do
        # shellcheck disable=SC2086 # words of options
        status 0 "$AUDITION" list $only --json
        [ "$(grep -o '"run":' out | wc -l)" = 1 ] || fail "list $only does not show one run"
        says out '"label":"spring"'
    done
    status 0 "$AUDITION" list -m double --json
    [ "$(grep -o '"run":' out | wc -l)" = 1 ] || fail "list -m does not show one run"
    status 0 "$AUDITION" list --tag nobodys
    says err "no run matches"
    status 0 "$AUDITION" list --state "not judged" --suite first --json
    [ "$(grep -o '"run":' out | wc -l)" = 1 ] || fail "list --state does not show one run"
    status 0 "$AUDITION" list --since 2001-01-01 --until 2001-01-02 --json
    [ "$(cat out)" = "[]" ] || fail "a day long ago has runs"
    status 0 "$AUDITION" list --since 2001-01-01 --json
    [ "$(grep -o '"run":' out | wc -l)" = 2 ] || fail "--since leaves runs out"
    status 2 "$AUDITION" list --since yesterday
    says err "2026-11-15"
    status 2 "$AUDITION" list --state don
    says err "'don': expected done, unfinished" "did you mean 'done'"

    # A run that a campaign uses stays; nobody to ask is no yes.
    printf 'campaign: c\npassages_per_rater: 2\n' >c.yaml
    status 0 "$AUDITION" campaign new c.yaml --run spring
    status 2 "$AUDITION" rm spring --yes
    says err "used by a campaign: c"
    status 2 "$AUDITION" rm "$second" </dev/null
    says err "--yes"

    # One whose suite can no longer be read takes nothing else with it, and can go.
    sql "$AUDITION_DB" "UPDATE run SET frozen = '{', stale = 1, valued = -1 WHERE name = '$second'"
    status 1 "$AUDITION" doctor --deep
    says out "run $second can no longer be read (stored suite: "
    status 0 "$AUDITION" list
    says out "$second" spring
    status 0 "$AUDITION" publish published
    lacks published/runs.html "$second"
    serve damaged
    post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=a lantern for ada"
    for page in /runs /leaderboard '/leaderboard?suite=first' /models '/model?name=understudy' '/search?words=ferry'; do
        ask 200 ada "$page"
    done
    ask 400 ada "/runs/$second"
    stop "$serve_pid"
    status 0 "$AUDITION" rm "$second" --yes
    says out "removed run $second"
    status 1 "$AUDITION" board "$second"
    status 0 "$AUDITION" verify spring
    status 0 "$AUDITION" doctor --deep
}

keep "$PWD/a.db"
# Nothing of it is left in any table that belongs to runs; what another run was answered with stays.
for t in $(sqlite3 a.db "SELECT name FROM sqlite_master WHERE type = 'table'"); do
    if sqlite3 a.db "SELECT 1 FROM pragma_table_info('$t') WHERE name = 'run'" | grep -q 1 && [ "$t" != worker ]; then
        left=$(sqlite3 a.db "SELECT COUNT(*) FROM \"$t\" WHERE run NOT IN (SELECT id FROM run)")
        [ "$left" = 0 ] || fail "$t still has $left rows of a run that is gone"
    fi
done
[ -z "$(sqlite3 a.db 'PRAGMA foreign_key_check')" ] || fail "something refers to what is gone"

# Answers that were taken from a run that goes.
mock lend --reply-bytes 40
cat >models.yaml <<END
models:
  - {name: ann, base_url: "http://127.0.0.1:$port", key: none}
  - {name: bob, base_url: "http://127.0.0.1:$port", key: none}
END
export AUDITION_DB=$PWD/b.db
status 0 "$AUDITION" run $suite -m ann -q --name first
status 0 "$AUDITION" run $suite -m ann -m bob -q --name second
[ "$(sqlite3 b.db "SELECT COUNT(*) FROM sample s JOIN call c ON c.id = s.call WHERE s.run <> c.run")" -gt 0 ] ||
    fail "no reply was used twice: nothing is tested"
status 0 "$AUDITION" rm first -y
status 0 "$AUDITION" verify second
[ "$(sqlite3 b.db "SELECT COUNT(*) FROM sample WHERE call NOT IN (SELECT id FROM call)")" = 0 ] ||
    fail "an answer lost the call that it came from"

if [ -n "${AUDITION_TEST_PG:-}" ]; then
    "$AUDITION" init pg --language en >/dev/null
    (
        cd pg
        double
        keep "$("$REPO/tests/pg.sh" printenv AUDITION_TEST_PG)" # a database of its own
    )
fi
