#!/usr/bin/env bash
# audition agree: tables and JSON from files of ratings, and what it says about bad ones.
set -u

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# refused STATUS TEXT ARGUMENT...
refused()
{
    local status=$1 text=$2 got
    shift 2
    "$AUDITION" agree "$@" >out 2>err
    got=$?
    [ "$got" -eq "$status" ] || { cat err >&2; fail "agree $*: status $got, not $status"; }
    [ ! -s out ] || fail "agree $*: wrote a result"
    says err "$text"
}

agree()
{
    "$AUDITION" agree "$@" >out 2>err || { cat err >&2; fail "agree $*"; }
    [ ! -s err ] || { cat err >&2; fail "agree $*: said something"; }
}

# long UNIT VALUE... >>FILE: what raters r1, r2, ... gave one unit; a dot is nothing
long()
{
    local unit=$1 rater=0 value
    shift
    for value in "$@"; do
        rater=$((rater + 1))
        [ "$value" = . ] || echo "$unit,r$rater,$value"
    done
}

# Shrout and Fleiss 1979: six targets, four judges
{
    echo unit,rater,value
    long t1 9 2 5 8
    long t2 6 1 3 2
    long t3 8 4 6 8
    long t4 7 1 2 6
    long t5 10 5 6 9
    long t6 6 2 4 7
} >targets.csv
agree targets.csv --level interval --json
says out '"units":6,"raters":4,"values":24,"alpha":0.14730' '"1,1":0.16574' '"2,1":0.28976' '"3,1":0.71484' \
    '"1,k":0.44279' '"2,k":0.62005' '"3,k":0.90931' '"kendall_w":0.88703' '"fleiss":' '"ac1":' '"1,1_interval":{"lo":-0.13293'
says out '"dimension":null' '"kappa":null'
[ "$(wc -l <out)" -eq 1 ] || fail "one dimension is one line"
cp out expected

# the order of lines, JSONL, CRLF with a byte order mark and standard input change nothing
{ head -n 1 targets.csv; sed 1d targets.csv | sort -r -t, -k2; } >shuffled.csv
"$AUDITION" agree shuffled.csv --level interval --json | cmp - expected || fail "the order of lines"
sed 1d targets.csv | while IFS=, read -r u r v; do
    printf '{"unit":"%s","rater":"%s","value":%s}\n' "$u" "$r" "$v"
done >targets.jsonl
"$AUDITION" agree targets.jsonl --level interval --json | cmp - expected || fail "JSONL"
"$AUDITION" agree - --level interval --json <targets.jsonl | cmp - expected || fail "JSONL on standard input"
"$AUDITION" agree - --level interval --json <targets.csv | cmp - expected || fail "standard input"
{ printf '\357\273\277' && sed 's/$/\r/' targets.csv; } >windows.csv
"$AUDITION" agree windows.csv --level interval --json | cmp - expected || fail "CRLF and BOM"

# an interval for other raters too
agree targets.csv --level interval --json --new-raters
says out '"alpha":0.14730'
agree targets.csv --level interval --new-raters
says out 'other raters like these'
agree targets.csv --level interval
says out "24 ratings" interval "mean of k" "0.019–0.761" "Rely on" "0.667" "too few units to tell"
agree targets.csv --level interval --plain
! LC_ALL=C grep -q '[^ -~]' out || fail "--plain is not plain"
! grep -q '.\{81\}' out || fail "wider than the window"

# Krippendorff 2011, with holes, on every level; the alphas are published
{
    echo unit,rater,value
    long u01 1 1 . 1
    long u02 2 2 3 2
    long u03 3 3 3 3
    long u04 3 3 3 3
    long u05 2 2 2 2
    long u06 1 2 3 4
    long u07 4 4 4 4
    long u08 1 1 2 1
    long u09 2 2 2 2
    long u10 . 5 5 5
    long u11 . . 1 1
    long u12 . 3 . .
} >holes.csv
agree holes.csv --level nominal --json
says out '"units":12,"raters":4,"values":41,"alpha":0.74342'
! grep -q icc out || fail "names of categories have no ICC"
agree holes.csv --level nominal
says out "0.775 [-0.280, 0.982]" # AC1
agree holes.csv --level ordinal --json
says out '"alpha":0.81538' '"icc":{"1,1":'
agree holes.csv --level interval --json
says out '"alpha":0.84910'
agree holes.csv --level ratio --json
says out '"alpha":0.79740'
agree holes.csv --level ordinal
says out "rely on it" "Henderson's method 1"

