/* Human judging from the command line: create a campaign, invite, watch, close, read results. */
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/message.h"
#include "base/output.h"
#include "cmd/refresh.h"
#include "cmd/suite_args.h"
#include "cmd/term.h"
#include "panel/erase.h"
#include "panel/export.h"
#include "panel/intake.h"
#include "panel/seat.h"
#include "panel/study.h"
#include "report/campaign_table.h"
#include "report/grid.h"
#include "store/store_web.h"
#include "suite/field.h"
#include "text/rune.h"

enum { INVITES_MAX = 10000, RATERS = 100, WORDS_COLUMNS = 60, LOGIN_MAX = 256 };

struct campaign_values {
    const char *run, *name, *output, *why, *label, *url, *codebook;
    int64_t count, days;
    bool show, hide;
};

/* The user at this terminal, for the log. */
static const char *who(struct app *app)
{
    char name[LOGIN_MAX];

    return getlogin_r(name, sizeof name) == 0 ? arena_printf(app->arena, "%s (command line)", name)
                                              : "command line";
}

/* Add a line to the log that the campaign's page shows. */
static enum status note(struct app *app, const struct campaign *c, const char *what,
                        const char *detail, struct err *e)
{
    struct audit_row row = {.at_ms = clock_utc_ms(),
                            .who = who(app),
                            .what = what,
                            .subject = c->name,
                            .detail = detail};

    return store_audit_add(app->store, &row, e);
}

static enum status get(struct app *app, struct campaign *c, struct err *e)
{
    return campaign_get(app->arena, app->store, app->args.v[1], c, e);
}

/* With --json, what happened to a campaign: by now it has the state. */
static enum status print_state(struct app *app, const struct campaign *c, enum campaign_state state)
{
    return term_json(app, json_pack("{s:s, s:s, s:s}", "campaign", c->name, "run", c->run.name,
                                    "state", campaign_state_name(state)));
}

/* ---- creating and listing ---- */

/* The run that a campaign is about. */
struct subject {
    struct run_row run;
    struct suite suite;
};

static enum status get_run(struct app *app, struct subject *out, struct err *e)
{
    const struct campaign_values *v = app->values;
    struct arena *a = app->arena;

    if (store_run_get(a, app->store, v->run, &out->run, e) != OK)
        return e->code;
    return suite_thaw(a, out->run.frozen, &out->suite, e);
}

static enum status make(struct app *app, struct err *e)
{
    struct arena *a = app->arena;
    struct subject of;
    struct spec spec = {0};
    struct campaign c;
    struct diags d;
    const char *frozen;

    diags_init(&d, a);
    if (get_run(app, &of, e) != OK)
        return e->code;
    spec_load(a, app->args.v[1], &of.suite, &spec, &frozen, &d);
    if (suite_args_undone(app, &d, app->args.v[1], "no campaign was made", e) != OK ||
        campaign_add(a, app->store, &(struct campaign_new){&of.run, &of.suite, frozen, who(app)},
                     &c, e) != OK)
        return e->code;
    if (app->common.json)
        return print_state(app, &c, CAMPAIGN_DRAFT);
    fprintf(app->out,
            _("campaign %s on run %s is a draft; open it once everything is in order:\n    %s "
              "campaign show %s%s\n    %s campaign open %s%s\n"),
            c.name, of.run.name, app->self, c.name, app->where, app->self, c.name, app->where);
    return OK;
}

static enum status list(struct app *app, struct err *e)
{
    struct campaign_list l;

    if (campaign_list(app->arena, app->store, &l, e) != OK)
        return e->code;
    if (l.n || app->common.json)
        return term_table(app, campaign_table_list(app->arena, &l), true, e);
    fprintf(app->out, _("no campaigns yet; create one with: %s campaign new FILE --run RUN%s\n"),
            app->self, app->where);
    return OK;
}

/* ---- show and results ---- */

