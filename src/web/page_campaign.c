#include "web/page_campaign.h"

#include <math.h>

#include "base/map.h"
#include "base/message.h"
#include "eval/score.h"
#include "panel/ballot.h"
#include "panel/erase.h"
#include "panel/outcome.h"
#include "store/store_people.h"
#include "suite/suite.h"
#include "web/account.h"
#include "web/drift.h"
#include "web/page.h"
#include "web/page_me.h"
#include "web/practice_table.h"

enum { PAGE_ROWS = 100 }; /* of raters, and of invitations */
enum {
    INVITES_MAX = 500,
    DAYS_MAX = 365,
    DAY_MS = 86400000,
    FAULTS_MAX = 64 << 10,
    LINKS_MAX = 1 << 20,
};

enum status page_campaign_of(struct request *q, struct campaign *c, struct err *e)
{
    return campaign_get(q->arena, q->store, request_param(q, "name").p, c, e);
}

static const char *address(struct request *q, const struct campaign *c, const char *rest)
{
    return arena_printf(q->arena, "/campaigns/%s%s", c->name, rest);
}

static enum word state_phrase(enum campaign_state s)
{
    static const enum word phrases[] = {PHRASE_DRAFT, PHRASE_OPEN, PHRASE_CLOSED_STATE,
                                        PHRASE_UNMASKED};

    return phrases[s];
}

static bool may(const struct page *p, unsigned roles)
{
    return p->q->session && (p->q->session->role & roles);
}

/* ---- the list, and a new one ---- */

static void new_form(struct page *p, const char *faults)
{
    struct str file = request_form(p->q, "file"), run = request_form(p->q, "run");
    struct html *h = &p->h;

    html_element(h, "h2", NULL, page_phrase(p, PHRASE_CAMPAIGN_NEW));
    page_form(p, "/campaigns");
    page_field(p, &(struct page_field){
                      .label = PHRASE_RUN, .name = "run", .value = run.p ? run.p : "latest"});
    html_open(h, "div", "class", "field");
    html_open(h, "label", "for", "file");
    html_text(h, page_phrase(p, PHRASE_CAMPAIGN_FILE));
    html_close(h);
    html_open(h, "textarea", "id", "file", "name", "file", "rows", "10", "spellcheck", "false",
              "required", "", "aria-invalid", faults ? "true" : NULL);
    html_text(h, file.p ? file.p
                        : "campaign: my-campaign\npassages_per_rater: 5\noverlap: 3\n"
                          "counts: completers\n");
    html_close(h);
    page_say(p, "small", NULL, PHRASE_CAMPAIGN_FILE_HINT);
    html_close(h);
    if (faults) {
        html_open(h, "pre", "class", "error", "tabindex", "0");
        html_text(h, faults);
        html_close(h);
    }
    page_button(p, PHRASE_CAMPAIGN_MAKE, NULL, NULL);
    html_close(h);
}

static void list_table(struct page *p, const struct campaign_list *l)
{
    static const enum word heads[] = {PHRASE_CAMPAIGN, PHRASE_STATE, PHRASE_RUN, PHRASE_CREATED};

    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_row_head(p);
        page_link(p, address(p->q, &l->v[i], ""), l->v[i].name);
        html_close(&p->h);
        page_cell(p, page_phrase(p, state_phrase(l->v[i].state)));
        page_cell(p, l->v[i].run.name);
        page_cell_time(p, l->v[i].created_ms);
        html_close(&p->h);
    }
    page_table_end(p);
}

/* A member sees the campaigns that have a role for them. */
static enum status only_own(struct request *q, struct campaign_list *l, struct err *e)
{
    struct grant_list own;
    size_t n = 0;

    if (q->session->role & ROLE_STAFF)
        return OK;
    if (store_people_grants_of(q->arena, q->store, q->session->who, "", &own, e) != OK)
        return e->code;
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < own.n; k++)
            if (own.v[k].campaign == l->v[i].id) {
                l->v[n++] = l->v[i];
                break;
            }
    l->n = n;
    return OK;
}

