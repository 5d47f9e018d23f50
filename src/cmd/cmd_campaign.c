/* Human judging from the command line: make a campaign, invite, watch, close, read the results. */
#include <unistd.h>

#include "base/clock.h"
#include "base/output.h"
#include "cmd/suite_args.h"
#include "panel/export.h"
#include "panel/records.h"
#include "report/campaign_table.h"

enum { OUTPUT_MAX = 64 << 20, INVITES_MAX = 10000, DAY_MS = 86400000 };

struct campaign_values {
    const char *run, *output, *why, *label, *url, *codebook;
    int64_t count, days;
    bool show, hide;
};

static void defaults(void *values)
{
    struct campaign_values *v = values;

    v->run = "latest";
    v->url = "http://127.0.0.1:8080";
    v->count = 1;
    v->days = 14;
    v->label = "";
}

struct job {
    struct app *app;
    const struct campaign_values *v;
    const struct opt_args *args;
};

static const char *who(void)
{
    const char *name = getlogin();

    return name ? name : "command line";
}

static enum status get(const struct job *j, struct campaign *c, struct err *e)
{
    return campaign_get(j->app->arena, j->app->store, j->args->v[1], c, e);
}

/* ---- making and listing ---- */

static enum status make(const struct job *j, struct err *e)
{
    struct arena *a = j->app->arena;
    struct run_row run;
    struct suite suite;
    struct spec spec;
    struct campaign c;
    struct diags d;
    const char *frozen;

    diags_init(&d, a);
    if (store_run_get(a, j->app->store, j->v->run, &run, e) != OK ||
        suite_thaw(a, run.frozen, &suite, e) != OK)
        return e->code;
    spec_load(a, j->args->v[1], &suite, &spec, &frozen, &d);
    if (suite_args_faults(j->app, &d, j->args->v[1], e) != OK ||
        campaign_add(a, j->app->store, &run, &suite, frozen, &c, e) != OK)
        return e->code;
    fprintf(j->app->out,
            "campaign %s over run %s is a draft; open it when everything is as it should be:\n"
            "    %s campaign show %s\n    %s campaign open %s\n",
            c.name, run.name, j->app->self, c.name, j->app->self, c.name);
    return OK;
}

static enum status list(const struct job *j, struct err *e)
{
    struct campaign_list l;

    if (campaign_list(j->app->arena, j->app->store, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        char made[CLOCK_TEXT];
        clock_text(l.v[i].created_ms, made);
        fprintf(j->app->out, "%-24s %-9s run %s  made %s\n", l.v[i].name,
                campaign_state_name(l.v[i].state), l.v[i].run.name, made);
    }
    if (l.n == 0)
        fprintf(j->app->out, "there is no campaign yet: %s campaign new FILE --run RUN\n",
                j->app->self);
    return OK;
}

/* ---- what it says ---- */

static enum status print(const struct job *j, const struct buf *b)
{
    (void)fwrite(b->p, 1, b->n, j->app->out);
    return OK;
}

static enum status show(const struct job *j, struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);
    struct arena *a = j->app->arena;
    struct withheld_list withheld;
    struct coverage_list cover;
    struct rater_list raters;
    struct score_list rows;
    struct campaign c;
    struct campaign_view v = {&c, &rows, &cover, &raters};

    if (get(j, &c, e) != OK || campaign_coverage(a, j->app->store, &c, &cover, e) != OK ||
        rater_list(a, j->app->store, c.id, &raters, e) != OK ||
        outcome_refresh(a, j->app->store, &c, &rows, e) != OK ||
        campaign_withheld(a, j->app->store, &c, &withheld, e) != OK)
        return e->code;
    campaign_table_state(a, &v, &out);
    for (size_t i = 0; i < withheld.n; i++)
        if (!withheld.v[i].decision)
            buf_fmt(&out, "withheld: sample %lld of %s (%s: %s)\n", (long long)withheld.v[i].sample,
                    withheld.v[i].item_name, withheld.v[i].why, withheld.v[i].words);
    return print(j, &out);
}

