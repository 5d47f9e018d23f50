#include "suite/template.h"

#include "suite/shape.h"
#include "suite/suite.h"

const char *template_freeze(struct arena *a, const struct template *t)
{
    return shape_text(a, &suite_template_shape, t);
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
