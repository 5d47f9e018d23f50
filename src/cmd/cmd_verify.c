/* Computes everything derived once more and compares. */
#include "audit/audit.h"
#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/refresh.h"
#include "cmd/term.h"
#include "eval/verify.h"
#include "panel/outcome.h"
#include "report/values.h"
#include "text/rune.h"

/* What is computed again besides the run itself. */
struct beside {
    struct outcome_counts outcomes; /* results of campaigns */
    int64_t audits;                 /* results of judge audits */
};

static void print_json(FILE *out, const struct run_row *run, const struct verify_counts *c,
                       const struct beside *b)
{
    fprintf(out,
            "{\"run\":\"%s\",\"scores\":%lld,\"stale\":%s,\"older\":%s,\"samples\":%lld,"
            "\"verdicts\":%lld,\"replies\":%lld,\"without_reply\":%lld,\"flags\":%lld,"
            "\"outcomes\":%lld,\"outcomes_older\":%s,\"audits\":%lld,\"digest\":\"%s\","
            "\"differences\":%lld}\n",
            run->name, (long long)c->scores, c->stale ? "true" : "false",
            c->older ? "true" : "false", (long long)c->samples, (long long)c->verdicts,
            (long long)c->replies, (long long)c->wordless, (long long)c->flags,
            (long long)b->outcomes.rows, b->outcomes.older ? "true" : "false", (long long)b->audits,
            c->digest, (long long)c->differences);
}

static void tell_older(FILE *out)
{
    fprintf(out, _("            scored by an older version: intervals are recomputed\n"));
}

static void print_text(const struct app *app, const struct run_row *run,
                       const struct verify_counts *c, const struct beside *b)
{
    FILE *out = app->out;

    fprintf(out, _("run %s\n"), run->name);
    if (c->stale)
        fprintf(
            out,
            _("  scores    not compared: the verdicts are newer (`%s board %s%s` updates them)\n"),
            app->self, run->name, app->where);
    else
        fprintf(out, _("  scores    %lld recomputed\n"), (long long)c->scores);
    if (c->older)
        tell_older(out);
    fprintf(out, _("  samples   %lld checked\n"), (long long)c->samples);
    fprintf(out, _("  verdicts  %lld checked, %lld judge repl%s parsed again"),
            (long long)c->verdicts, (long long)c->replies, c->replies == 1 ? "y" : "ies");
    if (c->wordless)
        fprintf(out, _(", %lld have none"), (long long)c->wordless);
    fprintf(out, "\n");
    if (!c->stale)
        fprintf(out, _("  flags     %lld detected again\n"), (long long)c->flags);
    if (c->unsearched[0])
        fprintf(out, "            %s\n",
                rune_clean(app->arena, str_of(message_show(app->arena, NULL, c->unsearched))).p);
    if (b->outcomes.rows)
        fprintf(out, _("  people    %lld campaign result%s recomputed\n"),
                (long long)b->outcomes.rows, message_s(b->outcomes.rows));
    if (b->outcomes.older)
        tell_older(out);
    if (b->audits)
        fprintf(out, _("  audits    %lld result%s of judge audits recomputed\n"),
                (long long)b->audits, message_s(b->audits));
    if (*c->digest)
        fprintf(out, _("  digest    %s\n"), c->digest);
    else
        fprintf(out, _("  digest    none yet: facts are sealed the next time the run is scored\n"));
    if (c->differences)
        fprintf(out, _("%lld difference%s\n"), (long long)c->differences,
                message_s(c->differences));
    else
        fprintf(out, _("no differences\n"));
}

static enum status verify_one(struct app *app, const char *name, struct err *e)
{
    struct term_differences shown = {.app = app};
    struct verify_look look = {.fn = term_difference, .user = &shown};
    struct verify_counts c;
    struct refresh *watching;
    struct run_row run;
    struct beside beside;
    enum status st;

    if (store_run_get(app->arena, app->store, name, &run, e) != OK)
        return e->code;
    watching = refresh_open(app);
    look.watch = refresh_watch(watching);
    st = verify_run(app->arena, app->store, &run, &look, &c, e);
    refresh_close(watching);
    if (st != OK)
        return st;
    shown.n = (int)c.differences;
    if (outcome_verify_run(app->arena, app->store, &run, term_difference, &shown, &beside.outcomes,
                           e) != OK ||
        audit_verify_run(app->arena, app->store, &run, term_difference, &shown, &beside.audits,
                         e) != OK)
        return e->code;
    if (!c.stale && values_check(app->store, &run, e) != OK) {
        if (e->code != E_INPUT)
            return e->code;
        term_difference(&shown, e->msg);
    }
    c.differences = shown.n;
    if (c.differences > TERM_DIFFERENCES)
        fprintf(app->err, _("... and %lld more\n"), (long long)(c.differences - TERM_DIFFERENCES));
    if (app->common.json)
        print_json(app->out, &run, &c, &beside);
    else
        print_text(app, &run, &c, &beside);
    if (c.differences)
        app->exit = EXIT_FAILED;
    return OK;
}

/* The board of a collection is computed from its runs each time, so only the runs are verified. */
static enum status verify(struct app *app, struct err *e)
{
    static const char *const latest[] = {"latest"};
    struct standing_of of;
    bool several;

    if (collect_runs(app, app->args.n ? app->args.v : latest, app->args.n ? app->args.n : 1, NULL,
                     &of, &several, e) != OK)
        return e->code;
    if (!several)
        return verify_one(app, app->args.n ? app->args.v[0] : "latest", e);
    for (size_t p = 0; p < of.nparts; p++)
        for (size_t i = 0; i < of.parts[p].nruns; i++)
            if (verify_one(app, of.parts[p].runs[i].name, e) != OK)
                return e->code;
    return OK;
}

const struct command cmd_verify_command = {
    .name = "verify",
    .need = STORE_READ,
    .args = "[RUN... | COLLECTION]",
    .summary = "recompute every number and compare",
    .nargs = {0, 1000},
    .run = verify,
};
