/* Checks whether everything is here that a run needs. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/message.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "exchange/recorded.h"
#include "net/chat.h"
#include "net/form.h"
#include "net/llama.h"
#include "reply/reply_form.h"
#include "store/store.h"
#include "suite/models.h"
#include "suite/suite.h"

enum { PROBE_MS = 5000, ASK_TOKENS = 16, FORM_TOKENS = 100, PROBE_BYTES = 8 << 20, PROBES = 8 };
enum { LOCAL_STEP_MS = 100, LOCAL_WAIT_MS = 600000 }; /* a large file takes minutes to load */

struct doctor_values {
    bool ask, deep;
};

enum verdict { WELL, WARN, FAIL };

struct doctor {
    struct app *app;
    bool ask, deep;
    json_t *checks; /* of --json; NULL: print text */
    int failed;
    struct loop *loop; /* while endpoints are asked */
    struct http *http;
};

/* One line: the verdict, what it is about, and what to do about it. */
static void say(struct doctor *d, enum verdict v, const char *what, const char *text)
{
    static const char *const words[] = {"ok", "warn", "fail"};

    d->failed += v == FAIL;
    if (d->checks)
        (void)json_array_append_new(d->checks, json_pack("{s:s, s:s, s:s}", "check", what, "status",
                                                         words[v], "text", text));
    else
        fprintf(d->app->out, "%-5s %-12s %s\n", words[v], what,
                message_show(d->app->arena, NULL, text));
}

#define sayf(d, v, what, ...) say((d), (v), (what), arena_printf((d)->app->arena, __VA_ARGS__))

/* ---- the database ---- */

/* There is no database yet: can it be created? */
static void check_folder(struct doctor *d, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder =
        slash ? arena_text(d->app->arena, (struct str){path, (size_t)(slash - path) + 1}) : ".";

    if (access(folder, W_OK) == 0)
        sayf(d, WELL, "database", "%s will be created by the first run", path);
    else
        sayf(d, FAIL, "database", "%s: %s; choose another place with --db", folder,
             strerror(errno));
}

static void check_schema(struct doctor *d, struct db *db)
{
    struct err e = {0};

    if (db_schema_check(db, &e) == OK)
        sayf(d, WELL, "schema", "up to date");
    else
        say(d, e.code == E_ABSENT ? WELL : FAIL, "schema", e.msg);
}

/* Can the suites of all runs be read? */
static bool check_runs(struct doctor *d, struct err *e)
{
    AUTO(store_closep) struct store *s = NULL;
    struct run_list runs = {0};
    bool well = store_open(&s, d->app->common.db, DB_READ, e) == OK &&
                store_run_list(d->app->arena, s, &runs, e) == OK;

    if (!well && e->code != E_ABSENT)
        say(d, FAIL, "integrity", e->msg);
    for (size_t i = 0; i < runs.n; i++) {
        AUTO(arena_freep) struct arena *a = arena_new();
        struct suite suite;
        struct run_row run;
        if (store_run_by_id(a, s, runs.v[i].id, &run, e) == OK &&
            suite_thaw(a, run.frozen, &suite, e) == OK)
            continue;
        sayf(d, FAIL, "integrity",
             "run %s can no longer be read (%s); restore a backup, or remove it: audition rm %s",
             runs.v[i].name, e->msg, runs.v[i].name);
        well = false;
    }
    return well;
}

/* Every page, index and reference. */
static void check_whole(struct doctor *d, struct db *db)
{
    const char *fault = NULL;
    struct err e = {0};

    if (db_check(db, d->app->arena, &fault, &e) != OK)
        say(d, FAIL, "integrity", e.msg);
    else if (fault)
        sayf(d, FAIL, "integrity", "%s; restore a backup", fault);
    else if (check_runs(d, &e))
        sayf(d, WELL, "integrity", "everything can be read");
}

