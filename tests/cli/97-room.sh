#!/usr/bin/env bash
# The interview room without a browser: a rater examines a model that goes by no name, through forms
# alone; what is refused; what survives a second window, a dead endpoint and a killed server.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v curl >/dev/null || skip "curl is not installed"

db=${AUDITION_DB:-room.db}
cp -R "$REPO/tests/fixtures/interview" fixtures
sed -i 's/examiner: model/examiner: person/' fixtures/en.yaml
mock room
# shellcheck disable=SC2154 # mock() sets it
llm=$port
cat >models.yaml <<END
models:
  - {name: secretive-ann, base_url: "http://localhost:$llm", model: think-ann} # a name, to be looked up from inside the sandbox
  - {name: secretive-bob, base_url: "http://127.0.0.1:$llm", model: no-stream-bob}
END

echo "== a run plans the sittings and holds none"
audition 0 run fixtures/en.yaml -m secretive-ann -m secretive-bob --db "$db"
is "$(sql "$db" "SELECT state, count(*) FROM sample GROUP BY state")" "planned|4" "sittings"
is "$(grep -c . room.log)" 0 "requests"
says out 'is waiting for people: 4 conversations to hold'
lacks out 'nothing to ask'
lacks out 'Sittings'
lacks out ' --judge '

echo "== a campaign over them"
printf 'campaign: oral\npassages_per_rater: 1\noverlap: 4\npractice: no\nanswer_wait_seconds: 0\n' >oral.yaml
audition 0 campaign new oral.yaml --db "$db"
audition 0 campaign open oral --db "$db"

serve site --db "$db"

# come_in JAR: a new rater, up to the first page to rate
come_in()
{
    local link

    audition 0 campaign invite oral --url "$url" --db "$db"
    link=$(found '(/invite/[^[:space:]]*)' out)
    post 200 "$1" "$link" "$link"
    ask 200 "$1" /rate
    post 303 "$1" /rate /rate/consent -d agree=yes -d "version=$(field version)"
    post 303 "$1" /rate /rate/about
    post 303 "$1" /rate /rate/next
    ask 200 "$1" /rate
}

# say WANTED-STATUS JAR [CURL-OPTION...]: as the last page's first form about the interview
say()
{
    local want=$1 jar=$2 action

    shift 2
    action=$(found '(/rate/[0-9a-f]+/ask)')
    ask "$want" "$jar" "$action" --data-urlencode "csrf=$(token)" --data-urlencode "position=$(field position)" "$@"
}

# nameless: the last page does not say who answers
nameless()
{
    local name

    for name in secretive-ann secretive-bob think-ann no-stream-bob; do
        lacks page "$name"
    done
}

turns()
{
    sql "$db" "SELECT count(*) FROM turn"
}

echo "== what they agree to is an interview, in words of their language; nothing happens before, and it is kept as it was read"
audition 0 campaign invite oral --url "$url" --db "$db"
link=$(found '(/invite/[^[:space:]]*)' out)
post 200 zoe "$link" "$link"
for language in en zh ja; do
    ask 200 zoe "/rate?lang=$language"
    case $language in
    en) says page interview ;;
    zh) says page 面试 ;;
    ja) says page 面接 ;;
    esac
    lacks page 'short texts' 短文
done
says page 'name="agree"'
version=$(field version)
for early in /rate/about /rate/next; do
    ask 303 zoe $early --data-urlencode "csrf=$(token)"
    ask 200 zoe /rate
    says page 'name="agree"'
done
ask 404 zoe /rate/1/ask --data-urlencode "csrf=$(token)" -d position=1 -d choice=0
ask 200 zoe /rate
ask 303 zoe /rate/consent --data-urlencode "csrf=$(token)" -d "version=$version" # without agreeing
ask 200 zoe /rate
ask 400 zoe /rate/consent --data-urlencode "csrf=$(token)" -d agree=yes -d version=another
is "$(sql "$db" "SELECT state, coalesce(consent, 'none') FROM rater")" "invited|none" "before"
is "$(sql "$db" "SELECT count(*) FROM assignment")" 0 "sittings given out"
audition 0 campaign results oral --db "$db"
says out 'nobody has rated yet'
ask 200 zoe /rate
csrf=$(token) read=$(field language)
ask 200 zoe '/rate?lang=en' # in another window
ask 303 zoe /rate/consent --data-urlencode "csrf=$csrf" -d agree=yes -d "version=$version" -d "language=$read"
ask 303 zoe '/rate/consent?lang=en' --data-urlencode "csrf=$csrf" -d agree=yes -d "version=$version" # a second time changes nothing
is "$(sql "$db" "SELECT state, consent, consent_language FROM rater WHERE consent_text LIKE '%面接%'")" "consented|$version|ja" "what was agreed to"

echo "== the room: part, questions by kind, role card; no name of a model"
come_in ann
says page 'Part 1 / 3' 'class="question"' 'Role card' 'habits and likes' 'Abel Tolliver'
nameless

