#!/usr/bin/env bash
# An open arena without a cookie: every form holds a pass, good once and for one conversation. What
# somebody does who has read one, makes one up, sends one twice, or comes again and again.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v curl >/dev/null || skip "curl is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
sed -i 's/by: model/by: person/; s/turns: 8/turns: 3/' fixtures/dialogue.yaml
battles fixtures/dialogue.yaml
mock passes
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<END
models:
  - {name: secretive-ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: secretive-bob, base_url: "http://127.0.0.1:$port", model: no-stream-bob}
END
printf 'campaign: arena\nopen: yes\nper_network: 4\nabout: []\npassages_per_rater: 2\nanswer_wait_seconds: 0\n' >arena.yaml
sed 's/: arena/: other/' arena.yaml >other.yaml
printf 'campaign: coded\ncode: let me in\nabout: []\npassages_per_rater: 2\nanswer_wait_seconds: 0\n' >coded.yaml

# bare WANTED-STATUS PATH [CURL-OPTION...]: a browser that keeps nothing, and is handed no cookie to keep but that
# of whoever is nobody yet
bare()
{
    local want=$1 path=$2

    shift 2
    ask "$want" /dev/null "$path" -H "X-Forwarded-For: ${from-198.51.100.1}" "$@"
}

# pass ACTION: of the form of the last page that goes there
pass()
{
    found "action=\"$1\"[^>]*>[[:space:]]*<input type=\"hidden\" name=\"csrf\" value=\"([0-9a-f]*)"
}

# send WANTED-STATUS ACTION [CURL-OPTION...]: the form of the last page
send()
{
    local want=$1 action=$2

    shift 2
    bare "$want" "$action" --data-urlencode "csrf=$(pass "$action")" "$@"
    lacks head 'Set-Cookie' 'Location'
}

# join NAME: up to the first conversation, whose number goes to `id`
join()
{
    bare 200 "/join/$1"
    bare 200 "/join/$1" --data-urlencode "csrf=$(token)"
    lacks head 'Set-Cookie'
    words=$(grep -o '<code>[^<]*' page | cut -c 7-)
    send 200 /rate/go
    send 200 /rate/consent -d agree=yes -d "version=$(field version)"
    send 200 /rate/next
    id=$(found '/rate/([0-9a-f]+)/ask')
}

# vote WANTED-STATUS VALUE: on the whole
vote()
{
    local name

    name=$(found 'name="v\.([^"]*)')
    send "$1" "/rate/$id" -d "v.$name=$2" -d "n.$name=0" -d then=submit
}

votes()
{
    rows "SELECT count(*) FROM rating WHERE dimension = 'choice'"
}