static void check_database(struct doctor *d)
{
    const char *url = d->app->common.db;
    const char *path = str_starts(str_of(url), STR("sqlite:")) ? url + strlen("sqlite:") : url;
    bool is_file = !strstr(url, "://");
    struct err e = {0};
    AUTO(db_closep) struct db *db = NULL;

    if (is_file && !file_exists(path)) {
        check_folder(d, path);
        return;
    }
    if (db_open(&db, url, DB_WRITE, &e) != OK) {
        say(d, FAIL, "database", e.msg);
        return;
    }
    if (db_begin(db, &e) == OK && db_try_write(db, &e) == OK)
        sayf(d, WELL, "database", "%s is writable", db_url(db));
    else
        say(d, FAIL, "database", e.msg);
    db_rollback(db);
    check_schema(d, db);
    if (d->deep)
        check_whole(d, db);
}

/* ---- models ---- */

static bool load_models(struct doctor *d, struct models *out)
{
    AUTO(buf_done) struct buf text = BUF_MAX(1 << 20);
    const char *path = d->app->common.config;
    struct diags faults;

    if (!file_exists(path)) {
        sayf(d, WARN, "models",
             "there is no %s; models are named on the command line and come from OPENAI_BASE_URL "
             "and OPENAI_API_KEY (`audition init DIR` creates one)",
             path);
        return false;
    }
    diags_init(&faults, d->app->arena);
    models_load(d->app->arena, path, out, &faults);
    if (faults.errors) {
        diags_show(&faults, NULL, &text);
        fprintf(d->app->err, "%s", text.p);
        sayf(d, FAIL, "models", "%s has errors", path);
        return false;
    }
    sayf(d, WELL, "models", "%s defines %zu", path, out->n);
    return true;
}

static void check_recorded(struct doctor *d, const struct endpoint *ep)
{
    struct recorded *r = NULL;
    struct err e = {0};

    if (recorded_open(&r, ep->file, &e) == OK)
        sayf(d, WELL, ep->name, "replies from %s", ep->file);
    else
        say(d, FAIL, ep->name, e.msg);
    recorded_close(r);
}

/* ---- endpoints ---- */

struct probe {
    struct doctor *doctor;
    const struct endpoint *ep;
    const struct endpoint
        *written;    /* as models.yaml has it; ep is this, or speaks another dialect */
    unsigned tried;  /* bits of dialects */
    const char *why; /* ... and what the server said to the first */
    const char *key; /* of a server that was started for it; NULL: none was */
    enum dialect dialect;
    unsigned avoid; /* what it has refused */
    bool formed;    /* it is asked for a form, as a judge would be */
    struct http_request request;
};

static enum status start_probe(struct probe *p, struct err *e);

/* {"data":[{"id"}]}; Gemini and Ollama: {"models":[{"name"}]}, the former "models/NAME". */
static bool lists(struct arena *a, struct str body, const char *model, bool *known)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};
    const json_t *data, *one;
    bool mended;
    size_t i;

    if (json_read_mended(body, &j, &mended, &e) != OK)
        return false;
    data = json_object_get(j, json_object_get(j, "models") ? "models" : "data");
    *known = false;
    json_array_foreach(data, i, one)
    {
        struct str id = json_str_at(one, "id", json_str_at(one, "name", STR("")));
        *known |= str_is(id, model) || str_ends(id, str_of(arena_printf(a, "/%s", model))) ||
                  str_is(id, arena_printf(a, "%s:latest", model)); /* as Ollama writes it */
    }
    return json_is_array(data);
}

static void say_listed(struct probe *p, const struct http_reply *r)
{
    bool known = true;

    if (!lists(p->doctor->app->arena, r->body, p->ep->model, &known))
        sayf(p->doctor, WARN, p->ep->name,
             "%s responds, but not with a list of models; --ask tries a completion",
             p->request.url);
    else if (!known)
        sayf(p->doctor, WARN, p->ep->name, "%s responds but does not list '%s'; check `model`",
             p->request.url, p->ep->model);
    else
        sayf(p->doctor, WELL, p->ep->name, "%s responds in %lld ms and lists '%s'", p->request.url,
             (long long)r->elapsed_ms, p->ep->model);
}

