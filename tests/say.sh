# shellcheck shell=sh
# say.sh - running a command and looking at what it said. Sourced by the scripts of tests/cli and
# by lib.sh; for any POSIX shell.

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
    where=$1
    shift
    for words; do
        grep -qF -e "$words" "$where" || {
            head -c 4000 "$where"
            fail "$where lacks: $words"
        }
    done
}

# lacks FILE TEXT...
lacks()
{
    looked_at=$1
    shift
    for unwanted; do
        ! grep -qF -e "$unwanted" "$looked_at" || {
            head -c 4000 "$looked_at"
            fail "$looked_at has: $unwanted"
        }
    done
}

# is TEXT WANTED WHAT
is()
{
    [ "$1" = "$2" ] || fail "$3: $1, not $2"
}
