#!/usr/bin/env bash
# check.sh  everything that finds mistakes without a model: a line per check, details of those
# that fail, and a failure at the end if there was one. `make check` installs the tools first.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

build=${BUILD:-build}
jobs=${JOBS:-2}
failed=0
names=() pids=()
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
shopt -s nullglob

again=("${MAKE:-make}" --no-print-directory "-j$jobs")
c_files=(src/*/*.[ch] tests/*/*.[ch] tools/*.[ch])
shell_files=(scripts/*.sh .ci/run tests/*.sh tests/*/*.sh packaging/*.sh packaging/debian/p*)

# check NAME COMMAND...: begun, beside the others: only clang-tidy knows how to use more than one processor
check()
{
    local log=$logs/${#names[@]}

    names+=("$1")
    shift
    "$@" >"$log" 2>&1 &
    pids+=($!)
}

# In the order in which they began.
tell_all()
{
    local i

    for i in "${!names[@]}"; do
        if wait "${pids[i]}"; then
            echo "ok    ${names[i]}"
        else
            echo "FAIL  ${names[i]}"
            sed 's/^/      | /' "$logs/$i"
            failed=$((failed + 1))
        fi
    done
}

# No list of suppressions: a false alarm is silenced where it is, with its reason.
cppcheck_all()
{
    mkdir -p "$build/cppcheck"
    cppcheck -q -j "$jobs" --cppcheck-build-dir="$build/cppcheck" --error-exitcode=1 \
        --enable=warning,performance,portability --std=c11 --library=posix,gnu --inline-suppr \
        -D_GNU_SOURCE -Isrc "-I$build" src tools
}

# The documents name command tests by their numbers.
one_number_each()
{
    ! printf '%s\n' tests/cli/*.sh | sed 's/.*\/\([0-9]*\)-.*/tests\/cli: two tests with number \1/' |
        uniq -d | grep .
}

# Two branches that each add the next one meet here.
one_migration_each()
{
    ! printf '%s\n' sql/migrate/*.sql | sed 's/_.*//' | uniq -d | grep .
}

# What a document calls a function is one.
functions_there()
{
    local name gone=0

    for name in $(grep -ohE '\b[a-z_0-9]+\(\)' docs/*.md docs/internals/*.md CONTRIBUTING.md | tr -d '()' | sort -u); do
        grep -rqw "$name" src tests tools || { echo "a document names $name(), which is nowhere" && gone=1; }
    done
    return "$gone"
}

check "layers" scripts/layers.sh
check "numbers of migrations" one_migration_each
check "numbers of command tests" one_number_each
check "functions that documents name" functions_there
check "format (clang-format)" clang-format --dry-run -Werror "${c_files[@]}"
check "scripts (shellcheck)" shellcheck -x "${shell_files[@]}"
check "cppcheck" cppcheck_all
check "clang and clang-tidy" "${again[@]}" -k tidy
tell_all

if [ "$failed" -gt 0 ]; then
    echo "check: $failed failed"
    exit 1
fi
echo "check: all is well"
