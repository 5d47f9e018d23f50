/* import_situations.h - published situations of battles, as a suite that is ready to run.
 *
 *     {"situation_id": 1, "character_name": "...", "character": "...", "context": "..."}
 *
 * Each becomes an item and its character a role card; the suite asks for the character's next line
 * and has the lines judged in pairs, with the built-in templates of the language that the
 * situations are written in. Everything is kept in the arena. */
#ifndef EXCHANGE_IMPORT_SITUATIONS_H
#define EXCHANGE_IMPORT_SITUATIONS_H

#include "base/json.h"
#include "base/map.h"

struct import_situations {
    struct arena *arena;
    struct map ids;        /* situation -> int64_t, its line */
    struct map cards;      /* name and description -> size_t, the character's number */
    struct buf characters; /* YAML of both lists, bounded */
    struct buf items;
    struct buf sample; /* of the stories, to tell their language from */
};

bool import_situations_are(const json_t *first); /* the first object of a file */

void import_situations_init(struct import_situations *s, struct arena *a);
void import_situations_done(struct import_situations *s);

/* What is wrong with this one, or NULL: it is in. */
const char *import_situations_add(struct import_situations *s, const json_t *object, int64_t line);

/* The suite, under this id. Sets out->full when it is too much. */
void import_situations_suite(const struct import_situations *s, const char *id, struct buf *out);

#endif
