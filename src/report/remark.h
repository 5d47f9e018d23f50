/* remark.h - what people wrote on a run, as lists and boards show it. Pure. */
#ifndef REPORT_REMARK_H
#define REPORT_REMARK_H

#include "base/json.h"
#include "store/store.h"

/* May a run be called so? A name stands for a run on the command line: it is none that could be
 * another's. NULL and "": nothing takes the name away. E_USAGE says what is wrong. */
CHECKED enum status remark_check_name(const char *name, struct err *e);
CHECKED enum status remark_check_note(const char *note, struct err *e);
/* Tags as they are stored, with one more, and with one less. */
CHECKED enum status remark_add_tag(struct arena *a, const char **tags, struct str tag,
                                   struct err *e);
void remark_drop_tag(struct arena *a, const char **tags, struct str tag);
bool remark_has(const struct run_row *run, const char *tag);
/* "a, b"; "" where there are none. */
const char *remark_tags(struct arena *a, const struct run_row *run);
/* "3f9c", or "3f9c (spring)" where it has a name. */
const char *remark_name(struct arena *a, const struct run_row *run);
/* Members label, note and tags. */
void remark_json(json_t *o, const struct run_row *run);

#endif
