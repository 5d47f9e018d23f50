#!/usr/bin/env bash
# Two models at once, without a browser: a person plays the user through forms alone, sees both
# answers or none, votes on turns and on the whole; who is who is attacked; what a second window, a
# dead endpoint, a killed server and two databases make of it; and one model alone.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v curl >/dev/null || skip "curl is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
sed -i 's/by: model/by: person/; s/turns: 8/turns: 3/' fixtures/dialogue.yaml
sed '/^instrument:/,$d' fixtures/dialogue.yaml >fixtures/battle.yaml
cat >>fixtures/battle.yaml <<'Y'
instrument: {kind: pair, criteria: [stays in the role], orders: both, ties: yes}
score: {kind: rating, also: [glicko2]}
items:
  - {id: dusk, prompt: "A lock on a canal, after dark."}
  - {id: rain, prompt: "The same lock, in pouring rain."}
Y
mock pair
# shellcheck disable=SC2154 # mock() sets it
llm=$port
cat >models.yaml <<END
models:
  - {name: secretive-ann, base_url: "http://127.0.0.1:$llm", model: chat-ann}
  - {name: secretive-bob, base_url: "http://127.0.0.1:$llm", model: no-stream-bob}
  - {name: secretive-cyd, base_url: "http://127.0.0.1:$llm", model: identity-leak-cyd}
END
printf 'campaign: arena\npassages_per_rater: 2\noverlap: 2\nabout: []\nanswer_wait_seconds: 0\n' >arena.yaml

# come_in JAR: a new rater, up to the room
come_in()
{
    local link

    audition 0 campaign invite "${campaign-arena}" --url "$url" --db "$db"
    link=$(found '(/invite/[^[:space:]]*)' out)
    post 200 "$1" "$link" "$link"
    ask 200 "$1" /rate
    says page 'asked to talk with'
    lacks page 'interview'
    post 303 "$1" /rate /rate/consent -d agree=yes -d "version=$(field version)"
    post 303 "$1" /rate /rate/next
    ask 200 "$1" /rate
}

# say WANTED-STATUS JAR [CURL-OPTION...]: as the last page's form
say()
{
    local want=$1 jar=$2

    shift 2
    ask "$want" "$jar" "$(found '(/rate/[0-9a-f]+/ask)')" --data-urlencode "csrf=$(token)" \
        --data-urlencode "position=$(field position)" "$@"
}

# nameless: neither the page nor its head says who answers
nameless()
{
    local name

    for name in secretive-ann secretive-bob secretive-cyd chat-ann no-stream-bob identity-leak "$llm"; do
        lacks page "$name"
        lacks head "$name"
    done
}

# answers: how many the page shows
answers()
{
    grep -o 'class="reply [ab]"' page | wc -l
}

