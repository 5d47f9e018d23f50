#!/usr/bin/env bash
# An open arena: anybody joins, so many a day from one network; numbers of a panel take part once and go
# back with their completion code; a network that stuffs the ballot is flagged, and nothing is deleted.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
sed -i 's/by: model/by: person/; s/turns: 8/turns: 1/' fixtures/dialogue.yaml
battles fixtures/dialogue.yaml
mock arena
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<END
models:
  - {name: secretive-ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: secretive-eko, base_url: "http://127.0.0.1:$port", model: echo-eko}
END
cat >arena.yaml <<'Y'
campaign: arena
open: yes
per_network: 8
panel: PROLIFIC_PID
about: []
passages_per_rater: 2
answer_wait_seconds: 0
completion: {return_url: "https://panel.example.org/done?cc={code}&who={panel}", code: "C 7&x"}
Y

# join WANTED-STATUS JAR NETWORK [QUERY]
join()
{
    ask 200 "$2" "/join/arena${4-}" -H "X-Forwarded-For: $3"
    ask "$1" "$2" /join/arena -H "X-Forwarded-For: $3" --data-urlencode "csrf=$(token)" --data-urlencode "panel=$(field panel)"
}

# vote JAR NETWORK FOR: talk for a turn, then vote for (1) or against (0) the one that echoes
vote()
{
    local id name side

    ask 200 "$1" /rate -H "X-Forwarded-For: $2"
    id=$(found '/rate/([0-9a-f]+)/ask')
    ask 200 "$1" "/rate/$id/ask" -H "X-Forwarded-For: $2" --data-urlencode "csrf=$(token)" -d position=1 --data-urlencode "own=marzipan"
    # the turn is the last: both transcripts are there; the one with the word twice is the echo
    side=$(tr -d '\n' <page | sed 's/class="tag">B/\n&/' | awk '/class="tag">B/ { b = gsub(/marzipan/, "") } END { print (b > 1 ? "b" : "a") }')
    name=$(found 'name="v\.([^"]*)')
    [ "$side" = a ] && side=$3 || side=$((1 - $3))
    ask 303 "$1" "/rate/$id" -H "X-Forwarded-For: $2" --data-urlencode "csrf=$(token)" -d "v.$name=$side" -d "n.$name=0" -d then=submit
}

# come JAR NETWORK FIRST SECOND: join, agree, vote twice
come()
{
    join 200 "$1" "$2"
    ask 200 "$1" /rate -H "X-Forwarded-For: $2"
    ask 303 "$1" /rate/consent -H "X-Forwarded-For: $2" --data-urlencode "csrf=$(token)" -d agree=yes -d "version=$(field version)"
    ask 200 "$1" /rate -H "X-Forwarded-For: $2"
    ask 303 "$1" /rate/next -H "X-Forwarded-For: $2" --data-urlencode "csrf=$(token)"
    vote "$1" "$2" "$3"
    vote "$1" "$2" "$4"
}

