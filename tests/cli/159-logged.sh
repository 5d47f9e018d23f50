#!/usr/bin/env bash
# What is done and its line in the audit log are one transaction: where the log takes nothing, nothing was done.
# On SQLite and on PostgreSQL.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$REPO/tests/lib.sh"
# shellcheck source=tests/serve.sh
. "$REPO/tests/serve.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is not installed"

password='correct horse battery'

# refusing: from now on; taking: no more
refusing()
{
    case ${AUDITION_DB-} in
    postgresql:*)
        sql - "CREATE FUNCTION full_log() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''the log is full''; END';
            CREATE TRIGGER full_log BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION full_log()"
        ;;
    *) sql audition.db "CREATE TRIGGER full_log BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'the log is full'); END" ;;
    esac
}

# state: what the acts below would change
state()
{
    sql audition.db "SELECT 'campaign', name, state FROM campaign ORDER BY name"
    sql audition.db "SELECT 'run', name, label FROM run ORDER BY name"
    sql audition.db "SELECT 'rater', COUNT(*) FROM rater"
    sql audition.db "SELECT 'grant', COUNT(*) FROM campaign_role"
    sql audition.db "SELECT 'token', id, revoked_ms FROM api_token ORDER BY id"
    sql audition.db "SELECT 'session', COUNT(*) FROM web_session"

}

acts()
{
    local form

    answered
    opened first 'about: []'
    printf 'campaign: second\npractice: no\npassages_per_rater: 1\n' >second.yaml
    printf 'rater,passage,system,dimension,value\nr1,one,plain,overall,3\n' >ratings.csv
    serve site
    post 303 ada /setup /setup -d "code=$code" -d name=ada --data-urlencode "password=$password"
    post 303 ada /accounts /accounts -d name=bob -d role=member --data-urlencode "password=$password"
    post 303 ada2 /login /login -d name=ada --data-urlencode "password=$password"
    post 200 ada /me /me/tokens -d act=add -d name=ci -d scope=read -d days=1
    run=$(sql audition.db "SELECT name FROM run")
    ask 200 ada /me
    form=$(token)
    other=$(grep -o 'name="session" value="[0-9a-f]*' page | head -n 1 | cut -d '"' -f 4)
    state >before
    refusing

    audition 1 campaign new second.yaml --run latest
    says err 'the log is full'
    audition 1 campaign import ratings.csv --run latest --name third
    says err 'the log is full'
    for act in "/campaigns -d run=$run -d campaign=fourth -d passages_per_rater=1 -d overlap=1" \
        "/campaigns/first/people -d act=add -d name=bob -d role=analyst" \
        "/campaigns/first/state -d to=closed" \
        "/me/tokens -d act=add -d name=more -d days=1" \
        "/me/tokens -d act=revoke -d id=1" \
        "/me/sessions -d session=$other" \
        "/runs/$run/describe -d label=Named"; do
        # shellcheck disable=SC2086 # several words
        ask 500 ada $act -d "csrf=$form"
    done
    state >after
    cmp before after || { diff before after && fail "done, and not in the log"; }
    stop "$serve_pid"
}

acts
[ -n "${AUDITION_TEST_PG-}" ] || exit 0
echo "== on PostgreSQL"
mkdir pg && cd pg
export AUDITION_DB=$AUDITION_TEST_PG
export AUDITION_TEST_PG=
exec "$0"
