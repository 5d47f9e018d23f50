/* Reads worked examples: answers with the marks they deserve, and why. */
#include "suite/suite_read.h"

static double read_mark(struct suite_reading *r, const struct node *n, const struct dimension *dim)
{
    double v;

    if (n->kind != NODE_SCALAR || !str_double(n->text, &v)) {
        diags_error(r->d, n->at, "expected a mark for '%s'", dim->id);
        return dim->min;
    }
    if (!vocab_allows(dim, v))
        diags_error(r->d, n->at, "%g is not an allowed value of '%s'", v, dim->id);
    return v;
}

/* A number for a single dimension, a map for several. */
static void read_marks(struct suite_reading *r, const struct node *n, double *out)
{
    const struct instrument *in = &r->s->instrument;
    const char **ids = (const char **)arena_array(r->a, in->ndimensions, sizeof *ids);

    if (n->kind == NODE_SCALAR && in->ndimensions == 1) {
        out[0] = read_mark(r, n, &in->dimensions[0]);
        return;
    }
    if (n->kind != NODE_MAP) {
        diags_error(r->d, n->at, "expected a mark for each dimension: {%s: ..., ...}",
                    in->dimensions[0].id);
        return;
    }
    for (size_t i = 0; i < in->ndimensions; i++)
        ids[i] = in->dimensions[i].id;
    (void)node_keys(n, ids, in->ndimensions, r->d);
    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct node *m = field_get(n, ids[i]);
        if (m)
            out[i] = read_mark(r, m, &in->dimensions[i]);
        else
            diags_error(r->d, n->at, "the example has no mark for '%s'", ids[i]);
    }
}

static void read_example(struct suite_reading *r, const struct node *n, struct example *out)
{
    const struct node *score = field_get(n, "score");
    double *scores = NEW_N(r->a, double, r->s->instrument.ndimensions);

    out->scores = scores;
    if (suite_read_shape(r, &suite_example_shape, n, out) && score)
        read_marks(r, score, scores);
}

void suite_read_examples(struct suite_reading *r, const struct node *root)
{
    const struct node *n = field_get(root, "examples");
    struct example *examples;

    if (n && n->kind == NODE_SCALAR)
        n = suite_read_file(r, n, "file of examples");
    if (!n || r->s->instrument.ndimensions == 0) /* their absence has been reported */
        return;
    if (n->kind != NODE_LIST || n->n == 0 || n->n > EXAMPLES_MAX) {
        diags_error(r->d, n->at, "expected a list of 1 to %d examples", EXAMPLES_MAX);
        return;
    }
    examples = NEW_N(r->a, struct example, n->n);
    for (const struct node *m = n->first; m; m = m->next)
        read_example(r, m, &examples[r->s->nexamples++]);
    r->s->examples = examples;
}

const struct example *suite_examples(struct arena *a, const struct node *root, const char *beside,
                                     const struct suite *s, size_t *n, struct diags *d)
{
    struct suite copy = *s;
    struct suite_reading r = {.a = a, .d = d, .path = beside, .s = &copy};

    copy.examples = NULL;
    copy.nexamples = 0;
    suite_read_examples(&r, root);
    *n = copy.nexamples;
    return copy.examples;
}
