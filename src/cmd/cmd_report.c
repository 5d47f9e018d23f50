/* Writes a report in the form that the file's suffix names. */
#include <math.h>

#include "base/file.h"
#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/printer.h"
#include "cmd/refresh.h"
#include "cmd/term.h"
#include "report/charts.h"
#include "report/render_standing.h"
#include "report/sheet.h"

enum { OUTPUT_MAX = 512 << 20 };

struct report_values {
    const char *output;
    struct opt_list judges;
    int64_t samples; /* UNSAID: as many as suits the form */
    bool sensitive, full;
};

enum { UNSAID = -1 };

static size_t samples_of(const struct report_values *v)
{
    if (v->samples != UNSAID)
        return (size_t)v->samples;
    if (v->output && str_ends(str_of(v->output), STR(".png")))
        return 0; /* answers would turn one picture into thirty */
    return v->output && printer_is_for(v->output) ? REPORT_PRINTED : REPORT_SAMPLES;
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
        {".txt", FORM_TEXT},          {".pdf", FORM_HTML},  {".png", FORM_HTML},
    };

    for (size_t i = 0; i < COUNT(forms); i++)
        if (str_ends(str_of(path), str_of(forms[i].suffix))) {
            *out = forms[i].form;
            return OK;
        }
    return err_set(e, E_USAGE,
                   "%s: the suffix selects the format: .html, .pdf, .png, .md, .json, .csv "
                   "or .txt",
                   path);
}

static bool is_text(enum form form)
{
    return form == FORM_TERMINAL || form == FORM_TEXT;
}

/* A text file has its own width, whatever that of the window. */
static struct render_terminal how_of(const struct app *app, enum form form, bool full)
{
    return form == FORM_TEXT ? (struct render_terminal){.columns = 100,
                                                        .unicode = !app->common.plain,
                                                        .full = full}
                             : term_board(app, full);
}

static void render(struct app *app, const struct report *r, enum form form, bool full,
                   struct buf *out)
{
    static void (*const writers[])(const struct report *r, struct buf *out) = {
        [FORM_HTML] = render_html,
        [FORM_MARKDOWN] = render_markdown,
        [FORM_JSON] = render_json,
        [FORM_CSV] = render_csv,
    };
    const struct render_terminal how = how_of(app, form, full || form == FORM_TEXT);

    if (is_text(form))
        render_terminal(r, &how, out);
    else
        writers[form](r, out);
}

static enum status render_several(struct app *app, const struct standing_of *of, enum form form,
                                  struct buf *out, struct err *e)
{
    static void (*const writers[])(const struct standing *st, struct buf *out) = {
        [FORM_HTML] = render_standing_html,
        [FORM_MARKDOWN] = render_standing_markdown,
        [FORM_JSON] = render_standing_json,
        [FORM_CSV] = render_standing_csv,
    };
    const struct render_terminal how = how_of(app, form, false);
    struct standing st;

    if (standing_build(app->arena, app->store, of, &st, e) != OK)
        return e->code;
    if (is_text(form))
        render_standing_terminal(&st, &how, out);
    else
        writers[form](&st, out);
    return OK;
}

/* ---- sheets: a model, two runs, a campaign ---- */

typedef enum status gather_fn(struct app *app, const char *id, struct sheet *out, struct err *e);

static enum status gather_model(struct app *app, const char *id, struct sheet *out, struct err *e)
{
    return sheet_model(app->arena, app->store, id, message_language(), out, e);
}

static enum status gather_compare(struct app *app, const char *id, struct sheet *out, struct err *e)
{
    const struct compare_options o = {.least = NAN};
    struct run_row run, baseline;
    struct str one, other;
    struct compare c;

    if (!str_cut(str_of(id), ':', &one, &other))
        return err_set(e, E_USAGE, "two runs are compared: compare:RUN:BASELINE");
    if (refresh_find(app, arena_text(app->arena, one), &run, e) != OK ||
        refresh_find(app, arena_text(app->arena, other), &baseline, e) != OK ||
        compare_runs(app->arena, app->store, &run, &baseline, &o, &c, e) != OK)
        return e->code;
    return sheet_compare(app->arena, app->store, &c, message_language(), out, e);
}

static enum status gather_campaign(struct app *app, const char *id, struct sheet *out,
                                   struct err *e)
{
    struct score_list *rows = NEW(app->arena, struct score_list);
    struct campaign *c = NEW(app->arena, struct campaign);
    struct run_row run;

    if (campaign_get(app->arena, app->store, id, c, e) != OK ||
        refresh_find(app, c->run.name, &run, e) != OK || /* brings its campaigns up to date */
        outcome_stored(app->arena, app->store, c, rows, e) != OK)
        return e->code;
    return sheet_campaign(app->arena, app->store,
                          &(struct campaign_view){.campaign = c, .rows = rows}, message_language(),
                          out, e);
}

static const struct {
    const char *prefix;
    gather_fn *gather;
} sheets[] = {
    {"model:", gather_model}, {"compare:", gather_compare}, {"campaign:", gather_campaign}};

