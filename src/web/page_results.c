/* What a campaign found: stored rows, shown; and exports, streamed. */
#include <math.h>

#include "eval/score.h"
#include "panel/export.h"
#include "panel/outcome.h"
#include "web/account.h"
#include "web/page.h"
#include "web/page_campaign.h"

static enum status load(struct request *q, struct campaign *c, struct err *e)
{
    return campaign_get(q->arena, q->store, request_param(q, "name").p, c, e);
}

/* "system/steady" without its kind, under the name that may be shown. */
static const char *shown_subject(struct request *q, const struct campaign *c, const char *subject)
{
    const char *name = strchr(subject, '/');

    if (!name)
        return subject;
    return str_starts(str_of(subject), STR("system/")) ? export_system(q->arena, c, name + 1)
                                                       : name + 1;
}

static void row(struct page *p, const struct campaign *c, const struct score_row *s)
{
    html_open(&p->h, "tr", NULL);
    html_open(&p->h, "th", "scope", "row");
    html_text(&p->h, shown_subject(p->q, c, s->subject));
    html_close(&p->h);
    page_cell(p, s->metric);
    if (isfinite(s->value))
        page_cell_fmt(p, "%.4g", s->value);
    else
        page_cell(p, "");
    if (isfinite(s->lo))
        page_cell_fmt(p, "%.3g – %.3g", s->lo, s->hi);
    else
        page_cell(p, "");
    page_cell_fmt(p, "%lld", (long long)s->n);
    page_cell(p, s->method);
    html_close(&p->h);
}

/* The rows of one kind of subject. */
static void part(struct page *p, const struct campaign *c, const struct score_list *l,
                 const char *kind, enum phrase title)
{
    const enum phrase heads[] = {title,           PHRASE_METRIC,  PHRASE_VALUE,
                                 PHRASE_INTERVAL, PHRASE_ANSWERS, PHRASE_METHOD};
    bool any = false;

    for (size_t i = 0; i < l->n; i++) {
        if (!str_starts(str_of(l->v[i].subject), str_of(kind)))
            continue;
        if (!any) {
            page_say(p, "h2", NULL, title);
            page_table(p, heads, COUNT(heads));
        }
        any = true;
        row(p, c, &l->v[i]);
    }
    if (any)
        page_table_end(p);
}

static void exports(struct page *p, const struct campaign *c)
{
    static const char *const files[] = {"ratings.csv", "ratings.jsonl", "codebook.md"};

    page_say(p, "h2", NULL, PHRASE_EXPORTS);
    html_open(&p->h, "ul", NULL);
    for (size_t i = 0; i < COUNT(files); i++) {
        html_open(&p->h, "li", NULL);
        page_link(p, arena_printf(p->q->arena, "/campaigns/%s/%s", c->name, files[i]), files[i]);
        html_close(&p->h);
    }
    html_close(&p->h);
}

enum status page_campaign_results(struct request *q, struct response *r, struct err *e)
{
    struct score_list rows;
    struct campaign c;
    struct page p;

    if (load(q, &c, e) != OK || outcome_stored(q->arena, q->store, &c, &rows, e) != OK)
        return e->code;
    page_open(&p, q, r, phrase_of(q->language, PHRASE_RESULTS));
    page_say(&p, "p", NULL, PHRASE_RESULTS_LEAD);
    if (c.state != CAMPAIGN_UNMASKED)
        page_say(&p, "p", "notice", PHRASE_RESULTS_MASKED);
    page_form(&p, arena_printf(q->arena, "/campaigns/%s/compute", c.name));
    page_button(&p, PHRASE_COMPUTE, NULL, NULL);
    html_close(&p.h);
    part(&p, &c, &rows, "system/", PHRASE_SYSTEM);
    part(&p, &c, &rows, "dimension/", PHRASE_AGREEMENT);
    part(&p, &c, &rows, "campaign", PHRASE_CAMPAIGN);
    exports(&p, &c);
    page_close(&p);
    return OK;
}

/* ---- exports ---- */

struct exporting {
    struct campaign c;
    enum export_form form;
};

static enum status pass_on(void *user, struct str bytes, struct err *e)
{
    return stream_write(user, bytes, e);
}

static enum status produce(struct stream *out, struct store *store, void *user, struct err *e)
{
    struct exporting *x = user;

    return export_ratings(store, &x->c, x->form, pass_on, out, e);
}

static enum status export_file(struct request *q, struct response *r, enum export_form form,
                               struct err *e)
{
    struct exporting *x = NEW(q->arena, struct exporting);
    const char *file = form == EXPORT_CSV ? "ratings.csv" : "ratings.jsonl";

    if (site_throttle(q, r, THROTTLE_EXPORT, str_of(q->session->token)))
        return OK;
    if (load(q, &x->c, e) != OK || account_audit(q, "campaign.export", x->c.name, file, e) != OK)
        return e->code;
    x->form = form;
    response_header(r, "Content-Disposition",
                    arena_printf(q->arena, "attachment; filename=\"%s-%s\"", x->c.name, file));
    response_stream(r, form == EXPORT_CSV ? "text/csv; charset=utf-8" : "application/x-ndjson",
                    produce, x);
    return OK;
}

enum status page_campaign_csv(struct request *q, struct response *r, struct err *e)
{
    return export_file(q, r, EXPORT_CSV, e);
}

enum status page_campaign_jsonl(struct request *q, struct response *r, struct err *e)
{
    return export_file(q, r, EXPORT_JSONL, e);
}

enum status page_campaign_codebook(struct request *q, struct response *r, struct err *e)
{
    struct campaign c;

    if (load(q, &c, e) != OK)
        return e->code;
    r->type = "text/markdown; charset=utf-8";
    buf_add(&r->body, export_codebook(q->arena, &c));
    return OK;
}
