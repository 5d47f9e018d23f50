/* import_records.h - a campaign of human ratings as four files {"RECORDS": [...]}, the form in
 * which the raters of the original comic-dialogue study were published (Li et al. 2023, "C3").
 *
 *     meta_prompt.json            passages: id, prompt
 *     generate_completions.json   continuations: id, type (the system), prompt_id, content
 *     user_list.json              raters: id, user, start_idx, end_idx (the passages that they got)
 *     score_records.json          ratings: id, user, prompt_id, model_id, is_best (overall),
 *                                 h_score (humour), f_score (fluent), d_score (discriminatory)
 *
 * Other members are passed over. The files have numbers for systems and no names; ten of them are
 * known. Nothing dangles: every rating is about a system, passage and rater that are there, and
 * there is one at most of each three. Everything lives in the arena. */
#ifndef EXCHANGE_IMPORT_RECORDS_H
#define EXCHANGE_IMPORT_RECORDS_H

#include "base/err.h"
#include "base/mem.h"

enum { IMPORT_RECORDS_MAX = 1000000, IMPORT_RECORDS_BYTES = 256 << 20 }; /* of one file */

enum import_records_dimension {
    IMPORT_RECORDS_OVERALL,
    IMPORT_RECORDS_HUMOUR,
    IMPORT_RECORDS_FLUENT,
    IMPORT_RECORDS_DISCRIMINATORY,
    IMPORT_RECORDS_DIMENSIONS,
};

struct import_records_system {
    int64_t id;
    const char *name; /* "model N" where it is not known */
};

struct import_records_passage {
    int64_t id;
    struct str text;
};

struct import_records_answer {
    uint32_t system, passage;
    struct str text;
};

struct import_records_rater {
    const char *name;
    int64_t first, last; /* ids of the passages that were given to this rater */
    size_t ratings;      /* that came back */
};

struct import_records_rating {
    uint32_t system, passage, rater;
    double value[IMPORT_RECORDS_DIMENSIONS]; /* NaN: none was given */
};

struct import_records {
    struct import_records_system *systems; /* in the order of the answers */
    struct import_records_passage *passages;
    struct import_records_answer *answers;
    struct import_records_rater *raters;
    struct import_records_rating *ratings; /* in the order of the file */
    size_t nsystems, npassages, nanswers, nraters, nratings;
};

/* All four of a folder. Faults name the file and the record, by its place from 1. */
CHECKED enum status import_records_read(struct arena *a, const char *folder,
                                        struct import_records *out, struct err *e);

#endif
