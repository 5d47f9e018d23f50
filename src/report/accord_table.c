#include "report/accord_table.h"

#include <math.h>

#include "base/message.h"
#include "report/grid.h"
#include "report/table.h"

enum { PATH_MOST = 60 };

/* Krippendorff 2004, section 11.4.2. */
static const double rely = 0.8, tentative = 0.667;

const char *accord_table_level(enum agree_level level)
{
    static const char *const names[] = {"nominal", "ordinal", "interval", "ratio"};

    return names[level];
}

/* ---- tables ---- */

#define OF(member) TABLE_OF(struct accord, member)

/* clang-format off */
static const struct table_field alphas[] = {
    {{.key = "units", .word = COLUMN_UNITS, .kind = TABLE_COUNT}, OF(units)},
    {{.key = "raters", .word = COLUMN_RATERS, .kind = TABLE_COUNT}, OF(raters)},
    {{.key = "values", .word = COLUMN_RATINGS, .kind = TABLE_COUNT}, OF(values)},
    {{.key = "alpha", .ends = TABLE_ENDS_APART, .head = "alpha", .kind = TABLE_INTERVAL, .look = TABLE_SPLIT, .decimals = 3}, OF(alpha)},
};
static const struct table_field figures[] = {
    {{.key = "agreement", .word = COLUMN_AGREED, .kind = TABLE_SCORE, .decimals = 3, .flags = TABLE_ZERO}, OF(many.agreement)},
    {{.key = "ac1", .ends = TABLE_ENDS_APART, .head = "AC1", .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = 3, .flags = TABLE_ZERO}, OF(ac1)},
    {{.key = "fleiss", .ends = TABLE_ENDS_APART, .head = "Fleiss", .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = 3, .flags = TABLE_ZERO}, OF(fleiss)},
    {{.key = "kappa", .ends = TABLE_ENDS_APART, .head = "kappa", .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = 3, .flags = TABLE_ZERO}, OF(kappa[KAPPA_PLAIN])},
    {{.key = "kappa_linear", .ends = TABLE_ENDS_APART, .word = COLUMN_LINEAR, .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = 3, .flags = TABLE_ZERO}, OF(kappa[KAPPA_LINEAR])},
    {{.key = "kappa_quadratic", .ends = TABLE_ENDS_APART, .word = COLUMN_QUADRATIC, .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = 3, .flags = TABLE_ZERO}, OF(kappa[KAPPA_QUADRATIC])},
    {{.key = "brennan_prediger", .head = "B-P", .kind = TABLE_SCORE, .decimals = 3, .flags = TABLE_ZERO}, OF(many.even)},
    {{.key = "kendall_w", .head = "W", .kind = TABLE_SCORE, .decimals = 3, .flags = TABLE_ZERO}, OF(concordance)},
};
/* clang-format on */

/* Why something is missing, or NULL. */
static const char *note_of(const struct accord_table *t, const struct accord *a)
{
    if (a->alpha.clusters == 0)
        return N_("no unit has two ratings, so there is nothing to compare");
    if (isnan(a->alpha.value))
        return N_("all values are the same, so agreement is undefined");
    return t->how->level == AGREE_NOMINAL ? NULL : a->icc.why;
}

/* If the interval needs a caution because there are too few units, the number alone says even
 * less. */
static const char *reading(const char *language, const struct interval *alpha)
{
    if (isnan(alpha->value))
        return "-";
    return words_of(language, alpha->clusters < INTERVAL_UNITS_SHORT ? COLUMN_TOO_FEW
                              : alpha->value >= rely                 ? COLUMN_RELY
                              : alpha->value >= tentative            ? COLUMN_TENTATIVE
                                                                     : COLUMN_TOO_LOW);
}