echo "== what makes no sense is refused, and nothing is said"
say 422 ann -d choice=99
says page 'could not be asked'
ask 200 ann /rate
is "$(turns)" 0 "turns"
ask 404 ann /rate/999/ask --data-urlencode "csrf=$(token)" -d position=1 -d choice=0
ask 200 ann /rate
ask 403 ann "$(found '(/rate/[0-9a-f]+/ask)')" -d csrf=wrong -d position=1 -d choice=0

echo "== a question in any order; the whole answer is on the page that comes"
ask 200 ann /rate
cp page first
say 200 ann -d choice=2
says page 'What was said' 'data-turn="3"' 'Interviewee'
is "$(turns)" 3 "opening, question, answer"
is "$(sql "$db" "SELECT kind, source FROM turn WHERE position = 1")" "instruction|bank" "the opening"
lacks page 'name="choice" value="2"'
nameless
lacks page '&lt;think'

echo "== a second window that saw the old page is late"
cp first page
say 409 ann -d choice=1
says page 'Something has already been asked'
is "$(turns)" 3 "turns"

echo "== marks before the end are refused"
assignment=$(found '/rate/([0-9a-f]+)/ask')
ask 422 ann "/rate/$assignment/mark" -X PUT -H 'Content-Type: application/json' -H "X-CSRF-Token: $(token)" -d '{}'
ask 200 ann /rate
ask 303 ann "/rate/$assignment" --data-urlencode "csrf=$(token)" -d then=submit

echo "== another rater's room does not exist"
come_in bob
ask 404 bob "/rate/$assignment/ask" --data-urlencode "csrf=$(token)" -d position=4 -d choice=0

echo "== the campaign is closed meanwhile: that is said, as anywhere, and nothing is asked"
ask 200 ann /rate
cp page first
before=$(turns)
audition 0 campaign close oral --db "$db"
say 200 ann -d choice=0
says page 'closed to ratings'
is "$(turns)" "$before" "what was said"
audition 0 campaign open oral --db "$db"

echo "== an endpoint that is away: the question stands, and is answered when it is back"
stop "$mock_pid"
ask 200 ann /rate
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode 'password=correct horse battery'
ask 200 ada /campaigns/oral
lacks page 'no answer'
ask 200 ann /rate
say 200 ann -d choice=0
says page 'No answer came'
is "$(turns)" 4 "the question alone"
nameless
say 200 ann
silent=$(sql "$db" "SELECT m.name FROM turn t JOIN sample s ON s.id = t.sample JOIN model m ON m.id = s.model LIMIT 1")
day=$(date -u -d "@$(sql "$db" 'SELECT since_ms / 1000 FROM mute')" +%F)
for words in "en/no answer/since $day/connection refused: nothing is listening there/ask again later" \
    "zh/没有回答/自 $day/连接被拒绝/稍后重试" "ja/応答なし/UTC から/接続を拒否/あとで"; do
    IFS=/ read -r language pill since why advice <<<"$words"
    ask 200 ada "/campaigns/oral?lang=$language"
    says page "2 × $silent" "$pill" "$since" "$why" "$advice"
done
audition 0 campaign show oral --db "$db"
says out "$silent has not answered raters since $day" '(2 attempts)'
cp page away
mock again --port "$llm"
ask 200 ann /rate
nameless
say 200 ann
is "$(turns)" 5 "with its answer"
ask 200 ada '/campaigns/oral?lang=en'
lacks page 'no answer'
ask 200 ann /rate

echo "== a server that is killed while an answer is awaited"
ask 200 ann /rate
stop "$mock_pid"
mock slow --port "$llm" --latency 60000
start curl -sS -o /dev/null -b ann "$url/rate/$assignment/ask" --data-urlencode "csrf=$(token)" -d position=6 -d "choice=$(field choice)" 2>/dev/null
asking=$started
waits()
{
    [ "$(sql "$db" 'SELECT position FROM asking')" = 7 ]
}
until_true "somebody waits" 20 waits
csrf=$(token)
ask 200 ann /rate
says page 'Waiting for the answer.'
ask 409 ann "/rate/$assignment/ask" --data-urlencode "csrf=$csrf" -d position=7
ask 409 ann "/rate/$assignment/ask" --data-urlencode "csrf=$csrf" -d position=6 -d choice=1
stop "$serve_pid" KILL
stop "$asking"
stop "$mock_pid"
mock back --port "$llm"
serve after --db "$db"
sql "$db" "UPDATE asking SET until_ms = 0" # as if the time had passed
ask 200 ann /rate
says page 'No answer came'
say 200 ann
is "$(turns)" 7 "turns"

echo "== to the end: task card, own follow-ups, part 3, scoring"
ask 200 ann /rate
while grep -q 'Part 1 / 3' page; do
    say 200 ann -d "choice=$(field choice)"
