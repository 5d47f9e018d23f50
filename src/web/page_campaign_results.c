/* What a campaign found: stored rows, shown; and exports, streamed. */
#include <math.h>

#include "eval/score.h"
#include "panel/export.h"
#include "panel/outcome.h"
#include "report/chart.h"
#include "report/noise_table.h"
#include "web/account.h"
#include "web/page.h"
#include "web/page_campaign.h"

/* ---- systems ---- */

static const struct score_row *find(const struct score_list *l, struct page *p, const char *system,
                                    const char *metric, const char *dimension)
{
    struct arena *a = p->q->arena;

    return score_find(l, arena_printf(a, "system/%s", system),
                      *dimension ? arena_printf(a, "%s:%s", metric, dimension) : metric);
}

/* Without the sign of what rounds to nothing. */
static double shown(double v)
{
    return fabs(v) < 0.005 ? 0 : v;
}

static void cell(struct page *p, const struct score_row *r)
{
    if (!r || !isfinite(r->value))
        page_cell(p, "");
    else if (isfinite(r->lo))
        page_cell_fmt(p, "%.2f [%.2f, %.2f]", shown(r->value), shown(r->lo), shown(r->hi));
    else
        page_cell_fmt(p, "%.2f", shown(r->value));
}

/* A sum or a count, with the decimals that it has. */
static void cell_sum(struct page *p, const struct score_row *r)
{
    if (!r || !isfinite(r->value))
        page_cell(p, "");
    else
        page_cell_fmt(p, "%.10g", r->value);
}

static void system_row(struct page *p, const struct campaign *c, const struct score_list *l,
                       const char *system, const char *dimension)
{
    static const struct {
        const char *metric;
        void (*show)(struct page *, const struct score_row *);
    } columns[] = {{"total", cell_sum}, {"mean", cell},     {"above", cell_sum},
                   {"all:mean", cell},  {"adjusted", cell}, {"ppi", cell}};

    page_row(p);
    page_row_head(p);
    html_text(&p->h, export_system(p->q->arena, c, system));
    html_close(&p->h);
    for (size_t i = 0; i < COUNT(columns); i++)
        columns[i].show(p, find(l, p, system, columns[i].metric, dimension));
    html_close(&p->h);
}

/* The systems, best first, with one metric of each as a point with its whiskers. */
static struct chart_row *chart_of(struct page *p, const struct campaign *c,
                                  const struct score_list *l, const struct outcome_order *o,
                                  const char *metric, const char *dimension)
{
    struct chart_row *rows = NEW_N(p->q->arena, struct chart_row, o->n + 1);

    for (size_t i = 0; i < o->n; i++)
        rows[i] = (struct chart_row){export_system(p->q->arena, c, o->v[i]),
                                     find(l, p, o->v[i], metric, dimension), NULL};
    return rows;
}

static void dimension_part(struct page *p, const struct campaign *c, const struct score_list *l,
                           const struct dimension *d)
{
    static const enum word heads[] = {PHRASE_SYSTEM,      PHRASE_TOTAL,    PHRASE_MEAN,
                                      PHRASE_BETTER_THAN, PHRASE_EVERYONE, PHRASE_ADJUSTED,
                                      PHRASE_WITH_JUDGES};
    struct outcome_order o = outcome_order(
        p->q->arena, c, l, arena_printf(p->q->arena, "mean:%s", d->id), d->lower_is_better);
    struct noise noise;
    const char *sentence;

    html_open(&p->h, "h2", NULL);
    html_foreign(&p->h, c->suite.language, d->title);
    html_close(&p->h);
    chart_rows(&p->h, &(struct chart_rows){.v = chart_of(p, c, l, &o, "mean", d->id),
                                           .n = o.n,
                                           .range = {d->min, d->max},
                                           .decimals = 2,
                                           .label = page_phrase(p, PHRASE_MEAN)});
    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < o.n; i++)
        system_row(p, c, l, o.v[i], d->id);
    page_table_end(p);
    noise = noise_of(p->q->arena, l, arena_printf(p->q->arena, "dimension/%s", d->id));
    sentence = noise_table_line(p->q->arena, &noise, true, p->q->language);
    if (sentence) {
        html_element(&p->h, "p", "meta", sentence);
        html_element(&p->h, "p", "meta", words_of(p->q->language, WORD_READ_NOISE_PEOPLE));
    }
}

