#include "suite/models_read.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/message.h"
#include "suite/field.h"
#include "text/objective.h"

enum {
    FILE_MAX = 4 << 20,
    NAME_MAX_BYTES = 200,
    SECRETS_MAX = 64,
    SECRET_MIN = 8, /* minimum length of a value treated as a secret because of its name */
};

struct reading {
    struct arena *a;
    struct diags *d;
    const char *path;
    struct str secrets[SECRETS_MAX]; /* values that must not be shown in errors */
    size_t nsecrets;
};

static const char *set_in(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value ? value : NULL;
}

static const char *default_base_url(void)
{
    const char *url = set_in("OPENAI_BASE_URL");

    if (!url)
        url = set_in("OPENAI_API_BASE");
    return url ? url : "https://api.openai.com/v1";
}

/* Uses `dialect` if given, else guesses it from the URL. The final URL always reveals it. */
static void set_url(struct arena *a, const char *base_url, const struct node *dialect,
                    struct place at, struct endpoint *ep, struct diags *d)
{
    const char *names[DIALECTS], *why = "", *url;
    enum dialect as = dialect_guess(str_of(base_url));

    for (size_t i = 0; i < DIALECTS; i++)
        names[i] = dialect_name((enum dialect)i);
    as = (enum dialect)node_choice(dialect, names, DIALECTS, (int)as, d);
    url = dialect_url(a, as, base_url, ep->model, &why);
    ep->base_url = arena_text(a, str_of(base_url));
    if (url)
        ep->url = url;
    else
        diags_error(d, at, "the base URL cannot be used: %s", why);
}

/* ---- secrets ---- */

static void hide(struct reading *r, struct str secret)
{
    if (r->nsecrets < SECRETS_MAX && secret.n > 0)
        r->secrets[r->nsecrets++] = arena_str(r->a, secret);
}

/* Masks all known secrets, and anything that looks like a common API key, in the text that is shown
 * with errors: the file may be too broken to parse. */
static void blot(const struct reading *r, char *text, size_t n)
{
    for (size_t i = 0; i < r->nsecrets; i++) {
        struct str secret = r->secrets[i];
        for (size_t at = 0; at + secret.n <= n; at++)
            if (memcmp(text + at, secret.p, secret.n) == 0)
                memset(text + at, '*', secret.n);
    }
    for (size_t at = 0; at + 3 < n; at++) {
        size_t end = at + 3;
        if (memcmp(text + at, "sk-", 3) != 0)
            continue;
        while (end < n && (str_alnum(text[end]) || text[end] == '-' || text[end] == '_'))
            end++;
        if (end - at >= 20)
            memset(text + at, '*', end - at);
    }
}

static bool is_variable(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] >= 'A' && s.p[i] <= 'Z') || s.p[i] == '_' ||
              (i > 0 && s.p[i] >= '0' && s.p[i] <= '9')))
            return false;
    return s.n > 0 && s.n <= 40;
}

/* `api_key: ...` is an unknown key to us, but its value must not be shown either. */
static void hide_by_name(struct reading *r, const struct node *n)
{
    static const char *const words[] = {"key", "token", "secret", "password"};

    for (const struct node *m = n->kind == NODE_MAP ? n->first : NULL; m; m = m->next) {
        const char *name = arena_text(r->a, m->key->text);
        for (size_t i = 0; i < COUNT(words); i++)
            if (m->kind == NODE_SCALAR && m->text.n >= SECRET_MIN && strcasestr(name, words[i]) &&
                !is_variable(m->text))
                hide(r, m->text);
    }
}

static void read_key(struct reading *r, const struct node *n, struct endpoint *ep)
{
    struct str name = node_text(n, STR(""), r->d);

    if (!n || n->kind != NODE_SCALAR)
        return;
    if (str_is(name, "none")) {
        ep->key_var = "";
    } else if (is_variable(name)) {
        ep->key_var = arena_text(r->a, name);
        ep->key_named = true;
    } else {
        hide(r, name);
        diags_error(
            r->d, n->at,
            "this looks like the key itself: put it into .env as NAME=... and write the NAME here");
    }
}

