#!/usr/bin/env bash
# Practice on the pages, through forms alone: the gate, feedback, practice that comes again after so
# many passages and days, on another device too, and what becomes of those who miss it.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

db=${AUDITION_DB:-practice.db}
cat >suite.yaml <<'END'
suite: gate
language: en
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: wit, title: Wit, scale: 0..5}]}
score: {kind: totals}
items:
  - {id: one, prompt: "Who goes there?"}
  - {id: two, prompt: "What is the word?"}
  - {id: three, prompt: "Where from?"}
  - {id: four, prompt: "What news?"}
END
for item in one two three four; do
    printf '{"item": "%s", "text": "Only the miller, %s."}\n' $item "$(seq -s ' ' 100 220)"
done >plain.jsonl
echo 'models: [{name: plain, kind: recorded, file: plain.jsonl}]' >models.yaml
audition 0 run suite.yaml -m plain --db "$db"
cat >campaign.yaml <<'END'
campaign: gate
passages_per_rater: 3
about: []
code: lantern
practice: {texts: 1, attempts: 2, silent: 0, again_items: 2}
examples:
  - {prompt: "A?", answer: "Aa.", score: {wit: 1}, reason: "Because of A."}
  - {prompt: "B?", answer: "Bb.", score: {wit: 1}}
  - {prompt: "C?", answer: "Cc.", score: {wit: 1}}
  - {prompt: "D?", answer: "Dd.", score: {wit: 1}}
END
audition 0 campaign new campaign.yaml --db "$db"
audition 0 campaign open gate --db "$db"
serve site --db "$db"

# come_in JAR: a new rater, up to the first practice text; the words go to JAR.words
come_in()
{
    local link

    audition 0 campaign invite gate --url "$url" --label "for $1" --db "$db"
    link=$(found '(/invite/[^[:space:]]*)' out)
    post 200 "$1" "$link" "$link"
    grep -o '<code>[^<]*' page | cut -c 7- >"$1.words"
    ask 200 "$1" /rate
    post 303 "$1" /rate /rate/consent -d agree=yes -d "version=$(field version)"
    ask 200 "$1" /rate
    lacks page '/rate/about' # it asks nothing
    post 303 "$1" /rate /rate/next
    ask 200 "$1" /rate
}

# mark STATUS JAR VALUE [THEN]: the text on the last page
mark()
{
    local name id

    name=$(found 'name="v\.([^"]*)')
    id=$(found 'action="/rate/([0-9a-f]+)"')
    ask "$1" "$2" "/rate/$id" --data-urlencode "csrf=$(token)" -d "v.$name=$3" -d "n.$name=0" -d "then=${4:-submit}"
}

# practise JAR VALUE PROMPT: one text, then what the experts said
practise()
{
    says page '<h1>Practice</h1>' "$3"
    mark 303 "$1" "$2"
    ask 200 "$1" "$(found $'\nLocation: ([^\r]*)' head)"
    says page "The experts" "Your mark" "The text again"
}

# on JAR: to what comes next
on()
{
    ask 303 "$1" /rate/next --data-urlencode "csrf=$(token)"
    ask 200 "$1" /rate
}

echo "== missed once, then passed; the reason is told"
come_in ann
practise ann 4 "A?"
says page "Because of A." "once more"
on ann
practise ann 1 "B?"
says page "You have learnt the scales"
ask 200 ann /rate/my-data.json # everything
says page '"text":"for ann"' '"practice":[{"attempt":1,"dimension":"wit","passed":false,' '{"attempt":2,"dimension":"wit","passed":true,'
ask 200 ann /rate
on ann

echo "== two passages, then practice again: said first, begun by a press of the button"
says page 'Passage 1 / 3'
mark 303 ann 3
ask 200 ann /rate
says page 'Passage 2 / 3'
mark 303 ann 3
ask 200 ann /rate
says page 'a short practice' 'is saved'
ask 200 ann '/rate?lang=zh'
says page '简短的练习'
ask 200 ann '/rate?lang=ja'
says page '短い練習'
ask 200 ann '/rate?lang=en'
is "$(sql "$db" "SELECT state FROM rater")" rating "GET changes nothing"

echo "== a second device is led the same way"
post 303 desk /return /return --data-urlencode "words=$(cat ann.words)"
ask 200 desk /rate
says page 'a short practice'
on desk
ask 200 ann /rate
practise ann 1 "C?"
says page "as before"
on ann
says page 'Passage 3 / 3'

echo "== after two weeks too; the passage that was begun waits, and what is sent from it is saved"
sql "$db" "UPDATE calibration SET at_ms = at_ms - 15 * 86400000"
mark 303 ann 5
ask 200 ann /rate
says page 'a short practice'
is "$(sql "$db" "SELECT state, CAST(value AS INTEGER) FROM assignment a JOIN rating g ON g.assignment = a.id WHERE phase = 'main' AND state <> 'done'")" "leased|5" "begun, with its mark"
on ann
practise ann 1 "D?"
on ann
says page 'Passage 3 / 3' 'value="5" checked'
id=$(found 'action="/rate/([0-9a-f]+)"')
ask 303 ann "/rate/$id" --data-urlencode "csrf=$(token)" -d then=submit
ask 200 ann /rate
says page 'completion code'

