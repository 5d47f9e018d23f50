/* A report of one run, in the form that the file's suffix names. */
#include "base/file.h"
#include "base/message.h"
#include "cmd/board.h"
#include "cmd/collect.h"
#include "cmd/printer.h"
#include "cmd/term.h"
#include "report/render_standing.h"

enum { OUTPUT_MAX = 512 << 20 };

struct report_values {
    const char *output;
    struct opt_list judges;
    int64_t samples;
    bool sensitive, full;
};

static void defaults(void *values)
{
    ((struct report_values *)values)->samples = REPORT_SAMPLES;
}

enum form { FORM_TERMINAL, FORM_TEXT, FORM_HTML, FORM_MARKDOWN, FORM_JSON, FORM_CSV };

static enum status form_of(const char *path, enum form *out, struct err *e)
{
    static const struct {
        const char *suffix;
        enum form form;
    } forms[] = {
        {".html", FORM_HTML},         {".htm", FORM_HTML},  {".md", FORM_MARKDOWN},
        {".markdown", FORM_MARKDOWN}, {".json", FORM_JSON}, {".csv", FORM_CSV},
        {".txt", FORM_TEXT},          {".pdf", FORM_HTML},
    };

    for (size_t i = 0; i < COUNT(forms); i++) {
        if (str_ends(str_of(path), str_of(forms[i].suffix))) {
            *out = forms[i].form;
            return OK;
        }
    }
    return err_set(e, E_USAGE,
                   "%s: the suffix selects the format: .html, .pdf, .md, .json, .csv or .txt",
                   path);
}

static void render(struct app *app, const struct report *r, enum form form, bool full,
                   struct buf *out)
{
    const struct render_terminal screen = term_board(app, full);
    const struct render_terminal text = {
        .columns = 100, .unicode = !app->common.plain, .full = true};

    switch (form) {
    case FORM_TERMINAL:
        render_terminal(r, &screen, out);
        break;
    case FORM_TEXT:
        render_terminal(r, &text, out);
        break;
    case FORM_HTML:
        render_html(r, out);
        break;
    case FORM_MARKDOWN:
        render_markdown(r, out);
        break;
    case FORM_JSON:
        render_json(app->arena, r, out);
        break;
    case FORM_CSV:
        render_csv(r, out);
        break;
    }
}

static enum status render_several(struct app *app, const struct standing_of *of, enum form form,
                                  struct buf *out, struct err *e)
{
    const struct render_terminal screen = term_board(app, false);
    const struct render_terminal text = {.columns = 100, .unicode = !app->common.plain};
    struct standing st;

    if (standing_build(app->arena, app->store, of, &st, e) != OK)
        return e->code;
    switch (form) {
    case FORM_TERMINAL:
        render_standing_terminal(&st, &screen, out);
        break;
    case FORM_TEXT:
        render_standing_terminal(&st, &text, out);
        break;
    case FORM_HTML:
        render_standing_html(&st, out);
        break;
    case FORM_MARKDOWN:
        render_standing_markdown(&st, out);
        break;
    case FORM_JSON:
        render_standing_json(&st, out);
        break;
    case FORM_CSV:
        render_standing_csv(&st, out);
        break;
    }
    return OK;
}

static enum status save(struct app *app, const char *path, struct str text, struct err *e)
{
    if (printer_is_for(path)) {
        if (printer_write(app->arena, text, path, e) == OK)
            fprintf(app->err, _("wrote %s\n"), path);
        return e->code;
    }
    if (file_write(path, text, e) != OK)
        return e->code;
    if (text.n < 1000)
        fprintf(app->err, _("wrote %s (%zu bytes)\n"), path, text.n);
    else
        fprintf(app->err, _("wrote %s (%.0f kB)\n"), path, (double)text.n / 1000);
    return OK;
}

static enum status render_one(struct app *app, const char *name, const struct report_values *v,
                              enum form form, struct buf *out, struct err *e)
{
    struct report_take take = {.judge = v->judges.n ? v->judges.v[0] : NULL,
                               .samples = (size_t)v->samples,
                               .sensitive = v->sensitive};
    struct run_row run;
    struct report r;

    if (v->judges.n > 1) {
        take.beside = v->judges.v + 1;
        take.nbeside = v->judges.n - 1;
    }
    if (form == FORM_TERMINAL)
        take.samples = 0;
    if (board_run(app, name, &run, e) != OK ||
        report_build(app->arena, app->store, &run, take, &r, e) != OK)
        return e->code;
    if (r.withheld && take.samples)
        fprintf(app->err,
                _("suite %s is sensitive: its answers were left out (--sensitive includes them)\n"),
                run.suite);
    render(app, &r, form, v->full, out);
    return OK;
}

static enum status report(struct app *app, const struct opt_args *args, const void *values,
                          struct err *e)
{
    static const char *const latest[] = {"latest"};
    const struct report_values *v = values;
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);
    enum form form = app->common.json ? FORM_JSON : FORM_TERMINAL;
    const char *const *names = args->n ? args->v : latest;
    struct standing_of of;
    bool several;

    if (v->output && form_of(v->output, &form, e) != OK)
        return e->code;
    if (collect_runs(app, names, args->n ? args->n : 1, v->judges.n ? v->judges.v[0] : NULL, &of,
                     &several, e) != OK ||
        (several ? render_several(app, &of, form, &out, e)
                 : render_one(app, names[0], v, form, &out, e)) != OK)
        return e->code;
    if (out.full)
        return err_set(e, E_INPUT, "the report is over %d MB; include fewer answers with --samples",
                       OUTPUT_MAX >> 20);
    if (v->output)
        return save(app, v->output, buf_str(&out), e);
    (void)fwrite(out.p, 1, out.n, app->out);
    return OK;
}

/* clang-format off */
static const struct opt opts[] = {
    {"output", 'o', OPT_TEXT, offsetof(struct report_values, output), "FILE",
     "write FILE: .html, .pdf, .md, .json, .csv or .txt", 0, 0},
    {"judge", 0, OPT_LIST, offsetof(struct report_values, judges), "NAME",
     "whose scores: a judge, a panel (a+b) or people (campaign:NAME); repeat to show several side by side [the first judges]", 0, 0},
    {"samples", 0, OPT_COUNT, offsetof(struct report_values, samples), "N",
     "include at most N answers with their verdicts, the most informative first [2000]", 0, 100000},
    {"sensitive", 0, OPT_FLAG, offsetof(struct report_values, sensitive), NULL,
     "include the answers of a sensitive suite", 0, 0},
    {"full", 0, OPT_FLAG, offsetof(struct report_values, full), NULL,
     "on the terminal: every table, not only the leaderboard", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

const struct command cmd_report_command = {
    .name = "report",
    .need = STORE_READ,
    .args = "[RUN... | COLLECTION] [-o FILE]",
    .summary = "write a report on a run, or on several",
    .details = "The suffix of FILE selects the format; without -o the leaderboard goes to standard "
               "output. An HTML report is one self-contained file.\n"
               "\n"
               "    audition report latest -o live-chat.html\n"
               "    audition report latest -o both.html --judge campaign:spring --judge gpt\n"
               "    audition report 3f9c --json | jq .models\n",
    .opts = opts,
    .size = sizeof(struct report_values),
    .defaults = defaults,
    .min_args = 0,
    .max_args = 1000,
    .run = report,
};