static enum status list_page(struct request *q, struct response *r, const char *faults,
                             struct err *e)
{
    struct campaign_list l;
    struct page p;

    if (campaign_list(q->arena, q->store, &l, e) != OK || only_own(q, &l, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_CAMPAIGNS));
    if (l.n)
        list_table(&p, &l);
    else
        page_say(&p, "p", NULL, PHRASE_NO_CAMPAIGNS);
    if (may(&p, ROLE_ADMIN))
        new_form(&p, faults);
    page_close(&p);
    return OK;
}

enum status page_campaign_list(struct request *q, struct response *r, struct err *e)
{
    return list_page(q, r, NULL, e);
}

/* The faults of the file that was sent, as `campaign new` would show them; NULL: none. */
static const char *faults_of(struct request *q, const struct diags *d)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FAULTS_MAX);

    if (!d->errors)
        return NULL;
    diags_show(d, q->language, &b);
    return arena_text(q->arena, buf_str(&b));
}

enum status page_campaign_make(struct request *q, const char *run_name, struct str file,
                               struct campaign *c, const char **faults, struct err *e)
{
    struct run_row run;
    struct suite suite;
    struct spec spec;
    struct diags d;
    const char *frozen;

    diags_init(&d, q->arena);
    if (store_run_get(q->arena, q->store, run_name, &run, e) != OK ||
        suite_thaw(q->arena, run.frozen, &suite, e) != OK)
        return e->code;
    spec_read(q->arena, file, &suite, &spec, &frozen, &d);
    *faults = faults_of(q, &d);
    if (*faults)
        return OK;
    if (campaign_add(q->arena, q->store, &run, &suite, frozen, c, e) != OK)
        return e->code;
    return account_audit(q, "campaign.new", c->name, run.name, e);
}

enum status page_campaign_add(struct request *q, struct response *r, struct err *e)
{
    struct str run = request_form(q, "run");
    const char *faults = NULL;
    struct campaign c = {0};
    enum status st =
        page_campaign_make(q, run.p ? run.p : "latest", request_form(q, "file"), &c, &faults, e);

    if (st == E_USAGE || st == E_ABSENT) { /* a name twice, no such run */
        faults = message_show(q->arena, q->language, arena_text(q->arena, str_of(e->msg)));
        st = OK;
    }
    if (st != OK)
        return st;
    if (faults) {
        r->status = 422;
        return list_page(q, r, faults, e);
    }
    response_redirect(r, address(q, &c, ""));
    return OK;
}

/* ---- one campaign: parts of its page ---- */

static void turn_button(struct page *p, const struct campaign *c, enum campaign_state to,
                        enum word label)
{
    page_form(p, address(p->q, c, "/state"));
    page_button(p, label, "to", campaign_state_name(to));
    html_close(&p->h);
}

static void state_part(struct page *p, const struct campaign *c)
{
    struct html *h = &p->h;

    html_open(h, "p", NULL);
    html_fmt(h, "%s · ", page_phrase(p, state_phrase(c->state)));
    html_fmt(h, "%s %s", page_phrase(p, PHRASE_RUN), c->run.name);
    if (c->spec.deadline_ms) {
        html_fmt(h, " · %s ", page_phrase(p, PHRASE_DEADLINE));
        page_time(p, c->spec.deadline_ms);
        html_text(h, " UTC");
    }
    html_close(h);
    if (!may(p, ROLE_ADMIN))
        return;
    if (c->state == CAMPAIGN_DRAFT || c->state == CAMPAIGN_CLOSED)
        turn_button(p, c, CAMPAIGN_OPEN, PHRASE_OPEN_IT);
    if (c->state == CAMPAIGN_OPEN)
        turn_button(p, c, CAMPAIGN_CLOSED, PHRASE_CLOSE_IT);
    if (c->state == CAMPAIGN_CLOSED) {
        page_say(p, "p", NULL, PHRASE_UNMASK_LEAD);
        turn_button(p, c, CAMPAIGN_UNMASKED, PHRASE_UNMASK_IT);
    }
}