echo "== missed twice in a later round: out, and what was rated is kept"
come_in bob
practise bob 1 "A?"
on bob
mark 303 bob 3
ask 200 bob /rate
mark 303 bob 3
ask 200 bob /rate
on bob
practise bob 5 "B?"
on bob
practise bob 5 "C?"
ask 303 bob /rate/next --data-urlencode "csrf=$(token)"
ask 200 bob /rate
says page 'What you have rated is kept'
is "$(sql "$db" "SELECT count(*) FROM rating g JOIN assignment a ON a.id = g.assignment JOIN rater r ON r.id = a.rater WHERE r.state = 'rejected' AND phase = 'main'")" 2 "marks of who is out"

echo "== a passage that is skipped: saved, not handed in, another one instead"
come_in cat
lacks page 'Skip this passage'
practise cat 1 "A?"
on cat
says page 'Passage 1 / 3' 'Skip this passage'
id=$(found 'action="/rate/([0-9a-f]+)"')
csrf=$(token)
for _ in 1 2; do
    ask 303 cat "/rate/$id" --data-urlencode "csrf=$csrf" -d then=skip --data-urlencode "skip=<b>too sad"
done
ask 200 cat /rate
says page 'Passage 1 / 3'
lacks page "\"/rate/$id\""
is "$(sql "$db" "SELECT count(*) FROM assignment WHERE state = 'skipped'")" 1 "the passage"

echo "== those who run it see every round"
audition 0 campaign show gate --json --db "$db"
is "$(sqlite3 :memory: "SELECT json_group_array(json_array(p.value ->> 'round', p.value ->> 'passed', p.value ->> 'handed_in', p.value ->> 'exact'))
    FROM json_each(readfile('out'), '\$.raters') r, json_each(r.value, '\$.practice') p")" \
    '[[1,0,0,0.0],[1,1,0,1.0],[2,1,2,1.0],[3,1,2,1.0],[1,1,0,1.0],[2,0,2,0.0],[2,0,2,0.0],[1,1,0,1.0]]' "rounds"
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=correct horse battery"
ask 200 ada /campaigns/gate/held
says page 'Skipped. &lt;b&gt;too sad'
ask 200 ada /campaigns/gate
says page 'Ratings still needed: 9.' 'Raters needed for that, about: ' 'By passage'
ask 200 ada /campaigns/gate/invitations
lacks page 'data-title="Note">gate<' # no note where none was written
ask 200 ada /campaigns/gate/raters
says page 'How raters practised' 'not passed' 'data-title="Within one step"'
ask 200 ada /campaigns/gate/results
says page 'href="/campaigns/gate"'
lacks page '-0.00'

echo "== who comes when nothing is taken keeps the invitation"
audition 0 campaign invite gate --url "$url" --db "$db"
link=$(found '(/invite/[^[:space:]]*)' out)
ask 200 dan "$link"
csrf=$(token)
audition 0 campaign close gate --db "$db"
ask 200 dan "$link"
says page 'Your invitation has not been used'
ask 200 dan "$link" --data-urlencode "csrf=$csrf"
says page 'Your invitation has not been used'
is "$(sql "$db" "SELECT count(*) FROM invite WHERE used_ms IS NULL")" 1 "invitations not used"
audition 2 campaign invite gate --url "$url" --db "$db"
says err 'nobody could rate in it'
post 400 ada /campaigns/gate /campaigns/gate/invites -d count=1 -d days=1
audition 0 campaign open gate --db "$db"
post 200 dan "$link" "$link"

echo "== links that cannot be told are not made: nobody would ever have them"
sql "$db" "ALTER TABLE audit RENAME TO away"
invites=$(sql "$db" "SELECT count(*) FROM invite")
post 500 ada /campaigns/gate /campaigns/gate/invites -d count=3 -d days=1
is "$(sql "$db" "SELECT count(*) FROM invite")" "$invites" "invitations"
sql "$db" "ALTER TABLE away RENAME TO audit"
post 200 ada /campaigns/gate /campaigns/gate/invites -d count=3 -d days=1
is "$(grep -o '/invite/[a-z2-9-]*' page | sort -u | wc -l)" 3 "links"
is "$(sql "$db" "SELECT count(*) FROM invite")" $((invites + 3)) "invitations"

