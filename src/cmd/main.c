/* The program: finds the command, opens what it needs, reports how it ended. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/message.h"
#include "base/version.h"
#include "cmd/env.h"
#include "cmd/help.h"
#include "cmd/interrupt.h"
#include "cmd/term.h"
#include "suite/field.h"
#include "text/rune.h"

static const char *or_else(const char *a, const char *b)
{
    return a && *a ? a : b;
}

/* ---- the command as it was typed ---- */

/* Without the password of a URL: postgresql://me:secret@host. */
static struct str without_password(struct arena *a, const char *word)
{
    static const char name[] = "password=";
    const char *host = strstr(word, "://");
    const char *at = host ? strchr(host + 3, '@') : NULL;
    const char *colon = at ? memchr(host + 3, ':', (size_t)(at - host - 3)) : NULL;
    const char *query;

    if (colon)
        word = arena_printf(a, "%.*s%s", (int)(colon - word), word, at);
    query = strstr(word, name);
    if (!query)
        return str_of(word);
    query += sizeof name - 1;
    return str_of(
        arena_printf(a, "%.*s...%s", (int)(query - word), word, query + strcspn(query, "& ")));
}

/* Append a word, quoted for a shell if it needs that. */
static void put_word(struct arena *a, const char *as_typed, struct buf *b)
{
    struct str word = without_password(a, as_typed);
    bool quote = !str_made_of(word, "_-+=./:,@%");

    buf_text(b, quote ? " '" : " ");
    for (size_t c = 0; c < word.n; c++) {
        if (word.p[c] == '\'')
            buf_text(b, "'\\''");
        else
            buf_char(b, word.p[c]);
    }
    buf_text(b, quote ? "'" : "");
}

static const char *typed(struct arena *a, const char *self, int argc, char **argv)
{
    AUTO(buf_done) struct buf b = BUF_MAX(64 << 10);

    buf_text(&b, self);
    for (int i = 1; i < argc; i++)
        put_word(a, argv[i], &b);
    return arena_text(a, buf_str(&b));
}

/* ---- the language ---- */

/* The language of messages, found as POSIX says. */
static const char *language_of_user(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

    for (size_t i = 0; i < COUNT(variables); i++)
        if (*or_else(getenv(variables[i]), ""))
            return getenv(variables[i]);
    return "";
}

static enum status choose_language(struct common *c, struct err *e)
{
    if (c->language)
        message_speak(c->language);
    if (c->language && strcmp(c->language, message_language()) != 0)
        return err_set(e, E_USAGE, "--language %s: expected en, zh or ja", c->language);
    c->language = message_language();
    return OK;
}

/* Say so if a signal ends us: a shell prompt would not show that the result is incomplete. */
static void watch_end(const struct app *app)
{
    const char *words = _("\naudition: interrupted\n");

    interrupt_say(isatty(fileno(app->err)) ? words : words + 1);
}

/* ---- one command ---- */

/* " --option value", or "" for the usual value. */
static const char *unless(struct arena *a, const char *usual, const char *option, const char *value)
{
    AUTO(buf_done) struct buf b = BUF_MAX(64 << 10);

    if (strcmp(value, usual) == 0)
        return "";
    buf_fmt(&b, " %s", option);
    put_word(a, value, &b);
    return arena_text(a, buf_str(&b));
}

static void common_defaults(struct app *app)
{
    const char *usual = or_else(getenv("AUDITION_DB"), "audition.db");
    struct common *c = &app->common;

    c->db = or_else(c->db, usual);
    c->config = or_else(c->config, "models.yaml");
    app->where = unless(app->arena, usual, "--db", c->db);
    app->who = unless(app->arena, "models.yaml", "-c", c->config);
    c->plain |= *or_else(getenv("NO_COLOR"), "") != '\0' ||
                strcmp(or_else(getenv("TERM"), ""), "dumb") == 0;
    if (c->outside)
        field_allow_outside();
    if (c->verbose)
        log_set_level(LOG_INFO);
}

static void load_env(const char *path)
{
    struct err e = {0};
    int bad;

    if (env_load(path, &bad, &e) != OK)
        fprintf(stderr, _("audition: warning: %s\n"), e.msg);
    else if (bad)
        fprintf(stderr, _("audition: warning: %s:%d: not KEY=VALUE; ignored\n"), path, bad);
}

