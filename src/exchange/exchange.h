/* exchange.h - samples and verdicts as JSON lines, out of a run and into one.
 *
 *   {"kind":"sample","run","model","item","repeat","state","answer","thinking","finish",
 *    "tokens_in","tokens_out","cost","tries","elapsed_ms","fault","why"}
 *   {"kind":"verdict","run","judge","model","item","repeat","judge_repeat","state",
 *    "marks":{DIMENSION:{"value","analysis","evidence"}},"weighted_mean","overall","reason",
 *    "reply","repairs","fault","why"}
 *   of a pair, "model" is the one shown first, as A, and beside it "other","choice","winner"
 *
 * A number that is not known is null, an empty text is left out; when read, both mean the same.
 * Importing takes the same lines back, and poorer ones: of a sample only the item and the answer
 * ("text", "reply", "output" and "response" are other words for it) are needed, of a verdict the
 * judge, model, item and marks (a mark may be a bare number), of one on a pair the judge, both
 * models, item and reply. Lines of the published battles are taken as they are:
 * {"model_id","situation_id","response"} is a sample, {"reviewer_id","situation_id","model_id_A",
 * "model_id_B","review"} a verdict on a pair. */
#ifndef EXCHANGE_EXCHANGE_H
#define EXCHANGE_EXCHANGE_H

#include "store/store.h"
#include "suite/vocab.h"

enum exchange_what {
    EXCHANGE_SAMPLES = 1,
    EXCHANGE_VERDICTS = 2,
    EXCHANGE_ALL = 3,
    EXCHANGE_BATTLES = 4, /* alone, and out only: CSV as battle.h reads it, one line a verdict */
};

/* Write lines to out, in constant memory, from one snapshot of the database. */
CHECKED enum status exchange_export(struct store *s, const struct run_row *run,
                                    enum exchange_what what, FILE *out, struct err *e);

/* What is imported together: files of JSON lines, or of one JSON list (told apart by their
 * content). They are read twice, so that none can be a pipe. */
struct exchange_files {
    const char *const *paths;
    size_t n;
    const char *model; /* for lines that name none; may be NULL */
};

/* What the files hold, and whether their lines have the right form. */
struct exchange_survey {
    const char **models; /* that answered, in the order of the files */
    const char **from;   /* ... and the file of each one's first answer */
    size_t nmodels;
    int64_t samples, verdicts;
    int64_t repeats; /* the highest, and one: how many answers there are at most */
};
CHECKED enum status exchange_survey(struct arena *a, const struct exchange_files *f,
                                    struct exchange_survey *out, struct err *e);

enum { EXCHANGE_LINES_SHOWN = 20 };

struct exchange_counts {
    int64_t samples, verdicts; /* written */
    int64_t unscored;          /* of those verdicts */
    int64_t same;              /* were there already */
    int64_t empty;             /* lines of work that had not been done */
    int64_t models, judges;    /* new in the run */
    int64_t differ; /* pairs whose "winner" in the file is not whom the judge's words prefer */
    struct exchange_place {
        const char *path;
        int64_t line;
    } differ_at[EXCHANGE_LINES_SHOWN]; /* the first of them */
};

/* Write what the files hold into a run, inside a transaction of the caller's, who rolls it back on
 * failure. Models and judges that are not in the run are added. Samples without a "repeat" are
 * counted in the order of the files, and so are verdicts on a pair without a "judge_repeat". What
 * such a verdict says is read from the judge's words alone. Errors name the line: an unknown item
 * or model, marks that do not fit the suite, a line that says something else than the store. */
CHECKED enum status exchange_import(struct store *s, const struct run_row *run,
                                    const struct suite *suite, const struct exchange_files *f,
                                    const struct exchange_survey *survey,
                                    struct exchange_counts *out, struct err *e);

#endif
