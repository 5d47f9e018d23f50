/* Answers that stand in a training set.
 *
 * The answers of a run are indexed in batches and the file goes past each batch, so that memory is
 * bounded by a batch whatever the size of the run and of the file. */
#include <stdlib.h>

#include "base/message.h"
#include "eval/flag_find.h"
#include "suite/mark.h"
#include "suite/training.h"
#include "text/corpus.h"

enum {
    BATCH_BYTES = 16 << 20,
    LINE_RUNES = 2000, /* of a training line that are kept as evidence */
    TELL_LINES = 256,  /* how often whoever looks on is told */
};

/* One answer, and the best line that was found for it. */
struct wanted {
    int64_t sample;
    struct str answer;
    bool found;
    struct corpus_match match;
    int64_t line;
    struct str text; /* of the line */
};

struct hunt {
    const struct suite *suite;
    const struct training_watch *watch; /* NULL: nobody looks on */
    struct arena *keep, *batch;
    struct wanted *v;
    struct folded *folded;
    size_t n, cap, folded_cap, bytes;
    struct flag_found *found;
    int64_t passes, lines, skipped, first_line, too_long;
    const char *first_fault;
    bool failed; /* the file cannot be searched: the rest is passed over */
    struct err why;
};

enum status flag_training_key(struct arena *a, const struct flag_look *look, const char **out,
                              struct err *e)
{
    const struct rules *rules = &look->suite->rules;
    int64_t n, last_ms;
    char hex[HASH_HEX];
    struct hash h;

    if (store_answer_count(look->store, look->run, &n, &last_ms, e) != OK)
        return e->code;
    hash_init(&h);
    hash_str(&h, str_of(rules->training_hash));
    hash_str(&h, str_of(arena_printf(a, "%.17g", rules->of[RULE_TRAINING_NEAR].threshold)));
    hash_int(&h, n);
    hash_int(&h, last_ms);
    hash_hex(&h, hex);
    *out = arena_text(a, str_of(hex));
    return OK;
}

/* ---- one pass over the file ---- */

static void keep_best(struct hunt *h, const struct corpus_match *m, const struct training_text *t)
{
    struct wanted *w = &h->v[m->text];

    if (w->found && !corpus_is_better(m, &w->match))
        return;
    w->found = true;
    w->match = *m;
    w->line = t->line;
    w->text = arena_str(h->batch, utf8_head(t->text, LINE_RUNES));
}

static void count_line(struct hunt *h, const struct training_text *t)
{
    if (h->passes > 0)
        return;
    h->lines++;
    if (!t->fault)
        return;
    if (h->skipped++ == 0) {
        h->first_line = t->line;
        h->first_fault = t->fault;
    }
}

static enum status tell(const struct hunt *h, const struct training_progress *now, struct err *e)
{
    if (!h->watch || (now && now->lines % TELL_LINES) || h->watch->tell(h->watch->user, now))
        return OK;
    return err_set(e, E_STOP,
                   "interrupted at line %lld of the training data; answers and verdicts are kept, "
                   "and the next command searches again",
                   (long long)(now ? now->lines : h->lines));
}

static enum status read_lines(struct hunt *h, struct training *in, struct corpus *c, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();

    for (;; arena_reset(scratch)) {
        struct training_progress now;
        struct corpus_matches m;
        struct training_text t;
        bool more;
        if (training_next(in, &t, &more, e) != OK)
            return e->code;
        if (!more)
            return OK;
        now = (struct training_progress){in->lines.number, in->lines.end, in->size};
        if (tell(h, &now, e) != OK)
            return e->code;
        count_line(h, &t);
        if (t.fault)
            continue;
        m = corpus_search(scratch, c, fold_both(scratch, t.text));
        for (size_t i = 0; i < m.n; i++)
            keep_best(h, &m.v[i], &t);
    }
}

/* The file is the one that the run was planned with. */
static enum status check_content(const struct hunt *h, struct training *in, struct err *e)
{
    char hex[HASH_HEX];

    training_hash_hex(in, hex);
    if (strcmp(hex, h->suite->rules.training_hash) == 0)
        return OK;
    return err_set(e, E_INPUT, "%s: the training data has changed since the run was planned",
                   h->suite->rules.training);
}

static enum status pass(struct hunt *h, struct err *e)
{
    const struct rules *rules = &h->suite->rules;
    double threshold = rules->of[RULE_TRAINING_NEAR].threshold;
    AUTO(training_close) struct training in = {0};

    if (tell(h, &(struct training_progress){0}, e) != OK ||
        training_open(&in, rules->training, e) != OK ||
        read_lines(h, &in, corpus_new(h->batch, h->folded, h->n, threshold), e) != OK)
        return e->code;
    return check_content(h, &in, e);
}

/* ---- batches ---- */

static const char *const tier_words[] = {
    [CORPUS_NEAR] = "near", [CORPUS_PARTICLES] = "particles", [CORPUS_EXACT] = "exact"};

