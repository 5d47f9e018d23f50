#include "suite/paper.h"

#include "base/hash.h"
#include "base/rng.h"
#include "suite/item.h"
#include "suite/prompt.h"
#include "suite/turn.h"

enum { FACTS_ASKED = 2, SECTION_MAX = 1 << 20 };

/* ---- drawing ---- */

/* The draw of one paper. */
struct drawing {
    struct arena *a;
    const struct suite *suite;
    const struct bank_character *who;
    size_t times; /* number of earlier sittings with this character */
    const struct bank_questions *generic;
    const size_t *facts; /* indices of the facts that are asked about */
    struct paper *paper;
};

static size_t *shuffled(struct arena *a, struct rng rng, size_t n)
{
    size_t *index = NEW_N(a, size_t, n);

    for (size_t i = 0; i < n; i++)
        index[i] = i;
    rng_shuffle(&rng, index, n);
    return index;
}

/* Another form of an interview has other papers. */
static uint64_t seed_of(const struct suite *s)
{
    return s->seed + (uint64_t)s->form * 0x9E3779B97F4A7C15U;
}

/* Draws `want` of n things for the times-th time: in an order specific to the character, continuing
 * where the previous draw stopped. */
static size_t *draw(const struct drawing *w, const char *purpose, size_t n, size_t want,
                    size_t times)
{
    const int64_t ids[] = {(int64_t)hash_u64_of(str_of(w->who->id))};
    size_t *order = shuffled(w->a, rng_keyed(seed_of(w->suite), purpose, ids, COUNT(ids)), n);
    size_t *out = NEW_N(w->a, size_t, want);

    for (size_t i = 0; i < want; i++)
        out[i] = order[(times * want + i) % n];
    return out;
}

/* The character of sitting i (from 0). */
static const struct bank_character *character_of(struct arena *a, const struct suite *s,
                                                 const struct bank *b, size_t i)
{
    const int64_t ids[] = {(int64_t)(i / b->n)};
    const size_t *order = shuffled(a, rng_keyed(seed_of(s), "interview", ids, COUNT(ids)), b->n);

    return &b->v[order[i % b->n]];
}

/* ---- questions ---- */

static const struct bank_questions *questions_of(const struct drawing *w, int part,
                                                 const char **source)
{
    bool own = w->who->questions.part[part - 1];

    *source = own ? TURN_BANK : TURN_GENERIC;
    return own ? &w->who->questions : w->generic;
}

struct str paper_address(const struct paper *p, struct str name)
{
    return p->address.n ? p->address : name;
}

static enum status fill(const struct drawing *w, struct str text, struct str *out, struct err *e)
{
    AUTO(buf_done) struct buf points = BUF_MAX(SECTION_MAX);
    const struct paper *p = w->paper;
    struct prompt_var vars[5];

    for (size_t i = 0; i < TASK_POINTS; i++)
        buf_fmt(&points, "%s- %.*s", i ? "\n" : "", STR_ARG(p->points[i]));
    vars[0] = (struct prompt_var){"character_name", w->who->name};
    vars[1] = (struct prompt_var){"surroundings", p->surroundings};
    vars[2] = (struct prompt_var){"theme", p->theme};
    vars[3] = (struct prompt_var){"points", buf_str(&points)};
    vars[4] = (struct prompt_var){"address", paper_address(p, w->who->name)};
    return prompt_fill(w->a, text, (struct prompt_vars){vars, COUNT(vars)}, out, e);
}

/* How many of n questions have the i-th of four alternating kinds. */
static size_t share(size_t n, size_t i)
{
    return n / PART_KINDS + (i < n % PART_KINDS);
}

/* Draws questions of four alternating kinds: the first of each, then the second of each. */
static void draw_kinds(const struct drawing *w, int part, size_t n, struct paper_question *out)
{
    enum question_kind first = part == 1 ? QUESTION_IDENTITY : QUESTION_COMPARE;
    const char *source;
    const struct bank_questions *q = questions_of(w, part, &source);

    for (size_t k = 0; k < PART_KINDS; k++) {
        const char *kind = bank_kind_name(first + (enum question_kind)k);
        const struct bank_texts *of = &q->of[first + (enum question_kind)k];
        const size_t *drawn = draw(w, kind, of->n, share(n, k), w->times);
        for (size_t i = 0; i < share(n, k); i++)
            out[i * PART_KINDS + k] =
                (struct paper_question){kind, of->v[drawn[i]].text, "", source};
    }
}

