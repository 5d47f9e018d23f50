#!/usr/bin/env bash
# Words in all replies, in any script, on SQLite and PostgreSQL; pages that are compressed where the browser takes it.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"

cat >suite.yaml <<E
suite: words
language: ja
elicit: {kind: single}
instrument: {kind: dimensions, dimensions: [{id: quality, scale: 0..4}]}
items: [{id: one, prompt: "灯は？"}, {id: two, prompt: "誰？"}, {id: three, prompt: "100%?"}]
E
cat >m.jsonl <<E
{"item": "one", "text": "灯台の灯を守る者がここにいる。"}
{"item": "two", "text": "我是更夫, the Watchman, and <b>nobody</b> else."}
{"item": "three", "text": "A hundred_per cent of it, 100% sure."}
E
cat >j.jsonl <<E
{"model": "m", "item": "one", "text": "{\"quality\": {\"analysis\": \"守り手の声\", \"score\": 3}}"}
{"model": "m", "item": "two", "text": "{\"quality\": {\"analysis\": \"x\", \"score\": 2}}"}
{"model": "m", "item": "three", "text": "{\"quality\": {\"analysis\": \"y\", \"score\": 2}}"}
E
printf 'models:\n  - {name: m, kind: recorded, file: m.jsonl}\n  - {name: j, kind: recorded, file: j.jsonl}\n' >models.yaml
sed 's/^suite: words/suite: hidden\nsensitive: true/' suite.yaml >hidden.yaml

look()
{
    audition 0 run suite.yaml -m m --judge j -q --db "$1"
    audition 0 run hidden.yaml -m m --judge j -q --db "$1"
    sed 's/^suite: words/suite: english/; s/^language: ja/language: en/' suite.yaml >english.yaml
    serve "$2" --db "$1"
    post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=correct horse battery"
    ask 200 ada "/search?words=%E7%81%AF%E5%8F%B0"
    says page '<mark><span lang="ja" dir="auto">灯台</span></mark>'
    is "$(grep -c '<mark>' page)" 1 "the sensitive suite is not searched"
    ask 200 ada "/search?words=watchMAN"
    says page 'Watchman</span></mark>' '&lt;b&gt;'
    ask 200 ada "/search?words=100%25"
    says page '100%</span></mark>'
    ask 200 ada "/search?words=d_p"
    is "$(grep -c '<mark>' page)" 1 "an underscore is no wildcard"
    ask 200 ada "/search?words=dXp"
    lacks page '<mark>'
    # By the index: three letters in any script; a run that is not in it, or has changed since, is found too.
    is "$(sql "$1" "SELECT COUNT(*) FROM word_run")" 2 "runs in the index"
    is "$(sql "$1" "SELECT COUNT(*) FROM word_sample WHERE words LIKE '%%灯台の%%'")" 2 "answers in the index"
    for found in %E7%81%AF%E5%8F%B0%E3%81%AE%E7%81%AF %E7%81%AF watchman "of%20it"; do
        ask 200 ada "/search?words=$found"
        is "$(grep -c '<mark>' page)" 1 "found: $found"
    done
    sql "$1" "UPDATE run SET stale = 1; DELETE FROM word_run; DELETE FROM word_sample; UPDATE worker SET run = 0"
    sql "$1" "INSERT INTO worker (id, name, host, pid, started, beat_ms, run) SELECT 7, 'w', 'h', 1, 1, 1, MIN(id) FROM run"
    ask 200 ada "/search?words=watchman"
    is "$(grep -c '<mark>' page)" 1 "at work, and found"
    is "$(sql "$1" "SELECT COUNT(*) FROM word_run")" 1 "what is at work is not taken"
    sql "$1" "DELETE FROM worker"
    ask 200 ada "/search?words=nowhere-at-all"
    is "$(sql "$1" "SELECT COUNT(*) FROM word_run")" 2 "what is at rest is taken"
    # What a person said is in no index, which would keep what is deleted; it is found all the same.
    sql "$1" "INSERT INTO turn (sample, position, part, speaker, kind, text, fact, source, quote, why, thinking, finish, elapsed_ms, at_ms)
        SELECT MIN(id), 1, 1, 'examiner', 'identity', 'x', '', 'person', '', '', '', '', 0, 0 FROM sample WHERE run = (SELECT MIN(id) FROM run)"
    sql "$1" "UPDATE run SET stale = 1"
    ask 200 ada "/search?words=watchman"
    is "$(grep -c '<mark>' page)" 1 "a person took part, and it is found"
    ask 200 ada "/search?words=nowhere-at-all"
    sql "$1" "DELETE FROM word_run; DELETE FROM word_sample; DELETE FROM word_verdict; UPDATE run SET stale = 1"
    ask 200 ada "/search?words=nowhere-at-all"
    is "$(sql "$1" "SELECT COUNT(*) FROM word_run")" 1 "runs in which no person took part"
    is "$(sql "$1" "SELECT COUNT(*) FROM word_sample w JOIN sample s ON s.id = w.rowid WHERE s.run = (SELECT MIN(id) FROM run)")" 0 "words beside a person's"
    sql "$1" "DELETE FROM turn"
    ask 200 ada "/search?words=nowhere-at-all"
    ask 200 ada "/search?in=judges&words=%E5%AE%88%E3%82%8A%E6%89%8B"
    says page '守り手</span></mark>'
    ask 200 ada "/search?in=judges&words=%E5%AE%88%E3%82%8A"
    says page '守り</span></mark>'
    ask 200 ada "/runs?words=WORDS&state=done&order=old"
    says page '1 of 1 shown'
    says page '<details class="narrow" open="">'
    run=$(grep -o '/runs/[0-9a-f]*' page | head -n 1)
    ask 200 ada "/runs"
    says page '<details class="narrow"><summary>Find runs</summary>'
    ask 200 ada "$run/samples"
    says page '<details class="narrow"><summary>Find samples</summary>'
    ask 200 ada "$run/samples?words=%E6%9B%B4%E5%A4%AB&order=spread"
    says page '<details class="narrow" open="">'
    says page '1 of 1 shown'
    ask 200 ada "$run/samples?from=2.5&to=4"
    says page '1 of 1 shown'
    ask 200 ada "$run/samples?unscored=1"
    says page 'Nothing matches'
    ask 200 ada "$run/samples?order=high"
    says page '3 of 3 shown'
    ask 200 ada "/leaderboard?suite=words" -H 'Accept-Language: zh'
    says page ">95%<"
    audition 0 run english.yaml -m m --judge j -q --db "$1"
    ask 200 ada "/leaderboard"
    says page 'suite=words' 'suite=english' 'language=ja'
    ask 200 ada "/leaderboard?language=ja"
    says page 'suite=words'
    lacks page 'suite=english'
    ask 200 ada "/model?name=m"
    ask 200 ada "/judge?name=j"
    ask 200 ada "/compare?a=${run##*/}&b=${run##*/}"
}

