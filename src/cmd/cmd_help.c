#include "cmd/help.h"

struct values {
    bool man;
};

static const struct opt opts[] = {
    {"man", 0, OPT_FLAG, offsetof(struct values, man), NULL, "print the manual page, as mdoc(7)", 0,
     0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};

static enum status run(struct app *app, const struct opt_args *args, const void *values,
                       struct err *e)
{
    const struct values *v = values;
    const struct command *c = args->n ? help_find(args->v[0]) : NULL;
    AUTO(buf_done) struct buf text = BUF_MAX(HELP_MAX);

    if (args->n && !c)
        return help_unknown(args->v[0], e);
    if (v->man)
        help_man(&text);
    else if (c)
        help_command(c, &text);
    else
        help_overview(&text);
    (void)fputs(text.p, app->out);
    return OK;
}

const struct command cmd_help_command = {
    .name = "help",
    .need = NO_STORE,
    .args = "[COMMAND]",
    .summary = "say what a command does and which options it takes",
    .details = "To read the whole manual without installing it:\n"
               "\n"
               "    audition help --man | man -l -\n",
    .opts = opts,
    .size = sizeof(struct values),
    .max_args = 1,
    .run = run,
};