/* `each` rows for every dimension; the first of them has the name. */
static struct table *dimensions(struct arena *a, const struct accord_table *t, enum word head,
                                size_t each)
{
    struct table *table = table_new(a, NULL, t->set->n * each);
    struct table_cell *names = table_add(table, .word = head),
                      *keys = table_add(table, .key = "dimension");

    for (size_t i = 0; i < t->set->n; i++) {
        const char *name = t->set->v[i].name;
        names[i * each] = table_text(name ? name : words_of(table->language, COLUMN_ALL));
        keys[i * each] = table_text(name);
    }
    return table;
}

static struct table *alpha_table(struct arena *a, const struct accord_table *t)
{
    struct table *table = dimensions(a, t, COLUMN_DIMENSION, 1);
    struct table_cell *level = table_add(table, .key = "level"), *read;

    table_fields(table, alphas, COUNT(alphas), t->v, sizeof *t->v);
    read = table_add(table, .word = COLUMN_READING);
    for (size_t i = 0; i < t->set->n; i++) {
        level[i] = table_text(accord_table_level(t->how->level));
        read[i] = table_text(reading(table->language, &t->v[i].alpha));
    }
    return table;
}

static struct table *figure_table(struct arena *a, const struct accord_table *t)
{
    struct table *table = dimensions(a, t, COLUMN_ON_CATEGORIES, 1);
    struct table_cell *notes;

    table_fields(table, figures, COUNT(figures), t->v, sizeof *t->v);
    notes = table_add(table, .key = "note");
    for (size_t i = 0; i < t->set->n; i++)
        notes[i] = table_text(note_of(t, &t->v[i]));
    return table;
}

/* For people: a row for each ICC form of each dimension. */
static struct table *icc_rows(struct arena *a, const struct accord_table *t)
{
    static const struct table_column icc = {
        .word = COLUMN_ONE, .kind = TABLE_INTERVAL, .look = TABLE_SPLIT, .decimals = 3};
    struct table *table = dimensions(a, t, COLUMN_ICC, ICC_FORMS);
    struct table_column mean = icc;
    struct table_cell *form, *one, *k, *many;

    mean.word = COLUMN_MEAN_OF_K;
    form = table_add(table, .word = COLUMN_FORM, .kind = TABLE_COUNT);
    one = table_column(table, &icc);
    k = table_add(table, .head = "k", .kind = TABLE_SCORE, .decimals = 1);
    many = table_column(table, &mean);
    for (size_t i = 0; i < table->nrows; i++) {
        const struct icc *v = &t->v[i / ICC_FORMS].icc;
        form[i] = table_count((int64_t)(i % ICC_FORMS) + 1);
        one[i] = table_interval(v->single[i % ICC_FORMS]);
        k[i] = table_number(v->k);
        many[i] = table_interval(v->mean[i % ICC_FORMS]);
    }
    return table;
}

/* For programs: a member for each form. */
static struct table *icc_members(struct arena *a, const struct accord_table *t)
{
    static const char *const names[2][ICC_FORMS] = {{"1,1", "2,1", "3,1"}, {"1,k", "2,k", "3,k"}};
    struct table *table = dimensions(a, t, COLUMN_ICC, 1);
    struct table_cell *k;

    for (size_t f = 0; f < 2 * ICC_FORMS; f++) {
        size_t mean = f / ICC_FORMS, form = f % ICC_FORMS;
        struct table_cell *v = table_add(table, .key = names[mean][form], .ends = TABLE_ENDS_APART,
                                         .in = "icc", .kind = TABLE_INTERVAL);
        for (size_t i = 0; i < t->set->n; i++)
            v[i] = table_interval((mean ? t->v[i].icc.mean : t->v[i].icc.single)[form]);
    }
    k = table_add(table, .key = "icc_k", .kind = TABLE_SCORE);
    for (size_t i = 0; i < t->set->n; i++)
        k[i] = table_number(t->v[i].icc.k);
    return table;
}

static bool any_incomplete(const struct accord_table *t)
{
    for (size_t i = 0; i < t->set->n; i++)
        if (!t->v[i].icc.complete)
            return true;
    return false;
}

