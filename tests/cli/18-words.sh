#!/usr/bin/env bash
# The demonstration, command by command, in Chinese and Japanese. Whatever English is left over must
# be a name, a key, a unit or a text of a model; tests/fixtures/words.names knows them.
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"

here=$PWD
db=$here/demo.db battles=$here/battles.db sittings=$here/interview.db
all=(-c demo/models.yaml -m steady -m grand -m drifter -m parrot)
awk 'BEGIN { for (i = 1; i <= 40; i++) printf "{\"text\": \"%s %d\", \"label\": \"%s\"}\n",
    i % 2 ? "你好，请进，第" : "快滚，别烦我，第", i, i % 2 ? "gut" : "arg" }' >labels.jsonl
printf 'model_a,model_b,winner\nfox,owl,a\nowl,fox,a\nfox,owl,tie\nfox,hen,b\n' >battles.csv
awk 'BEGIN { for (i = 0; i < 60; i++) print (i % 3 ? "fox" : "hen") ",owl," (i % 4 ? "a" : "b") }' |
    sed '1i model_a,model_b,winner' >many.csv
printf 'unit,rater,value\na,x,1\na,y,1\nb,x,2\nb,y,3\nc,x,2\nc,y,2\n' >ratings.csv
printf '{"reply": "雨下了一夜", "reference": "雨下了一整夜"}\n' >pairs.jsonl
printf 'suite: x\nlanguage: en\nitems: [1]\nwrong: [a]\nseed: "3"\ntitle: [a]\nelicit: {kind: twice}\n' >bad.yaml

# say ARGUMENT...: one command, and everything that it says to a person
say()
{
    echo "\$ $*"
    LC_ALL=$language.UTF-8 timeout -k 5 240 "$AUDITION" "$@" 2>&1
}

runs()
{
    say check demo/suite.yaml demo/battles.yaml demo/interview.yaml -c demo/models.yaml
    say run demo/suite.yaml "${all[@]}" --judge examiner --dry-run --db "$db"
    say run demo/suite.yaml "${all[@]}" --judge examiner --db "$db"
    say run demo/suite.yaml "${all[@]}" --judge examiner --db "$db"
    say run demo/battles.yaml "${all[@]}" --judge editor --limit 5 --full --db "$battles"
    say run demo/interview.yaml "${all[@]}" --judge reader --full --db "$sittings"
    for d in "$db" "$battles" "$sittings"; do
        say board --full --db "$d"
        say verify --db "$d"
        say flag latest --db "$d" | cut -c 1-50
        say list --db "$d"
        say compare latest latest --db "$d"
        say report -o "$here/report.md" --db "$d"
        say chart items --db "$d"
        say export -o "$here/run.jsonl" --db "$d"
    done
    say flag latest 21 --db "$db" | grep -o '^  [^ ]*'
    say show --limit 1 --model parrot --item widow --db "$db" | grep -v '^    '
}

campaigns()
{
    say campaign list --db "$db"
    say campaign new demo/campaign.yaml --run latest --db "$battles"
    say campaign list --db "$battles"
    say campaign show hobs-lock-readers --db "$battles"
    say campaign open hobs-lock-readers --db "$battles"
    say campaign close hobs-lock-readers --db "$battles"
    say campaign import demo/ratings.jsonl demo/campaign.yaml --run latest --db "$db"
    say campaign results hobs-lock-readers --db "$db"
    say campaign unmask hobs-lock-readers --db "$db"
    say campaign results hobs-lock-readers --db "$db"
    say campaign show hobs-lock-readers --db "$db"
    say campaign exclude hobs-lock-readers eel --why z --db "$db"
    say campaign erase hobs-lock-readers eel --db "$db"
    say campaign list --db "$db"
}

