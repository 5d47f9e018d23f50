#!/usr/bin/env bash
# audition rank: tables and JSON from battle files, and what it says about bad ones.
set -u

# shellcheck source=tests/say.sh
. "$REPO/tests/say.sh"

# refused STATUS TEXT ARGUMENT...
refused()
{
    local status=$1 text=$2 got
    shift 2
    "$AUDITION" rank "$@" >out 2>err
    got=$?
    [ "$got" -eq "$status" ] || { cat err >&2; fail "rank $*: status $got, not $status"; }
    [ ! -s out ] || fail "rank $*: wrote a result"
    says err "$text"
}

rank()
{
    "$AUDITION" rank "$@" >out 2>err || { cat err >&2; fail "rank $*"; }
    [ ! -s err ] || { cat err >&2; fail "rank $*: said something"; }
}

cat >battles.csv <<'CSV'
model_a,model_b,winner,prompt
fox,owl,a,p1
owl,hare,a,p1
fox,hare,a,p2
hare,fox,hare,p2
owl,fox,tie,p3
hare,owl,b,p3
fox,owl,b,p4
hare,fox,b,p4
owl,hare,a,p5
CSV

# the default: Bradley-Terry, clustered by prompt
rank battles.csv
says out "battles.csv" "9 battles" "3 models" "bradley-terry, ties as halves" "jackknife by prompt (5)" "●" \
    "only 5 different values of prompt"
rank battles.csv --plain
! LC_ALL=C grep -q '[^ -~]' out || fail "--plain is not plain"

# JSON: sorted, with the promised fields and no others
rank battles.csv --json
says out '{"system":"bradley-terry"' '"ratings":[{"model":"owl","group":null,"rating":' '"lo":' '"hi":' \
    '"games":6,"wins":3,"losses":2,"ties":1' '"rank_best":1'
says out '"volatility":null' # Bradley-Terry has none

# standard input, JSONL, CRLF and a byte order mark give the same table
cp out expected
"$AUDITION" rank - --json <battles.csv | cmp - expected || fail "standard input"
{ printf '\357\273\277' && sed 's/$/\r/' battles.csv; } >windows.csv
"$AUDITION" rank windows.csv --json | cmp - expected || fail "CRLF and BOM"
sed 1d battles.csv | while IFS=, read -r a b w p; do
    printf '{"model_a":"%s","model_b":"%s","winner":"%s","prompt":"%s"}\n' "$a" "$b" "$w" "$p"
done >battles.jsonl
"$AUDITION" rank battles.jsonl --json | cmp - expected || fail "JSONL"

# what spreadsheets write where a comma stands in numbers, and tables that were copied out of one
for sign in ';' $'\t'; do
    { printf '\357\273\277' && sed "s/,/$sign/g; s/^fox/\"fox\"/; s/\$/\r/" battles.csv; } >spreadsheet.csv
    rank spreadsheet.csv --json
    cmp out expected || fail "separated by $sign"
    "$AUDITION" rank - --json <spreadsheet.csv | cmp - expected || fail "standard input separated by $sign"
done

# four prompts are too few for an interval: null, and why
head -n 9 battles.csv >four.csv
rank four.csv
says out "no intervals: 4 prompts, and 5 are the least"
rank four.csv --json
says out '"lo":null,"hi":null,"why":"few-items"'

