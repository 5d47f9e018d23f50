/* publish.h - writes the pages about runs as plain files, for any web host or none.
 *
 * The functions that answer browsers make the files, too: starting at the leaderboard, every page
 * that a published page links to is written, with relative links, so that they work from file: as
 * well. What only staff can do, what has no file (a search) and sensitive suites are left out. */
#ifndef WEB_PUBLISH_H
#define WEB_PUBLISH_H

#include "base/err.h"
#include "store/store.h"

struct publish; /* of a request: what is published; opaque */

/* The relative link to write instead of href; NULL: its target is not published. */
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
/* The directory is made if needed; existing files are overwritten. */
CHECKED enum status publish_dir(struct store *s, const struct publish_how *how,
                                struct publish_counts *out, struct err *e);

#endif
