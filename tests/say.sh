# shellcheck shell=bash
# say.sh - running a command and looking at what it said. Sourced by the scripts of tests/cli and
# by lib.sh.

: "${AUDITION:?is the program; see scripts/test.sh}"

fail()
{
    echo "FAILED: $*"
    exit 1
}

# status CODE COMMAND...: run it to its end; what it printed is in out and err
status()
{
    want=$1 code=0
    shift
    "$@" >out 2>err || code=$?
    [ "$code" -eq "$want" ] || {
        head -c 4000 out err
        fail "$* ended with $code, not $want"
    }
}

# expect CODE ARGUMENT...: the same for the program, and say which step it is
expect()
{
    want=$1
    shift
    echo "audition $*"
    status "$want" "$AUDITION" "$@"
}

# says FILE TEXT...
says()
{
    local LC_ALL=C text words # bytes are compared faster than letters

    text=$(<"$1")
    for words in "${@:2}"; do
        [[ $text == *"$words"* ]] || {
            head -c 4000 "$1"
            fail "$1 lacks: $words"
        }
    done
}

# lacks FILE TEXT...
lacks()
{
    local LC_ALL=C text words

    text=$(<"$1")
    for words in "${@:2}"; do
        [[ $text != *"$words"* ]] || {
            head -c 4000 "$1"
            fail "$1 has: $words"
        }
    done
}

# is TEXT WANTED WHAT
is()
{
    [ "$1" = "$2" ] || fail "$3: $1, not $2"
}
