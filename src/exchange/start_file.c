#include "exchange/start_file.h"

#include "base/csv.h"

enum { RECORD_MOST = 1 << 16, MODELS_MOST = 100000 };

enum { MODEL, RATING, RD, VOLATILITY, COLUMNS };
static const char *const columns[COLUMNS] = {"model", "rating", "rd", "volatility"};
/* Glickman's own values where the file has none; and what makes sense. */
static const struct {
    double usual, low, high;
} numbers[COLUMNS] = {
    [RATING] = {1500, -1e6, 1e6}, [RD] = {350, 1e-3, 1e4}, [VOLATILITY] = {0.06, 1e-6, 10}};

static enum status find_columns(const struct csv *in, size_t *at, struct err *e)
{
    for (size_t c = 0; c < COLUMNS; c++)
        if (csv_find(in, columns[c], &at[c], e) != OK)
            return e->code;
    if (at[MODEL] == SIZE_MAX || at[RATING] == SIZE_MAX)
        return err_set(e, E_INPUT,
                       "%s:1: expected the columns model and rating, and rd and "
                       "volatility if known",
                       in->lines.path);
    return OK;
}

static enum status read_number(const struct csv *in, size_t column, size_t at, double *out,
                               struct err *e)
{
    struct csv_place place;

    *out = numbers[column].usual;
    if (at >= in->n || str_trim(in->fields[at]).n == 0)
        return OK;
    if (str_double(str_trim(in->fields[at]), out) && *out >= numbers[column].low &&
        *out <= numbers[column].high)
        return OK;
    place = csv_place(in, at);
    return err_set(e, E_INPUT, "%s:%lld:%lld: %s is not a number from %g to %g", in->lines.path,
                   (long long)place.line, (long long)place.column, columns[column],
                   numbers[column].low, numbers[column].high);
}

static enum status read_row(struct arena *a, const struct csv *in, const size_t *at,
                            struct start_list *out, struct err *e)
{
    double x[COLUMNS];
    const char *model;

    if (at[MODEL] >= in->n || str_trim(in->fields[at[MODEL]]).n == 0)
        return err_set(e, E_INPUT, "%s:%lld: no model", in->lines.path, (long long)in->line);
    model = arena_text(a, str_trim(in->fields[at[MODEL]]));
    if (start_find(out, model))
        return err_set(e, E_INPUT, "%s:%lld: %s begins twice", in->lines.path, (long long)in->line,
                       model);
    for (size_t c = RATING; c < COLUMNS; c++)
        if (read_number(in, c, at[c], &x[c], e) != OK)
            return e->code;
    out->v[out->n++] = (struct start){model, glicko_of(x[RATING], x[RD], x[VOLATILITY])};
    return OK;
}

static enum status read_rows(struct arena *a, struct csv *in, struct start_list *out, struct err *e)
{
    size_t at[COLUMNS], cap = 0;
    bool more;

    if (csv_next(in, &more, e) != OK || find_columns(in, at, e) != OK)
        return e->code;
    while (csv_next(in, &more, e) == OK && more) {
        if (out->n == MODELS_MOST)
            return err_set(e, E_INPUT, "%s: over %d models", in->lines.path, MODELS_MOST);
        out->v = arena_grow(a, out->v, &cap, out->n + 1, sizeof *out->v);
        if (read_row(a, in, at, out, e) != OK)
            break;
    }
    return e->code;
}

enum status start_read(struct arena *a, const char *path, struct start_list *out, struct err *e)
{
    AUTO(csv_close) struct csv in = {0};

    *out = (struct start_list){0};
    e->code = OK;
    if (csv_open(&in, path, RECORD_MOST, e) != OK)
        return e->code;
    return read_rows(a, &in, out, e);
}

const struct start *start_find(const struct start_list *l, const char *model)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].model, model) == 0)
            return &l->v[i];
    return NULL;
}
