#include "eval/derive.h"

#include <time.h>

#include "eval/concord.h"
#include "eval/flag.h"
#include "eval/rank.h"
#include "eval/score.h"
#include "store/seal.h"
#include "suite/suite.h"
#include "talk/course.h"
#include "talk/survival.h"

enum status derive_compute(struct arena *a, struct store *s, const struct run_row *run,
                           const struct suite *suite, const struct facts *facts,
                           const struct jury *jury, struct score_list *out, struct err *e)
{
    struct score_list part[5], all = {0};
    size_t n = 0;

    if (score_compute(a, s, run, suite, facts, jury, &part[0], e) != OK ||
        rank_compute(a, s, run, suite, jury, &part[1], e) != OK ||
        survival_compute(a, s, run, suite, &part[2], e) != OK ||
        concord_compute(a, s, run, suite, facts, jury, &part[3], e) != OK ||
        course_compute(a, s, run, suite, jury, &part[4], e) != OK)
        return e->code;
    for (size_t k = 0; k < COUNT(part); k++)
        n += part[k].n;
    all.v = NEW_N(a, struct score_row, n);
    for (size_t k = 0; k < COUNT(part); k++)
        for (size_t i = 0; i < part[k].n; i++)
            all.v[all.n++] = part[k].v[i];
    *out = all;
    return OK;
}

/* A run that is being brought up to date. */
struct job {
    struct arena *a;
    struct store *s;
    const struct run_row *run;
    const struct training_watch *watch;
    struct suite suite;
    struct flag_look look;
    struct flag_training training;
    bool whole; /* false: answers came while we searched */
};

static enum status look(struct job *j, struct err *e)
{
    if (suite_thaw(j->a, j->run->frozen, &j->suite, e) != OK)
        return e->code;
    j->look =
        (struct flag_look){.store = j->s, .run = j->run->id, .suite = &j->suite, .watch = j->watch};
    return flag_training(j->a, &j->look, &j->training, e);
}

/* Every jury has its own. */
static enum status score(struct job *j, struct err *e)
{
    AUTO(facts_freep) struct facts *facts = NULL;
    struct jury_list juries;
    struct score_list scores;

    if (jury_list(j->a, j->s, j->run->id, &juries, e) != OK ||
        facts_read(j->s, j->run->id, &facts, e) != OK ||
        store_score_drop(j->s, j->run->id, e) != OK)
        return e->code;
    for (size_t i = 0; i < juries.n; i++)
        if (derive_compute(j->a, j->s, j->run, &j->suite, facts, &juries.v[i], &scores, e) != OK ||
            store_score_add(j->s, j->run->id, juries.v[i].key, &scores, e) != OK)
            return e->code;
    return OK;
}

/* One process scores a run; the others find it done. *ours: it is us. */
static enum status refresh(struct job *j, bool *ours, struct err *e)
{
    if (store_run_claim(j->s, j->run->id, ours, e) != OK)
        return e->code;
    if (!*ours)
        return OK;
    if (db_compute(j->s->db, e) != OK || seal_same(j->s, j->run->id, &j->look.same, e) != OK ||
        flag_refresh(&j->look, &j->training, &j->whole, e) != OK || score(j, e) != OK ||
        (j->look.same ? seal_again : seal_refresh)(j->s, j->run->id, e) != OK ||
        seal_beside(j->s, j->run->id, e) != OK)
        return e->code;
    return j->whole ? OK : store_run_stale(j->s, j->run->id, e);
}

/* Somebody else is scoring the run: wait a moment. *over: they are done. */
static enum status await(struct job *j, bool *over, struct err *e)
{
    struct timespec nap = {.tv_nsec = 100000000};
    struct run_row now;

    if (store_run_by_id(j->a, j->s, j->run->id, &now, e) != OK)
        return e->code;
    *over = !now.stale;
    if (!*over)
        (void)nanosleep(&nap, NULL);
    return OK;
}

enum status derive_refresh(struct store *s, struct run_row *run, struct err *e)
{
    return derive_refresh_watched(s, run, NULL, e);
}

enum status derive_refresh_watched(struct store *s, struct run_row *run,
                                   const struct training_watch *watch, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct job j = {.a = a, .s = s, .run = run, .watch = watch};
    struct score_versions is;
    bool ours = false, over = false;

    if (store_score_versions(s, run->id, &is, e) != OK)
        return e->code;
    if (!run->stale && is.oldest == STORE_SCORE_VERSION)
        return OK;
    if (look(&j, e) != OK || db_survey(s->db, e) != OK)
        return err_wrap(e, "scoring run %s", run->name);
    while (!over) {
        if (store_atomically(s, e, refresh(&j, &ours, e)) != OK ||
            (!ours && await(&j, &over, e) != OK))
            return err_wrap(e, "scoring run %s", run->name);
        over = over || ours;
    }
    run->stale = ours && !j.whole;
    return OK;
}

enum status derive_overrule(struct store *s, struct run_row *run, const struct flag_act *act,
                            struct err *e)
{
    if (store_atomically(s, e,
                         store_run_stale(s, run->id, e) == OK ? store_flag_act(s, run->id, act, e)
                                                              : e->code) != OK)
        return e->code;
    run->stale = true;
    return derive_refresh(s, run, e);
}
