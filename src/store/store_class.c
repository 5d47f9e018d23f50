#include "store/store_class.h"

#include "gen/queries.h"

enum status store_class_forget(struct store *s, int64_t run, const struct class_name *c, bool *any,
                               struct err *e)
{
    return db_change(s->db, Q_CLASS_FORGET, ARGS(V_INT(run), V_TEXT(c->name), V_TEXT(c->identity)),
                     any, e);
}

enum status store_class_missing(struct arena *a, struct store *s, int64_t run,
                                const char *classifier, struct id_list *out, struct err *e)
{
    return db_list(s->db, Q_CLASS_MISSING, ARGS(V_INT(run), V_TEXT(classifier)),
                   INTO(a, out, row_first_int), e);
}

enum status store_class_answer(struct arena *a, struct store *s, int64_t sample, struct str *out,
                               struct err *e)
{
    *out = STR("");
    return db_str(s->db, Q_CLASS_ANSWER, ARGS(V_INT(sample)), a, out, NULL, e);
}

enum status store_class_put(struct store *s, int64_t sample, const struct class_name *c,
                            double logit, struct err *e)
{
    return db_run(
        s->db, Q_CLASS_PUT,
        ARGS(V_INT(sample), V_TEXT(c->name), V_TEXT(c->identity), V_REAL(logit), V_TEXT(c->label)),
        NULL, e);
}

enum status store_class_label(struct arena *a, struct store *s, int64_t run, const char *classifier,
                              const char **out, struct err *e)
{
    struct str label = str_of(classifier);

    if (db_str(s->db, Q_CLASS_LABEL, ARGS(V_INT(run), V_TEXT(classifier)), a, &label, NULL, e) !=
        OK)
        return e->code;
    *out = label.p;
    return OK;
}

static void read_logit(struct arena *a, const struct rows *r, void *out)
{
    (void)a;
    *(double *)out = row_real(r, C_CLASS_LOGITS_LOGIT);
}

enum status store_class_logits(struct arena *a, struct store *s, int64_t run,
                               const char *classifier, struct logit_list *out, struct err *e)
{
    return db_list(s->db, Q_CLASS_LOGITS, ARGS(V_INT(run), V_TEXT(classifier)),
                   INTO(a, out, read_logit), e);
}

enum status store_class_tally(struct arena *a, struct store *s, int64_t run,
                              struct class_tally_list *out, struct err *e)
{
    return db_list(s->db, Q_CLASS_TALLY, ARGS(V_INT(run)),
                   ROWS_INTO(a, out, COLUMNS_CLASS_TALLY(struct class_tally)), e);
}
