#!/usr/bin/env bash
# Marks that are saved together: each has its own answer, and what is at fault with one touches no other.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v curl >/dev/null || skip "curl is not installed"
[ -n "${AUDITION_TEST_PG-}" ] || skip "no PostgreSQL"
command -v psql >/dev/null || skip "psql is not installed"
export AUDITION_DB=$AUDITION_TEST_PG

query()
{
    psql -X -q -A -t -d "$AUDITION_DB" -c "$1"
}

# put NAME WHO ASSIGNMENT CSRF BODY: a save, in the background; its status goes to NAME.is
put()
{
    curl -sS -m 60 -o "$1.answer" -w '%{http_code}' -b "$2" -X PUT -H "X-CSRF-Token: $4" \
        -H 'Content-Type: application/json' -d "$5" "$url/rate/$3/mark" >"$1.is" &
    waiting+=($!)
}

# hold TABLE ID: for three seconds nobody else changes this row
hold()
{
    query "BEGIN; SELECT id FROM $1 WHERE id = $2 FOR UPDATE; SELECT pg_sleep(3); COMMIT" >held &
    waiting=($!)
    until_true "the lock is held" 10 sh -c "psql -X -q -A -t -d '$AUDITION_DB' -c \
        \"SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3)%' AND wait_event = 'PgSleep'\" | grep -q 1"
}

# mark SLOT VERSION VALUE: a body
mark()
{
    printf '{"slot":"%s","dimension":"%s","value":"%s","comment":"it\\"s {so}, \\\\","client":"c%s","version":%s}' \
        "$1" "$dimension" "$3" "$RANDOM$RANDOM" "$2"
}

answered
opened gate 'about: []' 'code: lantern' 'panel: PID'
serve saves

declare -a id row slot csrf
for who in 0 1 2 3 4; do
    post 200 "r$who" /join/gate /join/gate -d code=lantern
    ask 200 "r$who" /rate
    if grep -q 'action="/rate/consent"' page; then
        ask 303 "r$who" /rate/consent -d "csrf=$(token)" -d agree=yes \
            -d "version=$(field version)"
        ask 200 "r$who" /rate
    fi
    ask 303 "r$who" /rate/next -d "csrf=$(token)"
    ask 200 "r$who" /rate
    csrf[who]=$(token)
    id[who]=$(sed -n 's/.*action="\/rate\/\([0-9a-f]*\)".*/\1/p' page | head -n 1)
    row[who]=$(query "SELECT MAX(id) FROM assignment")
    slot[who]=$(grep -o 'data-slot="[^"]*' page | head -n 1 | cut -d '"' -f 2)
    dimension=$(grep -o 'data-dimension="[^"]*' page | head -n 1 | cut -d '"' -f 2)
done

echo "one save waits for a lock; those that come meanwhile are saved together after it"
hold assignment "${row[0]}"
put first r0 "${id[0]}" "${csrf[0]}" "$(mark "${slot[0]}" 0 1)"
sleep 0.5
put good r1 "${id[1]}" "${csrf[1]}" "$(mark "${slot[1]}" 0 2)"
put theirs r2 "${id[1]}" "${csrf[2]}" "$(mark "${slot[1]}" 0 5)"
put forged r2 "${id[2]}" "${csrf[1]}" "$(mark "${slot[2]}" 0 5)"
put nobody none "${id[2]}" "${csrf[2]}" "$(mark "${slot[2]}" 0 5)"
put garbled r3 "${id[3]}" "${csrf[3]}" '{"slot":'
put elsewhere r3 "${id[3]}" "${csrf[3]}" "$(mark 0123456789abcdef 0 5)"
put beyond r3 "${id[3]}" "${csrf[3]}" "$(mark "${slot[3]}" 0 77)"
put same r4 "${id[4]}" "${csrf[4]}" "$(mark "${slot[4]}" 0 3)"
put again r4 "${id[4]^^}" "${csrf[4]}" "$(mark "${slot[4]}" 0 4)"
for p in "${waiting[@]}"; do wait "$p"; done
for want in first=200 good=200 theirs=404 forged=403 nobody=401 garbled=422 elsewhere=422 beyond=422; do
    is "$(cat "${want%=*}.is")" "${want#*=}" "${want%=*}"
done
says beyond.answer '{"error":"77 is not allowed for '"'$dimension'"'"}'
is "$(sort same.is again.is | tr '\n' ' ' | tr -d ' ')" 200409 "two of one rater: one is saved, the other told of it"
is "$(query "SELECT assignment, COUNT(*), MAX(version) FROM rating GROUP BY assignment ORDER BY assignment" | tr '\n' ' ')" \
    "${row[0]}|1|1 ${row[1]}|1|1 ${row[4]}|1|1 " "what is stored"
is "$(query "SELECT DISTINCT comment FROM rating")" "it\"s {so}, \\" "words as they came"

echo "a passage that is closed meanwhile has nothing saved any more, and the others do"
hold assignment "${row[0]}"
put first r0 "${id[0]}" "${csrf[0]}" "$(mark "${slot[0]}" 1 2)"
sleep 0.5
put gone r2 "${id[2]}" "${csrf[2]}" "$(mark "${slot[2]}" 0 2)"
put stays r3 "${id[3]}" "${csrf[3]}" "$(mark "${slot[3]}" 0 2)"
query "UPDATE assignment SET state = 'closed' WHERE id = ${row[2]}"
for p in "${waiting[@]}"; do wait "$p"; done
is "$(cat first.is stays.is gone.is)" 200200410 "answers"
is "$(query "SELECT COUNT(*) FROM rating WHERE assignment = ${row[2]}")" 0 "what is stored of it"
says saves.log 'route=/rate/{id}/mark status=200'

echo "what was handed in, and a campaign that is closed for now, are told apart"
query "UPDATE assignment SET state = 'done' WHERE id = ${row[1]}"
waiting=()
put over r1 "${id[1]}" "${csrf[1]}" "$(mark "${slot[1]}" 1 3)"
wait "${waiting[0]}"
"$AUDITION" campaign close gate >/dev/null
put closed r0 "${id[0]}" "${csrf[0]}" "$(mark "${slot[0]}" 2 3)"
wait "${waiting[1]}"
is "$(cat over.is closed.is)" 410400 "answers"
says over.answer '{"error":"this has been submitted and cannot be changed"}'
says closed.answer '{"error":"This study is closed at the moment. Your marks are kept in this browser'

echo "a panel's number takes part once, whichever server it comes through at the same moment"
"$AUDITION" campaign open gate >/dev/null
for who in 5 6; do
    ask 200 "r$who" '/join/gate?PID=7b'
    csrf[who]=$(token)
done
at=([5]="$url")
serve second
at[6]=$url
hold campaign "$(query "SELECT id FROM campaign")"
for who in 5 6; do
    curl -sS -m 60 -o "$who.answer" -w '%{http_code}' -b "r$who" --data-urlencode "csrf=${csrf[who]}" -d code=lantern \
        -d panel=7b "${at[who]}/join/gate" >"$who.is" &
    waiting+=($!)
done
for p in "${waiting[@]}"; do wait "$p"; done
is "$(sort 5.is 6.is | tr '\n' ' ' | tr -d ' ')" 200409 "one of two with the same number"
is "$(query "SELECT COUNT(*) FROM rater WHERE panel = '7b'")" 1 "raters with this number"