/* ---- members ---- */

/* Headers that carry keys: the content of this file ends up in the store and in reports. */
static bool is_secret_header(struct str name)
{
    static const char *const names[] = {"authorization",
                                        "proxy-authorization",
                                        "api-key",
                                        "x-api-key",
                                        "x-goog-api-key",
                                        "cookie",
                                        NULL};

    return str_any(name, str_eq_nocase, names);
}

static const char *read_header(struct reading *r, const struct node *m)
{
    const char *name = arena_text(r->a, m->key->text);
    struct str value = node_text(m, STR(""), r->d);

    if (is_secret_header(m->key->text)) {
        hide(r, value);
        diags_error(r->d, m->key->at,
                    "'%s' carries a key: write 'key: NAME' instead, with the environment variable "
                    "that holds it",
                    name);
        return NULL;
    }
    if (!str_made_of(m->key->text, "!#$%&'*+-.^_`|~")) {
        diags_error(r->d, m->key->at, "this is not the name of an HTTP header");
        return NULL;
    }
    for (size_t i = 0; i < value.n; i++) {
        if ((unsigned char)value.p[i] < ' ' || value.p[i] == 0x7F) {
            diags_error(r->d, m->at, "a header must be one line without control characters");
            return NULL;
        }
    }
    return arena_printf(r->a, "%s: %.*s", name, STR_ARG(value));
}

static void read_headers(struct reading *r, const struct node *n, struct endpoint *ep)
{
    struct str *list;

    if (!n)
        return;
    if (n->kind != NODE_MAP || n->n > HEADERS_MAX) {
        diags_error(r->d, n->at, "expected a map of at most %d headers", HEADERS_MAX);
        return;
    }
    list = NEW_N(r->a, struct str, n->n);
    for (const struct node *m = n->first; m; m = m->next) {
        list[ep->nheaders] = str_of(read_header(r, m));
        ep->nheaders += list[ep->nheaders].n > 0;
    }
    ep->headers = list;
}

/* Stored in one form; net/dialect.c translates it for each server. */
static void read_reasoning(struct reading *r, const struct node *n, json_t *out)
{
    const struct node *limit = field_get(n, "limit"), *effort = field_get(n, "effort"),
                      *thinking = field_get(n, "thinking");

    if (limit)
        json_put_int(out, "limit", shape_int(&models_endpoint_shape, "limit", limit, 1, r->d));
    if (effort)
        json_put_text(out, "effort",
                      models_efforts[node_choice(effort, models_efforts, MODELS_EFFORTS, 0, r->d)]);
    if (thinking)
        json_put_int(out, "thinking_budget",
                     shape_int(&models_endpoint_shape, "thinking", thinking, 0, r->d));
}

/* Parameters that a dialect does not support are not sent: warn about that. */
static void check_known(struct reading *r, const struct node *m, const char *name, enum dialect d)
{
    if (m && !node_is_null(m) && !dialect_knows(d, name))
        diags_warn(r->d, m->key->at, "'%.*s' is not sent: the dialect %s has no word for it",
                   STR_ARG(m->key->text), dialect_name(d));
}

static void check_parameters(struct reading *r, const struct node *n, enum dialect d)
{
    static const char *const keys[] = {"parameters", "body"};

    check_known(r, field_get(n, "effort"), "effort", d);
    check_known(r, field_get(n, "thinking"), "thinking_budget", d);
    for (size_t i = 0; i < COUNT(keys); i++) {
        const struct node *map = field_get(n, keys[i]);
        for (const struct node *m = map && map->kind == NODE_MAP ? map->first : NULL; m;
             m = m->next)
            check_known(r, m, arena_text(r->a, m->key->text), d);
    }
}