# the other systems
rank battles.csv --system glicko2
says out "glicko2, each battle a period" RD shuffled "100 shuffled orders"
rank battles.csv --system glicko2 --volatility deepy --update simultaneous --json
says out '"system":"glicko2"' '"volatility":' '"order_lo":'
rank battles.csv --system glicko2 --period all --json
says out '"order_lo":null' # one period has no order
# a period per run: one run is all at once; two are those of two calls
sed 's/^\(model_a.*\)$/\1,run/; 2,$s/$/,r1/' battles.csv >runs.csv
rank runs.csv --system glicko2 --period run --json
says out '"made":"each run a period"'
sed 's/each run a period/one period/' out >as-one
rank battles.csv --system glicko2 --period all --json
cmp out as-one || fail "one run is not one period"
sed '6,$s/r1$/r2/' runs.csv >two.csv
rank two.csv --system glicko2 --period run --json
! cmp -s out as-one || fail "two runs are two periods"
says out '"order_lo":null' # runs were not shuffled
sed 's/each run a period/x/' out >ordered
{ head -n 1 two.csv; sed -n '2p;6p;3p;7p;4p;8p;5p;9p;10p' two.csv; } >mixed.csv
rank mixed.csv --system glicko2 --period run --json
sed 's/each run a period/x/' out | cmp - ordered || fail "battles of a run must not stand together"
refused 1 "no run to use as a rating period" battles.csv --system glicko2 --period run
refused 2 "--period run updates everyone at once" runs.csv --system glicko2 --period run --update sequential
rank battles.csv --system elo
says out "elo, in the order of the file" "has no interval"
printf 'model_a,model_b,winner\nx,y,x\n' >once.csv
rank once.csv --system elo --k 32 --json # of equals the winner gains half of K
says out '"model":"x","group":null,"rating":1016.0' '"model":"y","group":null,"rating":984.0' "K = 32"
rank once.csv --system elo --json
says out '"rating":1002.0' "K = 4"
refused 2 "--k requires --system elo" once.csv --k 32
refused 2 "--k must be above 0" once.csv --system elo --k 0
rank battles.csv --ties davidson
says out "Davidson's nu"
rank battles.csv --ties drop --cluster winner
says out "ties dropped" "3 winners"
rank battles.csv --anchor owl=1500 --json
says out '"model":"owl","group":null,"rating":1500.0'

# names with commas and signs of any kind
printf 'model_a,model_b,winner\n"fox, the",🦊,"fox, the"\n🦊,"fox, the",a\n' >names.csv
rank names.csv
says out "fox, the" "🦊"

# nothing but wins: finite ratings by a ridge, and it is said
printf 'model_a,model_b,winner\nx,y,a\n' >wins.csv
rank wins.csv
says out "ridge prior"

# ... and no certainty out of many battles without a loss: the prior's interval, and a word
{ echo model_a,model_b,winner && for _ in 1 2 3 4 5 6; do echo x,y,a; done; } >swept.csv
rank swept.csv --json
says out '"why":"prior"'
! grep -q '"rd":0.0' out || fail "six battles, and no doubt"
rank swept.csv
says out "(1) some model always won" "(1) all values are the same"
! grep -q '^(2)' out || fail "a note without a mark"

# judgements as others write them: a JSON list with preferences, verdicts in both orders
cat >annotations.json <<'JSON'
[{"instruction": "sing", "generator_1": "base", "generator_2": "mine", "preference": 1.0},
 {"instruction": "tell", "generator_1": "base", "generator_2": "mine", "preference": "2"},
 {"instruction": "hum", "generator_1": "base", "generator_2": "mine", "preference": null}]
JSON
rank annotations.json --json
says out '"battles":2' 'no intervals: 2 instructions' '1 line holds no verdict'
printf '{"question_id": 1, "model_1": "x", "model_2": "y", "g1_winner": "model_1", "g2_winner": "model_2"}\n' >judgement.jsonl
rank judgement.jsonl --json
says out '"ties":1'

# groups that never met are never one table
printf 'model_a,model_b,winner\nx,y,a\nx,y,b\np,q,a\np,q,b\n' >groups.csv
rank groups.csv
says out "group 1 of 2" "group 2 of 2" "never met"
rank groups.csv --json
says out '"model":"x","group":1' '"group":2'
printf 'x,p,tie\n' >>groups.csv
rank groups.csv --ties drop
says out "2 groups of models have no battle between them but ties"

