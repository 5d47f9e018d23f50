#include "web/page_campaign.h"

#include "panel/erase.h"
#include "panel/outcome.h"
#include "report/values.h"
#include "store/store_people.h"
#include "web/account.h"
#include "web/audit_words.h"
#include "web/campaign_frame.h"
#include "web/page_me.h"
#include "web/pages.h"
#include "web/widget.h"

enum { LOG_ROWS = 100 };

enum status page_campaign_of(struct request *q, struct campaign *c, struct err *e)
{
    return campaign_get(q->arena, q->store, request_param(q, "name").p, c, e);
}

/* ---- the list ---- */

static void list_table(struct page *p, const struct campaign_list *l)
{
    page_table(p, PHRASE_CAMPAIGN, PHRASE_STATE, PHRASE_RUN, PHRASE_CREATED);
    for (size_t i = 0; i < l->n; i++) {
        page_row_of(p, campaign_frame_below(p->q, &l->v[i], ""), l->v[i].name);
        page_cell_open(p, NULL);
        campaign_frame_pill(p, &l->v[i]);
        html_close(&p->h);
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

enum status page_campaign_list(struct request *q, struct response *r, struct err *e)
{
    bool admin = session_may(q, ROLE_ADMIN);
    struct campaign_list l;
    struct page p;

    if (campaign_list(q->arena, q->store, &l, e) != OK || only_own(q, &l, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_CAMPAIGNS));
    if (l.n)
        list_table(&p, &l);
    else
        widget_empty(&p, PHRASE_NO_CAMPAIGNS);
    if (admin) {
        html_open(&p.h, "p", NULL);
        widget_go(&p, "filled", "/new-campaign", PHRASE_CAMPAIGN_NEW);
    }
    return page_close(&p);
}

/* ---- what can be done to it ---- */

enum status page_campaign_done(struct request *q, struct response *r, const struct campaign *c,
                               const char *tab, const char *what, const char *detail, struct err *e)
{
    if (account_audit(q, what, c->name, detail, e) != OK)
        return e->code;
    return response_done(r, campaign_frame_below(q, c, tab));
}

/* Ask before a campaign is unmasked, which cannot be undone, or closed, which sends raters away. */
enum status page_campaign_sure(struct request *q, struct response *r, struct err *e)
{
    bool unmask = str_is(request_query(q, "to"), campaign_state_name(CAMPAIGN_UNMASKED));
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    return widget_sure(
        q, r,
        &(struct widget_sure){
            .title = words_with(q->arena, q->language,
                                unmask ? PHRASE_SURE_UNMASK : PHRASE_SURE_CLOSE, c.name),
            .sentence = unmask ? PHRASE_UNMASK_LEAD : PHRASE_CLOSE_LEAD,
            .action = campaign_frame_path(q, &c, "/state"),
            .label = unmask ? PHRASE_UNMASK_IT : PHRASE_CLOSE_IT,
            .name = "to",
            .value = campaign_state_name(unmask ? CAMPAIGN_UNMASKED : CAMPAIGN_CLOSED),
            .back = campaign_frame_below(q, &c, "")});
}

enum status page_campaign_to(struct request *q, struct response *r, struct campaign *c,
                             struct str name, bool *turned, struct err *e)
{
    static const enum campaign_state states[] = {CAMPAIGN_OPEN, CAMPAIGN_CLOSED, CAMPAIGN_UNMASKED};
    struct score_list rows;
    size_t i = 0;

    *turned = false;
    while (i < COUNT(states) && !str_is(name, campaign_state_name(states[i])))
        i++;
    if (i == COUNT(states))
        return err_set(e, E_INPUT, "state: open, closed or unmasked");
    if (states[i] == CAMPAIGN_UNMASKED &&
        !page_me_is_confirmed(q, r, campaign_frame_below(q, c, "")))
        return OK;
    if (store_atomically(
            q->store, e,
            campaign_turn(q->store, c, states[i], e) == OK
                ? account_audit(q, "campaign.state", c->name, campaign_state_name(states[i]), e)
                : e->code) != OK)
        return e->code;
    *turned = true;
    if (states[i] == CAMPAIGN_CLOSED)
        return outcome_refresh(q->arena, q->store, c, &rows, e);
    return states[i] == CAMPAIGN_UNMASKED ? values_refresh(q->store, &c->run, e) : OK;
}

enum status page_campaign_turn(struct request *q, struct response *r, struct err *e)
{
    struct campaign c;
    bool turned;

    if (page_campaign_of(q, &c, e) != OK ||
        page_campaign_to(q, r, &c, request_form(q, "to"), &turned, e) != OK)
        return e->code;
    return turned ? response_done(r, campaign_frame_below(q, &c, "")) : OK;
}

/* Leads back to the tab whose button was pressed. */
enum status page_campaign_compute(struct request *q, struct response *r, struct err *e)
{
    static const char *const tabs[] = {"/raters", "/results"};
    const char *tab = "";
    struct score_list rows;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || outcome_refresh(q->arena, q->store, &c, &rows, e) != OK)
        return e->code;
    for (size_t i = 0; i < COUNT(tabs); i++)
        if (str_is(request_form(q, "tab"), tabs[i]))
            tab = tabs[i];
    return response_redirect(r, campaign_frame_below(q, &c, tab));
}

/* The reason is stored with the rater, to be deleted with them; the log is append-only. */
enum status page_campaign_exclude(struct request *q, struct response *r, struct err *e)
{
    struct str why = request_form(q, "why"), name = request_param(q, "rater");
    struct rater rater;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    return store_atomically(
        q->store, e,
        rater_exclude(q->store, &c, name.p, q->session->name, why.p ? why.p : "", e) == OK &&
                rater_named(q->arena, q->store, &c, name.p, &rater, e) == OK
            ? page_campaign_done(q, r, &c, "/raters", "campaign.exclude",
                                 rater_logged(q->arena, &rater), e)
            : e->code);
}

/* Deletes what the rater said too, even after the campaign was unmasked: it is theirs. */
enum status page_campaign_erase(struct request *q, struct response *r, struct err *e)
{
    struct str name = request_param(q, "rater");
    struct rater rater;
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK ||
        rater_named(q->arena, q->store, &c, name.p, &rater, e) != OK)
        return e->code;
    if (!page_me_is_confirmed(q, r, campaign_frame_below(q, &c, "")))
        return OK;
    return store_atomically(
        q->store, e,
        erase_rater(q->store, &rater, true, e) == OK &&
                rater_get(q->arena, q->store, rater.id, &rater, e) == OK
            ? page_campaign_done(q, r, &c, "/raters", "campaign.erase", rater.pseudonym, e)
            : e->code);
}

/* ---- what was done ---- */

enum status page_campaign_log(struct request *q, struct response *r, struct err *e)
{
    struct audit_wanted w = {.before = request_int(request_query(q, "before"), 0),
                             .n = LOG_ROWS,
                             .who = "",
                             .what = "campaign."};
    struct audit_list log;
    struct campaign c;
    struct page p;

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    w.subject = c.name;
    if (store_audit_find(q->arena, q->store, &w, &log, e) != OK)
        return e->code;
    campaign_frame_open(&p, q, r, &c, TAB_LOG);
    if (log.n)
        audit_words_table(&p, &log,
                          log.n == LOG_ROWS ? campaign_frame_path(q, &c, "/log?before=%lld",
                                                                  (long long)log.v[log.n - 1].id)
                                            : NULL);
    else
        widget_empty(&p, PHRASE_AUDIT_NONE);
    return page_close(&p);
}
