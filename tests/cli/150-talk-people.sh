#!/usr/bin/env bash
# People compare two conversations of the same user, on both databases: each is shown whole, by no name, and the votes are battles
# like any others. And what is shipped: users, conversations and casts in each language.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

cp -R "$REPO/tests/fixtures/dialogue" fixtures
cp fixtures/dialogue.yaml fixtures/battle.yaml
battles fixtures/battle.yaml
mock talk
# shellcheck disable=SC2154 # mock() sets it
cat >models.yaml <<M
models:
  - {name: secretive-ann, base_url: "http://127.0.0.1:$port", model: chat-ann}
  - {name: secretive-bob, base_url: "http://127.0.0.1:$port", model: chat-bob}
M
printf 'campaign: pairs\npassages_per_rater: 2\noverlap: 1\nabout: []\n' >pairs.yaml

walk() # DATABASE
{
    local db=$1 link

    audition 0 run fixtures/battle.yaml -m secretive-ann -m secretive-bob --user script --db "$db"
    audition 0 campaign new pairs.yaml --run latest --db "$db"
    audition 0 campaign open pairs --db "$db"
    serve site --db "$db"
    audition 0 campaign invite pairs --url "$url" --db "$db"
    link=$(found '(/invite/[^[:space:]]*)' out)
    rm -f ann
    ask 200 ann "$link"
    says page 'Conversations'
    lacks page 'Interviews'
    post 200 ann "$link" "$link"
    ask 200 ann /rate
    post 303 ann /rate /rate/consent -d agree=yes -d "version=$(field version)"
    post 303 ann /rate /rate/next
    for text in 1 2; do
        ask 200 ann /rate
        says page "Conversation $text / 2" 'Which one is better?' 'Both are bad'
        is "$(grep -o '\[2\] Tom: Evening. Could you let me through' page | wc -l)" 2 "transcripts of the same user"
        lacks page 'secretive' 'chat-ann' 'chat-bob'
        slot=$(grep -o 'name="n\.[^"]*\.choice' page | head -n 1 | cut -d . -f 2)
        ask 303 ann "$(found 'action="(/rate/[0-9a-f]+)"')" --data-urlencode "csrf=$(token)" \
            -d "n.$slot.choice=0" -d "v.$slot.choice=0.5" -d then=submit
    done
    stop "$serve_pid"
    audition 0 campaign close pairs --db "$db"
    audition 0 campaign unmask pairs --db "$db"
    audition 0 campaign results pairs --json --db "$db"
    says out 'secretive-ann' 'secretive-bob'
    audition 0 board latest --judge campaign:pairs --json --db "$db"
    says out 'campaign:pairs' '"name":"secretive-ann"'
    audition 0 verify latest --db "$db"
    says out 'no differences'
}

for db in here.db ${AUDITION_TEST_PG:+"$AUDITION_TEST_PG"}; do
    walk "$db"
done

echo "== one conversation is marked: by names and without parts, what was said to nobody is not shown, and nobody was interviewed"
demo=$REPO/demo
audition 0 run "$demo/dialogue.yaml" -c "$demo/models.yaml" -m talker --judge listener --db marks.db
sql marks.db "UPDATE turn SET kind = 'summary', text = 'FOR NOBODY' WHERE position = 6"
printf 'campaign: marks\npassages_per_rater: 1\noverlap: 1\nabout: []\npractice: no\n' >marks.yaml
audition 0 campaign new marks.yaml --run latest --db marks.db
sample=$(sql marks.db "SELECT id FROM sample")
audition 0 campaign decide marks "$sample" --show --db marks.db
audition 0 campaign open marks --db marks.db
serve marks --db marks.db
audition 0 campaign invite marks --url "$url" --db marks.db
link=$(found '(/invite/[^[:space:]]*)' out)
rm -f ann
ask 200 ann "$link"
post 200 ann "$link" "$link"
ask 200 ann /rate
says page 'read conversations'
lacks page 'nterview'
post 303 ann /rate /rate/consent -d agree=yes -d "version=$(field version)"
post 303 ann /rate /rate/next
ask 200 ann /rate
says page 'The conversation' 'The scene' '>Wenna Pask<' '>Miss Marsh<' 'Rope first, skipper.'
lacks page 'Part 0' 'Part 1' 'Examiner' 'nterview' 'FOR NOBODY'
stop "$serve_pid"

echo "== eight users, ten conversations and three casts in each language"
for language in en zh ja; do
    suite=$REPO/suites/dialogue/dialogue.$language.yaml
    audition 0 check "$suite"
    says out '10 items'
    [ "$(sed -n '/^  users:/,/^[a-z]/p' "$suite" | grep -o 'users/[a-z-]*' | sort -u | wc -l)" -ge 8 ] || fail "users in $language"
    casts=0
    for suite in "$REPO"/suites/dialogue/*."$language".yaml; do
        ! grep -q '^  cast:' "$suite" || casts=$((casts + 1))
    done
    is "$casts" 3 "casts in $language"
done