/* Draws the questions of a part, with those about facts spread evenly among them. */
static enum status draw_part(const struct drawing *w, int part, size_t n,
                             struct paper_questions *out, struct err *e)
{
    size_t facts = w->paper->nfacts, total = n + facts, at = 0, fact = 0;
    struct paper_question *plain = NEW_N(w->a, struct paper_question, n),
                          *v = NEW_N(w->a, struct paper_question, total);

    draw_kinds(w, part, n, plain);
    for (size_t i = 0; i < n; i++) {
        v[at++] = plain[i];
        while (fact < facts && (i + 1) * (facts + 1) >= (fact + 1) * n) {
            const struct bank_fact *f = &w->who->facts[w->facts[fact++]];
            struct str text = part == 1 ? f->ask.text : f->again.text;
            v[at++] = (struct paper_question){TURN_FACT, text, f->id, TURN_BANK};
        }
    }
    for (size_t i = 0; i < total; i++)
        if (fill(w, v[i].text, &v[i].text, e) != OK)
            return e->code;
    *out = (struct paper_questions){v, total};
    return OK;
}

static void draw_facts(struct drawing *w)
{
    const struct bank_character *who = w->who;
    size_t n = who->nfacts < FACTS_ASKED ? who->nfacts : FACTS_ASKED;
    struct paper_fact *facts = NEW_N(w->a, struct paper_fact, n);

    w->paper->facts = facts;
    w->paper->nfacts = n;
    w->facts = draw(w, "fact", who->nfacts, n, w->times);
    for (size_t i = 0; i < n; i++) {
        const struct bank_fact *f = &who->facts[w->facts[i]];
        facts[i] = (struct paper_fact){f->id, f->fact, f->expect, f->nexpect};
    }
}

static void draw_task(const struct drawing *w)
{
    struct paper *p = w->paper;
    const struct bank_questions *q = questions_of(w, 2, &p->task_source);
    const struct bank_task *task = &q->tasks[*draw(w, "task", q->ntasks, 1, w->times)];
    size_t n = task->follow_ups.n;
    const size_t *order = draw(w, "follow-up", n, n, 0);
    struct str *prepared = NEW_N(w->a, struct str, n);

    p->theme = task->theme.text;
    for (size_t i = 0; i < TASK_POINTS; i++)
        p->points[i] = task->points[i];
    for (size_t i = 0; i < n; i++)
        prepared[i] = task->follow_ups.v[order[i]].text;
    p->prepared = prepared;
    p->nprepared = n;
    p->follow_ups = (size_t)w->suite->elicit.interview.follow_ups;
}

static enum status fill_texts(const struct drawing *w, struct err *e)
{
    const struct interview_template *t = &w->suite->elicit.interview.template;
    struct str opening = w->who->opening.text;
    struct paper *p = w->paper;

    for (size_t i = 0; i < COUNT(p->instruction); i++) {
        struct str words = i == 0 && opening.n ? opening : t->part[i];
        if (fill(w, words, &p->instruction[i], e) != OK)
            return e->code;
    }
    return fill(w, t->task, &p->task, e);
}

static bool is_complete(const struct bank_character *c)
{
    const struct bank_questions *q = &c->questions;

    return q->part[0] && q->part[1] && q->part[2] && c->surroundings.n;
}

enum status paper_item(struct arena *a, const struct suite *s, const struct bank *b, size_t i,
                       struct item *out, struct err *e)
{
    const struct interview *how = &s->elicit.interview;
    const struct bank_character *c = character_of(a, s, b, i);
    const struct bank_questions *generic =
        is_complete(c) ? &c->questions : bank_generic(a, s->language);
    struct paper p = {.number = (int64_t)i + 1,
                      .era = c->era,
                      .address = c->address,
                      .surroundings = c->surroundings.n ? c->surroundings : generic->surroundings,
                      .anachronisms = c->anachronisms,
                      .nanachronisms = c->nanachronisms,
                      .ai = c->ai};
    struct drawing w = {
        .a = a, .suite = s, .who = c, .times = i / b->n, .generic = generic, .paper = &p};

    draw_task(&w);
    draw_facts(&w);
    if (draw_part(&w, 1, (size_t)how->part1, &p.part1, e) != OK ||
        draw_part(&w, 3, (size_t)how->part3, &p.part3, e) != OK || fill_texts(&w, e) != OK)
        return err_wrap(e, "sitting %zu", i + 1);
    *out = (struct item){
        .id = arena_printf(a, "%zu-%s", i + 1, c->id),
        .character = c->id,
        .prompt = str_of(arena_printf(a, "%.*s\n\n%.*s", STR_ARG(p.surroundings), STR_ARG(p.task))),
        .reference = STR(""),
        .paper = str_of(paper_freeze(a, &p)),
    };
    return OK;
}
