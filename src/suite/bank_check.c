/* Quality of a bank: enough of everything, and no duplicate questions. */
#include "suite/bank.h"
#include "text/corpus.h"

enum { KIND_LEAST = 2, TASKS_LEAST = 3, FACTS_LEAST = 2 };

static const double alike = 0.8; /* similarity from which two texts count as the same question */

static void check_counts(const struct bank_character *c, struct diags *d)
{
    const struct bank_questions *q = &c->questions;
    static const char *const parts[] = {"part1", "tasks", "part3"};

    for (size_t i = 0; i < COUNT(parts); i++)
        if (!q->part[i])
            diags_warn(d, c->at, "no '%s': generic ones are used", parts[i]);
    for (int k = 0; k < QUESTION_KINDS; k++)
        if (q->part[k < PART_KINDS ? 0 : 2] && q->of[k].n && q->of[k].n < KIND_LEAST)
            diags_error(d, q->of[k].v[0].at,
                        "only %zu question of the kind '%s'; at least %d are needed", q->of[k].n,
                        bank_kind_name((enum question_kind)k), KIND_LEAST);
    if (q->part[1] && q->ntasks && q->ntasks < TASKS_LEAST)
        diags_error(d, q->tasks[0].theme.at, "only %zu task card%s; at least %d are needed",
                    q->ntasks, q->ntasks == 1 ? "" : "s", TASKS_LEAST);
    if (c->nfacts < FACTS_LEAST && !bank_is_bare(c))
        diags_error(d, c->at, "only %zu fact%s to ask for twice; at least %d are needed", c->nfacts,
                    c->nfacts == 1 ? "" : "s", FACTS_LEAST);
    if (c->address.n && !c->opening.text.n)
        diags_error(d, c->at, "an 'address' without an 'opening': part 1 still greets by the name");
}

/* ---- similar questions ---- */

/* A question and its character. */
struct asked {
    const struct shape_said *text;
    const struct bank_character *who;
};

struct gathered {
    struct arena *a;
    struct asked *v;
    size_t n, cap;
};

static void gather_one(struct gathered *g, const struct bank_character *who,
                       const struct shape_said *text)
{
    if (text->text.n == 0)
        return;
    g->v = arena_grow(g->a, g->v, &g->cap, g->n + 1, sizeof *g->v);
    g->v[g->n++] = (struct asked){text, who};
}

static void gather_texts(struct gathered *g, const struct bank_character *who,
                         struct bank_texts texts)
{
    for (size_t i = 0; i < texts.n; i++)
        gather_one(g, who, &texts.v[i]);
}

static void gather_character(struct gathered *g, const struct bank_character *c)
{
    gather_one(g, c, &c->opening);
    for (int k = 0; k < QUESTION_KINDS; k++)
        gather_texts(g, c, c->questions.of[k]);
    for (size_t i = 0; i < c->questions.ntasks; i++)
        gather_texts(g, c, c->questions.tasks[i].follow_ups);
    for (size_t i = 0; i < c->nfacts; i++) {
        gather_one(g, c, &c->facts[i].ask);
        gather_one(g, c, &c->facts[i].again);
    }
}

static void say_alike(const struct asked *one, const struct asked *other, double score,
                      struct diags *d)
{
    struct str words = utf8_head(other->text->text, 60);

    if (one->who == other->who)
        diags_error(d, one->text->at, "much like line %d (%.0f%%): %.*s", other->text->at.line,
                    score * 100, STR_ARG(words));
    else
        diags_error(d, one->text->at, "much like %s:%d (%.0f%%): %.*s", other->who->source->path,
                    other->text->at.line, score * 100, STR_ARG(words));
}

static void check_alike(const struct bank *b, struct diags *d)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct gathered g = {.a = a};
    struct folded *folded;
    struct corpus *c;

    for (size_t i = 0; i < b->n; i++)
        gather_character(&g, &b->v[i]);
    folded = NEW_N(a, struct folded, g.n);
    for (size_t i = 0; i < g.n; i++)
        folded[i] = fold_both(a, utf8_head(g.v[i].text->text, CORPUS_RUNES_MAX / 32));
    c = corpus_new(a, folded, g.n, alike);
    for (size_t i = 0; i < g.n; i++) {
        struct corpus_matches m;
        arena_reset(scratch);
        m = corpus_search(scratch, c, folded[i]);
        for (size_t k = 0; k < m.n && m.v[k].text < i; k++)
            say_alike(&g.v[i], &g.v[m.v[k].text], m.v[k].similar.score, d);
    }
}

void bank_check(const struct bank *b, struct diags *d)
{
    for (size_t i = 0; i < b->n; i++)
        check_counts(&b->v[i], d);
    check_alike(b, d);
}
