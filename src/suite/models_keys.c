/* The keys of models.yaml, and endpoints as stored with a run.
 *
 * The stored form differs from the file: keys, prices and limits are flat, times are in
 * milliseconds, and the URL is the resolved one. Hence two tables. The keys are documented in
 * share/keys/models.yaml. */
#include <math.h>

#include "suite/models_read.h"

#define AT(member) .at = offsetof(struct endpoint, member)
#define IN(member) .at = offsetof(struct class_endpoint, member)
#define CHAT       .kinds = SHAPE_KIND(ENDPOINT_CHAT)
#define LOCAL      .kinds = SHAPE_KIND(ENDPOINT_LOCAL)
#define ASKED      .kinds = (SHAPE_KIND(ENDPOINT_CHAT) | SHAPE_KIND(ENDPOINT_LOCAL))

enum { CONCURRENCY_MAX = 4096, DAY_S = 86400, TIMEOUT_S = 300, STALL_S = 60, ARGUMENTS_MAX = 100 };
enum { TOKENS_MAX = 10000000 };

static const char *const kinds[] = {
    [ENDPOINT_CHAT] = "chat",
    [ENDPOINT_RECORDED] = "recorded",
    [ENDPOINT_LOCAL] = "local",
    [ENDPOINT_OBJECTIVE] = "objective", /* judges only, never in a file */
};
static const char *const structured[] = {
    [STRUCTURED_AUTO] = "auto", [STRUCTURED_SCHEMA] = "schema", [STRUCTURED_OFF] = "off"};
static const char *const dialects[] = {
    [CLASSIFY_PREDICT] = "predict", [CLASSIFY_MODERATION] = "moderation"};

const char *const models_efforts[MODELS_EFFORTS] = {"none", "minimal", "low", "medium",
                                                    "high", "xhigh",   "max"};

/* ---- the file ---- */

static const struct shape_key price_keys[] = {
    {"in", SHAPE_REAL, SHAPE_NEEDED, AT(price_in), .max = 1e9, .otherwise = NAN},
    {"out", SHAPE_REAL, SHAPE_NEEDED, AT(price_out), .max = 1e9, .otherwise = NAN},
    {"cached", SHAPE_REAL, AT(price_cached), .max = 1e9, .otherwise = NAN},
};
static const struct shape price = {SHAPE_OF("price", price_keys, struct endpoint)};

static const struct shape_key limit_keys[] = {
    {"concurrency", SHAPE_INT, AT(limits.concurrency), .min = 1, .max = CONCURRENCY_MAX},
    {"requests_per_minute", SHAPE_REAL, AT(limits.requests_per_minute), .max = 1e12},
    {"tokens_per_minute", SHAPE_REAL, AT(limits.tokens_per_minute), .max = 1e15},
};
static const struct shape limits = {SHAPE_OF("limits", limit_keys, struct endpoint)};

#define TIMES(place)                                                                               \
    {                                                                                              \
        "timeout",  SHAPE_SECONDS, place(timeout_ms),                                              \
        .min = 0.1, .max = DAY_S,  .otherwise = TIMEOUT_S,                                         \
        ASKED},                                                                                    \
    {                                                                                              \
        "stall", SHAPE_SECONDS, place(stall_ms), .max = DAY_S, .otherwise = STALL_S, ASKED         \
    }

