/* The API for programs: JSON under /api/v1.
 *
 * share/web/openapi.json describes it; the server serves that file, and a test compares the two.
 * Clients use an API token of an account (session.h) or a session, with the same roles. */
#include "base/asset.h"
#include "base/clock.h"
#include "exchange/exchange.h"
#include "report/campaign_table.h"
#include "report/remark.h"
#include "report/report.h"
#include "web/account.h"
#include "web/page.h"
#include "web/page_campaign.h"
#include "web/pages.h"

enum { SAMPLES = 300, RATERS = 500 };

enum status page_api_description(struct request *q, struct response *r, struct err *e)
{
    (void)q;
    (void)e;
    r->type = "application/json";
    r->fixed = asset_find("share/web/openapi.json")->bytes;
    return OK;
}

static enum status body_of(struct request *q, json_t **out, struct err *e)
{
    if (json_read(q->body, out, e) != OK)
        return err_set(e, E_INPUT, "the body is not JSON");
    return json_is_object(*out) ? OK : err_set(e, E_INPUT, "the body must be a JSON object");
}

/* ---- runs ---- */

static json_t *run_json(const struct run_row *run, const struct run_counts *c)
{
    char made[CLOCK_TEXT];
    json_t *j;

    clock_text(run->created_ms, made);
    j = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "run", run->name, "suite", run->suite,
                  "created", made, "samples_done", (json_int_t)c->samples.by[STATE_DONE], "samples",
                  (json_int_t)c->samples.total, "verdicts_done",
                  (json_int_t)c->verdicts.by[STATE_DONE], "verdicts",
                  (json_int_t)c->verdicts.total);
    remark_json(j, run);
    return j;
}

enum status page_api_runs(struct request *q, struct response *r, struct err *e)
{
    struct run_counts *counts;
    struct run_list runs;
    json_t *list;

    if (store_run_list(q->arena, q->store, &runs, e) != OK)
        return e->code;
    counts = NEW_N(q->arena, struct run_counts, runs.n + 1);
    if (store_run_counts(q->store, runs.v, runs.n, NULL, counts, e) != OK)
        return e->code;
    list = json_array();
    for (size_t i = 0; i < runs.n; i++)
        (void)json_array_append_new(list, run_json(&runs.v[i], &counts[i]));
    return response_json(r, json_pack("{s:o}", "runs", list));
}

/* The report, as `audition report -o FILE.json` writes it. */
enum status page_api_run(struct request *q, struct response *r, struct err *e)
{
    struct report_take take = {.samples = SAMPLES};
    struct report report;
    struct run_row run;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK ||
        report_build(q->arena, q->store, &run, take, &report, e) != OK)
        return e->code;
    r->type = "application/json";
    render_json(&report, &r->body);
    return OK;
}

/* An export of a run, which is streamed while it is read. */
struct lines {
    struct run_row run;
    enum exchange_what what;
};

static ssize_t pass_on(void *user, const char *bytes, size_t n)
{
    struct err e;

    return stream_write(user, (struct str){bytes, n}, &e) == OK ? (ssize_t)n : 0;
}

static enum status produce(struct stream *out, struct store *store, void *user, struct err *e)
{
    const cookie_io_functions_t how = {.write = pass_on};
    const struct lines *x = user;
    FILE *to = fopencookie(out, "w", how);
    enum status st;

    if (!to)
        return err_set(e, E_SYSTEM, "out of memory for an export; try again");
    st = exchange_export(store, &x->run, x->what, to, e);
    if (fclose(to) != 0 && st == OK)
        st = err_set(e, E_STOP, "the reader has gone");
    return st;
}

enum status page_api_lines(struct request *q, struct response *r, struct err *e)
{
    struct lines *x = NEW(q->arena, struct lines);

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &x->run, e) != OK)
        return e->code;
    if (site_throttle(q, r, THROTTLE_EXPORT, str_of(q->session->name)))
        return OK;
    if (account_audit(q, "run.export", x->run.name, "", e) != OK)
        return e->code;
    x->what = str_ends(q->path, STR("/samples")) ? EXCHANGE_SAMPLES : EXCHANGE_VERDICTS;
    response_stream(r, "application/x-ndjson", produce, x);
    return OK;
}

/* ---- campaigns ---- */