# sql() of the database that is looked at
sql()
{
    case $1 in
    postgresql:*) psql -qAtX -d "$1" -c "$2" ;;
    *) sqlite3 -batch -cmd '.timeout 10000' "$1" "$2" ;;
    esac
}

echo "SQLite"
look "$PWD/s.db" first

echo "compressed for those who take it, and the same bytes inside"
ask 200 ada /runs
cp page plain
lacks head 'Content-Encoding'
says head 'Vary: Accept-Encoding'
ask 200 ada /runs -H 'Accept-Encoding: br, gzip'
says head 'Content-Encoding: gzip'
gunzip <page >unpacked
cmp plain unpacked || fail "it unpacks to something else"
for refusal in 'gzip;q=0' 'gzip; q=0, br' 'gzip;q=0.0'; do
    ask 200 ada /runs -H "Accept-Encoding: $refusal"
    lacks head 'Content-Encoding'
done
[ "$(for _ in 1 2 3 4 5 6 7 8; do ask 200 ada /runs -H 'Accept-Encoding: gzip'; wc -c <page; done | sort -u | wc -l)" -gt 1 ] || fail "the length of a page gives its secrets away"
ask 404 ada "$run/samples/999999"
ask 400 ada "/runs/latest/samples?key=%FF"
ask 200 ada "$run/samples?key=nan&after=x&from=abc&order=%27%3B--"
stop "$serve_pid"

echo "what is removed is not found, and a copy has an index of its own"
audition 0 rm "${run##*/}" --yes --db "$PWD/s.db"
is "$(sql "$PWD/s.db" "SELECT COUNT(*) FROM word_sample WHERE rowid NOT IN (SELECT id FROM sample)")" 0 "words of no answer"

[ -n "${AUDITION_TEST_PG-}" ] || exit 0
echo "PostgreSQL"
look "$("$REPO/tests/pg.sh" printenv AUDITION_TEST_PG)" second # a database of its own