static void say_withheld(struct app *app, const struct campaign *c, const struct withheld_list *l,
                         struct buf *out)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct withheld *w = &l->v[i];
        if (!w->decision)
            buf_fmt(out,
                    _("withheld: sample %lld, an answer to %s (%s: %.*s);\n"
                      "    %s campaign decide %s %lld%s --show, or --hide\n"),
                    (long long)w->sample, w->item_name, w->why,
                    STR_ARG(grid_text(app->arena, str_of(w->words), WORDS_COLUMNS, "…")), app->self,
                    c->name, (long long)w->sample, app->where);
        else if (withheld_left_out(w))
            buf_fmt(out,
                    _("hidden by a rule of the suite: sample %lld, an answer to %s;\n"
                      "    %s campaign decide %s %lld%s --show\n"),
                    (long long)w->sample, w->item_name, app->self, c->name, (long long)w->sample,
                    app->where);
    }
}

/* Complaints of raters about texts and passages. */
static void say_complaints(struct app *app, const struct campaign *c,
                           const struct complaint_list *l, struct buf *out)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct complaint *k = &l->v[i];
        struct str why = grid_text(app->arena, str_of(*k->why ? k->why : "-"), WORDS_COLUMNS, "…");
        if (k->sample < 0)
            buf_fmt(out, _("%s skipped %s: %.*s\n"), k->rater, k->item_name, STR_ARG(why));
        else
            buf_fmt(out, _("%s reported a text of %s: %.*s\n"), k->rater, k->item_name,
                    STR_ARG(why));
        if (k->sample > 0)
            buf_fmt(out, _("    %s campaign decide %s %lld%s --show, or --hide\n"), app->self,
                    c->name, (long long)k->sample, app->where);
    }
}

/* Models that do not answer the people who talk to them. */
static void say_mutes(struct app *app, const struct mute_list *l, struct buf *out)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct mute *x = &l->v[i];
        const char *why = *x->why ? message_show(app->arena, NULL, x->why) : x->fault;
        char since[CLOCK_TEXT];

        clock_text(x->since_ms, since);
        since[10] = ' ';
        buf_fmt(out, _("%s has not answered raters since %.16s UTC (%lld attempt%s): %s\n"),
                x->model, since, (long long)x->times, message_s(x->times),
                rune_clean(app->arena, str_of(why)).p);
    }
}

static enum status show(struct app *app, struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    struct arena *a = app->arena;
    struct complaint_list complaints;
    struct withheld_list withheld;
    struct mute_list silent;
    struct coverage_list cover;
    struct practice_list practice;
    struct rater_list raters;
    struct score_list rows;
    struct campaign c;
    struct campaign_view v = {&c, &rows, &cover, &raters, &practice};
    const struct render_terminal how = term_board(app, true);
    size_t more = 0;

    if (get(app, &c, e) != OK || campaign_coverage(a, app->store, &c, &cover, e) != OK ||
        rater_list(a, app->store, c.id, &raters, e) != OK ||
        practice_list(a, app->store, c.id, &practice, e) != OK ||
        outcome_refresh(a, app->store, &c, &rows, e) != OK ||
        campaign_withheld(a, app->store, &c, &withheld, e) != OK ||
        ballot_complaints(a, app->store, &c, &complaints, e) != OK ||
        seat_mutes(a, app->store, &c, &silent, e) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, campaign_table_state_json(a, &v));
    if (raters.n > RATERS) {
        more = raters.n - RATERS;
        raters.n = RATERS;
    }
    campaign_table_state(a, &v, &how, &out);
    if (more)
        buf_fmt(&out, _("... and %zu more; all of them: %s campaign show %s --json%s\n"), more,
                app->self, c.name, app->where);
    say_mutes(app, &silent, &out);
    say_withheld(app, &c, &withheld, &out);
    say_complaints(app, &c, &complaints, &out);
    return term_put(app, &out, e);
}

static enum status nobody_rated(const struct app *app, const struct campaign *c)
{
    if (c->state == CAMPAIGN_DRAFT)
        fprintf(app->out,
                _("nobody has rated yet; open the campaign with: %s campaign open %s%s\n"),
                app->self, c->name, app->where);
    else if (c->state == CAMPAIGN_OPEN)
        fprintf(app->out, _("nobody has rated yet; invite raters with: %s campaign invite %s%s\n"),
                app->self, c->name, app->where);
    else
        fprintf(app->out, _("the campaign is closed; nobody rated\n"));
    return OK;
}

