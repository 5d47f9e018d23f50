#include "cmd/mailing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/message.h"
#include "base/output.h"
#include "cmd/term.h"
#include "exchange/batch_file.h"
#include "net/chat.h"
#include "net/http.h"
#include "suite/models.h"

enum {
    FILE_MAX = 1 << 30,
    NOTE_MAX = 64 << 10,
    ANSWER_MAX = 1 << 20,
    PAGES_MOST = 1000,   /* of a list of batches */
    TIMEOUT_MS = 600000, /* a file of 100 MB over a slow line */
    WORD_POINTS = 40,    /* code points of a batch's state */
    WHY_POINTS = 200,    /* ... and of the reason for refusing it */
};

/* One file of requests, and what became of it. */
struct letter {
    struct app *app;
    json_t *files; /* see mailing.h */
    const struct endpoint *to;
    struct models_headers headers;
    const char *base;                    /* "https://api.example.com/v1" */
    const char *requests, *note, *found; /* paths */
    const char *file, *batch;            /* ids; "": not yet */
};

/* ---- the note beside it ---- */

static enum status note_read(struct letter *l, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct arena *a = l->app->arena;
    struct str text;

    l->file = l->batch = "";
    if (!file_exists(l->note))
        return OK;
    if (file_read(a, l->note, NOTE_MAX, &text, e) != OK || json_read(text, &j, e) != OK)
        return err_wrap(e, "%s", l->note);
    l->file = arena_text(a, json_str_at(j, "file", STR("")));
    l->batch = arena_text(a, json_str_at(j, "batch", STR("")));
    return OK;
}

static enum status note_write(const struct letter *l, struct err *e)
{
    AUTO(json_freep) json_t *j = json_object();
    struct output o;

    json_put_text(j, "file", l->file);
    json_put_text(j, "batch", l->batch);
    if (output_open_private(&o, l->note, e) != OK)
        return e->code;
    fputs(json_text(l->app->arena, j), o.to);
    return output_close(&o, true, e);
}

/* ---- asking the endpoint ---- */

/* GET if `body` is empty, else POST. `path` follows the base. */
static enum status ask(const struct letter *l, const char *path, const char *type, struct str body,
                       struct str *out, struct err *e)
{
    struct arena *a = l->app->arena;
    const struct http_request req = {
        .url = arena_printf(a, "%s%s", l->base, path),
        .headers = l->headers.v,
        .nheaders = l->headers.n,
        .body = body,
        .type = type,
        .timeout_ms = TIMEOUT_MS,
        .stall_ms = l->to->stall_ms,
        .max_reply = FILE_MAX,
    };
    struct http_reply reply;

    if (http_ask(a, &req, &reply, e) != OK)
        return err_wrap(e, "%s", l->to->name);
    if (reply.end != HTTP_DONE)
        return err_set(e, E_NET, "%s: %s", l->to->name, reply.why);
    if (reply.status == 404 && !*l->batch)
        return err_set(e, E_NET,
                       "%s takes no batch files: there is no %s (status 404); have the files "
                       "answered elsewhere, then: audition batch import RUN FILE...",
                       l->to->name, req.url);
    if (reply.status < 200 || reply.status > 299) {
        struct chat_reply said;
        chat_read(a, &reply, &said);
        return err_set(e, E_NET, "%s: %s: %s", l->to->name, path,
                       models_without_key(a, l->headers.key, said.why));
    }
    *out = reply.body;
    return OK;
}

static enum status ask_json(const struct letter *l, const char *path, const char *type,
                            struct str body, json_t **out, struct err *e)
{
    struct str text = {0};

    if (ask(l, path, type, body, &text, e) != OK)
        return e->code;
    if (text.n > ANSWER_MAX || json_read(text, out, e) != OK)
        return err_set(e, E_INPUT, "%s: %s did not answer with JSON", l->to->name, path);
    return OK;
}

/* Ids go into paths and files: anything that could mean more is refused. */
static enum status id_at(const struct letter *l, const json_t *j, const char *key, const char **out,
                         struct err *e)
{
    struct str id = json_str_at(j, key, STR(""));

    if (!str_made_of(id, "-_.") || id.n > 200 || id.p[0] == '.')
        return err_set(e, E_INPUT, "%s: the server's answer has no %s", l->to->name, key);
    *out = arena_text(l->app->arena, id);
    return OK;
}

/* With --json, add what became of it. False: without. `reply`: of the server, or NULL. */
static bool told(const struct letter *l, const char *state, const json_t *reply, const char *why)
{
    static const char *const counts[][2] = {
        {"done", "completed"}, {"total", "total"}, {"failed", "failed"}};
    const json_t *has = json_object_get(reply, "request_counts");
    json_t *o;

    if (!l->app->common.json)
        return false;
    o = json_add_object(l->files);
    json_put(o, "file", term_text(l->app, l->requests));
    json_put_text(o, "batch", *l->batch ? l->batch : NULL);
    json_put_text(o, "state", state);
    for (size_t i = 0; i < COUNT(counts); i++)
        json_put(o, counts[i][0],
                 has ? json_integer(json_int_at(has, counts[i][1], 0)) : json_null());
    json_put_text(o, "why", why);
    return true;
}

