/* The API about people and their decisions: flags, raters, withheld texts, invitations, accounts,
 * teams, sessions, the audit log. Changes are made by the pages: members of the JSON body become
 * fields of their forms. Pages refuse to programs what needs a person's password. */
#include "base/clock.h"
#include "base/json.h"
#include "panel/campaign.h"
#include "panel/rater.h"
#include "store/store_people.h"
#include "store/store_read.h"
#include "store/store_web.h"
#include "web/page.h"
#include "web/page_campaign.h"
#include "web/pages.h"

enum { ROWS = 500 };

/* ---- what is done ---- */

/* A string, number or boolean as a form would have it. */
static struct str field_value(struct arena *a, const json_t *j)
{
    if (json_is_string(j))
        return arena_str(a, json_str(j));
    if (json_is_integer(j))
        return str_of(arena_int(a, json_integer_value(j)));
    return json_is_true(j) ? STR("1") : STR("");
}

static enum status to_form(struct request *q, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    const char *key;
    json_t *value;

    if (json_read(q->body, &j, e) != OK || !json_is_object(j))
        return err_set(e, E_INPUT, "the body must be a JSON object");
    q->form.v = NEW_N(q->arena, struct pair, json_object_size(j) + 1);
    json_object_foreach(j, key, value)
    {
        struct str text = field_value(q->arena, value);
        if (q->form.n < REQUEST_PAIRS && !memchr(text.p, '\0', text.n))
            q->form.v[q->form.n++] = (struct pair){arena_str(q->arena, str_of(key)), text};
    }
    return OK;
}

/* A page that succeeds redirects; one that does not shows its form again. */
enum status page_api_act(struct request *q, struct response *r, struct err *e)
{
    bool asks;

    if (to_form(q, e) != OK || q->route->run(q, r, e) != OK)
        return e->code;
    if (r->status != 303) {
        if (!r->type)
            page_error(q, r, r->status == 200 ? 400 : r->status, "a value cannot be used");
        return OK;
    }
    asks = str_starts(response_back(r), STR("/confirm"));
    r->nheaders = 0;
    if (!asks)
        return response_json(r, json_pack("{s:b}", "done", 1));
    page_error(q, r, 403, "this needs a person and their password: use the pages");
    return OK;
}

/* ---- lists ---- */

static enum status list_of(struct response *r, const char *name, json_t *list)
{
    return response_json(r, json_pack("{s:o}", name, list));
}

static void put_time(json_t *to, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT];

    clock_text(ms, text);
    json_put_text(to, key, ms ? text : NULL);
}

enum status page_api_flags(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct flag_list l;
    struct run_row run;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK ||
        store_flag_list(q->arena, q->store, run.id, &l, e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_int(j, "id", l.v[i].id);
        json_put_text(j, "kind", l.v[i].kind);
        json_put_text(j, "model", l.v[i].model_name);
        json_put_text(j, "item", l.v[i].item_name);
        json_put_int(j, "repeat", l.v[i].repeat);
        json_put_real(j, "value", l.v[i].value);
        json_put_text(j, "overruled_by", l.v[i].overruled_by);
        json_put_text(j, "overruled_why", l.v[i].overruled_why);
    }
    return list_of(r, "flags", list);
}

/* A page of them, after the id in ?after=. */
enum status page_api_raters(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct rater_list l;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK ||
        rater_page(q->arena, q->store, c.id, request_int(request_query(q, "after"), 0), ROWS, &l,
                   e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_int(j, "id", l.v[i].id);
        json_put_text(j, "rater", l.v[i].pseudonym);
        json_put_text(j, "state", rater_state_name(l.v[i].state));
        json_put_int(j, "passages", l.v[i].done);
        put_time(j, "created", l.v[i].created_ms);
        json_put_text(j, "excluded_by", l.v[i].excluded_by);
        json_put_text(j, "excluded_why", l.v[i].excluded_why);
    }
    return list_of(r, "raters", list);
}

/* As on the page, nothing reveals whose text it is. */
enum status page_api_withheld(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct withheld_list l;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || campaign_withheld(q->arena, q->store, &c, &l, e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_text(j, "text", l.v[i].name);
        json_put_text(j, "item", l.v[i].item_name);
        json_put_text(j, "why", l.v[i].why);
        json_put_text(j, "words", l.v[i].words);
        json_put_str(j, "answer", l.v[i].text);
        json_put_text(j, "decision", l.v[i].decision);
    }
    return list_of(r, "withheld", list);
}

enum status page_api_invitations(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct invite_list l;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK ||
        invite_page(q->arena, q->store, c.id, request_int(request_query(q, "after"), 0), ROWS, &l,
                    e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_int(j, "id", l.v[i].id);
        json_put_text(j, "label", l.v[i].label);
        put_time(j, "expires", l.v[i].expires_ms);
        put_time(j, "revoked", l.v[i].revoked_ms);
        put_time(j, "used", l.v[i].used_ms);
    }
    return list_of(r, "invitations", list);
}

static json_t *pairs_json(const struct word_pairs *l, const char *name, const char *word)
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        json_t *j = json_add_object(list);
        json_put_text(j, name, l->v[i].name);
        json_put_text(j, word, l->v[i].word);
    }
    return list;
}

enum status page_api_people(struct request *q, struct response *r, struct err *e)
{
    struct word_pairs l;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK ||
        store_people_grants(q->arena, q->store, c.id, &l, e) != OK)
        return e->code;
    return list_of(r, "people", pairs_json(&l, "name", "role"));
}

enum status page_api_teams(struct request *q, struct response *r, struct err *e)
{
    struct word_pairs l;

    if (store_people_teams(q->arena, q->store, &l, e) != OK)
        return e->code;
    return list_of(r, "teams", pairs_json(&l, "team", "account"));
}

enum status page_api_accounts(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct account_list l;

    if (store_account_list(q->arena, q->store, &l, e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_int(j, "id", l.v[i].id);
        json_put_text(j, "name", l.v[i].name);
        json_put_text(j, "role", l.v[i].role);
        json_put_bool(j, "disabled", l.v[i].disabled_ms != 0);
        put_time(j, "created", l.v[i].created_ms);
    }
    return list_of(r, "accounts", list);
}

enum status page_api_sessions(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct signed_in_list l;

    if (store_people_sessions(q->arena, q->store, q->session->who, &l, e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_text(j, "session", l.v[i].token);
        json_put_text(j, "address", l.v[i].address);
        json_put_text(j, "agent", l.v[i].agent);
        put_time(j, "created", l.v[i].created_ms);
        put_time(j, "seen", l.v[i].seen_ms);
    }
    return list_of(r, "sessions", list);
}

/* The newest, or those before the id in ?before=. */
enum status page_api_audit(struct request *q, struct response *r, struct err *e)
{
    json_t *list;
    struct audit_list l;

    if (store_audit_list(q->arena, q->store, request_int(request_query(q, "before"), 0), ROWS, &l,
                         e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < l.n; i++) {
        json_t *j = json_add_object(list);
        json_put_int(j, "id", l.v[i].id);
        put_time(j, "at", l.v[i].at_ms);
        json_put_text(j, "who", l.v[i].who);
        json_put_text(j, "what", l.v[i].what);
        json_put_text(j, "subject", l.v[i].subject);
        json_put_text(j, "detail", l.v[i].detail);
    }
    return list_of(r, "audit", list);
}
