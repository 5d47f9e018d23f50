/* The instrument: dimensions with their scales, levels and weights. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "eval/suite_read.h"

enum { DIMENSIONS_MAX = 64, LEVELS_MIN = 2, LEVELS_MAX = 21 };

/* ---- scale ---- */

/* "0..5" or [0, 5]. */
static bool scale_ends(const struct node *n, double *min, double *max)
{
    struct str text = n->text;
    size_t dots;

    if (n->kind == NODE_LIST && n->n == 2)
        return n->first->kind == NODE_SCALAR && n->first->next->kind == NODE_SCALAR &&
               str_double(n->first->text, min) && str_double(n->first->next->text, max);
    dots = str_find(text, STR(".."));
    if (n->kind != NODE_SCALAR || dots == SIZE_MAX)
        return false;
    return str_double(str_trim((struct str){text.p, dots}), min) &&
           str_double(str_trim(str_from(text, dots + 2)), max);
}

static void read_scale(struct suite_reading *r, const struct node *scale, const struct node *step,
                       struct dimension *dim)
{
    static const char *const steps[] = {"1", "any"};
    double min, max;

    dim->whole = node_choice(step, steps, COUNT(steps), 0, r->d) == 0;
    if (!scale_ends(scale, &min, &max)) {
        diags_error(r->d, scale->at, "expected a scale such as 0..5");
        return;
    }
    if (min >= max)
        diags_error(r->d, scale->at, "the scale is reversed or empty: write the smaller end first");
    else if (dim->whole && (min != floor(min) || max != floor(max)))
        diags_error(r->d, scale->at,
                    "the ends of a scale are whole numbers unless 'step: any' is given");
    dim->min = min;
    dim->max = max;
}

/* ---- levels ---- */

/* One level: a member `1: text` of a map, or {value: 1, text: ...} of a list. */
static bool read_level(struct suite_reading *r, const struct node *m, struct level *out)
{
    static const char *const keys[] = {"value", "text"};
    const struct node *value = m->key, *text = m;

    if (!m->key) {
        if (!node_keys(m, keys, COUNT(keys), r->d))
            return false;
        value = field_get(m, "value");
        text = field_get(m, "text");
    }
    if (!value || value->kind != NODE_SCALAR || !str_double(value->text, &out->value)) {
        diags_error(r->d, value ? value->at : m->at, "a level is a number with its description");
        return false;
    }
    if (!text || node_is_null(text)) {
        diags_error(r->d, value->at, "level %g has no description", out->value);
        return false;
    }
    out->text = field_text(r->a, text, r->s->language, r->d);
    if (out->text.n == 0)
        diags_error(r->d, value->at, "level %g has no description", out->value);
    return true;
}

/* Levels are written from best to worst or from worst to best, never mixed: a value out of order
 * is most often a slip of the pen. */
static void check_order(struct suite_reading *r, const struct node *at, const struct level *level,
                        size_t i)
{
    double before = level[i - 1].value, now = level[i].value;
    bool falls = level[1].value < level[0].value;

    if (now == before || (i > 1 && falls != (now < before)))
        diags_error(r->d, at->key ? at->key->at : at->at, "level %g is not in order after %g", now,
                    before);
}

static void ascend(struct level *level, size_t n)
{
    if (level[0].value < level[n - 1].value)
        return;
    for (size_t i = 0; i < n / 2; i++) {
        struct level was = level[i];
        level[i] = level[n - 1 - i];
        level[n - 1 - i] = was;
    }
}

static void read_levels(struct suite_reading *r, const struct node *n, struct dimension *dim)
{
    struct level *level;
    size_t count = 0;

    if (n->kind == NODE_SCALAR || n->n < LEVELS_MIN || n->n > LEVELS_MAX) {
        diags_error(r->d, n->at, "expected %d to %d levels such as {1: good, 0: bad}", LEVELS_MIN,
                    LEVELS_MAX);
        return;
    }
    level = NEW_N(r->a, struct level, n->n);
    for (const struct node *m = n->first; m; m = m->next)
        if (read_level(r, m, &level[count]) && ++count > 1)
            check_order(r, m, level, count - 1);
    if (count < LEVELS_MIN)
        return;
    ascend(level, count);
    dim->levels = level;
    dim->nlevels = count;
    dim->min = level[0].value;
    dim->max = level[count - 1].value;
    dim->whole = true;
    for (size_t i = 0; i < count; i++)
        dim->whole = dim->whole && level[i].value == floor(level[i].value);
}

/* ---- dimensions ---- */

static void read_values(struct suite_reading *r, const struct node *n, struct dimension *dim)
{
    const struct node *scale = field_get(n, "scale"), *levels = field_get(n, "levels");
    const struct node *step = field_get(n, "step");

    dim->max = 1;
    if (scale && levels)
        diags_error(r->d, scale->key->at, "give a 'scale' or 'levels', not both");
    else if (step && levels)
        diags_error(r->d, step->key->at, "'step' belongs to 'scale'; levels are all there is");
    else if (levels)
        read_levels(r, levels, dim);
    else if (scale)
        read_scale(r, scale, step, dim);
    else
        diags_error(r->d, n->at, "the dimension has neither 'scale' (0..5) nor 'levels'");
}

