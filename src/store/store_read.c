#include "store/store_read.h"

#include "base/json.h"
#include "gen/queries.h"
#include "reply/about.h"
#include "store/facts.h"
#include "store/store_pack.h"
#include "suite/mark.h"

/* Range of the item ids of a run: other runs may be planned at the same time. */
enum { SPAN_MAX = 1 << 26 };

static struct val name_or_all(const char *name)
{
    return V_TEXT(name ? name : "");
}

/* ---- samples ---- */

struct cursor store_samples(struct store *s, const struct sample_filter *f, struct err *e)
{
    return cursor_open(
        s, Q_SAMPLE_EACH,
        ARGS(V_INT(f->run), V_INT(f->id), name_or_all(f->model), name_or_all(f->item)), e);
}

bool store_sample_next(struct cursor *c, struct sample_row *out)
{
    if (!cursor_next(c, COLUMNS_SAMPLE(struct sample_row), out))
        return false;
    out->state = vocab_state_of(row_str(c->rows, C_SAMPLE_STATE));
    return true;
}

/* ---- verdicts and marks ---- */

/* Everything that is read is copied into the arena, or borrowed if that is NULL. */
static void read_verdict(struct arena *a, const struct rows *r, void *out)
{
    struct verdict_row *v = out;

    row_into(a, r, COLUMNS_VERDICT(struct verdict_row), v);
    v->state = vocab_state_of(row_str(r, C_VERDICT_STATE));
    v->about = about_is(v->shown);
    if (v->other_name) {
        bool other_first = str_is(v->shown, "ba");
        v->shown_a = other_first ? v->other_name : v->model_name;
        v->shown_b = other_first ? v->model_name : v->other_name;
    }
}

enum status store_verdict_list(struct arena *a, struct store *s, const struct verdict_filter *f,
                               struct verdict_list *out, struct err *e)
{
    const struct row_list *l = INTO(a, out, read_verdict);

    return f->people
               ? db_list(s->db, Q_PEOPLE_VERDICT_EACH,
                         ARGS(V_INT(f->run), V_INT(f->people->campaign), V_INT(f->sample)), l, e)
               : db_list(s->db, Q_VERDICT_OF, ARGS(V_INT(f->run), V_INT(f->sample), V_INT(f->id)),
                         l, e);
}

struct cursor store_verdicts(struct store *s, int64_t run, const struct jury *people, struct err *e)
{
    if (!people)
        return cursor_open(s, Q_VERDICT_EACH, ARGS(V_INT(run)), e);
    return cursor_open(s, Q_PEOPLE_VERDICT_EACH,
                       ARGS(V_INT(run), V_INT(people->campaign), V_INT(0)), e);
}

bool store_verdict_next(struct cursor *c, struct verdict_row *out)
{
    if (!rows_next(c->rows))
        return false;
    read_verdict(NULL, c->rows, out);
    return true;
}

enum status store_mark_list(struct arena *a, struct store *s, int64_t verdict, int64_t sample,
                            struct mark_list *out, struct err *e)
{
    const struct row_list *l = ROWS_INTO(a, out, COLUMNS_MARK(struct mark));

    return verdict < 0
               ? db_list(s->db, Q_PEOPLE_MARK_LIST, ARGS(V_INT(-verdict), V_INT(sample)), l, e)
               : db_list(s->db, Q_MARK_LIST, ARGS(V_INT(verdict)), l, e);
}

const struct mark *store_mark_find(const struct mark_list *marks, const char *dimension)
{
    for (size_t i = 0; i < marks->n; i++)
        if (strcmp(marks->v[i].dimension, dimension) == 0)
            return &marks->v[i];
    return NULL;
}

bool store_fact_next(struct cursor *c, struct mark_fact *out)
{
    return cursor_next(c, COLUMNS_FACT(struct mark_fact), out);
}