static enum status results(struct app *app, struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    struct arena *a = app->arena;
    struct coverage_list cover;
    struct score_list rows;
    struct campaign c;
    struct campaign_view v = {.campaign = &c, .rows = &rows, .coverage = &cover};
    const struct render_terminal how = term_board(app, true);

    if (get(app, &c, e) != OK || outcome_refresh(a, app->store, &c, &rows, e) != OK ||
        campaign_coverage(a, app->store, &c, &cover, e) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, campaign_table_json(a, &v));
    if (!campaign_table_rated(&v))
        return nobody_rated(app, &c);
    campaign_table_results(a, &v, &how, &out);
    if (c.state != CAMPAIGN_UNMASKED)
        buf_fmt(&out,
                c.state == CAMPAIGN_CLOSED
                    ? _("\nsystems stay masked until: %s campaign unmask %s%s\n")
                    : _("\nsystems stay masked until: %s campaign close %s%s, then unmask\n"),
                app->self, c.name, app->where);
    return term_put(app, &out, e);
}

/* ---- states, invitations, decisions ---- */

static enum status turn(struct app *app, struct err *e)
{
    const char *word = app->args.v[0];
    enum campaign_state to = strcmp(word, "open") == 0    ? CAMPAIGN_OPEN
                             : strcmp(word, "close") == 0 ? CAMPAIGN_CLOSED
                                                          : CAMPAIGN_UNMASKED;
    struct campaign c;

    /* What becomes visible is brought up to date first. */
    if (get(app, &c, e) != OK ||
        (to == CAMPAIGN_UNMASKED && refresh_run(app, app->store, &c.run, e) != OK) ||
        store_atomically(app->store, e,
                         campaign_turn(app->store, &c, to, e) == OK
                             ? note(app, &c, "campaign.state", campaign_state_name(to), e)
                             : e->code) != OK)
        return e->code;
    if (app->common.json)
        return print_state(app, &c, to);
    fprintf(app->out, _("campaign %s is %s\n"), c.name, _(campaign_state_name(to)));
    return OK;
}

static enum status add_invites(struct app *app, const struct campaign *c, struct str url,
                               json_t *out, struct err *e)
{
    const struct campaign_values *v = app->values;
    int64_t until = clock_utc_ms() + v->days * CLOCK_DAY_MS;
    char token[RATER_TOKEN];

    for (int64_t i = 0; i < v->count; i++) {
        if (invite_add(app->store, c, v->label, until, token, e) != OK)
            return e->code;
        (void)json_array_append_new(
            out,
            json_from_str(str_of(arena_printf(app->arena, "%.*s/invite/%s", STR_ARG(url), token))));
    }
    return note(app, c, "campaign.invite", arena_int(app->arena, v->count), e);
}

/* All invitations or none, and printed only once they are committed. */
static enum status invite(struct app *app, struct err *e)
{
    const struct campaign_values *v = app->values;
    AUTO(json_freep) json_t *links = json_array();
    struct str url = str_of(v->url);
    struct campaign c;

    if (!str_starts(url, STR("http://")) && !str_starts(url, STR("https://")))
        return err_set(e, E_USAGE, "--url %s: expected http:// or https://", v->url);
    if (utf8_check(url) != url.n)
        return err_set(e, E_USAGE, "--%s: not valid UTF-8", "url");
    while (str_ends(url, STR("/")))
        url.n--;
    if (get(app, &c, e) != OK ||
        store_atomically(app->store, e, add_invites(app, &c, url, links, e)) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, json_pack("{s:s, s:O}", "campaign", c.name, "links", links));
    for (size_t i = 0; i < json_array_size(links); i++)
        fprintf(app->out, "%s\n", json_string_value(json_array_get(links, i)));
    return OK;
}

static enum status print_rater(struct app *app, const struct campaign *c, const char *state)
{
    return term_json(app, json_pack("{s:s, s:o, s:s}", "campaign", c->name, "rater",
                                    json_from_str(str_of(app->args.v[2])), "state", state));
}

static enum status exclude(struct app *app, struct err *e)
{
    const struct campaign_values *v = app->values;
    struct campaign c;
    struct rater r;

