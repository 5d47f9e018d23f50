#include "exchange/batch_file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/output.h"

enum { RESULT_MAX = 16 << 20 };

/* ---- requests ---- */

/* The files of one endpoint, of which the last one is open. */
struct part {
    struct output o;
    bool open;
    int64_t number, requests, bytes;
};

struct batch_out {
    struct arena *arena;
    const char *dir;
    struct batch_limits limits;
    struct map parts; /* endpoint -> struct part */
    struct map seen;  /* keys */
    struct part **v;  /* all parts */
    size_t n, cap;
    struct batch_written written;
    struct err e; /* the first that went wrong */
};

enum status batch_out_open(struct batch_out **out, const char *dir, struct batch_limits limits,
                           struct err *e)
{
    struct batch_out *b;

    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return err_set(e, E_SYSTEM, "cannot create folder %s: %s", dir, strerror(errno));
    b = mem_new(sizeof *b);
    b->arena = arena_new();
    b->dir = arena_text(b->arena, str_of(dir));
    b->limits = limits;
    map_init(&b->parts, b->arena);
    map_init(&b->seen, b->arena);
    *out = b;
    return OK;
}

/* An endpoint's name as a file name; different names give different file names. */
static const char *plain_name(struct arena *a, const char *name)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX);

    for (const char *p = name; *p; p++) {
        bool odd = (unsigned char)*p <= ' ' || strchr("/\\%", *p) || (p == name && *p == '.');
        if (odd)
            buf_fmt(&b, "%%%02X", (unsigned)*p);
        else
            buf_char(&b, *p);
    }
    return arena_text(a, buf_str(&b));
}

const char *batch_path(struct arena *a, const char *dir, const char *endpoint, int64_t number,
                       const char *end)
{
    return arena_printf(a, "%s/%s-%04lld.%s", dir, plain_name(a, endpoint), (long long)number, end);
}

static enum status next_file(struct batch_out *b, struct part *p, const char *endpoint,
                             struct err *e)
{
    const char *path = batch_path(b->arena, b->dir, endpoint, p->number + 1, "jsonl");

    if (p->open && output_close(&p->o, true, e) != OK)
        return e->code;
    p->open = false;
    if (file_exists(path))
        return err_set(e, E_USAGE, "%s already exists: choose a new folder", path);
    if (output_open_private(&p->o, path, e) != OK)
        return e->code;
    p->open = true;
    p->number++;
    p->requests = p->bytes = 0;
    b->written.files++;
    return OK;
}

static struct part *part_of(struct batch_out *b, const char *endpoint)
{
    struct part *p = map_get(&b->parts, str_of(endpoint));

    if (p)
        return p;
    p = NEW(b->arena, struct part);
    (void)map_put(&b->parts, str_of(endpoint), p);
    b->v = arena_grow(b->arena, b->v, &b->cap, b->n + 1, sizeof(struct part *));
    b->v[b->n++] = p;
    return p;
}

struct str batch_url_path(const char *url)
{
    const char *host = strstr(url, "://"), *path = strchr(host ? host + 3 : url, '/');

    return str_of(path ? path : "/");
}

void batch_out_add(struct batch_out *b, const char *endpoint, const char *url, const char *key,
                   struct str body)
{
    struct part *p = part_of(b, endpoint);
    AUTO(buf_done) struct buf line = BUF_MAX(SIZE_MAX);
    struct str text;

    if (b->e.code != OK || map_put(&b->seen, str_of(key), p))
        return;
    buf_fmt(&line, "{\"custom_id\":\"%s\",\"method\":\"POST\",\"url\":", key);
    json_quote(&line, batch_url_path(url));
    buf_text(&line, ",\"body\":");
    buf_add(&line, body);
    buf_text(&line, "}\n");
    text = buf_str(&line);
    if (!p->open || p->requests >= b->limits.requests ||
        p->bytes + (int64_t)text.n > b->limits.bytes)
        (void)next_file(b, p, endpoint, &b->e);
    if (b->e.code == OK && fwrite(text.p, 1, text.n, p->o.to) != text.n)
        (void)err_set(&b->e, E_SYSTEM, "%s: %s", p->o.target, strerror(errno));
    p->requests++;
    p->bytes += (int64_t)text.n;
    b->written.requests++;
}

enum status batch_out_close(struct batch_out *b, bool keep, struct batch_written *out,
                            struct err *e)
{
    for (size_t i = 0; i < b->n; i++) {
        struct err closing = {0};
        if (b->v[i]->open && output_close(&b->v[i]->o, keep && b->e.code == OK, &closing) != OK &&
            b->e.code == OK)
            b->e = closing;
    }
    *out = b->written;
    if (b->e.code != OK)
        *e = b->e;
    arena_free(b->arena);
    free(b);
    return e->code;
}

