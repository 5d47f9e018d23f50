#!/usr/bin/env bash
# Staff: the second factor, sessions and ending them, the password once more, roles in one campaign, teams.
set -eu
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"
command -v oathtool >/dev/null || skip "oathtool is not installed"

password='correct horse battery'
answered
for name in mine other; do
    opened $name 'about: []'
done
serve people
# shellcheck disable=SC2154 # set by serve
post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
for name in bob cleo; do
    post 303 ada /accounts /accounts -d name=$name -d role=member --data-urlencode "password=$password"
    post 303 $name /login /login -d name=$name --data-urlencode "password=$password"
done

echo "a member has what a campaign gives, and nothing else"
ask 200 bob /campaigns
lacks page mine other
ask 403 bob /campaigns/mine
post 303 ada /campaigns/mine/people /campaigns/mine/people -d act=add -d name=bob -d role=coordinator
ask 200 ada '/campaigns/mine/people?done=1'
says page 'role="status"' bob
ask 200 ada /campaigns/mine/people -H 'Accept-Language: zh'
says page '>协调员</td>'
ask 200 bob /campaigns
says page mine
lacks page other
ask 200 bob /campaigns/mine
ask 403 bob /campaigns/mine/results
ask 403 bob /campaigns/other
ask 403 bob /runs
ask 403 bob /accounts
post 200 bob /campaigns/mine /campaigns/mine/invites -d count=1 -d days=1
ask 403 bob /campaigns/other/invites -d "csrf=$(token)" -d count=1
ask 403 bob /campaigns/mine/people

echo "teams"
post 303 ada /teams /teams -d act=add -d team=readers -d account=cleo
post 303 ada /campaigns/other/people /campaigns/other/people -d act=add -d name=readers -d role=analyst
ask 200 cleo /campaigns/other/results
lacks page 'href="/runs' 'href="/leaderboard' # which are closed to cleo
ask 403 cleo /campaigns/mine/results
post 303 ada /teams /teams -d act=remove -d team=readers -d account=cleo
ask 403 cleo /campaigns/other/results
post 404 ada /teams /teams -d act=add -d team=ghosts -d account=nobody
is "$(sql audition.db "SELECT COUNT(*) FROM team WHERE name = 'ghosts'")" 0 "teams of nobody"
post 303 ada /teams /teams -d act=add -d team=readers -d account=cleo
ask 200 cleo /campaigns/other/results
# A word that is neither is not taken for the other.
post 400 ada /teams /teams -d act=removed -d team=readers -d account=ada
post 400 ada /campaigns/mine/people /campaigns/mine/people -d act=removed -d name=cleo -d role=analyst
ask 403 cleo /campaigns/mine
# One name is one's: whoever is called as a team would be given what the team is.
post 400 ada /accounts /accounts -d name=readers -d role=member --data-urlencode "password=$password"
post 400 ada /teams /teams -d act=add -d team=bob
sql audition.db "INSERT INTO team (name) VALUES ('bob')" # by an older version
post 400 ada /campaigns/other/people /campaigns/other/people -d act=add -d name=bob -d role=analyst
says page 'one of each'
sql audition.db "DELETE FROM team WHERE name = 'bob'"
post 303 ada /teams /teams -d act=delete -d team=readers
ask 403 cleo /campaigns/other/results
post 404 ada /teams /teams -d act=delete -d team=readers
ask 200 ada /audit
says page 'deleted team readers'
post 303 ada /teams /teams -d act=add -d team=readers -d account=cleo
ask 403 cleo /campaigns/other/results
post 303 ada /campaigns/mine/people /campaigns/mine/people -d act=remove -d name=bob -d role=coordinator
ask 403 bob /campaigns/mine

