/* The stored form of papers. */
#include "suite/paper.h"
#include "suite/shape.h"

#define AT(type, member) .at = offsetof(struct type, member)
#define N(type, member)  .count = offsetof(struct type, member)

static const struct shape_key question_keys[] = {
    {"kind", SHAPE_WORD, AT(paper_question, kind)},
    {"text", SHAPE_PLAIN, AT(paper_question, text)},
    {"fact", SHAPE_WORD, SHAPE_SPARE, AT(paper_question, fact)},
    {"source", SHAPE_WORD, AT(paper_question, source)},
};
static const struct shape question = {SHAPE_OF("question", question_keys, struct paper_question)};

static const struct shape_key fact_keys[] = {
    {"id", SHAPE_WORD, AT(paper_fact, id)},
    {"fact", SHAPE_PLAIN, AT(paper_fact, fact)},
    {"expect", SHAPE_TEXTS, AT(paper_fact, expect), N(paper_fact, nexpect)},
};
static const struct shape fact = {SHAPE_OF("fact", fact_keys, struct paper_fact)};

static const struct shape_key task_keys[] = {
    {"theme", SHAPE_PLAIN, AT(paper, theme)},
    {"points", SHAPE_FIXED, SHAPE_NEEDED, AT(paper, points), .min = TASK_POINTS,
     .max = TASK_POINTS},
    {"text", SHAPE_PLAIN, AT(paper, task)},
    {"source", SHAPE_WORD, AT(paper, task_source)},
    {"prepared", SHAPE_TEXTS, AT(paper, prepared), N(paper, nprepared)},
    {"follow_ups", SHAPE_LONG, AT(paper, follow_ups), .max = 100},
};
static const struct shape task = {SHAPE_OF("task", task_keys, struct paper)};

static const struct shape_key paper_keys[] = {
    {"number", SHAPE_LONG, AT(paper, number), .max = 1e9, .otherwise = 1},
    {"era", SHAPE_PLAIN, AT(paper, era)},
    {"address", SHAPE_PLAIN, SHAPE_SPARE, AT(paper, address)},
    {"surroundings", SHAPE_PLAIN, AT(paper, surroundings)},
    {"instructions", SHAPE_FIXED, SHAPE_NEEDED, AT(paper, instruction), .min = 3, .max = 3},
    {"part1", SHAPE_LIST, AT(paper, part1.v), N(paper, part1.n), .of = &question},
    {"task", SHAPE_MAP, SHAPE_NEEDED, .of = &task},
    {"part3", SHAPE_LIST, AT(paper, part3.v), N(paper, part3.n), .of = &question},
    {"facts", SHAPE_LIST, AT(paper, facts), N(paper, nfacts), .of = &fact},
    {"anachronisms", SHAPE_TEXTS, AT(paper, anachronisms), N(paper, nanachronisms)},
    {"ai", SHAPE_BOOL, AT(paper, ai)},
};
static const struct shape whole = {SHAPE_OF("paper", paper_keys, struct paper)};

const char *paper_freeze(struct arena *a, const struct paper *p)
{
    return shape_text(a, &whole, p);
}

enum status paper_thaw(struct arena *a, struct str frozen, struct paper *out, struct err *e)
{
    struct paper p = {0};

    if (shape_thaw(a, &whole, frozen, "stored paper", &p, e) != OK)
        return e->code;
    if (p.follow_ups > p.nprepared || p.part1.n == 0 || p.part3.n == 0)
        return err_set(e, E_INPUT, "stored paper: it is incomplete");
    *out = p;
    return OK;
}