/* *found is false if the name is that of a run or a collection. */
static enum status render_sheet(struct app *app, const char *name, enum form form, struct buf *out,
                                bool *found, struct err *e)
{
    static void (*const writers[])(const struct sheet *x, struct buf *out) = {
        [FORM_HTML] = sheet_html,
        [FORM_MARKDOWN] = sheet_markdown,
        [FORM_JSON] = sheet_json,
        [FORM_CSV] = sheet_csv,
    };
    const struct render_terminal how = how_of(app, form, false);
    struct sheet x;
    size_t i = 0;

    while (i < COUNT(sheets) && !str_starts(str_of(name), str_of(sheets[i].prefix)))
        i++;
    *found = i < COUNT(sheets);
    if (!*found)
        return OK;
    if (sheets[i].gather(app, name + strlen(sheets[i].prefix), &x, e) != OK)
        return e->code;
    if (is_text(form))
        sheet_terminal(&x, &how, out);
    else
        writers[form](&x, out);
    return OK;
}

static enum status save(struct app *app, const char *path, struct str text, struct err *e)
{
    const char *wrote;

    if (printer_is_for(path)) {
        if (printer_write(app->arena, text, path, &wrote, e) != OK)
            return e->code;
        fprintf(app->err, _("wrote %s\n"), wrote);
        return OK;
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
                               .samples = samples_of(v),
                               .sensitive = v->sensitive};
    struct run_row run;
    struct report r;

    if (v->judges.n > 1) {
        take.beside = v->judges.v + 1;
        take.nbeside = v->judges.n - 1;
    }
    if (form == FORM_TERMINAL)
        take.samples = 0;
    if (refresh_find(app, name, &run, e) != OK ||
        report_build(app->arena, app->store, &run, take, &r, e) != OK ||
        ((form == FORM_HTML || form == FORM_MARKDOWN) &&
         charts_lead(app->arena, app->store, &r, e) != OK))
        return e->code;
    if (r.withheld && take.samples)
        fprintf(app->err,
                _("suite %s is sensitive: its answers were left out (--sensitive includes them)\n"),
                run.suite);
    if (!take.samples)
        r.flags.n = 0; /* their evidence quotes answers */
    render(app, &r, form, v->full, out);
    return OK;
}

static enum status report(struct app *app, struct err *e)
{
    static const char *const latest[] = {"latest"};
    const struct report_values *v = app->values;
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);
    enum form form = app->common.json ? FORM_JSON : FORM_TERMINAL;
    const char *const *names = app->args.n ? app->args.v : latest;
    struct standing_of of;
    bool several, sheet;

    if ((v->output && form_of(v->output, &form, e) != OK) ||
        render_sheet(app, names[0], form, &out, &sheet, e) != OK)
        return e->code;
    if (sheet && v->judges.n)
        return err_set(e, E_USAGE, "--judge is for reports on runs, not for %s", names[0]);
    if (!sheet && collect_runs(app, names, app->args.n ? app->args.n : 1,
                               v->judges.n ? v->judges.v[0] : NULL, &of, &several, e) != OK)
        return e->code;
    if (!sheet && several && v->judges.n > 1)
        return err_set(e, E_USAGE,
                       "only a report on a single run can show several judges; name one --judge");
    if ((sheet || several) && (v->samples != UNSAID || v->sensitive))
        return err_set(e, E_USAGE, "%s needs a single run",
                       v->sensitive ? "--sensitive" : "--samples");
    if (!sheet && (several ? render_several(app, &of, form, &out, e)
                           : render_one(app, names[0], v, form, &out, e)) != OK)
        return e->code;
    if (out.full)
        return err_set(e, E_INPUT, "the report is over %d MB; include fewer answers with --samples",
                       OUTPUT_MAX >> 20);
    return v->output ? save(app, v->output, buf_str(&out), e) : term_put(app, &out, e);
}

const struct command cmd_report_command = {
    .name = "report",
    .need = STORE_READ,
    .args = "[RUN... | COLLECTION | model:NAME | compare:RUN:BASELINE | campaign:NAME] [-o FILE]",
    .summary = "write a report on a run, a model, a comparison, a campaign, a collection",
    /* clang-format off */
    .opts = OPTS(
        {"output", 'o', OPT_TEXT, offsetof(struct report_values, output), "FILE",
         "write FILE: .html, .pdf, .png, .md, .json, .csv or .txt", 0, 0},
        {"judge", 0, OPT_LIST, offsetof(struct report_values, judges), "NAME",
         "whose scores: a judge, a panel (a+b) or people (campaign:NAME); repeat to show several side by side [the first judges]", 0, 0},
        {"samples", 0, OPT_COUNT, offsetof(struct report_values, samples), "N",
         "include at most N answers with their verdicts, the most informative first [2000; .pdf: 200; .png: 0]", 0, 100000},
        {"sensitive", 0, OPT_FLAG, offsetof(struct report_values, sensitive), NULL,
         "include the answers of a sensitive suite", 0, 0},
        {"full", 0, OPT_FLAG, offsetof(struct report_values, full), NULL,
         "on the terminal: every table, not only the leaderboard", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct report_values),
    .defaults = &(const struct report_values){.samples = UNSAID},
    .nargs = {0, 1000},
    .run = report,
};