static enum status check_args(const struct command *c, const struct opt_args *args, struct err *e)
{
    if (args->n < c->nargs.least)
        return err_set(e, E_USAGE, "missing argument: audition %s %s", c->name, c->args);
    if (args->n > c->nargs.most)
        return err_set(e, E_USAGE, "unexpected argument \"%s\": audition %s%s%s",
                       args->v[c->nargs.most], c->name, c->args ? " " : "", c->args ? c->args : "");
    for (size_t i = 0; i < args->n; i++)
        if (*args->v[i] == '\0') /* "$RUN" of a script that has not set it */
            return err_set(e, E_USAGE, "an argument is empty: audition %s %s", c->name, c->args);
    return OK;
}

static enum status run_command(struct app *app, const struct command *c, int argc, char **argv,
                               struct err *e)
{
    static const enum db_mode modes[] = {
        [STORE_READ] = DB_READ, [STORE_CHANGE] = DB_CHANGE, [STORE_WRITE] = DB_WRITE};
    void *values = arena_alloc(app->arena, c->size + 1);
    const struct opt_tables tables = {common_opts, c->opts, &app->common, values};

    if (c->defaults)
        memcpy(values, c->defaults, c->size);
    if (opt_parse(app->arena, argc, argv, &tables, &app->args, e) != OK ||
        choose_language(&app->common, e) != OK)
        return e->code;
    watch_end(app);
    if (app->common.help) {
        AUTO(buf_done) struct buf text = BUF_MAX(HELP_MAX);
        help_command(c, term_help_columns(app->out), &text);
        fputs(text.p, app->out);
        return OK;
    }
    load_env(".env");
    common_defaults(app);
    if (check_args(c, &app->args, e) != OK || (c->tasks && opt_task(&app->args, e) != OK) ||
        (c->need != NO_STORE && store_open(&app->store, app->common.db, modes[c->need], e) != OK))
        return e->code;
    app->values = values;
    return c->run(app, e);
}

/* Has the reader of our output left? Then a failure to write it is no fault. */
static bool reader_left(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};

    return poll(&p, 1, 0) == 1 && (p.revents & POLLERR) != 0;
}

/* A result that could not be written (a full disk) is a failure, however late we notice. */
static int close_output(FILE *out, int code)
{
    bool bad = ferror(out) != 0;
    bool left = reader_left(fileno(out));

    bad |= fclose(out) != 0;
    if (!bad || left)
        return code;
    fprintf(stderr, _("audition: the output could not be written: the disk may be full\n"));
    return code == EXIT_DONE || code == EXIT_LEFT ? EXIT_FAILED : code;
}

static int dispatch(const struct command *c, int argc, char **argv)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct app app = {.arena = a, .out = stdout, .err = stderr};
    struct err e = {0};
    enum status st;

    app.self = argc && strchr(argv[0], '/') ? argv[0] : "audition";
    app.line = typed(a, app.self, argc, argv);
    st = run_command(&app, c, argc - 1, argv + 1, &e);
    if (st == E_SYSTEM && reader_left(fileno(app.out)))
        st = OK;
    store_explain(app.store, &e);
    (void)fflush(app.out);    /* results come before the complaint about them */
    if (st != OK && e.msg[0]) /* it may quote a file or a server */
        fprintf(app.err, "audition %s: %s\n", c->name,
                rune_clean(a, str_of(message_show(a, NULL, e.msg))).p);
    if (st == E_USAGE)
        fprintf(app.err, _("See: audition help %s\n"), c->name);
    store_close(app.store);
    return close_output(app.out, st == OK        ? app.exit
                                 : st == E_USAGE ? EXIT_USAGE
                                 : st == E_STOP  ? EXIT_STOPPED
                                                 : EXIT_FAILED);
}

/* If our caller has closed standard output or error, a file that we open must not take its place:
 * our output would be written into it. What we open instead cannot be used either, as before. */
static void fill_closed(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        /* cppcheck-suppress leakReturnValNotUsed ; it stays open for as long as the program runs */
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return;
    }
}

/* ---- without a command ---- */

static int complain(const struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    fprintf(stderr, "audition: %s\n", message_show(a, NULL, e->msg));
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const struct command *c;
    struct err e = {0};

    fill_closed();
    (void)signal(SIGPIPE, SIG_IGN);
    message_speak(language_of_user());
    if (!word || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("audition %s\n", VERSION);
        return close_output(stdout, EXIT_DONE);
    }
    if (word[0] == '-') {
        (void)err_set(&e, E_USAGE, "the command comes first: audition COMMAND %s ...", word);
        return complain(&e);
    }
    c = help_find(word);
    if (c)
        return dispatch(c, argc, argv);
    (void)help_unknown(word, false, &e);
    return complain(&e);
}
