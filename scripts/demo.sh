#!/usr/bin/env bash
# demo.sh  one whole evaluation on the recorded replies in demo/ (`make demo`).
#
# AUDITION names the program (default build/audition). Everything is written to build/demo. LANGUAGE=zh or ja shows the
# rubric test and the battles of demo/zh or demo/ja, in that language, written to build/demo/zh or build/demo/ja.
set -eu
cd "$(dirname "$0")/.."

program=${AUDITION:-build/audition}
program=${program#"$PWD/"} # as one would type it here
out=build/demo
db=$out/demo.db
battles=$out/battles.db
report=$out/report.html
sittings=$out/interview.db
interview=$out/interview.html
talks=$out/talks.db
dialogue=$out/dialogue.html
scene=$out/scene.html

# What is set on this machine must not decide what is shown.
unset "${!OPENAI_@}" "${!AUDITION_@}"

# Show a command, as it could be typed, and run it.
try()
{
    printf '\n$ %s\n' "$*" | fold -s -w 100 | sed '3,$s/^/    /; 2,$ { $!s/$/\\/; }'
    "$@"
}

# The same for a run that shall leave something over.
try_left()
{
    local status=0

    try "$@" || status=$?
    [ "$status" -eq 3 ] && return
    echo "demo: expected exit code 3 from this run, got $status" >&2
    exit 1
}

if ! command -v "$program" >/dev/null; then
    echo "demo: there is no $program yet; 'make' builds it" >&2
    exit 1
fi

# What stands under a heading of a language's words.
say()
{
    echo
    sed -n "/^== $1\$/,/^== /{/^== /!p}" "$words"
}

# The shorter evaluation of a language that has its own character: four models, a judge, an editor.
in_language()
{
    local texts=demo/$1 to=$out/$1 words=demo/$1/words name judge editor models=()

    mkdir -p "$to"
    rm -f "$to"/demo.db* "$to"/battles.db* "$to/report.html"
    while IFS= read -r name; do
        models+=(-m "$name")
    done < <(sed -n '/replies\//s/.*name: \([^,]*\),.*/\1/p' "$texts/models.yaml")
    judge=$(sed -n '/file: judge/s/.*name: \([^,]*\),.*/\1/p' "$texts/models.yaml")
    editor=$(sed -n '/file: editor/s/.*name: \([^,]*\),.*/\1/p' "$texts/models.yaml")

    say begin
    try "$program" check "$texts/suite.yaml" "$texts/battles.yaml" -c "$texts/models.yaml" --language "$1"
    try_left "$program" run "$texts/suite.yaml" -c "$texts/models.yaml" "${models[@]}" --judge "$judge" --db "$to/demo.db" \
        --language "$1"
    say judged
    try "$program" report latest -o "$to/report.html" --db "$to/demo.db" --language "$1"
    try "$program" verify latest --db "$to/demo.db" --language "$1"
    say battles
    try "$program" run "$texts/battles.yaml" -c "$texts/models.yaml" "${models[@]}" --judge "$editor" --quiet \
        --db "$to/battles.db" --language "$1"
    say rated
    try "$program" chart leaderboard latest -o "$to/board.svg" --db "$to/demo.db" --language "$1"
    say end
    printf '  %s\n' "$PWD/$to/report.html"
}

case ${LANGUAGE-} in
    zh | ja)
        in_language "$LANGUAGE"
        exit
        ;;
esac

mkdir -p "$out"
rm -f "$db" "$db-wal" "$db-shm" "$battles" "$battles-wal" "$battles-shm" "$report"
rm -f "$sittings" "$sittings-wal" "$sittings-shm" "$interview"

cat <<'END'
Every reply in this demo is recorded, the judge's too: nothing is contacted, no key is needed.

Wenna Pask keeps a canal lock below the reservoir that covers her village. Four models play her:
  steady   is Wenna, and stays so          drifter  begins as Wenna and ends as an assistant
  grand    is Wenna, at the opera          parrot   has one good answer and gives it three times
END

try "$program" check demo/suite.yaml demo/battles.yaml demo/interview.yaml -c demo/models.yaml

try_left "$program" run demo/suite.yaml -c demo/models.yaml -m steady -m grand -m drifter -m parrot \
    --judge examiner --db "$db"
cat <<'END'

Exit code 3: done, but something is left. Here it is meant. Five verdicts began with a reply that
broke the form. Three were mended when the judge was asked once more; two were not and stay
unscored, which is counted and never becomes a zero. The parrot's repeats do become zeros, by the
suite's rule: the judge liked them, but it sees one answer at a time. Two other answers, one of the
drifter's and one of steady's, are capped, because they stand in demo/train.jsonl, word for word or
nearly: what a model has read before is no answer of its own.
END

try "$program" report latest -o "$report" --db "$db"
try "$program" verify latest --db "$db"

cat <<'END'

The same four in battles: an editor has room for one answer of two. Five visitors, every pair, each
shown both ways round.
END

