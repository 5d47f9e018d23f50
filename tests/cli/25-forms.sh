#!/usr/bin/env bash
# Published against fresh: a model that has learned the published items by heart is found out. And a run as
# one file, which another installation verifies.
set -euo pipefail

# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

of() { sqlite3 :memory: "SELECT json_extract(CAST(readfile('out') AS TEXT), '$1')"; }

cat >toll.yaml <<'END'
suite: toll
language: en
instrument: {dimensions: [{id: right, scale: 0..10}]}
items:
END
for i in 1 2 3 4 5 6 7 8; do
    cat >>toll.yaml <<END
  - id: t$i
    prompt: "{{n}} sheep at $i pence?"
    reference: "{{owed}} pence"
    slots: {n: [$((i + 2)), $((i + 11)), $((i + 21)), $((i + 31))], owed: "= n * $i"}
    holds: ["owed > 2"]
END
done
echo '  - {id: plain, prompt: "Who are you?", reference: "Hob"}' >>toll.yaml
# One can multiply; one knows the published answers and says them whatever is asked.
answers() # ROW
{
    for i in 1 2 3 4 5 6 7 8; do
        printf '{"item": "t%s", "text": "%s pence"}\n' "$i" "$((($1) * i))"
    done
    echo '{"item": "plain", "text": "Hob"}'
}
answers 'i + 2' >learned.jsonl
status 0 "$AUDITION" check toll.yaml
printf 'models:\n  - {name: honest, kind: recorded, file: honest.jsonl}\n  - {name: learned, kind: recorded, file: learned.jsonl}\n' >models.yaml
answers 'i + 2' >honest.jsonl
status 0 "$AUDITION" run toll.yaml -m honest -m learned --judge objective:exact -q
# What the fresh form asks is read from a run that is only planned.
status 0 "$AUDITION" run toll.yaml -m honest --form 7 -q --db draft.db
sqlite3 draft.db "SELECT json_object('item', name, 'text', json_extract(body, '\$.reference')) FROM item" >honest.jsonl
! grep -qF '"3 pence"' honest.jsonl || fail "a fresh form has a published value"
status 0 "$AUDITION" run toll.yaml -m honest -m learned --judge objective:exact --form 7 -q
fresh=$("$AUDITION" list --json | grep -o '"run":"[0-9a-f]*"' | cut -d'"' -f4 | head -n 1)
status 0 "$AUDITION" run toll.yaml -m honest -m learned --judge objective:exact --form 7 -q
[ "$(sqlite3 audition.db 'SELECT COUNT(*) FROM run')" = 2 ] || fail "the same form is not the same run"

echo "== the published form is compared with the fresh one, whichever is named"
for args in "" "$fresh"; do
    # shellcheck disable=SC2086 # none or one word
    status 0 "$AUDITION" compare $args --forms --json
    [ "$(of '$.form_now')/$(of '$.form_before')" = 0/7 ] || fail "not published against fresh"
    [ "$(of '$.edited')" = 1 ] || fail "an item of one form alone was compared"
    [ "$(sqlite3 :memory: "SELECT json_extract(value, '$.difference') FROM json_each(CAST(readfile('out') AS TEXT), '$.models') WHERE json_extract(value, '$.model') = 'learned'")" = 10.0 ] ||
        fail "learning by heart is not seen: $(cat out)"
    [ "$(sqlite3 :memory: "SELECT json_extract(value, '$.difference') FROM json_each(CAST(readfile('out') AS TEXT), '$.models') WHERE json_extract(value, '$.model') = 'honest'")" = 0.0 ] ||
        fail "honesty is not seen"
done
status 0 "$AUDITION" compare --forms
says out "0 is the published form"
status 0 "$AUDITION" verify "$fresh"
first=$(sqlite3 audition.db "SELECT name FROM run ORDER BY id LIMIT 1")
status 2 "$AUDITION" compare "$first" "$first" --forms
says err "of the same form"
printf 'suite: flat\nlanguage: en\ninstrument: {dimensions: [{id: q, scale: 0..1}]}\nitems: [{prompt: Hm?}]\n' >flat.yaml
status 1 "$AUDITION" run flat.yaml -m honest --form 3 -q
says err "only the published form"

