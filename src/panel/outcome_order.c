/* Order of systems in tables. */
#include <math.h>
#include <stdlib.h>

#include "eval/score.h"
#include "panel/export.h"
#include "panel/outcome.h"

/* A system and its sort keys. */
struct standing {
    const char *name, *shown;
    double value; /* more is better; -INFINITY: none */
};

static int by_value(const void *x, const void *y)
{
    const struct standing *a = x, *b = y;

    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return strcmp(a->shown, b->shown);
}

static double value_of(const struct score_list *rows, const char *subject, const char *metric,
                       bool less)
{
    const struct score_row *r = score_find(rows, subject, metric);

    if (!r || isnan(r->value))
        return -INFINITY;
    return less ? -r->value : r->value;
}

struct outcome_order outcome_order(struct arena *a, const struct campaign *c,
                                   const struct score_list *rows, const char *metric, bool less)
{
    struct standing *standings = NEW_N(a, struct standing, rows->n + 1);
    struct outcome_order out = {NEW_N(a, const char *, rows->n + 1), 0};

    for (size_t i = 0; i < rows->n; i++) {
        const char *subject = rows->v[i].subject, *name = subject + strlen("system/");
        if (!str_starts(str_of(subject), STR("system/")) ||
            (i && strcmp(subject, rows->v[i - 1].subject) == 0))
            continue;
        standings[out.n++] = (struct standing){name, export_system(a, c, name),
                                               value_of(rows, subject, metric, less)};
    }
    qsort(standings, out.n, sizeof *standings, by_value);
    for (size_t i = 0; i < out.n; i++)
        out.v[i] = standings[i].name;
    return out;
}