walk()
{
    audition 0 run fixtures/dialogue.yaml -m secretive-ann -m secretive-eko --db "$db"
    audition 0 campaign new arena.yaml --db "$db"
    audition 0 campaign open arena --db "$db"
    serve site --db "$db" --trusted-proxy 127.0.0.1

    echo "== anybody joins, without a code"
    ask 200 x /join/arena
    says page 'without an account' 'Begin' 'Conversations'
    lacks page 'name="code"'

    echo "== one network fills the ballot for one system, until its day is over; others choose either"
    for i in 1 2 3 4 5 6 7 8; do
        come "stuffer$i" 203.0.113.9 1 1
    done
    join 429 stuffer9 203.0.113.9
    says page 'Enough people have joined from your network'
    for i in 1 2 3; do
        come "honest$i" "198.51.100.$i" 1 0
    done

    echo "== a panel's number: once, kept through the link, and back with the completion code"
    join 200 paid 198.51.100.7 '?PROLIFIC_PID=5f%20a'
    join 409 again 198.51.100.8 '?PROLIFIC_PID=5f%20a'
    says page 'participant number' 'href="/return"'
    is "$(rows "SELECT count(*), min(panel) FROM rater WHERE panel IS NOT NULL")" "1|5f a" "numbers"
    ask 200 paid /rate
    says page '/rate/withdraw' 'my-data.json'
    ask 303 paid /rate/consent --data-urlencode "csrf=$(token)" -d agree=yes -d "version=$(field version)"
    ask 200 paid /rate
    says page '/rate/withdraw' 'my-data.json'
    ask 303 paid /rate/next --data-urlencode "csrf=$(token)"
    vote paid 198.51.100.7 1
    vote paid 198.51.100.7 0
    ask 200 paid /rate
    says page 'https://panel.example.org/done?cc=C%207%26x&amp;who=5f%20a' 'in a few seconds' '/rate/withdraw' 'my-data.json'
    says head 'Refresh: 8; url=https://panel.example.org/done?cc=C%207%26x&who=5f%20a'
    ask 200 paid /rate/my-data.json
    says page '"panel":"5f a"'
    is "$(rows "SELECT count(*) FROM rater WHERE network LIKE '%0.113%' OR network LIKE '%51.100%'")" 0 "networks in clear"

    echo "== an invitation takes such a number too, and only one that is new"
    audition 0 campaign invite arena -n 2 --url "$url" --db "$db"
    grep -o '/invite/[^ ]*' out >links
    for number in 7b '5f%20a'; do
        link=$(head -n 1 links)
        sed -i 1d links
        ask 200 invited "$link?PROLIFIC_PID=$number"
        ask "$([ $number = 7b ] && echo 200 || echo 409)" invited "$link" --data-urlencode "csrf=$(token)" --data-urlencode "panel=$(field panel)"
    done
    is "$(rows "SELECT panel FROM rater WHERE panel IS NOT NULL ORDER BY panel" | tr '\n' ' ')" "5f a 7b " "numbers of both ways in"

    echo "== the crowd is flagged, the others are not, and every vote is there"
    audition 0 campaign close arena --db "$db"
    ask 200 late /join/arena
    says page 'This study is not open for ratings at the moment.'
    audition 0 campaign results arena --json --db "$db"
    is "$(rows "SELECT count(*) FROM outcome WHERE metric = 'sign:crowd' AND value > 3")" 8 "those who stuffed"
    is "$(rows "SELECT count(*) FROM outcome WHERE metric = 'sign:network' AND value > 1")" 8 "from one network"
    is "$(rows "SELECT count(*) FROM outcome WHERE metric = 'counts'")" 12 "nobody is deleted"
    audition 0 campaign show arena --db "$db"
    says out 'Crowd' '!'
    grep -qE ' 8!? +[0-9.]+!? *$' out || fail "eight of one network are not a count"
    audition 0 verify latest --db "$db"
    says out 'no differences'
    rows "UPDATE outcome SET value = value + 1 WHERE metric = 'sign:crowd'"
    audition 1 verify latest --db "$db"
    says err 'sign:crowd'
    rows "UPDATE outcome SET value = value - 1 WHERE metric = 'sign:crowd'"

    echo "== whoever has finished, or comes when it is closed, can withdraw too; neither number nor network is left"
    ask 200 invited /rate
    says page 'closed' '/rate/withdraw' 'my-data.json'
    post 200 paid /rate /rate/withdraw -d ratings=keep
    ask 200 honest1 /rate
    token=$(token)
    ask 403 honest1 /logout -H "X-Forwarded-For: 198.51.100.1" -d csrf=x
    ask 303 honest1 /logout -H "X-Forwarded-For: 198.51.100.1" --data-urlencode "csrf=$token"
    is "$(rows "SELECT what, count(*) FROM audit WHERE who = 'rater' AND detail = '' AND what IN ('refused.form', 'sign-out') GROUP BY what ORDER BY what" | tr '\n' ' ')" "refused.form|1 sign-out|1 " "what is in the log"
    is "$(rows "SELECT count(*) FROM audit WHERE detail LIKE '%51.100%'")" 0 "addresses of raters"
    is "$(rows "SELECT count(*) FROM rater WHERE panel = '5f a'")" 0 "numbers"
    is "$(rows "SELECT count(*) FROM rater WHERE network IS NOT NULL")" 12 "networks"
    stop "$serve_pid"
    rm -f x stuffer* honest* paid again invited
}

db=arena.db
rows()
{
    sql $db "$1"
}
walk

[ -n "${AUDITION_TEST_PG-}" ] || exit 0
command -v psql >/dev/null || exit 0
echo "== the same on PostgreSQL"
db=$AUDITION_TEST_PG
rows()
{
    psql -X -q -A -t -F '|' -d "$db" -c "$1"
}
walk