# style: the file of tests/unit/test_bt_style.c, whose numbers came from another program
cat >style.csv <<'CSV'
model_a,model_b,winner,prompt,length_a,length_b,emoji_a,emoji_b
x,y,a,0,120,80,1,0
x,z,a,0,120,60,1,2
y,z,tie,0,80,60,0,2
x,y,b,1,40,90,0,0
x,z,a,1,40,30,0,1
y,z,a,1,90,30,0,1
y,x,a,2,150,70,3,0
z,x,a,2,140,70,0,0
z,y,b,2,140,150,0,3
x,y,a,3,55,50,0,0
z,x,b,3,20,55,0,0
y,z,b,3,50,20,0,0
x,y,a,4,200,100,0,1
x,z,tie,4,200,210,0,0
z,y,a,4,210,100,0,1
x,y,b,5,30,33,2,0
x,z,a,5,30,10,2,0
y,z,a,5,33,10,0,0
CSV
rank style.csv --style
says out "controlled for style" raw "sandwich by prompt (6)" "one standard deviation more" length "+2.27" emoji "+0.06"
grep -qE '^ +x +1060 +1037 ' out || fail "x is not 1060 raw and 1037 controlled"
rank style.csv --style --json
says out '"style":{"interval":' '"feature":"length","coefficient":2.26856' '"controlled_interval":{"lo":'
rank style.csv --json
says out '"controlled":null' # not asked for
rank style.csv --style --anchor x=1500 --json
says out '"controlled":1500.0'
# two of forty prompts have three of five battles, and say no more about others than two would: not 982 to 1081
awk 'BEGIN {
    print "model_a,model_b,winner,prompt,length_a,length_b"
    for (p = 0; p < 40; p++)
        for (k = 0; k < (p < 2 ? 58 : 2); k++)
            print "x,y," ((p < 2 ? k * 10 < 57 * (p ? 5 : 8) : k == 0) ? "x" : "y") "," p "," 50 + k * 7 % 31 "," 50 + k * 11 % 29
}' >uneven.csv
rank uneven.csv --style --json
says out '"controlled_interval":{"lo":939.93' '"hi":1123.75'
# one of seven prompts has nearly all: it says nothing about others
awk 'BEGIN {
    print "model_a,model_b,winner,prompt,length_a,length_b"
    for (p = 0; p < 7; p++)
        for (k = 0; k < (p ? 2 : 200); k++)
            print "x,y," (k % 3 ? "x" : "y") "," p "," 50 + k * 7 % 31 "," 50 + k * 11 % 29
}' >one.csv
rank one.csv --style
says out "no interval: one passage carries the result"
lacks out jackknife "intervals are wide"
rank one.csv --style --json
says out '"rating":1055.93838802673,"lo":null,"hi":null,"why":"one-unit"' '"controlled_interval":{"lo":null,"hi":null,"why":"one-unit"}'
# counts, or the answers themselves
printf 'model_a,model_b,winner,answer_a,answer_b\nx,y,a,"*nods* Yes, it is.",No.\nx,y,b,Yes.,"*shakes* Never, never."\ny,x,a,Oh.,"Well,\nno"\n' >answers.csv
rank answers.csv --style
says out length action "(1) no interval: fewer than 5 items or battles"
lacks out sandwich
rank answers.csv --style --json # refused, and why, of each of them
says out '"style":{"interval":null' '"coefficient":' '"controlled_interval":{"lo":null,"hi":null,"why":"few-items"}' '"length_controlled_interval":{"lo":null,"hi":null,"why":"few-items"}'
grep -q '"hi":null}' out && fail "a refused interval without a reason"
printf '{"model_a":"x","model_b":"y","winner":"a","length_a":3,"length_b":2}\n{"model_a":"x","model_b":"y","winner":"b","length_a":1}\n' >half.jsonl
refused 1 'half.jsonl:2: length_b is missing' half.jsonl --style
printf 'model_a,model_b,winner,length_a,length_b\nx,y,a,5,-1\n' >less.csv
refused 1 'less.csv:2: length_b "-1" is not a number of at least 0' less.csv --style
refused 1 'no style information; expected answer_a and answer_b' battles.csv --style
refused 2 "--style requires --ties half or drop" style.csv --style --ties davidson
refused 2 "--style requires --system bradley-terry" style.csv --style --system elo
printf 'model_a,model_b,winner,length_a,length_b\nx,y,a,5,5\nx,y,b,7,7\n' >same.csv
rank same.csv --style
says out "nothing to control for"

# start values of Glicko-2; win rates with their intervals; battles that come twice
{
    echo model_a,model_b,winner,prompt
    for i in 1 2 3 4 5 6; do printf 'x,y,x,p%s\nx,y,y,p%s\n' $i $i; done
    echo x,y,y,p6
} >twice.csv
printf 'model,rating,rd\nx,1700,60\nabsent,1200,\n' >start.csv
rank twice.csv
says out "won" "0.46   0." "note: 1 battle seen before (same models, prompt and winner)"
rank twice.csv --system glicko2 --start start.csv --json
printf 'model,rating,rd,volatility\nx,1500,200,0.06\ny,1400,30,0.06\n' >paper.csv
rank once.csv --system glicko2 --update simultaneous --start paper.csv --json
# one game of the paper's example: 1500/200 beats 1400/30
says out '"rating":1563.564' '"rd":175.40'
printf 'model,rating,rd\nx,1700,-3\n' >bad.csv
refused 1 "bad.csv:2:8: rd is not a number from 0.001 to 10000" once.csv --system glicko2 --start bad.csv
printf 'name,elo\nx,1700\n' >bad.csv
refused 1 "bad.csv:1: expected the columns model and rating" once.csv --system glicko2 --start bad.csv
printf 'model,rating,Rating\nx,1700,1600\n' >bad.csv
refused 1 "bad.csv:1: a second column rating" once.csv --system glicko2 --start bad.csv
printf 'model,rating\nx,1700\nx,1600\n' >bad.csv
refused 1 "bad.csv:3: x begins twice" once.csv --system glicko2 --start bad.csv
refused 2 "--start requires --system glicko2" once.csv --start paper.csv

