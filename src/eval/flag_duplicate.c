/* Answers that repeat an earlier answer of the same model to the same item. */
#include "eval/flag_find.h"

struct flag_earlier {
    int64_t id, repeat;
    struct str answer;
    struct runes folded;
    struct flag_earlier *next;
};

static struct runes copy_runes(struct arena *a, struct runes r)
{
    return (struct runes){arena_copy(a, r.p, r.n, sizeof *r.p),
                          arena_copy(a, r.at, r.n, sizeof *r.at), r.n};
}

static void begin_group(struct flag_search *s, const struct sample_row *row)
{
    if (row->model == s->group_model && row->item == s->group_item)
        return;
    arena_reset(s->group);
    s->earlier = NULL;
    s->group_model = row->model;
    s->group_item = row->item;
}

static void remember(struct flag_search *s, const struct flag_answer *now)
{
    struct flag_earlier *one = NEW(s->group, struct flag_earlier);

    *one = (struct flag_earlier){
        .id = now->row->id,
        .repeat = now->row->repeat,
        .answer = arena_str(s->group, now->row->answer),
        .folded = copy_runes(s->group, now->folded),
        .next = s->earlier,
    };
    s->earlier = one;
}

/* Compared with all of the earlier answers, those that were themselves duplicates included. */
void flag_duplicate(struct flag_search *s, const struct flag_answer *now)
{
    const struct flag_earlier *nearest = NULL;
    struct similar best = {.score = -1};

    begin_group(s, now->row);
    for (const struct flag_earlier *was = s->earlier; was; was = was->next) {
        struct similar sim = similar_compare(s->scratch, now->folded, was->folded);
        if (sim.score > best.score) {
            best = sim;
            nearest = was;
        }
    }
    if (nearest && best.score >= s->suite->rules.of[RULE_DUPLICATE].threshold) {
        struct flag_texts both = {{now->row->answer, nearest->answer},
                                  {now->folded, nearest->folded}};
        struct flag_evidence v = {
            .this = now->row->answer,
            .other = nearest->answer,
            .shared = flag_shared(s->scratch, &both),
            .similar = &best,
            .other_sample = nearest->id,
            .other_repeat = nearest->repeat,
        };
        (void)flag_add(&s->found, s->keep, now->row->id, RULE_DUPLICATE, &v);
    }
    remember(s, now);
}
