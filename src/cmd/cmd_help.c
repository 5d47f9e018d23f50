#include "cmd/help.h"
#include "cmd/term.h"
#include "suite/shape_help.h"

struct values {
    bool man, schema, markdown;
};

static enum status say_keys(struct app *app, const struct shape_book *book, const char *key,
                            const struct values *v, struct err *e)
{
    AUTO(buf_done) struct buf text = BUF_MAX(HELP_MAX);
    AUTO(json_freep) json_t *schema = NULL;
    const char *near;

    if (v->schema) {
        schema = shape_help_schema(app->arena, book);
        return json_dumpf(schema, app->out, JSON_INDENT(2)) == 0 && fputc('\n', app->out) != EOF
                   ? OK
                   : err_set(e, E_SYSTEM, "cannot write the schema");
    }
    if (v->markdown) {
        shape_help_markdown(app->arena, book, &text);
    } else if (!help_keys_say(app->arena, book, key && strcmp(key, "all") != 0 ? key : NULL,
                              term_help_columns(app->out), &text)) {
        near = help_keys_nearest(book, key);
        return err_set(e, E_USAGE, "%s files have no key '%s'%s%s%s", book->name, key,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    fputs(text.p, app->out);
    return OK;
}

static enum status run(struct app *app, struct err *e)
{
    const struct values *v = app->values;
    const struct command *c = app->args.n ? help_find(app->args.v[0]) : NULL;
    AUTO(buf_done) struct buf text = BUF_MAX(HELP_MAX);
    size_t columns = term_help_columns(app->out);
    bool keys = app->args.n == 2 || v->schema || v->markdown || !c;
    struct shape_book book;

    if (app->args.n && keys && help_keys_open(app->arena, app->args.v[0], &book))
        return say_keys(app, &book, app->args.n == 2 ? app->args.v[1] : NULL, v, e);
    if (app->args.n && !c)
        return help_unknown(app->args.v[0], true, e);
    if (c && keys)
        return err_set(e, E_USAGE,
                       "%s is a command: KEY, --schema and --markdown are for files, such as suite",
                       c->name);
    if (v->man)
        help_man(&text);
    else if (c)
        help_command(c, columns, &text);
    else
        help_overview(columns, &text);
    fputs(text.p, app->out);
    return OK;
}

const struct command cmd_help_command = {
    .name = "help",
    .need = NO_STORE,
    .args = "[COMMAND | suite|models|campaign|collection|interviewee|sso [KEY]]",
    .summary = "describe a command, or a key of a file: suite, models, campaign, collection, "
               "interviewee, sso",
    /* clang-format off */
    .opts = OPTS(
        {"man", 0, OPT_FLAG, offsetof(struct values, man), NULL, "print the manual page, as mdoc(7)", 0,
         0},
        {"schema", 0, OPT_FLAG, offsetof(struct values, schema), NULL,
         "of a file: print its JSON Schema", 0, 0},
        {"markdown", 0, OPT_FLAG, offsetof(struct values, markdown), NULL,
         "of a file: print all its keys as tables in Markdown", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct values),
    .nargs = {0, 2},
    .run = run,
};
