/* Reads the rating of battles, and checks what their judges are shown. */
#include "suite/suite_read.h"

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

void suite_read_rating(struct suite_reading *r, const struct node *n)
{
    static const char *const headlines[] = {"bradley-terry"};
    bool pair = r->s->instrument.kind == INSTRUMENT_PAIR;
    const struct node *kind = field_get(n, "kind"), *period = field_get(n, "period");

    if (pair != (r->s->score.kind == SCORE_RATING))
        diags_error(r->d, kind ? kind->at : n->at,
                    pair ? "pairs are scored with kind: rating"
                         : "kind: rating requires an instrument of kind: pair");
    if (!pair)
        return;
    (void)node_choice(field_get(n, "headline"), headlines, COUNT(headlines), 0, r->d);
    r->s->score.glicko = read_also(r, field_get(n, "also"));
    if (period && !r->s->score.glicko)
        diags_error(r->d, period->key->at, "'period' requires also: [glicko2]");
}

/* ---- judge templates ---- */

void suite_check_pair_slots(const struct suite *s, const struct template *t, struct place at,
                            struct diags *d)
{
    static const char *const of_pairs[] = {"answer_a", "answer_b", "criteria"};
    static const char *const of_marks[] = {"answer",    "dimensions", "evaluation_metric",
                                           "max_score", "examples",   "probes"};
    bool pair = s->instrument.kind == INSTRUMENT_PAIR;

    for (size_t i = 0; i < COUNT(of_pairs); i++)
        if (!pair && suite_template_names(t, of_pairs[i]))
            diags_error(d, at,
                        "the judge template '%s' uses {{%s}}, which only pairs have (kind: pair)",
                        t->name, of_pairs[i]);
        else if (pair && i < 2 && t->user.n && !suite_template_names(t, of_pairs[i]))
            diags_error(d, at, "the judge template '%s' does not show {{%s}}", t->name,
                        of_pairs[i]);
    if (!pair && t->user.n && !suite_template_names(t, of_marks[0]))
        diags_error(d, at, "the judge template '%s' does not show {{%s}}", t->name, of_marks[0]);
    for (size_t i = 0; pair && i < COUNT(of_marks); i++)
        if (suite_template_names(t, of_marks[i]))
            diags_error(d, at, "the judge template '%s' uses {{%s}}, which pairs do not have",
                        t->name, of_marks[i]);
}