echo "the log says roles in the reader's language"
ask 200 ada /audit
says page '>administrator</td>' '>member</td>' '>bob: coordinator</td>' '>readers: analyst</td>'
ask 200 ada /audit -H 'Accept-Language: zh'
says page '>管理员</td>' '>成员</td>' '>bob：协调员</td>'
ask 200 ada /audit -H 'Accept-Language: ja'
says page '>管理者</td>' '>メンバー</td>' '>bob：コーディネーター</td>'
lacks page '>admin<' '>member<' 'bob: coordinator'
ask 200 ada /campaigns/mine/log -H 'Accept-Language: ja'
says page '>bob：コーディネーター</td>'

echo "where one is signed in; ending one session ends no other, and nobody else's"
post 303 bob2 /login /login -A 'Lantern/1.0' -d name=bob --data-urlencode "password=$password"
ask 200 bob /me
says page Lantern/1.0 127.0.0.1
theirs=$(grep -o 'name="session" value="[0-9a-f]*' page | head -n 1 | cut -d '"' -f 4)
post 303 cleo /me /me/sessions -d "session=$theirs"
ask 200 bob2 /me
post 303 bob /me /me/sessions -d "session=$theirs"
ask 303 bob2 /me
ask 200 bob /me

echo "before roles, passwords, unmasking and erasing the password is asked for again"
post 200 ada /campaigns/other /campaigns/other/invites -d count=1 -d days=1
link=$(grep -o '/invite/[a-z2-9-]*' page | head -n 1)
post 200 rater "$link" "$link"
ask 200 rater /rate
rater=$(sql audition.db "SELECT pseudonym FROM rater")
post 422 back /return /return -d words=wrong
ask 403 back /join/other -d csrf=old
ask 401 back /stay -d csrf=old # the session is over
ask 200 back /static/0/app.js
post 401 back /login /login -d name=nobody -d password=wrong
says people.log 'route=/rate ' 'route=/invite/{token} status=200' 'route=/me status=200'
grep 'route=/\(rate\|invite\|return\|join\|logout\|stay\|static\)' people.log >seen
says seen 'route=/return status=422' 'route=/stay status=401' 'route=/static/'
lacks seen 127.0.0.1 # nobody writes down where raters come from
is "$(sql audition.db "SELECT COUNT(*), MAX(detail) FROM audit WHERE what = 'refused.form'")" '1|' "refusals, and from where"
grep -q 'route=/login status=401 .* from=127.0.0.1' people.log || fail "who guesses at passwords is not in the log"
sql audition.db "UPDATE web_session SET confirmed_ms = 1" >/dev/null
post 303 ada /campaigns/other/raters "/campaigns/other/raters/$rater/erase"
says head /confirm
ask 200 rater /rate
post 303 ada /accounts/2 /accounts/2 -d act=role -d role=admin
says head 'Location: /confirm?next=/accounts/2'
is "$(sql audition.db "SELECT role FROM account WHERE name = 'bob'")" member "bob's role"
post 303 ada /campaigns/mine /campaigns/mine/state -d to=closed
post 303 ada /campaigns/mine /campaigns/mine/state -d to=unmasked
says head /confirm
is "$(sql audition.db "SELECT state FROM campaign WHERE name = 'mine'")" closed "the campaign"
post 400 ada '/confirm?next=/accounts/2' /confirm -d password=wrong
post 303 ada '/confirm?next=/accounts/2' /confirm -d next=/accounts/2 --data-urlencode "password=$password"
post 303 ada /accounts/2 /accounts/2 -d act=role -d role=analyst
is "$(sql audition.db "SELECT role FROM account WHERE name = 'bob'")" analyst "bob's role"
post 303 ada /campaigns/other/raters "/campaigns/other/raters/$rater/erase"
ask 401 rater /rate
is "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what = 'campaign.erase'")" 1 "erasing in the log"

