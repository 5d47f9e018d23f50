#include "eval/flag.h"

#include "base/json.h"
#include "eval/store_read.h"
#include "text/fold.h"
#include "text/similar.h"

enum { EVIDENCE_RUNES = 2000 }; /* of each answer: enough to see, bounded whatever a model wrote */

struct earlier {
    int64_t sample, repeat;
    struct str answer;
    struct runes folded;
    struct earlier *next;
};

/* A flag that was found and is to be written when reading has ended. */
struct found {
    int64_t sample;
    double similarity;
    const char *evidence;
    struct found *next;
};

struct search {
    const struct rule *rule;
    struct arena *group;   /* answers to one item by one model */
    struct arena *scratch; /* one comparison */
    struct arena *keep;
    int64_t model, item;
    struct earlier *earlier;
    struct found *found;
};

/* What a person needs to agree or to overrule: the two answers and what they share. */
static const char *evidence_text(struct search *s, const struct earlier *now,
                                 const struct earlier *was, const struct similar *sim)
{
    struct similar_overlap o = similar_overlap(s->scratch, now->folded, was->folded);
    struct str shared = {0};
    AUTO(json_freep) json_t *j = json_object();

    if (o.n)
        shared = fold_source(now->answer, now->folded, o.at[0], o.n);
    (void)json_object_set_new(j, "similarity", json_real(sim->score));
    (void)json_object_set_new(j, "indel", json_real(sim->indel));
    (void)json_object_set_new(j, "containment", json_real(sim->containment));
    (void)json_object_set_new(j, "other_repeat", json_integer(was->repeat));
    (void)json_object_set_new(j, "other_sample", json_integer(was->sample));
    (void)json_object_set_new(j, "shared", json_from_str(utf8_head(shared, EVIDENCE_RUNES)));
    (void)json_object_set_new(j, "this", json_from_str(utf8_head(now->answer, EVIDENCE_RUNES)));
    (void)json_object_set_new(j, "other", json_from_str(utf8_head(was->answer, EVIDENCE_RUNES)));
    return json_text(s->keep, j);
}

/* The most similar of the earlier answers, those that were themselves duplicates included. */
static void compare(struct search *s, const struct earlier *now)
{
    const struct earlier *nearest = NULL;
    struct similar best = {.score = -1};

    for (const struct earlier *was = s->earlier; was; was = was->next) {
        struct similar sim = similar_compare(s->scratch, now->folded, was->folded);
        if (sim.score > best.score) {
            best = sim;
            nearest = was;
        }
    }
    if (nearest && best.score >= s->rule->threshold) {
        struct found *f = NEW(s->keep, struct found);
        *f = (struct found){
            .sample = now->sample,
            .similarity = best.score,
            .evidence = evidence_text(s, now, nearest, &best),
            .next = s->found,
        };
        s->found = f;
    }
    arena_reset(s->scratch);
}

static enum status look(void *user, const struct sample_row *row, struct err *e)
{
    struct search *s = user;
    struct earlier *now;

    (void)e;
    if (row->state != STATE_DONE)
        return OK;
    if (row->model != s->model || row->item != s->item) {
        arena_reset(s->group);
        s->earlier = NULL;
        s->model = row->model;
        s->item = row->item;
    }
    now = NEW(s->group, struct earlier);
    now->sample = row->id;
    now->repeat = row->repeat;
    now->answer = arena_str(s->group, row->answer);
    now->folded = fold_text(s->group, now->answer);
    compare(s, now);
    now->next = s->earlier;
    s->earlier = now;
    return OK;
}

static bool still_found(const struct found *f, int64_t sample)
{
    while (f && f->sample != sample)
        f = f->next;
    return f != NULL;
}

static enum status write_found(struct store *st, const struct run_row *run, const struct search *s,
                               struct err *e)
{
    struct flag_list old;

    if (store_flag_list(s->keep, st, run->id, &old, e) != OK)
        return e->code;
    for (size_t i = 0; i < old.n; i++)
        if (strcmp(old.v[i].kind, "duplicate") == 0 && !still_found(s->found, old.v[i].sample) &&
            store_flag_drop(st, old.v[i].id, e) != OK)
            return e->code;
    for (const struct found *f = s->found; f; f = f->next)
        if (store_flag_put(st, run->id, f->sample, "duplicate", f->similarity, str_of(f->evidence),
                           e) != OK)
            return e->code;
    return OK;
}

enum status flag_refresh(struct store *st, const struct run_row *run, const struct suite *suite,
                         struct err *e)
{
    AUTO(arena_freep) struct arena *group = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(arena_freep) struct arena *keep = arena_new();
    struct search s = {
        .rule = &suite->rules.duplicate, .group = group, .scratch = scratch, .keep = keep};
    struct sample_filter all = {.run = run->id};

    if (!suite->rules.duplicate.on || run->repeats < 2)
        return OK;
    if (store_sample_each(st, &all, look, &s, e) != OK)
        return e->code;
    return write_found(st, run, &s, e);
}