enum status store_people_mark_each(struct store *s, int64_t run, const struct jury *jury,
                                   mark_fn *fn, void *user, struct err *e)
{
    AUTO(cursor_close)
    struct cursor c =
        cursor_open(s, Q_PEOPLE_MARK_EACH, ARGS(V_INT(run), V_INT(jury->campaign)), e);
    struct mark_fact f;

    while (store_fact_next(&c, &f))
        if (fn(user, &f, e) != OK)
            return e->code;
    return cursor_end(&c);
}

enum status store_mark_each(struct store *s, int64_t run, const struct jury *jury, mark_fn *fn,
                            void *user, struct err *e)
{
    AUTO(facts_freep) struct facts *f = NULL;

    if (jury->campaign)
        return store_people_mark_each(s, run, jury, fn, user, e);
    return facts_read(s, run, &f, e) == OK ? facts_mark_each(f, jury, fn, user, e) : e->code;
}

struct cursor store_windows(struct store *s, int64_t run, const struct jury *jury, struct err *e)
{
    return cursor_open(s, Q_WINDOW_EACH, ARGS(V_INT(run), V_TEXT(jury->key), V_INT(jury->judge)),
                       e);
}

bool store_window_next(struct cursor *c, struct window_fact *out)
{
    return cursor_next(c, COLUMNS_WINDOW(struct window_fact), out);
}

struct cursor store_silent(struct store *s, int64_t run, const struct jury *jury, struct err *e)
{
    if (jury->campaign)
        return cursor_open(s, Q_PEOPLE_SILENT_EACH,
                           ARGS(V_INT(run), V_INT(jury->campaign), V_INT(jury->older)), e);
    return cursor_open(s, Q_SILENT_EACH, ARGS(V_INT(run), V_TEXT(jury->key), V_INT(jury->judge)),
                       e);
}

enum status store_item_span(struct store *s, int64_t run, int64_t *first, int64_t *last,
                            struct err *e)
{
    *first = 0;
    *last = -1;
    if (db_two_ints(s->db, Q_ITEM_SPAN, ARGS(V_INT(run)), first, last, e) != OK)
        return e->code;
    if (*first >= 0 && *last - *first < SPAN_MAX)
        return OK;
    return err_set(e, E_STORE, "run %lld is damaged: the numbers of its items lie too far apart",
                   (long long)run);
}

/* ---- flags ---- */

/* Judges may have overruled the flag (flag.h). Acts of people take precedence. */
static void deny(struct arena *a, struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};

    if (f->overruled_by || f->restored_by || f->evidence.n == 0 ||
        json_read(f->evidence, &j, &e) != OK ||
        !str_is(json_str_at(j, "judged", STR("")), "overruled"))
        return;
    f->overruled_by = arena_text(a, json_str_at(j, "judge", STR("")));
    f->overruled_why = arena_text(a, json_str_at(j, "said", STR("")));
}

static void read_flag(struct arena *a, const struct rows *r, void *out)
{
    row_into(a, r, COLUMNS_FLAG(struct flag_row), out);
    deny(a, out);
}

enum status store_flag_list(struct arena *a, struct store *s, int64_t run, struct flag_list *out,
                            struct err *e)
{
    return db_list(s->db, Q_FLAG_LIST, ARGS(V_INT(run)), INTO(a, out, read_flag), e);
}

enum status store_flag_put(struct store *s, int64_t run, int64_t sample, const char *kind,
                           double value, struct str evidence, struct err *e)
{
    return db_run(s->db, Q_FLAG_PUT,
                  ARGS(V_INT(run), V_INT(sample), V_TEXT(kind), V_REAL(value), V_STR(evidence)),
                  NULL, e);
}

enum status store_flag_drop(struct store *s, int64_t id, struct err *e)
{
    return db_run(s->db, Q_FLAG_DROP, ARGS(V_INT(id)), NULL, e);
}

enum status store_traffic_each(struct store *s, int64_t run, traffic_fn *fn, void *user,
                               struct err *e)
{
    AUTO(pack_dictionaries_done) struct pack_dictionaries d = {0};
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(cursor_close) struct cursor c = {.e = e};