static void pair_part(struct page *p, const struct campaign *c, const struct score_list *l)
{
    static const enum word heads[] = {PHRASE_SYSTEM, PHRASE_RATING_NUMBER, PHRASE_BATTLES};
    struct outcome_order o = outcome_order(p->q->arena, c, l, "rating", false);

    chart_rows(&p->h, &(struct chart_rows){.v = chart_of(p, c, l, &o, "rating", ""),
                                           .n = o.n,
                                           .label = page_phrase(p, PHRASE_RATING_NUMBER)});
    page_table(p, heads, COUNT(heads));
    for (size_t i = 0; i < o.n; i++) {
        const struct score_row *r = find(l, p, o.v[i], "rating", "");
        page_row(p);
        page_row_head(p);
        html_text(&p->h, export_system(p->q->arena, c, o.v[i]));
        html_close(&p->h);
        cell(p, r);
        page_cell_fmt(p, "%lld", r ? (long long)r->n : 0);
        html_close(&p->h);
    }
    page_table_end(p);
}

/* ---- agreement ---- */

/* What people call a measure. */
static const char *measure_name(const struct page *p, const char *metric)
{
    static const struct {
        const char *metric, *name; /* the same in every language */
        enum word phrase;          /* or not, or of whom it is */
    } measures[] = {
        {"alpha", "Krippendorff α", WORDS},
        {"fleiss", "Fleiss κ", WORDS},
        {"ac1", "Gwet AC1", WORDS},
        {"agreement", NULL, PHRASE_SAME_MARK},
        {"ai:alpha", "Krippendorff α", PHRASE_PEOPLE_AND_JUDGES},
        {"ai:spearman", "Spearman ρ", PHRASE_PEOPLE_AND_JUDGES},
        {"ai:tau", "Kendall τ", PHRASE_PEOPLE_AND_JUDGES},
        {"ai:bias", NULL, PHRASE_JUDGES_BIAS},
    };

    for (size_t i = 0; i < COUNT(measures); i++) {
        const char *of = measures[i].phrase == WORDS ? NULL : page_phrase(p, measures[i].phrase);
        if (strcmp(metric, measures[i].metric) == 0)
            return !of                ? measures[i].name
                   : measures[i].name ? arena_printf(p->q->arena, "%s: %s", of, measures[i].name)
                                      : of;
    }
    if (str_starts(str_of(metric), STR("icc:")))
        return arena_printf(p->q->arena, "ICC(%s)", metric + strlen("icc:"));
    return metric;
}

/* Which dimension it is; how many there are: none of them, as in a campaign of pairs. */
static size_t dimension_at(const struct instrument *in, struct str id)
{
    size_t i = 0;

    while (i < in->ndimensions && !str_is(id, in->dimensions[i].id))
        i++;
    return i;
}

/* A dimension's own title. */
static void dimension_cell(struct page *p, const struct campaign *c, const char *id)
{
    const struct instrument *in = &c->suite.instrument;
    size_t at = dimension_at(in, str_of(id));

    page_cell_open(p, NULL);
    html_foreign(&p->h, c->suite.language,
                 at < in->ndimensions ? in->dimensions[at].title : str_of(id));
    html_close(&p->h);
}

static void agreement_row(struct page *p, const struct campaign *c, const struct score_row *r)
{
    page_row(p);
    page_row_head(p);
    html_text(&p->h, measure_name(p, r->metric));
    html_close(&p->h);
    dimension_cell(p, c, r->subject + strlen("dimension/"));
    cell(p, r);
    page_cell_open(p, NULL);
    html_foreign(&p->h, "en", str_of(r->method));
    html_close(&p->h);
    html_close(&p->h);
}

/* Measures of one dimension after the other, each with its interval and where it comes from. */
static bool is_noise(const struct score_row *r)
{
    return str_starts(str_of(r->metric), STR("noise:")) ||
           str_starts(str_of(r->metric), STR("variance:"));
}

static void agreement_part(struct page *p, const struct campaign *c, const struct score_list *l)
{
    static const enum word heads[] = {PHRASE_METRIC, PHRASE_DIMENSION, PHRASE_VALUE, PHRASE_METHOD};
    const struct instrument *in = &c->suite.instrument;
    bool any = false;

    for (size_t d = 0; d <= in->ndimensions; d++)
        for (size_t i = 0; i < l->n; i++) {
            const char *subject = l->v[i].subject;
            if (!str_starts(str_of(subject), STR("dimension/")) ||
                dimension_at(in, str_of(subject + strlen("dimension/"))) != d || is_noise(&l->v[i]))
                continue;
            if (!any) {
                page_say(p, "h2", NULL, PHRASE_AGREEMENT);
                page_say(p, "p", NULL, PHRASE_AGREEMENT_LEAD);
                page_table(p, heads, COUNT(heads));
            }
            any = true;
            agreement_row(p, c, &l->v[i]);
        }
    if (any)
        page_table_end(p);
}

