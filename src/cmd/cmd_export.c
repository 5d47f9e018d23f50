/* Samples and verdicts of a run as JSON lines. */

#include "base/message.h"
#include "base/output.h"
#include "cmd/suite_args.h"
#include "exchange/exchange.h"

struct export_values {
    const char *what, *output;
    bool sensitive;
};

static const struct {
    const char *word;
    enum exchange_what what;
} kinds[] = {
    {"samples", EXCHANGE_SAMPLES},
    {"verdicts", EXCHANGE_VERDICTS},
    {"battles", EXCHANGE_BATTLES},
    {"all", EXCHANGE_ALL},
};

static enum status export_file(struct app *app, const struct run_row *run, enum exchange_what what,
                               const char *path, struct err *e)
{
    struct output o;
    bool good;

    if (output_open_private(&o, path, e) != OK)
        return e->code;
    good = exchange_export(app->store, run, what, o.to, e) == OK;
    if (!good && (e->code == E_SYSTEM || e->code == E_FULL))
        (void)err_wrap(e, "%s", path);
    if (output_close(&o, good, e) != OK || !good)
        return e->code;
    fprintf(app->err, _("wrote %s\n"), path);
    return OK;
}

static enum status export_run(struct app *app, struct err *e)
{
    const struct export_values *v = app->values;
    enum exchange_what what;
    struct run_row run;
    struct suite suite;
    size_t row;

    if (opt_choose(&OPT_WORDS("--what", kinds), v->what, &row, e) != OK ||
        store_run_get(app->arena, app->store, app->args.v[0], &run, e) != OK ||
        suite_args_sensitive(app, &run, v->sensitive, &suite, e) != OK)
        return e->code;
    what = kinds[row].what;
    if (what == EXCHANGE_BATTLES && suite.instrument.kind != INSTRUMENT_PAIR)
        return err_set(e, E_USAGE, "run %s has no battles: its instrument is not kind: pair",
                       run.name);
    if (v->output && strcmp(v->output, "-") != 0)
        return export_file(app, &run, what, v->output, e);
    return exchange_export(app->store, &run, what, app->out, e);
}

const struct command cmd_export_command = {
    .name = "export",
    .need = STORE_READ,
    .args = "RUN [--what samples|verdicts|battles|all] [-o FILE]",
    .summary = "export answers and verdicts as JSON Lines",
    /* clang-format off */
    .opts = OPTS(
        {"what", 0, OPT_TEXT, offsetof(struct export_values, what), "WHAT",
         "samples, verdicts, battles (CSV) or all [all]", 0, 0},
        {"output", 'o', OPT_TEXT, offsetof(struct export_values, output), "FILE",
         "write FILE instead of standard output", 0, 0},
        {"sensitive", 0, OPT_FLAG, offsetof(struct export_values, sensitive), NULL,
         "even for a sensitive suite", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct export_values),
    .defaults = &(const struct export_values){.what = "all"},
    .nargs = {1, 1},
    .run = export_run,
};
