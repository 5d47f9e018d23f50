#include "store/store_trick.h"

#include "base/hash.h"
#include "gen/queries.h"

/* A bit is set so that no seal is 0, which means none. */
static int64_t ended(struct hash *h)
{
    uint64_t bits = hash_u64(h) | 1;
    int64_t seal;

    memcpy(&seal, &bits, sizeof seal);
    return seal;
}

static int64_t seal_of_trick(const struct trick_row *row)
{
    struct hash h;

    hash_init(&h);
    hash_str(&h, str_of(row->judge));
    hash_str(&h, str_of(row->probe));
    hash_int(&h, row->n);
    hash_int(&h, row->fell);
    hash_int(&h, row->at_ms);
    return ended(&h);
}

/* Row ids are left out: they change when a run is moved to another database. */
static int64_t seal_of_trial(const struct trial_row *row)
{
    struct hash h;

    hash_init(&h);
    hash_str(&h, str_of(row->judge));
    hash_str(&h, str_of(row->probe));
    hash_str(&h, str_of(row->model));
    hash_str(&h, str_of(row->item));
    hash_int(&h, row->repeat);
    hash_str(&h, row->reply);
    return ended(&h);
}

/* ---- results ---- */

enum status store_trick_put(struct store *s, int64_t run, const struct trick_row *row,
                            struct err *e)
{
    return db_run(s->db, Q_TRICK_PUT,
                  ARGS(V_INT(run), V_TEXT(row->judge), V_TEXT(row->probe), V_INT(row->n),
                       V_INT(row->fell), V_INT(row->at_ms), V_INT(seal_of_trick(row))),
                  NULL, e);
}

static void read_trick(struct arena *a, const struct rows *r, void *out)
{
    struct trick_row *row = out;

    row_into(a, r, COLUMNS_TRICK(struct trick_row), row);
    row->older = row->seal == 0;
    row->sealed = row->seal == seal_of_trick(row);
}

enum status store_trick_list(struct arena *a, struct store *s, const char *judge,
                             struct trick_list *out, struct err *e)
{
    return db_list(s->db, Q_TRICK_LIST, ARGS(V_TEXT(judge)), INTO(a, out, read_trick), e);
}

enum status store_trick_of_run(struct arena *a, struct store *s, int64_t run,
                               struct trick_list *out, struct err *e)
{
    return db_list(s->db, Q_TRICK_OF_RUN, ARGS(V_INT(run)), INTO(a, out, read_trick), e);
}

/* ---- what judges said ---- */

enum status store_trial_drop(struct store *s, int64_t run, const char *judge, struct err *e)
{
    return db_run(s->db, Q_TRIAL_DROP, ARGS(V_INT(run), V_TEXT(judge)), NULL, e);
}

enum status store_trial_add(struct store *s, int64_t run, const struct trial_row *row,
                            struct err *e)
{
    return db_run(s->db, Q_TRIAL_ADD,
                  ARGS(V_INT(run), V_TEXT(row->judge), V_INT(row->sample), V_TEXT(row->probe),
                       V_STR(row->reply), V_INT(seal_of_trial(row))),
                  NULL, e);
}

struct cursor store_trials(struct store *s, int64_t run, struct err *e)
{
    return cursor_open(s, Q_TRIAL_EACH, ARGS(V_INT(run)), e);
}

bool store_trial_next(struct cursor *c, struct trial_row *out)
{
    if (!cursor_next(c, COLUMNS_TRIAL(struct trial_row), out))
        return false;
    out->sealed = out->seal == seal_of_trial(out);
    return true;
}
