#!/usr/bin/env bash
# Every page of the route table is walked over in a browser: most by 46, the others here. A new route that is in no walk fails.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

# What is no page: streams, files, ways back from elsewhere and to /rate. Feedback comes after practice: practice.mjs.
not='^/(healthz|static/.*|api/.*|login/sso/back|rate/my-data.json|runs/\{run\}/events|campaigns/\{name\}/(ratings\.csv|ratings\.jsonl|codebook\.md)|rate/\{id\}(|/report|/feedback))$'
says "$REPO/tests/browser/practice.mjs" 'sound(rater'
here=(/setup / /login /return /join/door /invite/token /me/second /confirm /accounts/1 /campaigns/door/state /runs/run/order /rate)
# shellcheck disable=SC2016 # variables of that script
mapfile -t explored < <(sed -n '/browse explore/,/fail "the explorer"/p' "$REPO/tests/cli/46-explore.sh" |
    sed 's|\$people|/campaigns/people|g; s/?[^ "]*//g; s|\$pair|a/b|g' | grep -oE '/[^ "]*')

left=$(sed -n 's/^ *{METHOD_GET, *"\([^"]*\)".*/\1/p' "$REPO/src/web/route_table.c" | grep -vE "$not" | while read -r route; do
    way="^$(sed 's/{[^}]*}/[^\/]+/g' <<<"$route")$"
    printf '%s\n' "${here[@]}" "${explored[@]}" | grep -cE "$way" >/dev/null || echo "$route"
done)
[ -z "$left" ] || fail "in no walk: $left"

need_browser

db=$PWD/pages.db
gate suite.yaml
for m in plain other; do
    for i in one two three four; do
        echo "{\"item\": \"$i\", \"text\": \"$m says $i.\"}" >>$m.jsonl
    done
done
printf 'models:\n  - {name: plain, kind: recorded, file: plain.jsonl}\n  - {name: other, kind: recorded, file: other.jsonl}\n' >models.yaml
audition 0 run suite.yaml -m plain -m other --db "$db" -q
printf 'campaign: door\npassages_per_rater: 2\npractice: no\nopen: yes\ncontact: "Ada, ada@example.org"\n' >door.yaml
audition 0 campaign new door.yaml --db "$db"
audition 0 campaign open door --db "$db"

start "$AUDITION" serve --port 0 --db "$db" >serve.out 2>&1
until_true "the server" 20 grep -q code serve.out
BASE=$(sed -n 's/^serving .* at \(http[^ ]*\).*/\1/p' serve.out)
export BASE
code=$(sed -n 's/.*code \([A-Z0-9-]*\)$/\1/p' serve.out)
run=$(sql "$db" "SELECT name FROM run")
one=$("$AUDITION" campaign invite door --url "$BASE" --db "$db") two=$("$AUDITION" campaign invite door --url "$BASE" --db "$db")
browse pages "$code" "$one" "{\"anyone\": [\"/\", \"/login\", \"/return\", \"/join/door\", \"${two#"$BASE"}\"], \"rater\": [\"/rate\"],
    \"staff\": [\"/\", \"/me/second\", \"/confirm\", \"/accounts/1\", \"/runs/$run/order\", \"/campaigns/door/state\"]}" ||
    fail "a page"
is "$(sql "$db" "SELECT state FROM campaign")" closed "the page that asks once more"