    if (get(app, &c, e) != OK ||
        store_atomically(
            app->store, e,
            rater_exclude(app->store, &c, app->args.v[2], who(app), v->why ? v->why : "", e) ==
                        OK &&
                    rater_named(app->arena, app->store, &c, app->args.v[2], &r, e) == OK
                ? note(app, &c, "campaign.exclude", rater_logged(app->arena, &r), e)
                : e->code) != OK)
        return e->code;
    if (app->common.json)
        return print_rater(app, &c, "excluded");
    fprintf(app->out, _("rater %s no longer counts in the main table\n"), app->args.v[2]);
    return OK;
}

/* A server does this every ten minutes, but perhaps none is running. */
static enum status erase_traces_too(struct app *app, struct err *e)
{
    int64_t last = 0;
    bool large;

    if (erase_traces(app->store, &last, &large, e) != OK)
        return err_wrap(e, "what was to be erased is deleted, but copies may remain in the "
                           "database file; run `audition db vacuum`");
    if (large)
        fprintf(app->err, _("the database file is large: copies of what was erased may remain in "
                            "it until you run `audition db vacuum`\n"));
    return OK;
}

static enum status erase(struct app *app, struct err *e)
{
    struct campaign c;
    struct rater r;

    if (get(app, &c, e) != OK ||
        rater_named(app->arena, app->store, &c, app->args.v[2], &r, e) != OK ||
        store_atomically(app->store, e,
                         erase_rater(app->store, &r, true, e) == OK &&
                                 rater_get(app->arena, app->store, r.id, &r, e) == OK
                             ? note(app, &c, "campaign.erase", r.pseudonym, e)
                             : e->code) != OK ||
        erase_traces_too(app, e) != OK)
        return e->code;
    if (app->common.json)
        return print_rater(app, &c, "erased");
    fprintf(app->out, _("erased: everything that rater %s rated, wrote and answered\n"),
            app->args.v[2]);
    return OK;
}

static enum status decide(struct app *app, struct err *e)
{
    const struct campaign_values *v = app->values;
    struct campaign c;
    int64_t sample;

    if (!str_int(str_of(app->args.v[2]), &sample) || v->show == v->hide)
        return err_set(e, E_USAGE,
                       "campaign decide NAME SAMPLE --show or --hide; `campaign show` "
                       "lists the samples");
    if (get(app, &c, e) != OK ||
        store_atomically(
            app->store, e,
            campaign_decide(app->store, &c, sample, v->show, who(app), e) == OK
                ? note(app, &c, v->show ? "campaign.show" : "campaign.hide", app->args.v[2], e)
                : e->code) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, json_pack("{s:s, s:I, s:b}", "campaign", c.name, "sample",
                                        (json_int_t)sample, "shown", v->show));
    fprintf(app->out, v->show ? _("sample %s will be shown\n") : _("sample %s will not be shown\n"),
            app->args.v[2]);
    return OK;
}

/* ---- files ---- */

static enum status write_part(void *user, struct str part, struct err *e)
{
    FILE *to = user;

    return fwrite(part.p, 1, part.n, to) == part.n ? OK : err_system(e, N_("cannot write"));
}

/* An export is unmasked: whoever can read the database could unmask it anyway. */
static enum status form_of(struct app *app, struct export_how *out, struct err *e)
{
    const struct campaign_values *v = app->values;
    struct str path = str_of(v->output);

    *out = (struct export_how){app->common.json ? EXPORT_JSONL : EXPORT_CSV, true};
    if (!v->output || str_is(path, "-"))
        return OK;
    out->form = str_ends(path, STR(".jsonl")) ? EXPORT_JSONL : EXPORT_CSV;
    return out->form == EXPORT_JSONL || str_ends(path, STR(".csv"))
               ? OK
               : err_set(e, E_USAGE, "-o %s: ratings are written as .csv or .jsonl", v->output);
}

static enum status export_file(struct app *app, const struct campaign *c,
                               const struct export_how *how, struct err *e)
{
    const struct campaign_values *v = app->values;
    struct output o;
    bool good;

    if (output_open_private(&o, v->output, e) != OK)
        return e->code;
    good = export_ratings(app->store, c, how, write_part, o.to, e) == OK;
    if (output_close(&o, good, e) != OK)
        return e->code;
    if (!good)
        return err_wrap(e, "%s", v->output);
    fprintf(app->err, _("wrote %s\n"), v->output);
    return OK;
}