/* ---- results ---- */

struct spot {
    FILE *in;
    const char *path;
    long at;
    size_t n;
    bool good;
};

struct batch_in {
    struct arena *arena;
    struct map places; /* key -> struct spot */
    FILE **files;
    size_t nfiles;
    int64_t results;
};

/* The status that a line carries; 0: none came. */
static int status_of(const json_t *line)
{
    const json_t *response = json_object_get(line, "response");

    return (int)json_int_at(response, "status_code", json_object_get(response, "body") ? 200 : 0);
}

static enum status index_line(struct batch_in *b, struct str line, struct spot where, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct spot *p, *was;
    struct str key;
    bool mended;

    if (json_read_mended(line, &j, &mended, e) != OK)
        return e->code;
    key = json_str_at(j, "custom_id", STR(""));
    if (!key.n || !(json_object_get(j, "response") || json_object_get(j, "error")))
        return err_set(e, E_INPUT, "expected a result, {\"custom_id\": ..., \"response\": {...}}%s",
                       json_object_get(j, "body") ? "; this is a request" : "");
    where.good = status_of(j) == 200;
    was = map_get(&b->places, key);
    if (was && (was->good || !where.good))
        return OK;
    b->results += !was;
    p = NEW(b->arena, struct spot);
    *p = where;
    (void)map_put(&b->places, key, p);
    return OK;
}

static enum status index_file(struct batch_in *b, const char *path, struct err *e)
{
    FILE *in = fopen(path, "rbe");
    AUTO(lines_close) struct lines l = {0};
    struct str line;
    bool more = true;

    if (!in)
        return err_set(e, E_SYSTEM, "%s: %s", path, strerror(errno));
    b->files[b->nfiles++] = in;
    if (lines_open(&l, path, RESULT_MAX, e) != OK)
        return e->code;
    while (lines_next(&l, &line, &more, e) == OK && more) {
        const struct spot where = {in, path, (long)l.begin, (size_t)(l.end - l.begin), false};
        if (str_trim(line).n && index_line(b, line, where, e) != OK)
            return err_wrap(e, "%s:%lld", path, (long long)l.number);
    }
    return e->code;
}

enum status batch_in_open(struct batch_in **out, const char *const *paths, size_t n, struct err *e)
{
    struct batch_in *b = mem_new(sizeof *b);

    b->arena = arena_new();
    b->files = NEW_N(b->arena, FILE *, n);
    map_init(&b->places, b->arena);
    for (size_t i = 0; i < n; i++)
        if (index_file(b, paths[i], e) != OK) {
            batch_in_close(b);
            return e->code;
        }
    *out = b;
    return OK;
}

void batch_in_close(struct batch_in *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->nfiles; i++)
        (void)fclose(b->files[i]);
    arena_free(b->arena);
    free(b);
}

int64_t batch_in_results(const struct batch_in *b)
{
    return b->results;
}

/* "error": {"message": ...}, here or in the body of the reply. */
static const char *complaint(struct arena *a, const json_t *line)
{
    const json_t *own = json_object_get(line, "error"),
                 *body = json_object_get(json_object_get(line, "response"), "body");
    struct str why = json_str_at(own, "message", json_str_at(own, "code", STR("")));

    if (!why.n)
        why = json_str_at(json_object_get(body, "error"), "message", STR("no reply"));
    return arena_text(a, why);
}

enum status batch_in_find(struct arena *a, struct batch_in *b, const char *key,
                          struct batch_result *out, bool *found, struct err *e)
{
    const struct spot *p = map_get(&b->places, str_of(key));
    AUTO(json_freep) json_t *j = NULL;
    struct str text;
    char *line;
    bool mended;

    *found = p != NULL;
    if (!p)
        return OK;
    line = arena_alloc(a, p->n + 1);
    if (fseek(p->in, p->at, SEEK_SET) != 0 || fread(line, 1, p->n, p->in) != p->n)
        return err_set(e, E_SYSTEM, "%s: changed while it was in use", p->path);
    text = str_unmarked(str_trim((struct str){line, p->n})); /* as lines_next() gave it */
    if (json_read_mended(text, &j, &mended, e) != OK)
        return err_wrap(e, "%s", p->path);
    *out = (struct batch_result){.status = status_of(j)};
    if (p->good)
        out->body = str_of(json_text(a, json_object_get(json_object_get(j, "response"), "body")));
    else
        out->why = complaint(a, j);
    return OK;
}
