/* start_file.h - ratings that players begin with, from a CSV file.
 *
 * A header line with model and rating, and rd and volatility where they are known; others are
 * passed over. A model that is named twice, a number out of range: E_INPUT with line and column.
 * Everything lives in the arena. */
#ifndef EXCHANGE_START_FILE_H
#define EXCHANGE_START_FILE_H

#include "base/err.h"
#include "base/mem.h"
#include "math/glicko.h"

struct start_list {
    struct start {
        const char *model;
        struct glicko from;
    } * v;
    size_t n;
};

CHECKED enum status start_read(struct arena *a, const char *path, struct start_list *out,
                               struct err *e);
/* The one of this name, or NULL. */
const struct start *start_find(const struct start_list *l, const char *model);

#endif