/* Whether the model follows the form that it was asked for. */
static const char *form_found(const struct probe *p, const struct chat_reply *reply)
{
    unsigned way = form_next(p->dialect, p->avoid);
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};

    if (!p->formed)
        return "";
    if (way == 0 || (reply->fault == CHAT_OK && json_read(reply->text, &j, &e) != OK))
        return N_("; as a judge it can only be asked in words: set `structured: off`");
    if (reply->fault != CHAT_OK)
        return N_("; its reply is too short to tell whether it follows a format");
    return way == AVOID_SCHEMA ? N_("; it follows a JSON schema")
           : way == AVOID_TOOL ? N_("; it follows a tool's parameters")
                               : N_("; it follows a grammar");
}

static void say_form(struct probe *p, const struct http_reply *r, const struct chat_reply *reply)
{
    const char *no_form =
        p->ep->structured == STRUCTURED_SCHEMA && (p->avoid & AVOID_SCHEMA)
            ? N_("; it does not accept a JSON schema, but `structured: schema` requires one")
            : NULL;

    sayf(p->doctor, no_form ? FAIL : WELL, p->ep->name,
         "'%s' responds in %lld ms (dialect: %s)%s%s", p->ep->model, (long long)r->elapsed_ms,
         dialect_name(p->dialect), p->avoid & AVOID_SAMPLING ? N_("; it takes no temperature") : "",
         no_form ? no_form : form_found(p, reply));
}

/* Ask the same server in another dialect. */
static bool try_another(struct probe *p)
{
    struct arena *a = p->doctor->app->arena;
    struct err e = {0};

    for (int d = 0; d < DIALECTS && p->written->kind == ENDPOINT_CHAT; d++) {
        struct endpoint *other = arena_copy(a, p->written, 1, sizeof *other);
        const char *why;
        if (p->tried & 1U << d)
            continue;
        p->tried |= 1U << d;
        other->url = dialect_url(a, (enum dialect)d, p->written->base_url, p->written->model, &why);
        if (!other->url || strcmp(other->url, p->written->url) == 0)
            continue;
        if (!other->key_named && other->key_var[0])
            other->key_var = dialect_key_variable((enum dialect)d);
        p->ep = other;
        p->dialect = (enum dialect)d;
        p->avoid = dialect_avoids(str_of(other->url));
        return start_probe(p, &e) == OK;
    }
    return false;
}

/* A reply that names the model means that the address is right and the model is unknown. */
static void say_absent(struct probe *p, const struct http_reply *r)
{
    struct chat_reply reply;

    chat_read(p->doctor->app->arena, r, &reply);
    if (!p->why)
        p->why = reply.why;
    if ((p->ep == p->written && strstr(reply.why, p->ep->model)) || !try_another(p))
        sayf(p->doctor, FAIL, p->ep->name, "%s: %s", p->written->url, p->why);
}

static void say_asked(struct probe *p, const struct http_reply *r)
{
    struct chat_reply reply;
    struct err e = {0};

    chat_read(p->doctor->app->arena, r, &reply);
    if (reply.fault == CHAT_REJECTED && p->formed && !(reply.avoid & ~p->avoid))
        reply.avoid |= form_next(p->dialect, p->avoid); /* the form may be why */
    if (reply.avoid & ~p->avoid) {
        p->avoid |= reply.avoid;
        if (start_probe(p, &e) != OK)
            say(p->doctor, FAIL, p->ep->name, e.msg);
        return;
    }
    /* A few tokens may contain no text; the server has understood all the same. */
    if (reply.fault != CHAT_OK && reply.fault != CHAT_EMPTY && reply.fault != CHAT_THOUGHT)
        sayf(p->doctor, FAIL, p->ep->name, "%s: %s", p->ep->url, reply.why);
    else if (p->ep != p->written)
        sayf(p->doctor, WARN, p->ep->name, "%s answers: write `dialect: %s` in models.yaml",
             p->ep->url, dialect_name(p->dialect));
    else
        say_form(p, r, &reply);
}

