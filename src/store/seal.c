#include "store/seal.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/message.h"
#include "gen/queries.h"
#include "store/store_pack.h"
#include "store/store_read.h"

/* clang-format off */
static const struct kind {
    const char *name; /* in the rows of seals */
    const char *says; /* for users, with its number */
    int query, columns;
    int texts; /* the first column of those in store_pack.h; 0: it has none */
    /* GOES: it may be deleted; NAMED: its rows are sorted by names. */
    enum { STAYS, GOES = 1, NAMED = 2 } is;
} kinds[] = {
    {"model",   N_("the name of model %lld"),         Q_SEAL_MODEL,   2,  0, STAYS},
    {"run",     N_("the frozen suite of run %lld"),   Q_SEAL_RUN,     7,  0, STAYS},
    {"item",    N_("item %lld"),                      Q_SEAL_ITEM,    4,  0, STAYS},
    {"judge",   N_("the template of judge %lld"),     Q_SEAL_JUDGE,   3,  0, STAYS},
    {"call",    N_("call %lld"),                      Q_SEAL_CALL,    10, 3, STAYS},
    {"answer",  N_("the answer of sample %lld"),      Q_SEAL_ANSWER,  17, 0, STAYS},
    {"turn",    N_("the turns of sample %lld"),       Q_SEAL_TURN,    17, 0, STAYS},
    {"verdict", N_("verdict %lld"),                   Q_SEAL_VERDICT, 20, 0, STAYS},
    {"mark",    N_("the marks of verdict %lld"),      Q_SEAL_MARK,    6,  0, NAMED},
    {"rating",  N_("the ratings of assignment %lld"), Q_SEAL_RATING,  11, 0, GOES | NAMED},
};
/* Not part of the digest: classifiers are asked at any time, judges come and go, and the digests of
 * older runs lack the others. */
static const struct kind beside[] = {
    {"class",    N_("what classifiers say about sample %lld"),       Q_SEAL_CLASS,    5, 0, GOES | NAMED},
    {"jury",     N_("whether judge %lld counts"),                 Q_SEAL_JURY,     2, 0, GOES},
    {"campaign", N_("the frozen file of campaign %lld"),          Q_SEAL_CAMPAIGN, 2, 0, GOES},
    {"phase",    N_("what counts in assignment %lld"),            Q_SEAL_PHASE,    6, 0, GOES | NAMED},
    {"seat",     N_("judge's seat %lld"),                         Q_SEAL_SEAT,     3, 0, STAYS},
    {"unscored", N_("unscored verdict %lld"),                     Q_SEAL_UNSCORED, 19, 0, GOES},
};
enum { CLASSES };
/* clang-format on */

struct fact {
    int64_t id, hash;
};

struct fact_list {
    struct hash hash; /* of the last fact, while it is open */
    struct fact *v;
    size_t n, cap;
    const struct kind *kind;
    bool open;
};

static void close_fact(struct fact_list *f)
{
    uint64_t bits;

    if (!f->open)
        return;
    bits = hash_u64(&f->hash);
    memcpy(&f->v[f->n - 1].hash, &bits, sizeof bits);
    f->open = false;
}

static void hash_field(struct hash *h, bool null, struct str text)
{
    hash_int(h, null);
    hash_str(h, text);
}

/* The hash of a call does not depend on whether it is packed. */
static enum status hash_texts(struct fact_list *f, struct pack_dictionaries *d,
                              const struct rows *r, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct call_row call = {.id = row_int(r, 0)};

    pack_columns(a, r, f->kind->texts, &call);
    if (pack_open(NULL, d, a, &call, e) != OK)
        return e->code;
    hash_field(&f->hash, false, call.request);
    hash_field(&f->hash, false, call.response);
    return OK;
}

static enum status hash_row(struct fact_list *f, struct pack_dictionaries *d, const struct rows *r,
                            struct err *e)
{
    int64_t id = row_int(r, 0);

