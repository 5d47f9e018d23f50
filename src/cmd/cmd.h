/* cmd.h - what every command has, and the table of commands.
 *
 * A command is one file cmd_NAME.c that exports one const struct command; what --help prints after
 * its summary is share/help/NAME (help.h). It returns OK or an error, which main() prints; a
 * result that is neither (work left unscored, a threshold missed) goes into app->exit. Commands
 * print results to app->out and everything else to app->err. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "cmd/opt.h"
#include "store/store.h"

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_LEFT = 3,        /* done, but with failed or unscored work */
    EXIT_THRESHOLD = 100, /* --fail-under */
    EXIT_STOPPED = 130,   /* interrupted; the same command continues */
};

/* Options that all commands take. */
struct common {
    const char *db;       /* --db URL; default $AUDITION_DB, else audition.db; never NULL */
    const char *config;   /* -c FILE; default models.yaml; never NULL */
    bool json;            /* --json */
    bool verbose;         /* -v: log lines */
    bool quiet;           /* -q: no progress */
    bool plain;           /* --plain: no colour, no Unicode drawing; also NO_COLOR, TERM=dumb */
    const char *language; /* --language; default from the environment; never NULL */
    bool outside;         /* --allow-outside: suites may name files anywhere */
    bool help;            /* -h */
};

struct app {
    struct arena *arena; /* of the whole command */
    struct common common;
    struct opt_args args; /* of the command */
    const void *values;   /* the struct that its options filled */
    struct store *store;  /* open if the command needs it */
    FILE *out, *err;
    const char *self;  /* how the program was called: a suggested command begins with it */
    const char *where; /* ... and ends with " --db URL", or "" if that is the default */
    const char *who;   /* before that, if it asks models: " -c FILE", or "" for the default */
    const char *line;  /* the command as typed, quoted for a shell, without passwords */
    int exit;          /* set by the command if it is not simply 0 */
};

/* What the command does with the database. Only STORE_WRITE creates one that does not exist. */
enum need { NO_STORE, STORE_READ, STORE_CHANGE, STORE_WRITE };

struct command {
    const char *name;
    enum need need;
    const char *args;    /* "SUITE", "RUN [-o FILE]" */
    const char *summary; /* one line */
    const struct opt *opts;
    size_t size;          /* of the struct that opts fill */
    const void *defaults; /* such a struct; NULL: all zero */
    bool tasks;           /* the first argument says what to do; see opt_task() */
    struct {
        size_t least, most;
    } nargs;
    enum status (*run)(struct app *app, struct err *e);
};

/* In the order in which a newcomer meets them; ends with NULL. */
extern const struct command *const command_table[];

struct command_title {
    const struct command *over;
    const char *text;
};

extern const struct command_title command_titles[]; /* in the order of the table; ends with NULL */

extern const struct opt common_opts[];

#endif
