#!/bin/sh
# layers.sh [DIR]  fail on an include that goes up or sideways, on a function whose name belongs to
# another file, on code that grew too long, and on internals in docs that are wider than a window.
#
# Part of every build. DIR (default: the repository) holds src/.
set -eu
cd "${1:-$(dirname "$0")/..}"

awk '
BEGIN {
    # A layer, and what it may include besides itself. gen/ is made by tools/embed.c.
    may("base",   "gen")
    may("text",   "base")
    may("math",   "base")
    may("db",     "base gen")
    may("net",    "base")
    may("suite",  "base text math net")
    may("reply",  "base text suite")
    may("store",  "base db suite reply gen")
    may("exchange", "base text math suite reply store")
    may("gauge",  "base math suite store")
    may("talk",   "base text math net suite reply store")
    may("eval",   "base text math db net suite reply store exchange gauge talk gen")
    may("panel",  "base text math db net suite reply store exchange gauge talk eval gen")
    may("audit",  "base text math net suite reply store talk eval panel")
    may("report", "base text math db net suite reply store exchange gauge talk eval panel audit")
    may("web",    "base text math db net suite reply store exchange gauge talk eval panel audit report")
    may("cmd",    "base text math db net suite reply store exchange gauge talk eval panel audit report web")

    # Stages of eval talk through the store: none includes the header of another.
    # Each kind of judge (judge_*.c) is a stage too, but shares judge.h.
    set(stage, "plan elicit judge score rank flag")

    # A library is known to exactly one file; jansson to base/json.h.
    set(library, "sqlite3.h libpq-fe.h curl/curl.h gnutls/gnutls.h libfyaml.h sodium.h utf8proc.h" \
                 " linear.h jansson.h zlib.h zstd.h zdict.h pcre2.h gnutls/abstract.h")
    home["jansson.h"] = "src/base/json.h"

    for (i = 1; i < ARGC; i++)
        own_name(ARGV[i])

    FUNCTION_LINES = 80
    FILE_LINES = 1200
}

function may(layer, list)
{
    set(allowed, layer " " list, layer)
    only[layer] = list
}

# array[word] = 1 for each word of a list; array[prefix, word] when there is a prefix
function set(array, list, prefix,    word, n, i)
{
    n = split(list, word, " ")
    for (i = 1; i <= n; i++) {
        if (prefix == "")
            array[word[i]] = 1
        else
            array[prefix, word[i]] = 1
    }
}

function complain(line, message)
{
    printf "%s:%d: %s\n", FILENAME, line, message
    bad = 1
}

# "eval/judge_objective.c" -> "judge_objective", "eval/score_band.h" -> "score", others -> ""
function stage_of(path,    name, head)
{
    if (path !~ /^eval\//)
        return ""
    name = path
    sub(/^eval\//, "", name)
    sub(/\.[ch]$/, "", name)
    head = name
    sub(/_.*/, "", head)
    if (!(head in stage))
        return ""
    return head == "judge" ? name : head
}

function include_ours(header,    layer, theirs)
{
    if (header !~ /\//) {
        complain(FNR, "write \"dir/" header "\", from src/")
        return
    }
    layer = header
    sub(/\/.*/, "", layer)
    if (!((mine, layer) in allowed)) {
        complain(FNR, mine " may not include " header " (" \
                 (only[mine] == "" ? "nothing but itself" : "only " only[mine]) ")")
        return
    }
    theirs = stage_of(header)
    if (my_stage == "" || theirs == "" || theirs == my_stage)
        return
    if (theirs == "judge" && my_stage ~ /^judge_/ || my_stage == "judge" && theirs ~ /^judge_/)
        return
    complain(FNR, "stage " my_stage " may not include " header " (stages meet in the store)")
}

function include_library(header)
{
    if (!(header in library))
        return
    if (!(header in home))
        home[header] = FILENAME
    if (home[header] != FILENAME)
        complain(FNR, header " belongs to " home[header] " alone")
}

# A name has one owner: the file foo.c, and for foo_* the files foo_*.c beside it.
# A first word that no file is called by belongs to whoever uses it first.
function own_name(path,    part, n)
{
    n = split(path, part, /[\/.]/)
    if (path ~ /\.c$/ && part[n - 1] in dir && dir[part[n - 1]] != part[n - 2]) {
        printf "%s: src/%s has a file of this name too\n", path, dir[part[n - 1]]
        bad = 1
    }
    dir[part[n - 1]] = part[n - 2]
}

function check_name(name,    base, word, head)
{
    base = path
    sub(/.*\//, "", base)
    sub(/\.c$/, "", base)
    if (name == "main" || name == base || index(name, base "_") == 1)
        return
    head = base
    sub(/_.*/, "", head)
    word = name
    sub(/_.*/, "", word)
    if (word in dir && (word != head || dir[word] != mine))
        complain(FNR, name "() has the name of src/" dir[word] "/" word ".c")
    else if (word in owner && owner[word] != mine "/" head)
        complain(FNR, name "() has a name of src/" owner[word] "*.c")
    owner[word] = mine "/" head
}

function end_file()
{
    if (last_line > FILE_LINES) {
        printf "%s:%d: file of %d lines (at most %d)\n", last_file, last_line, last_line, FILE_LINES
        bad = 1
    }
}

FNR == 1 {
    end_file()
    last_file = FILENAME
    path = FILENAME
    sub(/^src\//, "", path)
    mine = path
    sub(/\/.*/, "", mine)
    my_stage = stage_of(path)
    opened = 0
    if (!((mine, mine) in allowed))
        complain(1, "src/" mine " is no known layer; add it to scripts/layers.sh")
}

{ last_line = FNR }

/^#[ \t]*include[ \t]*"/ { split($0, part, "\""); include_ours(part[2]) }
/^#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); include_library(part[2]) }

# With our formatting a function opens and closes with a brace in the first column.
/^[a-zA-Z_].*\(/ {
    name = $0
    sub(/\(.*/, "", name)
    sub(/.*[ *]/, "", name)
}
/^[a-z].*\(/ { exported = FILENAME ~ /\.c$/ && $1 != "static" ? name : "" }
/^\{$/ {
    opened = FNR
    if (exported != "")
        check_name(exported)
    exported = ""
}
/^\}$/ {
    if (opened && FNR - opened + 1 > FUNCTION_LINES)
        complain(opened, name "() is " FNR - opened + 1 " lines long (at most " FUNCTION_LINES ")")
    opened = 0
}

END {
    end_file()
    exit bad
}
' src/*/*.[ch] || exit
# What a newcomer reads fits in a window.
if LC_ALL=C.UTF-8 grep -nE '^.{101,}' docs/internals/*.md 2>/dev/null; then
    echo "docs/internals: lines of more than 100 columns" >&2
    exit 1
fi