walk()
{
    audition 0 run fixtures/dialogue.yaml -m secretive-ann -m secretive-bob --db "$db"
    for name in arena other coded; do
        audition 0 campaign new $name.yaml --db "$db"
        audition 0 campaign open $name --db "$db"
    done
    serve site --db "$db" --trusted-proxy 127.0.0.1

    echo "== a whole conversation and its votes, by forms alone"
    join arena
    says page 'played by two at once' 'Turn 1 / 3'
    lacks page '<script' 'data-session-ends="-' 'my-data.json'
    says head 'Referrer-Policy: no-referrer'
    send 422 "/rate/$id/ask" -d position=1 --data-urlencode 'own= '
    says page 'could not be sent'
    send 200 "/rate/$id/ask" -d position=1 --data-urlencode 'own=Is anybody there?'
    says page 'Turn 2 / 3' 'name="vote.1"'
    grep -Eo '(href|src)="[^"]*[0-9a-f]{64}' page && fail "an address holds a pass"
    cp page before
    send 200 "/rate/$id/ask" -d vote.1=1 -d do=end
    says page 'Optional: you have voted on turns'
    cp page vote
    vote 200 1
    says page 'Conversation 2 / 2'
    is "$(votes)" 1 "votes"

    echo "== sent again: nothing more, and no other pass"
    cp page after
    cp vote page
    vote 403 0
    says page 'each page can be sent once' 'href="/return"'
    lacks page 'name="csrf"'
    is "$(rows "SELECT CAST(value AS BIGINT) FROM rating WHERE dimension = 'choice'")" 1 "the vote stands"
    cp before page
    send 403 "/rate/$id/ask" -d vote.1=0 -d do=end
    cp after page
    first=$id
    id=$(found '/rate/([0-9a-f]+)/ask')

    echo "== a pass is for its own conversation, and for nothing else of its holder"
    good=$(pass "/rate/$id/ask")
    for path in "/rate/$first" "/rate/$first/ask" /rate/withdraw /rate/words /rate/next "/rate/$(tr 0-9a-f 1-9a-f0 <<<"$id")/ask" /logout; do
        bare 403 "$path" --data-urlencode "csrf=$good" -d position=1 -d own=x -d ratings=forget
    done
    bare 401 /rate
    bare 401 /rate/my-data.json
    ask 401 none /rate -b "sid=${good:0:64}" # it is no cookie
    ask 401 none "/rate/$id/ask" -b "sid=${good:0:64}" --data-urlencode "csrf=$good" -d position=1 -d own=x
    rm -f none
    bare 403 "/rate/$id/ask" -H 'Origin: https://elsewhere.example' --data-urlencode "csrf=$good" -d position=1 -d own=x

    echo "== guesses: every digit counts, and the session's half alone opens nothing"
    for wrong in "${good:0:64}$(printf '0%.0s' {1..64})" "$(printf '0%.0s' {1..64})${good:64}" "${good:64}${good:0:64}" \
        "${good:0:127}$(printf '%s' "${good:127}" | tr 0-9a-f 1-9a-f0)" "$good$good" "${good:0:64}" ""; do
        got=$(curl -sS -o /dev/null -w '%{http_code}' "$url/rate/$id/ask" --data-urlencode "csrf=$wrong" -d position=1 -d own=x)
        case $got in 401 | 403) ;; *) fail "'$wrong' was answered $got" ;; esac
    done
    is "$(rows "SELECT count(*) FROM turn WHERE text = 'x'")" 0 "words of others"

    echo "== sent twice at once: one is heard"
    local sent=()
    for i in 1 2 3 4; do
        curl -sS -o "both.$i" -w '%{http_code}\n' "$url/rate/$id/ask" --data-urlencode "csrf=$good" -d position=1 -d own=twice >"code.$i" &
        sent+=($!)
    done
    wait "${sent[@]}"
    is "$(cat code.* | sort | tr '\n' ' ')" "200 403 403 403 " "answers"
    is "$(rows "SELECT count(*) FROM turn WHERE source = 'person' AND text = 'twice'")" 2 "both models, once"
    for i in 1 2 3 4; do
        if grep -q 200 "code.$i"; then cp "both.$i" page; fi
    done
    send 200 "/rate/$id/ask" -d do=end
    vote 200 0
    says page 'Thank you'
    is "$(votes)" 2 "votes"

    echo "== another arena's conversation, and one's own after coming back with the words"
    mine=$id
    join other
    bare 403 "/rate/$mine" --data-urlencode "csrf=$(pass "/rate/$id/ask")" -d then=submit
    theirs=$words
    bare 200 /return
    bare 200 /return --data-urlencode "csrf=$(token)" --data-urlencode "words=$theirs"
    says page "/rate/$id/ask"
    lacks head 'Set-Cookie'
    send 200 "/rate/$id/ask" -d position=1 -d own=back
    send 200 "/rate/$id/ask" -d do=end

    echo "== after the arena has closed nothing is taken"
    audition 0 campaign close other --db "$db"
    before=$(votes)
    vote 200 1
    says page 'closed to ratings at the moment'
    is "$(votes)" "$before" "votes"

    echo "== where a code is needed, so is a cookie"
    bare 200 /join/coded
    bare 403 /join/coded --data-urlencode "csrf=$(token)" --data-urlencode 'code=let me in'
    is "$(rows "SELECT count(*) FROM rater r JOIN campaign c ON c.id = r.campaign WHERE c.name = 'coded'")" 0 "raters"

    echo "== one network comes again and again: a day's worth, and no more, with cookies or without"
    from=203.0.113.7
    for i in 1 2 3; do
        join arena
    done
    ask 200 jar /join/arena -H "X-Forwarded-For: $from"
    ask 200 jar /join/arena -H "X-Forwarded-For: $from" --data-urlencode "csrf=$(token)"
    says head 'Set-Cookie'
    bare 200 /join/arena
    bare 429 /join/arena --data-urlencode "csrf=$(token)"
    unset from

    echo "== who withdraws is gone at once, and the pass in hand with them"
    from=198.51.100.9 join arena
    cp page hand
    from=198.51.100.9 send 200 /rate/withdraw -d ratings=forget
    cp hand page
    bare 401 "/rate/$id/ask" --data-urlencode "csrf=$(pass "/rate/$id/ask")" -d position=1 -d own=ghost
    is "$(rows "SELECT count(*) FROM web_session WHERE kind = 'pass' AND who NOT IN (SELECT id FROM rater WHERE state <> 'withdrawn')")" 0 "sessions"
    audition 0 campaign results arena --db "$db"
    audition 0 verify latest --db "$db"
    stop "$serve_pid"
    rm -f jar
}

db=passes.db
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