echo "== one file, which anybody verifies"
status 0 "$AUDITION" archive "$first" -o paper.audition
status 2 "$AUDITION" archive "$first" -o paper.audition
status 0 "$AUDITION" submit check paper.audition
says out "0 differences" "fit for submission" "there is no suites/bench here"
status 0 "$AUDITION" board --db paper.audition
says out learned
[ "$(sqlite3 paper.audition 'SELECT COUNT(*) FROM run')" = 1 ] || fail "another run came along"
own=" run model judge seat examiner item call sample turn verdict mark flag flag_log look class_mark score seal sample_value schema_migration "
for t in $(sqlite3 paper.audition "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"); do
    [[ $own == *" $t "* || $t == word_*_* ]] || [ "$(sqlite3 paper.audition "SELECT COUNT(*) FROM \"$t\"")" = 0 ] || fail "$t came along"
done
status 0 "$AUDITION" archive "$fresh" -o fresh.audition
status 1 "$AUDITION" submit check fresh.audition
says out "form 7"
status 2 "$AUDITION" restore paper.audition
says err "already exists"

# back: into an empty store, and beside others
back()
{
    status 0 "$AUDITION" restore paper.audition --db "$1"
    lacks out "unfinished"
    status 0 "$AUDITION" restore fresh.audition --db "$1"
    status 0 "$AUDITION" verify "$first" --db "$1"
    status 0 "$AUDITION" verify "$fresh" --db "$1"
    status 0 "$AUDITION" run toll.yaml -m honest -q --seed 5 --db "$1"
    status 0 "$AUDITION" compare --forms --json --db "$1" "$first" "$fresh"
    [ "$(of '$.form_before')" = 7 ] || fail "the form did not come back"
}
back back.db
[ -z "${AUDITION_TEST_PG:-}" ] || back "$("$REPO/tests/pg.sh" printenv AUDITION_TEST_PG)"

# two that are brought back at the same moment: both have looked before either may write
if [ -n "${AUDITION_TEST_PG:-}" ]; then
    both=$("$REPO/tests/pg.sh" printenv AUDITION_TEST_PG)
    status 0 "$AUDITION" db migrate --db "$both"
    status 0 "$AUDITION" run toll.yaml -m honest -q --seed 6 --db elsewhere.db
    status 0 "$AUDITION" archive latest -o elsewhere.audition --db elsewhere.db
    start psql -qX -d "$both" -c "BEGIN" -c "LOCK TABLE run IN EXCLUSIVE MODE" -c "SELECT pg_sleep(3)" -c "COMMIT" >held
    until_true "the lock" 20 sh -c "psql -qAtX -d '$both' -c \"SELECT 1 FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation = 'run'::regclass\" | grep -q 1"
    start "$AUDITION" restore elsewhere.audition --db "$both" >elsewhere.out 2>&1
    status 0 "$AUDITION" restore paper.audition --db "$both"
    wait "$started" || fail "$(<elsewhere.out)"
    status 0 "$AUDITION" verify "$first" --db "$both"
fi

echo "== what was cut or spoilt on its way is told apart, and so is what to do"
size=$(stat -c %s paper.audition)
for bytes in 50 150 4096 $((size - 1)); do
    head -c "$bytes" paper.audition >short.audition
    status 1 "$AUDITION" restore short.audition --db none.db
    says err "short.audition is incomplete" "download it again"
    lacks err "backup"
done
status 1 "$AUDITION" submit check short.audition
says err "short.audition is incomplete"
for from in 100 $((size / 2)); do # the first page begins the schema
    cp paper.audition spoilt.audition
    head -c 3900 /dev/zero | tr '\0' '\377' | dd of=spoilt.audition bs=1 seek="$from" conv=notrunc status=none
    status 1 "$AUDITION" restore spoilt.audition --db none.db
    says err "spoilt.audition is damaged" "download it again"
    lacks err "backup"
done
status 1 "$AUDITION" restore spoilt.audition --db none.db --language ja
says err "壊れています"

echo "== and whoever changes it is found out"
for change in "UPDATE mark SET value = 5" "UPDATE sample SET answer = 'another'" \
    "UPDATE item SET body = REPLACE(body, 'sheep', 'goats')" "UPDATE score SET value = 9 WHERE metric = 'score'" \
    "DELETE FROM verdict WHERE id = (SELECT MAX(v.id) FROM verdict v)"; do
    cp paper.audition worse.audition
    sqlite3 worse.audition "PRAGMA foreign_keys = OFF; $change"
    status 1 "$AUDITION" submit check worse.audition
