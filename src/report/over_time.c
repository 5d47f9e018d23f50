#include "report/over_time.h"

#include <math.h>
#include <stdlib.h>

static const struct kind {
    const char *name, *prefix; /* of the metrics; the rest of a metric names the row */
    const char *key;
    enum word title, row, note;
    bool lasts; /* a missing value is that of the row before */
} kinds[] = {
    [OVER_TIME_DRIFT] = {"drift", "drift:", "turns", OVER_DRIFT, OVER_TURNS, OVER_READ_DRIFT,
                         false},
    [OVER_TIME_SURVIVAL] = {"survival", "alive:", "turn", OVER_SURVIVAL, OVER_TURN,
                            OVER_READ_SURVIVAL, true},
    [OVER_TIME_MEMORY] = {"memory", "recall:", "distance", OVER_MEMORY, OVER_DISTANCE,
                          OVER_READ_MEMORY, false},
};

/* The row that a metric belongs to: "7-12" for "drift:7-12"; NULL: another kind, or another
 * dimension. */
static const char *row_of(const struct kind *k, const struct score_row *row)
{
    size_t n = strlen(k->prefix);

    if (strncmp(row->metric, k->prefix, n) != 0 || row->metric[n] < '0' || row->metric[n] > '9' ||
        strchr(row->metric + n, ':'))
        return NULL;
    return row->metric + n;
}

struct places {
    const char **v;
    size_t n;
};

static int by_number(const void *a, const void *b)
{
    long x = strtol(*(const char *const *)a, NULL, 10),
         y = strtol(*(const char *const *)b, NULL, 10);

    return (x > y) - (x < y);
}

/* The rows that at least one model has. */
static struct places places_of(struct arena *a, const struct report *r, const struct kind *k)
{
    struct places p = {0};
    size_t most = 0;

    for (size_t m = 0; m < r->nmodels; m++)
        most += r->models[m].over.n;
    p.v = NEW_N(a, const char *, most + 2);
    for (size_t m = 0; m < r->nmodels; m++)
        for (size_t i = 0; i < r->models[m].over.n; i++) {
            const char *place = row_of(k, &r->models[m].over.v[i]);
            bool known = !place;
            for (size_t j = 0; j < p.n && !known; j++)
                known = strcmp(p.v[j], place) == 0;
            if (!known)
                p.v[p.n++] = place;
        }
    if (p.n && k->lasts)
        p.v[p.n++] = "0"; /* where all begin */
    qsort(p.v, p.n, sizeof *p.v, by_number);
    return p;
}

static const struct score_row *find(const struct report_model *m, const char *metric)
{
    for (size_t i = 0; i < m->over.n; i++)
        if (strcmp(m->over.v[i].metric, metric) == 0)
            return &m->over.v[i];
    return NULL;
}

/* If no role broke at this point, the previous share holds. Before the first break it is 1,
 * without a band, because nothing is known about its error. */
static void fill(struct arena *a, struct table_cell *cells, const struct kind *k,
                 const struct report_model *m, const struct places *p)
{
    bool lasts = k->lasts && m->unbroken;
    struct table_cell last = table_between(1, NAN, NAN);

    last.n = lasts ? m->unbroken->n : 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct score_row *row = find(m, arena_printf(a, "%s%s", k->prefix, p->v[i]));
        cells[i] = row ? table_score(row) : lasts ? last : (struct table_cell){0};
        if (row && lasts)
            last = cells[i];
    }
}

static struct table *table_of(struct arena *a, const struct report *r, const struct kind *k,
                              const char *language)
{
    struct places p = places_of(a, r, k);
    struct table *t;
    struct table_cell *cells;

    if (p.n == 0)
        return NULL;
    t = table_new(a, language, p.n);
    t->title = words_of(language, k->title);
    cells = table_add(t, .key = k->key, .word = k->row, .kind = TABLE_TEXT);
    for (size_t i = 0; i < p.n; i++)
        cells[i] = table_text(p.v[i]);
    for (size_t m = 0; m < r->nmodels; m++) {
        cells = table_add(t, .key = r->models[m].name, .head = r->models[m].name,
                          .kind = TABLE_INTERVAL, .decimals = 2, .flags = TABLE_NAMED);
        fill(a, cells, k, &r->models[m], &p);
    }
    table_note(t, words_of(language, k->note));
    return t;
}

struct table *over_time_table(struct arena *a, const struct report *r, enum over_time k,
                              const char *language)
{
    return table_of(a, r, &kinds[k], language);
}

/* The drift of each dimension, if there are several. */
static void add_dimensions(struct arena *a, const struct report *r, const char *language,
                           struct tables *out)
{
    const struct instrument *in = &r->suite.instrument;

    for (size_t d = 0; d < in->ndimensions && in->ndimensions > 1; d++) {
        struct kind k = kinds[OVER_TIME_DRIFT];
        struct table *t;
        k.prefix = arena_printf(a, "%s%s:", k.prefix, in->dimensions[d].id);
        t = table_of(a, r, &k, language);
        if (!t)
            continue;
        t->title = arena_printf(a, "%s: %.*s", t->title, STR_ARG(in->dimensions[d].title));
        tables_add(out, ABOUT_TURNS, arena_printf(a, "drift-%s", in->dimensions[d].id), t);
    }
}

/* ---- slopes ---- */

static void slope_column(struct table *t, const struct report *r, const char *key, const char *head,
                         const char *metric)
{
    struct table_cell *cells = table_add(t, .key = key, .head = head, .kind = TABLE_INTERVAL,
                                         .decimals = 2, .flags = TABLE_SIGNED);

    for (size_t m = 0; m < r->nmodels; m++)
        cells[m] = table_score(find(&r->models[m], metric));
}

static struct table *slopes(struct arena *a, const struct report *r, const char *language)
{
    const struct instrument *in = &r->suite.instrument;
    static const struct table_field name = {{.key = "name", .word = WORD_MODEL, .kind = TABLE_LINK},
                                            TABLE_OF(struct report_model, name)};
    struct table *t = table_new(a, language, r->nmodels);

    t->title = words_of(language, OVER_SLOPES);
    table_fields(t, &name, 1, r->models, sizeof *r->models);
    slope_column(t, r, "slope", words_of(language, OVER_SLOPE), "slope");
    for (size_t d = 0; d < in->ndimensions && in->ndimensions > 1; d++)
        slope_column(t, r, arena_printf(a, "slope_%s", in->dimensions[d].id),
                     arena_text(a, in->dimensions[d].title),
                     arena_printf(a, "slope:%s", in->dimensions[d].id));
    table_note(t, words_of(language, OVER_READ_SLOPES));
    return t;
}

void over_time_tables(struct arena *a, const struct report *r, const struct tables_how *how,
                      struct tables *out)
{
    if (r->suite.elicit.kind != ELICIT_DIALOGUE)
        return;
    for (int k = 0; k < OVER_TIME_KINDS; k++) {
        struct table *t = over_time_table(a, r, (enum over_time)k, how->language);
        if (t)
            tables_add(out, ABOUT_TURNS, kinds[k].name, t);
        if (k == OVER_TIME_DRIFT)
            add_dimensions(a, r, how->language, out);
    }
    if (r->suite.instrument.window)
        tables_add(out, ABOUT_MODELS, "slopes", slopes(a, r, how->language));
}