/* Merges `parameters` and `body`; body takes precedence. */
static const char *read_parameters(struct reading *r, const struct node *n)
{
    AUTO(json_freep) json_t *both = json_object();
    static const char *const keys[] = {"parameters", "body"};

    for (size_t i = 0; i < COUNT(keys); i++) {
        const char *text = field_parameters(r->a, field_get(n, keys[i]), r->d);
        AUTO(json_freep) json_t *j = json_loads(text, 0, NULL);
        (void)json_object_update(both, j);
    }
    read_reasoning(r, n, both);
    return json_text(r->a, both);
}

/* ---- endpoints ---- */

/* Reads the template that replaces the suite's. Whether items fill the names it uses is checked by
 * item_reader_model(). */
static void read_template(struct reading *r, const struct node *n, struct endpoint *ep)
{
    if (!n || !suite_template_at(r->a, n, r->path, &ep->template, r->d))
        return;
    if (str_trim(ep->template.user).n == 0)
        diags_error(r->d, n->at, "the template is empty");
    ep->template_at = n->at;
    suite_check_hidden(&ep->template, n->at, r->d);
}

static void read_chat(struct reading *r, const struct node *n, struct endpoint *ep)
{
    const struct node *base = field_get(n, "base_url"), *model = field_get(n, "model");
    struct str url = node_text(base, str_of(default_base_url()), r->d);
    enum dialect as;

    set_url(r->a, arena_text(r->a, url), field_get(n, "dialect"), base ? base->at : n->at, ep,
            r->d);
    as = dialect_guess(str_of(ep->url));
    if (model && model->kind == NODE_SCALAR && ep->model[0] == '\0')
        diags_error(r->d, model->at, "'model' is empty; leave it out if the id is the name");
    ep->key_var = dialect_key_variable(as);
    check_parameters(r, n, as);
    read_key(r, field_get(n, "key"), ep);
    read_headers(r, field_get(n, "headers"), ep);
    ep->parameters = read_parameters(r, n);
    read_template(r, field_get(n, "template"), ep);
}

static void read_recorded(struct reading *r, const struct node *n, struct endpoint *ep)
{
    const struct node *file = field_get(n, "file");
    const char *path;

    ep->model = ep->key_var = "";
    if (!file) {
        diags_error(r->d, n->at, "a recorded model needs a 'file' of replies (JSONL)");
        return;
    }
    path = field_any_file(r->a, file, r->path, "file of replies", r->d);
    if (path)
        ep->file = path;
}

static void read_local(struct reading *r, const struct node *n, struct endpoint *ep)
{
    const struct node *file = field_get(n, "file"), *limits = field_get(n, "limits");
    const char *path;

    if (!field_get(limits, "concurrency"))
        ep->limits.concurrency = MODELS_LOCAL_AT_ONCE;
    ep->parameters = read_parameters(r, n);
    read_template(r, field_get(n, "template"), ep);
    if (!file) {
        diags_error(r->d, n->at, "a local model needs a 'file' (GGUF)");
        return;
    }
    path = field_any_file(r->a, file, r->path, "GGUF file", r->d);
    if (!path)
        return;
    if (strchr(ep->server, '/'))
        ep->server = file_beside(r->a, r->path, ep->server);
    models_local_fill(r->a, path, file->at, ep, r->d);
    set_url(r->a, MODELS_LOCAL_URL, field_get(n, "dialect"), n->at, ep, r->d);
}

/* Model ids serve as names, so more is allowed than in an id: "Qwen/Qwen2.5-7B:q4". */
static const char *read_name(struct reading *r, const struct node *n)
{
    const struct node *name = n->key ? n->key : field_get(n, "name");
    struct str text = node_text(name, STR(""), r->d);

    if (!name)
        diags_error(r->d, n->at, "the model has no 'name'");
    else if (n->key && field_get(n, "name"))
        diags_error(r->d, field_get(n, "name")->key->at, "the model already has a name");
    if (name && name->kind == NODE_SCALAR && !str_is_word(text, NAME_MAX_BYTES)) {
        diags_error(r->d, name->at, "a name has at most %d bytes and no white space",
                    NAME_MAX_BYTES);
        return "";
    }
    return arena_text(r->a, text);
}