/* Results need memory for every rating, exports do not. So results are computed only if the export
 * has to say whom a rule excluded. */
static enum status export_it(struct app *app, struct err *e)
{
    const struct campaign_values *v = app->values;
    struct export_how how;
    struct score_list rows;
    struct campaign c;
    enum status st;

    if (form_of(app, &how, e) != OK || get(app, &c, e) != OK ||
        (spec_excludes(&c.spec) && outcome_refresh(app->arena, app->store, &c, &rows, e) != OK))
        return e->code;
    if (v->output && strcmp(v->output, "-") != 0) {
        st = export_file(app, &c, &how, e);
    } else {
        st = export_ratings(app->store, &c, &how, write_part, app->out, e);
        if (st != OK && ferror(app->out)) /* main() reports that, unless the reader has left */
            st = OK;
    }
    if (st != OK || note(app, &c, "campaign.export", v->output ? v->output : "-", e) != OK)
        return e->code;
    return v->codebook ? file_write(v->codebook, export_codebook(app->arena, &c), e) : OK;
}

/* What ratings in our own form need besides themselves: the campaign file that they were made
 * under, if there is one, and the name. */
static enum status read_file_of(struct app *app, const struct subject *of, const char **frozen,
                                struct err *e)
{
    const struct campaign_values *v = app->values;
    const char *file = app->args.n > 2 ? app->args.v[2] : NULL;
    struct arena *a = app->arena;
    AUTO(json_freep) json_t *spec = NULL;
    struct spec ignored = {0};
    struct diags d;

    if (!file && !v->name)
        return err_set(e, E_USAGE, "the campaign needs a name: --name NAME");
    if (v->name && !field_is_id(str_of(v->name)))
        return err_set(e, E_USAGE, "--name %s: use only letters, digits, '-', '_' and '.'",
                       v->name);
    diags_init(&d, a);
    if (file)
        spec_load(a, file, &of->suite, &ignored, frozen, &d);
    else
        spec_read(a, str_of(arena_printf(a, "campaign: %s\npractice: no\n", v->name)), &of->suite,
                  &ignored, frozen, &d);
    if (suite_args_undone(app, &d, file ? file : "--name", "nothing was imported", e) != OK)
        return e->code;
    if (!v->name)
        return OK;
    if (json_read(str_of(*frozen), &spec, e) != OK)
        return e->code;
    json_put_text(spec, "campaign", v->name);
    *frozen = json_text(a, spec);
    return OK;
}

static enum status import_ratings(struct app *app, struct campaign *c, struct err *e)
{
    struct arena *a = app->arena;
    struct intake in = {.path = app->args.v[1], .who = who(app)};
    struct subject of;
    struct diags d;
    enum status st;

    diags_init(&d, a);
    if (get_run(app, &of, e) != OK || read_file_of(app, &of, &in.frozen, e) != OK)
        return e->code;
    in.run = &of.run;
    in.suite = &of.suite;
    in.faults = &d;
    st = intake_ratings(a, app->store, &in, c, e);
    return d.errors ? suite_args_undone(app, &d, in.path, "nothing was imported", e) : st;
}

static enum status import_it(struct app *app, struct err *e)
{
    struct campaign c = {0};

    if ((folder_is(app->args.v[1])
             ? study_import(app->arena, app->store, app->args.v[1], who(app), &c, e)
             : import_ratings(app, &c, e)) != OK)
        return e->code;
    if (app->common.json)
        return print_state(app, &c, CAMPAIGN_CLOSED);
    fprintf(app->out, _("campaign %s on run %s, closed\n    %s campaign results %s%s\n"), c.name,
            c.run.name, app->self, c.name, app->where);
    return OK;
}

/* ---- dispatch ---- */

