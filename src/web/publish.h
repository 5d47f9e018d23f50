/* publish.h - the pages about runs as plain files, for any web host or none.
 *
 * The same functions that answer a browser write the files: beginning with the leaderboard, every
 * page that a published page links to is asked for and written, and its links are made to lead
 * from file to file, so that they work from file: too. What only staff can do, what has no file
 * (a search) and sensitive suites are left out. */
#ifndef WEB_PUBLISH_H
#define WEB_PUBLISH_H

#include "base/err.h"
#include "store/store.h"

struct publish; /* of a request: what is published; opaque */

/* The address that stands in a page instead of href; NULL: it leads nowhere, and is left out. */
const char *publish_link(struct publish *p, const char *href);

struct publish_how {
    const char *dir;
    const char *language; /* "en", "zh" or "ja" */
    const char *run;      /* that one alone; NULL: all */
};
struct publish_counts {
    int64_t pages, bytes;
    int64_t damaged;   /* pages left out: what they show can no longer be read */
    struct err damage; /* of the first of them */
};
/* DIR is made; files that are there already are written over. */
CHECKED enum status publish_dir(struct store *s, const struct publish_how *how,
                                struct publish_counts *out, struct err *e);

#endif
