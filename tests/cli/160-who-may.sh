#!/usr/bin/env bash
# Every route of src/web/route_table.c, asked by everybody: whom the table names is let in, everybody else is refused and leaves
# no trace. Whoever is refused sends a form that would do harm to things that are there; whoever is let in, an empty one, or one
# about things that are not.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

table=$REPO/src/web/route_table.c
# ROLE_... and the names for several of them are numbers here as they are there.
eval "$(sed -n 's/^ *\(ROLE_[A-Z]*\) = \([^,]*\),.*/\1="\2"/p' "$REPO/src/web/session.h")"
eval "$(sed -n 's/^#define \([A-Z_]*\) *(\(.*\))$/\1="\2"/p' "$table")"
mapfile -t routes < <(sed -nE 's/^ *\{METHOD_([A-Z]+), *"([^"]*)", *([A-Z_ |]*[A-Z]), *([a-z_]+), .*/\1\t\2\t\3\t\4/p' "$table")
is "${#routes[@]}" "$(grep -c METHOD_ "$table")" "routes that could be read"
# Whoever has withdrawn can do nothing more.
mapfile -t routes < <(printf '%s\n' "${routes[@]}" | grep -v /rate/withdraw && printf '%s\n' "${routes[@]}" | grep /rate/withdraw)

echo "a page has the same roles wherever it is"
declare -A of=()
for route in "${routes[@]}"; do
    IFS=$'\t' read -r method path allow page <<<"$route"
    is "$((allow))" "${of[$page]:=$((allow))}" "who may $method $path, which is $page"
done

password='correct horse battery'
noted
opened gate 'about: []' 'code: lantern'
opened other 'about: []' 'code: lantern'
serve who
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
for one in cora=coordinator anna=analyst mel=member gil=member theo=member; do
    post 303 ada /accounts /accounts -d "name=${one%=*}" -d "role=${one#*=}" --data-urlencode "password=$password"
    post 303 "${one%=*}" /login /login -d "name=${one%=*}" --data-urlencode "password=$password"
done
post 303 ada /campaigns/gate/people /campaigns/gate/people -d act=add -d name=gil -d role=coordinator
post 303 ada /teams /teams -d act=add -d team=theirs -d account=theo
for role in coordinator analyst; do
    post 303 ada /campaigns/other/people /campaigns/other/people -d act=add -d name=theirs -d role=$role
done
declare -A page_of=()
for one in rita=gate ole=other; do
    post 200 "${one%=*}" "/join/${one#*=}" "/join/${one#*=}" -d code=lantern
    ask 200 "${one%=*}" /rate
    post 303 "${one%=*}" /rate /rate/consent -d agree=yes -d "version=$(field version)"
    post 303 "${one%=*}" /rate /rate/next
    ask 200 "${one%=*}" /rate
    page_of[${one%=*}]=$(found '"/rate/([^"/]+)/report')
done
post 200 ada /campaigns/gate /campaigns/gate/invites -d count=1 -d days=1
link=$(found '/invite/([a-z2-9-]*)')
post 200 ada /campaigns/other /campaigns/other/invites -d count=1 -d days=1

# What the names in addresses stand for, here and nowhere.
declare -A here=(
    [name]=gate [campaign]=gate [run]=$(sql audition.db "SELECT name FROM run")
    [sample]=$(sql audition.db "SELECT MIN(id) FROM sample") [text]=$(sql audition.db "SELECT sample FROM withheld LIMIT 1")
    [rater]=$(sql audition.db "SELECT pseudonym FROM rater ORDER BY id LIMIT 1") [token]=$link
    [a]=plain [b]=plain [version]=0
    [/accounts/]=$(sql audition.db "SELECT id FROM account WHERE name = 'mel'")
    [/invites/]=$(sql audition.db "SELECT MIN(id) FROM invite") [/invitations/]=$(sql audition.db "SELECT MIN(id) FROM invite")
    [/flags/]=$(sql audition.db "SELECT MIN(id) FROM flag"))
# shellcheck disable=SC2034 # address() has it by its name
declare -A nowhere=([rater]=nobody [text]=999999 [token]=nothing [/rate/]=999999 [/accounts/]=999999
    [/invites/]=999999 [/invitations/]=999999 [/flags/]=999999)
