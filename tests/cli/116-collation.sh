#!/usr/bin/env bash
# A server that sorts text as a language does: what a run says there is what it says in SQLite, which sorts bytes.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
[ -n "${AUDITION_TEST_PG-}" ] || skip "no PostgreSQL"
name=${AUDITION_TEST_PG#postgresql:///} name=${name%%\?*}
psql -qX -d "$AUDITION_TEST_PG" -c "CREATE DATABASE ${name}_english LOCALE_PROVIDER icu ICU_LOCALE 'en' TEMPLATE template0" ||
    skip "the server knows no language"
english="postgresql:///${name}_english?${AUDITION_TEST_PG#*\?}"

cat >suite.yaml <<'END'
suite: wit
language: en
instrument:
  kind: dimensions
  dimensions: [{id: Wit, scale: 0..5}, {id: humanity, scale: 0..5}, {id: humour, scale: 0..5}]
score: {kind: totals}
items:
  - {id: one, prompt: Who goes there?}
  - {id: two, prompt: What is the word?}
END
for item in one two; do
    echo "{\"item\": \"$item\", \"text\": \"The miller of number $item.\"}" >>miller.jsonl
    printf '{"model": "miller", "item": "%s", "repeat": 0, "text": "{\\"Wit\\": {\\"score\\": 1}, \\"humanity\\": {\\"score\\": 2}, \\"humour\\": {\\"score\\": 4}}"}\n' $item >>critic.jsonl
    for rater in r1 r2; do
        for mark in Wit:1 humanity:3 humour:5; do
            echo "$rater,$item,miller,0,${mark%:*},${mark#*:},"
        done
    done >>ratings
done
{ echo rater,passage,system,repeat,dimension,value,comment && cat ratings; } >ratings.csv
printf 'models:\n  - {name: %s, kind: recorded, file: %s.jsonl}\n  - {name: %s, kind: recorded, file: %s.jsonl}\n' \
    miller miller critic critic >models.yaml
printf 'campaign: crew\npassages_per_rater: 2\noverlap: 2\n' >c.yaml
for i in 1 2 3 4 5; do
    printf '{"text": "Kindly wait %s.", "label": "polite"}\n{"text": "Go %s.", "label": "blunt"}\n' $i $i
done >labels.jsonl
audition 0 run suite.yaml -m miller --judge critic
audition 0 campaign import ratings.csv c.yaml --run latest --name crew
for model in Polite calm; do
    audition 0 classifier train labels.jsonl -o $model.model
    audition 0 classifier rate latest -m $model.model
done
audition 0 campaign unmask crew
audition 0 board latest
audition 0 verify latest
digest=$(sed -n 's/^ *digest *//p' out)

# told DATABASE DIRECTORY: all that a run says
told()
{
    local what

    mkdir "$2"
    for what in 'board latest --json' 'board latest --judge campaign:crew --json' 'report latest --json' 'export latest' \
        'campaign export crew' 'campaign results crew --json' 'show latest --item one'; do
        # shellcheck disable=SC2086 # words
        audition 0 $what --db "$1"
        cp out "$2/${what// /_}"
    done
}

echo "== a copy: nothing differs, and it says the same"
audition 0 db copy "$english"
audition 0 verify latest --db "$english"
says out "$digest" "no differences"
told audition.db bytes
told "$english" letters
diff -r bytes letters || fail "another order"

echo "== scored there, the digest is the same"
AUDITION_DB=$english sql - "DELETE FROM seal; UPDATE run SET stale = 1, sealed = '', facts = ''"
audition 0 board latest --db "$english"
audition 0 verify latest --db "$english"
says out "$digest"

echo "== what was sealed there by versions that sorted as the language does still holds"
AUDITION_DB=$english sql - "UPDATE run SET stale = 1, sealed = '';
    UPDATE seal SET hash = -243714290310961887 WHERE kind = 'mark' AND fact = 1;
    UPDATE seal SET hash = 8677036097286725350 WHERE kind = 'rating' AND fact = 1;
    UPDATE seal SET hash = 2438506984095993735 WHERE kind = 'phase' AND fact = 1"
audition 0 verify latest --db "$english"
AUDITION_DB=$english sql - "UPDATE mark SET value = 3 WHERE verdict = 1 AND dimension = 'Wit'"
audition 1 verify latest --db "$english"
says err "the marks of verdict 1: not what was stored"

echo "== models are listed in the order of bytes"
sed 's/miller/Zora/g' models.yaml >more.yaml
cp miller.jsonl Zora.jsonl
audition 0 run suite.yaml -m Zora -c more.yaml -q --db "$english"
audition 0 publish pages --db "$english"
is "$(grep -o 'model--name-[A-Za-z]*' pages/models.html | uniq | tr '\n' ' ')" "model--name-Zora model--name-miller " "models"

echo "== the beginning of an id is enough where aa is the last letter of the alphabet"
psql -qX -d "$AUDITION_TEST_PG" -c "CREATE DATABASE ${name}_danish LOCALE_PROVIDER icu ICU_LOCALE 'da' TEMPLATE template0"
danish="postgresql:///${name}_danish?${AUDITION_TEST_PG#*\?}"
audition 0 db copy "$danish"
AUDITION_DB=$danish sql - "UPDATE run SET name = '1aa2'"
audition 0 board 1a --db "$danish"
