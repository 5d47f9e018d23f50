/* sittings.h - interviews as reports show them: what was said, signs of a slipping role, facts
 * asked for twice; and a table of all models. Everything lives in the arena. */
#ifndef REPORT_SITTINGS_H
#define REPORT_SITTINGS_H

#include "base/json.h"
#include "report/tables.h"
#include "suite/probe.h"
#include "suite/timeline.h"

struct report_sitting {
    struct str character, theme; /* who was played; the task card's */
    struct str examiner;         /* what transcripts call whoever asks */
    struct turn_list turns;      /* all that was said */
    const struct str *names;     /* of whoever says them */
    struct sign_list signs;
    struct probe_list probes;
    struct timeline_span span;
};

/* One sitting. `words` is good for any number of them. */
struct sittings_case {
    const struct suite *suite;
    const struct timeline *words;
    const struct item *item;
    int64_t sample;
};
CHECKED enum status sittings_read(struct arena *a, struct store *s, const struct sittings_case *c,
                                  struct report_sitting *out, struct err *e);

/* Those of all samples in the report, where they are interviews. */
CHECKED enum status sittings_take(struct arena *a, struct store *s, struct report *r,
                                  struct err *e);

/* Turns, signs and probes as members of a JSON object. */
void sittings_json(json_t *object, const struct report_sitting *s);

/* How the models fared beside their bands, where there are interviews. */
void sittings_tables(struct arena *a, const struct report *r, const struct tables_how *how,
                     struct tables *out);

/* The same of each jury that the report is by, one a line, with its name where there are several;
 * "" ends the list. */
const char **sittings_standings(struct arena *a, const struct report *r, size_t model,
                                const char *language);

#endif
