#include "store/store_pack.h"

#include <stdlib.h>

#include "base/zstd.h"
#include "gen/queries.h"

enum {
    GROUP = 256,        /* calls in one transaction */
    LEAST = 64,         /* shorter texts are not packed, nor used for dictionaries */
    TRAIN_CALLS = 1000, /* a dictionary is made from at most so many */
    TRAIN_BYTES = 8 << 20,
    DICTIONARY_SHARE = 32, /* a dictionary has at most this fraction of their bytes */
    DICTIONARY_MAX = 64 << 10,
    DICTIONARY_READ = 1 << 20, /* limit for dictionaries made by others */
    TEXTS_MAX = 64 << 20,      /* of one call */
};

/* ---- reading ---- */

void pack_dictionaries_done(struct pack_dictionaries *d)
{
    for (size_t i = 0; i < d->n; i++)
        zstd_coder_free(d->v[i].coder);
    free(d->v);
    arena_free(d->arena);
}

static struct zstd_coder *add(struct pack_dictionaries *d, int64_t id, struct str bytes)
{
    struct zstd_coder *coder = zstd_coder_new(bytes);

    d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
    d->v[d->n++] = (struct pack_dictionary){id, coder};
    return coder;
}

static enum status read_dictionaries(struct store *s, int query, int64_t of,
                                     struct pack_dictionaries *d, struct err *e)
{
    struct rows *r = db_query(s->db, query, ARGS(V_INT(of)), e);

    while (rows_next(r)) {
        struct str bytes;
        d->arena = d->arena ? d->arena : arena_new();
        bytes = row_bytes(d->arena, r, C_DICTIONARY_BYTES);
        if (bytes.n <= DICTIONARY_READ)
            (void)add(d, row_int(r, C_DICTIONARY_ID), bytes);
    }
    return rows_end(r, e);
}

enum status pack_dictionaries_of(struct store *s, int64_t run, struct pack_dictionaries *d,
                                 struct err *e)
{
    return read_dictionaries(s, Q_DICTIONARY_LIST, run, d, e);
}

static struct zstd_coder *find(const struct pack_dictionaries *d, int64_t id)
{
    for (size_t i = 0; i < d->n; i++)
        if (d->v[i].id == id)
            return d->v[i].coder;
    return NULL;
}

static enum status coder_of(struct store *s, struct pack_dictionaries *d, int64_t id,
                            struct zstd_coder **out, struct err *e)
{
    *out = find(d, id);
    if (!*out && id == 0)
        *out = add(d, 0, STR(""));
    if (!*out && s && read_dictionaries(s, Q_DICTIONARY_GET, id, d, e) != OK)
        return e->code;
    *out = *out ? *out : find(d, id);
    return *out ? OK : err_set(e, E_STORE, "dictionary %lld is missing or damaged", (long long)id);
}

void pack_columns(struct arena *a, const struct rows *r, int first, struct call_row *call)
{
    call->request = row_str(r, first);
    call->response = row_str(r, first + 1);
    call->packed = (struct str){0};
    if (!row_null(r, first + 2))
        call->packed = row_bytes(a, r, first + 2);
    call->dictionary = row_int(r, first + 3);
    call->plain = row_int(r, first + 4);
}

/* Request and response are separated by a NUL, which neither contains. */
static bool split(struct str both, struct call_row *call)
{
    const char *nul = memchr(both.p, '\0', both.n);
    size_t n = nul ? (size_t)(nul - both.p) : 0;

    if (!nul)
        return false;
    call->request = (struct str){both.p, n};
    call->response = str_from(both, n + 1);
    return utf8_check(call->request) == n && utf8_check(call->response) == call->response.n &&
           (call->response.n == 0 || !memchr(call->response.p, '\0', call->response.n));
}

enum status pack_open(struct store *s, struct pack_dictionaries *d, struct arena *a,
                      struct call_row *call, struct err *e)
{
    struct zstd_coder *coder;
    struct str both;

    if (!call->packed.p)
        return OK;
    if (coder_of(s, d, call->dictionary, &coder, e) != OK)
        return e->code;
    if (zstd_coder_unpack(coder, a, call->packed, TEXTS_MAX, &both, e) != OK) {
        e->code = E_STORE;
        return err_wrap(e, "call %lld", (long long)call->id);
    }
    call->packed = (struct str){0};
    return split(both, call) && call->plain == (int64_t)both.n
               ? OK
               : err_set(e, E_STORE, "call %lld: its texts are damaged", (long long)call->id);
}

/* ---- packing ---- */

/* A run that is to be packed. */
struct job {
    int64_t run, calls, dictionary;
};

struct text {
    int64_t id;
    struct str both;
};

static void read_text(struct arena *a, const struct rows *r, void *element)
{
    const struct str parts[] = {row_str(r, C_PACK_REQUEST), {"", 1}, row_str(r, C_PACK_RESPONSE)};

    *(struct text *)element =
        (struct text){row_int(r, C_PACK_ID), arena_join(a, parts, COUNT(parts))};
}