static bool read_shape(const struct reading *r, const struct shape *s, const struct node *n,
                       void *out)
{
    const struct shape_reading reading = {.a = r->a, .d = r->d, .language = "en"};

    return shape_read(&reading, s, n, out);
}

static void read_endpoint(struct reading *r, const struct node *n, struct endpoint *ep)
{
    hide_by_name(r, n);
    *ep = models_blank(n->kind == NODE_MAP ? read_name(r, n) : "");
    if (!read_shape(r, &models_endpoint_shape, n, ep))
        return;
    if (ep->kind == ENDPOINT_RECORDED)
        read_recorded(r, n, ep);
    else if (ep->kind == ENDPOINT_LOCAL)
        read_local(r, n, ep);
    else
        read_chat(r, n, ep);
}

static void set_class_url(struct reading *r, const struct node *n, struct class_endpoint *c)
{
    const struct node *base = field_get(n, "base_url");
    struct str text = node_text(base, str_of(default_base_url()), r->d);
    const char *why = "";

    c->at.base_url = arena_text(r->a, text);
    c->at.url = classify_url(r->a, c->dialect, c->at.base_url, &why);
    if (!c->at.url) {
        diags_error(r->d, base ? base->at : n->at, "the base URL cannot be used: %s", why);
        c->at.url = "";
    }
}

static void read_classifier(struct reading *r, const struct node *n, struct class_endpoint *c)
{
    hide_by_name(r, n);
    *c = (struct class_endpoint){.at = models_blank(n->kind == NODE_MAP ? read_name(r, n) : ""),
                                 .label = ""};
    c->at.model = "";
    if (!read_shape(r, &models_classifier_shape, n, c))
        return;
    set_class_url(r, n, c);
    read_key(r, field_get(n, "key"), &c->at);
    read_headers(r, field_get(n, "headers"), &c->at);
}

static void read_classifiers(struct reading *r, const struct node *list, struct models *out)
{
    if (list->kind == NODE_SCALAR || list->n > MODELS_MAX) {
        diags_error(r->d, list->at, "expected a list of at most %d classifiers", MODELS_MAX);
        return;
    }
    out->classifiers = NEW_N(r->a, struct class_endpoint, list->n);
    for (const struct node *m = list->first; m; m = m->next) {
        struct class_endpoint *c = &out->classifiers[out->nclassifiers];
        read_classifier(r, m, c);
        if (c->at.name[0] && models_classifier(out, c->at.name))
            diags_error(r->d, m->at, "two classifiers share the name '%s'", c->at.name);
        out->nclassifiers++;
    }
}

static void read_models(struct reading *r, const struct node *root, struct models *out)
{
    const struct node *list = field_get(root, "models");

    if (!read_shape(r, &models_shape, root, out))
        return;
    if (field_get(root, "classifiers"))
        read_classifiers(r, field_get(root, "classifiers"), out);
    if (!list && out->nclassifiers)
        return;
    if (!list || list->kind == NODE_SCALAR || list->n == 0 || list->n > MODELS_MAX) {
        diags_error(r->d, list ? list->at : root->at,
                    "expected 'models:' with a list of 1 to %d models", MODELS_MAX);
        return;
    }
    out->list = NEW_N(r->a, struct endpoint, list->n);
    for (const struct node *m = list->first; m; m = m->next) {
        struct endpoint *ep = &out->list[out->n];
        read_endpoint(r, m, ep);
        if (ep->name[0] && models_find(out, ep->name))
            diags_error(r->d, m->at, "two models share the name '%s'", ep->name);
        out->n++;
    }
}

