#include "suite/template.h"

#include "base/json.h"

const char *template_freeze(struct arena *a, const struct template *t)
{
    AUTO(json_freep) json_t *j = json_object();

    (void)json_object_set_new(j, "name", json_string(t->name));
    (void)json_object_set_new(j, "system", json_from_str(t->system));
    (void)json_object_set_new(j, "user", json_from_str(t->user));
    (void)json_object_set_new(j, "repair", json_from_str(t->repair));
    return json_text(a, j);
}

enum status template_thaw(struct arena *a, struct str frozen, struct template *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;

    if (json_read(frozen, &j, e) != OK)
        return err_wrap(e, "stored judge template");
    out->name = arena_text(a, json_str_at(j, "name", STR("")));
    out->system = arena_str(a, json_str_at(j, "system", STR("")));
    out->user = arena_str(a, json_str_at(j, "user", STR("")));
    out->repair = arena_str(a, json_str_at(j, "repair", STR("")));
    return OK;
}
