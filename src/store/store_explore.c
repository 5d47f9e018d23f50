#include "store/store_explore.h"

#include <math.h>

#include "base/clock.h"
#include "gen/queries.h"
#include "store/store_order.h"

/* ---- values ---- */

enum status store_valued(struct store *s, int64_t run, int64_t *derived, int64_t *valued,
                         struct err *e)
{
    return db_two_ints(s->db, Q_VALUED, ARGS(V_INT(run)), derived, valued, e);
}

enum status store_value_put(struct store *s, int64_t run, int64_t derived,
                            const struct value_list *l, struct err *e)
{
    if (db_run(s->db, Q_VALUE_DROP, ARGS(V_INT(run)), NULL, e) != OK)
        return e->code;
    for (size_t i = 0; i < l->n; i++)
        if (db_run(s->db, Q_VALUE_ADD,
                   ARGS(V_INT(run), V_INT(l->v[i].sample), V_REAL(l->v[i].value),
                        V_REAL(l->v[i].spread), V_TEXT(l->v[i].rule)),
                   NULL, e) != OK)
            return e->code;
    return db_run(s->db, Q_VALUED_SET, ARGS(V_INT(run), V_INT(derived)), NULL, e);
}

enum status store_value_list(struct arena *a, struct store *s, int64_t run, struct value_list *out,
                             struct err *e)
{
    return db_list(s->db, Q_VALUE_LIST, ARGS(V_INT(run)),
                   ROWS_INTO(a, out, COLUMNS_VALUE(struct value_row)), e);
}

enum status store_value_of(struct arena *a, struct store *s, int64_t sample,
                           const struct value_row **out, struct err *e)
{
    struct value_list l;

    if (db_list(s->db, Q_VALUE_OF, ARGS(V_INT(sample)),
                ROWS_INTO(a, &l, COLUMNS_VALUE(struct value_row)), e) != OK)
        return e->code;
    *out = l.n ? l.v : NULL;
    return OK;
}

/* ---- pages ---- */

/* A pattern of LIKE for texts that contain these words, with `beside` on both sides; "" if there
 * are none. */
static const char *pattern(struct arena *a, const char *words, const char *beside)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);
    struct str text = str_trim(str_of(words));

    if (!text.n)
        return "";
    buf_fmt(&b, "%%%s", beside);
    for (size_t i = 0; i < text.n; i++) {
        if (strchr("%_\\", text.p[i]))
            buf_char(&b, '\\');
        buf_char(&b, text.p[i]);
    }
    buf_fmt(&b, "%s%%", beside);
    return arena_text(a, buf_str(&b));
}

enum status store_run_page(struct arena *a, struct store *s, const struct explore_run_filter *f,
                           struct explore_place after, int64_t most, struct explore_runs *out,
                           struct err *e)
{
    int64_t key = after.key > -9e15 ? (int64_t)fmin(after.key, 9e15) : INT64_MIN;

    if (db_list(s->db, Q_RUN_PAGE,
                ARGS(V_TEXT(f->order), V_TEXT(pattern(a, f->words, "")), V_TEXT(f->model),
                     V_TEXT(pattern(a, f->tag, " ")), V_TEXT(f->state), V_INT(key), V_INT(after.id),
                     V_INT(most)),
                ROWS_INTO(a, out, COLUMNS_RUN_PAGE(struct explore_run)), e) != OK)
        return e->code;
    out->total = out->n ? out->v[0].total : 0;
    return OK;
}

/* The arguments to ask the same about each of n runs. */
static struct args ids_of(struct arena *a, const int64_t *runs, size_t n)
{
    struct val *ids = NEW_N(a, struct val, n);

    for (size_t i = 0; i < n; i++)
        ids[i] = V_INT(runs[i]);
    return (struct args){ids, n};
}

static enum explore_phase phase_of(const struct explore_stand *c)
{
    bool at_work = c->beat_ms > clock_utc_ms() - WORKER_SIGN_MS;

    if (c->planned == 0 && !at_work)
        return PHASE_OVER;
    if (strcmp(c->orders, order_word(ORDER_PAUSED)) == 0)
        return PHASE_PAUSED;
    if (strcmp(c->orders, order_word(ORDER_CANCELLED)) == 0)
        return PHASE_CANCELLED;
    if (at_work)
        return PHASE_RUNNING;
    return strcmp(c->orders, order_word(ORDER_QUEUED)) == 0 ? PHASE_QUEUED : PHASE_LEFT;
}