void models_load(struct arena *a, const char *path, struct models *out, struct diags *d)
{
    struct reading r = {.a = a, .d = d, .path = arena_text(a, str_of(path))};
    struct source *source = NEW(a, struct source);
    const struct node *root;
    struct err e = {0};
    struct str text;
    char *own; /* writable copy for blot() */

    *out = (struct models){0};
    if (file_read(a, path, FILE_MAX, &text, &e) != OK) {
        if (e.code == E_ABSENT)
            diags_error(d, (struct place){0}, "no '%s' (`audition init DIR` creates one)", path);
        else
            diags_error(d, (struct place){0}, "%s", e.msg);
        return;
    }
    own = arena_alloc(a, text.n + 1);
    memcpy(own, text.p, text.n);
    *source = (struct source){.path = r.path, .text = {own, text.n}, .first_line = 1};
    root = doc_parse(a, source, d);
    if (root)
        read_models(&r, root, out);
    blot(&r, own, text.n);
}

const struct endpoint *models_find(const struct models *m, const char *name)
{
    for (size_t i = 0; i < m->n; i++)
        if (strcmp(m->list[i].name, name) == 0)
            return &m->list[i];
    return NULL;
}

const struct class_endpoint *models_classifier(const struct models *m, const char *name)
{
    for (size_t i = 0; i < m->nclassifiers; i++)
        if (strcmp(m->classifiers[i].at.name, name) == 0)
            return &m->classifiers[i];
    return NULL;
}

struct endpoint *models_default(struct arena *a, const char *name, struct diags *d)
{
    struct endpoint *ep = NEW(a, struct endpoint);

    if (!set_in("OPENAI_BASE_URL") && !set_in("OPENAI_API_BASE") && !set_in("OPENAI_API_KEY"))
        return NULL;
    *ep = models_blank(arena_text(a, str_of(name)));
    set_url(a, default_base_url(), NULL, (struct place){0}, ep, d);
    return ep;
}

struct endpoint *models_objective(struct arena *a, const char *name, struct diags *d)
{
    struct endpoint *ep = NEW(a, struct endpoint);
    AUTO(buf_done) struct buf all = BUF_MAX(1024);
    const char *words[OBJECTIVE_KINDS], *scorer = name + strlen(MODELS_OBJECTIVE), *near;
    enum objective_kind k;

    if (!str_starts(str_of(name), STR(MODELS_OBJECTIVE)))
        return NULL;
    for (int i = 0; i < OBJECTIVE_KINDS; i++) {
        words[i] = objective_name((enum objective_kind)i);
        buf_fmt(&all, "%s%s", i ? ", " : "", words[i]);
    }
    near = diag_suggest(str_of(scorer), words, OBJECTIVE_KINDS);
    if (!objective_find(scorer, &k))
        diags_error(d, (struct place){0},
                    near ? "no scorer '%s' (did you mean '%s'?)" : "no scorer '%s'; available: %s",
                    scorer, near ? near : all.p);
    *ep = models_blank(arena_text(a, str_of(name)));
    ep->kind = ENDPOINT_OBJECTIVE;
    ep->model = arena_text(a, str_of(scorer));
    ep->key_var = "";
    return ep;
}

struct endpoint *models_local(struct arena *a, const char *name, struct diags *d)
{
    struct str path = str_of(name), suffix = STR(".gguf");
    const char *file = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    struct endpoint *ep;

    if (!str_ends(path, suffix))
        return NULL;
    ep = NEW(a, struct endpoint);
    *ep = models_blank(arena_text(a, (struct str){file, strlen(file) - suffix.n}));
    ep->kind = ENDPOINT_LOCAL;
    ep->limits.concurrency = MODELS_LOCAL_AT_ONCE;
    if (!str_is_word(str_of(ep->name), NAME_MAX_BYTES))
        diags_error(
            d, (struct place){0},
            "'%s': white space cannot be part of a model's name; give it one in models.yaml", name);
    models_local_fill(a, name, (struct place){0}, ep, d);
    set_url(a, MODELS_LOCAL_URL, NULL, (struct place){0}, ep, d);
    return ep;
}