enum status page_api_campaigns(struct request *q, struct response *r, struct err *e)
{
    struct campaign_list l;
    json_t *j;

    if (campaign_list(q->arena, q->store, &l, e) != OK)
        return e->code;
    j = json_object();
    table_json(campaign_table_list(q->arena, &l), json_put_list(j, "campaigns"));
    return response_json(r, j);
}

enum status page_api_new(struct request *q, struct response *r, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct campaign c = {0};
    const char *faults = NULL, *run;

    if (body_of(q, &j, e) != OK)
        return e->code;
    run = arena_text(q->arena, json_str_at(j, "run", STR("latest")));
    if (page_campaign_make(q, run, json_str_at(j, "file", STR("")), &c, &faults, e) != OK)
        return e->code;
    if (faults) {
        r->status = 422;
        return response_json(r, json_pack("{s:i, s:s}", "status", 422, "error", faults));
    }
    r->status = 201;
    return response_json(
        r, json_pack("{s:s, s:s}", "campaign", c.name, "state", campaign_state_name(c.state)));
}

/* Includes a page of its raters: those after the id in ?after=. */
enum status page_api_campaign(struct request *q, struct response *r, struct err *e)
{
    struct coverage_list cover;
    struct practice_list practice;
    struct rater_list raters;
    struct score_list rows;
    struct campaign c;
    struct campaign_view v = {&c, &rows, &cover, &raters, &practice};

    if (page_campaign_of(q, &c, e) != OK ||
        campaign_coverage(q->arena, q->store, &c, &cover, e) != OK ||
        rater_page(q->arena, q->store, c.id, request_int(request_query(q, "after"), 0), RATERS,
                   &raters, e) != OK ||
        practice_list(q->arena, q->store, c.id, &practice, e) != OK ||
        outcome_stored(q->arena, q->store, &c, &rows, e) != OK)
        return e->code;
    return response_json(r, campaign_table_state_json(q->arena, &v));
}

enum status page_api_results(struct request *q, struct response *r, struct err *e)
{
    struct coverage_list cover;
    struct score_list rows;
    struct campaign c;
    struct campaign_view v = {.campaign = &c, .rows = &rows, .coverage = &cover};

    if (page_campaign_of(q, &c, e) != OK ||
        outcome_stored(q->arena, q->store, &c, &rows, e) != OK ||
        campaign_coverage(q->arena, q->store, &c, &cover, e) != OK)
        return e->code;
    return response_json(r, campaign_table_json(q->arena, &v));
}

enum status page_api_state(struct request *q, struct response *r, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct campaign c;
    struct str to;
    bool turned;

    if (body_of(q, &j, e) != OK || page_campaign_of(q, &c, e) != OK)
        return e->code;
    to = json_str_at(j, "state", STR(""));
    if (page_campaign_to(q, r, &c, to, &turned, e) != OK || !turned)
        return e->code;
    return response_json(r, json_pack("{s:s, s:s%}", "campaign", c.name, "state", to.p, to.n));
}

enum status page_api_invite(struct request *q, struct response *r, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    const char *notes[PAGE_INVITES_MAX], *links[PAGE_INVITES_MAX], *label;
    struct campaign c;
    int64_t n, days;
    json_t *list;

    if (body_of(q, &j, e) != OK || page_campaign_of(q, &c, e) != OK)
        return e->code;
    n = json_int_at(j, "count", 1);
    days = json_int_at(j, "days", 14);
    label = arena_text(q->arena, json_str_at(j, "label", STR("")));
    if (n < 1 || n > PAGE_INVITES_MAX || days < 1 || days > PAGE_INVITE_DAYS_MAX)
        return err_set(e, E_INPUT, "count: 1 to %d; days: 1 to %d", PAGE_INVITES_MAX,
                       PAGE_INVITE_DAYS_MAX);
    for (int64_t i = 0; i < n; i++)
        notes[i] = label;
    if (page_campaign_add_invites(q, &c, notes, links, (size_t)n, days, e) != OK)
        return e->code;
    list = json_array();
    for (int64_t i = 0; i < n; i++)
        (void)json_array_append_new(list, json_string(links[i]));
    r->status = 201;
    return response_json(r, json_pack("{s:o}", "links", list));
}
