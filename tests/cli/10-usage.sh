#!/usr/bin/env bash
# How the program answers people who do not know it yet, or who made a mistake.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

expect 0
says out 'usage: audition COMMAND'
expect 0 --help
says out 'audition help run'
[ ! -s err ]
expect 0 --version
grep -qE '^audition [0-9]+\.[0-9]+\.[0-9]+$' out

echo "every command is listed, explains itself and is in the manual page"
"$AUDITION" --help --language zh | grep -q 评测 || fail "the overview in Chinese"
"$AUDITION" --help >overview
"$AUDITION" help --man >audition.1
commands=$(sed -n 's/^    \.name = "\(.*\)",$/\1/p' "$REPO"/src/cmd/cmd_*.c | sort)
is "$(sed -n 's/^  \([a-z-]\{2,\}\)  .*/\1/p' overview | sort)" "$commands" "the overview"
for c in $commands; do
    expect 0 "$c" --help
    says out "usage: audition $c"
    says out '--json'
    expect 0 help "$c"
    says audition.1 ".Ss audition $c"
done

echo "help of run names every option with its default"
expect 0 help run
for o in '-m, --model' '--judge MODEL' '-j, --max-concurrency' '[64]' '--repeat' '--limit' '--subset' '--until' '--seed' \
    '--budget' '--budget-battles' '--target-rd' '--judge-repeat' '--judge-template' '--own-family' '--no-cache' '--max-retries' '[8]' \
    '--timeout' '--store-wait' '[300]' '--retry-failed' '--resume' '--dry-run' '--examiner MODEL' '--config' '--db'; do
    says out "$o"
done

echo "wrong use: 2, what is wrong, where to read on"
expect 2 rnu
says err 'did you mean "run"?'
while read -r typed meant; do
    expect 2 "$typed"
    says err "did you mean \"$meant\"?"
done <<END
ver verify
camp campaign
plan plan-size
ls list
remove rm
leaderboard board
version --version
END
expect 2 res # restore, resume
lacks err 'did you mean'
expect 2 help sute
says err 'did you mean "suite"?'
expect 2 run s.yaml --mod x
says err 'did you mean --model?'
expect 2 zzzzzz
says err 'audition help'
expect 2 --json run
says err 'the command comes first'
expect 2 run s.yaml --jugde x
says err 'audition run: no such option --jugde; did you mean --judge?'
says err 'audition help run'
expect 2 run s.yaml -m
says err '--model needs a value'
expect 2 run s.yaml -m a -j 0
says err '--max-concurrency: 0'
expect 2 run s.yaml -m a --budget 5
says err '5usd'
expect 2 list a b
says err 'unexpected argument'
expect 2 run -m a
says err 'which suite?'
expect 2 run a.yaml --resume latest
says err '--resume'
expect 2 judge
says err 'RUN'
expect 2 help nothing
expect 2 completion csh
says err 'bash, zsh or fish'
expect 2 campaign foo
says err "'foo': expected new, list, show, open, close, unmask, invite, results, export, import, exclude, erase or decide"
expect 2 campaign opne x
says err "did you mean 'open'?"
expect 2 db bakcup x.db
says err 'info, stats, migrate, vacuum, backup or copy' "did you mean 'backup'?"
expect 2 classifier tran x
says err 'train, test, apply or rate' "did you mean 'train'?"
expect 2 bank chekc x
says err "'chekc': expected check"
[ ! -e audition.db ]

echo "an empty argument is none: not the latest run, not the root of the disk"
for c in 'rm --yes' init publish show check; do
    # shellcheck disable=SC2086 # words, not one word
    expect 2 $c ''
    says err 'an argument is empty: audition'
done
[ ! -e audition.db ]

echo "whoever only reads, or adds to a run, makes no database"
echo '{"kind": "sample", "model": "m", "item": "a", "answer": "b"}' >one.jsonl
for c in board list 'show latest' 'report latest' 'export latest' 'verify latest' 'paper latest' \
    'flag latest' 'compare a b' 'judge latest --judge exact' 'run --resume latest' \
    'publish pages' 'import one.jsonl latest' 'campaign list' 'campaign new x.yaml' 'campaign import x.csv --name x' 'db info' 'db backup x'; do
    # shellcheck disable=SC2086 # words, not one word
    expect 1 $c --db typo.db
    says err 'no database at typo.db yet'
    [ ! -e typo.db ]