/* ---- submitting ---- */

#define BOUNDARY "audition-batch-5b1e7c9d20f84a36"

static enum status upload(struct letter *l, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    AUTO(buf_done) struct buf b = BUF_MAX(FILE_MAX);
    struct str text;

    if (file_read(l->app->arena, l->requests, FILE_MAX - NOTE_MAX, &text, e) != OK)
        return e->code;
    buf_text(&b,
             "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n"
             "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"file\"; "
             "filename=\"requests.jsonl\"\r\nContent-Type: application/jsonl\r\n\r\n");
    buf_add(&b, text);
    buf_text(&b, "\r\n--" BOUNDARY "--\r\n");
    if (ask_json(l, "/files", "Content-Type: multipart/form-data; boundary=" BOUNDARY, buf_str(&b),
                 &j, e) != OK ||
        id_at(l, j, "id", &l->file, e) != OK)
        return e->code;
    return note_write(l, e);
}

/* A batch of this very file, submitted by a process that was killed before it could note that. */
static enum status find_batch(struct letter *l, struct err *e)
{
    const char *after = "", *last = "";
    bool more = true;

    for (int page = 0; more && page < PAGES_MOST; page++) {
        AUTO(json_freep) json_t *j = NULL;
        json_t *one;
        size_t i;
        if (ask_json(l, arena_printf(l->app->arena, "/batches?limit=100%s", after), NULL, STR(""),
                     &j, e) != OK)
            return e->code;
        json_array_foreach(json_object_get(j, "data"), i, one)
        {
            if (id_at(l, one, "id", &last, e) != OK)
                return e->code;
            if (str_is(json_str_at(one, "input_file_id", STR("")), l->file)) {
                l->batch = last;
                return OK;
            }
        }
        more = json_is_true(json_object_get(j, "has_more")) && *last;
        after = arena_printf(l->app->arena, "&after=%s", last);
    }
    return OK;
}

static enum status create(struct letter *l, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL, *body = json_object();

    json_put_text(body, "input_file_id", l->file);
    json_put_str(body, "endpoint", batch_url_path(l->to->url));
    json_put_text(body, "completion_window", "24h");
    if (ask_json(l, "/batches", NULL, str_of(json_text(l->app->arena, body)), &j, e) != OK)
        return e->code;
    return id_at(l, j, "id", &l->batch, e);
}

static enum status submit_one(struct letter *l, struct err *e)
{
    bool known = *l->file;

    if (*l->batch || file_exists(l->found))
        return OK;
    if (!known && upload(l, e) != OK)
        return e->code;
    if ((known && find_batch(l, e) != OK) || (!*l->batch && create(l, e) != OK) ||
        note_write(l, e) != OK)
        return e->code;
    if (!told(l, "submitted", NULL, NULL))
        fprintf(l->app->out, _("%s: submitted as %s\n"), l->requests, l->batch);
    return OK;
}

/* ---- fetching ---- */

static enum status fetch_into(const struct letter *l, const json_t *j, const char *key,
                              struct output *o, struct err *e)
{
    const char *id = NULL;
    struct str text = {0};

    if (!json_is_string(json_object_get(j, key)))
        return OK;
    if (id_at(l, j, key, &id, e) != OK ||
        ask(l, arena_printf(l->app->arena, "/files/%s/content", id), NULL, STR(""), &text, e) != OK)
        return e->code;
    (void)fwrite(text.p, 1, text.n, o->to);
    if (text.n && text.p[text.n - 1] != '\n')
        (void)fputc('\n', o->to);
    return OK;
}

static enum status fetch(const struct letter *l, const json_t *j, struct err *e)
{
    struct output o;
    bool whole;

    if (output_open_private(&o, l->found, e) != OK)
        return e->code;
    whole = fetch_into(l, j, "output_file_id", &o, e) == OK &&
            fetch_into(l, j, "error_file_id", &o, e) == OK;
    return output_close(&o, whole, e) == OK && whole ? OK : e->code;
}

/* None of its requests was looked at, and there is no file that says why. */
static bool is_refused(const json_t *j, const char *state)
{
    return strcmp(state, "failed") == 0 && !json_is_string(json_object_get(j, "output_file_id")) &&
           !json_is_string(json_object_get(j, "error_file_id"));
}

/* Why it refused: the first of its reasons. */
static const char *refusal(struct arena *a, const json_t *j)
{
    const json_t *first = json_array_get(json_object_get(json_object_get(j, "errors"), "data"), 0);

    return chat_line(a, json_str_at(first, "message", STR("?")), WHY_POINTS);
}