/* clang-format off */
static const struct task {
    const char *name, *args;
    size_t least, most;
    enum db_mode mode; /* even `show` and `results` change it: they store the results */
    enum status (*run)(struct app *app, struct err *e);
} tasks[] = {
    {"new",     " FILE --run RUN",                           2, 2, DB_CHANGE, make},
    {"list",    "",                                          1, 1, DB_READ,   list},
    {"show",    " NAME",                                     2, 2, DB_CHANGE, show},
    {"open",    " NAME",                                     2, 2, DB_CHANGE, turn},
    {"close",   " NAME",                                     2, 2, DB_CHANGE, turn},
    {"unmask",  " NAME",                                     2, 2, DB_CHANGE, turn},
    {"invite",  " NAME -n COUNT",                            2, 2, DB_CHANGE, invite},
    {"results", " NAME",                                     2, 2, DB_CHANGE, results},
    {"export",  " NAME -o FILE",                             2, 2, DB_CHANGE, export_it},
    {"import",  " RATINGS [CAMPAIGN] --run RUN --name NAME", 2, 3, DB_CHANGE, import_it},
    {"exclude", " NAME RATER --why REASON",                  3, 3, DB_CHANGE, exclude},
    {"erase",   " NAME RATER",                               3, 3, DB_CHANGE, erase},
    {"decide",  " NAME SAMPLE --show or --hide",             3, 3, DB_CHANGE, decide},
};
/* clang-format on */

static enum status run_task(struct app *app, struct err *e)
{
    const struct task *t;
    enum db_mode mode;
    size_t row, due;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &row, e) != OK)
        return e->code;
    t = &tasks[row];
    if (app->args.n < t->least || app->args.n > t->most)
        return err_set(e, E_USAGE, "expected: audition campaign %s%s", t->name, t->args);
    /* Only a published study brings its run along, and may create the database. */
    mode = t->run == import_it && folder_is(app->args.v[1]) ? DB_WRITE : t->mode;
    if (store_open(&app->store, app->common.db, mode, e) != OK)
        return e->code;
    if (t->mode == DB_CHANGE && (erase_due(app->store, clock_utc_ms(), &due, e) != OK ||
                                 (due && erase_traces_too(app, e) != OK)))
        return e->code;
    return t->run(app, e);
}

#define AT(member) offsetof(struct campaign_values, member)
const struct command cmd_campaign_command = {
    .name = "campaign",
    .need = NO_STORE, /* the task decides how it is opened */
    .args = "new FILE | list | show|open|close|unmask|invite|results|export NAME | "
            "exclude|erase NAME RATER | decide NAME SAMPLE | import RATINGS",
    .summary = "collect blind human ratings of a run",
    /* clang-format off */
    .opts = OPTS(
        {"run",      0,   OPT_TEXT,  AT(run),      "RUN",   "new, import: the run whose answers are rated [latest]", 0, 0},
        {"name",     0,   OPT_TEXT,  AT(name),     "NAME",  "import: name of the campaign", 0, 0},
        {"count",    'n', OPT_COUNT, AT(count),    "N",     "invite: how many invitations [1]", 1, INVITES_MAX},
        {"days",     0,   OPT_COUNT, AT(days),     "N",     "invite: days until they expire [14]", 1, 3650},
        {"label",    0,   OPT_TEXT,  AT(label),    "TEXT",  "invite: a note for whoever sends them out", 0, 0},
        {"url",      0,   OPT_TEXT,  AT(url),      "URL",   "invite: address of the server for raters [http://127.0.0.1:8080]", 0, 0},
        {"why",      0,   OPT_TEXT,  AT(why),      "TEXT",  "exclude: the reason, which is recorded", 0, 0},
        {"show",     0,   OPT_FLAG,  AT(show),     NULL,    "decide: raters may see the text", 0, 0},
        {"hide",     0,   OPT_FLAG,  AT(hide),     NULL,    "decide: raters may not see the text", 0, 0},
        {"output",   'o', OPT_TEXT,  AT(output),   "FILE",  "export: .csv or .jsonl [CSV to the terminal]", 0, 0},
        {"codebook", 0,   OPT_TEXT,  AT(codebook), "FILE",  "export: what the columns mean, in Markdown", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct campaign_values),
    .tasks = true,
    .defaults =
        &(const struct campaign_values){
            .run = "latest", .url = "http://127.0.0.1:8080", .count = 1, .days = 14, .label = ""},
    .nargs = {1, 3},
    .run = run_task,
};