static void wanted_line(struct page *p, const struct coverage_list *l)
{
    struct arena *a = p->q->arena;

    if (l->short_of == 0) {
        page_say(p, "p", NULL, PHRASE_WANTED_NONE);
        return;
    }
    html_open(&p->h, "p", NULL);
    html_text(&p->h, words_with(a, p->q->language, PHRASE_WANTED,
                                arena_printf(a, "%lld", (long long)l->short_of)));
    html_text(&p->h, " ");
    html_text(&p->h, words_with(a, p->q->language, PHRASE_WANTED_RATERS,
                                arena_printf(a, "%lld", (long long)l->top_up)));
    html_close(&p->h);
}

static bool any_rated(const struct coverage_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].done)
            return true;
    return false;
}

/* The script replaces this part while the page is looked at; nobody types anything in it. */
static void coverage_part(struct page *p, const struct campaign *c, const struct coverage_list *l)
{
    static const enum word heads[] = {PHRASE_PASSAGE, PHRASE_RATED, PHRASE_BEING_RATED};

    html_open(&p->h, "script", "type", "module", "src", page_asset(p->q, "live.js"));
    html_close(&p->h);
    html_open(&p->h, "section", "id", "live");
    page_say(p, "h2", NULL, PHRASE_COVERAGE);
    wanted_line(p, l);
    if (l->connected || any_rated(l))
        page_say(p, "p", NULL, l->connected ? PHRASE_CONNECTED : PHRASE_NOT_CONNECTED);
    html_open(&p->h, "details", NULL);
    page_say(p, "summary", NULL, PHRASE_BY_PASSAGE);
    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_row_head(p);
        html_text(&p->h, l->v[i].item_name);
        html_close(&p->h);
        page_cell_fmt(p, "%lld / %lld", (long long)l->v[i].done, (long long)c->spec.overlap);
        page_cell_fmt(p, "%lld", (long long)l->v[i].live);
        html_close(&p->h);
    }
    page_table_end(p);
    html_close(&p->h);
    html_close(&p->h);
}

static void sign_cell(struct page *p, const struct campaign *c, const struct score_row *r)
{
    if (!r || !isfinite(r->value))
        page_cell(p, "");
    else
        page_cell_fmt(p, "%.2f%s", r->value, outcome_unusual(c, r) ? " !" : "");
}

/* Excluded by a person, by a rule of the file, or not. */
static void exclude_cell(struct page *p, const struct campaign *c, const struct rater *r,
                         const struct score_row *rule)
{
    const char *rest = arena_printf(p->q->arena, "/raters/%s", r->pseudonym);
    struct html *h = &p->h;

    page_cell_open(p, NULL);
    if (r->excluded_by) {
        html_fmt(h, "%s: %s", page_phrase(p, PHRASE_EXCLUDED), r->excluded_why);
    } else if (rule) {
        html_fmt(h, "%s: %s", page_phrase(p, PHRASE_EXCLUDED), rule->method);
    } else if (may(p, ROLE_ADMIN) && c->state != CAMPAIGN_UNMASKED) {
        html_open(h, "details", NULL);
        page_say(p, "summary", NULL, PHRASE_EXCLUDE);
        page_form(p, address(p->q, c, rest));
        html_open(h, "label", NULL);
        html_text(h, page_phrase(p, PHRASE_WHY));
        html_leaf(h, "input", "name", "why", "required", "");
        html_close(h);
        page_button(p, PHRASE_EXCLUDE, NULL, NULL);
        html_close(h);
        html_close(h);
    }
    if (may(p, ROLE_ADMIN)) {
        html_open(h, "details", NULL);
        page_say(p, "summary", NULL, PHRASE_ERASE);
        page_say(p, "p", NULL, PHRASE_ERASE_LEAD);
        page_form(p, address(p->q, c, arena_printf(p->q->arena, "%s/erase", rest)));
        page_button(p, PHRASE_ERASE, NULL, NULL);
        html_close(h);
        html_close(h);
    }
    html_close(h);
}