static enum status results(const struct job *j, struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);
    struct arena *a = j->app->arena;
    struct coverage_list cover;
    struct score_list rows;
    struct campaign c;
    struct campaign_view v = {.campaign = &c, .rows = &rows, .coverage = &cover};

    if (get(j, &c, e) != OK || outcome_refresh(a, j->app->store, &c, &rows, e) != OK ||
        campaign_coverage(a, j->app->store, &c, &cover, e) != OK)
        return e->code;
    if (j->app->common.json) {
        AUTO(json_freep) json_t *json = campaign_table_json(a, &v);
        fprintf(j->app->out, "%s\n", json_text(a, json));
        return OK;
    }
    campaign_table_results(a, &v, &out);
    if (c.state != CAMPAIGN_UNMASKED)
        buf_fmt(&out, "\nsystems are masked until: %s campaign close %s, then unmask\n",
                j->app->self, c.name);
    return print(j, &out);
}

/* ---- states, invitations, decisions ---- */

static enum status turn(const struct job *j, enum campaign_state to, struct err *e)
{
    struct campaign c;

    if (get(j, &c, e) != OK || campaign_turn(j->app->store, &c, to, e) != OK)
        return e->code;
    fprintf(j->app->out, "campaign %s is %s\n", c.name, campaign_state_name(to));
    return OK;
}

static enum status open_it(const struct job *j, struct err *e)
{
    return turn(j, CAMPAIGN_OPEN, e);
}

static enum status close_it(const struct job *j, struct err *e)
{
    return turn(j, CAMPAIGN_CLOSED, e);
}

static enum status unmask(const struct job *j, struct err *e)
{
    return turn(j, CAMPAIGN_UNMASKED, e);
}

static enum status invite(const struct job *j, struct err *e)
{
    int64_t until = clock_utc_ms() + j->v->days * DAY_MS;
    char token[RATER_TOKEN];
    struct campaign c;

    if (get(j, &c, e) != OK)
        return e->code;
    for (int64_t i = 0; i < j->v->count; i++) {
        if (invite_add(j->app->store, &c, j->v->label, until, token, e) != OK)
            return e->code;
        fprintf(j->app->out, "%s/invite/%s\n", j->v->url, token);
    }
    return OK;
}

static enum status need_third(const struct job *j, const char *what, struct err *e)
{
    return j->args->n == 3 ? OK : err_set(e, E_USAGE, "say which %s", what);
}

static enum status exclude(const struct job *j, struct err *e)
{
    struct campaign c;

    if (need_third(j, "rater: campaign exclude NAME RATER --why ...", e) != OK ||
        get(j, &c, e) != OK)
        return e->code;
    return rater_exclude(j->app->store, &c, j->args->v[2], who(), j->v->why ? j->v->why : "", e);
}

static enum status decide(const struct job *j, struct err *e)
{
    struct campaign c;
    int64_t sample;

    if (need_third(j, "text: campaign decide NAME SAMPLE --show or --hide", e) != OK)
        return e->code;
    if (!str_int(str_of(j->args->v[2]), &sample) || j->v->show == j->v->hide)
        return err_set(e, E_USAGE,
                       "campaign decide NAME SAMPLE --show or --hide; `campaign show` "
                       "lists the samples");
    if (get(j, &c, e) != OK)
        return e->code;
    return campaign_decide(j->app->store, &c, sample, j->v->show, who(), e);
}

/* ---- files ---- */

static enum status write_part(void *user, struct str part, struct err *e)
{
    FILE *to = user;

    return fwrite(part.p, 1, part.n, to) == part.n ? OK
                                                   : err_set(e, E_SYSTEM, "the file is not whole");
}

static enum status write_codebook(const struct job *j, const struct campaign *c, struct err *e)
{
    struct str text = export_codebook(j->app->arena, c);
    struct output o;

    if (!j->v->codebook)
        return OK;
    if (output_open(&o, j->v->codebook, e) != OK)
        return e->code;
    (void)fwrite(text.p, 1, text.n, o.to);
    return output_close(&o, true, e);
}

static enum status export_it(const struct job *j, struct err *e)
{
    const char *path = j->v->output ? j->v->output : "-";
    bool lines = str_ends(str_of(path), STR(".jsonl"));
    struct campaign c;
    struct output o;
    struct err ignored;
    enum status st;

    if (get(j, &c, e) != OK || output_open(&o, path, e) != OK)
        return e->code;
    st = export_ratings(j->app->store, &c, lines ? EXPORT_JSONL : EXPORT_CSV, write_part, o.to, e);
    if (output_close(&o, st == OK, st == OK ? e : &ignored) != OK || st != OK)
        return e->code;
    return write_codebook(j, &c, e);
}

static enum status import_it(const struct job *j, struct err *e)
{
    struct campaign c;

    if (records_import(j->app->arena, j->app->store, j->args->v[1], &c, e) != OK)
        return e->code;
    fprintf(j->app->out, "campaign %s, closed, over run %s\n    %s campaign results %s\n", c.name,
            c.run.name, j->app->self, c.name);
    return OK;
}

