#include "eval/plan.h"

#include "base/file.h"
#include "base/hash.h"
#include "store/store_work.h"
#include "suite/bank.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/models.h"
#include "suite/template.h"

/* ---- the key: everything that a run freezes ---- */

enum { LINE_MAX_BYTES = 64 << 20 };

static enum status hash_file(struct hash *h, const char *path, struct err *e)
{
    AUTO(lines_close) struct lines l = {0};
    struct str line;
    bool more = true;

    if (lines_open(&l, path, LINE_MAX_BYTES, e) != OK)
        return e->code;
    while (more) {
        if (lines_next(&l, &line, &more, e) != OK)
            return e->code;
        hash_str(h, line);
    }
    return OK;
}

static enum status hash_items(struct hash *h, const struct item_source *from, struct err *e)
{
    for (; from; from = from->next) {
        if (from->path) {
            if (hash_file(h, from->path, e) != OK)
                return e->code;
        } else if (from->bank) {
            for (size_t i = 0; i < from->bank->n; i++)
                hash_str(h, from->bank->v[i].source->text);
        } else {
            AUTO(arena_freep) struct arena *a = arena_new();
            AUTO(json_freep) json_t *j = doc_to_json(from->inline_items);
            hash_str(h, str_of(json_text_sorted(a, j)));
        }
    }
    return OK;
}

static enum status plan_key(struct arena *a, const struct plan *p, const char **out, struct err *e)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    hash_str(&h, str_of(suite_hashed(a, p->suite)));
    hash_int(&h, p->limit);
    for (size_t i = 0; p->only && i < p->nonly; i++)
        hash_str(&h, str_of(p->only[i]));
    hash_int(&h, (int64_t)p->nmodels);
    for (size_t i = 0; i < p->nmodels; i++) {
        hash_str(&h, str_of(models_identity(a, p->models[i])));
        if (p->models[i]->kind == ENDPOINT_RECORDED && hash_file(&h, p->models[i]->file, e) != OK)
            return e->code;
    }
    for (size_t i = 0; i < p->nothers; i++) {
        const struct endpoint other = models_untemplated(p->others[i]);
        hash_str(&h, str_of(models_identity(a, &other)));
    }
    if (hash_items(&h, p->items, e) != OK)
        return e->code;
    hash_hex(&h, hex);
    *out = arena_text(a, str_of(hex));
    return OK;
}

/* ---- making the rows ---- */

static bool is_wanted(const struct plan *p, const char *id)
{
    for (size_t i = 0; p->only && i < p->nonly; i++)
        if (strcmp(p->only[i], id) == 0)
            return true;
    return !p->only;
}

static enum status add_items(struct store *s, const struct plan *p, int64_t run, struct diags *d,
                             struct err *e)
{
    struct item_reader *r = item_reader_new(p->suite, p->items, d);
    AUTO(arena_freep) struct arena *a = arena_new();
    struct item item;
    int64_t n = 0;

    for (size_t i = 0; i < p->nmodels; i++)
        item_reader_model(r, p->models[i]);
    e->code = OK;
    while ((p->limit == 0 || n < p->limit) && item_reader_next(r, &item)) {
        arena_reset(a);
        if (!is_wanted(p, item.id))
            continue;
        if (store_item_add(s, run, n++, item.id, str_of(item_freeze(a, &item)), e) != OK)
            break;
    }
    item_reader_free(r);
    if (e->code != OK)
        return e->code;
    if (d->errors)
        return err_set(e, E_INPUT, "the items have errors");
    return n ? OK : err_set(e, E_INPUT, "the suite has no items");
}

static struct party party_of(struct arena *a, const struct endpoint *ep)
{
    return (struct party){
        .name = ep->name,
        .family = ep->family,
        .config = str_of(models_freeze(a, ep)),
    };
}

typedef enum status plan_fn(struct store *s, int64_t run, int64_t model, int64_t repeat,
                            struct err *e);

