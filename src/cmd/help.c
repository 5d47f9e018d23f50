#include "cmd/help.h"

#include "base/diag.h"

enum { COMMANDS_MAX = 64, OPTION_COLUMN = 34, SUMMARY_COLUMN = 13, COLUMNS = 80 };

const struct command *help_find(const char *name)
{
    for (size_t i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

enum status help_unknown(const char *name, struct err *e)
{
    const char *words[COMMANDS_MAX], *near;
    size_t n = 0;

    for (; n < COMMANDS_MAX && command_table[n]; n++)
        words[n] = command_table[n]->name;
    near = diag_suggest(str_of(name), words, n);
    if (near)
        return err_set(e, E_USAGE, "there is no command \"%s\"; did you mean \"%s\"?", name, near);
    return err_set(e, E_USAGE, "there is no command \"%s\"; `audition help` lists them", name);
}

void help_overview(struct buf *out)
{
    buf_text(out, "audition measures how well language models play roles.\n\n"
                  "usage: audition COMMAND [OPTION...] [ARGUMENT...]\n\n");
    for (size_t i = 0; command_table[i]; i++)
        buf_fmt(out, "  %-*s%s\n", SUMMARY_COLUMN, command_table[i]->name,
                command_table[i]->summary);
    buf_text(out, "\nBegin with:\n\n"
                  "  audition init demo && cd demo\n"
                  "  audition help run\n");
}

/* ---- one command ---- */

/* Break text at spaces so that it fits to the right of column `at`, where the cursor is. */
static void wrapped(struct buf *out, struct str text, size_t at)
{
    size_t column = at;
    struct str word;

    while (str_part(&text, ' ', &word)) {
        if (column > at && column + 1 + utf8_count(word) > COLUMNS) {
            buf_fmt(out, "\n%*s", (int)at, "");
            column = at;
        } else if (column > at) {
            buf_char(out, ' ');
            column++;
        }
        buf_add(out, word);
        column += utf8_count(word);
    }
    buf_char(out, '\n');
}

static void option(const struct opt *o, struct buf *out)
{
    size_t begin = out->n, width;

    if (o->letter)
        buf_fmt(out, "  -%c, ", o->letter);
    else
        buf_text(out, "      ");
    buf_fmt(out, "--%s", o->name);
    if (o->arg)
        buf_fmt(out, " %s", o->arg);
    width = out->n - begin;
    if (width + 2 > OPTION_COLUMN)
        buf_fmt(out, "\n%*s", OPTION_COLUMN, "");
    else
        buf_fmt(out, "%*s", (int)(OPTION_COLUMN - width), "");
    wrapped(out, str_of(o->help), OPTION_COLUMN);
}

static void options(const char *title, const struct opt *table, struct buf *out)
{
    if (!table || !table->name)
        return;
    buf_fmt(out, "\n%s:\n", title);
    for (; table->name; table++)
        option(table, out);
}

static void details(struct str text, struct buf *out)
{
    struct str line;

    buf_char(out, '\n');
    while (str_line(&text, &line)) {
        if (line.n && line.p[0] != ' ')
            wrapped(out, line, 0);
        else
            buf_fmt(out, "%.*s\n", STR_ARG(line));
    }
}

void help_command(const struct command *c, struct buf *out)
{
    AUTO(buf_done) struct buf usage = BUF_MAX(HELP_MAX);

    buf_fmt(&usage, "audition %s%s%s", c->name, c->args && *c->args ? " " : "",
            c->args ? c->args : "");
    buf_text(out, "usage: ");
    wrapped(out, buf_str(&usage), strlen("usage: "));
    buf_char(out, '\n');
    wrapped(out, str_of(c->summary), 0);
    if (c->details)
        details(str_of(c->details), out);
    options("options", c->opts, out);
    options("options of every command", common_opts, out);
}
