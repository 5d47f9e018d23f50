#include "math/linear.h"

#include <limits.h>
#include <linear.h>

static const double stop_at = 1e-4; /* relative size of the gradient */

static void say_nothing(const char *text)
{
    (void)text;
}

/* In liblinear's format: columns from 1, then the constant, then -1. */
static struct feature_node *row_nodes(struct arena *a, const struct linear_row *row, int constant)
{
    struct feature_node *nodes = NEW_N(a, struct feature_node, row->n + 2);

    for (size_t i = 0; i < row->n; i++)
        nodes[i] = (struct feature_node){(int)row->cells[i].column + 1, row->cells[i].value};
    nodes[row->n] = (struct feature_node){constant, 1};
    nodes[row->n + 1] = (struct feature_node){-1, 0};
    return nodes;
}

static enum status check(const struct linear_problem *p, struct err *e)
{
    size_t positive = 0;

    if (p->n >= INT_MAX || p->columns >= INT_MAX - 1)
        return err_set(e, E_INPUT, "too many lines to train on");
    for (size_t i = 0; i < p->n; i++)
        positive += p->rows[i].positive;
    if (positive == 0 || positive == p->n)
        return err_set(e, E_INPUT, "training needs lines of both classes");
    return OK;
}

static void take_weights(struct arena *a, const struct model *m, size_t columns,
                         struct linear_model *out)
{
    double sign = m->label[0] == 1 ? 1 : -1; /* weights are for the class seen first */

    out->weights = NEW_N(a, double, columns);
    for (size_t i = 0; i < columns; i++)
        out->weights[i] = sign * m->w[i] + 0.0; /* avoids storing -0 */
    out->constant = sign * m->w[columns];
}

enum status linear_train(struct arena *a, const struct linear_problem *p, struct linear_model *out,
                         struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct parameter how = {.solver_type = L2R_LR, .eps = stop_at, .C = p->cost};
    struct problem prob = {.l = (int)p->n, .n = (int)p->columns + 1, .bias = 1};
    struct model *m;

    if (check(p, e) != OK)
        return e->code;
    prob.y = NEW_N(scratch, double, p->n);
    prob.x = NEW_N(scratch, struct feature_node *, p->n);
    for (size_t i = 0; i < p->n; i++) {
        prob.y[i] = p->rows[i].positive ? 1 : -1;
        prob.x[i] = row_nodes(scratch, &p->rows[i], prob.n);
    }
    set_print_string_function(say_nothing);
    m = train(&prob, &how);
    if (!m)
        return err_set(e, E_SYSTEM, "training failed");
    take_weights(a, m, p->columns, out);
    free_and_destroy_model(&m);
    return OK;
}

double linear_logit(const struct linear_model *m, const struct linear_row *row)
{
    double sum = m->constant;

    for (size_t i = 0; i < row->n; i++)
        sum += m->weights[row->cells[i].column] * row->cells[i].value;
    return sum;
}
