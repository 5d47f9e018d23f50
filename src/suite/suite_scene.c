/* Reads scenes: an instrument in its own file, with the texts that scene templates show. */
#include <math.h>

#include "suite/suite_read.h"

#define BUILT_IN "share/scenes/"

enum { STEPS_MAX = 100 };

/* ---- finding ---- */

const struct node *suite_scene_load(struct suite_reading *r, const struct node *n, bool *named)
{
    const struct node *root = NULL;

    *named = false;
    /* A stored suite contains the scene's texts and the name that judges see. */
    if (!n || n->kind != NODE_SCALAR || !r->path)
        return NULL;
    if (field_is_yaml(n->text)) {
        *named = true;
        root = suite_read_file(r, n, "scene file");
    } else if (field_is_id(n->text)) {
        root = doc_built_in(r->a, arena_printf(r->a, BUILT_IN "%.*s.yaml", STR_ARG(n->text)), r->d);
        *named = root != NULL;
    }
    if (!root || !suite_read_shape(r, &suite_scene_shape, root, NULL))
        return NULL;
    if (!field_get(root, "scene"))
        diags_error(r->d, root->at, "the scene has no 'scene', the name judges see");
    return root;
}

void suite_scene_unknown(struct suite_reading *r, const struct node *n)
{
    struct str wanted = n->kind == NODE_SCALAR ? utf8_head(n->text, 40) : STR("");
    const char *near = field_built_in(r->a, BUILT_IN, wanted);

    diags_error(r->d, n->at,
                near ? "no built-in scene '%.*s' (did you mean '%s'?)"
                     : "no built-in scene '%.*s' (a file ends in .yaml), and the instrument has no "
                       "'dimensions'",
                STR_ARG(wanted), near);
}

/* ---- texts ---- */

static struct str finish(struct suite_reading *r, const struct buf *b, struct place at)
{
    if (b->full)
        diags_error(r->d, at, "together they are over %d bytes", FIELD_TEXT_MAX);
    return arena_str(r->a, buf_str(b));
}

struct band {
    double from;
    struct str name, text;
};

static const struct shape_key band_keys[] = {
    {"from", SHAPE_REAL, SHAPE_NEEDED, .at = offsetof(struct band, from), .min = -1e9, .max = 1e9},
    {"name", SHAPE_TEXT, .at = offsetof(struct band, name)},
    {"text", SHAPE_TEXT, SHAPE_NEEDED, .at = offsetof(struct band, text)},
};
const struct shape suite_band_shape = {SHAPE_OF("band", band_keys, struct band)};

static bool read_band(struct suite_reading *r, const struct node *m, struct band *out)
{
    size_t errors = r->d->errors;

    *out = (struct band){0};
    if (suite_read_shape(r, &suite_band_shape, m, out) && out->from != floor(out->from))
        diags_error(r->d, field_get(m, "from")->at, "a band must begin at a whole mark");
    return r->d->errors == errors;
}

/* "8–10, good: better than the reference" */
static void add_band(const struct suite_reading *r, const struct band *band, double to,
                     struct buf *b)
{
    buf_fmt(b, b->n ? "\n%.15g" : "%.15g", band->from);
    if (to > band->from)
        buf_fmt(b, "%s%.15g", vocab_in(r->s->language, "–", "～", "～"), to);
    buf_text(b, vocab_in(r->s->language, "", " 分", " 点"));
    if (band->name.n)
        buf_fmt(b, "%s%.*s", vocab_in(r->s->language, ", ", "，", "、"), STR_ARG(band->name));
    buf_fmt(b, "%s%.*s", vocab_in(r->s->language, ": ", "：", "："), STR_ARG(band->text));
}

struct str suite_scene_bands(struct suite_reading *r, const struct node *n, double min, double max)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FIELD_TEXT_MAX);
    struct band band = {.from = max + 1};
    size_t errors = r->d->errors;

    if (n->kind != NODE_LIST || n->n == 0 || n->n > BANDS_MAX)
        diags_error(r->d, n->at, "expected 1 to %d bands such as {from: 8, name: good, text: ...}",
                    BANDS_MAX);
    for (const struct node *m = n->first; m && r->d->errors == errors; m = m->next) {
        double above = band.from;
        if (!read_band(r, m, &band))
            break;
        if (above > max && band.from > max)
            diags_error(r->d, field_get(m, "from")->at,
                        "a band begins at %.15g, but marks end at %.15g", band.from, max);
        else if (band.from >= above)
            diags_error(r->d, field_get(m, "from")->at,
                        "a band begins at %.15g, which is not below the one before it (%.15g)",
                        band.from, above);
        add_band(r, &band, above - 1, &b);
    }
    if (r->d->errors == errors && band.from != min)
        diags_error(r->d, n->at, "the lowest band begins at %.15g, but marks begin at %.15g",
                    band.from, min);
    return finish(r, &b, n->at);
}

struct str suite_scene_steps(struct suite_reading *r, const struct node *n)
{
    AUTO(buf_done) struct buf b = BUF_MAX(FIELD_TEXT_MAX);
    int number = 0;

    if (!n || n->kind != NODE_LIST)
        return field_text(r->a, n, r->s->language, r->d);
    if (n->n == 0 || n->n > STEPS_MAX)
        diags_error(r->d, n->at, "expected 1 to %d steps", STEPS_MAX);
    for (const struct node *m = n->first; m && number < STEPS_MAX; m = m->next) {
        struct str text = field_text(r->a, m, r->s->language, r->d);
        if (text.n == 0)
            diags_error(r->d, m->at, "the step is empty");
        buf_fmt(&b, "%s%d. %.*s", number ? "\n" : "", number + 1, STR_ARG(text));
        number++;
    }
    return finish(r, &b, n->at);
}
