/* Endpoints as a run stores them. */
#include <math.h>

#include "suite/models.h"

static enum endpoint_kind kind_of(struct str name)
{
    for (size_t i = 0; i < ENDPOINT_KINDS; i++)
        if (str_is(name, models_kinds[i]))
            return (enum endpoint_kind)i;
    return ENDPOINT_CHAT;
}

static void set(json_t *j, const char *key, const char *text)
{
    (void)json_object_set_new(j, key, json_string(text));
}

static json_t *parameters_json(const struct endpoint *ep)
{
    json_t *v = json_loads(ep->parameters, 0, NULL);

    return v ? v : json_object();
}

json_t *models_template_json(const struct template *t)
{
    json_t *j = json_object();

    set(j, "name", t->name);
    if (t->system.p)
        (void)json_object_set_new(j, "system", json_from_str(t->system));
    (void)json_object_set_new(j, "user", json_from_str(t->user));
    return j;
}

static void set_template(json_t *j, const struct template *t)
{
    if (t->user.p)
        (void)json_object_set_new(j, "template", models_template_json(t));
}

static void set_price(json_t *j, const char *key, double price)
{
    (void)json_object_set_new(j, key, isnan(price) ? json_null() : json_real(price));
}

const char *models_freeze(struct arena *a, const struct endpoint *ep)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *headers = json_array();

    set(j, "name", ep->name);
    set(j, "kind", models_kinds[ep->kind]);
    set(j, "family", ep->family);
    set(j, "base_url", ep->base_url);
    set(j, "url", ep->url);
    set(j, "model", ep->model);
    set(j, "key_var", ep->key_var);
    (void)json_object_set_new(j, "key_named", json_boolean(ep->key_named));
    (void)json_object_set_new(j, "parameters", parameters_json(ep));
    for (size_t i = 0; i < ep->nheaders; i++)
        (void)json_array_append_new(headers, json_string(ep->headers[i]));
    (void)json_object_set_new(j, "headers", headers);
    set_template(j, &ep->template);
    set(j, "file", ep->file);
    set_price(j, "price_in", ep->price_in);
    set_price(j, "price_out", ep->price_out);
    (void)json_object_set_new(j, "concurrency", json_integer(ep->limits.concurrency));
    (void)json_object_set_new(j, "requests_per_minute", json_real(ep->limits.requests_per_minute));
    (void)json_object_set_new(j, "tokens_per_minute", json_real(ep->limits.tokens_per_minute));
    (void)json_object_set_new(j, "timeout_ms", json_integer(ep->timeout_ms));
    (void)json_object_set_new(j, "stall_ms", json_integer(ep->stall_ms));
    return json_text(a, j);
}

static const char *text_at(struct arena *a, const json_t *j, const char *key)
{
    return arena_text(a, json_str_at(j, key, STR("")));
}

static void thaw_headers(struct arena *a, const json_t *list, struct endpoint *ep)
{
    const char **headers = (const char **)arena_array(a, json_array_size(list), sizeof *headers);

    for (size_t i = 0; i < json_array_size(list); i++)
        headers[i] = arena_text(a, str_of(json_string_value(json_array_get(list, i))));
    ep->headers = headers;
    ep->nheaders = json_array_size(list);
}

static void thaw_template(struct arena *a, const json_t *j, struct template *out)
{
    if (!j)
        return;
    out->name = text_at(a, j, "name");
    out->user = arena_str(a, json_str_at(j, "user", STR("")));
    if (json_object_get(j, "system"))
        out->system = arena_str(a, json_str_at(j, "system", STR("")));
}

enum status models_thaw(struct arena *a, struct str frozen, struct endpoint *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct endpoint ep = models_blank("");

    if (json_read(frozen, &j, e) != OK)
        return err_wrap(e, "stored model");
    if (!json_is_string(json_object_get(j, "name")))
        return err_set(e, E_INPUT, "stored model: it has no name");
    ep.kind = kind_of(json_str_at(j, "kind", STR("chat")));
    ep.name = text_at(a, j, "name");
    ep.family = text_at(a, j, "family");
    ep.base_url = text_at(a, j, "base_url");
    ep.url = text_at(a, j, "url");
    ep.model = text_at(a, j, "model");
    ep.key_var = text_at(a, j, "key_var");
    ep.key_named = json_is_true(json_object_get(j, "key_named"));
    if (json_is_object(json_object_get(j, "parameters")))
        ep.parameters = json_text(a, json_object_get(j, "parameters"));
    thaw_headers(a, json_object_get(j, "headers"), &ep);
    thaw_template(a, json_object_get(j, "template"), &ep.template);
    ep.file = text_at(a, j, "file");
    ep.price_in = json_num_at(j, "price_in", NAN);
    ep.price_out = json_num_at(j, "price_out", NAN);
    ep.limits.concurrency = (int)json_int_at(j, "concurrency", ep.limits.concurrency);
    ep.limits.requests_per_minute = json_num_at(j, "requests_per_minute", 0);
    ep.limits.tokens_per_minute = json_num_at(j, "tokens_per_minute", 0);
    ep.timeout_ms = json_int_at(j, "timeout_ms", ep.timeout_ms);
    ep.stall_ms = json_int_at(j, "stall_ms", ep.stall_ms);
    *out = ep;
    return OK;
}

const char *models_identity(struct arena *a, const struct endpoint *ep)
{
    AUTO(json_freep) json_t *j = json_object();

    set(j, "name", ep->name);
    set(j, "kind", models_kinds[ep->kind]);
    set(j, "model", ep->model);
    (void)json_object_set_new(j, "parameters", parameters_json(ep));
    set_template(j, &ep->template);
    return json_text_sorted(a, j);
}

struct endpoint models_untemplated(const struct endpoint *ep)
{
    struct endpoint plain = *ep;

    plain.template = (struct template){0};
    return plain;
}