static const struct shape_key endpoint_keys[] = {
    {"name", SHAPE_WORD, SHAPE_HAND | SHAPE_NEEDED, AT(name)},
    {"kind", SHAPE_CHOICE, AT(kind), .words = kinds, .nwords = ENDPOINT_OBJECTIVE},
    {"base_url", SHAPE_WORD, SHAPE_HAND, AT(base_url), CHAT},
    {"dialect", SHAPE_OWN, ASKED},
    {"limit", SHAPE_INT, SHAPE_HAND, ASKED, .min = 1, .max = TOKENS_MAX},
    {"effort", SHAPE_CHOICE, SHAPE_HAND, ASKED, SHAPE_WORDS(models_efforts), .otherwise = NAN},
    {"thinking", SHAPE_INT, SHAPE_HAND, ASKED, .max = TOKENS_MAX, .otherwise = NAN},
    {"model", SHAPE_WORD, AT(model), CHAT},
    {"key", SHAPE_OWN, CHAT},
    {"family", SHAPE_WORD, AT(family)},
    {"template", SHAPE_OWN, ASKED, .of = &suite_template_shape},
    {"parameters", SHAPE_OWN, ASKED},
    {"body", SHAPE_OWN, ASKED},
    {"price", SHAPE_MAP, .of = &price},
    {"limits", SHAPE_MAP, ASKED, .of = &limits},
    TIMES(AT),
    {"headers", SHAPE_OWN, CHAT, .max = HEADERS_MAX},
    {"file", SHAPE_OWN, .kinds = SHAPE_KIND(ENDPOINT_RECORDED) | SHAPE_KIND(ENDPOINT_LOCAL)},
    {"server", SHAPE_WORD, AT(server), LOCAL},
    {"arguments", SHAPE_TEXTS, AT(arguments), .count = offsetof(struct endpoint, narguments),
     .max = ARGUMENTS_MAX, LOCAL},
    {"structured", SHAPE_CHOICE, AT(structured), SHAPE_WORDS(structured), ASKED},
    {"stream", SHAPE_BOOL, AT(stream), ASKED},
};
const struct shape models_endpoint_shape = {SHAPE_OF("model", endpoint_keys, struct endpoint),
                                            .by = "kind"};

#undef ASKED
#define ASKED         .kinds = 0
#define IN_AT(member) IN(at.member)

static const struct shape_key classifier_keys[] = {
    {"name", SHAPE_WORD, SHAPE_HAND | SHAPE_NEEDED, IN(at.name)},
    {"dialect", SHAPE_CHOICE, SHAPE_NEEDED, IN(dialect), SHAPE_WORDS(dialects)},
    {"base_url", SHAPE_WORD, SHAPE_HAND, IN(at.base_url)},
    {"model", SHAPE_WORD, IN(at.model)},
    {"label", SHAPE_WORD, SHAPE_NEEDED, IN(label)},
    {"key", .type = SHAPE_OWN},
    {"limits", SHAPE_MAP, IN(at), .of = &limits},
    TIMES(IN_AT),
    {"headers", SHAPE_OWN, .max = HEADERS_MAX},
};
const struct shape models_classifier_shape = {
    SHAPE_OF("classifier", classifier_keys, struct class_endpoint)};

static const struct shape_key models_keys[] = {
    {"models", SHAPE_LIST, SHAPE_HAND, .of = &models_endpoint_shape, .min = 1, .max = MODELS_MAX},
    {"classifiers", SHAPE_LIST, SHAPE_HAND, .of = &models_classifier_shape, .max = MODELS_MAX},
};
const struct shape models_shape = {SHAPE_OF("models", models_keys, struct models)};

struct endpoint models_blank(const char *name)
{
    const struct shape_reading r = {.stored = false};
    struct endpoint ep = {.name = name, .model = name, .key_var = MODELS_KEY, .parameters = "{}"};

    (void)shape_read(&r, &models_endpoint_shape, NULL, &ep);
    ep.base_url = ep.url = ep.file = ep.server = "";
    return ep;
}

/* ---- the store ---- */

json_t *models_template_json(const struct template *t)
{
    json_t *j = json_object();

    json_put_text(j, "name", t->name);
    if (t->system.p)
        json_put_str(j, "system", t->system);
    json_put_str(j, "user", t->user);
    return j;
}

static bool write_template(const struct shape_writing *w, const void *in)
{
    const struct endpoint *ep = in;
    AUTO(json_freep) json_t *j = models_template_json(&ep->template);

    buf_text(w->b, json_text(w->a, j));
    return ep->template.user.p;
}