static const enum word rater_phrases[] = {
    [RATER_INVITED] = PHRASE_RATER_INVITED,       [RATER_CONSENTED] = PHRASE_RATER_CONSENTED,
    [RATER_PRACTISING] = PHRASE_RATER_PRACTISING, [RATER_RATING] = PHRASE_RATER_RATING,
    [RATER_FINISHED] = PHRASE_RATER_FINISHED,     [RATER_REJECTED] = PHRASE_RATER_REJECTED,
    [RATER_WITHDRAWN] = PHRASE_RATER_WITHDRAWN,
};

static void raters_part(struct page *p, const struct campaign *c, const struct rater_list *l,
                        const struct score_list *rows, const struct practice_list *practice)
{
    static const enum word heads[] = {PHRASE_RATER,       PHRASE_STATE,       PHRASE_RATED,
                                      PHRASE_SIGN_FAST,   PHRASE_SIGN_SAME,   PHRASE_SIGN_AGREE,
                                      PHRASE_SIGN_ANCHOR, PHRASE_SIGN_DRIFT,  PHRASE_SIGN_SELF,
                                      PHRASE_SIGN_INFIT,  PHRASE_SIGN_OUTFIT, PHRASE_EXCLUDE};
    static const char *const signs[] = {"sign:fast",  "sign:same", "sign:agree", "sign:anchor",
                                        "sign:drift", "sign:self", "sign:infit", "sign:outfit"};

    page_say(p, "h2", NULL, PHRASE_RATERS);
    if (l->n == 0) {
        page_say(p, "p", NULL, PHRASE_NOTHING);
        return;
    }
    page_say(p, "p", NULL, PHRASE_SIGNS_LEAD);
    page_form(p, address(p->q, c, "/compute"));
    page_button(p, PHRASE_COMPUTE, NULL, NULL);
    html_close(&p->h);
    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < l->n; i++) {
        const struct rater *r = &l->v[i];
        const char *subject = arena_printf(p->q->arena, "rater/%s", r->pseudonym);
        page_row(p);
        page_row_head(p);
        html_text(&p->h, r->pseudonym);
        html_close(&p->h);
        page_cell(p, page_phrase(p, rater_phrases[r->state]));
        page_cell_fmt(p, "%lld / %lld", (long long)r->done, (long long)c->spec.passages);
        for (size_t k = 0; k < COUNT(signs); k++)
            sign_cell(p, c, score_find(rows, subject, signs[k]));
        exclude_cell(p, c, r, score_find(rows, subject, "excluded"));
        html_close(&p->h);
    }
    page_table_end(p);
    practice_table(p, practice);
    drift_chart(p, rows);
}

static void invite_cell(struct page *p, const struct campaign *c, const struct invite *i)
{
    page_cell_open(p, NULL);
    if (i->used_ms)
        html_fmt(&p->h, "%s: %s", page_phrase(p, PHRASE_INVITE_USED), i->rater ? i->rater : "");
    else if (i->revoked_ms)
        html_text(&p->h, page_phrase(p, PHRASE_REVOKED));
    else {
        html_text(&p->h, page_phrase(p, PHRASE_INVITE_UNUSED));
        page_form(p,
                  address(p->q, c, arena_printf(p->q->arena, "/invites/%lld", (long long)i->id)));
        page_button(p, PHRASE_REVOKE, NULL, NULL);
        html_close(&p->h);
    }
    html_close(&p->h);
}