static bool any_icc(const struct accord_table *t)
{
    for (size_t i = 0; i < t->set->n; i++)
        if (!isnan(t->v[i].icc.single[ICC_1].value))
            return true;
    return false;
}

/* ---- terminal ---- */

struct canvas {
    struct arena *a;
    const struct accord_table *t;
    const struct render_terminal *how;
    struct buf *out;
};

static void print(const struct canvas *c, const struct table *table)
{
    buf_char(c->out, '\n');
    (void)table_terminal(table, c->how, c->out);
}

static void wrapped(const struct canvas *c, const char *text)
{
    grid_wrap(c->a, text, (size_t)c->how->columns, c->out);
}

static void footer(const struct canvas *c)
{
    buf_char(c->out, '\n');
    wrapped(c, _("alpha (Krippendorff): 1 is perfect agreement, 0 what chance would give. Rely on "
                 "0.800 and above; from 0.667 on draw tentative conclusions only; below that, "
                 "none. Fewer than ten units with two ratings are too few to tell. Matters of "
                 "taste often score 0.2 to 0.5: then look at how reliable the "
                 "mean of several raters is."));
    if (any_icc(c->t))
        wrapped(c,
                _("ICC: form 1, any raters; 2, a sample of raters, whose severity counts as error; "
                  "3, these raters, severity left out. Below 0.5 is poor, up to 0.75 moderate, up "
                  "to 0.9 good (Koo and Li), read at the lower end of the interval."));
    if (any_icc(c->t) && any_incomplete(c->t))
        wrapped(c, _("Where not everybody rated everything, ICC is from variance components "
                     "(Henderson's method 1), with intervals by jackknife."));
    wrapped(c,
            c->t->how->whom == JACKKNIFE_NEW
                ? _("95 % intervals are for other units and other raters like these (jackknife on "
                    "Fisher's z).")
                : _("95 % intervals are for other units, with these raters (jackknife on Fisher's "
                    "z); --new-raters is for others like them."));
    if (c->t->set->blank)
        wrapped(c, arena_printf(c->a, _("note: %zu line%s without a value skipped."),
                                c->t->set->blank, message_s(c->t->set->blank)));
    for (size_t i = 0; i < c->t->set->n; i++) {
        const char *note = note_of(c->t, &c->t->v[i]);
        const char *name = c->t->set->v[i].name;
        if (note)
            wrapped(c,
                    arena_printf(c->a, _("note: %s."),
                                 words_two(c->a, message_language(), WORD_LABELLED,
                                           name ? name : words_of(message_language(), COLUMN_ALL),
                                           message_show(c->a, NULL, note))));
    }
}

void accord_table_terminal(const struct accord_table *t, const struct render_terminal *how,
                           struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct canvas c = {.a = a, .t = t, .how = how, .out = out};
    const char *dot = how->unicode ? "·" : "|";
    struct str path = grid_text(a, str_of(t->path), PATH_MOST, how->unicode ? "…" : "..");

    buf_fmt(out, _("%.*s %s %zu rating%s %s %s\n"), STR_ARG(path), dot, t->set->ratings,
            message_s(t->set->ratings), dot, accord_table_level(t->how->level));
    print(&c, alpha_table(a, t));
    print(&c, figure_table(a, t));
    if (any_icc(t))
        print(&c, icc_rows(a, t));
    footer(&c);
}

/* ---- JSON ---- */

void accord_table_json(const struct accord_table *t, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *list = json_array();

    table_json(alpha_table(a, t), list);
    if (t->how->level != AGREE_NOMINAL)
        table_json(icc_members(a, t), list);
    table_json(figure_table(a, t), list);
    for (size_t i = 0; i < json_array_size(list); i++)
        buf_fmt(out, "%s\n", json_text(a, json_array_get(list, i)));
}
