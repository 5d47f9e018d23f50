/* How many items, answers or judges would make the scores of a run precise enough. */
#include <math.h>

#include "base/message.h"
#include "cmd/refresh.h"
#include "cmd/term.h"
#include "report/size_table.h"

struct size_values {
    double half;
    const char *judge;
};

static void print_json(struct app *app, const struct report *r, const struct size_asked *q,
                       const struct table *t)
{
    AUTO(json_freep) json_t *j = json_object();

    json_put_text(j, "run", r->run.name);
    json_put_text(j, "judge", r->jury.name);
    json_put_real(j, "wanted", q->q.half);
    json_put_real(j, "half_width", q->now);
    json_put_text(j, "widest", q->widest);
    json_put_int(j, "items", q->q.now.items);
    json_put_int(j, "answers", q->q.now.answers);
    json_put_int(j, "judges", q->q.now.judges);
    json_put_int(j, "readings", q->q.now.readings);
    table_json(t, json_put_list(j, "options"));
    fprintf(app->out, "%s\n", json_text(app->arena, j));
}

static enum status print_text(struct app *app, const struct report *r, const struct size_asked *q,
                              const struct table *t, struct err *e)
{
    const struct size_design *now = &q->q.now;

    fprintf(app->out,
            _("run %s: %lld item%s, %lld answer%s to each, %lld judge%s, %lld verdict%s by each\n"),
            r->run.name, (long long)now->items, message_s(now->items), (long long)now->answers,
            message_s(now->answers), (long long)now->judges, message_s(now->judges),
            (long long)now->readings, message_s(now->readings));
    if (q->widest)
        fprintf(app->out, _("the widest interval is that of %s: half-width %.3g\n"), q->widest,
                q->now);
    if (q->now <= q->q.half) {
        fprintf(app->out, _("a half-width of %g is reached: nothing more is needed\n"), q->q.half);
        return OK;
    }
    fprintf(app->out, _("for a half-width of %g, cheapest first:\n\n"), q->q.half);
    if (term_draw(app, t, false, e) != OK)
        return e->code;
    if (r->suite.score.kind == SCORE_SUM || r->suite.score.kind == SCORE_TOTALS)
        fprintf(app->out, _("half-widths are for the present number of items: a sum or total grows "
                            "with its items, and so does its interval\n"));
    if (isnan(q->q.noise.answers))
        fprintf(app->out,
                _("each item was answered only once, so the effect of repeats is unknown\n"));
    if (isnan(q->q.noise.judges))
        fprintf(app->out, _("there is only one judge, so the effect of more judges is unknown\n"));
    return OK;
}

static enum status plan_size(struct app *app, struct err *e)
{
    const struct size_values *v = app->values;
    struct size_option options[SIZE_LEVERS];
    struct size_asked q;
    struct run_row run;
    struct report r;
    struct table *t;
    size_t n;

    if (!(v->half > 0 && isfinite(v->half)))
        return err_set(e, E_USAGE,
                       "which precision? --half-width X, greater than 0, in units of the score");
    if (refresh_find(app, app->args.n ? app->args.v[0] : "latest", &run, e) != OK ||
        report_build(app->arena, app->store, &run, (struct report_take){.judge = v->judge}, &r,
                     e) != OK)
        return e->code;
    if (r.hushed)
        return err_set(e, E_USAGE, "%s is not unmasked yet", r.jury.name);
    if (r.suite.instrument.kind == INSTRUMENT_PAIR)
        return err_set(e, E_USAGE,
                       "run %s consists of battles: run --target-rd POINTS chooses as many as a "
                       "deviation needs",
                       run.name);
    if (!size_table_ask(&r, v->half, &q))
        return err_set(e, E_INPUT,
                       "the marks of run %s do not vary, or there are too few: nothing can be "
                       "planned from them",
                       run.name);
    n = size_options(&q.q, options);
    t = size_table(app->arena, &q, options, n, app->common.json ? NULL : app->common.language);
    if (!app->common.json)
        return print_text(app, &r, &q, t, e);
    print_json(app, &r, &q, t);
    return OK;
}

const struct command cmd_plan_size_command = {
    .name = "plan-size",
    .need = STORE_READ,
    .args = "[RUN] --half-width X",
    .summary = "plan how many items, answers or judges a precision needs",
    /* clang-format off */
    .opts = OPTS(
        {"half-width", 0, OPT_NUMBER, offsetof(struct size_values, half), "X",
         "half-width to reach for every interval on the leaderboard, in units of the score", 0, 0},
        {"judge", 0, OPT_TEXT, offsetof(struct size_values, judge), "NAME",
         "whose scores: a judge, a panel (a+b) or people (campaign:NAME) [the first judges]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct size_values),
    .defaults = &(const struct size_values){.half = NAN},
    .nargs = {0, 1},
    .run = plan_size,
};