/* Where people register who have the code. */
static void join_link(struct page *p, const struct campaign *c)
{
    if (!c->spec.code)
        return;
    html_open(&p->h, "p", NULL);
    html_text(&p->h, words_with(p->q->arena, p->q->language, PHRASE_JOIN_AT, c->spec.code));
    html_text(&p->h, " ");
    html_element(&p->h, "code", NULL,
                 arena_printf(p->q->arena, "%s/join/%s", page_origin(p->q), c->name));
    html_close(&p->h);
}

/* As many as are still wanted, unless told otherwise. */
static void invite_form(struct page *p, const struct campaign *c, int64_t wanted)
{
    int64_t count = wanted < 1 ? 1 : wanted > INVITES_MAX ? INVITES_MAX : wanted;

    join_link(p, c);
    page_form(p, address(p->q, c, "/invites"));
    page_field(p,
               &(struct page_field){.label = PHRASE_INVITE_COUNT,
                                    .name = "count",
                                    .type = "number",
                                    .value = arena_printf(p->q->arena, "%lld", (long long)count)});
    page_field(p,
               &(struct page_field){
                   .label = PHRASE_INVITE_DAYS, .name = "days", .type = "number", .value = "14"});
    page_field(
        p, &(struct page_field){.label = PHRASE_INVITE_LABEL, .name = "label", .optional = true});
    page_button(p, PHRASE_INVITE_NEW, NULL, NULL);
    html_close(&p->h);
}

static void invites_part(struct page *p, const struct campaign *c, const struct invite_list *l,
                         int64_t wanted)
{
    static const enum word heads[] = {PHRASE_INVITE_NOTE, PHRASE_CREATED, PHRASE_INVITE_EXPIRES,
                                      PHRASE_STATE};
    bool takes = c->state == CAMPAIGN_DRAFT || c->state == CAMPAIGN_OPEN;

    if (!takes && l->n == 0)
        return;
    page_say(p, "h2", NULL, PHRASE_INVITES);
    if (takes)
        invite_form(p, c, wanted);
    if (l->n == 0)
        return;
    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_cell(p, l->v[i].label);
        page_cell_time(p, l->v[i].created_ms);
        page_cell_time(p, l->v[i].expires_ms);
        invite_cell(p, c, &l->v[i]);
        html_close(&p->h);
    }
    page_table_end(p);
}

/* What a kind of leak.h is called. */
static enum word leak_phrase(const char *why)
{
    static const struct {
        const char *why;
        enum word says;
    } table[] = {{"self", PHRASE_LEAK_SELF},
                 {"name", PHRASE_LEAK_NAME},
                 {"truncated", PHRASE_LEAK_TRUNCATED}};

    for (size_t i = 0; i < COUNT(table); i++)
        if (strcmp(table[i].why, why) == 0)
            return table[i].says;
    return PHRASE_LEAK_MALFORMED;
}

/* Neither the model nor anything else that would tell who wrote it. */
static void withheld_part(struct page *p, const struct campaign *c, const struct withheld_list *l)
{
    struct html *h = &p->h;
    bool any = false;

    for (size_t i = 0; i < l->n; i++) {
        const struct withheld *w = &l->v[i];
        if (w->decision)
            continue;
        if (!any) {
            page_say(p, "h2", NULL, PHRASE_WITHHELD);
            page_say(p, "p", NULL, PHRASE_WITHHELD_LEAD);
        }
        any = true;
        html_open(h, "blockquote", NULL);
        page_lines(p, c->suite.language, w->text);
        html_close(h);
        html_open(h, "p", "class", "soft");
        html_fmt(h, "%s · %s: ", w->item_name, page_phrase(p, leak_phrase(w->why)));
        html_foreign(h, c->suite.language, str_of(w->words));
        html_close(h);
        page_form(p, address(p->q, c, arena_printf(p->q->arena, "/withheld/%s", w->name)));
        page_button(p, PHRASE_SHOW_IT, "decision", "show");
        html_text(h, " ");
        page_button(p, PHRASE_HIDE_IT, "decision", "hide");
        html_close(h);
    }
}

