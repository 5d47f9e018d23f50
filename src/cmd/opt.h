/* opt.h - option tables: parsing, --help, the man page and shell completions from one place.
 *
 * A command describes its options in a table whose entries point at members of a struct of its own
 * (by offsetof); opt_parse() fills that struct, which the command has set to its defaults.
 * GNU habits: -j 8, -j8, --jobs 8, --jobs=8; options and arguments in any order; -- ends them. */
#ifndef CMD_OPT_H
#define CMD_OPT_H

#include "base/err.h"
#include "base/mem.h"

enum opt_kind {
    OPT_FLAG,   /* bool */
    OPT_TEXT,   /* const char * */
    OPT_LIST,   /* struct opt_list: may be given several times, or with commas */
    OPT_COUNT,  /* int64_t, >= min */
    OPT_NUMBER, /* double */
};

struct opt_list {
    const char **v;
    size_t n;
};

struct opt {
    const char *name; /* "jobs"; NULL ends the table */
    char letter;      /* 'j', or 0 */
    enum opt_kind kind;
    size_t at;        /* offsetof the member */
    const char *arg;  /* "N", "MODEL"; NULL for a flag. FILE, DIR and SUITE complete to files */
    const char *help; /* one line, no full stop; the default in brackets at its end */
    int64_t min, max; /* of a number; max 0: none. A list with min 1 refuses a name given twice */
};
/* A terminated table: .opts = OPTS({"jobs", 'j', ...}, {"limit", 0, ...}) */
/* clang-format off */
#define OPTS(...) (const struct opt[]){__VA_ARGS__, {.name = NULL}}
/* clang-format on */

/* Positional arguments, and the command's own options that were given. */
struct opt_args {
    const char **v;
    size_t n;
    const struct opt **given;
    size_t ngiven;
};

/* Parse argv[1..argc). E_USAGE names the option and suggests a similar one.
 * `common` and `own` are both searched; their members are in `common_values` and `own_values`. */
struct opt_tables {
    const struct opt *common, *own;
    void *common_values, *own_values;
};
CHECKED enum status opt_parse(struct arena *a, int argc, char **argv, const struct opt_tables *t,
                              struct opt_args *args, struct err *e);

/* For commands whose first argument is a task: an option whose help begins with tasks ("new,
 * import: ...") belongs to these alone. E_USAGE if it was given with another task. */
CHECKED enum status opt_task(const struct opt_args *args, struct err *e);

/* Words to choose from: the first member of each row of a table. */
struct opt_words {
    const char *option; /* whose value is chosen, "--what"; NULL: an argument of the command */
    const void *rows;
    size_t n, size;
};
/* clang-format off */
#define OPT_WORDS(option, rows) (const struct opt_words){option, rows, COUNT(rows), sizeof(rows)[0]}
/* clang-format on */

/* The row of a word: opt_choose(&OPT_WORDS(NULL, tasks), word, &row, e). E_USAGE lists the words
 * and suggests a similar one. */
CHECKED enum status opt_choose(const struct opt_words *w, const char *word, size_t *row,
                               struct err *e);

#endif
