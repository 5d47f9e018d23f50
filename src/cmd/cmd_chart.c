/* A chart of a run, or the table behind it, in the form that the file's suffix names. */
#include "base/file.h"
#include "base/message.h"
#include "cmd/printer.h"
#include "cmd/refresh.h"
#include "cmd/term.h"
#include "report/charts.h"

struct chart_values {
    const char *output;
};

static enum status kind_of(const char *word, enum charts_kind *out, struct err *e)
{
    AUTO(buf_done) struct buf names = BUF_MAX(1 << 10);

    for (int k = 0; k < CHARTS_KINDS; k++) {
        const char *name = charts_name((enum charts_kind)k);
        if (strcmp(word, name) == 0) {
            *out = (enum charts_kind)k;
            return OK;
        }
        buf_fmt(&names, "%s%s", k ? ", " : "", name);
    }
    return err_set(e, E_USAGE, "there is no chart '%s'; available: %.*s", word,
                   STR_ARG(buf_str(&names)));
}

/* The drawing, or the table behind it. */
static enum status write_form(struct app *app, const struct report *r, enum charts_kind k,
                              const struct table *t, const char *path, struct buf *out,
                              struct err *e)
{
    const char *const lead[] = {r->run.name, r->run.suite, NULL};
    struct str name = str_of(path);

    if (str_ends(name, STR(".svg")) || str_ends(name, STR(".png"))) {
        charts_svg(r, k, t, out);
    } else if (str_ends(name, STR(".md"))) {
        table_markdown(t, out);
    } else if (str_ends(name, STR(".csv"))) {
        buf_text(out, "run,suite,name,metric,value,lo,hi,n,clusters,method\r\n");
        table_csv(&t, 1, lead, out);
    } else if (str_ends(name, STR(".json"))) {
        AUTO(json_freep) json_t *list = json_array();
        table_json(t, list);
        buf_fmt(out, "%s\n", json_text(app->arena, list));
    } else {
        return err_set(e, E_USAGE,
                       "%s: the suffix selects the format: .svg, .png, .md, .csv or .json", path);
    }
    return OK;
}

static enum status chart(struct app *app, struct err *e)
{
    const struct chart_values *v = app->values;
    const char *path = v->output ? v->output : app->common.json ? ".json" : NULL;
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    enum charts_kind kind = CHARTS_LEADERBOARD;
    const char *wrote = v->output;
    struct run_row run;
    struct table *t;
    struct report r;

    if (kind_of(app->args.v[0], &kind, e) != OK ||
        refresh_find(app, app->args.n > 1 ? app->args.v[1] : "latest", &run, e) != OK ||
        report_build(app->arena, app->store, &run, (struct report_take){0}, &r, e) != OK ||
        charts_table(app->arena, app->store, &r, kind, &t, e) != OK)
        return e->code;
    t->language = path ? t->language : message_language();
    if (!path)
        return term_draw(app, t, false, e);
    if (write_form(app, &r, kind, t, path, &out, e) != OK)
        return e->code;
    if (out.full)
        return err_set(e, E_INPUT, "the chart is larger than %d MB", TERM_MAX >> 20);
    if (!v->output)
        return term_put(app, &out, e);
    if ((printer_is_for(v->output) ? printer_write(app->arena, buf_str(&out), v->output, &wrote, e)
                                   : file_write(v->output, buf_str(&out), e)) != OK)
        return e->code;
    fprintf(app->err, _("wrote %s\n"), wrote);
    return OK;
}

const struct command cmd_chart_command = {
    .name = "chart",
    .need = STORE_READ,
    .args = "KIND [RUN] [-o FILE]",
    .summary = "draw a chart of a run, or print the table behind it",
    /* clang-format off */
    .opts = OPTS(
        {"output", 'o', OPT_TEXT, offsetof(struct chart_values, output), "FILE",
         "write FILE: .svg or .png, or the table behind it as .md, .csv or .json", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct chart_values),
    .nargs = {1, 2},
    .run = chart,
};
