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
    until_true "the server begins" 20 grep -q '^serving' "$name.log"
    url=$(sed -n 's/^serving .* at //p' "$name.log")
    port=${url##*:}
    # shellcheck disable=SC2034
    code=$(sed -n 's/.*one-time code //p' "$name.log")
}

always=() # options of every request

# ask WANTED-STATUS JAR PATH [CURL-OPTION...]: the page goes to `page`, its head to `head`. One client
# (tests/asker) lives as long as the script; what runs beside the script has one of its own, so that
# answers are never mixed up.
ask()
{
    local want=$1 jar=$2 path=$3 client=${MOCKLLM%/*}/ask got

    shift 3
    set -- "$url$path" "$jar" "${always[@]}" "$@"
    if [ "$BASH_SUBSHELL" -gt 0 ]; then
        got=$(printf '%s\0' $# "$@" | "$client")
    else
        if [ -z "${ASKER_PID-}" ]; then
            coproc ASKER { exec "$client"; }
            pids+=("$ASKER_PID")
        fi
        printf '%s\0' $# "$@" >&"${ASKER[1]}"
        IFS= read -r got <&"${ASKER[0]}" || fail "the client has ended at $path"
    fi
    [ "$got" = "$want" ] || {
        head -c 2000 head page
        fail "$path answered $got, not $want"
    }
}

# field NAME: its value in a form of the last page
field()
{
    local found

    found=$(grep -o -m 1 "name=\"$1\" value=\"[^\"]*" page) || true
    found=${found%%$'\n'*}
    echo "${found##*\"}"
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