/* ---- dispatch ---- */

static const struct task {
    const char *name;
    size_t args;
    enum status (*run)(const struct job *j, struct err *e);
} tasks[] = {
    {"new", 2, make},         {"list", 1, list},       {"show", 2, show},
    {"open", 2, open_it},     {"close", 2, close_it},  {"unmask", 2, unmask},
    {"invite", 2, invite},    {"results", 2, results}, {"export", 2, export_it},
    {"import", 2, import_it}, {"exclude", 3, exclude}, {"decide", 3, decide},
};

static enum status run_task(struct app *app, const struct opt_args *args, const void *values,
                            struct err *e)
{
    struct job j = {app, values, args};
    const char *names[COUNT(tasks)], *near;

    for (size_t i = 0; i < COUNT(tasks); i++) {
        names[i] = tasks[i].name;
        if (strcmp(tasks[i].name, args->v[0]) != 0)
            continue;
        if (args->n < tasks[i].args)
            return err_set(e, E_USAGE, "campaign %s needs %s", tasks[i].name,
                           tasks[i].args == 2 ? "a name or file" : "a name and what it is about");
        return tasks[i].run(&j, e);
    }
    near = diag_suggest(str_of(args->v[0]), names, COUNT(tasks));
    return err_set(e, E_USAGE, "campaign cannot '%s'%s%s%s", args->v[0],
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

#define AT(member) offsetof(struct campaign_values, member)
/* clang-format off */
static const struct opt opts[] = {
    {"run",      0,   OPT_TEXT,  AT(run),      "RUN",   "new: whose answers are rated [latest]", 0, 0},
    {"count",    'n', OPT_COUNT, AT(count),    "N",     "invite: how many invitations [1]", 1, INVITES_MAX},
    {"days",     0,   OPT_COUNT, AT(days),     "N",     "invite: how long they hold [14]", 1, 3650},
    {"label",    0,   OPT_TEXT,  AT(label),    "TEXT",  "invite: a note for whoever sends them", 0, 0},
    {"url",      0,   OPT_TEXT,  AT(url),      "URL",   "invite: where raters reach the server [http://127.0.0.1:8080]", 0, 0},
    {"why",      0,   OPT_TEXT,  AT(why),      "TEXT",  "exclude: the reason, which is kept", 0, 0},
    {"show",     0,   OPT_FLAG,  AT(show),     NULL,    "decide: raters may see the text", 0, 0},
    {"hide",     0,   OPT_FLAG,  AT(hide),     NULL,    "decide: they may not", 0, 0},
    {"output",   'o', OPT_TEXT,  AT(output),   "FILE",  "export: .csv or .jsonl [CSV to the terminal]", 0, 0},
    {"codebook", 0,   OPT_TEXT,  AT(codebook), "FILE",  "export: what the columns mean, as Markdown", 0, 0},
    {NULL,       0,   OPT_FLAG,  0,            NULL,    NULL, 0, 0},
};
/* clang-format on */

const struct command cmd_campaign_command = {
    .name = "campaign",
    .need = STORE_WRITE,
    .args = "new FILE | list | show|open|close|unmask|invite|results|export NAME | ...",
    .summary = "judge a run by people: campaigns of blind ratings",
    .details =
        "A campaign file names the campaign and says how much each rater reads, how many ratings "
        "a passage should get, until when, and what raters agree to; every key has a default. What "
        "is asked comes from the suite of the run. The file is stored when the campaign is made "
        "and does not change afterwards.\n\n"
        "Raters come through single-use links (invite) or a code (code: in the file) to the pages "
        "of `audition serve`. `show` tells how it stands without any result; `results` shows "
        "systems under masks until the campaign was closed and unmasked. Texts that may give their "
        "author away are shown to nobody until `decide` has said what becomes of them.\n\n"
        "import takes a folder with the four RECORDS files of the comic-dialogue study.\n\n"
        "    audition campaign new comic.yaml --run latest\n"
        "    audition campaign open comic-july\n"
        "    audition campaign invite comic-july -n 60 --url https://rate.example.org\n"
        "    audition campaign results comic-july\n"
        "    audition campaign export comic-july -o ratings.csv --codebook codebook.md\n",
    .opts = opts,
    .size = sizeof(struct campaign_values),
    .defaults = defaults,
    .min_args = 1,
    .max_args = 3,
    .run = run_task,
};