walk()
{
    echo "== a run plans the conversations and holds none; a campaign takes them up"
    audition 0 run fixtures/battle.yaml -m secretive-ann -m secretive-bob -m secretive-cyd --db "$db"
    is "$(rows "SELECT count(*) FROM sample WHERE state = 'planned'")" 6 "planned"
    audition 0 campaign new arena.yaml --db "$db"
    audition 0 campaign open arena --db "$db"
    serve site --db "$db"

    echo "== the room: scene, part, both answers together, no name"
    come_in ann
    says page 'played by two at once' 'late for a ferry' 'Turn 1 / 3' 's shut till the level' 'Conversation 1 / 2'
    nameless
    lacks page 'value="end"'
    say 422 ann --data-urlencode "own=  "
    says page 'could not be sent'
    say 422 ann -d do=end
    cp page first
    say 200 ann --data-urlencode 'own=Is <b>anybody</b> there?'
    says page 'Is &lt;b&gt;anybody&lt;/b&gt; there?' 'Turn 2 / 3' 'name="vote.1"' 'Both are bad' 'value="end"'
    is "$(answers)" 2 "both answers"
    nameless
    lacks page '&lt;think'
    is "$(rows "SELECT count(*) FROM turn WHERE source = 'person'")" 2 "both heard it"

    echo "== a second window that saw the old page is late, and so is what was sent twice"
    cp first page
    say 409 ann --data-urlencode 'own=Is <b>anybody</b> there?'
    says page 'Something has already been said'
    is "$(rows "SELECT count(*) FROM turn WHERE source = 'person'")" 2 "nothing more was said"

    echo "== votes on turns: none on one that was not; no value that is none"
    say 422 ann -d vote.1=7 --data-urlencode 'own=Hm?'
    ask 200 ann /rate
    say 200 ann -d vote.1=-1 --data-urlencode 'why.1= "neither" <b>answers</b> ' -d vote.2=1 -d vote.9=1 -d why.9=x --data-urlencode 'own=Well?'
    is "$(rows "SELECT dimension, CAST(value AS BIGINT), comment FROM rating")" 'turn-1|-1|"neither" <b>answers</b>' "votes on turns, with their reasons"
    says page 'name="why.1" value="&quot;neither&quot; &lt;b&gt;answers&lt;/b&gt;"'
    says page 'value="-1" checked'

    echo "== another's room does not exist; the vote on the whole waits for the end"
    mine=$(found '/rate/([0-9a-f]+)/ask')
    come_in bob
    ask 404 bob "/rate/$mine/ask" --data-urlencode "csrf=$(token)" -d position=3 -d own=x
    ask 200 bob /rate
    ask 303 bob "/rate/$(found '/rate/([0-9a-f]+)/ask')" --data-urlencode "csrf=$(token)" -d then=submit
    is "$(rows "SELECT count(*) FROM rating WHERE dimension = 'choice'")" 0 "no vote before its time"

    echo "== one endpoint fails: neither answer is shown, and only the missing one is asked for again"
    stop "$mock_pid"
    ask 200 ann /rate
    say 200 ann --data-urlencode 'own=And now?'
    says page 'No answer came' 'And now?'
    is "$(rows "SELECT times, fault, count(*) FROM mute GROUP BY times, fault")" "1|network|2" "who has not answered"
    is "$(answers)" 4 "no answer alone"
    mock "again$1" --port "$llm"
    say 200 ann
    says page 'class="duel"' 'Both are bad' 'Why? (optional)' '[1]'
    nameless
    is "$(rows "SELECT count(*) FROM mute")" 0 "who has not answered since"

    echo "== the limit has ended it: the vote on the whole, with a reason; side A is the first shown"
    lacks page "Interviewee" # neither of the two is shown twice, and nobody was interviewed
    name=$(found 'name="v\.([^"]*)')
    csrf=$(token)
    for turn in turn-9 turn-x 'turn-\u001b]0;x' turn; do # of turns that were not: as many as somebody likes, in words of theirs
        ask 422 ann "/rate/$mine/mark" -X PUT -H "X-CSRF-Token: $csrf" -H 'Content-Type: application/json' \
            -d "{\"slot\": \"${name%.choice}\", \"dimension\": \"$turn\", \"value\": \"1\", \"client\": \"c\", \"version\": 0}"
    done
    is "$(rows "SELECT count(*) FROM rating WHERE dimension <> 'turn-1'")" 0 "votes on turns that were not"
    ask 303 ann "/rate/$mine" --data-urlencode "csrf=$csrf" -d "v.$name=1" -d "n.$name=0" --data-urlencode "c.$name=kept the lamp lit" -d then=submit
    is "$(rows "SELECT CAST(value AS BIGINT), comment FROM rating WHERE dimension = 'choice'")" "1|kept the lamp lit" "the vote"
    ask 303 ann "/rate/$mine" --data-urlencode "csrf=$csrf" -d "v.$name=0" -d "n.$name=1" -d then=submit
    is "$(rows "SELECT CAST(value AS BIGINT) FROM rating WHERE dimension = 'choice'")" 1 "once"
    ask 303 ann "/rate/$mine/ask" --data-urlencode "csrf=$csrf" -d position=4 -d own=x
    is "$(rows "SELECT count(*) FROM sample WHERE state = 'done' AND finish = 'limit'")" 2 "ended by the limit"

    echo "== a server that is killed while both are awaited; then the person leaves early"
    ask 200 bob /rate
    stop "$mock_pid"
    mock "slow$1" --port "$llm" --latency 60000
    his=$(found '/rate/([0-9a-f]+)/ask')
    start curl -sS -o /dev/null -b bob "$url/rate/$his/ask" --data-urlencode "csrf=$(token)" -d position=1 -d own=Hello 2>/dev/null
    asking=$started
    until_true "somebody waits" 20 waits
    ask 200 bob /rate
    says page 'Waiting for the answer.'
    ask 409 bob "/rate/$his/ask" --data-urlencode "csrf=$(token)" -d position=1
    stop "$serve_pid" KILL
    stop "$asking"
    stop "$mock_pid"
    mock "back$1" --port "$llm"
    serve after --db "$db"
    rows "UPDATE asking SET until_ms = 0" >/dev/null # as if the time had passed
    ask 200 bob /rate
    says page 'No answer came'
    say 200 bob
    is "$(answers)" 2 "answered"
    nameless
    say 303 bob -d do=end
    ask 200 bob /rate
    says page 'Both are bad'
    name=$(found 'name="v\.([^"]*)')
    ask 303 bob "/rate/$his" --data-urlencode "csrf=$(token)" -d "v.$name=-1" -d "n.$name=0" -d then=submit
    is "$(rows "SELECT count(*) FROM sample WHERE state = 'done' AND finish = 'leave'")" 2 "left"

    echo "== both finish; more come than the run planned for; every pair of models has met"
    finish ann
    finish bob
    for who in cyd dot eve fay; do
        come_in $who
        finish $who
        finish $who
    done
    is "$(rows "SELECT count(*) FROM sample WHERE state = 'done'")" 24 "talks"

    echo "== votes on turns alone decide where nothing is said of the whole; with neither, it is asked for"
    come_in gus
    id=$(found '/rate/([0-9a-f]+)/ask')
    row=$(rows "SELECT max(id) FROM assignment")
    say 200 gus --data-urlencode 'own=word of gus'
    say 200 gus -d vote.1=0 --data-urlencode 'own=and more'
    say 303 gus -d vote.2=0 -d do=end
    ask 200 gus /rate
    says page 'Optional: you have voted on turns'
    ask 303 gus "/rate/$id" --data-urlencode "csrf=$(token)" -d then=submit
    is "$(rows "SELECT count(*) FROM rating WHERE assignment = $row AND dimension = 'choice'")" 0 "nothing of the whole"
    is "$(rows "SELECT state FROM assignment WHERE id = $row")" 'done' "handed in"
    post 303 gus /rate /rate/next
    ask 200 gus /rate
    id=$(found '/rate/([0-9a-f]+)/ask')
    say 200 gus --data-urlencode 'own=word of gus'
    say 303 gus -d do=end
    ask 200 gus /rate
    lacks page 'Optional: you have voted on turns'
    ask 422 gus "/rate/$id" --data-urlencode "csrf=$(token)" -d then=submit
    is "$(rows "SELECT count(*) FROM (SELECT DISTINCT CASE WHEN x.model < y.model THEN x.model ELSE y.model END AS one,
        CASE WHEN x.model < y.model THEN y.model ELSE x.model END AS two FROM rating g JOIN sample x ON x.id = g.sample
        JOIN sample y ON y.id = g.other WHERE g.dimension = 'choice') pairs")" 3 "pairs"
    # sides are drawn: not every model always sits on the same one
    is "$(rows "SELECT count(DISTINCT x.model) FROM rating g JOIN sample x ON x.id = g.sample WHERE g.dimension = 'choice'")" 3 "models on side A"

    echo "== who withdraws takes their words along, on both sides"
    words=$(rows "SELECT count(*) FROM turn WHERE source = 'person' AND text = 'word of eve'")
    [ "$words" -ge 2 ] || fail "eve has said nothing"
    post 200 eve /rate /rate/withdraw -d ratings=forget
    is "$(rows "SELECT count(*) FROM turn WHERE text = 'word of eve'")" 0 "her words"
    is "$(rows "SELECT count(*) FROM sample WHERE answer LIKE '%word of eve%'")" 0 "her words in transcripts"
    is "$(rows "SELECT count(*) FROM call WHERE request LIKE '%word of eve%'")" 0 "her words in requests"

    echo "== the votes are battles: results, board, export, rank; everything can be checked"
    audition 0 campaign close arena --db "$db"
    audition 0 campaign results arena --db "$db"
    audition 0 campaign unmask arena --db "$db"
    audition 0 campaign results arena --json --db "$db"
    says out '"both-bad"' '"rating"' '"rating:turns"'
    audition 0 campaign results arena --db "$db"
    says out 'Rating by turns' 'Both bad' 'ratings count it as a'
    audition 0 board latest --judge campaign:arena --full --db "$db"
    says out 'secretive-ann' 'secretive-bob' 'secretive-cyd' 'Bradley-Terry'
    is "$(rows "SELECT count(*) FROM score WHERE metric = 'glicko2'")" 3 "Glicko-2 of the votes"
    # twelve votes on the whole less those of who withdrew, and one conversation whose turns decide
    battles=$(rows "SELECT count(DISTINCT a.id) FROM assignment a JOIN rating g ON g.assignment = a.id JOIN juror j ON j.rater = a.rater
        WHERE a.state = 'done'")
    is "$(rows "SELECT CAST(SUM(n) / 2 AS BIGINT) FROM score WHERE metric = 'glicko2'")" "$battles" "battles of the board"
    is "$(rows "SELECT CAST(SUM(n) / 2 AS BIGINT) FROM outcome WHERE metric = 'rating'")" "$battles" "battles of the results"
    audition 0 campaign export arena -o "votes$1.csv" --db "$db"
    says "votes$1.csv" ',turn-1,-1' ',choice,'
    audition 0 verify latest --db "$db"
    says out 'no differences'
    stop "$serve_pid"
    stop "$mock_pid"
    rm -f ann bob cyd dot eve fay gus
}

waits()
{
    [ "$(rows "SELECT count(*) FROM asking WHERE position = 1")" = 1 ]
}

# finish JAR: one more conversation of one turn, and a vote
finish()
{
    local id name

    post 303 "$1" /rate /rate/next
    ask 200 "$1" /rate
    id=$(found '/rate/([0-9a-f]+)/ask') || return 0
    say 200 "$1" --data-urlencode "own=word of $1"
    say 303 "$1" -d do=end
    ask 200 "$1" /rate
    nameless
    name=$(found 'name="v\.([^"]*)')
    ask 303 "$1" "/rate/$id" --data-urlencode "csrf=$(token)" -d "v.$name=$((0x$id & 1))" -d "n.$name=0" -d then=submit
}

db=meeting.db
rows()
{
    sql $db "$1"
}
walk 1

echo "== one model alone, then scored like any dialogue"
db=alone.db
mock alone --port "$llm"
audition 0 run fixtures/dialogue.yaml -m secretive-ann -m secretive-bob --db $db
sed 's/arena/solo/' arena.yaml >solo.yaml
audition 0 campaign new solo.yaml --db $db
audition 0 campaign open solo --db $db
serve solo --db $db
campaign=solo
come_in sol
says page 'You are talking with Wenna' 'Turn 1 / 3'
lacks page 'two at once' 'name="vote'
say 200 sol --data-urlencode 'own=Good evening.'
is "$(answers)" 1 "one answer"
nameless
say 303 sol -d do=end
ask 200 sol /rate
says page 'class="scale' 'Good evening.'
audition 0 verify latest --db $db

echo "== a judge quotes the person, who withdraws: none of it stays, in whatever form"
come_in tess
say 200 tess --data-urlencode $'own=I am the reeve of Quillholm.\r\n\r\nA Quillholm man, and'
say 200 tess --data-urlencode 'own=a'
say 303 tess -d do=end
models=$(<models.yaml)
echo '  - {name: critic, kind: recorded, file: critic.jsonl}' >>models.yaml
sql $db "SELECT json_object('model', m.name, 'item', i.name, 'repeat', s.repeat, 'text', '{\"role\": {\"analysis\": \"'
    || CASE WHEN s.answer LIKE '%Quillholm%' THEN 'The reeve of Quillholm' ELSE 'Somebody' END || ' is let in.\", \"score\": 3}}')
    FROM sample s JOIN model m ON m.id = s.model JOIN item i ON i.id = s.item WHERE s.state = 'done'" >critic.jsonl
