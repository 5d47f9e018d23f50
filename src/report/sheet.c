#include "report/sheet.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/version.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/render_compare.h"
#include "report/report.h"
#include "report/show.h"
#include "report/tables.h"
#include "store/store_explore.h"
#include "text/rune.h"

enum { RUNS = 200 };

static void add(struct sheet *x, const char *id, const char *title, struct table *t)
{
    if (t && t->nrows && x->nparts < SHEET_PARTS)
        x->parts[x->nparts++] = (struct sheet_part){id, title, t};
}

static struct sheet begin(struct arena *a, const char *kind, const char *id, const char *language)
{
    return (struct sheet){
        .a = a, .language = language, .kind = kind, .id = id, .title = id, .lead = ""};
}

/* The runs behind the numbers; comes last. */
static void add_sources(struct sheet *x)
{
    if (x->nsources)
        add(x, "provenance", words_of(x->language, PROVENANCE),
            tables_sources(x->a, x->sources, x->nsources, x->language));
}

static enum status source(struct store *s, struct sheet *x, struct run_row run, struct err *e)
{
    run.stale = false; /* show what is stored: a report writes nothing */
    if (report_build(x->a, s, &run, (struct report_take){0}, &x->sources[x->nsources], e) != OK)
        return e->code;
    x->nsources++;
    return OK;
}

/* ---- a model ---- */

static struct table *history(struct arena *a, const struct explore_parts *l, const char *language)
{
    struct table *t = table_new(a, language, l->n);
    struct table_cell *run = table_add(t, .key = "run", .word = WORD_RUN, .kind = TABLE_LINK);
    struct table_cell *suite = table_add(t, .key = "suite", .word = PHRASE_SUITE);
    struct table_cell *when = table_add(t, .key = "created", .word = PHRASE_CREATED);
    struct table_cell *score =
        table_add(t, .key = "score", .word = SEE_VALUE, .kind = TABLE_INTERVAL, .look = TABLE_SPLIT,
                  .decimals = 2);
    struct table_cell *n = table_add(t, .key = "n", .word = WORD_ANSWERS, .kind = TABLE_COUNT);
    struct table_cell *judges = table_add(t, .key = "judges", .word = WORD_JUDGES);

    for (size_t i = 0; i < l->n; i++) {
        char at[CLOCK_TEXT];
        clock_text(l->v[i].created_ms, at);
        run[i] = table_text(l->v[i].name);
        suite[i] = table_text(l->v[i].suite);
        when[i] = table_text(arena_printf(a, "%.10s", at));
        score[i] = table_between(l->v[i].value, l->v[i].lo, l->v[i].hi);
        score[i].n = l->v[i].n;
        score[i].why = l->v[i].why && l->v[i].why[0] ? l->v[i].why : NULL;
        n[i] = table_count(l->v[i].n);
        judges[i] = table_text(l->v[i].judges);
    }
    return t;
}

/* Adds the model's dimensions in the newest run of a suite. */
static enum status newest(struct store *s, struct sheet *x, const struct explore_part *part,
                          struct err *e)
{
    const char *title = *part->title ? part->title : part->suite;
    struct table_cell *names, *marks;
    const struct report *r = &x->sources[x->nsources];
    struct run_row run;
    struct table *t;
    const struct report_model *m;

    if (store_run_by_id(x->a, s, part->run, &run, e) != OK || source(s, x, run, e) != OK)
        return e->code;
    m = report_model_named(r, x->id);
    if (!m || show_pair(r) || r->jury.masked)
        return OK;
    t = table_new(x->a, x->language, r->suite.instrument.ndimensions);
    names = table_add(t, .key = "dimension", .word = WORD_DIMENSIONS, .kind = TABLE_LINK);
    marks = table_add(t, .key = "mark", .word = CHART_MARKS, .kind = TABLE_INTERVAL,
                      .look = TABLE_SPLIT, .decimals = 2);
    for (size_t d = 0; d < t->nrows; d++) {
        names[d] = table_text(arena_text(x->a, r->suite.instrument.dimensions[d].title));
        marks[d] = table_score(m->marks[d]);
    }
    add(x, part->suite, arena_printf(x->a, "%s · %s", title, part->name), t);
    return OK;
}

static bool seen(const struct explore_parts *l, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(l->v[k].suite, l->v[i].suite) == 0)
            return true;
    return false;
}

enum status sheet_model(struct arena *a, struct store *s, const char *name, const char *language,
                        struct sheet *out, struct err *e)
{
    struct explore_parts l;
    size_t suites = 0;

    *out = begin(a, "model", name, language);
    if (store_runs_of(a, s, PARTY_MODEL, name, RUNS, &l, e) != OK)
        return e->code;
    if (!l.n)
        return err_set(e, E_ABSENT, "there is no model %s in any run", name);
    out->lead = words_of(language, SHEET_MODEL);
    add(out, "history", words_of(language, SEE_HISTORY), history(a, &l, language));
    for (size_t i = 0; i < l.n && suites < SHEET_SOURCES; i++) {
        if (seen(&l, i))
            continue;
        suites++;
        if (newest(s, out, &l.v[i], e) != OK)
            return e->code;
    }
    add_sources(out);
    return OK;
}

/* ---- two runs ---- */

