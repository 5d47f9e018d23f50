#!/usr/bin/env bash
# An interval in JSON is lo, hi and, where it is refused or needs a caution, why: whatever command prints it.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

# Of FILE: every interval, as where it is, whether it has ends, and whether it says why. A number that is
# not there has none.
intervals() # FILE
{
    sqlite3 :memory: "SELECT o.fullkey, json_type(o.value, '\$.lo') <> 'null' AND json_type(o.value, '\$.hi') <> 'null',
            json_extract(o.value, '\$.why') IS NOT NULL
        FROM json_tree(CAST(readfile('$1') AS TEXT)) o
        WHERE o.type = 'object' AND json_type(o.value, '\$.lo') IS NOT NULL AND NOT EXISTS (SELECT 1
            FROM json_tree(CAST(readfile('$1') AS TEXT)) v
            WHERE v.path = o.path AND o.key = v.key || '_interval' AND v.type = 'null')"
}

# No interval without ends and without a reason, none under another name.
one_shape() # COMMAND...
{
    echo "== $*"
    audition 0 "$@"
    intervals out >found
    [ -s found ] || fail "$*: no interval"
    if grep -q '|0|0$' found; then cat found; fail "$*: an interval is missing without a reason"; fi
    lacks out '_why"' 'alpha_lo"' 'icc_lo"' 'rate_lo"' 'controlled_lo"'
}

{
    echo unit,rater,value
    for u in 1 2 3 4 5 6 7 8 9 10; do
        for r in a b c; do echo "u$u,$r,$((u % 3))"; done
    done
} >perfect.csv
one_shape agree perfect.csv --level ordinal --json
says out '"alpha":1.0,"alpha_interval":{"lo":null,"hi":null,"why":"'
says out '"3,1":1.0,"3,1_interval":{"lo":null,"hi":null,"why":"' '"2,k_interval":{"lo":null,"hi":null,"why":"'
# what is nearly perfect has a lower end
one_shape agree perfect.csv --level nominal --json
says out '"alpha_interval":{"lo":0.' '"hi":1.0,"why":"'

{
    echo model_a,model_b,winner,prompt
    for p in 1 2 3 4 5 6 7 8 9 10; do echo "ann,bob,a,p$p"; done
} >sweep.csv
one_shape rank sweep.csv --json
says out '"win_rate_interval":{"lo":'
one_shape rank sweep.csv --system elo --json
says out '"lo":null,"hi":null,"why":"not-computed"'

mock calm
# shellcheck disable=SC2154 # mock() sets it
models models.yaml "$port"
dialogues talk.yaml 1 4
audition 0 run talk.yaml -m player --user script --db talk.db -q
one_shape board --db talk.db --json
says out '"never_broken":{"value":1.0,"lo":null,"hi":null,"n":1,"clusters":0,"method":"count","why":"not-computed"}'
