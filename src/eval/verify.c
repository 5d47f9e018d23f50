#include "eval/verify.h"

#include <math.h>

#include "base/hash.h"
#include "base/message.h"
#include "eval/derive.h"
#include "eval/flag.h"
#include "eval/score.h"
#include "reply/about.h"
#include "reply/evidence.h"
#include "reply/reply.h"
#include "reply/reply_pair.h"
#include "store/seal.h"
#include "store/store_exchange.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"

struct check {
    struct store *store;
    const struct run_row *run;
    struct suite suite;
    struct arena *arena;   /* of the whole check */
    struct arena *scratch; /* of one row */
    const struct verify_look *look;
    struct score_versions versions; /* of the stored scores */
    struct verify_counts counts;
};

#define differs(c, ...) report((c), arena_printf((c)->scratch, __VA_ARGS__))

static void report(void *user, const char *difference)
{
    struct check *c = user;

    c->counts.differences++;
    c->look->fn(c->look->user, difference);
}

/* ---- scores ---- */

/* All NaN are one, and so are 0 and -0: SQLite keeps no sign of zero. */
static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A point of an older program, which may have added up in another order, or ended sooner where a
 * system of equations is solved step by step. */
static bool same_point(double a, double b)
{
    return same_number(a, b) ||
           (isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-6 * fmax(1, fabs(a)));
}

/* Points that depend on how intervals are made, or were computed otherwise up to version 10. */
static bool is_remade(const char *metric)
{
    static const char *const are[] = {"rank",           "above:",    "over-p:", "ai:accuracy",
                                      "contradictions", "variance:", "noise:",  "unbroken",
                                      "never-broken",   "alive:"};

    for (size_t i = 0; i < COUNT(are); i++)
        if (str_starts(str_of(metric), str_of(are[i])))
            return true;
    return false;
}

/* Of rows by an older program only points are compared: intervals are made otherwise since. */
static bool same_row(bool older, const struct score_row *was, const struct score_row *is)
{
    if (older && is_remade(is->metric))
        return true;
    if (!(older ? same_point : same_number)(was->value, is->value) || was->n != is->n)
        return false;
    return older ||
           (same_number(was->lo, is->lo) && same_number(was->hi, is->hi) &&
            was->clusters == is->clusters && str_eq(str_of(was->method), str_of(is->method)) &&
            str_eq(str_of(was->why), str_of(is->why)));
}

/* ---- rows that are derived ---- */

struct rows_check {
    const struct verify_rows *r;
    verify_fn *fn;
    void *user;
    struct arena *a;
};

static void tell(const struct rows_check *c, const struct score_row *row, const char *what)
{
    c->fn(c->user, arena_printf(c->a, "%s %s %s%s: %s", c->r->what, row->subject, row->metric,
                                c->r->whose, what));
}

/* "-" for NaN; infinities are written, too. */
static const char *exact(struct arena *a, double v)
{
    char text[STR_EXACT];

    return isfinite(v) ? arena_text(a, str_of(str_exact(text, v)))
           : isnan(v)  ? "-"
                       : arena_printf(a, "%g", v);
}

/* "8.1 [7.6, 8.6]"; the value alone where there is no interval. */
static const char *exact_row(struct arena *a, const struct score_row *row)
{
    if (isnan(row->lo) && isnan(row->hi))
        return exact(a, row->value);
    return arena_printf(a, "%s [%s, %s]", exact(a, row->value), exact(a, row->lo),
                        exact(a, row->hi));
}

static void compare_row(const struct rows_check *c, const struct score_row *was,
                        const struct score_row *is)
{
    if (!same_row(c->r->older, was, is))
        tell(c, is,
             arena_printf(c->a, N_("stored %s n=%lld, the verdicts give %s n=%lld"),
                          exact_row(c->a, was), (long long)was->n, exact_row(c->a, is),
                          (long long)is->n));
}