# AlpacaEval as published: probabilities are weights, not cut to wins; 0 and 1.5 are draws. The mean
# preference of the second is (0.9 + 0.2 + 0.4 + 1 + 0.5 + 0.5) / 6 = 0.583333.
{
    echo generator_1,generator_2,preference,instruction
    echo base,mine,1.9,a
    echo base,mine,1.2,b
    echo base,mine,1.4,c
    echo base,mine,2,d
    echo base,mine,0,e
    echo base,mine,1.5,f
    echo base,mine,,g
} >alpaca.csv
rank alpaca.csv --json
says out '"battles":6' '"model":"mine"' '"win_rate":0.58333333333333' '"games":6' '"wins":2,"losses":2,"ties":2'
# Bradley-Terry of two: 400 / ln 10 * ln(0.583333 / 0.416667) = 58.45 points apart
says out '"rating":1029.2' '"rating":970.7'
rank alpaca.csv --system elo --json
says out '"wins":2,"losses":2,"ties":2'

# Who wins because its answers are long: 0.588 as judged, 0.204 at equal length. The value is of a
# logistic regression on tanh(d / sd(d)) and a constant, computed elsewhere by Newton's method.
{
    echo generator_1,generator_2,preference,instruction,length_a,length_b
    awk 'BEGIN { for (i = 1; i <= 60; i++) {
        a = 100 + i * 37 % 50; b = 150 + i * 53 % 120
        printf "base,mine,%.3f,q%d,%d,%d\n", 1 + 1 / (1 + exp(0.4 - 0.009 * (b - a) - 0.8 * sin(i))), i, a, b } }'
} >long.csv
rank long.csv --style --json
says out '"win_rate":0.58775' '"length_controlled":0.204198' '"length_controlled":0.79580'
# Texts in place of lengths, as AlpacaEval has them, and sides exchanged: nothing changes.
awk -F, 'function text(n, s) { s = sprintf("%" n "s", ""); gsub(/ /, "x", s); return s }
    NR == 1 { print "generator_1,generator_2,preference,instruction,output_1,output_2"; next }
    { if (NR % 2) print $2, $1, 3 - $3, $4, text($6), text($5); else print $1, $2, $3, $4, text($5), text($6) }' \
    OFS=, long.csv >texts.csv
rank texts.csv --style --json
says out '"length_controlled":0.204198' '"length_controlled":0.79580'
rank long.csv --style
says out 'won at equal length'

# bad files, at their line
refused 1 "missing.csv" missing.csv
: >empty.csv
refused 1 "empty.csv: no battles" empty.csv
printf 'model_a,model_b,winner\nx,y,a\nx,y,maybe\n' >winner.csv
refused 1 'winner.csv:3: winner "maybe" is neither "x" nor "y"' winner.csv
printf 'model_a,model_b,winner\nx,x,a\n' >self.csv
refused 1 'self.csv:2: "x" is paired with itself' self.csv
printf 'model_a,model_b,winner,weight\nx,y,a,nan\n' >weight.csv
refused 1 'weight.csv:2: weight "nan"' weight.csv
{ echo model_a,model_b,winner; seq 1 1500 | awk '{ print "m" $1 ",m" $1 % 1500 + 1 ",a" }'; } >many.csv
refused 1 "--system glicko2" many.csv
rank many.csv --system glicko2
says out "1500 models"

# wrong use
refused 2 "--system 'glicko': expected bradley-terry, glicko2 or elo; did you mean 'glicko2'?" battles.csv --system glicko
refused 2 "--period requires --system glicko2" battles.csv --period all
refused 2 "is not MODEL=RATING" battles.csv --anchor owl
refused 2 "has no battle" battles.csv --anchor nobody=1000
refused 2 "never in sequence" battles.csv --system glicko2 --period all --update sequential
refused 1 "no column topic" battles.csv --cluster topic
printf 'model_a,model_b,winner,winner\nx,y,a,b\n' >twice.csv
refused 1 "twice.csv:1: a second column winner" twice.csv

echo passed
