/* Agreement of raters from a file of ratings; no database. */
#include "cmd/cmd.h"
#include "cmd/term.h"
#include "report/accord_table.h"

struct agree_values {
    const char *level; /* NULL: not given */
    bool new_raters;
};

/* No default: numbers that look like a scale may be names of categories. */
static enum status read_level(const char *word, enum agree_level *out, struct err *e)
{
    for (int l = AGREE_NOMINAL; word && l <= AGREE_RATIO; l++)
        if (strcmp(word, accord_table_level((enum agree_level)l)) == 0) {
            *out = (enum agree_level)l;
            return OK;
        }
    if (!word)
        return err_set(e, E_USAGE,
                       "state what the values mean: --level nominal (categories), ordinal "
                       "(ordered), interval (equal steps) or ratio (with a true zero)");
    return err_set(e, E_USAGE, "--level \"%s\": expected nominal, ordinal, interval or ratio",
                   word);
}

static enum status agree(struct app *app, struct err *e)
{
    const struct agree_values *v = app->values;
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    struct render_terminal look = term_board(app, true);
    struct accord_how how = {.whom = v->new_raters ? JACKKNIFE_NEW : JACKKNIFE_THESE};
    struct marks_set set;
    struct accord *accords;

    if (read_level(v->level, &how.level, e) != OK ||
        marks_file_read(app->arena, app->args.v[0], how.level, &set, e) != OK)
        return e->code;
    accords = NEW_N(app->arena, struct accord, set.n);
    for (size_t i = 0; i < set.n; i++)
        accords[i] = accord_of(&set.v[i].cells, &how);

    struct accord_table table = {app->args.v[0], &set, &how, accords};
    if (app->common.json)
        accord_table_json(&table, &out);
    else
        accord_table_terminal(&table, &look, &out);
    return term_put(app, &out, e);
}

#define AT(member) offsetof(struct agree_values, member)

const struct command cmd_agree_command = {
    .name = "agree",
    .need = NO_STORE,
    .args = "FILE",
    .summary = "measure rater agreement from a file of ratings",
    /* clang-format off */
    .opts = OPTS(
        {"level",      0, OPT_TEXT, AT(level),      "LEVEL", "what values mean: nominal, ordinal, interval or ratio", 0, 0},
        {"new-raters", 0, OPT_FLAG, AT(new_raters), NULL,    "give intervals that generalise to other raters, not only these", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct agree_values),
    .nargs = {1, 1},
    .run = agree,
};
