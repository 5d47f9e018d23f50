/* import_bench.h - item files of public benchmarks that a user has downloaded, as a suite.
 *
 *     charactereval    a list {id, role, context "Name：words" a line}, and a file {role: card}
 *     coser            a list {scenario, character_profiles, dialogues, major_characters}
 *     pingpong         one object {en: {characters, situations}}
 *     rmtbench         a list {name, description, and lists of what a user says}
 *     rpbench-auto     JSON lines {npc_profile, background, conversation}
 *     role-play-bench  seeds {ai_name, ai_setting, ai_prologue, user_name, user_setting, ...}
 *
 * The first two ask for a character's next line; the others are dialogues, whose users come from
 * the files. All shapes are one table, with one reader. Everything is kept in the arena but what
 * import_bench_done() frees. */
#ifndef EXCHANGE_IMPORT_BENCH_H
#define EXCHANGE_IMPORT_BENCH_H

#include "base/json.h"
#include "base/map.h"
#include "base/node.h"

struct import_bench {
    struct arena *arena;
    const struct import_bench_shape *shape;
    const char *language;           /* of the first card */
    json_t *cards;                  /* by name, from a file of their own */
    json_t *characters, *users;     /* of the suite */
    struct map known;               /* name and card -> id of the character */
    struct map ids;                 /* of items */
    struct buf items;               /* JSON lines, bounded */
    struct import_bench_said *said; /* room for the lines of one record */
    size_t nitems, situations;      /* the first users, who meet every character */
    int64_t turns;
};

/* False: no benchmark is called so. */
bool import_bench_init(struct import_bench *b, struct arena *a, const char *name);
void import_bench_done(struct import_bench *b);

/* "charactereval, coser, ..." */
const char *import_bench_names(struct arena *a);

/* Is a file of this benchmark that begins with a brace one object, rather than JSON lines? */
bool import_bench_has_books(const struct import_bench *b);

/* Take what such a file says about all records; *records: those in it, or NULL. What is wrong with
 * it and in which line, or NULL. */
const char *import_bench_book(struct import_bench *b, const struct node *root,
                              const struct node **records, int64_t *line);

/* What is wrong with this one, or NULL: it is in. Of several items in it, the others stay. */
const char *import_bench_add(struct import_bench *b, const json_t *record, int64_t number);

/* The suite, which names its items as items.jsonl. Sets out->full when it is too much. */
void import_bench_suite(const struct import_bench *b, struct buf *out);

#endif