done
says page 'Task card' 'Hand over the card' 'Part 2 / 3'
say 200 ann
says page 'Your follow-up question' 'Still to ask: 2'
say 422 ann --data-urlencode "own=   "
say 200 ann --data-urlencode "own=Why <b>then</b>?"
says page 'Why &lt;b&gt;then&lt;/b&gt;?' 'Still to ask: 1'
say 200 ann -d choice=1
says page 'Part 3 / 3'
while grep -q 'Part 3 / 3' page; do
    say 200 ann -d "choice=$(field choice)"
done
says page 'class="scale' 'data-turn="22"' 'name="q.'
nameless
held=$(sql "$db" "SELECT id FROM sample WHERE state = 'done'")
is "$(sql "$db" "SELECT count(*), sum(position) FROM turn WHERE sample = $held")" "33|561" "turns"
is "$(sql "$db" "SELECT source FROM turn WHERE sample = $held AND kind = 'follow-up' ORDER BY position" | tr '\n' ' ')" "person prepared " "sources"
is "$(sql "$db" "SELECT count(*) FROM sample WHERE id = $held AND elapsed_ms = (SELECT sum(elapsed_ms) FROM turn WHERE sample = $held)")" 1 "time"
is "$(sql "$db" "SELECT count(*) FROM turn WHERE sample = $held AND speaker = 'model' AND (call IS NULL OR tokens_out <= 0 OR finish <> 'stop')")" 0 "answers without trace"
is "$(sql "$db" "SELECT count(*) FROM turn t JOIN call c ON c.id = t.call WHERE t.sample = $held AND c.response NOT LIKE '%chat.completion%'")" 0 "answers that cannot be read again"

echo "== scored with quotations: with their turn; what nobody said is refused, and the rest is kept"
ask 422 ann "/rate/$assignment" --data-urlencode "csrf=$(token)" -d then=submit
says page 'Marks still missing: 1. '
quoted=$(sql "$db" "SELECT substr(text, 1, 12) FROM turn WHERE sample = $held AND position = 3")
name=$(found 'name="v\.([^"]*)')
ask 422 ann "/rate/$assignment" --data-urlencode "csrf=$(token)" -d "v.$name=4" -d "n.$name=0" -d then=submit \
    --data-urlencode "q.$name=[3] $quoted
nobody said this" --data-urlencode "c.$name=well kept"
says page 'were not saved: nobody said this' 'aria-invalid="true"'
sql "$db" "SELECT quotes FROM rating" >quotes
is "$(sqlite3 :memory: "SELECT json_array_length(q), json_extract(q, '\$[0].turn'), json_extract(q, '\$[0].found')
    FROM (SELECT CAST(readfile('quotes') AS TEXT) AS q)")|$(sql "$db" "SELECT comment FROM rating")" \
    "1|3|1|well kept" "quotations"
ask 303 ann "/rate/$assignment" --data-urlencode "csrf=$(token)" -d "v.$name=4" -d "n.$name=1" -d then=submit \
    --data-urlencode "q.$name=[3] $quoted" --data-urlencode "c.$name=well kept"
ask 200 ann /rate
says page 'completion code'

echo "== a sitting that was left goes to somebody else, who begins afresh"
come_in eve
say 200 eve -d choice=0
left=$(found '/rate/([0-9a-f]+)/ask')
cp page eves
row=$(sql "$db" "SELECT max(id) FROM assignment")
for who in fay gus; do
    come_in $who
done
sql "$db" "UPDATE assignment SET lease_ms = 1 WHERE id = $row"
come_in hal
lacks page 'What was said'
is "$(sql "$db" "SELECT count(*), max(assignment) FROM left_turn")" "3|$row" "the turns of who left"
cp eves page
say 303 eve -d choice=1 # to what there is for her now
ask 200 eve /rate
lacks page 'What was said'
ask 303 eve "/rate/$left" --data-urlencode "csrf=$(token)" -d then=submit
is "$(sql "$db" "SELECT state FROM assignment WHERE id = $row")" left "her sitting"

echo "== one that cannot be asked for want of a key is told to whoever runs the campaign, and not to the rater"
sql "$db" "CREATE TABLE kept AS SELECT id, config FROM model; UPDATE model SET config = replace(replace(config, 'OPENAI_API_KEY', 'KEY_OF_NOBODY'),
    '\"key_named\":false', '\"key_named\":true')"
ask 200 fay /rate
say 200 fay -d choice=0
says page 'No answer came'
lacks page KEY_OF_NOBODY
nameless
ask 200 ada '/campaigns/oral?lang=zh'
says page '没有回答' '未设置密钥' KEY_OF_NOBODY
sql "$db" "UPDATE model SET config = (SELECT config FROM kept WHERE kept.id = model.id); DROP TABLE kept"
ask 200 fay /rate
say 200 fay
ask 200 ada '/campaigns/oral?lang=en'
lacks page 'no answer'

echo "== answers are judged as any others, and the run is whole"
audition 0 verify --db "$db"
stop "$serve_pid"
