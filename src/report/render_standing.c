#include <math.h>

#include "report/render_standing.h"
#include "report/tables.h"
#include "text/rune.h"

enum { DECIMALS = 1 };

static struct table_cell place(const struct standing_model *m, size_t suite)
{
    struct table_cell cell = {0};

    if (m->scores[suite]) {
        cell = table_interval(m->places[suite]);
        cell.method = m->scores[suite]->method;
        if (isfinite(cell.lo))
            cell.why = NULL; /* the suite's own board shows the caution */
    }
    return cell;
}

static void add_overall(struct table *t, const struct standing *st)
{
    struct table_cell *cells;

    if (!st->of.overall)
        return;
    cells = table_add(t, .key = "overall", .word = STANDING_OVERALL, .kind = TABLE_INTERVAL,
                      .look = TABLE_PLOT, .decimals = DECIMALS, .range = {0, st->of.scale});
    for (size_t i = 0; i < st->nmodels; i++) {
        const struct standing_model *m = &st->models[i];
        cells[i] = table_interval(m->overall);
        cells[i].method = "combined";
        if (isnan(m->overall.value))
            cells[i] = (struct table_cell){0};
    }
}

static void add_suites(struct table *t, const struct standing *st)
{
    for (size_t s = 0; s < st->nsuites; s++) {
        struct table_cell *cells =
            table_add(t, .key = st->suites[s].suite, .in = "suites", .head = st->suites[s].title,
                      .kind = TABLE_INTERVAL, .look = TABLE_BRIEF, .decimals = DECIMALS,
                      .flags = TABLE_NAMED, .range = {0, st->of.scale});
        for (size_t i = 0; i < st->nmodels; i++)
            cells[i] = place(&st->models[i], s);
    }
}

/* Which runs and juries the numbers come from. */
static void add_sources(struct table *t, const struct standing *st)
{
    for (size_t i = 0; i < st->nsuites; i++) {
        const struct standing_suite *s = &st->suites[i];
        const char *text = words_with(t->a, t->language,
                                      *s->runs ? (*s->judges ? STANDING_SOURCE : STANDING_UNJUDGED)
                                               : STANDING_NO_RUN,
                                      s->title);
        text = words_fill(t->a, text, arena_printf(t->a, "%g", s->weight));
        text = words_fill(t->a, text, s->runs);
        table_note(t, words_fill(t->a, text, s->judges));
    }
    for (size_t i = 0; i < st->nnotes; i++)
        table_note(t, st->notes[i]);
}

/* Language NULL: the board's own. */
static struct table *table_of(struct arena *a, const struct standing *st, const char *language)
{
    struct table *t = table_new(a, language ? language : st->of.language, st->nmodels);
    static const struct table_field name = {
        {.key = "model", .word = WORD_MODEL, .kind = TABLE_TEXT},
        TABLE_OF(struct standing_model, name)};
    static const struct table_field missing = {
        {.key = "missing", .word = STANDING_MISSING, .kind = TABLE_TEXT, .flags = TABLE_SPARSE},
        TABLE_OF(struct standing_model, missing)};

    table_fields(t, &name, 1, st->models, sizeof *st->models);
    add_overall(t, st);
    add_suites(t, st);
    table_fields(t, &missing, 1, st->models, sizeof *st->models);
    table_note(t, words_with(a, t->language, st->of.overall ? STANDING_HOW : STANDING_SCALE,
                             arena_printf(a, "%g", st->of.scale)));
    add_sources(t, st);
    return t;
}

void render_standing_terminal(const struct standing *st, const struct render_terminal *how,
                              struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct table *t = table_of(a, st, NULL);

    buf_fmt(out, "%s\n\n", rune_clean(a, str_of(st->of.title)).p);
    (void)table_terminal(t, how, out);
}

void render_standing_markdown(const struct standing *st, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    buf_fmt(out, "# %s\n\n", rune_clean(a, str_of(st->of.title)).p);
    if (*st->of.description)
        buf_fmt(out, "%s\n\n", rune_clean(a, str_of(st->of.description)).p);
    table_markdown(table_of(a, st, NULL), out);
    buf_fmt(out, "\n## %s\n\n", words_of(st->of.language, PROVENANCE));
    table_markdown(tables_sources(a, st->sources, st->nsources, st->of.language), out);
}

void render_standing_html(const struct standing *st, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct html h = {.out = out, .scratch = a};
    struct table *t = table_of(a, st, NULL);

    html_report(&h, t->language, st->of.title);
    if (*st->of.description)
        html_element(&h, "p", "meta", st->of.description);
    html_open(&h, "section", "id", "board");
    table_html(t, &h);
    html_close(&h);
    html_open(&h, "section", "id", "provenance");
    html_element(&h, "h2", NULL, words_of(t->language, PROVENANCE));
    table_html(tables_sources(a, st->sources, st->nsources, t->language), &h);
    html_close_n(&h, 4);
    buf_char(out, '\n');
}

void render_standing_csv(const struct standing *st, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct table *t = table_of(a, st, "en");
    const char *lead[] = {st->of.id, NULL};

    buf_text(out, "collection,model,metric,value,lo,hi,n,clusters,method\r\n");
    table_csv(&t, 1, lead, out);
}

static void add_suite(json_t *list, const struct standing_suite *s)
{
    json_t *o = json_add_object(list);

    json_put_text(o, "suite", s->suite);
    json_put_text(o, "title", s->title);
    json_put_real(o, "weight", s->weight);
    json_put_int(o, "items", s->items);
    json_put_text(o, "runs", s->runs);
    json_put_text(o, "judges", s->judges);
}

void render_standing_json(const struct standing *st, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *root = json_object();
    json_t *suites, *models;

    json_put_text(root, "collection", st->of.id);
    json_put_text(root, "title", st->of.title);
    json_put_real(root, "scale", st->of.scale);
    json_put_text(root, "overall", st->of.overall ? "mean" : "none");
    suites = json_put_list(root, "suites");
    for (size_t i = 0; i < st->nsuites; i++)
        add_suite(suites, &st->suites[i]);
    table_json(tables_sources(a, st->sources, st->nsources, "en"),
               json_put_list(root, "provenance"));
    models = json_put_list(root, "models");
    table_json(table_of(a, st, "en"), models);
    for (size_t i = 0; i < st->nmodels; i++) {
        json_t *o = json_array_get(models, i), *scores = json_put_object(o, "scores");
        for (size_t s = 0; s < st->nsuites; s++)
            (void)json_object_set_new(scores, st->suites[s].suite,
                                      table_json_score(st->models[i].scores[s]));
    }
    buf_fmt(out, "%s\n", json_text(a, root));
}