    if (!f->open || f->v[f->n - 1].id != id) {
        close_fact(f);
        f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
        f->v[f->n++] = (struct fact){.id = id};
        hash_init(&f->hash);
        f->open = true;
    }
    for (int i = 1; i < f->kind->columns; i++) {
        if (i != f->kind->texts) {
            hash_field(&f->hash, row_null(r, i), row_str(r, i));
            continue;
        }
        if (hash_texts(f, d, r, e) != OK)
            return e->code;
        i += PACK_COLUMNS - 1;
    }
    return OK;
}

/* AS_BEFORE: rows in the collation of the database, in which those with names used to be sealed. */
enum which { ALL, UNSEALED, AS_BEFORE };

/* The current hashes of the facts of a kind. The caller frees v. */
static enum status read_facts(struct store *s, int64_t run, const struct kind *k, enum which which,
                              struct fact_list *out, struct err *e)
{
    struct args args = ARGS(V_INT(run), V_INT(which == UNSEALED), V_INT(which == AS_BEFORE));
    AUTO(pack_dictionaries_done) struct pack_dictionaries d = {0};
    AUTO(cursor_close) struct cursor c = {.e = e};

    args.n -= !(k->is & NAMED);
    *out = (struct fact_list){.kind = k};
    if (k->texts && pack_dictionaries_of(s, run, &d, e) != OK)
        return e->code;
    c.rows = db_stream(s->db, k->query, args, e);
    while (rows_next(c.rows))
        if (hash_row(out, &d, c.rows, e) != OK)
            return e->code;
    close_fact(out);
    return cursor_end(&c);
}

static enum status read_seals(struct store *s, int64_t run, const struct kind *k,
                              struct fact_list *out, struct err *e)
{
    struct rows *r = db_stream(s->db, Q_SEAL_LIST, ARGS(V_INT(run), V_TEXT(k->name)), e);

    *out = (struct fact_list){0};
    while (rows_next(r)) {
        out->v = mem_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
        out->v[out->n++] = (struct fact){row_int(r, C_SEAL_FACT), row_int(r, C_SEAL_HASH)};
    }
    return rows_end(r, e);
}

/* ---- sealing ---- */

enum { SEAL_GROUP = 4096 };

static enum status seal_some(struct store *s, int64_t run, const struct kind *k,
                             const struct fact *v, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct val *all = NEW_N(a, struct val, 4 * n);

    for (size_t i = 0; i < n; i++) {
        all[4 * i] = V_INT(run);
        all[4 * i + 1] = V_TEXT(k->name);
        all[4 * i + 2] = V_INT(v[i].id);
        all[4 * i + 3] = V_INT(v[i].hash);
    }
    return db_each_of(s->db, Q_SEAL_ADD, (struct args){all, 4 * n}, n, NULL, NULL, e);
}

static enum status seal_kind(struct store *s, int64_t run, const struct kind *k, struct err *e)
{
    struct fact_list f;
    enum status st = read_facts(s, run, k, UNSEALED, &f, e);

    for (size_t i = 0, n; st == OK && i < f.n; i += n) {
        n = f.n - i < SEAL_GROUP ? f.n - i : SEAL_GROUP;
        st = seal_some(s, run, k, &f.v[i], n, e);
    }
    free(f.v);
    return st;
}

/* Runs that are older than the seals of models have none, and keep the digest that they had. */
static void digest_kind(struct hash *h, const struct kind *k, const struct fact_list *seals)
{
    if (k->query == Q_SEAL_MODEL && seals->n == 0)
        return;
    hash_str(h, str_of(k->name));
    for (size_t i = 0; i < seals->n && !(k->is & GOES); i++) {
        hash_int(h, seals->v[i].id);
        hash_int(h, seals->v[i].hash);
    }
}

/* The numbers of facts as one text, which differs if any was added; *known is that of the last
 * sealing. */
