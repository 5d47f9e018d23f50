# shellcheck shell=bash
# serve.sh - what the scripts about `audition serve` share: a server, a browser made of libcurl, raw
# requests. Sourced by them, after lib.sh.

# serve NAME OPTION...: a server; sets `url`, `port`, `code` and `serve_pid`, logs to NAME.log
serve()
{
    local name=$1

    shift
    : >"$name.log"
    start "$AUDITION" serve --port 0 -v "$@" 2>"$name.log"
    # shellcheck disable=SC2034,SC2154 # those who source this have lib.sh, and use these
    serve_pid=$started
    until_true "the server begins" 20 serves "$name.log"
    url=$(found $'(^|\n)serving [^\n]* at ([^\n]*)' "$name.log")
    port=${url##*:}
    # shellcheck disable=SC2034
    code=$(found $'one-time code ([^\n]*)' "$name.log") || true
}

# serves LOG: does the server listen?
serves()
{
    [[ $'\n'$(<"$1") == *$'\nserving '* ]]
}

always=() # options of every request

# request JAR PATH [CURL-OPTION...]: the page goes to `page`, its head to `head`, its status (or what went
# wrong) to `got`. One client (tests/asker) lives as long as the script; what runs beside the script has
# one of its own, so that answers are never mixed up.
request()
{
    local jar=$1 path=$2 client=${MOCKLLM%/*}/ask

    shift 2
    set -- "$url$path" "$jar" "${always[@]}" "$@"
    if [ "$BASH_SUBSHELL" -gt 0 ]; then
        got=$(printf '%s\0' $# "$@" | "$client")
        return
    fi
    if [ -z "${ASKER_PID-}" ]; then
        coproc ASKER { exec "$client"; }
        pids+=("$ASKER_PID")
    fi
    printf '%s\0' $# "$@" >&"${ASKER[1]}"
    IFS= read -r got <&"${ASKER[0]}" || fail "the client has ended at $path"
}

# ask WANTED-STATUS JAR PATH [CURL-OPTION...]
ask()
{
    local got

    request "${@:2}"
    [ "$got" = "$1" ] || {
        head -c 2000 head page
        fail "$3 answered $got, not $1"
    }
}

# found REGEX [FILE]: what its last group matches first, in the last page; fails where nothing does
found()
{
    local LC_ALL=C # bytes are compared faster than letters

    [[ $(<"${2:-page}") =~ $1 ]] && echo "${BASH_REMATCH[-1]}"
}

# field NAME: its value in a form of the last page
field()
{
    found "name=\"$1\" value=\"([^\"]*)" || true
}

# token: of the last page's first form
token()
{
    field csrf
}

# post WANTED-STATUS JAR FORM-PAGE ACTION [CURL-OPTION...]: look at the form, then send it
post()
{
    local want=$1 jar=$2 form=$3 action=$4

    shift 4
    ask 200 "$jar" "$form"
    ask "$want" "$jar" "$action" --data-urlencode "csrf=$(token)" "$@"
}

# raw TEXT: send the bytes (printf's escapes), and the first line of what comes back goes to `line`
raw()
{
    line=
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    # A server that refuses early may close before all is written.
    { printf '%b' "$1" >&3; } 2>/dev/null || true
    IFS= read -r -t 20 line <&3 || true
    line=${line%$'\r'}
    exec 3>&-
}

# refuses WHAT STATUS TEXT: the raw request gets that status
refuses()
{
    raw "$3"
    case $line in
    "HTTP/1.1 $2 "*) ;;
    *) fail "$1: '$line', not $2" ;;
    esac
}