/* Everything that the page of a campaign shows. */
struct overview {
    struct campaign c;
    struct coverage_list coverage;
    struct rater_list raters;
    struct practice_list practice;
    struct invite_list invites;
    struct withheld_list withheld;
    struct complaint_list complaints;
    struct score_list rows;
};

/* Whether raters go on seeing a text that was reported. */
static void reported_form(struct page *p, const struct campaign *c, const struct withheld *w)
{
    bool shown = w->decision && strcmp(w->decision, "show") == 0;

    page_form(p, address(p->q, c, arena_printf(p->q->arena, "/withheld/%s", w->name)));
    page_button(p, shown ? PHRASE_HIDE_IT : PHRASE_SHOW_IT, "decision", shown ? "hide" : "show");
    html_close(&p->h);
}

/* The reason, and what it is about, without its author. */
static void complaint_cell(struct page *p, const struct overview *o, const struct complaint *x)
{
    page_cell_open(p, NULL);
    html_text(&p->h, x->sample < 0
                         ? words_with(p->q->arena, p->q->language, PHRASE_PASSED_OVER, x->why)
                         : x->why);
    if (x->text.n) {
        html_open(&p->h, "details", NULL);
        page_say(p, "summary", NULL, PHRASE_COMPLAINT_TEXT);
        page_lines(p, o->c.suite.language, x->text);
        html_close(&p->h);
    }
    for (size_t i = 0; i < o->withheld.n && may(p, ROLE_COORDINATOR | ROLE_ADMIN); i++)
        if (x->sample > 0 && o->withheld.v[i].sample == x->sample)
            reported_form(p, &o->c, &o->withheld.v[i]);
    html_close(&p->h);
}

static void complaints_part(struct page *p, const struct overview *o)
{
    const struct complaint_list *l = &o->complaints;
    static const enum word heads[] = {PHRASE_WHEN, PHRASE_RATER, PHRASE_PASSAGE, PHRASE_WHY};

    if (l->n == 0)
        return;
    page_say(p, "h2", NULL, PHRASE_COMPLAINTS);
    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_cell_time(p, l->v[i].at_ms);
        page_cell(p, l->v[i].rater);
        page_cell(p, l->v[i].item_name);
        complaint_cell(p, o, &l->v[i]);
        html_close(&p->h);
    }
    page_table_end(p);
}

static void result_links(struct page *p, const struct campaign *c)
{
    if (!may(p, ROLE_ANALYST | ROLE_ADMIN))
        return;
    page_way(p, address(p->q, c, "/results"), PHRASE_RESULTS);
}

/* Of what is known about raters, only that of the page's. */
static void keep_page(struct request *q, struct overview *o)
{
    struct map here;
    size_t n = 0;

    map_init(&here, q->arena);
    for (size_t i = 0; i < o->raters.n; i++)
        (void)map_put(&here, str_of(o->raters.v[i].pseudonym), &o->raters.v[i]);
    for (size_t i = 0; i < o->rows.n; i++) {
        struct str subject = str_of(o->rows.v[i].subject);
        if (!str_starts(subject, STR("rater/")) ||
            map_get(&here, str_from(subject, strlen("rater/"))))
            o->rows.v[n++] = o->rows.v[i];
    }
    o->rows.n = n;
    n = 0;
    for (size_t i = 0; i < o->practice.n; i++)
        if (map_get(&here, str_of(o->practice.v[i].rater)))
            o->practice.v[n++] = o->practice.v[i];
    o->practice.n = n;
}

/* To the rows after these, where a page was full. */
static void next_page(struct page *p, const struct campaign *c, const char *name, size_t n,
                      int64_t last)
{
    if (n == PAGE_ROWS)
        page_way(p, address(p->q, c, arena_printf(p->q->arena, "?%s=%lld", name, (long long)last)),
                 PHRASE_MORE);
}

static enum status read_overview(struct request *q, struct overview *o, struct err *e)
{
    struct arena *a = q->arena;