echo "== a withheld text is decided on by a name that tells nothing: numbers of samples go by model"
sql "$db" "INSERT INTO withheld (campaign, sample, why, words) SELECT c.id, s.id, 'self', '' FROM campaign c, sample s WHERE c.name = 'gate' LIMIT 1"
sample=$(sql "$db" "SELECT sample FROM withheld")
ask 200 ada /campaigns/gate/held
lacks page "withheld/$sample\""
text=$(grep -o 'gate/withheld/[0-9a-f]\{16\}' page)
post 404 ada /campaigns/gate "/campaigns/gate/withheld/$sample" -d decision=hide
is "$(sql "$db" "SELECT count(*) FROM withheld WHERE decision IS NULL")" 1 "texts to decide on"
post 303 ada /campaigns/gate "/campaigns/$text" -d decision=hide
is "$(sql "$db" "SELECT decision FROM withheld")" hide "decision"

echo "== the code of the campaign, as a phone writes it; where to come back is said"
post 422 eve /join/gate /join/gate -d code=lamp
post 200 eve /join/gate /join/gate -d "code=Lantern "
says page 'class="words"' "<a href=\"/return\">$url/return</a>"

echo "== nobody is left standing at the door"
ask 401 nobody /rate
says page 'href="/return"' 'href="/login"'
stop "$serve_pid"

echo "== examiners of interviews practise on the standard dialogues, in each language"
db=${AUDITION_DB:-dialogues.db}
cp -R "$REPO/suites/interview" .
mock calm
for language in en zh ja; do
    # a script asks, and one sitting is enough
    sed -i 's/examiner: model/examiner: script/' interview/interview.$language.yaml
    sed -i 's/passages_per_rater: 3/passages_per_rater: 1/; s/silent: 0.1/silent: 0/' interview/campaign.$language.yaml
    echo 'about: []' >>interview/campaign.$language.yaml
    echo "models: [{name: player, base_url: 'http://127.0.0.1:$port', model: chat}]" >calm.yaml
    audition 0 check interview/interview.$language.yaml
    audition 0 run interview/interview.$language.yaml -m player -c calm.yaml --limit 1 --db "$db" -q
    audition 0 campaign new interview/campaign.$language.yaml --run latest --db "$db"
    audition 0 campaign open interview-$language --db "$db"
done
serve examiners --db "$db"

# agreed LANGUAGE: the marks of the dialogue on the page, "RC LA CQ IC"
agreed()
{
    sed "s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&#39;/'/g; s/&amp;/\&/g" page |
        awk 'NR == FNR && sub(/^ *\[10\] /, "") { sub(/.*(：|: )/, ""); last = $0 }
            NR == FNR && sub(/^ *score: /, "") { gsub(/[^0-9]+/, " "); marks[last] = $0 }
            NR > FNR { for (l in marks) if (index($0, l)) found[l] }
            END { for (l in found) print marks[l] }' "interview/dialogues/$1.yaml" -
}
# examine JAR "RC LA CQ IC": the dialogue on the page
examine()
{
    local name id n=0
    local -a marks sent=()

    read -ra marks <<<"$2"
    id=$(found 'action="/rate/([0-9a-f]+)"')
    while read -r name; do
        sent+=(-d "v.$name=${marks[n]}" -d "n.$name=0")
        n=$((n + 1))
    done < <(grep -o 'name="v\.[^"]*' page | cut -c 9- | awk '!seen[$0]++')
    is $n 4 "scales of an interview"
    ask 303 "$1" "/rate/$id" --data-urlencode "csrf=$(token)" "${sent[@]}" -d then=submit
    ask 200 "$1" "$(found $'\nLocation: ([^\r]*)' head)"
}
for language in en zh ja; do
    for rater in good bad; do
        audition 0 campaign invite interview-$language --url "$url" --db "$db"
        link=$(found '(/invite/[^[:space:]]*)' out)
        post 200 $rater$language "$link" "$link"
        ask 200 $rater$language '/rate?lang=en'
        post 303 $rater$language /rate /rate/consent -d agree=yes -d "version=$(field version)"
        ask 200 $rater$language /rate
        post 303 $rater$language /rate /rate/next
        ask 200 $rater$language /rate
        : >seen
        end=rating
        [ $rater = good ] || end=rejected
        for turn in 1 2 3 4 5 6; do
            says page '<h1>Practice</h1>'
            right=$(agreed $language)
            is "$(wc -w <<<"$right")" 4 "the dialogue on the page is one of ours"
            echo "$right" >>seen
            if [ $rater = good ]; then
                examine good$language "$right"
            else # the other way round: 5 is 1
                examine bad$language "$(tr 12345 54321 <<<"$right")"
            fi
            says page "The experts"
            { [ $rater = good ] && [ $turn = 3 ]; } || [ $turn = 6 ] || on $rater$language
            [ $rater = bad ] || [ $turn != 3 ] || break
        done
        is "$(sort -u seen | wc -l | tr -d ' ')" "$(wc -l <seen | tr -d ' ')" "no dialogue comes twice"
        is "$(sql "$db" "SELECT r.state FROM rater r JOIN campaign c ON c.id = r.campaign WHERE c.name = 'interview-$language' ORDER BY r.id DESC LIMIT 1")" \
            $end "$rater at the gate of $language"
    done
done