files()
{
    say bank check tests/fixtures/interview/bank
    say rank "$here/battles.csv"
    for system in bradley-terry glicko2 elo; do
        say rank "$here/many.csv" --system $system
    done
    say agree "$here/ratings.csv" --level ordinal
    say metrics "$here/pairs.jsonl"
    say overlap "$here/pairs.jsonl" --corpus "$here/pairs.jsonl"
    say classifier train "$here/labels.jsonl" -o "$here/polite.model"
    say classifier test "$here/labels.jsonl" --model "$here/polite.model"
    say classifier apply "$here/pairs.jsonl" --model "$here/polite.model"
    say classifier rate latest --model "$here/polite.model" --db "$db"
    say items "$here/pairs.jsonl" --prompt-key reply --reference-key reference -o "$here/items.jsonl"
    say doctor --db "$db" -c demo/models.yaml
    say db info --db "$db"
    say db backup "$here/copy.db" --db "$db"
    say init "$here/mine"
    say run "$here/mine/suites/first.yaml" -c "$here/mine/models.yaml" -m understudy --judge prompter --db "$here/mine.db"
    say show --db "$here/mine.db"
    say report -o "$here/mine.md" --db "$here/mine.db"
    cat "$here/mine.md"
}

mistakes()
{
    say list --db "$here/none.db"
    say compare latest --db "$here/none.db"
    say nothing
    say run
    say run --wide
    say run absent.yaml
    say run demo/suite.yaml -c demo/models.yaml -m nobody --db "$db"
    say check "$here/bad.yaml" | grep -v '^  '
    say db status
    say card absent.png
    say board nosuchrun --db "$db"
    say export --db "$db" -o /nowhere/x.jsonl
}

helps()
{
    local c

    for c in $commands; do
        say help "$c" | grep -v '^   '
    done
    say help
    say help suite
    say help models
    say help campaign
    say help --man | sed -n '/^\.Bd/,/^\.Ed/d; /^\.\(Sh\|Ss\|It\|Nm\|Cm\|Dd\|Dt\|Bl\)/d; p'
}

# What is English in a file by its nature: commands, paths, options, quoted keys, placeholders, ids,
# the titles of the demonstration.
without_names()
{
    # shellcheck disable=SC1111,SC2016 # quotation marks that are meant
    perl -0777 -pe 's/`[^`]*`//g' | sed -E -e '/^\$ /d; /^   ? ?[0-9]+ \|/d; s/(\/[^ ]*)?\baudition [a-z].*//' \
        -e "s/An evening at Hob's Lock|Hob's Lock in battles|An hour before dusk at Hob's Lock//" \
        -e 's/Role consistency|Language, voice|Content, depth|Interplay|Quality|Bradley-Terry//g' \
        -e 's/(可用：|以下之一：|使えるのは |使えるもの：).*//; s/[a-z, ]+ のいずれか//; s/system-[0-9a-f]+//' \
        -e 's/\b[0-9a-f]{4}\b|[0-9a-f]{32,}//g; s/\{\{[^}]*\}\}//g; s/\[[^]]*\]//g' \
        -e "s/“[^”]*”|「[^」]*」|\"[^\"]*\"|'[^']*'//g; s/--?[a-z][a-z-]*//g" \
        -e 's/[^ ，。；：、（）]*[\/.=_][^ ，。；：、（）]*//g'
}

cd "$REPO" || exit
grep -hoE '\bname: [A-Za-z]+' demo/models.yaml share/init/*/models.yaml | sed 's/.* //' |
    cat - tests/fixtures/words.names >"$here/names"
commands=$("$AUDITION" help --man | sed -n 's/^\.Ss audition //p')
bad=
for language in zh_CN ja_JP; do
    rm -rf "$here"/mine* "$here"/*.db "$here"/*.db-*
    for part in runs campaigns files mistakes; do
        $part
    done >"$here/said.$language"
    without_names <"$here/said.$language" | LC_ALL=C grep -oE '\b[A-Za-z]{2,}\b' | grep -vE '^[A-Z]+$' | sort -u |
        grep -vxFf "$here/names" >"$here/left.$language" && bad+=" $language"
    # Help names keys and commands in its sentences, but never two English words in a row.
    helps >"$here/help.$language"
    without_names <"$here/help.$language" | grep -vE ' \| ' | grep -E '[a-z]{2,} [a-z]{2,}' |
        grep -vF 'chat completions' >>"$here/left.$language" && bad+=" $language:help"
done
[ -z "$bad" ] || {
    head -n 50 "$here"/left.*
    fail "English in$bad"
}