    if (page_campaign_of(q, &o->c, e) != OK ||
        campaign_coverage(a, q->store, &o->c, &o->coverage, e) != OK ||
        rater_page(a, q->store, o->c.id, request_int(request_query(q, "after"), 0), PAGE_ROWS,
                   &o->raters, e) != OK ||
        practice_list(a, q->store, o->c.id, &o->practice, e) != OK ||
        invite_page(a, q->store, o->c.id, request_int(request_query(q, "invites"), 0), PAGE_ROWS,
                    &o->invites, e) != OK ||
        campaign_withheld(a, q->store, &o->c, &o->withheld, e) != OK ||
        ballot_complaints(a, q->store, &o->c, &o->complaints, e) != OK)
        return e->code;
    if (outcome_stored(a, q->store, &o->c, &o->rows, e) != OK)
        return e->code;
    keep_page(q, o);
    return OK;
}

enum status page_campaign_show(struct request *q, struct response *r, struct err *e)
{
    struct overview o;
    struct page p;

    if (read_overview(q, &o, e) != OK)
        return e->code;
    page_open(&p, q, r, arena_text(q->arena, spec_wording(&o.c.spec.title, q->language)));
    state_part(&p, &o.c);
    result_links(&p, &o.c);
    if (may(&p, ROLE_ADMIN))
        page_way(&p, address(q, &o.c, "/people"), PHRASE_PEOPLE);
    coverage_part(&p, &o.c, &o.coverage);
    if (may(&p, ROLE_COORDINATOR | ROLE_ADMIN)) {
        withheld_part(&p, &o.c, &o.withheld);
        invites_part(&p, &o.c, &o.invites, o.coverage.top_up);
        if (o.invites.n)
            next_page(&p, &o.c, "invites", o.invites.n, o.invites.v[o.invites.n - 1].id);
    }
    raters_part(&p, &o.c, &o.raters, &o.rows, &o.practice);
    if (o.raters.n)
        next_page(&p, &o.c, "after", o.raters.n, o.raters.v[o.raters.n - 1].id);
    complaints_part(&p, &o);
    page_close(&p);
    return OK;
}

/* ---- what can be done to it ---- */

static enum status back_to(struct request *q, struct response *r, const struct campaign *c,
                           const char *what, const char *detail, struct err *e)
{
    if (account_audit(q, what, c->name, detail, e) != OK)
        return e->code;
    response_done(r, address(q, c, ""));
    return OK;
}

enum status page_campaign_turn(struct request *q, struct response *r, struct err *e)
{
    static const enum campaign_state states[] = {CAMPAIGN_OPEN, CAMPAIGN_CLOSED, CAMPAIGN_UNMASKED};
    struct str to = request_form(q, "to");
    struct score_list rows;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    for (size_t i = 0; i < COUNT(states); i++) {
        if (!str_is(to, campaign_state_name(states[i])))
            continue;
        if (states[i] == CAMPAIGN_UNMASKED && !page_me_is_confirmed(q, r, address(q, &c, "")))
            return OK;
        if (campaign_turn(q->store, &c, states[i], e) != OK)
            return e->code;
        if (states[i] == CAMPAIGN_CLOSED && outcome_refresh(q->arena, q->store, &c, &rows, e) != OK)
            return e->code;
        return back_to(q, r, &c, "campaign.state", campaign_state_name(states[i]), e);
    }
    return err_set(e, E_INPUT, "a campaign can be opened, closed or unmasked");
}

enum status page_campaign_compute(struct request *q, struct response *r, struct err *e)
{
    struct score_list rows;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || outcome_refresh(q->arena, q->store, &c, &rows, e) != OK)
        return e->code;
    response_redirect(r, address(q, &c, ""));
    return OK;
}

static enum status add_invites(struct request *q, const struct campaign *c, int64_t n, int64_t days,
                               struct buf *links, struct err *e)
{
    struct str label = request_form(q, "label");
    int64_t until = q->now_ms + days * DAY_MS;
    char token[RATER_TOKEN];