static enum status count_facts(struct arena *a, struct store *s, int64_t run, const char **known,
                               const char **now, struct err *e)
{
    struct rows *r;

    *known = *now = "";
    r = db_query(s->db, Q_SEAL_COUNT, ARGS(V_INT(run)), e);
    if (rows_next(r)) {
        *known = row_copy(a, r, C_SEAL_COUNT_FACTS).p;
        *now = arena_int(a, STORE_SCORE_VERSION);
        for (int i = C_SEAL_COUNT_FACTS + 1; i <= C_SEAL_COUNT_HANDED_IN_MS; i++)
            *now = arena_printf(a, "%s %lld", *now, (long long)row_int(r, i));
    }
    return rows_end(r, e);
}

enum status seal_beside(struct store *s, int64_t run, struct err *e)
{
    for (size_t i = 0; i < COUNT(beside); i++)
        if (seal_kind(s, run, &beside[i], e) != OK)
            return e->code;
    return OK;
}

enum status seal_jury_drop(struct store *s, int64_t run, const char *judge, bool dropped,
                           struct err *e)
{
    return db_run(s->db, Q_SEAL_JURY_DROP, ARGS(V_INT(run), V_TEXT(judge), V_INT(dropped)), NULL,
                  e);
}

enum status seal_classes_drop(struct store *s, int64_t run, int64_t first, int64_t last,
                              struct err *e)
{
    return db_run(s->db, Q_SEAL_CLASSES_DROP, ARGS(V_INT(run), V_INT(first), V_INT(last)), NULL, e);
}

enum status seal_unscored_drop(struct store *s, int64_t run, int64_t verdict, struct err *e)
{
    /* This waits for whoever is scoring the run and setting seals. */
    if (store_run_stale(s, run, e) != OK)
        return e->code;
    return db_run(s->db, Q_SEAL_UNSCORED_DROP, ARGS(V_INT(run), V_INT(verdict)), NULL, e);
}

enum status seal_same(struct store *s, int64_t run, bool *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *known, *now;

    if (count_facts(a, s, run, &known, &now, e) != OK)
        return e->code;
    *out = *known && strcmp(known, now) == 0;
    return OK;
}

enum status seal_again(struct store *s, int64_t run, struct err *e)
{
    return db_run(s->db, Q_RUN_SEALED_AGAIN, ARGS(V_INT(run)), NULL, e);
}

enum status seal_refresh(struct store *s, int64_t run, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *known, *now;
    char hex[HASH_HEX];
    struct hash h;

    if (count_facts(a, s, run, &known, &now, e) != OK)
        return e->code;
    hash_init(&h);
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct fact_list seals = {0};
        enum status st = seal_kind(s, run, &kinds[i], e);
        if (st == OK)
            st = read_seals(s, run, &kinds[i], &seals, e);
        digest_kind(&h, &kinds[i], &seals);
        free(seals.v);
        if (st != OK)
            return st;
    }
    hash_hex(&h, hex);
    return db_run(s->db, Q_RUN_SEALED, ARGS(V_INT(run), V_TEXT(hex), V_TEXT(now)), NULL, e);
}

/* ---- checking ---- */

struct look {
    struct arena *a;
    int64_t run;
    const char *sealed; /* the stored digest; "": facts were added since */
    bool stale;
    seal_fn *fn;
    void *user;
    bool any; /* the run has seals */
};

static void tell(const struct look *l, const struct kind *k, int64_t id, const char *what)
{
    const char *number = strstr(k->says, "%lld");

    l->fn(l->user, arena_printf(l->a, "%.*s%lld%s: %s", (int)(number - k->says), k->says,
                                (long long)id, number + strlen("%lld"), what));
}

/* All lists are sorted by id; `before` holds the other hashes that the facts may have been sealed
 * with. */