audition 0 judge latest --judge critic --db $db
audition 0 verify latest --db $db
sqlite3 $db .dump | grep -c Quillholm >/dev/null || fail "nobody spoke of Quillholm"
said=$(rows "SELECT group_concat(text) FROM turn WHERE kind = 'answer'")
post 200 tess /rate /rate/withdraw -d ratings=forget
! sqlite3 $db .dump | grep -i Quillholm || fail "something stayed"
is "$(rows "SELECT group_concat(text) FROM turn WHERE kind = 'answer'")" "$said" "what the model said"
is "$(rows "SELECT count(*) FROM turn t JOIN sample s ON s.id = t.sample WHERE t.kind = 'answer' AND instr(s.answer, t.text) = 0")" 0 "... also in transcripts"
is "$(rows "SELECT count(*) FROM mark WHERE value = 3")" 2 "marks of the judge"

echo "== ... while a judge is being asked about it: neither the question nor the answer is kept"
come_in uma
say 200 uma --data-urlencode 'own=I came down from Brackwater.'
say 303 uma -d do=end
talks=$mock_pid
mock slow --latency 3000
echo "  - {name: slow, base_url: \"http://127.0.0.1:$port\", model: judge}" >>models.yaml
asked()
{
    [ "$(rows "SELECT count(*) FROM verdict_lease l JOIN verdict v ON v.id = l.id JOIN sample s ON s.id = v.sample
        WHERE s.answer LIKE '%Brackwater%'")" = 1 ]
}
start "$AUDITION" judge latest --judge slow --db $db >slow.out 2>&1
until_true "a judge is asked about Brackwater" 20 asked
post 200 uma /rate /rate/withdraw -d ratings=forget
wait "$started" || true # the mock gives no scores
! sqlite3 $db .dump | grep -i Brackwater || fail "something of the question stayed"
is "$(rows "SELECT count(*) FROM verdict WHERE state = 'planned'")" 0 "verdicts that nobody asks for"
stop "$mock_pid"
mock_pid=$talks
audition 0 board latest --db $db
audition 0 verify latest --db $db
says out 'no differences' '1 have none'
audition 0 show latest --db $db
audition 0 report latest -o solo.html --db $db
stop "$serve_pid"
! grep -ac Quillholm $db $db-wal || fail "something stayed in the file"
stop "$mock_pid"
unset campaign
echo "$models" >models.yaml