struct llama_how models_server(struct arena *a, const struct endpoint *ep, int64_t wait_ms)
{
    char secret[HASH_HEX / 2], hex[HASH_HEX];

    hash_random(secret, sizeof secret);
    hash_hex_of((struct str){secret, sizeof secret}, hex);
    return (struct llama_how){.program = ep->server,
                              .file = ep->file,
                              .arguments = ep->arguments,
                              .narguments = ep->narguments,
                              .wait_ms = wait_ms,
                              .key = arena_text(a, str_of(hex))};
}

const char *models_source(const struct endpoint *ep)
{
    switch (ep->kind) {
    case ENDPOINT_CHAT:
        return ep->url;
    case ENDPOINT_RECORDED:
    case ENDPOINT_LOCAL:
        return ep->file;
    case ENDPOINT_OBJECTIVE:
        break;
    }
    return N_("computed from the reference answers");
}

/* The user's own headers take precedence over the dialect's. */
static bool has_header(const struct endpoint *ep, const char *header)
{
    const struct str name = {header, strcspn(header, ":") + 1};

    for (size_t i = 0; i < ep->nheaders; i++)
        if (str_starts_nocase(ep->headers[i], name))
            return true;
    return false;
}

enum status models_headers(struct arena *a, const struct endpoint *ep, const char *key,
                           struct models_headers *out, struct err *e)
{
    enum dialect d = dialect_guess(str_of(ep->url));
    struct models_headers h = {.v = NEW_N(a, const char *, ep->nheaders + 3), .n = ep->nheaders};

    if (!key)
        key = getenv(ep->key_var);
    for (size_t i = 0; i < ep->nheaders; i++)
        h.v[i] = ep->headers[i].p;
    if (key && strpbrk(key, "\r\n"))
        return err_set(e, E_USAGE, "%s contains a line break; a key must not", ep->key_var);
    if (key && key[0]) {
        h.key = key;
        h.v[h.n++] = dialect_key_header(a, d, key);
    } else if (ep->key_named) { /* the default key is optional: local servers need none */
        return err_set(e, E_USAGE,
                       "%s: the key is not set; put %s=... in the environment or in .env", ep->name,
                       ep->key_var);
    }
    for (const char *const *more = dialect_headers(d); *more; more++)
        if (!has_header(ep, *more))
            h.v[h.n++] = *more;
    *out = h;
    return OK;
}

/* `max_tokens: null` removes a parameter set elsewhere. */
static void remove_nulls(json_t *parameters)
{
    const char *key;
    json_t *value;
    void *next;

    json_object_foreach_safe(parameters, next, key, value)
    {
        if (json_is_null(value))
            (void)json_object_del(parameters, key);
    }
}

enum status models_parameters(const struct endpoint *ep, const char *sampling, json_t **out,
                              struct err *e)
{
    AUTO(json_freep) json_t *over = NULL;

    if (json_read(str_of(ep->parameters ? ep->parameters : "{}"), out, e) != OK ||
        json_read(str_of(sampling ? sampling : "{}"), &over, e) != OK)
        return err_wrap(e, "%s: parameters", ep->name);
    (void)json_object_update(*out, over);
    remove_nulls(*out);
    return OK;
}

const char *models_without_key(struct arena *a, const char *key, const char *message)
{
    const char *at = key && message ? strstr(message, key) : NULL;

    return at ? arena_printf(a, "%.*s[key]%s", (int)(at - message), message,
                             models_without_key(a, key, at + strlen(key)))
              : message;
}

double models_cost(const struct endpoint *ep, int64_t in, int64_t out, int64_t cached)
{
    double held = isnan(ep->price_cached) || cached < 0 ? 0 : (double)(cached < in ? cached : in);

    if (in < 0 || out < 0)
        return NAN;
    return (((double)in - held) * ep->price_in + (held > 0 ? held * ep->price_cached : 0) +
            (double)out * ep->price_out) /
           1e6;
}
