#include "eval/store_class.h"

#include <stdlib.h>

#include "gen/queries.h"

enum status store_class_forget(struct store *s, int64_t run, const struct class_name *c,
                               struct err *e)
{
    return db_run(s->db, Q_CLASS_FORGET, ARGS(V_INT(run), V_TEXT(c->name), V_TEXT(c->identity)),
                  NULL, e);
}

/* Rows that are gathered one by one and copied into an arena at the end. */
struct gather {
    struct arena *a;
    void *v;
    size_t n, cap;
};

static enum status gather_id(void *user, const struct rows *r, struct err *e)
{
    struct gather *g = user;

    (void)e;
    g->v = mem_grow(g->v, &g->cap, g->n + 1, sizeof(int64_t));
    ((int64_t *)g->v)[g->n++] = row_int(r, 0);
    return OK;
}

enum status store_class_missing(struct arena *a, struct store *s, int64_t run,
                                const char *classifier, struct id_list *out, struct err *e)
{
    struct gather g = {.a = a};
    enum status st =
        db_each(s->db, Q_CLASS_MISSING, ARGS(V_INT(run), V_TEXT(classifier)), gather_id, &g, e);

    if (st == OK)
        *out = (struct id_list){arena_copy(a, g.v, g.n, sizeof(int64_t)), g.n};
    free(g.v);
    return st;
}

enum status store_class_answer(struct arena *a, struct store *s, int64_t sample, struct str *out,
                               struct err *e)
{
    struct rows *r;
    struct str answer = STR("");

    if (db_query(s->db, Q_CLASS_ANSWER, ARGS(V_INT(sample)), &r, e) != OK)
        return e->code;
    if (rows_next(r))
        answer = row_copy(a, r, 0);
    if (rows_end(r, e) != OK)
        return e->code;
    *out = answer;
    return OK;
}

enum status store_class_put(struct store *s, int64_t sample, const struct class_name *c,
                            double logit, struct err *e)
{
    return db_run(s->db, Q_CLASS_PUT,
                  ARGS(V_INT(sample), V_TEXT(c->name), V_TEXT(c->identity), V_REAL(logit)), NULL,
                  e);
}

static enum status gather_logit(void *user, const struct rows *r, struct err *e)
{
    struct gather *g = user;

    (void)e;
    g->v = mem_grow(g->v, &g->cap, g->n + 1, sizeof(double));
    ((double *)g->v)[g->n++] = row_real(r, 0);
    return OK;
}

enum status store_class_logits(struct arena *a, struct store *s, int64_t run,
                               const char *classifier, struct logit_list *out, struct err *e)
{
    struct gather g = {.a = a};
    enum status st =
        db_each(s->db, Q_CLASS_LOGITS, ARGS(V_INT(run), V_TEXT(classifier)), gather_logit, &g, e);

    if (st == OK)
        *out = (struct logit_list){arena_copy(a, g.v, g.n, sizeof(double)), g.n};
    free(g.v);
    return st;
}

static enum status gather_tally(void *user, const struct rows *r, struct err *e)
{
    struct gather *g = user;

    (void)e;
    g->v = mem_grow(g->v, &g->cap, g->n + 1, sizeof(struct class_tally));
    ((struct class_tally *)g->v)[g->n++] = (struct class_tally){
        row_copy(g->a, r, 0).p, row_copy(g->a, r, 1).p, row_int(r, 2), row_int(r, 3)};
    return OK;
}

enum status store_class_tally(struct arena *a, struct store *s, int64_t run,
                              struct class_tally_list *out, struct err *e)
{
    struct gather g = {.a = a};
    enum status st = db_each(s->db, Q_CLASS_TALLY, ARGS(V_INT(run)), gather_tally, &g, e);

    if (st == OK)
        *out = (struct class_tally_list){arena_copy(a, g.v, g.n, sizeof(struct class_tally)), g.n};
    free(g.v);
    return st;
}
