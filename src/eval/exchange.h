/* exchange.h - samples and verdicts as JSON lines, out of a run and into one.
 *
 *   {"kind":"sample","run","model","item","repeat","state","answer","thinking","finish",
 *    "tokens_in","tokens_out","cost","tries","elapsed_ms","fault","why"}
 *   {"kind":"verdict","run","judge","model","item","repeat","judge_repeat","state",
 *    "marks":{DIMENSION:{"value","analysis","evidence"}},"overall","reason","reply","repairs",
 *    "fault","why"}
 *   of a pair, "model" is the one shown first, as A, and beside it "other","choice","winner"
 *
 * What is not known is left out. Importing takes the same lines back, and poorer ones: of a sample
 * only the item and the answer ("text", "reply", "output" and "response" are other words for it)
 * are needed, of a verdict the judge, model, item and marks (a mark may be a bare number). */
#ifndef EVAL_EXCHANGE_H
#define EVAL_EXCHANGE_H

#include "eval/store.h"

enum exchange_what {
    EXCHANGE_SAMPLES = 1,
    EXCHANGE_VERDICTS = 2,
    EXCHANGE_ALL = 3,
    EXCHANGE_BATTLES = 4, /* alone, and out only: CSV as battle.h reads it, one line a verdict */
};

/* Write lines to out, in constant memory, from one snapshot of the database. */
CHECKED enum status exchange_export(struct store *s, const struct run_row *run,
                                    enum exchange_what what, FILE *out, struct err *e);

/* A file to be imported: JSON lines, or one JSON list (told apart by their content). It is read
 * twice, so that it cannot be a pipe. */
struct exchange_file {
    const char *path;
    const char *model; /* for lines that name none; may be NULL */
};

/* What a file holds, and whether its lines have the right form. */
struct exchange_survey {
    const char **models; /* that answered, in the order of the file */
    size_t nmodels;
    int64_t samples, verdicts;
    int64_t repeats; /* the highest, and one: how many answers there are at most */
};
CHECKED enum status exchange_survey(struct arena *a, const struct exchange_file *f,
                                    struct exchange_survey *out, struct err *e);

struct exchange_counts {
    int64_t samples, verdicts; /* written */
    int64_t same;              /* were there already */
    int64_t empty;             /* lines of work that had not been done */
    int64_t models, judges;    /* new in the run */
};

/* Write what the file holds into a run, inside a transaction of the caller's, who rolls it back on
 * failure. Models and judges that are not in the run are added. Samples without a "repeat" are
 * counted in the order of the file. Errors name the line: an unknown item, marks that do not fit
 * the suite, or a line that says something else than the store does. */
CHECKED enum status exchange_import(struct store *s, const struct run_row *run,
                                    const struct suite *suite, const struct exchange_file *f,
                                    const struct exchange_survey *survey,
                                    struct exchange_counts *out, struct err *e);

#endif