static void hold_against(struct look *l, const struct kind *k, const struct fact_list *facts,
                         const struct fact_list *before, const struct fact_list *seals)
{
    size_t i = 0, j = 0;

    while (i < facts->n || j < seals->n) {
        if (j == seals->n || (i < facts->n && facts->v[i].id < seals->v[j].id)) {
            if (*l->sealed && !(k->is & GOES)) /* if there is a digest, nothing was added since */
                tell(l, k, facts->v[i].id, N_("not there when the run was scored"));
            i++;
        } else if (i == facts->n || seals->v[j].id < facts->v[i].id) {
            if (!(k->is & GOES))
                tell(l, k, seals->v[j].id, N_("gone"));
            j++;
        } else {
            if (facts->v[i].hash != seals->v[j].hash && before->v[i].hash != seals->v[j].hash)
                tell(l, k, facts->v[i].id, N_("not what was stored"));
            i++;
            j++;
        }
    }
    l->any |= seals->n > 0;
}

static bool same_facts(const struct fact_list *a, const struct fact_list *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->v, b->v, a->n * sizeof *a->v) == 0);
}

/* h: adds the seals to the hash for the digest; NULL: they are not part of it. */
static enum status check_kind(struct look *l, struct store *s, const struct kind *k, struct hash *h,
                              struct err *e)
{
    struct fact_list facts = {0}, before = {0}, seals = {0};
    enum status st = read_facts(s, l->run, k, ALL, &facts, e);

    if (st == OK)
        st = read_seals(s, l->run, k, &seals, e);
    if (st == OK && (k->is & NAMED) && seals.n && !same_facts(&facts, &seals))
        st = read_facts(s, l->run, k, AS_BEFORE, &before, e);
    if (st == OK && seals.n)
        hold_against(l, k, &facts, before.n == facts.n ? &before : &facts, &seals);
    if (h)
        digest_kind(h, k, &seals);
    free(facts.v);
    free(before.v);
    free(seals.v);
    return st;
}

/* Reads the stored row, not a copy that somebody holds. */
static enum status read_run(struct look *l, struct store *s, struct err *e)
{
    struct rows *r = db_query(s->db, Q_RUN_SEAL, ARGS(V_INT(l->run)), e);

    if (rows_next(r)) {
        l->sealed = row_copy(l->a, r, C_SEAL_OF_SEALED).p;
        l->stale = row_int(r, C_SEAL_OF_STALE) != 0;
    }
    return rows_end(r, e);
}

enum status seal_check(struct arena *a, struct store *s, int64_t run, seal_fn *fn, void *user,
                       const char **digest, struct err *e)
{
    struct look l = {.a = a, .run = run, .sealed = "", .fn = fn, .user = user};
    char hex[HASH_HEX];
    struct hash h;

    if (read_run(&l, s, e) != OK)
        return e->code;
    hash_init(&h);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (check_kind(&l, s, &kinds[i], &h, e) != OK)
            return e->code;
    hash_hex(&h, hex);
    *digest = *l.sealed ? arena_text(a, str_of(hex)) : "";
    if (*l.sealed && strcmp(hex, l.sealed) != 0)
        fn(user, N_("the seals of the run differ from those it was scored with"));
    if (*l.sealed && l.stale)
        fn(user, N_("the run is marked as stale, although nothing was added since it was scored"));
    if (l.any && *l.sealed == '\0' && !l.stale)
        fn(user, N_("the run is marked as scored, although something was added since"));
    for (size_t i = 0; i < COUNT(beside); i++)
        if (check_kind(&l, s, &beside[i], NULL, e) != OK)
            return e->code;
    return OK;
}

static void note_first(void *user, const char *difference)
{
    const char **first = user;

    *first = *first ? *first : difference;
}

enum status seal_classes_hold(struct store *s, int64_t run, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *first = NULL;
    struct look l = {.a = a, .run = run, .sealed = "", .fn = note_first, .user = &first};

    if (check_kind(&l, s, &beside[CLASSES], NULL, e) != OK)
        return e->code;
    return first ? err_set(e, E_STORE, "%s; 'audition verify' lists what was changed", first) : OK;
}