try_left "$program" run demo/battles.yaml -c demo/models.yaml -m steady -m grand -m drifter -m parrot \
    --judge editor --limit 5 --full --quiet --db "$battles"

cat <<'END'

Of the two ratings, trust the first: Bradley-Terry gives the same ratings in whatever order the battles
were fought, and its intervals count the battles over one visitor as the one piece of evidence that
they are; Glicko-2 is there for comparison with boards that use it, and its last column shows how far
another order would have moved it.
One verdict is unscored, because the editor would not say which, even when asked again: nobody wins by
that. One battle is a tie, because the editor took whatever came first. And the parrot does better than
above: whoever sees one answer at a time does not notice that it has only the one.
END

cat <<'END'

And one interview each: a visitor with a notebook asks short questions, hands over a card for a story,
and talks about it; one thing is asked for twice. A judge reads the whole and gives four whole marks,
each with words from numbered turns.
END

try "$program" run demo/interview.yaml -c demo/models.yaml -m steady -m grand -m drifter -m parrot \
    --judge reader --full --quiet --db "$sittings"
try "$program" report latest -o "$interview" --db "$sittings"
try "$program" verify latest --db "$sittings"

cat <<'END'

The band is the mean of the four marks in half steps. The drifter gets 3.0 for 2.75 and holds for 8 of
12 answers; then simple rules see tips, a word that nobody knew in 1934, an assistant that says so, and
a refusal. Such signs are shown and change no mark. The judge first quoted the drifter from memory; the
words did not stand in the turn that it named, so it was asked again. Of the grand one's quotations one
is still false, and marked so.
END

cat <<'END'

And a dialogue: for twenty-four turns somebody talks with Wenna until the bus comes. A judge hears it six
turns at a time, so that one sees when she is lost; and in a vestry three characters talk, one of whom
was in the tower while a box was opened.
END

try "$program" run demo/dialogue.yaml -c demo/models.yaml -m talker --judge listener --full --quiet --db "$talks"
try "$program" report latest -o "$dialogue" --db "$talks"
try "$program" chart drift latest -o "$out/drift.svg" --db "$talks"
try "$program" verify latest --db "$talks"
try "$program" run demo/scene.yaml -c demo/models.yaml -m talker --quiet --db "$talks"
try "$program" report latest -o "$scene" --db "$talks"
try "$program" flag latest --db "$talks"

cat <<'END'

The marks fall from 5 to 1, and the chart shows where. What the teacher told her is still known twelve and
eight turns later; the gander's name is not. The judge found two statements that cannot both be true, and
both stand where it says. In the vestry Jem speaks of a box that nobody mentioned in his presence: the
rule `knowledge` has his words and the number of the turn.
END

cat <<'END'

And people: seven of them, recorded too, read the first answers under no name, five visitors each; one
stopped after two. Their ratings become a closed campaign over the run that the examiner has judged.
END

try "$program" campaign import demo/ratings.jsonl demo/campaign.yaml --run latest --db "$db"
try "$program" campaign unmask hobs-lock-readers --db "$db"
try "$program" campaign results hobs-lock-readers --db "$db"
try "$program" board latest --judge campaign:hobs-lock-readers --db "$db"

cat <<'END'

Only those who finished count; the column "Everyone" has the others too. The examiner marks higher than
the readers do (AI minus human). Its marks on the answers that nobody read hardly move the means ("With
AI judges"). Because readers were not shown answers at random, that column is a hint and not a result.

The last table is the score of the rubric test itself, from people's marks alone: the suite's rules, mean
times ten, as for any judge. The parrot does well with them: they read first answers, which repeat nothing.

Three more people examined the interviews. Theirs is a band like the judge's, and the report shows both.
END

try "$program" campaign import demo/examiners.jsonl demo/examiners.yaml --run latest --db "$sittings"
try "$program" campaign unmask hobs-lock-examiners --db "$sittings"
try "$program" board latest --judge campaign:hobs-lock-examiners --db "$sittings"
try "$program" report latest --judge campaign:hobs-lock-examiners --judge reader -o "$interview" --db "$sittings"

cat <<'END'

Whose number it is stands in the first line of every table. One of them as a picture:
END

try "$program" chart leaderboard latest -o "$out/board.svg" --db "$db"

cat <<END

The report, with every answer and what the judge made of it, and the one of the interviews:
  $PWD/$report
  $PWD/$interview

The same in a browser, every answer found by words, score or flag (it prints its address and a code):
  $program serve --db $db
or as files that need no server, beginning with index.html:
  $program publish $out/pages --db $db

Next, a good answer given three times, an interview that slips, every fact that the rules found (with an
id behind \`latest\`, its whole evidence), and a suite of your own:
  $program show --model parrot --item widow --db $db
  $program show --model drifter --db $sittings
  $program flag latest --db $db
  $program init ../mine
END

# Somebody who reads this on a terminal may look around at once.
[ -t 0 ] && [ -t 1 ] || exit 0
echo
echo "Here it is; Ctrl-C ends it:"
exec "$program" serve --port 0 --db "$db"