echo "== a scene that begins with words nobody has answered: they are the first turn, and both answer it or neither is shown"
db=begun.db
sed '/{id: rain/d; s/{id: dusk, /&turns: [{role: assistant, text: The lamp is out.}, {role: user, text: Light the marzipan lamp.}], /' \
    fixtures/battle.yaml >fixtures/begun.yaml
mock begun --port "$llm"
begun=$mock_pid
mock gone
stop "$mock_pid"
printf '  - {name: secretive-eko, base_url: "http://127.0.0.1:%s", model: echo}\n' "$port" >>models.yaml
absent=$port
audition 0 run fixtures/begun.yaml -m secretive-ann -m secretive-eko --db $db
sed -i 's/_rater: 2/_rater: 1/' arena.yaml
audition 0 campaign new arena.yaml --db $db
audition 0 campaign open arena --db $db
serve begun --db $db
come_in vic
says page 'The lamp is out.' 'Turn 1 / 3'
lacks page 'No answer came'
is "$(grep -o 'marzipan' page | wc -l)" 1 "the words of the scene"
say 200 vic
is "$(answers) $(grep -o 'marzipan' page | wc -l)" "0 1" "neither answer"
mock come --port "$absent"
say 200 vic
is "$(answers) $(grep -o 'marzipan' page | wc -l)" "2 2" "both answers"
says page 'Turn 2 / 3' 'name="vote.1"'
lacks page 'name="vote.2"'
nameless
say 200 vic -d vote.1=1 --data-urlencode 'own=Well?'
says page 'Turn 3 / 3' 'name="vote.2"'
is "$(rows "SELECT count(*) FROM turn WHERE kind = 'answer' AND part = 1")" 2 "answers to the scene"
audition 0 verify latest --db $db
stop "$serve_pid"
stop "$mock_pid"
stop "$begun"
echo "$models" >models.yaml
sed -i 's/_rater: 1/_rater: 2/' arena.yaml

[ -n "${AUDITION_TEST_PG-}" ] || exit 0
command -v psql >/dev/null || exit 0
echo "== the same on PostgreSQL"
db=$AUDITION_TEST_PG
rows()
{
    psql -X -q -A -t -F '|' -d "$db" -c "$1"
}
mock pair2 --port "$llm"
walk 2