done

echo "what cannot be read makes none either"
for c in 'restore nothing' 'import nothing --suite x.yaml --model a' 'import one.jsonl --suite nothing --model a' 'run nothing -m a'; do
    # shellcheck disable=SC2086 # words, not one word
    expect 1 $c --db typo.db
    [ ! -e typo.db ] || fail "$c made a database"
done

echo "a disk that is full is noticed, a reader who leaves is not"
if [ -w /dev/full ]; then
    code=0
    "$AUDITION" help run >/dev/full 2>err || code=$?
    [ "$code" -eq 1 ]
    says err 'could not be written'
    printf '{"reference":"a","candidate":"a"}\n{"reference":\n' >half.jsonl
    expect 3 metrics half.jsonl
    code=0
    "$AUDITION" metrics half.jsonl >/dev/full 2>err || code=$?
    [ "$code" -eq 1 ]
fi
{ "$AUDITION" help --man 2>err; echo $? >code; } | head -n 1 >out
[ "$(cat code)" -eq 0 ]
[ ! -s err ]

echo "a closed standard output or error is no place for a file"
code=0
"$AUDITION" help run >&- 2>err || code=$?
[ "$code" -eq 1 ] || fail "nobody could read the help: $code"
says err 'could not be written'
code=0
"$AUDITION" zzzzzz 2>&- || code=$?
[ "$code" -eq 2 ] || fail "a closed standard error: $code"
echo '{"prompt": "a", "reference": "b"}' >one.jsonl
"$AUDITION" items one.jsonl -o kept.jsonl
"$AUDITION" items one.jsonl -o closed.jsonl >&- 2>&- <&- || true
cmp kept.jsonl closed.jsonl || fail "words were written into a file"

echo "help fits into 80 columns"
"$AUDITION" help campaign | sed -n '1,/^$/p' >usage
awk 'length($0) > 80 { exit 1 }' usage
says usage 'exclude|erase NAME'

echo "completions are scripts that their shells can read"
for shell in bash zsh fish; do
    expect 0 completion $shell
    says out max-concurrency
    cp out "completion.$shell"
    if command -v $shell >/dev/null; then
        $shell -n "completion.$shell"
    fi
done

echo "the manual page is good roff"
for section in NAME SYNOPSIS DESCRIPTION COMMANDS ENVIRONMENT FILES 'EXIT STATUS' EXAMPLES; do
    grep -qxF ".Sh $section" audition.1
done
for language in zh ja; do
    "$AUDITION" help --man --language $language >audition.$language.1
    is "$(grep -c '^\.S[hs]' audition.$language.1)" "$(grep -c '^\.S[hs]' audition.1)" "sections in $language"
done
# As man does under /usr/share/man/LANGUAGE: where no line could be broken, groff went on for ever.
if [ -r /usr/share/groff/current/tmac/zh.tmac ]; then
    for language in zh ja; do
        sed "1i .mso $language.tmac\n.hla $language" audition.$language.1 |
            timeout 60 groff -K utf8 -mandoc -Tutf8 >shown 2>/dev/null || fail "man does not end in $language"
        says shown live-chat.html
    done
fi
if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning audition*.1
fi

echo "options of another task are refused, not ignored"
status 1 "$AUDITION" classifier apply x -m nothere
lacks err " goes with "
for line in "campaign invite x -o f" "campaign results x -o f" "classifier apply x --folds 3" "bench info x --training f" \
    "items x.md --limit 2" "items --from coser x.json -o d --group a" "items analyse latest -o f" "judge latest --judge x --samples 3" "batch poll latest x --max-mb 4"; do
    # shellcheck disable=SC2086 # words
    status 2 "$AUDITION" $line
    says err " goes with "
done
status 2 "$AUDITION" run x.yaml -m x --priority 3
says err "--priority needs --detach"
status 2 "$AUDITION" run x.yaml -m x --detach --dry-run
says err "--detach cannot be combined with --dry-run"
status 2 "$AUDITION" import x.jsonl latest --turn 2 --db new.db
says err "--turn needs -o"
for line in "run --schema" "run --markdown" "run judge"; do
    # shellcheck disable=SC2086 # words
    status 2 "$AUDITION" help $line
    says err "run is a command: KEY, --schema and --markdown are for files"
done
