/* field.h - readers for values that suites, items and models.yaml share: ids, texts, files,
 * parameters.
 *
 * Like the node_* readers of doc.h: n may be NULL (absent), errors go to d with their location, and
 * the result is then a harmless value. Results live in arena a. */
#ifndef SUITE_FIELD_H
#define SUITE_FIELD_H

#include "base/doc.h"

enum {
    FIELD_TEXT_MAX = 256 << 10, /* bytes of one text */
    FIELD_ID_MAX = 100,         /* bytes of an id */
};

/* Member of a map; NULL if absent or null. */
const struct node *field_get(const struct node *map, const char *key);

/* True for 1 to FIELD_ID_MAX letters, digits, '-', '_' and '.'. */
bool field_is_id(struct str s);
bool field_is_yaml(struct str path); /* by file name extension */
/* "clerk" for "users/clerk.yaml". */
const char *field_stem(struct arena *a, const char *path);
/* "rubric.zh" if the built-in folder ("share/templates/") has rubric.zh.yaml, where `language` is
 * zh or begins with "zh-"; otherwise "rubric.en". */
const char *field_in_language(struct arena *a, const char *folder, const char *name,
                              const char *language);
/* The built-in YAML file of a folder ("share/scenes/") that was probably meant, without its
 * extension; or NULL. */
const char *field_built_in(struct arena *a, const char *folder, struct str written);
const char *field_id(struct arena *a, const struct node *n, const char *otherwise, struct diags *d);

/* Like field_id(), in any script: letters and digits without spaces or symbols. Returned in NFC. */
const char *field_name(struct arena *a, const struct node *n, const char *otherwise,
                       struct diags *d);

/* One text, or a map from languages to texts. From a map it picks `language`, else the primary
 * language ("zh" for "zh-TW"), else English, else the first entry. Trailing line breaks, which
 * block scalars have, are removed. Empty if absent. */
struct str field_text(struct arena *a, const struct node *n, const char *language, struct diags *d);
/* Same, for texts in one language only. */
struct str field_plain(struct arena *a, const struct node *n, struct diags *d);

/* The path of the file that n names, resolved against the directory of `beside` (NULL: no file may
 * be named here). If there is no such file, returns NULL and reports an error that calls the file
 * `what` ("item file").
 *
 * Suite files may come from untrusted authors, and the files they name are sent to models. So a
 * file must lie in the directory of `beside` or, if that is inside a directory called "suites", in
 * that one. Neither "..", absolute paths nor symbolic links get outside, and errors do not reveal
 * what exists there. */
const char *field_file(struct arena *a, const struct node *n, const char *beside, const char *what,
                       struct diags *d);
/* Same without that restriction: recorded replies in models.yaml and files named by commands. */
const char *field_any_file(struct arena *a, const struct node *n, const char *beside,
                           const char *what, struct diags *d);
/* True if the path is outside the directory that `beside` may read. */
bool field_is_outside(struct arena *a, const char *beside, const char *path);
/* Lifts the restriction for the whole process (`--allow-outside`). Call before threads start. */
void field_allow_outside(void);

/* A map to be merged into request bodies, as JSON; "{}" if absent. Keys that the program sets
 * itself (model, messages, stream) are refused. */
const char *field_parameters(struct arena *a, const struct node *n, struct diags *d);

#endif