# a few units show nothing, however well they agree
grep -v 'u0[3-9]' holes.csv >few.csv
agree few.csv --level ordinal
says out "too few units to tell"
lacks out "rely on it"
agree few.csv --level ordinal --language ja
says out "対象が少なく判断できない"

# words, two raters, several dimensions, values that nobody gave
cat >words.csv <<'CSV'
unit,rater,value,dimension,remark
a,x,yes,fluent,"fine, really"
a,y,yes,fluent,
b,x,no,fluent,
b,y,no,fluent,
c,x,yes,fluent,
c,y,no,fluent,
a,x,no,辱骂,
a,y,no,辱骂,
b,x,no,辱骂,
b,y,,辱骂,
CSV
agree words.csv --level nominal --json
says out '{"dimension":"fluent",' '"kappa":0.4' '{"dimension":"辱骂",' '"note":"all values are the same' '"agreement":1.0'
[ "$(wc -l <out)" -eq 2 ] || fail "two dimensions are two lines"
agree words.csv --level nominal
says out 辱骂 "note: 1 line without a value" "so agreement is undefined"

# chance is 0 and total disagreement -1: both are results, and neither is nearly perfect
{ echo unit,rater,value; for i in 1 2 3 4 5 6; do printf '%s\n' "$i,a,$((i % 2))" "$i,b,$(((i + 1) % 2))"; done; } >never.csv
agree never.csv --level nominal
says out agreed "0.000" "-1.000"
lacks out "nearly perfect"
says out "nothing varies"
{ echo unit,rater,value; for i in 1 2 3 4; do printf '%s\n' "$i,a,$((i % 2))" "$i,b,$((i / 2 % 2))"; done; } >chance.csv
agree chance.csv --level nominal --json
says out '"kappa":0.0'
agree chance.csv --level nominal
says out kappa

# bad files, at their place
refused 1 "missing.csv" missing.csv --level ordinal
: >empty.csv
refused 1 "empty.csv: no ratings" empty.csv --level ordinal
refused 1 'words.csv:2:5: value "yes" is not a number; text values need --level nominal' words.csv --level ordinal
{ cat targets.csv; echo t1,r4,3; } >twice.csv
refused 1 'twice.csv:26:1: rater "r4" has already rated unit "t1" on line 5' twice.csv --level interval
printf 'unit,who,value\na,b,1\n' >column.csv
refused 1 "column.csv:1:1: no column rater; a rating is unit,rater,value[,dimension]; found: unit, who, value" column.csv --level interval
# what others call the columns, and what spreadsheets put between them
tr , ';' <targets.csv | sed '1s/.*/Item;judge;score/' >other.csv
agree targets.csv --level interval --json
grep -o '"alpha":[^}]*' out >one || cp out one
agree other.csv --level interval --json
grep -o '"alpha":[^}]*' out >two || cp out two
cmp one two
printf 'unit,rater,value\na,b,1\n\377,b,1\n' >bytes.csv
refused 1 "bytes.csv:3: not valid UTF-8" bytes.csv --level interval
printf '{"unit":"a","rater":"b","value":1}\n{"unit":"a"\n' >broken.jsonl
refused 1 "broken.jsonl:2:" broken.jsonl --level interval
refused 1 "Is a directory" . --level interval

# wrong use
refused 2 "state what the values mean: --level nominal" targets.csv
refused 2 '--level "likert": expected nominal, ordinal, interval or ratio' targets.csv --level likert

echo passed