/* `plan` is NULL when its samples are planned already, or held back. */
static enum status add_model(struct arena *a, struct store *s, const struct run_row *run,
                             const struct endpoint *ep, plan_fn *plan, struct err *e)
{
    struct party p = party_of(a, ep);

    if (store_party_put(s, PARTY_MODEL, run->id, &p, e) != OK)
        return e->code;
    for (int64_t repeat = 0; repeat < run->repeats && plan; repeat++)
        if (plan(s, run->id, p.id, repeat, e) != OK)
            return e->code;
    return OK;
}

/* All models and others of the plan, as they are served today. */
static enum status add_parties(struct arena *a, struct store *s, const struct plan *p,
                               const struct run_row *run, plan_fn *plan, struct err *e)
{
    for (size_t i = 0; i < p->nmodels; i++)
        if (add_model(a, s, run, p->models[i], plan, e) != OK)
            return e->code;
    for (size_t i = 0; i < p->nothers; i++) {
        const struct endpoint other = models_untemplated(p->others[i]);
        struct party party = party_of(a, &other);
        if (store_party_put(s, PARTY_EXAMINER, run->id, &party, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status make_rows(struct arena *a, struct store *s, const struct plan *p,
                             struct run_row *run, struct diags *d, struct err *e)
{
    if (store_run_add(a, s, run, e) != OK || add_items(s, p, run->id, d, e) != OK)
        return e->code;
    return add_parties(a, s, p, run, p->held ? NULL : store_plan_first, e);
}

/* Some of its samples were held back when it was planned. */
static enum status is_held(struct store *s, const struct plan *p, const struct run_row *run,
                           bool *out, struct err *e)
{
    struct run_counts c;
    int64_t items;

    if (store_item_count(s, run->id, &items, e) != OK ||
        store_run_counts(s, run, 1, NULL, &c, e) != OK)
        return e->code;
    *out = c.samples.total < items * run->repeats * (int64_t)p->nmodels;
    return OK;
}

/* The run exists: bring its parties up to date, and plan what was held back. */
static enum status update_rows(struct arena *a, struct store *s, const struct plan *p,
                               const struct run_row *run, struct err *e)
{
    bool held = false;

    if (!p->held && is_held(s, p, run, &held, e) != OK)
        return e->code;
    return add_parties(a, s, p, run, held ? store_plan_samples : NULL, e);
}

/* A fresh plan goes on with a fresh run that was cut off; a finished one is history. */
static enum status is_finished(struct store *s, const struct run_row *run, bool *out, struct err *e)
{
    struct run_left left = {0};

    if (store_run_left(s, run->id, &left, e) != OK)
        return e->code;
    *out = !left.samples && !left.verdicts;
    return OK;
}

static enum status find_or_make(struct arena *a, struct store *s, const struct plan *p,
                                struct run_row *run, bool *resumed, struct diags *d, struct err *e)
{
    struct run_row old;
    bool finished = false;

    if (store_run_next(s, run->key, &run->generation, e) != OK ||
        store_run_find(a, s, run->key, p->fresh, &old, resumed, e) != OK)
        return e->code;
    if (*resumed && p->fresh && is_finished(s, &old, &finished, e) != OK)
        return e->code;
    if (finished)
        *resumed = false;
    if (!*resumed)
        return make_rows(a, s, p, run, d, e);
    *run = old;
    return update_rows(a, s, p, run, e);
}

enum status plan_run_within(struct arena *a, struct store *s, const struct plan *p,
                            struct run_row *out, bool *resumed, struct diags *d, struct err *e)
{
    struct run_row run = {
        .suite = p->suite->id,
        .frozen = str_of(suite_freeze(a, p->suite)),
        .titles = p->suite->titles,
        .seed = p->suite->seed,
        .repeats = p->suite->elicit.repeats,
        .fresh = p->fresh,
        .stale = true,
    };

    if (plan_key(a, p, &run.key, e) != OK || find_or_make(a, s, p, &run, resumed, d, e) != OK)
        return e->code;
    *out = run;
    return OK;
}

static enum status plan_alone(struct arena *a, struct store *s, const struct plan *p,
                              struct run_row *out, bool *resumed, struct diags *d, struct err *e)
{
    struct run_row run;

    if (store_atomically(s, e,
                         db_by_key(s->db, e) == OK ? plan_run_within(a, s, p, &run, resumed, d, e)
                                                   : e->code) != OK)
        return e->code;
    *out = run;
    return OK;
}

enum status plan_run(struct arena *a, struct store *s, const struct plan *p, struct run_row *out,
                     bool *resumed, struct diags *d, struct err *e)
{
    enum status st = plan_alone(a, s, p, out, resumed, d, e);

    /* On PostgreSQL another process can make the same run at the same moment; the second is refused
     * by the run's name or key, and finds the first one's when it looks again. */
    if (st == E_STORE && db_is_postgres(s->db))
        st = plan_alone(a, s, p, out, resumed, d, e);
    return st;
}

static enum status take_in(struct arena *a, struct store *s, const struct run_row *run,
                           const struct endpoint *model, bool known, struct err *e)
{
    if (!known && store_run_stale(s, run->id, e) != OK)
        return e->code;
    return add_model(a, s, run, model, store_plan_samples, e);
}

enum status plan_model(struct arena *a, struct store *s, const struct run_row *run,
                       const struct endpoint *model, bool known, struct err *e)
{
    return store_atomically(s, e, take_in(a, s, run, model, known, e));
}

/* A judge of that name is in the run already. It must be the same one, or its verdicts would stand
 * beside those of another under one name. The form in which it was asked stays, unless models.yaml
 * insists on another. */
static enum status same_judge(struct arena *a, const struct party *was, struct party *now,
                              struct err *e)
{
    struct endpoint before, after;

    if (models_thaw(a, was->config, &before, e) != OK ||
        models_thaw(a, now->config, &after, e) != OK)
        return e->code;
    if (strcmp(models_identity(a, &before), models_identity(a, &after)) != 0)
        return err_set(e, E_USAGE,
                       "judge '%s' of this run was another model or had other parameters (%s); "
                       "give the new one its own name in models.yaml",
                       now->name, before.kind == ENDPOINT_RECORDED ? before.file : before.model);
    if (!str_eq(was->template, now->template))
        return err_set(e, E_USAGE,
                       "the template of judge '%s' has changed since this run began; save it under "
                       "another name and pass that with --judge-template",
                       now->name);
    if (before.structured == after.structured)
        return OK;
    if (after.structured != STRUCTURED_AUTO)
        return err_set(e, E_USAGE,
                       "judge '%s' of this run was asked with another `structured`; give the new "
                       "one its own name in models.yaml",
                       now->name);
    after.structured = before.structured;
    now->config = str_of(models_freeze(a, &after));
    return OK;
}

static enum status check_judge(struct arena *a, struct store *s, const struct run_row *run,
                               struct party *now, struct err *e)
{
    struct party_list judges;

    if (store_party_list(a, s, PARTY_JUDGE_EVER, run->id, &judges, e) != OK)
        return e->code;
    for (size_t i = 0; i < judges.n; i++)
        if (strcmp(judges.v[i].name, now->name) == 0 && same_judge(a, &judges.v[i], now, e) != OK)
            return e->code;
    return OK;
}

const char *plan_judge_name(struct arena *a, const struct plan_judge *j)
{
    /* Of an objective one nobody is asked, whatever the template. */
    if (!j->template || j->judge->kind == ENDPOINT_OBJECTIVE)
        return j->judge->name;
    return arena_printf(a, "%s:%s", j->judge->name, j->template->name);
}

enum status plan_judge(struct arena *a, struct store *s, const struct run_row *run,
                       const struct suite *suite, const struct plan_judge *j, struct err *e)
{
    static const struct template wordless = {.name = "objective"};
    const struct template *words = j->template ? j->template : &suite->judge;
    const struct endpoint judge = models_untemplated(j->judge);
    struct party p = party_of(a, &judge);

    p.name = plan_judge_name(a, j);
    p.template =
        str_of(template_freeze(a, j->judge->kind == ENDPOINT_OBJECTIVE ? &wordless : words));
    p.repeats = j->repeats;
    p.panel = j->panel;
    return store_atomically(s, e,
                            check_judge(a, s, run, &p, e) == OK
                                ? store_party_put(s, PARTY_JUDGE, run->id, &p, e)
                                : e->code);
}
