#include "reply/reply_form.h"

enum { WHOLE_MAX = 100 }; /* whole numbers that are listed; beyond, a span says it */

static json_t *closed(json_t *properties)
{
    json_t *required = json_array(), *v;
    const char *key;

    json_object_foreach(properties, key, v)
    {
        (void)json_array_append_new(required, json_string(key));
    }
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required",
                     required, "additionalProperties", 0);
}

static json_t *text_form(void)
{
    return json_pack("{s:s}", "type", "string");
}

static json_t *number_of(double v)
{
    return v == (double)(json_int_t)v ? json_integer((json_int_t)v) : json_real(v);
}

static json_t *score_form(const struct dimension *d)
{
    json_t *allowed = json_array();

    for (size_t i = 0; i < d->nlevels; i++)
        (void)json_array_append_new(allowed, number_of(d->levels[i].value));
    if (d->nlevels == 0 && d->whole && d->max - d->min <= WHOLE_MAX)
        for (int i = 0; i <= (int)(d->max - d->min); i++)
            (void)json_array_append_new(allowed, number_of(d->min + i));
    if (json_array_size(allowed))
        return json_pack("{s:s, s:o}", "type", "number", "enum", allowed);
    json_decref(allowed);
    return json_pack("{s:s, s:o, s:o}", "type", d->whole ? "integer" : "number", "minimum",
                     number_of(d->min), "maximum", number_of(d->max));
}

static json_t *list_form(json_t *properties)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", closed(properties));
}

static json_t *quotes_form(void)
{
    return list_form(json_pack("{s:{s:s}, s:o}", "turn", "type", "integer", "text", text_form()));
}

/* What claim.h reads. A form that is kept to admits nothing that it does not name. */
static json_t *claims_form(void)
{
    return list_form(json_pack("{s:{s:s}, s:o, s:{s:s}, s:o}", "turn", "type", "integer", "text",
                               text_form(), "other_turn", "type", "integer", "other", text_form()));
}

static json_t *dimension_form(const struct instrument *in, const struct dimension *d)
{
    json_t *p = json_object();

    if (in->quotes)
        json_put(p, "quotes", quotes_form());
    json_put(p, "analysis", text_form());
    if (in->quotes && in->quoted == QUOTED_MODEL)
        json_put(p, "advice", text_form());
    json_put(p, "score", score_form(d));
    return closed(p);
}

static json_t *pair_form(const struct instrument *in)
{
    json_t *p = json_object(), *choices = json_pack("[s, s]", "A", "B");

    if (in->ties)
        (void)json_array_append_new(choices, json_string("tie"));
    json_put(p, "analysis", text_form());
    json_put(p, "winner", json_pack("{s:s, s:o}", "type", "string", "enum", choices));
    return closed(p);
}

static json_t *marks_form(const struct instrument *in)
{
    json_t *p = json_object();

    for (size_t i = 0; i < in->ndimensions; i++)
        json_put(p, in->dimensions[i].id, dimension_form(in, &in->dimensions[i]));
    if (in->contradictions)
        json_put(p, "contradictions", claims_form());
    return closed(p);
}

json_t *reply_form(const struct instrument *in, const char *name)
{
    return json_pack("{s:s, s:{s:s, s:b, s:o}}", "type", "json_schema", "json_schema", "name", name,
                     "strict", 1, "schema",
                     in->kind == INSTRUMENT_PAIR ? pair_form(in) : marks_form(in));
}