static void read_dimension(struct suite_reading *r, const struct node *n, struct dimension *dim)
{
    static const char *const keys[] = {"id",    "title", "description", "weight",
                                       "scale", "step",  "levels",      "better"};
    static const char *const better[] = {"higher", "lower"};
    const struct node *id = field_get(n, "id");

    *dim = (struct dimension){.id = "", .weight = 1, .max = 1};
    if (!node_keys(n, keys, COUNT(keys), r->d))
        return;
    if (!id)
        diags_error(r->d, n->at, "the dimension has no 'id'");
    dim->id = field_id(r->a, id, "", r->d);
    dim->title = field_text(r->a, field_get(n, "title"), r->s->language, r->d);
    if (dim->title.n == 0)
        dim->title = str_of(dim->id);
    dim->description = field_text(r->a, field_get(n, "description"), r->s->language, r->d);
    dim->weight = node_double(field_get(n, "weight"), 0, DBL_MAX, 1, r->d);
    dim->lower_is_better = node_choice(field_get(n, "better"), better, COUNT(better), 0, r->d) == 1;
    read_values(r, n, dim);
}

static void check_unique(struct suite_reading *r, const struct node *n,
                         const struct dimension *dims, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (dims[i].id[0] && strcmp(dims[k].id, dims[i].id) == 0) {
            diags_error(r->d, field_get(n, "id")->at, "two dimensions have the id '%s'",
                        dims[i].id);
            return;
        }
    }
}

/* ---- weights ---- */

static void weigh_linearly(struct suite_reading *r, const struct node *list, struct dimension *dims)
{
    const struct node *m = list->first;

    for (size_t i = 0; m; m = m->next, i++) {
        const struct node *weight = field_get(m, "weight");
        if (weight)
            diags_error(r->d, weight->key->at,
                        "'weights: linear' gives the weights; take this one away");
        dims[i].weight = (double)(list->n - i);
    }
}

static void check_weights(struct suite_reading *r, const struct node *list,
                          const struct dimension *dims)
{
    size_t given = 0;
    double sum = 0;

    for (const struct node *m = list->first; m; m = m->next)
        given += field_get(m, "weight") != NULL;
    for (size_t i = 0; i < list->n; i++)
        sum += dims[i].weight;
    if (given && sum <= 0)
        diags_error(r->d, list->at, "all weights are zero");
    if (given == 0 || given == list->n)
        return;
    for (const struct node *m = list->first; m; m = m->next)
        if (m->kind == NODE_MAP && !field_get(m, "weight"))
            diags_error(r->d, m->at, "give every dimension a weight, or none");
}

/* By falling weight, the file's order among equals. (qsort() may not keep that order.) */
static void order_by_weight(struct dimension *dims, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct dimension one = dims[i];
        size_t k = i;
        for (; k > 0 && dims[k - 1].weight < one.weight; k--)
            dims[k] = dims[k - 1];
        dims[k] = one;
    }
}

static void read_dimensions(struct suite_reading *r, const struct node *list,
                            const struct node *weights)
{
    static const char *const words[] = {"linear"};
    const struct node *m;
    struct dimension *dims;
    size_t i = 0;

    if (list->kind != NODE_LIST || list->n == 0 || list->n > DIMENSIONS_MAX) {
        diags_error(r->d, list->at, "expected a list of 1 to %d dimensions", DIMENSIONS_MAX);
        return;
    }
    dims = NEW_N(r->a, struct dimension, list->n);
    for (m = list->first; m; m = m->next, i++) {
        read_dimension(r, m, &dims[i]);
        check_unique(r, m, dims, i);
    }
    if (weights && node_choice(weights, words, COUNT(words), -1, r->d) == 0)
        weigh_linearly(r, list, dims);
    else
        check_weights(r, list, dims);
    order_by_weight(dims, list->n);
    r->s->instrument.dimensions = dims;
    r->s->instrument.ndimensions = list->n;
}

void suite_read_instrument(struct suite_reading *r, const struct node *n)
{
    static const char *const keys[] = {"kind",  "scene",   "scene_description", "score_details",
                                       "steps", "weights", "dimensions"};
    static const char *const kinds[] = {"dimensions"};
    struct instrument *in = &r->s->instrument;
    const struct node *list;

    if (!n || !node_keys(n, keys, COUNT(keys), r->d))
        return;
    (void)node_choice(field_get(n, "kind"), kinds, COUNT(kinds), 0, r->d);
    in->kind = INSTRUMENT_DIMENSIONS;
    in->scene = field_text(r->a, field_get(n, "scene"), r->s->language, r->d);
    in->scene_description =
        field_text(r->a, field_get(n, "scene_description"), r->s->language, r->d);
    in->score_details = field_text(r->a, field_get(n, "score_details"), r->s->language, r->d);
    in->steps = field_text(r->a, field_get(n, "steps"), r->s->language, r->d);
    list = field_get(n, "dimensions");
    if (list)
        read_dimensions(r, list, field_get(n, "weights"));
    else
        diags_error(r->d, n->at, "the instrument has no 'dimensions'");
}