static enum status poll_one(struct letter *l, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    const json_t *counts;
    struct arena *a = l->app->arena;
    const char *state, *why;

    if (file_exists(l->found))
        return OK;
    if (!*l->batch) {
        if (!told(l, "not submitted", NULL, NULL))
            fprintf(l->app->out, _("%s: not submitted yet\n"), l->requests);
        return OK;
    }
    if (ask_json(l, arena_printf(a, "/batches/%s", l->batch), NULL, STR(""), &j, e) != OK)
        return e->code;
    counts = json_object_get(j, "request_counts");
    state = chat_line(a, json_str_at(j, "status", STR("?")), WORD_POINTS);
    why = is_refused(j, state) ? refusal(a, j) : NULL;
    if (!told(l, state, j, why)) {
        fprintf(l->app->out, _("%s: %s, %lld of %lld done, %lld failed\n"), l->requests, state,
                (long long)json_int_at(counts, "completed", 0),
                (long long)json_int_at(counts, "total", 0),
                (long long)json_int_at(counts, "failed", 0));
        if (why)
            fprintf(l->app->out, _("%s: refused: %s; to submit it again, delete %s\n"), l->requests,
                    why, l->note);
    }
    if (why)
        return OK;
    if (strcmp(state, "completed") == 0 || strcmp(state, "expired") == 0 ||
        strcmp(state, "cancelled") == 0 || strcmp(state, "failed") == 0)
        return fetch(l, j, e);
    return OK;
}

/* ---- every file of a folder ---- */

typedef enum status letter_fn(struct letter *l, struct err *e);

struct round {
    struct app *app;
    const char *dir;
    json_t *files;
    letter_fn *fn;
    struct mailing_folder has;
    size_t letters, cap;
};

/* "https://host/v1" of "https://host/v1/chat/completions" */
static const char *base_of(struct arena *a, const char *url)
{
    static const char *const ends[] = {"/chat/completions", "/completions", "/responses"};
    struct str s = str_of(url);

    for (size_t i = 0; i < COUNT(ends); i++)
        if (str_ends(s, str_of(ends[i])))
            return arena_text(a, (struct str){s.p, s.n - strlen(ends[i])});
    return url;
}

static void take_stock(struct round *r, const struct letter *l)
{
    struct mailing_folder *has = &r->has;

    if (file_exists(l->found)) {
        has->found =
            arena_grow(r->app->arena, has->found, &r->cap, has->nfound + 1, sizeof *has->found);
        has->found[has->nfound++] = l->found;
    } else if (*l->batch) {
        has->waiting++;
    } else {
        has->unsent++;
    }
}

static enum status each_file(struct round *r, const struct endpoint *to, struct err *e)
{
    struct arena *a = r->app->arena;

    for (int64_t number = 1;; number++) {
        struct letter l = {.app = r->app, .files = r->files, .to = to, .base = base_of(a, to->url)};
        l.requests = batch_path(a, r->dir, to->name, number, "jsonl");
        l.note = batch_path(a, r->dir, to->name, number, "batch.json");
        l.found = batch_path(a, r->dir, to->name, number, "results.jsonl");
        if (!file_exists(l.requests))
            return OK;
        r->letters++;
        if (models_headers(a, to, NULL, &l.headers, e) != OK || note_read(&l, e) != OK ||
            r->fn(&l, e) != OK)
            return e->code;
        take_stock(r, &l);
    }
}

static enum status each_party(struct round *r, const struct run_row *run, enum party_kind kind,
                              struct err *e)
{
    struct party_list l;

    if (store_party_list(r->app->arena, r->app->store, kind, run->id, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        struct endpoint to;
        if (models_thaw(r->app->arena, l.v[i].config, &to, e) != OK ||
            (to.kind == ENDPOINT_CHAT && each_file(r, &to, e) != OK))
            return e->code;
    }
    return OK;
}

static enum status each(struct round *r, const struct run_row *run, struct err *e)
{
    if (each_party(r, run, PARTY_MODEL, e) != OK || each_party(r, run, PARTY_JUDGE, e) != OK ||
        each_party(r, run, PARTY_EXAMINER, e) != OK)
        return e->code;
    if (r->letters == 0)
        return err_set(e, E_USAGE,
                       "%s contains no requests of run %s; write them with: audition batch export",
                       r->dir, run->name);
    return OK;
}

/* Two processes submitting the same files would have everything answered, and paid for, twice. */
static enum status claim(const char *dir, int *fd, struct err *e)
{
    *fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0)
        return OK; /* each() will report that it holds no requests */
    if (flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return err_set(e, E_USAGE, "%s: another process is submitting its files", dir);
    return OK;
}

enum status mailing_submit(struct app *app, const struct run_row *run, const char *dir,
                           json_t *files, struct err *e)
{
    struct round r = {.app = app, .dir = dir, .files = files, .fn = submit_one};
    int fd;
    enum status st = claim(dir, &fd, e);

    if (st == OK)
        st = each(&r, run, e);
    if (fd >= 0)
        (void)close(fd); /* and with it the lock */
    return st;
}

enum status mailing_poll(struct app *app, const struct run_row *run, const char *dir, json_t *files,
                         struct mailing_folder *out, struct err *e)
{
    struct round r = {.app = app, .dir = dir, .files = files, .fn = poll_one};
    enum status st = each(&r, run, e);

    *out = r.has;
    return st;
}
