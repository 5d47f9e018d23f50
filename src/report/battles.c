#include "report/battles.h"

#include <math.h>

#include "report/show.h"
#include "report/sittings.h"
#include "report/wording.h"

struct drawing {
    struct arena *a;
    const struct report *r;
    const char *language, *dash;
    struct battles_table *t;
    const char *(*rows)[BATTLES_COLUMNS];
};

static void begin(struct drawing *d, struct battles_table *t, enum word title, size_t rows)
{
    *t = (struct battles_table){.title = words_of(d->language, title)};
    t->notes = NEW_N(d->a, const char *, d->r->nnotes + 2);
    d->rows = arena_array(d->a, rows, sizeof *d->rows);
    t->rows = (const char *const(*)[BATTLES_COLUMNS])d->rows;
    d->t = t;
}

static void head(struct drawing *d, enum word w)
{
    d->t->heads[d->t->columns++] = words_of(d->language, w);
}

static void note(struct drawing *d, const char *text)
{
    d->t->notes[d->t->nnotes++] = text;
}

/* ---- cells ---- */

static const char *count(const struct drawing *d, int64_t n)
{
    return arena_printf(d->a, "%lld", (long long)n);
}

static const char *range(const struct drawing *d, double lo, double hi, int decimals)
{
    if (!isfinite(lo) || !isfinite(hi))
        return "-";
    return lo == hi ? arena_printf(d->a, "%.*f", decimals, lo)
                    : arena_printf(d->a, "%.*f%s%.*f", decimals, lo, d->dash, decimals, hi);
}

/* "0.67 [0.35, 0.88]" */
static const char *share(const struct drawing *d, const struct score_row *row)
{
    return row ? arena_printf(d->a, "%.2f [%.2f, %.2f]", row->value, row->lo, row->hi) : "-";
}

/* ---- tables ---- */

static bool grouped(const struct report *r)
{
    return r->nmodels > 0 && r->models[0].battles.group > 0;
}

static void model_heads(struct drawing *d, const enum word *heads, size_t n)
{
    head(d, WORD_MODEL);
    if (grouped(d->r)) /* so that no two groups are read as one list */
        head(d, WORD_IN_GROUP);
    for (size_t i = 0; i < n; i++)
        head(d, heads[i]);
}

/* The first cells of a model's row; returns where the others go. */
static const char **model_row(struct drawing *d, const struct report_model *m)
{
    const char **row = d->rows[d->t->nrows++];

    *row++ = m->name;
    if (grouped(d->r))
        *row++ = m->battles.group ? count(d, m->battles.group) : "-";
    return row;
}

static void records(struct drawing *d, struct battles_table *t)
{
    static const enum word heads[] = {WORD_RANK, WORD_WON, WORD_LOST, WORD_TIED};

    begin(d, t, WORD_BATTLES, d->r->nmodels);
    model_heads(d, heads, COUNT(heads));
    for (size_t i = 0; i < d->r->nmodels; i++) {
        const struct report_battles *b = &d->r->models[i].battles;
        const char **row = model_row(d, &d->r->models[i]);
        row[0] = b->rank ? range(d, b->rank->lo, b->rank->hi, 0) : "-";
        row[1] = count(d, b->wins);
        row[2] = count(d, b->losses);
        row[3] = count(d, b->ties);
    }
    for (size_t i = 0; i < d->r->nnotes; i++)
        note(d, d->r->notes[i]);
}

static void glicko(struct drawing *d, struct battles_table *t)
{
    static const enum word heads[] = {WORD_RATING, WORD_INTERVAL, WORD_SHUFFLED};
    const char *about = strcmp(d->dash, "-") == 0 ? "+-" : "±"; /* a plain terminal */
    bool ordered = !d->r->suite.score.one_period;

    begin(d, t, WORD_GLICKO, d->r->nmodels);
    model_heads(d, heads, COUNT(heads) - !ordered);
    for (size_t i = 0; i < d->r->nmodels; i++) {
        const struct report_battles *b = &d->r->models[i].battles;
        const char **row;
        if (!b->glicko || !b->glicko_rd || (ordered && !b->glicko_order))
            continue;
        row = model_row(d, &d->r->models[i]);
        row[0] = arena_printf(d->a, "%.0f %s %.0f", b->glicko->value, about, b->glicko_rd->value);
        row[1] = range(d, b->glicko->lo, b->glicko->hi, 0);
        if (ordered)
            row[2] = range(d, b->glicko_order->lo, b->glicko_order->hi, 0);
    }
    note(d, words_of(d->language, ordered ? WORD_READ_GLICKO : WORD_READ_GLICKO_RUN));
}

/* ---- style ---- */

static bool styled(const struct report *r)
{
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        if (r->style[f])
            return true;
    return false;
}

