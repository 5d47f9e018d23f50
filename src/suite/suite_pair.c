/* The instrument of kind pair (which of two answers is better?) and the rating that follows. */
#include "suite/prompt.h"
#include "suite/suite_read.h"

enum { CRITERIA_MAX = 20 };

/* ---- the instrument ---- */

static void read_criteria(struct suite_reading *r, const struct node *at, const struct node *list)
{
    struct instrument *in = &r->s->instrument;
    struct str *criteria;

    if (!list || list->kind != NODE_LIST || list->n == 0 || list->n > CRITERIA_MAX) {
        diags_error(r->d, list ? list->at : at->at,
                    "expected 'criteria', a list of 1 to %d texts such as [fits the character]",
                    CRITERIA_MAX);
        return;
    }
    criteria = NEW_N(r->a, struct str, list->n);
    for (const struct node *m = list->first; m; m = m->next) {
        struct str text = field_text(r->a, m, r->s->language, r->d);
        if (text.n == 0)
            diags_error(r->d, m->at, "the criterion is empty");
        criteria[in->ncriteria++] = text;
    }
    in->criteria = criteria;
}

void suite_read_pair(struct suite_reading *r, const struct node *n)
{
    static const char *const keys[] = {"kind", "criteria", "ties", "orders", "flagged"};
    static const char *const orders[] = {"one", "both"}, *const flagged[] = {"ignore", "lose",
                                                                             "drop"};
    struct instrument *in = &r->s->instrument;

    if (!node_keys(n, keys, COUNT(keys), r->d))
        return;
    read_criteria(r, n, field_get(n, "criteria"));
    in->ties = node_bool(field_get(n, "ties"), false, r->d);
    in->both_orders = node_choice(field_get(n, "orders"), orders, COUNT(orders), 0, r->d) == 1;
    in->flagged = (enum flagged)node_choice(field_get(n, "flagged"), flagged, COUNT(flagged),
                                            FLAGGED_IGNORE, r->d);
}

/* ---- the score ---- */

/* also: [glicko2] */
static bool read_also(struct suite_reading *r, const struct node *n)
{
    static const char *const systems[] = {"glicko2"};
    bool glicko = false;

    if (n && n->kind != NODE_LIST)
        return node_choice(n, systems, COUNT(systems), -1, r->d) == 0;
    for (const struct node *m = n ? n->first : NULL; m; m = m->next)
        glicko |= node_choice(m, systems, COUNT(systems), -1, r->d) == 0;
    return glicko;
}

/* period: battle | run */
static bool read_period(struct suite_reading *r, const struct node *n)
{
    static const char *const periods[] = {"battle", "run"};

    if (n && !r->s->score.glicko)
        diags_error(r->d, n->key ? n->key->at : n->at, "'period' belongs to also: [glicko2]");
    return node_choice(n, periods, COUNT(periods), 0, r->d) == 1;
}

void suite_read_rating(struct suite_reading *r, const struct node *n)
{
    static const char *const own[] = {"headline", "also", "period"}, *const headlines[] = {
                                                                         "bradley-terry"};
    bool pair = r->s->instrument.kind == INSTRUMENT_PAIR;
    const struct node *kind = field_get(n, "kind"), *round = field_get(n, "round");

    if (pair != (r->s->score.kind == SCORE_RATING))
        diags_error(r->d, kind ? kind->at : n->at,
                    pair ? "pairs are scored by kind: rating"
                         : "kind: rating is for an instrument of kind: pair");
    for (size_t i = 0; !pair && i < COUNT(own); i++)
        if (field_get(n, own[i]))
            diags_error(r->d, field_get(n, own[i])->key->at, "'%s' belongs to kind: rating",
                        own[i]);
    if (!pair)
        return;
    if (round)
        diags_error(r->d, round->key->at, "'round' means nothing for kind: rating");
    (void)node_choice(field_get(n, "headline"), headlines, COUNT(headlines), 0, r->d);
    r->s->score.glicko = read_also(r, field_get(n, "also"));
    r->s->score.one_period = read_period(r, field_get(n, "period"));
}

/* ---- what the judge is shown ---- */

static bool names(const struct template *t, const char *slot)
{
    const struct str texts[] = {t->system, t->user};

    for (size_t i = 0; i < COUNT(texts); i++) {
        size_t from = 0, begin;
        struct str name;
        while (prompt_next(texts[i], &from, &name, &begin))
            if (str_is(name, slot))
                return true;
    }
    return false;
}

void suite_check_pair_slots(const struct suite *s, const struct template *t, struct place at,
                            struct diags *d)
{
    static const char *const of_pairs[] = {"answer_a", "answer_b", "criteria"};
    static const char *const of_marks[] = {"answer",    "dimensions", "evaluation_metric",
                                           "max_score", "examples",   "probes"};
    bool pair = s->instrument.kind == INSTRUMENT_PAIR;

    for (size_t i = 0; i < COUNT(of_pairs); i++)
        if (!pair && names(t, of_pairs[i]))
            diags_error(d, at,
                        "the judge template '%s' names {{%s}}, which only pairs have (kind: pair)",
                        t->name, of_pairs[i]);
        else if (pair && i < 2 && t->user.n && !names(t, of_pairs[i]))
            diags_error(d, at, "the judge template '%s' does not show {{%s}}", t->name,
                        of_pairs[i]);
    for (size_t i = 0; pair && i < COUNT(of_marks); i++)
        if (names(t, of_marks[i]))
            diags_error(d, at, "the judge template '%s' names {{%s}}, which pairs do not have",
                        t->name, of_marks[i]);
}