done
forever='WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)'
for code in "CREATE VIEW forever AS $forever SELECT MAX(n) AS n FROM c; CREATE TRIGGER t BEFORE UPDATE ON run BEGIN SELECT n FROM forever; END; DROP TRIGGER audit_no_update" \
    "ALTER TABLE score RENAME TO true_score; CREATE VIEW score AS $forever SELECT s.* FROM true_score s, c" \
    "DROP VIEW juror; CREATE VIEW juror AS $forever SELECT n AS run, n AS judge FROM c"; do
    cp paper.audition worse.audition
    sqlite3 worse.audition "PRAGMA legacy_alter_table = ON; $code"
    for command in "submit check worse.audition" "restore worse.audition --db none.db"; do
        # shellcheck disable=SC2086 # several words
        status 1 timeout 60 "$AUDITION" $command
        says err "worse.audition is not an archived run: it contains the view or trigger"
    done
done
for column in name suite; do
    cp paper.audition worse.audition
    sqlite3 worse.audition "UPDATE run SET $column = char(27) || '[31m/../../x'"
    for command in "submit check worse.audition" "restore worse.audition --db none.db" "board --db worse.audition" \
        "verify latest --db worse.audition" "describe latest --db worse.audition"; do
        # shellcheck disable=SC2086 # several words
        status 1 "$AUDITION" $command
        says err "is damaged"
        ! grep -q $'\e' out err || fail "$command: a terminal would obey"
    done
done
echo "== a part of the published items, other items and other rules are found, where the benchmark is at hand"
mkdir -p suites/bench/en
printf '# x\ncollection: bench\nsuites:\n  - {file: en/toll.yaml, kind: toll}\n' >suites/bench/bench.yaml
cp toll.yaml suites/bench/en
status 0 "$AUDITION" submit check paper.audition
lacks out published
status 0 "$AUDITION" run toll.yaml -m learned --judge objective:exact --limit 3 -q --db part.db
status 0 "$AUDITION" archive latest -o part.audition --db part.db
status 1 "$AUDITION" submit check part.audition
says out "6 of 9 published items were not asked"
sed -i '/^  - id: t1/,/holds/s/sheep/lambs/; s/scale: 0..10/scale: 0..5/' suites/bench/en/toll.yaml
status 1 "$AUDITION" submit check paper.audition
says out "1 item not as published" "the suite differs from the published one"
cp suites/bench/en/toll.yaml whole.yaml
echo 'nonsense: 1' >>suites/bench/en/toll.yaml
status 1 "$AUDITION" submit check paper.audition
says err "toll.yaml" "nonsense"
mv whole.yaml suites/bench/en/toll.yaml
sed -i 's/^suite: .*/suite: other/' suites/bench/en/toll.yaml
status 0 "$AUDITION" submit check paper.audition
says out "suites/bench does not contain toll"
rm -r suites
ln -s "$REPO/suites" suites
echo '  - {name: far, base_url: "http://127.0.0.1:9/v1", model: far}' >>models.yaml
status 0 "$AUDITION" run suites/bench/en/cast-saleroom.yaml -m far --detach --db cast.db
status 0 "$AUDITION" archive latest -o cast.audition --db cast.db
status 1 "$AUDITION" submit check cast.audition
says out "answers missing: 1 of 1"
lacks out published
rm suites
echo "== a run that comes in a file waits for nobody's workers, and is written when nobody works on it"
status 0 "$AUDITION" run toll.yaml -m learned --judge objective:exact --detach --db queued.db
status 0 "$AUDITION" archive latest -o queued.audition --db queued.db
sqlite3 queued.audition "UPDATE run SET orders = 'queued'"
status 0 "$AUDITION" restore queued.audition --db asked.db -c mine.yaml
says out "it is unfinished" " -c mine.yaml --db asked.db\` would ask the endpoints that the file names"
is "$(sqlite3 asked.db "SELECT orders || typeof(orders) FROM run")" text "orders of a stranger"
sqlite3 queued.db "INSERT INTO worker (id, name, host, pid, started, beat_ms) VALUES (7, 'x', 'there', 1, 1, 9000000000000); INSERT INTO sample_lease VALUES (1, 7, 1)"
status 2 "$AUDITION" archive latest -o busy.audition --db queued.db
says err "is being worked on; stop it first: audition pause "