# shellcheck disable=SC2034
declare -A theirs=([rater]=$(sql audition.db "SELECT pseudonym FROM rater ORDER BY id DESC LIMIT 1")
    [/invites/]=$(sql audition.db "SELECT MAX(id) FROM invite") [/invitations/]=$(sql audition.db "SELECT MAX(id) FROM invite"))

# address PATH NAMES...: with what the names in it stand for in these tables; goes to `address`
address()
{
    local name before
    local -n first=$2 then=${3-$2}

    address=$1
    while [[ $address =~ \{([a-z]+)\} ]]; do
        name=${BASH_REMATCH[1]} before=${address%%"{$name}"*}
        [ "$name" != id ] || name=/${before%/} name=/${name##*/}/ # of what is before it
        address=$before${first[$name]-${then[$name]?"what {$name} stands for"}}${address#*"}"}
    done
}

# trace [TABLES]: everything that is stored, but for when somebody was seen last, refusals, exports, and these tables
trace()
{
    sqlite3 -batch audition.db .dump | grep -vE "^INSERT INTO (audit|web_session|api_token|sqlite_sequence${1+|$1}) "
    sqlite3 -batch audition.db "SELECT token, kind, who, csrf, confirmed_ms FROM web_session ORDER BY token;
        SELECT id, account, scope, expires_ms, revoked_ms FROM api_token ORDER BY id;
        SELECT id, what, detail FROM audit WHERE what NOT LIKE 'refused.%' AND what NOT LIKE '%.export'"
}

# stays WHAT: what trace() says is as in `before`
stays()
{
    trace "${@:2}" >after
    cmp -s before after || {
        diff before after | cut -c 1-200 | head -n 20
        fail "$actor: $1 left a trace"
    }
}

harm=(-d act=add -d name=mallory -d role=admin -d team=theirs -d account=mel -d to=closed -d count=1 -d days=1 -d why=x -d label=x
    -d decision=show -d show=show -d worker=1 -d ratings=forget -d agree=yes -d skip=x -d do=submit
    --data-urlencode "password=$password" --data-urlencode "new=$password$password")
harm_json='{"act": "add", "name": "mallory", "role": "admin", "team": "theirs", "account": "mel", "state": "closed", "to": "closed",
    "count": 1, "days": 1, "why": "x", "decision": "show", "run": "latest", "file": "campaign: mallory", "password": "'$password'"}'

# try METHOD PATH FORM [JAR]: as `who`, with their cookies or their token, and a valid token of forms
try()
{
    local options=()

    [ -z "$bearer" ] || options=(-H "Authorization: Bearer $bearer")
    case $1 in
    POST | PUT)
        options+=(-X "$1" -H "X-CSRF-Token: $form")
        case $2:$3 in
        /api/*:harm) options+=(-H 'Content-Type: application/json' -d "$harm_json") ;;
        /api/*) options+=(-H 'Content-Type: application/json' -d '{}') ;;
        *:harm) options+=("${harm[@]}") ;;
        *) options+=(-d nothing=here) ;;
        esac
        ;;
    esac
    request "${4-$who}" "$2" "${options[@]}"
}

# refused: is that the last answer?
refused()
{
    case $got in
    401 | 403) return 0 ;;
    303) [[ $(<"head") == *$'\nLocation: /login?'* ]] ;;
    *) return 1 ;;
    esac
}

# may: does the table let `who` in here? The campaign of the address may give a role besides.
may()
{
    local has=$role

    [[ $path != *"/campaigns/{name}"* ]] || has="$role | $gives"
    [[ -z $bearer || $path == /api/* ]] || has=ROLE_NOBODY
    ((allow & (has))) || return 1
    [[ $scope != read || $method == GET ]] || return 1
    # Where a password is asked for, the description says that no program comes in.
    [[ -z $bearer || -z ${persons[$method $path]-} ]]
}

# go_in: `who` is let in by the last request. Some pages that are open to anybody ask for a password themselves.
go_in()
{
    [ "$got" -lt 500 ] || fail "$actor: $method $address answered $got"
    ! refused || { ((allow == (ROLE_ANYONE))) && [ "$got" = 401 ]; } || fail "$actor: $method $address answered $got, but the table lets them in"
}

# each COMMAND: for every route that an actor is asked about; a program has no business on pages: one of them tries
each()
{
    local route

    for route in "${routes[@]}"; do
        IFS=$'\t' read -r method path allow page <<<"$route"
        [[ -z $bearer || $path == /api/* || $actor == ada*write* ]] || continue
        asked=$((asked + 1))
        "$@"
    done
}

keep_out()
{
    ! may || return 0
    address "$path" here
    try "$method" "$address" harm
    refused || fail "$actor: $method $address answered $got, but the table does not let them in"
}

look()
{
    [ "$method" = GET ] && may || return 0
    address "$path" here
    try "$method" "$address" harm
    go_in
}

# What ends sessions ends them for this one request.
act()
{
    [ "$method" != GET ] && may || return 0
    address "$path" nowhere here
    cp "$who" jar
    try "$method" "$address" nothing jar
    go_in
    [ -n "$bearer" ] || sql audition.db "ATTACH 'kept.db' AS kept; DELETE FROM main.web_session; INSERT INTO main.web_session SELECT * FROM kept.web_session"
}

# Pages of another rater, raters and invitations of another campaign: as if there were none.
reach_over()
{
    [[ $path =~ ^/rate/\{id\}|/campaigns/.*/\{(rater|id)\} ]] && may || return 0
    address "$path" theirs here
    try "$method" "$address" harm
    case $method$got in
    *400 | *404 | GET303) ;; # back to where they are
    *) fail "$actor: $method $address answered $got, though it is not theirs" ;;
    esac
}

