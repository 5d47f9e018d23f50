#include "eval/classing.h"

#include <math.h>

#include "base/clock.h"
#include "eval/derive.h"
#include "store/seal.h"
#include "suite/mark.h"

/* ---- keeping ---- */

void classing_keep(struct classing_job *j, int64_t sample, double logit)
{
    j->marks[j->nmarks++] = (struct classing_logit){sample, logit};
}

/* Neither scores nor seals hold for what will be there. The row of the run comes first: whoever
 * scores it has set all seals before this goes on. */
static enum status put_marks(struct classing_job *j, struct err *e)
{
    enum status st = store_run_stale(j->store, j->run->id, e);

    for (size_t i = 0; st == OK && i < j->nmarks; i++) {
        int64_t sample = j->marks[i].sample;
        st = seal_classes_drop(j->store, j->run->id, sample, sample, e);
        if (st == OK)
            st = store_class_put(j->store, sample, &j->who, j->marks[i].logit, e);
    }
    return st;
}

enum status classing_flush(struct classing_job *j, struct err *e)
{
    if (j->nmarks == 0)
        return OK;
    if (store_atomically(j->store, e, put_marks(j, e)) != OK)
        return err_wrap(e, "storing what %s returned", j->who.name);
    j->outcome.now += (int64_t)j->nmarks;
    j->nmarks = 0;
    return OK;
}

/* ---- being watched ---- */

int classing_stopping(const struct classing_job *j)
{
    return j->how->stop ? *j->how->stop : 0;
}

void classing_report(struct classing_job *j, struct run_progress p)
{
    const struct classing_outcome *o = &j->outcome;
    int64_t now = clock_mono_ms();

    if (!j->how->report || (now - j->reported_ms < CLASSING_REPORT_MS && !classing_stopping(j)))
        return;
    j->reported_ms = now;
    p.run = j->run;
    p.samples.total = o->before + (int64_t)j->missing.n;
    p.samples.done = o->before + o->now + (int64_t)j->nmarks;
    p.samples.failed = o->failed;
    p.cost = NAN;
    p.elapsed_ms = now - j->began_ms;
    p.draining = classing_stopping(j) > 0;
    j->how->report(j->how->user, &p);
}

/* ---- a classifier of our own ---- */

static enum status classify_one(struct classing_job *j, struct arena *scratch, int64_t sample,
                                struct err *e)
{
    struct str answer;

    arena_reset(scratch);
    if (store_class_answer(scratch, j->store, sample, &answer, e) != OK)
        return e->code;
    classing_keep(j, sample, classifier_logit(j->how->classifier, answer));
    return j->nmarks == CLASSING_BATCH ? classing_flush(j, e) : OK;
}

static enum status classify_all(struct classing_job *j, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();

    for (size_t i = 0; i < j->missing.n && !classing_stopping(j); i++) {
        if (classify_one(j, scratch, j->missing.v[i], e) != OK)
            return e->code;
        classing_report(j, (struct run_progress){0});
    }
    return classing_flush(j, e);
}

/* ---- the whole ---- */

static const char *identity_of(struct arena *a, const struct classing_how *how)
{
    const struct class_endpoint *c = how->endpoint;
    char hex[HASH_HEX];
    struct hash h;

    if (how->classifier)
        return how->classifier->hash;
    hash_init(&h);
    hash_str(&h, str_of(c->at.url));
    hash_str(&h, str_of(c->at.model));
    hash_str(&h, str_of(c->label));
    hash_int(&h, c->dialect);
    hash_hex(&h, hex);
    return arena_text(a, str_of(hex));
}

static enum status drop_others(struct classing_job *j, struct err *e)
{
    bool any;

    if (store_run_stale(j->store, j->run->id, e) != OK ||
        seal_classes_hold(j->store, j->run->id, e) != OK ||
        store_class_forget(j->store, j->run->id, &j->who, &any, e) != OK)
        return e->code;
    return any ? seal_classes_drop(j->store, j->run->id, 0, INT64_MAX, e) : OK;
}

static enum status forget_others(struct classing_job *j, struct err *e)
{
    return store_atomically(j->store, e, drop_others(j, e));
}

enum status classing_run(struct arena *a, struct store *s, struct run_row *run,
                         const struct classing_how *how, struct classing_outcome *out,
                         struct err *e)
{
    struct classing_job *j = NEW(a, struct classing_job);
    struct run_counts counts;

    *j = (struct classing_job){
        .a = a,
        .store = s,
        .run = run,
        .how = how,
        .who = {how->name, identity_of(a, how),
                how->classifier ? how->classifier->labels[1] : how->endpoint->label},
        .began_ms = clock_mono_ms()};
    if (store_run_counts(s, run, 1, NULL, &counts, e) != OK || forget_others(j, e) != OK ||
        store_class_missing(a, s, run->id, how->name, &j->missing, e) != OK)
        return e->code;
    j->outcome.before = counts.samples.by[STATE_DONE] - (int64_t)j->missing.n;
    if ((how->classifier ? classify_all(j, e) : classing_ask(j, e)) != OK)
        return e->code;
    j->outcome.left = (int64_t)j->missing.n - j->outcome.now - j->outcome.failed;
    j->reported_ms = 0; /* the last state is always told */
    classing_report(j, (struct run_progress){0});
    run->stale = true;
    if (derive_refresh(s, run, e) != OK)
        return e->code;
    *out = j->outcome;
    return OK;
}