/* Makes a dictionary from some of the calls, spread over the run. */
static enum status train(struct store *s, struct arena *a, const struct job *j, struct str *out,
                         struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(buf_done) struct buf all = BUF_MAX(TRAIN_BYTES);
    size_t lengths[TRAIN_CALLS], n = 0, most;
    struct rows *r =
        db_stream(s->db, Q_PACK_SOME, ARGS(V_INT(j->run), V_INT(1 + j->calls / TRAIN_CALLS)), e);
    struct text x;

    while (rows_next(r) && n < TRAIN_CALLS) {
        arena_reset(scratch);
        read_text(scratch, r, &x);
        if (x.both.n >= LEAST && all.n + x.both.n <= TRAIN_BYTES) {
            buf_add(&all, x.both);
            lengths[n++] = x.both.n;
        }
    }
    if (rows_end(r, e) != OK)
        return e->code;
    most = all.n / DICTIONARY_SHARE;
    *out = zstd_train(a, buf_str(&all), lengths, n, most < DICTIONARY_MAX ? most : DICTIONARY_MAX);
    return OK;
}

struct texts {
    struct text *v;
    size_t n;
};

static enum status pack_some(struct store *s, struct arena *a, struct zstd_coder *coder,
                             int64_t run, int64_t dictionary, const struct texts *l, struct err *e)
{
    for (size_t i = 0; i < l->n; i++) {
        struct str both = l->v[i].both, packed;
        if (both.n < LEAST || both.n > TEXTS_MAX)
            continue;
        packed = zstd_coder_pack(coder, a, both);
        if (packed.n && packed.n < both.n &&
            db_run(s->db, Q_PACK_PUT,
                   ARGS(V_INT(l->v[i].id), V_BYTES(packed), V_INT(dictionary), V_INT(both.n),
                        V_INT(run)),
                   NULL, e) != OK)
            return e->code;
    }
    return OK;
}

/* A new dictionary is stored together with the first calls that need it, so nobody finds it unused.
 * If the run is being scored, its dictionaries have been read already: then the calls are left for
 * another time. */
static enum status pack_group(struct store *s, struct arena *a, struct zstd_coder *coder,
                              int64_t run, struct str made, int64_t *dictionary,
                              const struct texts *l, struct err *e)
{
    bool first = made.n && !*dictionary;
    int64_t unused = 0, held = 0;

    if (first && db_run(s->db, Q_PACK_HOLD, ARGS(V_INT(run)), &held, e) != OK)
        return e->code;
    if (first && !held)
        return OK;
    if ((first &&
         db_int(s->db, Q_DICTIONARY_ADD, ARGS(V_BYTES(made)), dictionary, NULL, e) != OK) ||
        pack_some(s, a, coder, run, *dictionary, l, e) != OK ||
        (first && db_run(s->db, Q_DICTIONARY_UNUSED, ARGS(V_INT(*dictionary)), &unused, e) != OK))
        return e->code;
    if (unused)
        *dictionary = 0;
    return OK;
}

static enum status pack_calls(struct store *s, struct zstd_coder *coder, struct str made,
                              const struct job *j, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int64_t after = 0, dictionary = j->dictionary;
    struct texts l;

    do {
        arena_reset(a);
        if (db_list(s->db, Q_PACK_NEXT, ARGS(V_INT(j->run), V_INT(after), V_INT(GROUP)),
                    INTO(a, &l, read_text), e) != OK ||
            store_atomically(s, e, pack_group(s, a, coder, j->run, made, &dictionary, &l, e)) != OK)
            return e->code;
        after = l.n ? l.v[l.n - 1].id : after;
    } while (l.n == GROUP);
    return OK;
}

/* Uses the dictionary of the run, or a new one, or none if too little can be learned. */
static enum status pack_run(struct store *s, const struct job *j, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(pack_dictionaries_done) struct pack_dictionaries d = {0};
    struct zstd_coder *coder = NULL;
    struct str made = STR("");

    if (j->dictionary ? coder_of(s, &d, j->dictionary, &coder, e) != OK
                      : train(s, a, j, &made, e) != OK)
        return e->code;
    return pack_calls(s, coder ? coder : add(&d, 0, made), made, j, e);
}

enum status pack_finished(struct store *s, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct {
        struct job *v;
        size_t n;
    } jobs;
    const struct row_list *l = ROWS_INTO(a, &jobs, COLUMNS_PACK_RUN(struct job));

    if (db_list(s->db, Q_PACK_RUNS, NO_ARGS, l, e) != OK)
        return e->code;
    for (size_t i = 0; i < jobs.n; i++)
        if (pack_run(s, &jobs.v[i], e) != OK)
            return e->code;
    return OK;
}

enum status pack_sizes(struct db *db, struct pack_sizes *out, struct err *e)
{
    return db_row(db, Q_PACK_SIZES, NO_ARGS, NULL, COLUMNS_PACK_SIZE(struct pack_sizes), out, NULL,
                  e);
}
