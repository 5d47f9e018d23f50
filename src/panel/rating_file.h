/* rating_file.h - a table of ratings in the form that export.h writes, read line by line.
 *
 * CSV with a header, or JSON lines, told apart by the suffix. Columns come in any order; those that
 * are not known are passed over. What a file does not say is a view without a pointer. */
#ifndef PANEL_RATING_FILE_H
#define PANEL_RATING_FILE_H

#include "base/csv.h"

/* In the order of enum rating_field; the first five must be there. */
enum rating_field {
    RATING_RATER,
    RATING_PASSAGE,
    RATING_SYSTEM,
    RATING_DIMENSION,
    RATING_VALUE,
    RATING_NEEDED,
    RATING_SCHEMA = RATING_NEEDED,
    RATING_PHASE,
    RATING_STRATUM,
    RATING_OTHER_SYSTEM,
    RATING_REPEAT,
    RATING_POSITION,
    RATING_PLACE,
    RATING_COMMENT,
    RATING_QUOTES,
    RATING_CREATED,
    RATING_SAVED,
    RATING_SUBMITTED,
    RATING_ACTIVE_MS,
    RATING_REVISIONS,
    RATING_RATER_STATE,
    RATING_EXCLUDED,
    RATING_FIELDS,
};
const char *rating_file_column(enum rating_field f);

struct rating_line {
    int64_t number; /* in the file, from 1 */
    struct str v[RATING_FIELDS];
};

struct rating_file {
    const char *path;
    bool is_csv;
    struct csv csv;
    struct lines lines;
    size_t at[RATING_FIELDS]; /* CSV: which column, SIZE_MAX: none */
    size_t width;
    struct arena *line; /* JSON: what the present line holds */
};

/* E_INPUT where it is neither CSV nor JSON lines, or a column is missing. */
CHECKED enum status rating_file_open(struct rating_file *f, const char *path, struct err *e);
/* *more is false at the end. Valid until the next call. A line that cannot be read is E_INPUT,
 * "file:line: what is wrong". */
CHECKED enum status rating_file_next(struct rating_file *f, struct rating_line *out, bool *more,
                                     struct err *e);
void rating_file_close(struct rating_file *f);

#endif