bool verify_older(struct arena *a, const struct score_versions *is, const char *whose,
                  verify_fn *fn, void *user)
{
    if (is->oldest != is->newest)
        fn(user, arena_printf(
                     a, N_("%s: rows of versions %lld to %lld, although they are written together"),
                     whose, (long long)is->oldest, (long long)is->newest));
    return is->newest < STORE_SCORE_VERSION;
}

void verify_rows(struct arena *a, const struct verify_rows *r, verify_fn *fn, void *user)
{
    const struct rows_check c = {r, fn, user, a};

    for (size_t i = 0; i < r->computed.n; i++) {
        const struct score_row *is = &r->computed.v[i];
        const struct score_row *was = score_find(&r->stored, is->subject, is->metric);
        if (was)
            compare_row(&c, was, is);
        else if (!r->older)
            tell(&c, is, N_("not stored"));
    }
    for (size_t i = 0; i < r->stored.n && !r->older; i++)
        if (!score_find(&r->computed, r->stored.v[i].subject, r->stored.v[i].metric))
            tell(&c, &r->stored.v[i], N_("stored, but nothing supports it"));
}

static enum status check_jury(struct check *c, const struct facts *facts, const struct jury *jury,
                              struct err *e)
{
    struct verify_rows r = {.what = "score", .older = c->counts.older};

    r.whose = *jury->key ? arena_printf(c->arena, " by %s", jury->name) : "";
    if (store_score_list(c->arena, c->store, c->run->id, jury->key, &r.stored, e) != OK ||
        derive_compute(c->arena, c->store, c->run, &c->suite, facts, jury, &r.computed, e) != OK)
        return e->code;
    if (*jury->key && r.stored.n == 0 && *c->counts.digest == '\0')
        return OK; /* scored by a program that knew one jury; reading the run scores them all */
    c->counts.scores += (int64_t)r.computed.n;
    verify_rows(c->arena, &r, report, c);
    return OK;
}

static enum status check_scores(struct check *c, struct err *e)
{
    AUTO(facts_freep) struct facts *facts = NULL;
    struct jury_list juries;

