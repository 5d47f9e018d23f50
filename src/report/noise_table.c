#include "report/noise_table.h"

#include <math.h>

static const char *source_name(enum noise_source s, bool people, const char *language)
{
    static const enum word words[][2] = {
        [NOISE_ITEMS] = {WORD_NOISE_ITEMS, WORD_NOISE_PASSAGES},
        [NOISE_JUDGES] = {WORD_NOISE_JUDGES, WORD_NOISE_RATERS},
        [NOISE_ANSWERS] = {WORD_NOISE_ANSWERS, WORD_NOISE_ANSWERS},
        [NOISE_CROSS] = {WORD_NOISE_CROSS, WORD_NOISE_CROSS},
        [NOISE_REST] = {WORD_NOISE_REST, WORD_NOISE_REST},
    };

    return language ? words_of(language, words[s][people]) : noise_name(s);
}

static bool is_known(const struct noise *x, int source)
{
    return x->variance[source] && x->share[source];
}

struct table *noise_table(struct arena *a, const struct noise *x, bool people, const char *language)
{
    struct table *t = table_new(a, language, x->n);
    struct table_cell *names =
        table_add(t, .key = "source", .word = WORD_NOISE_SOURCE, .kind = TABLE_LINK);
    struct table_cell *levels =
        table_add(t, .key = "levels", .word = WORD_NOISE_LEVELS, .kind = TABLE_COUNT);
    struct table_cell *variance = table_add(t, .key = "variance", .kind = TABLE_SCORE);
    struct table_cell *sd = table_add(t, .word = WORD_NOISE_SD, .kind = TABLE_SCORE, .decimals = 2);
    struct table_cell *share = table_add(t, .key = "share", .kind = TABLE_SCORE);
    struct table_cell *percent =
        table_add(t, .word = WORD_NOISE_SHARE, .kind = TABLE_SCORE, .decimals = 0);
    size_t row = 0;

    t->title = words_of(language, WORD_NOISE);
    for (int k = 0; k < NOISE_SOURCES; k++) {
        if (!is_known(x, k))
            continue;
        names[row] = table_text(source_name((enum noise_source)k, people, language));
        levels[row] = table_count(x->variance[k]->n);
        variance[row] = table_number(x->variance[k]->value);
        variance[row].metric = x->variance[k]->metric;
        sd[row] = table_number(sqrt(x->variance[k]->value));
        share[row] = table_number(x->share[k]->value);
        share[row].metric = x->share[k]->metric;
        percent[row++] = table_number(100 * x->share[k]->value);
    }
    table_note(t, words_of(language, people ? WORD_READ_NOISE_PEOPLE : WORD_READ_NOISE));
    if (!people && !is_known(x, NOISE_ANSWERS))
        table_note(t, words_of(language, WORD_NOISE_ONE_ANSWER));
    return t;
}

const char *noise_table_line(struct arena *a, const struct noise *x, bool people,
                             const char *language)
{
    const char *list = "";

    if (x->n < 2)
        return NULL;
    for (int k = 0; k < NOISE_SOURCES; k++)
        if (is_known(x, k))
            list = arena_printf(a, "%s%s%s %s", list, *list ? " · " : "",
                                source_name((enum noise_source)k, people, language),
                                words_with(a, language, WORD_PERCENT,
                                           arena_printf(a, "%.0f", 100 * x->share[k]->value)));
    return words_with(a, language, WORD_NOISE_IS, list);
}
