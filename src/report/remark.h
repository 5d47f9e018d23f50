/* remark.h - names, notes and tags that people give to runs. Pure. */
#ifndef REPORT_REMARK_H
#define REPORT_REMARK_H

#include "base/json.h"
#include "store/store.h"

/* E_USAGE unless a run may have this name. Names are used on the command line, so they must not
 * look like the id of a run. NULL and "" remove the name. */
CHECKED enum status remark_check_name(const char *name, struct err *e);
CHECKED enum status remark_check_note(const char *note, struct err *e);
/* Adds or removes a tag; *tags is in stored form. */
CHECKED enum status remark_add_tag(struct arena *a, const char **tags, struct str tag,
                                   struct err *e);
void remark_drop_tag(struct arena *a, const char **tags, struct str tag);
bool remark_has(const struct run_row *run, const char *tag);
/* "a, b"; "" if there are none. */
const char *remark_tags(struct arena *a, const struct run_row *run);
/* "3f9c", or "3f9c (spring)" if it has a name. */
const char *remark_name(struct arena *a, const struct run_row *run);
/* Adds the members label, note and tags. */
void remark_json(json_t *o, const struct run_row *run);

#endif
