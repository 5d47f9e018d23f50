/* sittings.h - interviews in reports: what was said, signs that the role slipped, facts asked
 * twice; and a table of all models. Everything lives in the arena. */
#ifndef REPORT_SITTINGS_H
#define REPORT_SITTINGS_H

#include "base/json.h"
#include "report/tables.h"
#include "suite/probe.h"
#include "suite/timeline.h"

struct report_sitting {
    struct str character, theme; /* the character played; the theme of the task card */
    struct str examiner;         /* the examiner's name in transcripts */
    struct turn_list turns;      /* everything said */
    const struct str *names;     /* speaker of each turn */
    struct sign_list signs;
    struct probe_list probes;
    struct timeline_span span;
};

/* Reads one sitting. `words` can be shared by any number of calls. */
struct sittings_case {
    const struct suite *suite;
    const struct timeline *words;
    const struct item *item;
    int64_t sample;
};
CHECKED enum status sittings_read(struct arena *a, struct store *s, const struct sittings_case *c,
                                  struct report_sitting *out, struct err *e);

/* Reads the sittings of all samples in the report, if they are interviews. */
CHECKED enum status sittings_take(struct arena *a, struct store *s, struct report *r,
                                  struct err *e);

/* Adds turns, signs and probes to a JSON object. */
void sittings_json(json_t *object, const struct report_sitting *s);

/* Adds the table of sittings, if there are interviews. */
void sittings_tables(struct arena *a, const struct report *r, const struct tables_how *how,
                     struct tables *out);

/* A model's summary by each jury of the report, one line each, with the jury's name if there are
 * several; "" ends the list. */
const char **sittings_standings(struct arena *a, const struct report *r, size_t model,
                                const char *language);

#endif