# program STATUS TOKEN: what the API answers to a program
program()
{
    ask "$1" /dev/null /api/v1/accounts -H "Authorization: Bearer $2"
}
make_token()
{
    post 200 "$1" /me /me/tokens -d act=add -d name=ci -d scope=read -d days=1
    made=$(grep -o 'aud_[0-9a-f]*' page | head -n 1)
}
make_token ada
weak=$made
program 200 "$weak"

echo "the second factor"
post 303 bob /login /login -d name=bob --data-urlencode "password=$password"
ask 200 bob /me/second
says page '<svg' 'class="qr"'
secret=$(grep -o 'name="secret" value="[A-Z2-7]*' page | cut -d '"' -f 4)
ask 400 bob /me/second -d "csrf=$(token)" -d act=set -d "secret=$secret" -d code=000000
ask 200 bob /me/second -d "csrf=$(token)" -d act=set -d "secret=$secret" -d "code=$(oathtool --totp -b "$secret")"
grep -o '<code>[^<]*' page | cut -c 7- >recovery
is "$(wc -l <recovery)" 10 "codes to recover with"
[ "$(sql audition.db "SELECT COUNT(*) FROM recovery WHERE hash = '$(head -n 1 recovery)'")" = 0 ] || fail "a code is stored as it is"
post 401 new /login /login -d name=bob --data-urlencode "password=$password"
post 401 new /login /login -d name=bob --data-urlencode "password=$password" -d code=123
now=$(oathtool --totp -b "$secret")
post 303 new /login /login -d name=bob --data-urlencode "password=$password" -d "code=$now"
post 401 again /login /login -d name=bob --data-urlencode "password=$password" -d "code=$now"
first=$(head -n 1 recovery)
post 303 again /login /login -d name=bob --data-urlencode "password=$password" -d "code=$first"
sql audition.db "DELETE FROM web_session WHERE who = 2" >/dev/null
stop "$serve_pid"
serve second --second-factor admin --second-factor analyst
post 401 again /login /login -d name=bob --data-urlencode "password=$password" -d "code=$first"
post 303 again /login /login -d name=bob --data-urlencode "password=$password" -d "code=$(sed -n 2p recovery)"
ask 200 again /runs

echo "a role can need it"
post 303 fresh /login /login -d name=ada --data-urlencode "password=$password"
ask 303 fresh /accounts
says head 'Location: /me/second'
ask 200 fresh /me/second
secret=$(grep -o 'name="secret" value="[A-Z2-7]*' page | cut -d '"' -f 4)
ask 200 fresh /me/second -d "csrf=$(token)" -d act=set -d "secret=$secret" -d "code=$(oathtool --totp -b "$secret")"
recovery=$(grep -o '<code>[^<]*' page | head -n 1 | cut -c 7-)
ask 200 fresh /accounts
ask 200 fresh '/accounts/2?done=1'
is "$(grep -o 'role="status"' page | wc -l)" 1 "how often it says that it is done"

echo "so do programs: what was made without it is no way round it"
program 403 "$weak"
says page 'second factor'
make_token fresh
program 200 "$made"

echo "who takes a second factor away ends what was begun with it"
ask 200 again /runs
make_token again
ask 200 /dev/null /api/v1/runs -H "Authorization: Bearer $made"
post 303 fresh /accounts/2 /accounts/2 -d act=second
ask 303 again /runs
ask 401 /dev/null /api/v1/runs -H "Authorization: Bearer $made"

echo "so does who takes away their own, and goes on without"
post 303 other /login /login -d name=ada --data-urlencode "password=$password" -d "code=$recovery"
ask 200 other /accounts
post 303 fresh /me/second /me/second -d act=drop
ask 303 other /accounts
says head 'Location: /login'
ask 303 fresh /accounts
says head 'Location: /me/second'
is "$(sql audition.db "SELECT COUNT(*) FROM audit WHERE what = 'second-factor-drop' AND who = 'ada'")" 2 "of bob, and of ada"
audition 2 serve --second-factor owner
says err 'admin, coordinator, analyst or member'
stop "$serve_pid"
