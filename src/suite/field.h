/* field.h - values that suites, items and models.yaml share: ids, texts, files, parameters.
 *
 * Like the node_* readers of doc.h: n may be NULL (absent), a fault goes to d at its place, and the
 * result is then a value that later checks can live with. Results live in arena a. */
#ifndef SUITE_FIELD_H
#define SUITE_FIELD_H

#include "base/doc.h"

enum {
    FIELD_TEXT_MAX = 256 << 10, /* bytes of one text */
    FIELD_ID_MAX = 100,         /* bytes of an id */
};

/* Member of a map; NULL when it is absent or null. */
const struct node *field_get(const struct node *map, const char *key);

/* Letters, digits, '-', '_' and '.'. */
bool field_is_id(struct str s);
bool field_is_yaml(struct str path); /* by its end */
const char *field_id(struct arena *a, const struct node *n, const char *otherwise, struct diags *d);

/* The same in any script: letters and digits without spaces or signs, in NFC. */
const char *field_name(struct arena *a, const struct node *n, const char *otherwise,
                       struct diags *d);

/* One text, or a map from languages to texts of which `language` picks one (else its first part:
 * "zh" for "zh-TW", else English, else the first). Line breaks at the end, which block scalars
 * have, are dropped. Empty when absent. */
struct str field_text(struct arena *a, const struct node *n, const char *language, struct diags *d);
/* The same, never in several languages. */
struct str field_plain(struct arena *a, const struct node *n, struct diags *d);

/* The file that n names, as seen from the directory of `beside` (NULL: files may not be named).
 * NULL and a fault when there is no such file; what is meant to be there ("item file") is said.
 * Files come from other people, and what they name is sent to models. So it lies in the folder of
 * `beside` or, where that is inside one called "suites", in that one: "..", absolute paths and
 * links lead nowhere else, and what is there is not told. */
const char *field_file(struct arena *a, const struct node *n, const char *beside, const char *what,
                       struct diags *d);
/* The same wherever it lies: recorded replies of models.yaml, and what a command names. */
const char *field_any_file(struct arena *a, const struct node *n, const char *beside,
                           const char *what, struct diags *d);
/* Does this file lie outside? */
bool field_is_outside(struct arena *a, const char *beside, const char *path);
/* From now on files may lie anywhere: `--allow-outside`. A property of the process, as its language
 * (message.h); set before threads begin. */
void field_allow_outside(void);

/* A map that is merged into request bodies, as JSON; "{}" when absent. What the program itself sets
 * (model, messages, stream) is refused. */
const char *field_parameters(struct arena *a, const struct node *n, struct diags *d);

#endif
