/* jury.h - whose number it is: the judges whose word makes a score, people included.
 *
 * Judges that were named together are a panel; one that came later has a panel of its own. Each
 * panel of a run is a jury, and so is each judge of a larger panel by itself, and the raters of a
 * campaign. A run keeps the verdicts of all of them; every score belongs to one. Everything is in
 * the arena. */
#ifndef STORE_JURY_H
#define STORE_JURY_H

#include "store/store.h"

#define JURY_PEOPLE "campaign:" /* what the names of people begin with */

struct jury {
    const char *key;           /* of its scores; "": those who judged the run first */
    const char *name;          /* as people call it: "a", "a+b", "campaign:spring" */
    int64_t judge;             /* one judge of a larger panel; 0: all members */
    int64_t campaign;          /* people; 0: judges that are asked */
    bool masked;               /* people: who wrote what must not be told yet */
    bool older;                /* people: their silence as before STORE_SCORE_SILENCE */
    struct party_list members; /* id, name, family; of people the raters under pseudonyms */
};

struct jury_list {
    struct jury *v; /* panels in the order in which they came, single judges, people */
    size_t n;
};

/* Those of a run. There is always a first one, though nobody may sit on it. Judges that were
 * dropped sit on none. */
CHECKED enum status jury_list(struct arena *a, struct store *s, int64_t run, struct jury_list *out,
                              struct err *e);
/* The panels alone, with whoever was dropped and may come back. */
CHECKED enum status jury_panels(struct arena *a, struct store *s, int64_t run,
                                struct jury_list *out, struct err *e);
/* The one that people call so; NULL: the first whose numbers may be shown. E_ABSENT says which
 * there are. */
CHECKED enum status jury_find(struct arena *a, struct store *s, int64_t run, const char *name,
                              struct jury *out, struct err *e);
/* The one of all these judges and no others, or NULL. */
const struct jury *jury_of(const struct jury_list *l, const char *const *judges, size_t n);
bool jury_has(const struct jury *j, const char *judge);
/* What a panel of these is called. */
const char *jury_name(struct arena *a, const char *const *judges, size_t n);

/* Its verdicts stay and count nowhere; or they count again. Within a transaction. E_ABSENT: no such
 * judge. */
CHECKED enum status jury_drop(struct store *s, int64_t run, const char *judge, bool dropped,
                              struct err *e);

#endif