declare -A persons=()
while read -r method path; do
    persons[$method $path]=yes
done < <(awk -F '"' '/^  "\// { path = $2 } /^   "[a-z]+": \{/ { method = toupper($2) }
    $2 == "summary" && /Needs a person/ { print method, path }' "$REPO/share/web/openapi.json")
[ "${#persons[@]}" -gt 0 ] || fail "no operation needs a person"

# Who, what the account may do, what campaign gate gives besides, the token of a program.
actors=("nobody ROLE_NOBODY 0" "rita ROLE_RATER 0" "ole ROLE_RATER 0" "mel ROLE_MEMBER 0" "cora ROLE_COORDINATOR 0"
    "anna ROLE_ANALYST 0" "gil ROLE_MEMBER ROLE_COORDINATOR" "theo ROLE_MEMBER 0" "ada ROLE_ADMIN 0")
for actor in "${actors[@]:4}"; do
    for scope in read write; do
        read -r who role gives <<<"$actor"
        post 200 "$who" /me /me/tokens -d act=add -d name=ci -d "scope=$scope" -d days=1
        actors+=("$actor $scope $(found 'aud_[0-9a-f]*')")
    done
done
: >nobody

declare -A forms=()
for who in nobody rita ole mel cora anna gil theo ada; do
    case $who in
    nobody) ask 200 $who /login ;;
    rita | ole) ask 200 $who /rate ;;
    *) ask 200 $who /me ;;
    esac
    forms[$who]=$(token)
done
sql audition.db "ATTACH 'kept.db' AS kept; CREATE TABLE kept.web_session AS SELECT * FROM main.web_session"

for actor in "${actors[@]}"; do
    read -r who role gives scope bearer <<<"$actor"
    echo "${actor% aud_*}"
    [ -z "$bearer" ] || who=nobody
    form=${forms[$who]} asked=0
    # shellcheck disable=SC2034
    here[/rate/]=${page_of[$who]-${page_of[rita]}} theirs[/rate/]=${page_of[rita]}
    # shellcheck disable=SC2034
    [ "$who" != rita ] || theirs[/rate/]=${page_of[ole]}
    trace >before
    each keep_out
    stays "what was refused"
    each reach_over
    stays "what is not theirs"
    [ -n "$bearer" ] || is "$asked" $((2 * ${#routes[@]})) "routes that were asked"
    # What is computed from ratings and answers is computed by whoever looks first.
    trace 'run|seal|word_[a-z_]+' >before
    each look
    stays "what only looks" 'run|seal|word_[a-z_]+'
    each act
done
stop "$serve_pid"
lacks who.log "error="
