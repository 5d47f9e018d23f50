/* collection.h - a user-written file that combines several suites into one leaderboard.
 *
 *     collection: bench
 *     suites:
 *       - {file: en/next-line.yaml, weight: 2}
 *       - {file: en/interview.yaml}
 *
 * A collection has no requests and no stored numbers of its own: its board is computed from the
 * runs of its suites. Values live in the arena. */
#ifndef SUITE_COLLECTION_H
#define SUITE_COLLECTION_H

#include "suite/shape.h"

extern const struct shape collection_shape;

struct collection_suite {
    const char *file;  /* path as written; stored for information */
    const char *path;  /* resolved path; NULL if read from the store */
    const char *suite; /* id of the suite */
    const char *kind;  /* category of its items, such as "memory"; "": none */
    struct str title;  /* column heading; empty: the id */
    double weight;
    const char *group;        /* suites of one group form one sample of suites; "": on its own */
    const struct str *judges; /* override those of the collection */
    size_t njudges;
    const char *examiner; /* for interviews; "": as in the suite */
    const char *user;     /* for dialogues; "": as in the suite */
};

enum collection_overall { OVERALL_MEAN, OVERALL_NONE };

struct collection {
    const char *id;
    struct str title, description;
    const char *language; /* of the board; "": that of the process */
    const char *canary;   /* string that every file must contain; "": none */
    enum collection_overall overall;
    double scale;                      /* suite scores are shown on a scale from 0 to this */
    const struct str *models, *judges; /* defaults if the command names none */
    size_t nmodels, njudges;
    struct collection_suite *suites;
    size_t nsuites;
};

/* False for any other or unreadable file, and for a pipe, which can be read once only. */
bool collection_is(const char *path);
/* The id of the suite in a file. NULL if it is not a suite, or cannot be read: errors go to d. */
const char *collection_suite_id(struct arena *a, const char *path, struct diags *d);
/* Errors go to d; NULL if the file cannot be read at all. Only the ids of its suites are read. */
struct collection *collection_load(struct arena *a, const char *path, struct diags *d);

const char *collection_freeze(struct arena *a, const struct collection *c);
CHECKED enum status collection_thaw(struct arena *a, struct str frozen, struct collection *out,
                                    struct err *e);

#endif