static void probed(void *user, const struct http_reply *r)
{
    struct probe *p = user;
    struct doctor *d = p->doctor;
    const char *name = p->ep->name, *url = p->request.url, *key = getenv(p->ep->key_var);

    if (r->end == HTTP_REFUSED)
        sayf(d, FAIL, name, "%s: %s; is it running, and is `base_url` right?", url, r->why);
    else if (r->end == HTTP_UNTRUSTED)
        sayf(d, FAIL, name,
             "%s: %s; to trust an authority of your own, name its file in "
             "SSL_CERT_FILE (CURL_CA_BUNDLE takes precedence)",
             url, r->why);
    else if (r->end != HTTP_DONE)
        sayf(d, FAIL, name, "%s: %s", url, r->why);
    else if ((r->status == 401 || r->status == 403) && p->ep->key_var[0] && !(key && *key))
        sayf(d, FAIL, name,
             "%s refused the request (%d), and no key was sent: set %s, or name another variable "
             "with `key`",
             url, r->status, p->ep->key_var);
    else if ((r->status == 401 || r->status == 403) && p->ep->key_var[0])
        sayf(d, FAIL, name, "%s rejects the key (%d); check %s", url, r->status, p->ep->key_var);
    else if (r->status == 401 || r->status == 403)
        sayf(d, FAIL, name,
             "%s refused the request (%d), and no key was sent: name the variable that holds it "
             "with `key`",
             url, r->status);
    else if (d->ask && (r->status == 404 || r->status == 405))
        say_absent(p, r);
    else if (d->ask)
        say_asked(p, r);
    else if (r->status == 200)
        say_listed(p, r);
    else
        sayf(d, WARN, name,
             "%s responds with status %d; not every server lists its models: --ask tries a "
             "completion",
             url, r->status);
}

/* It asks for a few tokens: some servers take no fewer, and a reasoning model needs some before its
 * first word. The form is that of the smallest possible verdict. */
static struct str short_question(struct arena *a, const struct probe *p)
{
    static const struct dimension good = {.id = "good", .max = 1, .whole = true};
    static const struct instrument in = {.dimensions = &good, .ndimensions = 1};
    const struct chat_turn turn = {.role = "user", .text = STR("Hello")};
    AUTO(json_freep) json_t *parameters = NULL;
    struct err e = {0};

    if (models_parameters(p->ep, "{\"max_tokens\": null, \"max_completion_tokens\": null}",
                          &parameters, &e) != OK)
        parameters = json_object();
    json_put_int(parameters, "limit", p->formed ? FORM_TOKENS : ASK_TOKENS);
    if (p->formed)
        json_put(parameters, "response_format", reply_form(&in, FORM_NAME));
    return chat_body(a, &(struct chat_request){.model = p->ep->model,
                                               .turns = &turn,
                                               .nturns = 1,
                                               .parameters = parameters,
                                               .dialect = p->dialect,
                                               .avoid = p->avoid});
}

static enum status start_probe(struct probe *p, struct err *e)
{
    struct arena *a = p->doctor->app->arena;
    struct models_headers headers;
    struct http_call *call;

    if (models_headers(a, p->ep, p->key, &headers, e) != OK) {
        say(p->doctor, FAIL, p->ep->name, e->msg);
        *e = (struct err){0};
        return OK;
    }
    p->request = (struct http_request){
        .url = p->doctor->ask ? p->ep->url : dialect_url_models(a, p->dialect, p->ep->url),
        .headers = headers.v,
        .nheaders = headers.n,
        .body = p->doctor->ask ? short_question(a, p) : STR(""),
        .timeout_ms = p->doctor->ask ? p->ep->timeout_ms : PROBE_MS,
        .max_reply = PROBE_BYTES,
    };
    return http_start(p->doctor->http, &p->request, probed, p, &call, e);
}

static struct probe probe_of(struct doctor *d, const struct endpoint *ep)
{
    return (struct probe){.doctor = d,
                          .ep = ep,
                          .written = ep,
                          .tried = 1U << dialect_guess(str_of(ep->url)),
                          .dialect = dialect_guess(str_of(ep->url)),
                          .formed = endpoint_is_asked(ep) && ep->structured != STRUCTURED_OFF &&
                                    !strstr(ep->parameters, "response_format"),
                          .avoid = dialect_avoids(str_of(ep->url))};
}

/* Wait until at most so many probes are in flight. */
static enum status wait_for(const struct doctor *d, int probes, struct err *e)
{
    while (http_in_flight(d->http) > probes)
        if (loop_step(d->loop, PROBE_MS, e) != OK)
            return e->code;
    return OK;
}