enum status sheet_compare(struct arena *a, struct store *s, const struct compare *c,
                          const char *language, struct sheet *out, struct err *e)
{
    *out = begin(a, "compare", arena_printf(a, "%s:%s", c->run.name, c->baseline.name), language);
    out->title = c->title;
    out->lead = words_two(a, language, SHEET_COMPARE, c->run.name, c->baseline.name);
    add(out, "models", words_of(language, SEE_MODELS), render_compare_models(a, c));
    if (c->nmodels && c->models[0].marks)
        add(out, "dimensions", words_of(language, WORD_DIMENSIONS),
            render_compare_marks(a, c, NULL));
    for (size_t i = 0; i < 2 * c->nmodels; i++) {
        enum compare_change change = i % 2 ? COMPARE_IMPROVED : COMPARE_REGRESSED;
        struct table *t = render_compare_changed(a, c, &c->models[i / 2], change);
        add(out, arena_printf(a, "%s:%s", c->models[i / 2].name, compare_change_name(change)),
            t->title, t);
    }
    out->note = compare_whose(a, c, language);
    if (source(s, out, c->run, e) != OK || source(s, out, c->baseline, e) != OK)
        return e->code;
    add_sources(out);
    return OK;
}

/* ---- a campaign ---- */

enum status sheet_campaign(struct arena *a, struct store *s, const struct campaign_view *v,
                           const char *language, struct sheet *out, struct err *e)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    bool pairs = in->kind == INSTRUMENT_PAIR;

    *out = begin(a, "campaign", v->campaign->name, language);
    out->lead =
        words_of(language, v->campaign->state == CAMPAIGN_UNMASKED ? SHEET_CAMPAIGN : SHEET_MASKED);
    for (size_t d = 0; d < (pairs ? 1 : in->ndimensions); d++)
        add(out, pairs ? "pairs" : in->dimensions[d].id,
            pairs ? words_of(language, SEE_BATTLES) : arena_text(a, in->dimensions[d].title),
            campaign_table_systems(a, language, v, pairs ? NULL : &in->dimensions[d]));
    add(out, "agreement", words_of(language, PHRASE_AGREEMENT),
        campaign_table_agreement(a, language, v));
    add(out, "severity", words_of(language, SHEET_SEVERITY),
        campaign_table_severity(a, language, v));
    if (source(s, out, v->campaign->run, e) != OK)
        return e->code;
    add_sources(out);
    return OK;
}

/* ---- forms ---- */

static const char *made_by(const struct sheet *x)
{
    return arena_printf(x->a, "audition %s · audition report %s:%s", VERSION, x->kind, x->id);
}

void sheet_html(const struct sheet *x, struct buf *out)
{
    struct html h = {.out = out, .scratch = x->a};

    html_report(&h, x->language, x->title);
    html_element(&h, "p", "lead", x->lead);
    for (size_t i = 0; i < x->nparts; i++) {
        html_open(&h, "section", "class", "block");
        html_element(&h, "h2", NULL, x->parts[i].title);
        html_open(&h, "div", "class", "card flush");
        table_html(x->parts[i].t, &h);
        html_close_n(&h, 2);
    }
    if (x->note)
        html_element(&h, "p", "note", x->note);
    html_element(&h, "p", "meta", made_by(x));
    html_close_n(&h, 3);
    buf_char(out, '\n');
}

void sheet_markdown(const struct sheet *x, struct buf *out)
{
    markdown_fmt(x->a, out, "# %s\n\n%s\n\n", x->title, x->lead);
    for (size_t i = 0; i < x->nparts; i++) {
        markdown_fmt(x->a, out, "## %s\n\n", x->parts[i].title);
        table_markdown(x->parts[i].t, out);
        buf_char(out, '\n');
    }
    if (x->note)
        markdown_fmt(x->a, out, "%s\n\n", x->note);
    markdown_fmt(x->a, out, "%s\n\n", made_by(x));
}

void sheet_csv(const struct sheet *x, struct buf *out)
{
    buf_fmt(out, "%s,part,name,metric,value,lo,hi,n,clusters,method\r\n", x->kind);
    for (size_t i = 0; i < x->nparts; i++) {
        const struct table *t = x->parts[i].t;
        const char *const lead[] = {x->id, x->parts[i].id, NULL};
        table_csv(&t, 1, lead, out);
    }
}

void sheet_json(const struct sheet *x, struct buf *out)
{
    AUTO(json_freep) json_t *root = json_object();
    json_t *parts;

    json_put_text(root, x->kind, x->id);
    json_put_text(root, "title", x->title);
    json_put_text(root, "program", VERSION);
    parts = json_put_object(root, "parts");
    for (size_t i = 0; i < x->nparts; i++)
        table_json(x->parts[i].t, json_put_list(parts, x->parts[i].id));
    buf_fmt(out, "%s\n", json_text(x->a, root));
}

void sheet_terminal(const struct sheet *x, const struct render_terminal *how, struct buf *out)
{
    buf_fmt(out, "%s\n", rune_clean(x->a, str_of(x->title)).p);
    for (size_t i = 0; i < x->nparts; i++) {
        buf_fmt(out, "\n%s\n", rune_clean(x->a, str_of(x->parts[i].title)).p);
        x->parts[i].t->title = NULL;
        (void)table_terminal(x->parts[i].t, how, out);
    }
}
