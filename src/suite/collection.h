/* collection.h - several suites that make one leaderboard: a file that people write.
 *
 *     collection: bench
 *     suites:
 *       - {file: en/next-line.yaml, weight: 2}
 *       - {file: en/interview.yaml}
 *
 * A collection asks nothing and stores no number: its board is computed from the runs of its
 * suites. Values live in the arena. */
#ifndef SUITE_COLLECTION_H
#define SUITE_COLLECTION_H

#include "suite/shape.h"

extern const struct shape collection_shape;

struct collection_suite {
    const char *file;  /* as it is written; in the store as well, for people */
    const char *path;  /* of that file as seen from here; NULL: from the store */
    const char *suite; /* its id */
    const char *kind;  /* what its items count as: "memory"; "": not said */
    struct str title;  /* of its column; otherwise the id */
    double weight;
    const char *group;        /* suites of one are one sample of suites; "": it stands by itself */
    const struct str *judges; /* instead of the collection's */
    size_t njudges;
    const char *examiner; /* of an interview; "": as the suite says */
    const char *user;     /* of a dialogue; "": likewise */
};

enum collection_overall { OVERALL_MEAN, OVERALL_NONE };

struct collection {
    const char *id;
    struct str title, description;
    const char *language; /* of its board; "": that of the process */
    const char *canary;   /* stands in every file of it; "": none */
    enum collection_overall overall;
    double scale;                      /* scores of suites are shown from 0 to this */
    const struct str *models, *judges; /* unless the command names others */
    size_t nmodels, njudges;
    struct collection_suite *suites;
    size_t nsuites;
};

/* A file that begins a collection, not a suite; false for anything else and what cannot be read. */
bool collection_is(const char *path);
/* Faults go to d; NULL when it cannot be read at all. Suites are not read but for their ids. */
struct collection *collection_load(struct arena *a, const char *path, struct diags *d);

const char *collection_freeze(struct arena *a, const struct collection *c);
CHECKED enum status collection_thaw(struct arena *a, struct str frozen, struct collection *out,
                                    struct err *e);

#endif
