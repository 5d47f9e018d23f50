#!/usr/bin/env bash
# Lists in a window: a line for each run where there is room, else some lines for each; never a torn table.
set -eu

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"
command -v script >/dev/null || { echo "there is no script: a terminal could not be looked at" >&2; exit 77; }

# window COLUMNS ARGUMENT...: what a person sees is in `screen`
window()
{
    local columns=$1
    shift
    script -qec "stty cols $columns; $AUDITION $*" /dev/null </dev/null | tr -d '\r' >screen || fail "audition $*: $(cat screen)"
}

# no line is longer than the window
fits()
{
    local longest

    longest=$(LC_ALL=C.UTF-8 sed 's/\x1b\[[0-9;]*m//g' screen | LC_ALL=C.UTF-8 wc -L)
    [ "$longest" -le "$1" ] || { cat screen; fail "$longest columns in a window of $1"; }
}

"$AUDITION" init . --language en >/dev/null
sed -i 's/^suite: .*/suite: an-evening-at-the-ferry-house/' suites/first.yaml
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q --name spring
status 0 "$AUDITION" run suites/first.yaml -m understudy --judge prompter -q --seed 2

status 0 "$AUDITION" list
[ "$(wc -l <out)" -eq 3 ] || fail "who searches the list wants a line a run"
window 200 list
[ "$(wc -l <screen)" -eq 3 ] || fail "a line a run where there is room"
for columns in 80 60 40; do
    window "$columns" list
    fits "$columns"
    says screen "suite: an-evening-at-the-ferry-house" "samples: 5/5" "models: understudy" "name: spring"
    window "$columns" list --language ja
    fits "$columns"
done

echo "show sets long lines in, and leaves them whole for whoever searches them"
window 50 show latest
fits 50
says screen "    when I'm coming back?"
status 0 "$AUDITION" show latest
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -gt 50 ] || fail "show broke lines where there is no window"

echo "headlines are broken where a word ends, and only in a window"
window 40 board latest
fits 40
window 40 board latest --language zh
fits 40
status 0 "$AUDITION" describe latest --name a-name-that-is-as-long-as-some-people-like-their-names-to-be
status 0 "$AUDITION" board latest
says out " · 5 items · judge prompter"

echo "COLUMNS is a wish, also where there is no window"
COLUMNS=50 status 0 "$AUDITION" help list
fits_out=$(LC_ALL=C.UTF-8 wc -L <out)
[ "$fits_out" -le 50 ] || fail "COLUMNS=50 and a line of $fits_out"
COLUMNS=50 status 0 "$AUDITION" list
[ "$(wc -l <out)" -eq 3 ] || fail "a line a run for whoever searches the list, whatever COLUMNS says"

echo "help is as narrow as its window, and never wider than 80 columns"
status 0 "$AUDITION" help
[ "$(LC_ALL=C.UTF-8 wc -L <out)" -le 80 ] || fail "an overview wider than a window"
for columns in 60 80; do
    for language in en zh ja; do
        window "$columns" help --language $language
        fits "$columns"
        window "$columns" help list --language $language
        fits "$columns"
        window "$columns" help suite --language $language
        fits "$columns"
    done
done
