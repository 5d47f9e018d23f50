/* campaign_file.h - a table of ratings in the form that export.h writes, read line by line.
 *
 * CSV with a header, or JSON lines, told apart by the suffix. Columns come in any order; those that
 * are not known are passed over. What a file does not say is a view without a pointer. */
#ifndef EXCHANGE_CAMPAIGN_FILE_H
#define EXCHANGE_CAMPAIGN_FILE_H

#include "base/csv.h"

/* In the order of enum campaign_field; the first five must be there. */
enum campaign_field {
    COLUMN_RATER,
    COLUMN_PASSAGE,
    COLUMN_SYSTEM,
    COLUMN_DIMENSION,
    COLUMN_VALUE,
    COLUMN_NEEDED,
    COLUMN_SCHEMA = COLUMN_NEEDED,
    COLUMN_PHASE,
    COLUMN_STRATUM,
    COLUMN_OTHER_SYSTEM,
    COLUMN_REPEAT,
    COLUMN_POSITION,
    COLUMN_PLACE,
    COLUMN_COMMENT,
    COLUMN_QUOTES,
    COLUMN_CREATED,
    COLUMN_SAVED,
    COLUMN_SUBMITTED,
    COLUMN_ACTIVE_MS,
    COLUMN_REVISIONS,
    COLUMN_RATER_STATE,
    COLUMN_EXCLUDED,
    COLUMN_FIELDS,
};
const char *campaign_file_column(enum campaign_field f);

struct campaign_line {
    int64_t number; /* in the file, from 1 */
    struct str v[COLUMN_FIELDS];
    const char *fault; /* what is wrong with the line as a whole; NULL: nothing */
};

struct campaign_file {
    const char *path;
    bool is_csv;
    struct csv csv;
    struct lines lines;
    size_t at[COLUMN_FIELDS]; /* CSV: which column, SIZE_MAX: none */
    size_t width;
    struct arena *line; /* JSON: what the present line holds */
};

/* E_INPUT where it is neither CSV nor JSON lines, or a column is missing. */
CHECKED enum status campaign_file_open(struct campaign_file *f, const char *path, struct err *e);
/* *more is false at the end. Valid until the next call. E_INPUT, "file:line: what is
 * wrong": nothing behind it can be read either. */
CHECKED enum status campaign_file_next(struct campaign_file *f, struct campaign_line *out,
                                       bool *more, struct err *e);
void campaign_file_close(struct campaign_file *f);

#endif