static void add_found(struct hunt *h, const struct wanted *w)
{
    const char *path = h->suite->rules.training, *slash = strrchr(path, '/');
    struct flag_texts both = {{w->answer, w->text},
                              {fold_text(h->batch, w->answer), fold_text(h->batch, w->text)}};
    struct flag_evidence v = {
        .this = w->answer,
        .other = w->text,
        .shared = flag_shared(h->batch, &both),
        .similar = &w->match.similar,
        .where = arena_printf(h->batch, "%s:%lld", slash ? slash + 1 : path, (long long)w->line),
        .why = tier_words[w->match.tier],
    };

    (void)flag_add(&h->found, h->keep, w->sample,
                   w->match.tier == CORPUS_NEAR ? RULE_TRAINING_NEAR : RULE_TRAINING, &v);
}

/* A file that cannot be searched is a note; a wish to stop is not. */
static enum status search_batch(struct hunt *h, struct err *e)
{
    if (!h->failed && pass(h, &h->why) != OK) {
        if (h->why.code == E_STOP)
            return err_set(e, E_STOP, "%s", h->why.msg);
        h->failed = true;
    }
    for (size_t i = 0; i < h->n && !h->failed; i++)
        if (h->v[i].found)
            add_found(h, &h->v[i]);
    h->passes++;
    h->n = h->bytes = 0;
    arena_reset(h->batch);
    return OK;
}

static enum status take_all(struct hunt *h, struct store *s, int64_t run, struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_samples(s, &(struct sample_filter){.run = run}, e);
    struct sample_row row;

    while (store_sample_next(&c, &row) && !h->failed) {
        struct str answer;
        struct folded folded;
        if (row.state != STATE_DONE)
            continue;
        if (h->bytes + row.answer.n > BATCH_BYTES && h->n && search_batch(h, e) != OK)
            return e->code;
        answer = arena_str(h->batch, row.answer);
        folded = fold_both(h->batch, answer);
        if (folded.text.n > CORPUS_RUNES_MAX) {
            h->too_long++;
            continue;
        }
        h->v = mem_grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
        h->folded = mem_grow(h->folded, &h->folded_cap, h->n + 1, sizeof *h->folded);
        h->v[h->n] = (struct wanted){.sample = row.id, .answer = answer};
        h->folded[h->n++] = folded;
        h->bytes += answer.n;
    }
    return cursor_end(&c);
}

/* ---- the whole ---- */

static const char *note_of(struct arena *a, const struct hunt *h)
{
    const char *path = h->suite->rules.training, *note = "";

    if (h->failed)
        return arena_printf(a, N_("the training lines were not searched: %s"), h->why.msg);
    if (h->skipped)
        note = arena_printf(
            a, N_("%s: %lld of %lld training line%s passed over, the first is line %lld: %s"), path,
            (long long)h->skipped, (long long)h->lines, message_were(h->skipped, h->lines),
            (long long)h->first_line, h->first_fault);
    if (h->too_long)
        note = arena_printf(a, N_("%s%s%lld answer%s too long to be compared with training lines"),
                            note, *note ? "; " : "", (long long)h->too_long,
                            h->too_long == 1 ? " is" : "s are");
    return note;
}

static enum status hunt_all(struct hunt *h, struct store *s, int64_t run, struct err *e)
{
    AUTO(arena_freep) struct arena *batch = arena_new();
    enum status st;

    h->batch = batch;
    st = take_all(h, s, run, e);
    if (st == OK && h->n)
        st = search_batch(h, e);
    free(h->v);
    free(h->folded);
    return st;
}

enum status flag_training_search(struct arena *a, const struct flag_look *look,
                                 struct flag_training *out, struct err *e)
{
    struct hunt h = {.suite = look->suite, .watch = look->watch, .keep = a};
    const char *key = "";

    if (flag_training_key(a, look, &key, e) != OK ||
        hunt_all(&h, look->store, look->run, e) != OK || tell(&h, NULL, e) != OK)
        return e->code;
    *out = (struct flag_training){
        .searched = !h.failed,
        .found = h.failed ? NULL : h.found,
        .look = {h.failed ? "" : key, h.lines, h.skipped, note_of(a, &h)},
    };
    return OK;
}

enum status flag_training(struct arena *a, const struct flag_look *look, struct flag_training *out,
                          struct err *e)
{
    struct flag_training t = {.look = {.key = "", .note = ""}};
    const char *key = "";

    if (look->suite->rules.of[RULE_TRAINING].on) {
        if (flag_training_key(a, look, &key, e) != OK ||
            store_look_get(a, look->store, look->run, &t.look, e) != OK)
            return e->code;
        if (strcmp(key, t.look.key) != 0)
            return flag_training_search(a, look, out, e);
    }
    *out = t;
    return OK;
}
