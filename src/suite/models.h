/* models.h - models.yaml: who can be asked.
 *
 *     models:
 *       - name: qwen-rp
 *         base_url: http://localhost:8000       # default: $OPENAI_BASE_URL, $OPENAI_API_BASE
 *         model: Qwen/Qwen2.5-7B-Instruct       # default: the name
 *         key: QWEN_KEY         # an environment variable, or none; default OPENAI_API_KEY
 *         family: qwen
 *         template: base.txt    # what it is asked with, in place of the suite's template
 *         parameters: {temperature: 0.8}
 *         price: {in: 0.5, out: 1.5}            # USD per million tokens; cached: too
 *         limits: {concurrency: 64, requests_per_minute: 600, tokens_per_minute: 200000}
 *         timeout: 300          # seconds for one attempt
 *         stall: 60             # seconds without a byte once a reply has begun; 0: any number
 *         headers: {X-Title: audition}
 *         body: {min_p: 0.05}   # passed through as it is
 *       - {name: steady, kind: recorded, file: replies/steady.jsonl}
 *       - {name: mine, kind: local, file: mine.gguf, arguments: [--ctx-size, "8192"]}
 *     classifiers:                            # who gives log odds, not words
 *       - {name: polite, dialect: predict, base_url: "http://localhost:8080", label: polite}
 *       - {name: rude, dialect: moderation, model: omni-moderation-latest, label: harassment} */
#ifndef SUITE_MODELS_H
#define SUITE_MODELS_H

#include "base/doc.h"
#include "net/classify.h"
#include "net/llama.h"
#include "suite/endpoint.h"

/* Where a classifier is, how it is spoken to, and which of its labels counts. */
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
/* Everything by default but its URL. */
struct endpoint models_blank(const char *name);

/* Read the file; faults go to d. */
void models_load(struct arena *a, const char *path, struct models *out, struct diags *d);
const struct endpoint *models_find(const struct models *m, const char *name);
const struct class_endpoint *models_classifier(const struct models *m, const char *name);
/* An endpoint that is in no file: everything by default, from the environment; NULL where that
 * names neither an address nor a key. Faults (no usable base URL) go to d. */
struct endpoint *models_default(struct arena *a, const char *name, struct diags *d);

/* A judge that needs no model, in no file either: "objective:exact" (see judge_objective.h). NULL
 * when the name is another; a scorer that does not exist is a fault. */
#define MODELS_OBJECTIVE "objective:"
struct endpoint *models_objective(struct arena *a, const char *name, struct diags *d);
/* A GGUF file in no file either, for which llama-server is started: "./mine.gguf" is called "mine".
 * NULL when the name is another. */
struct endpoint *models_local(struct arena *a, const char *name, struct diags *d);
/* How the server of such a file is started: it has wait_ms to load it, and a key of its own, in a.
 */
struct llama_how models_server(struct arena *a, const struct endpoint *ep, int64_t wait_ms);
/* Where its words come from, for people: a URL, a file. */
const char *models_source(const struct endpoint *ep);

/* What its requests carry: its own headers, and the key where there is one: that of its server, or
 * (NULL) of the environment. E_USAGE when the key that the file names is not set. */
struct models_headers {
    const char **v;
    size_t n;
    const char *key; /* the secret itself, to be kept out of messages; NULL: none */
};
CHECKED enum status models_headers(struct arena *a, const struct endpoint *ep, const char *key,
                                   struct models_headers *out, struct err *e);
/* The same message with [key] in place of the secret: servers may quote the key that they refuse.
 */
const char *models_without_key(struct arena *a, const char *key, const char *message);

/* What every request carries besides the conversation: the endpoint's parameters under the suite's
 * sampling, which is part of the experiment. `sampling` may be NULL. */
CHECKED enum status models_parameters(const struct endpoint *ep, const char *sampling, json_t **out,
                                      struct err *e);

/* As stored with a run (never a key), and back. */
const char *models_freeze(struct arena *a, const struct endpoint *ep);
CHECKED enum status models_thaw(struct arena *a, struct str frozen, struct endpoint *out,
                                struct err *e);
/* A model's own template. A system text that is absent leaves the suite's, an empty one takes it
 * away: absent stays so. */
json_t *models_template_json(const struct template *t);
/* What makes it the same model: name, kind, model id, parameters, its template; not where it is
 * served. */
const char *models_identity(struct arena *a, const struct endpoint *ep);
/* The same where it judges or examines: its template is for answers. */
struct endpoint models_untemplated(const struct endpoint *ep);
/* USD for so many tokens, of which the provider had `cached`; NaN: a price or a count is not known.
 */
double models_cost(const struct endpoint *ep, int64_t in, int64_t out, int64_t cached);

#endif
