/* Signs of ballot stuffing in open arenas: how many raters come from one network, and whether
 * they choose one system more often than others do. Signs have no consequences. */
#include <math.h>

#include "math/dist.h"
#include "panel/outcome_parts.h"

enum { CROWD_FROM = 3 }; /* least number of raters of one network */

/* How often a system won against another one, for raters of a network and for all others. */
struct choice_counts {
    size_t won, met, won_elsewhere, met_elsewhere;
};

static void count(struct choice_counts *v, const struct entry *x, bool inside)
{
    const uint32_t systems[] = {x->system, x->other};

    if (x->value == 0.5 || x->system == x->other)
        return;
    for (size_t i = 0; i < COUNT(systems); i++) {
        struct choice_counts *k = &v[systems[i]];
        bool won = (x->value > 0.5) == (i == 0);
        *(inside ? &k->met : &k->met_elsewhere) += 1;
        *(inside ? &k->won : &k->won_elsewhere) += won;
    }
}

/* -log10 of the probability that a network without a favourite chooses one system this often:
 * exact binomial test against all other raters, corrected for the number of systems. 0: nothing
 * unusual. */
static double favour(const struct tally_sheet *t, const char *const *networks, const char *of)
{
    struct choice_counts *v = NEW_N(t->a, struct choice_counts, t->l.nsystems + 1);
    double least = 1;

    for (size_t i = 0; i < t->l.n; i++) {
        const char *from = networks[t->l.v[i].rater];
        count(v, &t->l.v[i], from && strcmp(from, of) == 0);
    }
    for (size_t k = 0; k < t->l.nsystems; k++) {
        const struct choice_counts *c = &v[k];
        /* add one choice each way for the others: a share of 0 or 1 proves little */
        double share = ((double)c->won_elsewhere + 1) / ((double)c->met_elsewhere + 2), p;
        if (c->met == 0 || (double)c->won / (double)c->met <= share)
            continue;
        p = dist_binomial_test(c->won, c->met, share) * (double)t->l.nsystems;
        least = p < least ? p : least;
    }
    return -log10(least > 1e-300 ? least : 1e-300);
}

static const char *network_of(const struct rater_list *raters, const char *pseudonym)
{
    for (size_t i = 0; i < raters->n; i++)
        if (strcmp(raters->v[i].pseudonym, pseudonym) == 0)
            return raters->v[i].network;
    return NULL;
}

void outcome_crowds(struct tally_sheet *t, const struct rater_list *raters)
{
    const char **networks = NEW_N(t->a, const char *, t->l.nraters + 1);
    double *favours = NEW_N(t->a, double, t->l.nraters + 1);

    if (!t->c->spec.open)
        return;
    for (size_t i = 0; i < t->l.nraters; i++)
        networks[i] = network_of(raters, t->l.raters[i]);
    for (size_t i = 0; i < t->l.nraters; i++) {
        size_t first = i;
        int64_t same = 0;
        for (size_t k = t->l.nraters; networks[i] && k-- > 0;)
            if (networks[k] && strcmp(networks[k], networks[i]) == 0) {
                same++;
                first = k;
            }
        if (same)
            outcome_put_sign(t, i, "sign:network", "raters from the same network", (double)same,
                             same);
        if (same < CROWD_FROM || t->c->suite.instrument.kind != INSTRUMENT_PAIR)
            continue;
        favours[i] = first < i ? favours[first] : favour(t, networks, networks[i]);
        outcome_put_sign(
            t, i, "sign:crowd",
            "-log10 p: the network's choices against everybody else's, over all systems",
            favours[i], same);
    }
}
