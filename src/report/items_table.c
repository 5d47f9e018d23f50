#include "report/items_table.h"

#include <math.h>
#include <stdlib.h>

static int by_worth(const void *x, const void *y)
{
    const struct items_one *a = x, *b = y;
    double one = isnan(a->of.worth) ? -INFINITY : a->of.worth,
           other = isnan(b->of.worth) ? -INFINITY : b->of.worth;

    if (one != other)
        return one > other ? -1 : 1;
    return strcmp(a->name, b->name);
}

struct table *items_table(struct arena *a, const struct items_analysis *x, size_t most,
                          const char *language)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "item", .word = WORD_ITEM, .kind = TABLE_LINK}, TABLE_OF(struct items_one, name)},
        {{.key = "models", .kind = TABLE_COUNT}, TABLE_OF(struct items_one, of.n)},
        {{.key = "mean", .word = WORD_ITEM_MEAN, .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_ZERO}, TABLE_OF(struct items_one, of.mean)},
        {{.key = "discrimination", .word = WORD_ITEM_DISCRIMINATION, .kind = TABLE_SCORE, .decimals = 2}, TABLE_OF(struct items_one, of.discrimination)},
        {{.key = "worth", .word = WORD_ITEM_WORTH, .kind = TABLE_SCORE, .decimals = 3}, TABLE_OF(struct items_one, of.worth)},
        {{.key = "split", .word = WORD_ITEM_SPLIT, .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_ZERO}, TABLE_OF(struct items_one, split)},
        {{.key = "turned", .word = WORD_ITEM_TURNED, .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_ZERO}, TABLE_OF(struct items_one, turned)},
        {{.key = "difficulty", .word = WORD_ITEM_DIFFICULTY, .kind = TABLE_SCORE, .decimals = 0, .flags = TABLE_SPARSE}, TABLE_OF(struct items_one, difficulty)},
        {{.key = "guess", .word = WORD_ITEM_GUESS, .kind = TABLE_SCORE, .decimals = 0, .flags = TABLE_SPARSE}, TABLE_OF(struct items_one, guess)},
        {{.key = "measured", .kind = TABLE_SCORE, .decimals = 0, .flags = TABLE_SPARSE}, TABLE_OF(struct items_one, found)},
        {{.key = "logit", .word = WORD_ITEM_LOGIT, .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_SPARSE}, TABLE_OF(struct items_one, of.logit)},
        {{.key = "outfit", .word = WORD_ITEM_FIT, .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_SPARSE}, TABLE_OF(struct items_one, of.fit)},
    };
    /* clang-format on */
    struct items_one *shown = arena_copy(a, x->v, x->n, sizeof *shown);
    struct table *t = table_new(a, language, most && most < x->n ? most : x->n);

    if (x->n)
        qsort(shown, x->n, sizeof *shown, by_worth);
    table_fields(t, fields, COUNT(fields), shown, sizeof *shown);
    table_note(t, words_of(language, x->battles ? WORD_READ_ITEMS_BATTLES : WORD_READ_ITEMS));
    if (x->n && !x->battles && isnan(shown[0].of.logit))
        table_note(t, words_of(language, WORD_ITEM_NO_RASCH));
    return t;
}

struct table *items_table_twins(struct arena *a, const struct items_analysis *x,
                                const char *language)
{
    struct table *t = table_new(a, language, x->ntwins);
    struct table_cell *one = table_add(t, .key = "one", .word = WORD_ITEM, .kind = TABLE_LINK);
    struct table_cell *other = table_add(t, .key = "other", .word = WORD_ITEM);
    struct table_cell *r = table_add(t, .key = "correlation", .word = WORD_ITEM_Q3,
                                     .kind = TABLE_SCORE, .decimals = 2);

    t->title = words_of(language, WORD_ITEM_TWINS);
    for (size_t i = 0; i < x->ntwins; i++) {
        one[i] = table_text(x->v[x->twins[i].one].name);
        other[i] = table_text(x->v[x->twins[i].other].name);
        r[i] = table_number(x->twins[i].correlation);
    }
    return t;
}