enum status store_run_stand(struct arena *a, struct store *s, const int64_t *runs, size_t n,
                            struct explore_stand *out, struct err *e)
{
    if (db_row_of_each(s->db, Q_RUN_STAND, ids_of(a, runs, n), n, a,
                       COLUMNS_RUN_STAND(struct explore_stand), out, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        out[i].phase = phase_of(&out[i]);
    return OK;
}

struct casting {
    struct arena *a;
    struct explore_cast *out;
};

/* There are few names: the array doubles inside the arena. */
static enum status take_cast(void *user, size_t i, const struct rows *r, struct err *e)
{
    const struct casting *to = user;
    struct explore_names *side =
        row_int(r, C_RUN_CAST_JUDGING) ? &to->out[i].judges : &to->out[i].models;

    (void)e;
    if ((side->n & (side->n - 1)) == 0) {
        const char **v = NEW_N(to->a, const char *, side->n ? 2 * side->n : 1);
        for (size_t k = 0; k < side->n; k++)
            v[k] = side->v[k];
        side->v = v;
    }
    side->v[side->n++] = row_copy(to->a, r, C_RUN_CAST_NAME).p;
    return OK;
}

enum status store_run_cast(struct arena *a, struct store *s, const int64_t *runs, size_t n,
                           struct explore_cast *out, struct err *e)
{
    memset(out, 0, n * sizeof *out);
    return db_each_of(s->db, Q_RUN_CAST, ids_of(a, runs, n), n, take_cast,
                      &(struct casting){a, out}, e);
}

static void read_sample(struct arena *a, const struct rows *r, void *out)
{
    row_into(a, r, COLUMNS_SAMPLE_PAGE(struct explore_sample), out);
    ((struct explore_sample *)out)->state = vocab_state_of(row_str(r, C_SAMPLE_PAGE_STATE));
}

enum status store_sample_page(struct arena *a, struct store *s,
                              const struct explore_sample_filter *f, struct explore_place after,
                              int64_t most, struct explore_samples *out, struct err *e)
{
    if (db_list(s->db, Q_SAMPLE_PAGE,
                ARGS(V_INT(f->run), V_TEXT(f->order), V_INT(f->model), V_INT(f->item),
                     V_INT(f->judge), V_TEXT(f->flag), V_REAL(fmax(f->from, -1e300)),
                     V_REAL(fmin(f->to, 1e300)), V_INT(f->unscored), V_REAL(f->spread),
                     V_INT(f->baseline), V_TEXT(pattern(a, f->words, "")), V_REAL(after.key),
                     V_INT(after.id), V_INT(most)),
                INTO(a, out, read_sample), e) != OK)
        return e->code;
    out->total = out->n ? out->v[0].total : 0;
    return OK;
}

enum status store_sample_beside(struct store *s, int64_t run, int64_t sample, int64_t *before,
                                int64_t *after, struct err *e)
{
    return db_two_ints(s->db, Q_SAMPLE_BESIDE, ARGS(V_INT(run), V_INT(sample)), before, after, e);
}

enum status store_battle_page(struct arena *a, struct store *s, int64_t run, int64_t sample,
                              int64_t other, int64_t most, struct explore_battles *out,
                              struct err *e)
{
    return db_list(s->db, Q_BATTLE_PAGE, ARGS(V_INT(run), V_INT(sample), V_INT(other), V_INT(most)),
                   ROWS_INTO(a, out, COLUMNS_BATTLE_PAGE(struct explore_battle)), e);
}

/* ---- one name over all runs ---- */

enum status store_runs_of(struct arena *a, struct store *s, enum party_kind kind, const char *name,
                          int64_t most, struct explore_parts *out, struct err *e)
{
    return db_list(s->db, kind == PARTY_MODEL ? Q_RUNS_OF_MODEL : Q_RUNS_OF_JUDGE,
                   ARGS(V_TEXT(name), V_INT(most)),
                   ROWS_INTO(a, out, COLUMNS_RUN_OF(struct explore_part)), e);
}

static void read_name(struct arena *a, const struct rows *r, void *out)
{
    *(const char **)out = row_copy(a, r, C_NAME_NAME).p;
}

enum status store_party_names(struct arena *a, struct store *s, enum party_kind kind,
                              const char *after, int64_t most, struct explore_names *out,
                              struct err *e)
{
    return db_list(s->db, kind == PARTY_MODEL ? Q_MODEL_NAMES : Q_JUDGE_NAMES,
                   ARGS(V_TEXT(after), V_INT(most)), INTO(a, out, read_name), e);
}

enum status store_run_before(struct arena *a, struct store *s, const struct run_row *run,
                             const char **out, struct err *e)
{
    struct str name = {NULL, 0};

    if (db_str(s->db, Q_RUN_BEFORE, ARGS(V_TEXT(run->suite), V_INT(run->id)), a, &name, NULL, e) !=
        OK)
        return e->code;
    *out = name.p;
    return OK;
}

/* ---- boards over many runs ---- */

enum status store_suite_list(struct arena *a, struct store *s, int64_t most,
                             struct explore_suites *out, struct err *e)
{
    return db_list(s->db, Q_SUITE_LIST, ARGS(V_INT(most)),
                   ROWS_INTO(a, out, COLUMNS_SUITE_LIST(struct explore_suite)), e);
}

enum status store_board_of(struct arena *a, struct store *s, const char *suite, const char *metric,
                           int64_t most, struct explore_entries *out, struct err *e)
{
    return db_list(s->db, Q_BOARD_OF, ARGS(V_TEXT(suite), V_TEXT(metric), V_INT(most)),
                   ROWS_INTO(a, out, COLUMNS_BOARD_OF(struct explore_entry)), e);
}

/* ---- words in all replies ---- */

enum status store_words_put(struct store *s, int64_t run, int64_t derived, struct err *e)
{
    static const int steps[] = {Q_WORD_SAMPLES_DROP, Q_WORD_VERDICTS_DROP, Q_REMOVE_WORDS,
                                Q_WORD_SAMPLES_ADD, Q_WORD_VERDICTS_ADD};
    enum { DROPS = 3 };
    int64_t busy, people;
    size_t n;

    if (db_int(s->db, Q_WORD_BUSY, ARGS(V_INT(run)), &busy, NULL, e) != OK ||
        db_int(s->db, Q_WORD_PEOPLE, ARGS(V_INT(run)), &people, NULL, e) != OK)
        return e->code;
    n = busy ? 0 : people ? DROPS : COUNT(steps);
    for (size_t i = 0; i < n; i++)
        if (db_run(s->db, steps[i], ARGS(V_INT(run)), NULL, e) != OK)
            return e->code;
    return n < COUNT(steps)
               ? OK
               : db_run(s->db, Q_WORD_RUN_SET, ARGS(V_INT(run), V_INT(derived)), NULL, e);
}

enum status store_unworded(struct arena *a, struct store *s, int64_t most, int64_t **out, size_t *n,
                           struct err *e)
{
    return db_list(s->db, Q_UNWORDED, ARGS(V_INT(most)), INTO_ARRAY(a, out, n, row_first_int), e);
}

/* Whether the index can answer. */
static enum status indexed(struct arena *a, struct store *s, const char *words, bool *yes,
                           struct err *e)
{
    int64_t *runs;
    size_t n;

    *yes = false;
    if (utf8_count(str_of(words)) < 3 || words[strcspn(words, "%_\\")])
        return OK;
    if (store_unworded(a, s, EXPLORE_UNWORDED + 1, &runs, &n, e) != OK)
        return e->code;
    *yes = n <= EXPLORE_UNWORDED;
    return OK;
}

enum status store_search(struct arena *a, struct store *s, const char *words, bool judges,
                         int64_t from, int64_t most, struct explore_hits *out, struct err *e)
{
    const struct row_list *l = ROWS_INTO(a, out, COLUMNS_HIT(struct explore_hit));
    const char *like = pattern(a, words, "");
    bool index;
    enum status st;

    *out = (struct explore_hits){.from = from};
    if (!*like)
        return OK;
    if ((!from && db_int(s->db, judges ? Q_NEWEST_VERDICT : Q_NEWEST_SAMPLE, NO_ARGS, &out->from,
                         NULL, e) != OK) ||
        indexed(a, s, words, &index, e) != OK)
        return e->code;
    out->to = !index && out->from > EXPLORE_WINDOW ? out->from - EXPLORE_WINDOW : 0;
    st = index ? db_list(s->db, judges ? Q_FIND_VERDICTS : Q_FIND_ANSWERS,
                         ARGS(V_TEXT(like), V_INT(out->from), V_INT(most)), l, e)
               : db_list(s->db, judges ? Q_SEARCH_VERDICTS : Q_SEARCH_ANSWERS,
                         ARGS(V_TEXT(like), V_INT(out->from), V_INT(out->to), V_INT(most)), l, e);
    if (st != OK)
        return st;
    if (out->n == (size_t)most)
        out->to = out->v[out->n - 1].id - 1;
    return OK;
}
