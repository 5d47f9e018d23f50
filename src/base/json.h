/* json.h - JSON as trees (node.h), and the few helpers that we want on top of jansson.
 *
 * json_t is jansson's value and follows jansson's reference counts; everything that
 * these helpers return as text lives in the arena. Reading is strict: UTF-8, no
 * duplicate keys, no trailing text. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

#include "base/err.h"
#include "base/mem.h"

struct node;
struct place;

void json_freep(json_t **j); /* for AUTO() */

/* Parse text. The message has line and column; the column alone where the text is a single line,
 * which is mostly one of a file, whose number the caller knows. */
CHECKED enum status json_read(struct str text, json_t **out, struct err *e);

struct json_fault {
    int line, column; /* from 1 */
    const char *what;
    struct str
        twice; /* the name that stands twice in one object, in the text; empty: another fault */
};

/* The same for those who show the place themselves: the value, or NULL and *fault. */
json_t *json_read_at(struct str text, struct json_fault *fault);

/* Many times faster: the tree that doc_parse() would make of the text, with `at` (or no place) for
 * all marks and numbers in their shortest form. */
CHECKED enum status json_tree(struct arena *a, struct str text, struct node **out, struct err *e);
struct node *json_tree_at(struct arena *a, struct str text, struct place at,
                          struct json_fault *fault);

/* A tree whose texts are lent: they may lie in `text`, without a NUL after them, and numbers stay
 * as they were written. For those who copy what they keep. One of more than a million and a half
 * values and names is refused: [1,1,... would take forty times its length. */
CHECKED enum status json_tree_lent(struct arena *a, struct str text, struct node **out,
                                   struct err *e);

/* The same, for what other people's servers send: when the text is refused,
 * invalid UTF-8, lone surrogates and NUL escapes are replaced by U+FFFD and it is read
 * once more. *mended says so. */
CHECKED enum status json_tree_mended(struct arena *a, struct str text, struct node **out,
                                     bool *mended, struct err *e);
CHECKED enum status json_read_mended(struct str text, json_t **out, bool *mended, struct err *e);

/* What JSON takes a word without quotes for, a number, true or false; NULL: none of these. */
json_t *json_word(struct str text);

/* Compact, keys in the order in which they were set; `sorted` for a canonical form. */
const char *json_text(struct arena *a, const json_t *j);
const char *json_text_sorted(struct arena *a, const json_t *j);

/* Member of an object with the wanted type, else the given default. The string is
 * borrowed from the value. */
struct str json_str_at(const json_t *object, const char *key, struct str otherwise);
int64_t json_int_at(const json_t *object, const char *key, int64_t otherwise);
double json_num_at(const json_t *object, const char *key, double otherwise);

/* What lies at a path: keys and places in lists, "/" between them: "candidates/0/text". NULL:
 * nothing does. */
const json_t *json_at(const json_t *j, const char *path);

/* A name: a string, or a whole number as text (people write both). Empty when it is neither. */
struct str json_name_at(struct arena *a, const json_t *object, const char *key);

/* Bytes from the beginning that stand for themselves in a JSON string. */
size_t json_plain(struct str s);

/* Append s as a JSON string, quotes included. Many times faster than building a value and writing
 * it, for texts that are only passed on. s must be valid UTF-8. */
void json_quote(struct buf *b, struct str s);
/* The same, with the short forms of \b, \f and \r, as jansson has them. */
void json_quote_short(struct buf *b, struct str s);

/* New string value; text must be valid UTF-8 (it is, inside the program). */
json_t *json_from_str(struct str s);
/* The text of a string, lent. */
static inline struct str json_str(const json_t *string)
{
    return (struct str){json_string_value(string), json_string_length(string)};
}

/* Members of an object. What is missing (NULL, NaN, infinite) becomes null: a key that is promised
 * is there, whatever is known. Values are taken over; jansson fails only without memory. */
void json_put(json_t *object, const char *key, json_t *value);
void json_put_text(json_t *object, const char *key, const char *text);
void json_put_str(json_t *object, const char *key, struct str text);
void json_put_some(json_t *object, const char *key, struct str text); /* unless it is empty */
void json_put_int(json_t *object, const char *key, int64_t v);
void json_put_real(json_t *object, const char *key, double v);
void json_put_bool(json_t *object, const char *key, bool v);
/* A new list or object, borrowed from the one that holds it now. */
json_t *json_put_list(json_t *object, const char *key);
json_t *json_put_object(json_t *object, const char *key);
json_t *json_add_object(json_t *list);

#endif