    if (pack_dictionaries_of(s, run, &d, e) != OK)
        return e->code;
    c.rows = db_stream(s->db, Q_TRAFFIC_EACH, ARGS(V_INT(run)), e);
    while (rows_next(c.rows)) {
        struct call_row call = {.id = row_int(c.rows, C_TRAFFIC_CALL)};
        arena_reset(a);
        pack_columns(a, c.rows, C_TRAFFIC_REQUEST, &call);
        if (pack_open(NULL, &d, a, &call, e) != OK ||
            fn(user,
               &(struct traffic_row){row_text(c.rows, C_TRAFFIC_KIND),
                                     row_text(c.rows, C_TRAFFIC_NAME),
                                     row_int(c.rows, C_TRAFFIC_ELAPSED_MS), call.response},
               e) != OK)
            return e->code;
    }
    return cursor_end(&c);
}

/* ---- derived numbers ---- */

enum status store_score_read(struct arena *a, struct store *s, int query, int64_t owner,
                             const char *jury, struct score_list *out, struct err *e)
{
    struct args args = ARGS(V_INT(owner), V_TEXT(jury));

    args.n -= jury == NULL;
    out->sorted = true; /* both queries sort */
    return db_list(s->db, query, args, ROWS_INTO(a, out, COLUMNS_SCORE(struct score_row)), e);
}

enum status store_score_write(struct store *s, int query, int64_t owner, const char *jury,
                              const struct score_list *l, struct err *e)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct score_row *w = &l->v[i];
        struct args args =
            ARGS(V_INT(owner), V_TEXT(w->subject), V_TEXT(w->metric), V_TEXT(w->method),
                 V_REAL(w->value), V_REAL(w->lo), V_REAL(w->hi), V_INT(w->n), V_INT(w->clusters),
                 w->why && w->why[0] ? V_TEXT(w->why) : V_NULL, V_INT(STORE_SCORE_VERSION),
                 V_TEXT(jury));
        args.n -= jury == NULL;
        if (db_run(s->db, query, args, NULL, e) != OK)
            return e->code;
    }
    return OK;
}

enum status store_score_list(struct arena *a, struct store *s, int64_t run, const char *jury,
                             struct score_list *out, struct err *e)
{
    return store_score_read(a, s, Q_SCORE_LIST, run, jury, out, e);
}

enum status store_score_versions(struct store *s, int64_t run, struct score_versions *out,
                                 struct err *e)
{
    return store_score_span(s, Q_SCORE_VERSIONS, run, out, e);
}

enum status store_score_span(struct store *s, int query, int64_t owner, struct score_versions *out,
                             struct err *e)
{
    if (db_row(s->db, query, ARGS(V_INT(owner)), NULL, COLUMNS_VERSIONS(struct score_versions), out,
               NULL, e) != OK)
        return e->code;
    if (!out->newest) /* nothing is stored */
        *out = (struct score_versions){STORE_SCORE_VERSION, STORE_SCORE_VERSION};
    return OK;
}

enum status store_score_drop(struct store *s, int64_t run, struct err *e)
{
    return db_run(s->db, Q_SCORE_DROP, ARGS(V_INT(run)), NULL, e);
}

enum status store_score_add(struct store *s, int64_t run, const char *jury,
                            const struct score_list *l, struct err *e)
{
    return store_score_write(s, Q_SCORE_ADD, run, jury, l, e);
}

static void read_fault_count(struct arena *a, const struct rows *r, void *out)
{
    row_into(a, r, COLUMNS_FAULT(struct fault_count), out);
    ((struct fault_count *)out)->state = vocab_state_of(row_str(r, C_FAULT_STATE));
}

enum status store_fault_list(struct arena *a, struct store *s, int64_t run, struct fault_list *out,
                             struct err *e)
{
    return db_list(s->db, Q_FAULT_LIST, ARGS(V_INT(run)), INTO(a, out, read_fault_count), e);
}

enum status store_judge_met(struct store *s, int64_t run, int64_t judge, int64_t model, bool *out,
                            struct err *e)
{
    int64_t verdict;

    return db_int(s->db, Q_JUDGE_MET, ARGS(V_INT(run), V_INT(judge), V_INT(model)), &verdict, out,
                  e);
}