    if (c->counts.stale)
        return OK;
    if (jury_list(c->arena, c->store, c->run->id, &juries, e) != OK ||
        facts_read(c->store, c->run->id, &facts, e) != OK)
        return e->code;
    c->counts.older = verify_older(c->arena, &c->versions, "scores", report, c);
    for (size_t i = 0; i < juries.n; i++) {
        juries.v[i].older = c->versions.newest < STORE_SCORE_SILENCE;
        if (check_jury(c, facts, &juries.v[i], e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- flags ---- */

static enum status check_log(struct check *c, struct err *e)
{
    struct cursor flags = store_flags_unlogged(c->store, c->run->id, e);
    struct flag_fact f;

    while (store_flag_next(&flags, &f))
        differs(c, "flag %lld (%s, sample %lld): overruled, but its log does not end with that",
                (long long)f.id, suite_rule_name(f.kind), (long long)f.sample);
    return cursor_end(&flags);
}

static enum status check_flags(struct check *c, struct err *e)
{
    const struct flag_look look = {.store = c->store,
                                   .run = c->run->id,
                                   .suite = &c->suite,
                                   .watch = c->look->watch,
                                   .fewer_words = c->versions.newest < STORE_SCORE_WORDS,
                                   .fewer_turns = c->versions.newest < STORE_SCORE_TURNS};
    struct flag_check found;

    if (check_log(c, e) != OK)
        return e->code;
    if (c->counts.stale)
        return OK;
    if (flag_check(c->arena, &look, report, c, &found, e) != OK)
        return e->code;
    c->counts.flags = found.compared;
    c->counts.unsearched = found.note;
    return OK;
}

/* ---- samples and verdicts ---- */

static enum status check_samples(struct check *c, struct err *e)
{
    struct cursor samples = store_samples(c->store, &(struct sample_filter){.run = c->run->id}, e);
    struct sample_row s;

    while (store_sample_next(&samples, &s)) {
        arena_reset(c->scratch);
        c->counts.samples += s.state == STATE_DONE;
        if (s.state == STATE_DONE && s.answer.n == 0)
            differs(c, "sample %lld (%s, %s): done, but without an answer", (long long)s.id,
                    s.model_name, s.item_name);
    }
    return cursor_end(&samples);
}

/* Every dimension has a mark, and nothing else has. */
static void check_complete(struct check *c, const struct judgement *j, const struct instrument *in)
{
    for (size_t i = 0; i < in->ndimensions; i++)
        if (!store_mark_find(&j->marks, in->dimensions[i].id))
            differs(c, "verdict %lld: no mark for '%s'", (long long)j->id, in->dimensions[i].id);
    if (j->marks.n > in->ndimensions)
        differs(c, "verdict %lld: more marks than the suite has dimensions", (long long)j->id);
}

static void compare_marks(struct check *c, const struct judgement *j, const struct instrument *in,
                          const struct mark *read)
{
    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct mark *is = &read[i], *was = store_mark_find(&j->marks, is->dimension);
        if (!was)
            continue;
        if (!same_number(was->value, is->value))
            differs(c, "verdict %lld, '%s': stored %s, the judge wrote %s", (long long)j->id,
                    is->dimension, exact(c->scratch, was->value), exact(c->scratch, is->value));
        if (in->quotes &&
            (!str_eq(was->evidence, is->evidence) || !str_eq(was->advice, is->advice)))
            differs(c, "verdict %lld, '%s': the stored quotes or advice differ from the judge's",
                    (long long)j->id, is->dimension);
    }
}

/* The model that the stored letter stands for; NULL: a tie, or none. */
static const char *chosen(const struct judgement *j)
{
    bool swapped = strcmp(j->shown, "ba") == 0;

    switch (reply_pair_choice(str_of(j->choice))) {
    case PAIR_A:
        return swapped ? j->other : j->model;
    case PAIR_B:
        return swapped ? j->model : j->other;
    case PAIR_TIE:
    case PAIR_NONE:
        break;
    }
    return NULL;
}

static void check_choice(struct check *c, const struct judgement *j)
{
    const char *winner = j->choice ? chosen(j) : NULL;

    if (j->state != STATE_DONE) {
        if (j->choice || j->winner)
            differs(c, "verdict %lld: %s, but it has a choice", (long long)j->id,
                    vocab_state_name(j->state));
    } else if (!j->choice || !reply_pair_choice(str_of(j->choice))) {
        differs(c, "verdict %lld: done, but without a choice", (long long)j->id);
    } else if (!winner != !j->winner || (winner && strcmp(winner, j->winner) != 0)) {
        differs(c, "verdict %lld: '%s' was shown as %s, but the winner is '%s'", (long long)j->id,
                winner ? winner : "nobody", j->choice, j->winner ? j->winner : "nobody");
    }
}

/* A verdict has a score exactly where its words can be read. True: compare the two. */
static bool fits_words(struct check *c, const struct judgement *j, const char *fault)
{
    if (j->state == STATE_DONE && fault)
        differs(c, "verdict %lld: done, but the judge's reply cannot be read: %s", (long long)j->id,
                fault);
    if (j->state == STATE_UNSCORED && !fault)
        differs(c, "verdict %lld: unscored, but the judge's reply can be read", (long long)j->id);
    return j->state == STATE_DONE && !fault;
}

static void check_pair(struct check *c, const struct judgement *j)
{
    struct pair_reply read = {0};
    struct pair_ask ask;
    struct item item;
    struct err e = {0};

    if (item_thaw(c->scratch, j->item_body, &item, &e) != OK) {
        differs(c, "verdict %lld: %s", (long long)j->id, e.msg);
        return;
    }
    ask = reply_pair_ask(c->scratch, &c->suite, &item);
    reply_pair_read(c->scratch, j->reply, &ask, c->suite.language, &read);
    if (fits_words(c, j, read.fault) && j->choice &&
        reply_pair_choice(str_of(j->choice)) != read.choice)
        differs(c, "verdict %lld: stored %s, the judge wrote %s", (long long)j->id, j->choice,
                reply_pair_word(read.choice));
}

static void check_reply(struct check *c, const struct judgement *j, const struct instrument *in)
{
    struct reply read;

    reply_read(c->scratch, j->reply, in, c->suite.language, &read);
    if (in->quotes)
        evidence_check(c->scratch,
                       &(struct evidence_case){j->answer, &c->suite, in, c->suite.language}, &read);
    if (j->state == STATE_DONE && read.doubted) /* earlier readers doubted less */
        compare_marks(c, j, in, read.doubted);
    else if (fits_words(c, j, read.fault))
        compare_marks(c, j, in, read.marks);
}

static enum status check_verdict(void *user, const struct judgement *j, struct err *e)
{
    struct check *c = user;
    const struct instrument *in;

    (void)e;
    arena_reset(c->scratch);
    in = about_instrument(c->scratch, &c->suite, j->shown, j->answer);
    if (j->sample_state != STATE_DONE)
        differs(c, "verdict %lld: its sample is %s", (long long)j->id,
                vocab_state_name(j->sample_state));
    if (j->state != STATE_DONE && j->marks.n)
        differs(c, "verdict %lld: %s, but it has marks", (long long)j->id,
                vocab_state_name(j->state));
    if (j->state != STATE_DONE && j->state != STATE_UNSCORED)
        return OK;
    c->counts.verdicts++;
    if (j->state == STATE_DONE)
        check_complete(c, j, in);
    if (j->other)
        check_choice(c, j);
    if (j->reply.n == 0) {
        c->counts.wordless++;
        return OK;
    }
    c->counts.replies++;
    if (j->other)
        check_pair(c, j);
    else
        check_reply(c, j, in);
    return OK;
}

/* ---- the run itself ---- */

static void check_key(struct check *c)
{
    const struct run_row *run = c->run;
    char hex[HASH_HEX];
    struct hash h;

    if (strlen(run->key) != HASH_HEX - 1 || strspn(run->key, "0123456789abcdef") != HASH_HEX - 1)
        differs(c, "run %s: its key is not a hash", run->name);
    hash_init(&h);
    hash_str(&h, str_of(run->key));
    hash_int(&h, run->generation);
    hash_hex(&h, hex);
    if (strncmp(hex, run->name, strlen(run->name)) != 0)
        differs(c, "run %s: its name does not follow from its key", run->name);
}

static enum status check_all(struct check *c, struct err *e)
{
    /* Causes before effects: one verdict may move every rating, and not all lines are shown. */
    check_key(c);
    if (store_score_versions(c->store, c->run->id, &c->versions, e) != OK ||
        seal_check(c->arena, c->store, c->run->id, report, c, &c->counts.digest, e) != OK ||
        check_samples(c, e) != OK ||
        store_judgement_each(c->store, c->run->id, check_verdict, c, e) != OK ||
        check_flags(c, e) != OK)
        return e->code;
    return check_scores(c, e);
}

enum status verify_run(struct arena *a, struct store *s, const struct run_row *run,
                       const struct verify_look *look, struct verify_counts *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct check c = {.store = s,
                      .run = run,
                      .arena = a,
                      .scratch = scratch,
                      .look = look,
                      .counts = {.unsearched = "", .stale = run->stale}};
    enum status st;

    if (suite_thaw(a, run->frozen, &c.suite, e) != OK)
        return err_wrap(e, "suite of run %s", run->name);
    st = store_looking(s, e, check_all(&c, e));
    if (st == OK)
        *out = c.counts;
    return st;
}
