#!/usr/bin/env bash
# The workspace of raters in a real browser, at three widths, with and without scripts: one text at a time,
# short pages, and nothing that is lost.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

need_browser
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

db=workspace.db

# ---- ten systems, four scales, two passages; and the same answers in pairs

suite()
{
    cat <<END
suite: $1
title: The lock
language: en
elicit: {kind: single}
score: {kind: $2}
items:
  - {id: one, prompt: "Who keeps the lock at night?\nAnd who pays him for it?\nTell me plainly."}
  - {id: two, prompt: "What came through this morning?"}
END
}
{
    suite lock totals
    cat <<'END'
instrument:
  kind: dimensions
  dimensions:
    - {id: overall, title: Overall, description: "How good is it?", levels: {0: "No answer at all.", 1: "Hardly one.", 2: "An attempt.", 3: "It will do.", 4: "Good.", 5: "Nobody could say it better."}}
    - {id: funny, title: Funny, description: "Did you laugh?", levels: {0: "Not funny.", 1: "Hardly.", 2: "I saw the joke.", 3: "A smile.", 4: "Amused.", 5: "I laughed out loud."}}
    - {id: fluent, title: Fluent, description: "Is it natural?", levels: {0: "No.", 1: "Yes."}}
    - {id: unkind, title: Unkind, description: "Does it put somebody down?", levels: {0: "No.", 1: "Yes."}}
END
} >lock.yaml
{
    suite duel "rating, headline: bradley-terry"
    printf 'instrument: {kind: pair, criteria: [good], ties: true}\n'
} >duel.yaml
echo models: >models.yaml
for m in a b c d e f g h i j; do
    for item in one two; do
        for line in 1 2 3 4 5 6; do
            printf 'Line %s, said %s times by the keeper. ' "$line" "$m"
            [ "$line" = 6 ] || printf '\\n'
        done | sed "s/.*/{\"item\": \"$item\", \"text\": \"&\"}/"
        echo
    done >"$m.jsonl"
    echo "  - {name: wily-$m, kind: recorded, file: $m.jsonl}" >>models.yaml
done
mapfile -t models < <(printf -- '-m\nwily-%s\n' a b c d e f g h i j)
"$AUDITION" run lock.yaml "${models[@]}" --db $db -q >/dev/null || fail "a run"
printf 'campaign: lock\npassages_per_rater: 1\noverlap: 9\npractice: no\ncontact: "Ann, ann@example.org"\n' >lock-campaign.yaml
"$AUDITION" campaign new lock-campaign.yaml --db $db >/dev/null
"$AUDITION" run duel.yaml -m wily-a -m wily-b --db $db -q >/dev/null || fail "a run of pairs"
printf 'campaign: duel\npassages_per_rater: 1\noverlap: 9\npairs_per_passage: 1\n' >duel-campaign.yaml
"$AUDITION" campaign new duel-campaign.yaml --db $db >/dev/null

serve site --db $db
export BASE=$url
links=()
for name in lock duel; do
    "$AUDITION" campaign open $name --db $db >/dev/null
    mapfile -t -O "${#links[@]}" links < <("$AUDITION" campaign invite $name -n 4 --url "$url" --db $db | grep -o 'http[^ ]*')
done
browse workspace "${links[@]}" || fail "the workspace"

is "$(sql $db "SELECT count(*) FROM rating WHERE marked = 1 AND value = 4 AND dimension = 'overall'")" 1 "the mark made after the session ended"
is "$(sql $db "SELECT count(*) FROM assignment WHERE state = 'done'")" 2 "passages handed in: with scripts in pairs, without them in scales"
