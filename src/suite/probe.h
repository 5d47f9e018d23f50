/* probe.h - compares the two answers to facts that an interview asks about twice.
 *
 * An answer states a fact if it contains one of the expected words. That is a hint, not a verdict:
 * a fact can be stated in other words, or wrongly with the right ones. Judges and reports show the
 * list, but no score depends on it. Pure. */
#ifndef SUITE_PROBE_H
#define SUITE_PROBE_H

#include "suite/paper.h"
#include "suite/turn.h"

enum probe_outcome {
    PROBE_AGREES,  /* both answers state it */
    PROBE_DIFFERS, /* only one does: possibly a contradiction */
    PROBE_SILENT,  /* neither does */
};
enum { PROBE_OUTCOMES = PROBE_SILENT + 1 };

struct probe {
    struct str fact;
    int64_t first, again; /* turns of the two answers */
    struct str said[2];   /* the matching words in each answer; empty if none */
    enum probe_outcome outcome;
};

struct probe_list {
    struct probe *v;
    size_t n;
};

const char *probe_outcome_name(enum probe_outcome o); /* "agrees", ... */

/* The facts that were asked about in part 1 and again in part 3. */
struct probe_list probe_find(struct arena *a, const struct paper *p, const struct turn_list *turns);

/* The list as shown to judges, one line per fact; empty if there are none. */
struct str probe_text(struct arena *a, const struct probe_list *l, const char *language);

#endif
