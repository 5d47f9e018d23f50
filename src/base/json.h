/* json.h - JSON as trees (node.h), and some helpers on top of jansson.
 *
 * json_t is jansson's value with jansson's reference counts; texts returned by these helpers live
 * in the arena. Reading is strict: UTF-8, no duplicate keys, no trailing text. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

#include "base/err.h"
#include "base/mem.h"

struct node;
struct place;

void json_freep(json_t **j); /* for AUTO() */

/* Parses text. The message has line and column, or the column alone if the text is a single line:
 * often it is a line of a file, whose number the caller knows. */
CHECKED enum status json_read(struct str text, json_t **out, struct err *e);

struct json_fault {
    int line, column; /* from 1 */
    const char *what;
    struct str twice; /* the duplicate name of an object, in the text; empty: another fault */
};

/* The same for callers that show the place themselves: the value, or NULL and *fault. */
json_t *json_read_at(struct str text, struct json_fault *fault);

/* Much faster: the same tree as from doc_parse(), except that all nodes have the place `at` (or
 * none) and numbers are in their shortest form. */
CHECKED enum status json_tree(struct arena *a, struct str text, struct node **out, struct err *e);
struct node *json_tree_at(struct arena *a, struct str text, struct place at,
                          struct json_fault *fault);

/* A tree with borrowed texts: they may lie in `text`, without a NUL after them, and numbers are as
 * written. For callers that copy what they keep. More than a million and a half values and names
 * are refused: [1,1,... would take forty times its length. */
CHECKED enum status json_tree_lent(struct arena *a, struct str text, struct node **out,
                                   struct err *e);

/* The same for replies of servers: if the text is refused, invalid UTF-8, lone surrogates and NUL
 * escapes are replaced by U+FFFD and it is parsed again. *mended says so. */
CHECKED enum status json_tree_mended(struct arena *a, struct str text, struct node **out,
                                     bool *mended, struct err *e);
CHECKED enum status json_read_mended(struct str text, json_t **out, bool *mended, struct err *e);

/* The JSON value of an unquoted word: a number, true or false; NULL if it is none of these. */
json_t *json_word(struct str text);

/* Compact, with keys in insertion order; `sorted` for a canonical form. */
const char *json_text(struct arena *a, const json_t *j);
const char *json_text_sorted(struct arena *a, const json_t *j);

/* The member of an object if it has the right type, else `otherwise`. The string is borrowed from
 * the value. */
struct str json_str_at(const json_t *object, const char *key, struct str otherwise);
int64_t json_int_at(const json_t *object, const char *key, int64_t otherwise);
double json_num_at(const json_t *object, const char *key, double otherwise);

/* The value at a path of keys and list indices: "candidates/0/text". NULL if there is none. */
const json_t *json_at(const json_t *j, const char *path);

/* A name: a string, or an integer as text (people write both). Empty if it is neither. */
struct str json_name_at(struct arena *a, const json_t *object, const char *key);

/* Number of bytes at the beginning that need no escape in a JSON string. */
size_t json_plain(struct str s);

/* Appends s as a JSON string, with quotes. Much faster than creating a value and writing it, for
 * texts that are only passed on. s must be valid UTF-8. */
void json_quote(struct buf *b, struct str s);
/* The same, with the short forms of \b, \f and \r, as jansson has them. */
void json_quote_short(struct buf *b, struct str s);

/* New string value; text must be valid UTF-8 (it is, inside the program). */
json_t *json_from_str(struct str s);
/* The text of a string, borrowed. */
static inline struct str json_str(const json_t *string)
{
    return (struct str){json_string_value(string), json_string_length(string)};
}

/* Set members of an object. Missing values (NULL, NaN, infinite) become null, so that documented
 * keys are always present. Values are taken over; jansson fails only without memory. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_str(json_t *object, const char *key, struct str text);
void json_put_some(json_t *object, const char *key, struct str text); /* only if it is not empty */
void json_put_int(json_t *object, const char *key, int64_t v);
void json_put_real(json_t *object, const char *key, double v);
void json_put_bool(json_t *object, const char *key, bool v);
/* A new list or object, borrowed from its container. */
json_t *json_put_list(json_t *object, const char *key);
json_t *json_put_object(json_t *object, const char *key);
json_t *json_add_object(json_t *list);

#endif
