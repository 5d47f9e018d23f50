#include "cmd/help.h"

#include "base/asset.h"
#include "base/diag.h"
#include "base/message.h"
#include "report/grid.h"
#include "text/rune.h"

enum {
    COMMANDS_MAX = 64,
    OPTION_COLUMN = 34,
    SUMMARY_COLUMN = 13,
    NARROW = 70,
    NARROW_COLUMN = 10
};

const struct command *help_find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

/* Names that other programs have for our commands. */
static const char *called_here(const char *name)
{
    static const char *const words[][2] = {
        {"ls", "list"},           {"delete", "rm"},   {"remove", "rm"},    {"leaderboard", "board"},
        {"scores", "board"},      {"eval", "run"},    {"evaluate", "run"}, {"validate", "check"},
        {"version", "--version"}, {"stop", "cancel"}, {"ps", "workers"},   {"new", "init"},
    };

    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return NULL;
}

enum status help_unknown(const char *name, bool files, struct err *e)
{
    const char *words[COMMANDS_MAX], *near;
    size_t n = 0;

    for (; n < COMMANDS_MAX && command_table[n]; n++)
        words[n] = command_table[n]->name;
    if (files)
        n += help_keys_files(words + n, COMMANDS_MAX - n);
    near = diag_suggest(str_of(name), words, n);
    near = near ? near : called_here(name);
    if (near)
        return err_set(e, E_USAGE, "no such command \"%s\"; did you mean \"%s\"?", name, near);
    return err_set(e, E_USAGE, "no such command \"%s\"; `audition help` lists them", name);
}

struct str help_details(const struct command *c)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct asset *f = asset_find(arena_printf(a, "share/help/%s", c->name));

    return f ? f->bytes : STR("");
}

void help_overview(size_t columns, struct buf *out)
{
    const struct command_title *title = command_titles;

    grid_lines(out, str_of(_("audition measures how well language models play roles.")), columns, 0,
               0);
    buf_fmt(out, "\n%s\n", _("usage: audition COMMAND [OPTION...] [ARGUMENT...]"));
    for (size_t i = 0; command_table[i]; i++) {
        if (command_table[i] == title->over)
            buf_fmt(out, "\n%s\n", _(title++->text));
        buf_fmt(out, "  %-*s", SUMMARY_COLUMN, command_table[i]->name);
        grid_lines(out, str_of(_(command_table[i]->summary)), columns, SUMMARY_COLUMN + 2,
                   SUMMARY_COLUMN + 2);
    }
    buf_fmt(out, "\n%s\n\n  audition init demo && cd demo\n  audition help run\n",
            _("Get started with:"));
}

/* ---- one command ---- */

/* The help of an option stands beside it or, in a narrow window, below it. */
static void option(const struct opt *o, size_t columns, struct buf *out)
{
    size_t begin = out->n, width, at = columns < NARROW ? NARROW_COLUMN : OPTION_COLUMN;

    if (o->letter)
        buf_fmt(out, "  -%c, ", o->letter);
    else
        buf_text(out, "      ");
    buf_fmt(out, "--%s", o->name);
    if (o->arg)
        buf_fmt(out, " %s", o->arg);
    width = out->n - begin;
    if (width + 2 > at)
        buf_fmt(out, "\n%*s", (int)at, "");
    else
        buf_fmt(out, "%*s", (int)(at - width), "");
    grid_lines(out, str_of(_(o->help)), columns, at, at);
}

static bool has_option(const struct opt *table, const char *name)
{
    while (table && table->name && strcmp(table->name, name) != 0)
        table++;
    return table && table->name;
}

/* own: options of the command that hide common ones of the same name. */
static void options(const char *title, const struct opt *table, const struct opt *own,
                    size_t columns, struct buf *out)
{
    if (!table || !table->name)
        return;
    buf_fmt(out, "\n%s\n", title);
    for (; table->name; table++)
        if (!has_option(own, table->name))
            option(table, columns, out);
}

static void details(struct str text, size_t columns, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str line;

    buf_char(out, '\n');
    while (str_line(&text, &line)) {
        if (line.n && line.p[0] != ' ')
            grid_lines(out, str_of(_(arena_text(a, line))), columns, 0, 0);
        else
            buf_fmt(out, "%.*s\n", STR_ARG(line));
    }
}

void help_command(const struct command *c, size_t columns, struct buf *out)
{
    AUTO(buf_done) struct buf usage = BUF_MAX(HELP_MAX);
    struct str text = help_details(c);
    size_t at = rune_columns(str_of(_("usage: ")));

    buf_fmt(&usage, "audition %s%s%s", c->name, c->args && *c->args ? " " : "",
            c->args ? c->args : "");
    buf_text(out, _("usage: "));
    grid_lines(out, buf_str(&usage), columns, at, at);
    buf_char(out, '\n');
    grid_lines(out, str_of(_(c->summary)), columns, 0, 0);
    if (text.n)
        details(text, columns, out);
    options(_("options:"), c->opts, NULL, columns, out);
    options(_("options of every command:"), common_opts, c->opts, columns, out);
}