    for (int64_t i = 0; i < n; i++) {
        if (invite_add(q->store, c, label.p ? label.p : "", until, token, e) != OK)
            return e->code;
        buf_fmt(links, "%s/invite/%s\n", page_origin(q), token);
    }
    return account_audit(q, "campaign.invite", c->name,
                         arena_printf(q->arena, "%lld", (long long)n), e);
}

/* The links are shown here and nowhere else: only their hashes are stored. */
enum status page_campaign_invite(struct request *q, struct response *r, struct err *e)
{
    int64_t n = request_int(request_form(q, "count"), 1),
            days = request_int(request_form(q, "days"), 14);
    AUTO(buf_done) struct buf links = BUF_MAX(LINKS_MAX);
    struct campaign c;
    struct page p;

    if (n < 1 || n > INVITES_MAX || days < 1 || days > DAYS_MAX)
        return err_set(e, E_INPUT, "1 to %d invitations, for 1 to %d days", INVITES_MAX, DAYS_MAX);
    /* All of them or none, with their line in the log, and told only when they hold. */
    if (page_campaign_of(q, &c, e) != OK ||
        store_atomically(q->store, e, add_invites(q, &c, n, days, &links, e)) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_INVITE_LINKS));
    page_say(&p, "p", NULL, PHRASE_INVITE_LINKS_LEAD);
    html_open(&p.h, "pre", "class", "links", "tabindex", "0");
    html_str(&p.h, buf_str(&links));
    html_close(&p.h);
    page_link(&p, address(q, &c, ""), page_phrase(&p, PHRASE_BACK));
    page_close(&p);
    return OK;
}

enum status page_campaign_revoke(struct request *q, struct response *r, struct err *e)
{
    int64_t id = request_int(request_param(q, "id"), 0);
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || invite_revoke(q->store, &c, id, e) != OK)
        return e->code;
    return back_to(q, r, &c, "campaign.revoke", arena_printf(q->arena, "%lld", (long long)id), e);
}

/* The text that the page calls by this name; 0: none. */
static int64_t find_withheld(const struct withheld_list *l, struct str name)
{
    for (size_t i = 0; i < l->n; i++)
        if (str_is(name, l->v[i].name))
            return l->v[i].sample;
    return 0;
}

enum status page_campaign_decide(struct request *q, struct response *r, struct err *e)
{
    struct withheld_list l;
    int64_t sample;
    bool show = str_is(request_form(q, "decision"), "show");
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || campaign_withheld(q->arena, q->store, &c, &l, e) != OK)
        return e->code;
    sample = find_withheld(&l, request_param(q, "text"));
    if (campaign_decide(q->store, &c, sample, show, q->session->name, e) != OK)
        return e->code;
    return back_to(q, r, &c, show ? "campaign.show" : "campaign.hide",
                   arena_printf(q->arena, "%lld", (long long)sample), e);
}

enum status page_campaign_exclude(struct request *q, struct response *r, struct err *e)
{
    struct str why = request_form(q, "why"), rater = request_param(q, "rater");
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK ||
        rater_exclude(q->store, &c, rater.p, q->session->name, why.p ? why.p : "", e) != OK)
        return e->code;
    return back_to(q, r, &c, "campaign.exclude", arena_printf(q->arena, "%s: %s", rater.p, why.p),
                   e);
}

/* What this rater said goes with them, also after the campaign was unmasked: it is theirs. */
enum status page_campaign_erase(struct request *q, struct response *r, struct err *e)
{
    struct str name = request_param(q, "rater");
    struct rater rater;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK ||
        rater_named(q->arena, q->store, &c, name.p, &rater, e) != OK)
        return e->code;
    if (!page_me_is_confirmed(q, r, address(q, &c, "")))
        return OK;
    if (erase_rater(q->store, &rater, true, e) != OK)
        return e->code;
    return back_to(q, r, &c, "campaign.erase", name.p, e);
}
