/* Everything derived, computed once more and compared. */
#include "cmd/cmd.h"
#include "eval/verify.h"
#include "text/rune.h"

enum { SHOWN = 20 };

struct shown {
    struct app *app;
    int n;
};

static void show_difference(void *user, const char *difference)
{
    struct shown *s = user;

    if (s->n++ < SHOWN)
        fprintf(s->app->err, "%s\n", rune_clean(s->app->arena, str_of(difference)).p);
}

static void print_json(FILE *out, const struct run_row *run, const struct verify_counts *c)
{
    fprintf(out,
            "{\"run\":\"%s\",\"scores\":%lld,\"stale\":%s,\"samples\":%lld,\"verdicts\":%lld,"
            "\"replies\":%lld,\"without_reply\":%lld,\"differences\":%lld}\n",
            run->name, (long long)c->scores, c->stale ? "true" : "false", (long long)c->samples,
            (long long)c->verdicts, (long long)c->replies, (long long)c->wordless,
            (long long)c->differences);
}

static void print_text(FILE *out, const struct run_row *run, const struct verify_counts *c)
{
    fprintf(out, "run %s\n", run->name);
    if (c->stale)
        fprintf(out,
                "  scores    not compared: verdicts are newer (`audition board %s` scores them)\n",
                run->name);
    else
        fprintf(out, "  scores    %lld computed again\n", (long long)c->scores);
    fprintf(out, "  samples   %lld looked at\n", (long long)c->samples);
    fprintf(out, "  verdicts  %lld looked at, %lld judge replies read again",
            (long long)c->verdicts, (long long)c->replies);
    if (c->wordless)
        fprintf(out, ", %lld have none", (long long)c->wordless);
    fprintf(out, "\n");
    if (c->differences)
        fprintf(out, "%lld differences\n", (long long)c->differences);
    else
        fprintf(out, "no difference\n");
}

static enum status verify(struct app *app, const struct opt_args *args, const void *values,
                          struct err *e)
{
    struct shown shown = {.app = app};
    struct verify_counts c;
    struct run_row run;

    (void)values;
    if (store_run_get(app->arena, app->store, args->n ? args->v[0] : "latest", &run, e) != OK ||
        verify_run(app->store, &run, show_difference, &shown, &c, e) != OK)
        return e->code;
    if (c.differences > SHOWN)
        fprintf(app->err, "... and %lld more\n", (long long)(c.differences - SHOWN));
    if (app->common.json)
        print_json(app->out, &run, &c);
    else
        print_text(app->out, &run, &c);
    app->exit = c.differences ? EXIT_FAILED : EXIT_DONE;
    return OK;
}

const struct command cmd_verify_command = {
    .name = "verify",
    .need = STORE_READ,
    .args = "[RUN]",
    .summary = "compute every number again and compare",
    .details = "Scores are recomputed from the stored verdicts and must be equal to the last bit; "
               "the judges' "
               "raw replies are read again and must give the stored marks. Exits with 1 on a "
               "difference.\n\n"
               "    audition verify\n",
    .max_args = 1,
    .run = verify,
};
