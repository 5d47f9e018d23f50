/* jury.h - the judges whose marks make a score, people included.
 *
 * Judges that were named together are a panel; a judge that is added later has a panel of its own.
 * Each panel of a run is a jury; so is each single judge of a larger panel, and so are the raters
 * of a campaign. A run keeps the verdicts of all of them, and every score belongs to one jury.
 * Everything is in the arena. */
#ifndef STORE_JURY_H
#define STORE_JURY_H

#include "store/store.h"

#define JURY_PEOPLE "campaign:" /* prefix of the names of campaigns */

struct jury {
    const char *key;           /* key of its scores; "": the panel that judged the run first */
    const char *name;          /* for users: "a", "a+b", "campaign:spring" */
    int64_t judge;             /* a single judge of a larger panel; 0: all members */
    int64_t campaign;          /* of people: its id; 0: judges that are models */
    bool masked;               /* of people: which model wrote what must not be shown yet */
    bool older;                /* of people: empty answers count as before STORE_SCORE_SILENCE */
    struct party_list members; /* with id, name and family; of people the raters, by pseudonym */
};

struct jury_list {
    struct jury *v; /* panels in the order in which they were added, single judges, people */
    size_t n;
};

/* The juries of a run. The first panel is always there, even if it has no members. Dropped judges
 * sit on none. */
CHECKED enum status jury_list(struct arena *a, struct store *s, int64_t run, struct jury_list *out,
                              struct err *e);
/* Only the panels, including judges that were dropped and may come back. */
CHECKED enum status jury_panels(struct arena *a, struct store *s, int64_t run,
                                struct jury_list *out, struct err *e);
/* The jury with this name; NULL: the first one whose numbers may be shown. E_ABSENT says which
 * there are. */
CHECKED enum status jury_find(struct arena *a, struct store *s, int64_t run, const char *name,
                              struct jury *out, struct err *e);
/* The jury of exactly these judges, or NULL. */
const struct jury *jury_of(const struct jury_list *l, const char *const *judges, size_t n);
bool jury_has(const struct jury *j, const char *judge);
/* The name of a panel of these judges. */
const char *jury_name(struct arena *a, const char *const *judges, size_t n);

/* Drops a judge, whose verdicts stay but no longer count, or takes it back. Call it in a
 * transaction. E_ABSENT: there is no such judge. */
CHECKED enum status jury_drop(struct store *s, int64_t run, const char *judge, bool dropped,
                              struct err *e);

#endif
