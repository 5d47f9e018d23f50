#include <math.h>

#include "base/message.h"
#include "cmd/drive.h"
#include "cmd/mailing.h"
#include "cmd/patient.h"
#include "cmd/term.h"
#include "exchange/batch_file.h"
#include "net/dialect.h"
#include "suite/endpoint.h"

struct batch_values {
    int64_t requests, megabytes;
};

/* What happens to a run's requests: they are written to files, or answered from files. */
struct mail {
    struct batch_out *out;
    struct batch_in *in;
    struct err e;       /* the first failure with a file */
    const char *said;   /* the first complaint of a server */
    int64_t bad, taken; /* results without an answer, and with one */
    bool asked;         /* something was written */
    struct arena *arena;
};

/* Batch endpoints take only OpenAI's dialects. */
static bool fits(struct mail *m, const struct endpoint *to)
{
    enum dialect d = dialect_guess(str_of(to->url));

    if (d == DIALECT_OPENAI || d == DIALECT_RESPONSES || d == DIALECT_COMPLETIONS)
        return true;
    if (m->e.code == OK)
        (void)err_set(
            &m->e, E_USAGE,
            "%s speaks %s; batch files are only for endpoints that speak an OpenAI dialect",
            to->name, dialect_name(d));
    return false;
}

static bool write_letter(void *user, const struct run_letter *l, struct arena *a,
                         struct http_reply *raw, struct chat_reply *out)
{
    struct mail *m = user;

    (void)a;
    (void)raw;
    (void)out;
    m->asked = true;
    if (fits(m, l->to))
        batch_out_add(m->out, l->to->name, l->to->url, l->key, l->body);
    return false;
}

/* A fault that would not pass if it were asked again counts as the reply. */
static bool find_reply(void *user, const struct run_letter *l, struct arena *a,
                       struct http_reply *raw, struct chat_reply *out)
{
    struct mail *m = user;
    struct batch_result r;
    bool found = false;

    if (m->e.code != OK || batch_in_find(a, m->in, l->key, &r, &found, &m->e) != OK || !found)
        return false;
    *out = (struct chat_reply){.fault = CHAT_SERVER, .why = r.why};
    if (r.status == 200) {
        http_reply_clear(raw);
        raw->end = HTTP_DONE;
        raw->status = 200;
        raw->body = r.body;
        raw->content_type = "application/json";
        chat_read(a, raw, out);
    }
    if (out->fault == CHAT_OK) {
        m->taken++;
        return true;
    }
    m->bad++;
    if (!m->said)
        m->said = arena_text(m->arena, str_of(out->why));
    return !chat_fault_passes(out->fault);
}

/* ---- the commands ---- */

struct batch_job {
    struct run_row run;
    struct suite suite;
    struct drive_judges judges;
    struct drive_values values;
};

static enum status job_of(struct app *app, const char *run, struct batch_job *j, struct err *e)
{
    *j = (struct batch_job){.values = DRIVE_DEFAULTS};
    j->values.resume = run; /* so that all its judges judge */
    if (store_run_get(app->arena, app->store, run, &j->run, e) != OK)
        return e->code;
    return suite_thaw(app->arena, j->run.frozen, &j->suite, e);
}

/* If replies of other runs answered everything, the requests that follow from them come next. */
static enum status write_all(struct app *app, struct batch_job *j, struct mail *m, struct err *e)
{
    const struct run_options how = {
        .jobs = (int)j->values.jobs,
        .budget_usd = NAN,
        .store_wait_ms = j->values.store_wait * 1000,
        .post = write_letter,
        .post_user = m,
    };
    struct run_outcome outcome;

    do {
        if (patient_work(app, &j->run, &how, &outcome, e) != OK)
            return e->code;
    } while (!m->asked && outcome.progress.cached > 0);
    if (m->e.code != OK)
        *e = m->e;
    return e->code;
}

static enum status export_batch(struct app *app, struct batch_job *j, struct err *e)
{
    const struct batch_values *v = app->values;
    const struct batch_limits limits = {v->requests, v->megabytes << 20};
    struct mail m = {.arena = app->arena};
    struct batch_written written;
    bool well;

    if (batch_out_open(&m.out, app->args.v[2], limits, e) != OK)
        return e->code;
    well = write_all(app, j, &m, e) == OK;
    if (batch_out_close(m.out, well, &written, e) != OK)
        return e->code;
    if (app->common.json)
        fprintf(app->out, "{\"run\":\"%s\",\"requests\":%lld,\"files\":%lld}\n", j->run.name,
                (long long)written.requests, (long long)written.files);
    else if (written.requests == 0)
        fprintf(app->out, _("nothing is left to ask in run %s\n"), j->run.name);
    else
        fprintf(app->out,
                _("requests: %lld, in %s (files: %lld)\nonce there are results, import "
                  "them with: %s batch import %s FILE...%s\n"),
                (long long)written.requests, app->args.v[2], (long long)written.files, app->self,
                j->run.name, app->where);
    return OK;
}

