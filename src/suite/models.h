/* models.h - models.yaml: the models that can be asked.
 *
 *     models:
 *       - name: qwen-rp
 *         base_url: http://localhost:8000       # default: $OPENAI_BASE_URL, $OPENAI_API_BASE
 *         model: Qwen/Qwen2.5-7B-Instruct       # default: the name
 *         key: QWEN_KEY         # an environment variable, or none; default OPENAI_API_KEY
 *         family: qwen
 *         template: base.txt    # prompt template, in place of the suite's
 *         parameters: {temperature: 0.8}
 *         price: {in: 0.5, out: 1.5}            # USD per million tokens; optionally cached
 *         limits: {concurrency: 64, requests_per_minute: 600, tokens_per_minute: 200000}
 *         timeout: 300          # seconds for one attempt
 *         stall: 60             # seconds without a byte once a reply has begun; 0: no limit
 *         headers: {X-Title: audition}
 *         body: {min_p: 0.05}   # passed through unchanged
 *       - {name: steady, kind: recorded, file: replies/steady.jsonl}
 *       - {name: mine, kind: local, file: mine.gguf, arguments: [--ctx-size, "8192"]}
 *     classifiers:                            # return log odds instead of text
 *       - {name: polite, dialect: predict, base_url: "http://localhost:8080", label: polite}
 *       - {name: rude, dialect: moderation, model: omni-moderation-latest, label: harassment} */
#ifndef SUITE_MODELS_H
#define SUITE_MODELS_H

#include "base/doc.h"
#include "net/classify.h"
#include "net/llama.h"
#include "suite/endpoint.h"

/* A classifier: its server, protocol and the label that counts. */
struct class_endpoint {
    struct endpoint at;
    enum classify_dialect dialect;
    const char *label;
};

struct models {
    struct endpoint *list;
    size_t n;
    struct class_endpoint *classifiers;
    size_t nclassifiers;
};

extern const struct shape models_shape; /* see shape.h */
/* An endpoint with default values, without a URL. */
struct endpoint models_blank(const char *name);

/* Reads the file; errors go to d. */
void models_load(struct arena *a, const char *path, struct models *out, struct diags *d);
const struct endpoint *models_find(const struct models *m, const char *name);
const struct class_endpoint *models_classifier(const struct models *m, const char *name);
/* An endpoint that is in no file: all defaults, with URL and key from the environment. NULL if the
 * environment sets neither. Errors (no usable base URL) go to d. */
struct endpoint *models_default(struct arena *a, const char *name, struct diags *d);

/* A judge that needs no model and is in no file: "objective:exact" (see judge_objective.h). NULL
 * for other names; an unknown scorer is an error. */
#define MODELS_OBJECTIVE "objective:"
struct endpoint *models_objective(struct arena *a, const char *name, struct diags *d);
/* A GGUF file named directly, to be served by llama-server: "./mine.gguf" gets the name "mine".
 * NULL for other names. */
struct endpoint *models_local(struct arena *a, const char *name, struct diags *d);
/* How to start the server of such a file: wait_ms to load it, and a random API key in arena a. */
struct llama_how models_server(struct arena *a, const struct endpoint *ep, int64_t wait_ms);
/* Where replies come from, for people: a URL or a file. */
const char *models_source(const struct endpoint *ep);

/* The headers of its requests: its own, and the API key if there is one: `key`, or if that is NULL
 * the one from the environment. E_USAGE if the variable named in the file is not set. */
struct models_headers {
    const char **v;
    size_t n;
    const char *key; /* the secret itself, to be removed from messages; NULL if none */
};
CHECKED enum status models_headers(struct arena *a, const struct endpoint *ep, const char *key,
                                   struct models_headers *out, struct err *e);
/* The message with the key replaced by [key]: servers may quote the key they refuse. */
const char *models_without_key(struct arena *a, const char *key, const char *message);

/* The parameters of every request: the endpoint's, overridden by the suite's sampling, which is
 * part of the experiment. `sampling` may be NULL. The caller owns *out. */
CHECKED enum status models_parameters(const struct endpoint *ep, const char *sampling, json_t **out,
                                      struct err *e);

/* Serialized as stored with a run (never a key), and the inverse. */
const char *models_freeze(struct arena *a, const struct endpoint *ep);
CHECKED enum status models_thaw(struct arena *a, struct str frozen, struct endpoint *out,
                                struct err *e);
/* A model's own template as JSON. An absent system text means the suite's and an empty one means
 * none, so an absent one is not written. */
json_t *models_template_json(const struct template *t);
/* What identifies a model: name, kind, model id, parameters, template; not where it is served. */
const char *models_identity(struct arena *a, const struct endpoint *ep);
/* A copy without the template, which is for answers only: for judging or examining. */
struct endpoint models_untemplated(const struct endpoint *ep);
/* Cost in USD; `cached` of the `in` tokens were cached. NaN if a price or count is unknown. */
double models_cost(const struct endpoint *ep, int64_t in, int64_t out, int64_t cached);

#endif
