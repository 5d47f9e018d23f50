/* The leaderboard in the terminal. */
#include <math.h>

#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/refresh.h"
#include "cmd/term.h"

struct board_values {
    const char *judge;
    double fail_under;
    bool full, traffic;
};

/* A model without a score has not reached the threshold either. */
static void judge(struct app *app, const char *model, double score, double least)
{
    if (isnan(least) || score >= least)
        return;
    app->exit = EXIT_THRESHOLD;
    if (isnan(score))
        fprintf(app->err, _("%s: no score\n"), model);
    else
        fprintf(app->err, _("%s: the score %.4g is below %g\n"), model, score, least);
}

static enum status show_board(struct app *app, const char *name, const struct board_values *v,
                              struct buf *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct render_terminal how = term_board(app, v->full);
    struct run_row run;
    struct report r;

    if (refresh_find(app, name, &run, e) != OK ||
        report_build(a, app->store, &run,
                     (struct report_take){.judge = v->judge, .traffic = v->traffic}, &r, e) != OK)
        return e->code;
    if (app->common.json)
        render_json(&r, out);
    else
        render_terminal(&r, &how, out);
    if (v->traffic && r.ntraffic == 0)
        fprintf(app->err,
                _("no reply of this run came over the network, so there is no traffic to show\n"));
    for (size_t i = 0; i < r.nmodels; i++)
        judge(app, r.models[i].name, show_value(r.models[i].score), v->fail_under);
    return OK;
}

static enum status show_standing(struct app *app, const struct standing_of *of,
                                 const struct board_values *v, struct buf *out, struct err *e)
{
    struct standing st;

    if (collect_show(app, of, v->full, &st, out, e) != OK)
        return e->code;
    for (size_t i = 0; i < st.nmodels; i++)
        judge(app, st.models[i].name, st.models[i].overall.value, v->fail_under);
    return OK;
}

/* One run, or one table over a collection or several runs. */
static enum status board(struct app *app, struct err *e)
{
    static const char *const latest[] = {"latest"};
    const struct board_values *v = app->values;
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    const char *const *names = app->args.n ? app->args.v : latest;
    size_t n = app->args.n ? app->args.n : 1;
    struct standing_of of;
    bool several;

    if (collect_runs(app, names, n, v->judge, &of, &several, e) != OK)
        return e->code;
    if (several && v->traffic)
        return err_set(e, E_USAGE, "%s needs a single run", "--traffic");
    if ((several ? show_standing(app, &of, v, &out, e) : show_board(app, names[0], v, &out, e)) !=
        OK)
        return e->code;
    return term_put(app, &out, e);
}

const struct command cmd_board_command = {
    .name = "board",
    .need = STORE_READ,
    .args = "[RUN... | COLLECTION]",
    .summary = "show the leaderboard of a run, or one over several",
    /* clang-format off */
    .opts = OPTS(
        {"judge", 0, OPT_TEXT, offsetof(struct board_values, judge), "NAME",
         "whose scores: a judge, a panel (a+b) or people (campaign:NAME) [the first judges]", 0, 0},
        {"fail-under", 0, OPT_NUMBER, offsetof(struct board_values, fail_under), "X",
         "exit with 100 if any model's score is below X or missing", 0, 0},
        {"full", 0, OPT_FLAG, offsetof(struct board_values, full), NULL,
         "show every table: battles, Glicko-2, style, judges, interviews", 0, 0},
        {"traffic", 0, OPT_FLAG, offsetof(struct board_values, traffic), NULL,
         "show how fast models and judges replied", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct board_values),
    .defaults = &(const struct board_values){.fail_under = NAN},
    .nargs = {0, 1000},
    .run = board,
};
