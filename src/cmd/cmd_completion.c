#include "cmd/help.h"

/* Is an option's argument completed to files? */
static bool is_file(const struct opt *o)
{
    return o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "SUITE") == 0 ||
                      strcmp(o->arg, "DIR") == 0);
}

/* ---- bash ---- */

static void bash_words(struct buf *out, const struct opt *o)
{
    for (; o && o->name; o++) {
        buf_fmt(out, " --%s", o->name);
        if (o->letter)
            buf_fmt(out, " -%c", o->letter);
    }
}

static void bash_command(struct buf *out, const struct command *c)
{
    const struct opt *tables[] = {c->opts, common_opts};

    buf_fmt(out, "    %s)\n        options=\"", c->name);
    bash_words(out, c->opts);
    buf_text(out, "\"\n        values=\"");
    for (size_t t = 0; t < COUNT(tables); t++)
        for (const struct opt *o = tables[t]; o && o->name; o++)
            if (o->arg && !is_file(o))
                buf_fmt(out, " --%s%s%c", o->name, o->letter ? " -" : "",
                        o->letter ? o->letter : ' ');
    buf_text(out, "\"\n        ;;\n");
}

static void bash(struct buf *out)
{
    buf_text(out,
             "# bash completion for audition\n"
             "_audition()\n"
             "{\n"
             "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
             "    local options= values=\n"
             "    COMPREPLY=()\n"
             "    if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then\n"
             "        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; command_table[i]; i++)
        buf_fmt(out, "%s%s", i ? " " : "", command_table[i]->name);
    buf_text(out, "\" -- \"$current\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; command_table[i]; i++)
        bash_command(out, command_table[i]);
    buf_text(out, "    *)\n        return\n        ;;\n    esac\n"
                  "    case $current in\n"
                  "    -*)\n"
                  "        COMPREPLY=($(compgen -W \"$options");
    bash_words(out, common_opts);
    buf_text(out, "\" -- \"$current\"))\n"
                  "        return\n"
                  "        ;;\n"
                  "    esac\n"
                  "    # A number or a name that only the user knows: nothing to offer.\n"
                  "    case \" $values \" in\n"
                  "    *\" $previous \"*) return ;;\n"
                  "    esac\n"
                  "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
                  "}\n"
                  "complete -o filenames -F _audition audition\n");
}

/* ---- zsh ---- */

/* Escaped for '...[...]', where quotes end the word, and brackets and colons end the text. */
static void zsh_text(struct buf *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            buf_text(out, "'\\''");
        else if (strchr("[]:\\", *s))
            buf_fmt(out, "\\%c", *s);
        else
            buf_char(out, *s);
    }
}

static void zsh_spec(struct buf *out, const struct opt *o, const char *dashes, const char *name)
{
    buf_fmt(out, "            '%s%s%s[", o->kind == OPT_LIST ? "*" : "", dashes, name);
    zsh_text(out, o->help);
    buf_char(out, ']');
    if (o->arg) {
        buf_char(out, ':');
        zsh_text(out, o->arg);
        buf_text(out, is_file(o) ? ":_files" : ": ");
    }
    buf_text(out, "' \\\n");
}

static void zsh_options(struct buf *out, const struct opt *o)
{
    for (; o && o->name; o++) {
        char letter[] = {o->letter, '\0'};
        zsh_spec(out, o, "--", o->name);
        if (o->letter)
            zsh_spec(out, o, "-", letter);
    }
}

static void zsh(struct buf *out)
{
    buf_text(out, "#compdef audition\n"
                  "_audition()\n"
                  "{\n"
                  "    local -a commands\n"
                  "    commands=(\n");
    for (size_t i = 0; command_table[i]; i++) {
        buf_fmt(out, "        '%s:", command_table[i]->name);
        zsh_text(out, command_table[i]->summary);
        buf_text(out, "'\n");
    }
    buf_text(out, "    )\n"
                  "    if (( CURRENT == 2 )); then\n"
                  "        _describe command commands\n"
                  "        return\n"
                  "    fi\n"
                  "    case $words[2] in\n");
    for (size_t i = 0; command_table[i]; i++) {
        buf_fmt(out, "    %s)\n        _arguments -S \\\n", command_table[i]->name);
        zsh_options(out, command_table[i]->opts);
        zsh_options(out, common_opts);
        buf_text(out, strcmp(command_table[i]->name, "help") == 0
                          ? "            '2:command:_describe command commands'\n"
                          : "            '*:file:_files'\n");
        buf_text(out, "        ;;\n");
    }
    /* If autoloaded, the file is the body of the function; if sourced, it only defines it. */
    buf_text(out, "    esac\n"
                  "}\n"
                  "if [ \"$funcstack[1]\" = _audition ]; then\n"
                  "    _audition \"$@\"\n"
                  "else\n"
                  "    compdef _audition audition\n"
                  "fi\n");
}

/* ---- fish ---- */

static void fish_text(struct buf *out, const char *s)
{
    buf_char(out, '\'');
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            buf_char(out, '\\');
        buf_char(out, *s);
    }
    buf_char(out, '\'');
}

static void fish_options(struct buf *out, const char *command, const struct opt *o)
{
    for (; o && o->name; o++) {
        buf_text(out, "complete -c audition");
        if (command)
            buf_fmt(out, " -n '__fish_seen_subcommand_from %s'", command);
        buf_fmt(out, " -l %s", o->name);
        if (o->letter)
            buf_fmt(out, " -s %c", o->letter);
        if (o->arg)
            buf_text(out, is_file(o) ? " -r -F" : " -x");
        buf_text(out, " -d ");
        fish_text(out, o->help);
        buf_char(out, '\n');
    }
}

static void fish(struct buf *out)
{
    buf_text(out, "# fish completion for audition\n");
    for (size_t i = 0; command_table[i]; i++) {
        buf_fmt(out, "complete -c audition -f -n __fish_use_subcommand -a %s -d ",
                command_table[i]->name);
        fish_text(out, command_table[i]->summary);
        buf_char(out, '\n');
    }
    for (size_t i = 0; command_table[i]; i++)
        fish_options(out, command_table[i]->name, command_table[i]->opts);
    fish_options(out, NULL, common_opts);
}

/* ---- */

static enum status run(struct app *app, struct err *e)
{
    static const struct {
        const char *name;
        void (*print)(struct buf *out);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    AUTO(buf_done) struct buf text = BUF_MAX(HELP_MAX);
    size_t row;

    if (opt_choose(&OPT_WORDS(NULL, shells), app->args.v[0], &row, e) != OK)
        return e->code;
    shells[row].print(&text);
    fputs(text.p, app->out);
    return OK;
}

const struct command cmd_completion_command = {
    .name = "completion",
    .need = NO_STORE,
    .args = "bash|zsh|fish",
    .summary = "print a shell completion script",
    .nargs = {1, 1},
    .run = run,
};
