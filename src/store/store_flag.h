/* store_flag.h - flags overruled by people, the log of that, and searches of training lines.
 * Reading and writing flags is in store_read.h. */
#ifndef STORE_STORE_FLAG_H
#define STORE_STORE_FLAG_H

#include "base/map.h"
#include "store/cursor.h"
#include "suite/rule.h"

/* A flag without its evidence, which can be long. */
struct flag_fact {
    int64_t id, sample, model;
    enum rule_kind kind;
    bool overruled;
};
/* All flags of known kinds; or those overruled without an entry in the log. */
struct cursor store_flags(struct store *s, int64_t run, struct err *e);
struct cursor store_flags_unlogged(struct store *s, int64_t run, struct err *e);
bool store_flag_next(struct cursor *c, struct flag_fact *out);
/* The samples that flags exclude from every score, by map_id(). */
CHECKED enum status store_flag_left_out(struct arena *a, struct store *s, int64_t run,
                                        const struct rules *rules, struct map *out, struct err *e);

/* A mark of a verdict on something else than the answer (reply/about.h). */
struct about_fact {
    int64_t sample;
    const char *about, *judge, *dimension;
    double value;
    struct str analysis, evidence;
};
struct about_facts {
    struct about_fact *v;
    size_t n;
};
/* All of the run by judges that count, ordered by sample and judge. */
CHECKED enum status store_about_list(struct arena *a, struct store *s, int64_t run,
                                     struct about_facts *out, struct err *e);

/* An act of a person. Nothing is ever removed from the log: it outlives the flag and its
 * overruling. */
struct flag_act {
    int64_t flag; /* id */
    bool restore; /* false: overrule */
    const char *who, *why;
};

/* Overrules a flag of the run, or restores it, and logs that. E_ABSENT: the run has no such flag;
 * E_USAGE: nothing would change. Call it in a transaction. */
CHECKED enum status store_flag_act(struct store *s, int64_t run, const struct flag_act *act,
                                   struct err *e);

struct flag_log_row {
    int64_t id, sample, repeat, at_ms;
    const char *kind, *model_name, *item_name, *act, *who, *why;
};
struct flag_log {
    struct flag_log_row *v;
    size_t n;
};
/* Oldest first. */
CHECKED enum status store_flag_log(struct arena *a, struct store *s, int64_t run,
                                   struct flag_log *out, struct err *e);

/* A search of the training lines for the answers of a run. */
struct look {
    const char *key; /* what was searched for, and where; "": nothing */
    int64_t lines, skipped;
    const char *note; /* a failure, in words for users; "": none */
};

/* *out is empty if there was no search. */
CHECKED enum status store_look_get(struct arena *a, struct store *s, int64_t run, struct look *out,
                                   struct err *e);
CHECKED enum status store_look_put(struct store *s, int64_t run, const struct look *l,
                                   struct err *e);
/* How many answers a run has, and the time of the last one. If both are the same as before, so are
 * the answers. */
CHECKED enum status store_answer_count(struct store *s, int64_t run, int64_t *n, int64_t *last_ms,
                                       struct err *e);

#endif
