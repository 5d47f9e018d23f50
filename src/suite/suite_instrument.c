/* Reads the instrument: dimensions with their scales, levels and weights, and a scene's texts. */
#include <float.h>
#include <math.h>

#include "suite/suite_read.h"

#define BUILT_IN "share/instruments/"

enum { SCENE_MAX = 10 };

/* The nodes that apply: the suite's own take precedence over those of the file of dimensions that
 * it uses, and these over those of its scene. */
struct parts {
    const struct node *suite, *scene; /* scene may be NULL */
    const struct node *dimensions, *weights, *quotes;
    int64_t max;   /* for dimensions without their own scale; 0: none */
    bool reweighs; /* `weights` is the suite's, but `dimensions` come from another file */
};

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
                    "the ends of a scale must be whole numbers unless 'step: any' is set");
    dim->min = min;
    dim->max = max;
}

/* ---- levels ---- */

/* Reads one level: a member `1: text` of a map, or {value: 1, text: ...} of a list. */
static bool read_level(struct suite_reading *r, const struct node *m, struct level *out)
{
    const struct node *value = m->key, *text = m;

    if (!m->key) {
        if (!suite_read_shape(r, &suite_level_shape, m, out))
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

/* Levels are listed from best to worst or from worst to best, never mixed: a value out of order is
 * most likely a typo. */
static void check_order(struct suite_reading *r, const struct node *at, const struct level *level,
                        size_t i)
{
    double before = level[i - 1].value, now = level[i].value;
    bool falls = level[1].value < level[0].value;

    if (now == before || (i > 1 && falls != (now < before)))
        diags_error(r->d, at->key ? at->key->at : at->at, "level %g is out of order after %g", now,
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

static struct dimension of_max(struct dimension dim, int64_t max)
{
    dim.max = (double)max;
    dim.whole = true;
    return dim;
}

static void read_values(struct suite_reading *r, const struct node *n, const struct parts *p,
                        struct dimension *dim)
{
    const struct node *scale = field_get(n, "scale"), *levels = field_get(n, "levels");
    const struct node *step = field_get(n, "step");

    dim->max = 1;
    if (scale && levels)
        diags_error(r->d, scale->key->at, "give either 'scale' or 'levels', not both");
    else if (step && levels)
        diags_error(r->d, step->key->at,
                    "'step' goes with 'scale'; 'levels' already lists every value");
    else if (levels)
        read_levels(r, levels, dim);
    else if (scale)
        read_scale(r, scale, step, dim);
    else if (!p->max || step)
        diags_error(r->d, n->at, "the dimension has neither 'scale' (0..5) nor 'levels'");
    else
        *dim = of_max(*dim, p->max);
}

static void read_dimension(struct suite_reading *r, const struct node *n, const struct parts *p,
                           struct dimension *dim)
{
    *dim = (struct dimension){.id = "", .max = 1};
    if (!suite_read_shape(r, &suite_dimension_shape, n, dim))
        return;
    if (dim->title.n == 0)
        dim->title = str_of(dim->id);
    read_values(r, n, p, dim);
}

static void check_unique(struct suite_reading *r, const struct node *n,
                         const struct dimension *dims, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (dims[i].id[0] && strcmp(dims[k].id, dims[i].id) == 0) {
            diags_error(r->d, field_get(n, "id")->at, "two dimensions share the id '%s'",
                        dims[i].id);
            return;
        }
    }
}

/* ---- weights ---- */

/* weights: {accuracy: 5, fluency: 1} */
static void weigh_by_id(struct suite_reading *r, const struct node *weights, struct dimension *dims,
                        size_t n)
{
    const char **ids = (const char **)arena_array(r->a, n, sizeof *ids);
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        ids[i] = dims[i].id;
    (void)node_keys(weights, ids, n, r->d);
    for (size_t i = 0; i < n; i++) {
        const struct node *m = field_get(weights, ids[i]);
        if (!m)
            diags_error(r->d, weights->at, "'weights' lacks the dimension '%s'", ids[i]);
        dims[i].weight = node_double(m, 0, DBL_MAX, 1, r->d);
        sum += dims[i].weight;
    }
    if (sum <= 0)
        diags_error(r->d, weights->at, "all weights are zero");
}

static size_t weights_given(const struct node *list)
{
    size_t given = 0;

    for (const struct node *m = list->first; m; m = m->next)
        given += field_get(m, "weight") != NULL;
    return given;
}

/* 'weights' and weights of individual dimensions would contradict each other. */
static void refuse_own_weights(struct suite_reading *r, const struct node *list)
{
    for (const struct node *m = list->first; m; m = m->next) {
        const struct node *weight = field_get(m, "weight");
        if (weight)
            diags_error(r->d, weight->key->at,
                        "'weights' already sets the weights; remove this one");
    }
}

static void check_weights(struct suite_reading *r, const struct node *list,
                          const struct dimension *dims)
{
    size_t given = weights_given(list);
    double sum = 0;

    for (size_t i = 0; i < list->n; i++)
        sum += dims[i].weight;
    if (given && sum <= 0)
        diags_error(r->d, list->at, "all weights are zero");
    if (given == 0 || given == list->n)
        return;
    for (const struct node *m = list->first; m; m = m->next)
        if (m->kind == NODE_MAP && !field_get(m, "weight"))
            diags_error(r->d, m->at, "give every dimension a weight, or none of them");
}

/* Stable sort by descending weight, which qsort() does not guarantee. */
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

/* Explicitly, or because a scene lists its dimensions by descending weight. */
static bool is_linear(struct suite_reading *r, const struct parts *p)
{
    static const char *const words[] = {"linear"};

    if (p->weights)
        return node_choice(p->weights, words, COUNT(words), -1, r->d) == 0;
    return p->scene && weights_given(p->dimensions) == 0;
}

static void weigh(struct suite_reading *r, const struct parts *p, struct dimension *dims)
{
    const struct node *list = p->dimensions;

    if (p->weights && !p->reweighs)
        refuse_own_weights(r, list);
    if (p->weights && p->weights->kind == NODE_MAP)
        weigh_by_id(r, p->weights, dims, list->n);
    else if (is_linear(r, p))
        for (size_t i = 0; i < list->n; i++)
            dims[i].weight = (double)(list->n - i);
    else
        check_weights(r, list, dims);
    order_by_weight(dims, list->n);
}

/* The `each` of the dimension with this id; NULL if it has none. */
static const struct node *each_of(struct suite_reading *r, const struct node *list, const char *id)
{
    struct diags unsaid; /* a faulty id has been reported */

    diags_init(&unsaid, r->a);
    for (const struct node *m = list->first; m; m = m->next)
        if (strcmp(field_name(r->a, field_get(m, "id"), "", &unsaid), id) == 0)
            return field_get(m, "each");
    return NULL;
}

/* Without a cast, a dimension with `each` would be like any other. */
static void refuse_each(struct suite_reading *r, const struct node *list)
{
    for (const struct node *m = list->first; m; m = m->next) {
        const struct node *each = field_get(m, "each");
        if (node_bool(each, false, r->d))
            diags_error(r->d, each->key->at,
                        "'each' is for the members of a cast, and the suite has none");
    }
}

/* Replaces a dimension with `each` by one per member of the cast that the model plays; these share
 * its weight. */
static void spread(struct suite_reading *r, const struct node *list)
{
    const struct cast *cast = &r->s->elicit.dialogue.cast;
    struct instrument *in = &r->s->instrument;
    struct dimension *dims = NEW_N(r->a, struct dimension, in->ndimensions * cast->nmembers);
    size_t n = 0, judged = 0;

    for (size_t m = 0; m < cast->nmembers; m++)
        judged += !cast->members[m].other;
    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        const struct node *each = each_of(r, list, d->id);
        if (!node_bool(each, false, r->d)) {
            dims[n++] = *d;
            continue;
        }
        for (size_t m = 0; m < cast->nmembers; m++) {
            const char *who = cast->members[m].character;
            if (cast->members[m].other) /* another model's, which is not judged */
                continue;
            dims[n] = *d;
            dims[n].id = arena_printf(r->a, "%s-%s", d->id, who);
            dims[n].title = str_of(arena_printf(r->a, "%.*s · %s", STR_ARG(d->title), who));
            dims[n++].weight = d->weight / (double)judged;
        }
        if (judged == 0)
            diags_error(r->d, each->at,
                        "every member of the cast says 'by: other': nobody is left to be judged");
    }
    in->dimensions = dims;
    in->ndimensions = n;
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(dims[k].id, dims[i].id) == 0)
                diags_error(r->d, list->at, "two dimensions share the id '%s'", dims[i].id);
}

static void read_dimensions(struct suite_reading *r, const struct parts *p)
{
    const struct node *list = p->dimensions, *m;
    struct dimension *dims;
    size_t i = 0;

    if (list->kind != NODE_LIST || list->n == 0 || list->n > DIMENSIONS_MAX) {
        diags_error(r->d, list->at, "expected a list of 1 to %d dimensions", DIMENSIONS_MAX);
        return;
    }
    dims = NEW_N(r->a, struct dimension, list->n);
    for (m = list->first; m; m = m->next, i++) {
        read_dimension(r, m, p, &dims[i]);
        check_unique(r, m, dims, i);
    }
    weigh(r, p, dims);
    r->s->instrument.dimensions = dims;
    r->s->instrument.ndimensions = list->n;
    if (r->path && r->s->elicit.dialogue.cast.nmembers)
        spread(r, list);
    else if (r->path)
        refuse_each(r, list);
}

/* ---- the whole instrument ---- */

/* The built-in file of this name, else the named file. */
static const struct node *used_file(struct suite_reading *r, const struct node *use)
{
    const char *near;

    if (use->kind == NODE_SCALAR) {
        const struct node *root = doc_built_in(
            r->a, arena_printf(r->a, BUILT_IN "%.*s.yaml", STR_ARG(utf8_head(use->text, 80))),
            r->d);
        if (root)
            return root;
        near = field_is_yaml(use->text) ? NULL : field_built_in(r->a, BUILT_IN, use->text);
        if (near) {
            diags_error(r->d, use->at, "no %s '%.*s' (did you mean '%s'?)", "file of dimensions",
                        STR_ARG(use->text), near);
            return NULL;
        }
    }
    return suite_read_file(r, use, "file of dimensions");
}

/* The file of dimensions that several suites share, built in or not; NULL if none or on errors. */
static const struct node *load_used(struct suite_reading *r, const struct node *n)
{
    const struct node *use = field_get(n, "use"), *own = field_get(n, "dimensions"), *root;

    if (!use)
        return NULL;
    if (own)
        diags_error(r->d, own->key->at,
                    "'use' already supplies the dimensions; remove one of the two");
    root = used_file(r, use);
    if (!root || !suite_read_shape(r, &suite_used_shape, root, NULL))
        return NULL;
    if (!field_get(root, "dimensions"))
        diags_error(r->d, root->at, "the file has no 'dimensions'");
    return root;
}

/* Dimensions of another file come with its weights unless the suite has its own. */
static void take_dimensions(struct parts *p, const struct node *file)
{
    if (p->dimensions || !file)
        return;
    p->dimensions = field_get(file, "dimensions");
    p->reweighs = p->weights != NULL;
    if (!p->weights)
        p->weights = field_get(file, "weights");
    if (!p->quotes)
        p->quotes = field_get(file, "quotes");
}

static struct parts find_parts(struct suite_reading *r, const struct node *n,
                               const struct node *scene)
{
    struct parts p = {.suite = n, .scene = scene};
    const struct node *max = field_get(n, "max");

    p.dimensions = field_get(n, "dimensions");
    p.weights = field_get(n, "weights");
    p.quotes = field_get(n, "quotes");
    take_dimensions(&p, load_used(r, n));
    take_dimensions(&p, scene);
    if (!max && scene)
        max = field_get(scene, "max");
    p.max = shape_int(&suite_instrument_shape, "max", max, scene ? SCENE_MAX : 0, r->d);
    return p;
}

/* A member of the suite's instrument, else of the scene, where its name is `in_scene`. */
static const struct node *either(const struct parts *p, const char *key, const char *in_scene)
{
    const struct node *m = field_get(p->suite, key);

    return m || !p->scene ? m : field_get(p->scene, in_scene);
}

static struct str read_bands(struct suite_reading *r, const struct node *bands)
{
    const struct instrument *in = &r->s->instrument;
    double min = INFINITY, max = -INFINITY;

    for (size_t i = 0; i < in->ndimensions; i++) {
        min = fmin(min, in->dimensions[i].min);
        max = fmax(max, in->dimensions[i].max);
        if (!in->dimensions[i].whole) {
            diags_error(r->d, bands->at, "a band needs whole marks, but '%s' has others",
                        in->dimensions[i].id);
            return STR("");
        }
    }
    return in->ndimensions ? suite_scene_bands(r, bands, min, max) : STR("");
}

static void read_texts(struct suite_reading *r, const struct parts *p)
{
    struct instrument *in = &r->s->instrument;
    const char *language = r->s->language;
    const struct node *title = field_get(p->suite, "scene_title"), *bands, *details;

    if (!title)
        title = field_get(p->scene ? p->scene : p->suite, "scene");
    in->scene = field_text(r->a, title, language, r->d);
    in->scene_description =
        field_text(r->a, either(p, "scene_description", "description"), language, r->d);
    in->steps = suite_scene_steps(r, either(p, "steps", "steps"));
    bands = either(p, "bands", "bands");
    details = field_get(p->suite, "score_details");
    if (!details && !field_get(p->suite, "bands"))
        details = field_get(p->scene, "score_details");
    if (bands)
        in->score_details = read_bands(r, bands);
    if (details)
        in->score_details = field_text(r->a, details, language, r->d);
}

/* Only conversations have numbered turns. */
static void read_quotes(struct suite_reading *r, const struct node *n)
{
    r->s->instrument.quotes = node_bool(n, false, r->d);
    if (r->s->instrument.quotes && r->s->elicit.kind != ELICIT_INTERVIEW &&
        r->s->elicit.kind != ELICIT_DIALOGUE)
        diags_error(r->d, n->at,
                    "'quotes' is for interviews and dialogues, whose turns are numbered");
}

/* whole | turn | {window: 6} */
static void read_over(struct suite_reading *r, const struct node *n)
{
    static const char *const words[] = {"whole", "turn"}, *const keys[] = {"window"};
    struct instrument *in = &r->s->instrument;

    if (n && n->kind == NODE_MAP && node_keys(n, keys, COUNT(keys), r->d))
        in->window =
            (int)shape_int(&suite_instrument_shape, "over", field_get(n, keys[0]), 1, r->d);
    else
        in->window = node_choice(n, words, COUNT(words), 0, r->d);
    if (n && in->window && r->s->elicit.kind != ELICIT_DIALOGUE)
        diags_error(r->d, n->at, "only dialogues can be marked by turn");
}

void suite_read_instrument(struct suite_reading *r, const struct node *n)
{
    const struct node *scene;
    struct parts p;
    bool named;

    if (!n || !suite_read_shape(r, &suite_instrument_shape, n, &r->s->instrument) ||
        r->s->instrument.kind == INSTRUMENT_PAIR)
        return;
    scene = field_get(n, "scene");
    p = find_parts(r, n, suite_scene_load(r, scene, &named));
    if (p.dimensions)
        read_dimensions(r, &p);
    else if (p.scene)
        diags_error(r->d, p.scene->at, "the scene has no 'dimensions'");
    else if (scene && !named)
        suite_scene_unknown(r, scene);
    else if (!scene && !field_get(n, "use"))
        diags_error(r->d, n->at, "the instrument has no 'dimensions'");
    read_quotes(r, p.quotes);
    if (r->path && r->s->instrument.contradictions && r->s->elicit.kind != ELICIT_DIALOGUE)
        diags_error(r->d, field_get(n, "contradictions")->key->at,
                    "'contradictions' is for dialogues");
    read_over(r, field_get(n, "over"));
    read_texts(r, &p);
}