static const struct shape_key stored_keys[] = {
    {"name", SHAPE_WORD, SHAPE_NEEDED, AT(name)},
    {"kind", SHAPE_CHOICE, AT(kind), SHAPE_WORDS(kinds)},
    {"family", SHAPE_WORD, AT(family)},
    {"base_url", SHAPE_WORD, AT(base_url)},
    {"url", SHAPE_WORD, AT(url)},
    {"model", SHAPE_WORD, AT(model)},
    {"key_var", SHAPE_WORD, AT(key_var)},
    {"key_named", SHAPE_BOOL, AT(key_named)},
    {"parameters", SHAPE_JSON, AT(parameters)},
    {"headers", SHAPE_TEXTS, AT(headers), .count = offsetof(struct endpoint, nheaders)},
    {"template", SHAPE_OWN, .write = write_template},
    {"file", SHAPE_WORD, AT(file)},
    {"price_in", SHAPE_REAL, AT(price_in), .max = 1e9, .otherwise = NAN},
    {"price_out", SHAPE_REAL, AT(price_out), .max = 1e9, .otherwise = NAN},
    {"concurrency", SHAPE_INT, AT(limits.concurrency), .max = CONCURRENCY_MAX},
    {"requests_per_minute", SHAPE_REAL, AT(limits.requests_per_minute), .max = 1e12},
    {"tokens_per_minute", SHAPE_REAL, AT(limits.tokens_per_minute), .max = 1e15},
    {"timeout_ms", SHAPE_LONG, AT(timeout_ms), .max = 1e12, .otherwise = TIMEOUT_S * 1000},
    {"stall_ms", SHAPE_LONG, AT(stall_ms), .max = 1e12, .otherwise = STALL_S * 1000},
    {"structured", SHAPE_CHOICE, AT(structured), SHAPE_WORDS(structured), .before = STRUCTURED_OFF,
     .since = "0.1"},
    {"price_cached", SHAPE_REAL, AT(price_cached), .max = 1e9, .otherwise = NAN, .before = NAN,
     .since = "0.1"},
    {"stream", SHAPE_BOOL, AT(stream), .since = "0.1"},
    {"server", SHAPE_WORD, SHAPE_SPARE, AT(server), .since = "0.1"},
    {"arguments", SHAPE_TEXTS, SHAPE_SPARE, AT(arguments),
     .count = offsetof(struct endpoint, narguments), .since = "0.1"},
};
static const struct shape stored = {SHAPE_OF("stored model", stored_keys, struct endpoint)};

/* The stored keys that identify a model. */
static const char *const identity[] = {"name", "kind", "model", "parameters", "template"};

const char *models_freeze(struct arena *a, const struct endpoint *ep)
{
    return shape_text(a, &stored, ep);
}

const char *models_identity(struct arena *a, const struct endpoint *ep)
{
    AUTO(json_freep) json_t *all = json_loads(models_freeze(a, ep), 0, NULL), *j = json_object();

    for (size_t i = 0; i < COUNT(identity); i++)
        (void)json_object_set(j, identity[i], json_object_get(all, identity[i]));
    return json_text_sorted(a, j);
}

static void thaw_template(const json_t *j, struct arena *a, struct template *out)
{
    if (!j)
        return;
    out->name = arena_text(a, json_str_at(j, "name", STR("")));
    out->user = arena_str(a, json_str_at(j, "user", STR("")));
    if (json_object_get(j, "system"))
        out->system = arena_str(a, json_str_at(j, "system", STR("")));
}

enum status models_thaw(struct arena *a, struct str frozen, struct endpoint *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct endpoint ep = {.key_var = ""};

    if (shape_thaw(a, &stored, frozen, "stored model", &ep, e) != OK ||
        json_read(frozen, &j, e) != OK)
        return e->code;
    thaw_template(json_object_get(j, "template"), a, &ep.template);
    *out = ep;
    return OK;
}

struct endpoint models_untemplated(const struct endpoint *ep)
{
    struct endpoint plain = *ep;

    plain.template = (struct template){0};
    return plain;
}
