/* probe.h - facts of the card that an interview asks for twice: what became of them.
 *
 * Each answer says the fact when one of its expected words stands in it. That is a hint and no
 * verdict: a fact can be told in other words, and told wrongly with the right ones. Judges are
 * shown the list, and reports show it; no score is made of it. Pure. */
#ifndef SUITE_PROBE_H
#define SUITE_PROBE_H

#include "suite/paper.h"
#include "suite/turn.h"

enum probe_outcome {
    PROBE_AGREES,  /* both answers say it */
    PROBE_DIFFERS, /* one does: a contradiction perhaps */
    PROBE_SILENT,  /* neither does */
};
enum { PROBE_OUTCOMES = PROBE_SILENT + 1 };

struct probe {
    struct str fact;
    int64_t first, again; /* turns of the two answers */
    struct str said[2];   /* the words that were found in them; empty: none */
    enum probe_outcome outcome;
};

struct probe_list {
    struct probe *v;
    size_t n;
};

const char *probe_outcome_name(enum probe_outcome o); /* "agrees", ... */

/* The facts that were asked for, and asked for again. */
struct probe_list probe_find(struct arena *a, const struct paper *p, const struct turn_list *turns);

/* As judges read it, a line for each; empty when there is none. */
struct str probe_text(struct arena *a, const struct probe_list *l, const char *language);

#endif