static void controlled(struct drawing *d, struct battles_table *t)
{
    static const enum word heads[] = {WORD_RAW, WORD_CONTROLLED, WORD_INTERVAL};

    begin(d, t, WORD_STYLE, d->r->nmodels);
    model_heads(d, heads, COUNT(heads));
    for (size_t i = 0; i < d->r->nmodels; i++) {
        const struct report_model *m = &d->r->models[i];
        const struct score_row *c = m->battles.controlled;
        const char **row;
        if (!m->score || !c)
            continue;
        row = model_row(d, m);
        row[0] = arena_printf(d->a, "%.0f", m->score->value);
        row[1] = arena_printf(d->a, "%.0f", c->value);
        row[2] = range(d, c->lo, c->hi, 0);
    }
    note(d, words_of(d->language, WORD_READ_STYLE));
}

/* "+0.25 [+0.10, +0.40]" */
static const char *effect(const struct drawing *d, const struct score_row *row)
{
    if (!row)
        return "-";
    if (!isfinite(row->lo)) /* of a single item */
        return arena_printf(d->a, "%+.2f", row->value);
    return arena_printf(d->a, "%+.2f [%+.2f, %+.2f]", row->value, row->lo, row->hi);
}

static void effects(struct drawing *d, struct battles_table *t)
{
    begin(d, t, WORD_EFFECTS, STYLE_FEATURES);
    head(d, WORD_PROPERTY);
    head(d, WORD_LOGITS);
    for (size_t f = 0; f < STYLE_FEATURES; f++) {
        const char **row;
        if (!d->r->style[f])
            continue;
        row = d->rows[t->nrows++];
        row[0] = words_of(d->language, (enum word)(WORD_LENGTH + f));
        row[1] = effect(d, d->r->style[f]);
    }
    note(d, words_of(d->language, WORD_READ_EFFECTS));
}

/* ---- judges ---- */

static bool liking(const struct report *r)
{
    for (size_t i = 0; i < r->njudges; i++)
        if (r->judges[i].length || r->judges[i].own_family)
            return true;
    return false;
}

static void likings(struct drawing *d, struct battles_table *t)
{
    begin(d, t, WORD_LIKINGS, d->r->njudges);
    head(d, WORD_JUDGE);
    head(d, WORD_LIKES_LENGTH);
    head(d, WORD_LIKES_OWN);
    for (size_t i = 0; i < d->r->njudges; i++) {
        const struct report_judge *j = &d->r->judges[i];
        const char **row = d->rows[t->nrows++];
        row[0] = j->name;
        row[1] = effect(d, j->length);
        row[2] = j->own_family && isnan(j->own_family->value)
                     ? words_of(d->language, WORD_NOT_MEASURED)
                     : effect(d, j->own_family);
    }
    note(d, words_of(d->language, WORD_READ_LIKINGS));
}

static void positions(struct drawing *d, struct battles_table *t)
{
    bool both = d->r->suite.instrument.both_orders;

    begin(d, t, WORD_POSITION, d->r->njudges);
    head(d, WORD_JUDGE);
    head(d, WORD_VERDICTS);
    head(d, WORD_FIRST_SHOWN);
    if (both) {
        head(d, WORD_CONSISTENT);
        head(d, WORD_TURNED);
        head(d, WORD_BIAS);
    }
    for (size_t i = 0; i < d->r->njudges; i++) {
        const struct report_judge *j = &d->r->judges[i];
        const char **row = d->rows[t->nrows++];
        row[0] = j->name;
        row[1] = count(d, j->done);
        row[2] = share(d, j->first_shown);
        if (!both)
            continue;
        row[3] = share(d, j->consistency);
        row[4] = j->inconsistent ? count(d, (int64_t)j->inconsistent->value) : "-";
        row[5] = j->bias && j->bias_p
                     ? arena_printf(d->a, "%+.2f (p = %.3f)", j->bias->value, j->bias_p->value)
                     : "-";
    }
    note(d, words_of(d->language, WORD_READ_FIRST));
    if (both)
        note(d, words_of(d->language, WORD_READ_BIAS));
}

size_t battles_tables(struct arena *a, const struct report *r, const char *language,
                      const char *dash, struct battles_table out[BATTLES_TABLES])
{
    struct drawing d = {.a = a, .r = r, .language = language, .dash = dash};
    size_t n = 0;

    if (show_pair(r))
        records(&d, &out[n++]);
    if (show_pair(r) && r->suite.score.glicko)
        glicko(&d, &out[n++]);
    if (styled(r)) {
        controlled(&d, &out[n++]);
        effects(&d, &out[n++]);
    }
    if (show_pair(r) && r->njudges)
        positions(&d, &out[n++]);
    if (liking(r))
        likings(&d, &out[n++]);
    return n + sittings_table(a, r, language, &out[n]);
}