/* Wait for the server that was started for a local model, and ask it. */
static enum status ask_local(struct doctor *d, const struct endpoint *ep, struct llama *server,
                             const char *key, struct err *e)
{
    struct endpoint *at = arena_copy(d->app->arena, ep, 1, sizeof *ep);
    struct probe p = probe_of(d, at);
    enum llama_state state;

    p.key = key;
    while ((state = llama_look(server)) != LLAMA_READY && state != LLAMA_FAILED)
        if (loop_step(d->loop, LOCAL_STEP_MS, e) != OK)
            return e->code;
    if (state == LLAMA_FAILED) {
        say(d, FAIL, ep->name, llama_why(server));
        return OK;
    }
    at->url = llama_url(d->app->arena, llama_port(server), ep->url);
    return start_probe(&p, e) == OK ? wait_for(d, 0, e) : e->code;
}

static enum status check_local(struct doctor *d, const struct endpoint *ep, struct err *e)
{
    struct llama_how how = models_server(d->app->arena, ep, LOCAL_WAIT_MS);
    struct llama *server = NULL;
    struct err absent = {0};
    enum status st = OK;

    if (!llama_is_there(ep->server))
        sayf(
            d, FAIL, ep->name,
            "there is no '%s'; install llama.cpp, or name its server with `server:` in models.yaml",
            ep->server);
    else if (!d->ask)
        sayf(d, WELL, ep->name, "%s, served by %s", ep->file, ep->server);
    else if (llama_start(&server, &how, d->http, &absent) != OK)
        say(d, FAIL, ep->name, absent.msg);
    else
        st = ask_local(d, ep, server, how.key, e);
    llama_stop(server);
    return st;
}

static enum status check_endpoint(struct doctor *d, const struct endpoint *ep, struct err *e)
{
    struct probe *p;

    if (ep->kind == ENDPOINT_RECORDED) {
        check_recorded(d, ep);
        return OK;
    }
    if (ep->kind == ENDPOINT_LOCAL)
        return check_local(d, ep, e);
    if (wait_for(d, PROBES - 1, e) != OK)
        return e->code;
    p = NEW(d->app->arena, struct probe);
    *p = probe_of(d, ep);
    return start_probe(p, e);
}

static enum status check_models(struct doctor *d, struct err *e)
{
    struct models m = {0};
    enum status st;

    if (!load_models(d, &m))
        return OK;
    st = loop_new(&d->loop, e);
    if (st == OK)
        st = http_new(&d->http, d->loop, PROBES, e);
    for (size_t i = 0; st == OK && i < m.n; i++)
        st = check_endpoint(d, &m.list[i], e);
    if (st == OK)
        st = wait_for(d, 0, e);
    http_free(d->http);
    loop_free(d->loop);
    return st;
}

static enum status doctor(struct app *app, struct err *e)
{
    const struct doctor_values *v = app->values;
    AUTO(json_freep) json_t *checks = app->common.json ? json_array() : NULL;
    struct doctor d = {.app = app, .ask = v->ask, .deep = v->deep, .checks = checks};

    sayf(&d, WELL, "audition", "%s with %.*s, jansson/%s", VERSION,
         (int)strcspn(http_library(), " "), http_library(), jansson_version_str());
    check_database(&d);
    if (check_models(&d, e) != OK)
        return e->code;
    if (checks)
        fprintf(app->out, "%s\n", json_text(app->arena, checks));
    app->exit = d.failed ? EXIT_FAILED : EXIT_DONE;
    return OK;
}

const struct command cmd_doctor_command = {
    .name = "doctor",
    .need = NO_STORE,
    .summary = "check the database, models.yaml, keys and endpoints",
    /* clang-format off */
    .opts = OPTS(
        {"ask", 0, OPT_FLAG, offsetof(struct doctor_values, ask), NULL,
         "ask every model for one token instead of only checking that it responds (costs a little)", 0, 0},
        {"deep", 0, OPT_FLAG, offsetof(struct doctor_values, deep), NULL,
         "read the whole database and check its integrity", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct doctor_values),
    .run = doctor,
};