echo "== what was cut off is no archive and in nobody's way; one without a run is none either"
head -c 200000 /dev/zero | tr '\0' x >long
printf '{"item": "a", "answer": "%s"}\n' "$(cat long)" >long.jsonl
printf 'suite: long\nlanguage: en\ninstrument: {dimensions: [{id: q, scale: 0..1}]}\nitems: [{id: a, prompt: Hm?}]\n' >long.yaml
status 0 "$AUDITION" import long.jsonl --suite long.yaml --model honest --db long.db
status 0 "$AUDITION" board latest --db long.db
code=0
(ulimit -f 500; exec "$AUDITION" archive latest -o cut.audition --db long.db) >out 2>err || code=$?
[ $code -ne 0 ] || fail "an archive of more bytes than a file may have"
[ ! -e cut.audition ] || fail "half an archive has the name of a whole one"
status 0 "$AUDITION" archive latest -o cut.audition --db long.db
[ "$(echo cut.audition*)" = cut.audition ] || fail "left behind: $(echo cut.audition*)"
(
    flock 9
    status 2 "$AUDITION" archive latest -o two.audition --db long.db
    says err "two.audition is being written by another process"
) 9>two.audition.part || exit
status 0 "$AUDITION" archive latest -o two.audition --db long.db
status 1 "$AUDITION" submit check two.audition
says out "nobody has judged it" "  honest  -"; lacks out nan
[ "$(echo two.audition*)" = two.audition ] || fail "left behind: $(echo two.audition*)"
head -c 150000 cut.audition >half.audition
status 1 "$AUDITION" restore half.audition
says err "half.audition is incomplete"
lacks err audition-archive
TMPDIR=$PWD/nowhere status 1 "$AUDITION" restore two.audition --db other.db
says err "two.audition: " nowhere
sqlite3 cut.audition "PRAGMA foreign_keys = OFF; DELETE FROM run"
status 0 "$AUDITION" db migrate --db empty.audition
for command in restore "submit check"; do
    # shellcheck disable=SC2086 # two words
    status 1 "$AUDITION" $command cut.audition
    says err "cut.audition is damaged"
    # shellcheck disable=SC2086
    status 1 "$AUDITION" $command empty.audition
    says err "empty.audition contains no run"
done

echo nonsense >no.audition
status 1 "$AUDITION" submit check no.audition
says err "not an archived run"

echo "== a right answer of a word or two is no leak, nor any where functions judge; a sentence that equals the reference is"
cat >leak.yaml <<'END'
suite: leak
language: en
instrument: {dimensions: [{id: q, scale: 0..1}]}
items:
  - {id: short, prompt: "What colour?", reference: "Green."}
  - {id: long, prompt: "And the ferry?", reference: "The ferry is late again tonight."}
END
printf '%s\n' '{"item": "short", "text": "green"}' '{"item": "long", "text": "The ferry is late again tonight"}' >honest.jsonl
status 0 "$AUDITION" run leak.yaml -m honest --judge objective:normalised -q --db right.db
status 0 "$AUDITION" verify latest --db right.db
[ "$(sqlite3 right.db "SELECT count(*) FROM flag WHERE kind = 'leak'")" = 0 ] || fail "to be right is called a leak"
status 0 "$AUDITION" run leak.yaml -m honest -q
status 0 "$AUDITION" flag latest
leaks() { sqlite3 audition.db "SELECT group_concat(i.name) FROM flag f JOIN sample s ON s.id = f.sample JOIN item i ON i.id = s.item WHERE f.kind = 'leak' AND i.name IN ('short', 'long')"; }
[ "$(leaks)" = long ] || fail "leaks are not told from right answers: $(leaks)"
status 0 "$AUDITION" verify latest

echo "== a model that is another one today begins a new run, and that is said"
mock changed --reply-bytes 40
for id in one two; do
    printf 'models:\n  - {name: mine, base_url: "http://127.0.0.1:%s", model: %s, key: none}\n' "$port" "$id" >models.yaml
    status 0 "$AUDITION" run leak.yaml -m mine
done
says err "mine is not what it was in run"

echo "== the published value is not drawn again; signs and formulas without end are refused"
cat >slots.yaml <<'END'
suite: slots
language: en
instrument: {dimensions: [{id: right, scale: 0..10}]}
items:
  - {id: a, prompt: "{{who}}", slots: {who: [Nan, Wat, Nan]}}
  - {id: b, prompt: "{{n}} {{x}}", slots: {n: [1e300, 2e300], x: "= n * n"}}
END
status 1 "$AUDITION" check slots.yaml
says err 'slots.yaml:5:56: error: this is the published value again'
says err 'cannot be computed: its result is too large'
{
    sed -n 1,3p slots.yaml
    printf 'items:\n  - {id: a, prompt: "{{n}} {{x}}", slots: {n: [1, 2], x: "= %s n"}}\n' "$(printf -- '-%.0s' {1..300000})"
} >signs.yaml
status 0 "$AUDITION" check signs.yaml