static enum status take_results(struct app *app, struct batch_job *j, const char *const *paths,
                                size_t n, json_t *files, struct err *e)
{
    struct mail m = {.arena = app->arena};

    if (batch_in_open(&m.in, paths, n, e) != OK)
        return e->code;
    if (drive_run(app,
                  &(struct drive_job){
                      .run = &j->run,
                      .suite = &j->suite,
                      .values = &j->values,
                      .judges = &j->judges,
                      .resumed = true,
                      .post = find_reply,
                      .post_user = &m,
                      .files = files,
                  },
                  e) == OK &&
        m.e.code != OK)
        *e = m.e;
    if (e->code == OK)
        fprintf(app->err, _("results: %lld; taken: %lld; without an answer: %lld%s%s\n"),
                (long long)batch_in_results(m.in), (long long)m.taken, (long long)m.bad,
                m.said ? ": " : "", m.said ? message_show(app->arena, NULL, m.said) : "");
    if (e->code == OK && batch_in_results(m.in) && !m.taken && !m.bad)
        fprintf(app->err,
                _("no result answers a request that run %s still waits for: they were taken "
                  "before, or belong to another run\n"),
                j->run.name);
    batch_in_close(m.in);
    return e->code;
}

static enum status import_batch(struct app *app, struct batch_job *j, struct err *e)
{
    return take_results(app, j, app->args.v + 2, app->args.n - 2, NULL, e);
}

/* With --json, print what became of the files before one failed, too: they may be paid for. */
static void print_files(struct app *app, const struct batch_job *j, json_t *files, enum status st)
{
    if (app->common.json && (st == OK || json_array_size(files) > 0))
        (void)term_json(app, json_pack("{s:s, s:O}", "run", j->run.name, "files", files));
}

static enum status submit_batch(struct app *app, struct batch_job *j, struct err *e)
{
    AUTO(json_freep) json_t *files = json_array();
    enum status st = mailing_submit(app, &j->run, app->args.v[2], files, e);

    print_files(app, j, files, st);
    if (st != OK || app->common.json)
        return st;
    fprintf(app->out, _("fetch the results with: %s batch poll %s %s%s\n"), app->self, j->run.name,
            app->args.v[2], app->where);
    return OK;
}

static enum status poll_batch(struct app *app, struct batch_job *j, struct err *e)
{
    AUTO(json_freep) json_t *files = json_array();
    struct mailing_folder has;
    enum status st = mailing_poll(app, &j->run, app->args.v[2], files, &has, e);

    if (st == OK && has.nfound && app->common.json)
        return take_results(app, j, has.found, has.nfound, files, e);
    print_files(app, j, files, st);
    if (st != OK || app->common.json)
        return st;
    if (has.waiting)
        fprintf(app->out, _("files without results: %zu; try again later\n"), has.waiting);
    if (has.unsent)
        fprintf(app->out, _("files not submitted: %zu; send them with: %s batch submit %s %s%s\n"),
                has.unsent, app->self, j->run.name, app->args.v[2], app->where);
    return has.nfound ? take_results(app, j, has.found, has.nfound, NULL, e) : OK;
}

static enum status batch(struct app *app, struct err *e)
{
    static const struct {
        const char *word, *args;
        bool many; /* files may follow the first */
        enum status (*run)(struct app *app, struct batch_job *j, struct err *e);
    } tasks[] = {{"export", "RUN FOLDER", false, export_batch},
                 {"import", "RUN FILE...", true, import_batch},
                 {"submit", "RUN FOLDER", false, submit_batch},
                 {"poll", "RUN FOLDER", false, poll_batch}};
    struct batch_job j;
    size_t row;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &row, e) != OK)
        return e->code;
    if (app->args.n < 3 || (app->args.n > 3 && !tasks[row].many))
        return err_set(e, E_USAGE, "usage: audition batch %s %s", tasks[row].word, tasks[row].args);
    if (job_of(app, app->args.v[1], &j, e) != OK)
        return e->code;
    return tasks[row].run(app, &j, e);
}

const struct command cmd_batch_command = {
    .name = "batch",
    .need = STORE_CHANGE,
    .args = "export RUN FOLDER | import RUN FILE... | submit RUN FOLDER | poll RUN FOLDER",
    .summary = "send requests as batch files, which cost less",
    /* clang-format off */
    .opts = OPTS(
        {"max-requests", 0, OPT_COUNT, offsetof(struct batch_values, requests),  "N",  "export: most requests in one file [50000]", 1, 10000000},
        {"max-mb",       0, OPT_COUNT, offsetof(struct batch_values, megabytes), "MB", "export: largest size of one file [100]", 1, 100000}),
    /* clang-format on */
    .size = sizeof(struct batch_values),
    .tasks = true,
    .defaults = &(const struct batch_values){.requests = 50000, .megabytes = 100},
    .nargs = {1, 1000},
    .run = batch,
};