/* ---- severity ---- */

static void severity_row(struct page *p, const struct campaign *c, const struct score_list *l,
                         const char *subject)
{
    const struct instrument *in = &c->suite.instrument;

    page_row(p);
    page_row_head(p);
    html_text(&p->h, subject + strlen("rater/"));
    html_close(&p->h);
    for (size_t d = 0; d < in->ndimensions; d++) {
        const struct score_row *r =
            score_find(l, subject, arena_printf(p->q->arena, "severity:%s", in->dimensions[d].id));
        if (r && isfinite(r->value))
            page_cell_fmt(p, fabs(r->value) < 0.005 ? "0.00" : "%+.2f", r->value);
        else
            page_cell(p, "");
    }
    html_close(&p->h);
}

/* A line for each rater, a column for each dimension. */
static void severity_part(struct page *p, const struct campaign *c, const struct score_list *l)
{
    const struct instrument *in = &c->suite.instrument;
    const char **heads = NEW_N(p->q->arena, const char *, in->ndimensions + 1), *last = NULL;

    heads[0] = page_phrase(p, PHRASE_RATER);
    for (size_t d = 0; d < in->ndimensions; d++)
        heads[d + 1] = arena_text(p->q->arena, in->dimensions[d].title);
    for (size_t i = 0; i < l->n; i++) {
        const char *subject = l->v[i].subject;
        if (!str_starts(str_of(l->v[i].metric), STR("severity:")) ||
            (last && strcmp(last, subject) == 0))
            continue;
        if (!last) {
            page_say(p, "h2", NULL, PHRASE_SEVERITY);
            page_say(p, "p", NULL, PHRASE_SEVERITY_LEAD);
            page_table_named(p, heads, in->ndimensions + 1);
        }
        last = subject;
        severity_row(p, c, l, subject);
    }
    if (last)
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

static bool any_system(const struct score_list *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (str_starts(str_of(rows->v[i].subject), STR("system/")))
            return true;
    return false;
}

static void found_part(struct page *p, const struct campaign *c, const struct score_list *rows)
{
    const struct instrument *in = &c->suite.instrument;

    if (!any_system(rows)) {
        page_say(p, "p", NULL, PHRASE_NOT_COMPUTED);
        return;
    }
    if (in->kind == INSTRUMENT_PAIR)
        pair_part(p, c, rows);
    else
        for (size_t i = 0; i < in->ndimensions; i++)
            dimension_part(p, c, rows, &in->dimensions[i]);
    agreement_part(p, c, rows);
    severity_part(p, c, rows);
}

enum status page_campaign_results(struct request *q, struct response *r, struct err *e)
{
    struct score_list rows;
    struct campaign c;
    struct page p;

    if (page_campaign_of(q, &c, e) != OK || outcome_stored(q->arena, q->store, &c, &rows, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_RESULTS));
    html_open(&p.h, "p", "class", "lead");
    page_link(&p, arena_printf(q->arena, "/campaigns/%s", c.name),
              arena_text(q->arena, spec_wording(&c.spec.title, q->language)));
    html_close(&p.h);
    page_say(&p, "p", NULL, PHRASE_RESULTS_LEAD);
    if (c.state != CAMPAIGN_UNMASKED)
        page_say(&p, "p", "notice", PHRASE_RESULTS_MASKED);
    page_form(&p, arena_printf(q->arena, "/campaigns/%s/compute", c.name));
    page_button(&p, PHRASE_COMPUTE, NULL, NULL);
    html_close(&p.h);
    found_part(&p, &c, &rows);
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

    if (page_campaign_of(q, &x->c, e) != OK)
        return e->code;
    if (site_throttle(q, r, THROTTLE_EXPORT, str_of(q->session->name)))
        return OK;
    if (account_audit(q, "campaign.export", x->c.name, file, e) != OK)
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

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    r->type = "text/markdown; charset=utf-8";
    buf_add(&r->body, export_codebook(q->arena, &c));
    return OK;
}
