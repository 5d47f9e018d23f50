#include "report/remark.h"

/* Tags are stored as " a b ", so that each stands between spaces. */
bool remark_has(const struct run_row *run, const char *tag)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    return str_find(str_of(run->tags), str_of(arena_printf(a, " %s ", tag))) != SIZE_MAX;
}

const char *remark_tags(struct arena *a, const struct run_row *run)
{
    struct str rest = str_trim(str_of(run->tags)), tag;
    const char *out = "";

    while (str_part(&rest, ' ', &tag))
        out = arena_printf(a, "%s%s%.*s", out, *out ? ", " : "", STR_ARG(tag));
    return out;
}

const char *remark_name(struct arena *a, const struct run_row *run)
{
    return run->label && *run->label ? arena_printf(a, "%s (%s)", run->name, run->label)
                                     : run->name;
}

void remark_json(json_t *o, const struct run_row *run)
{
    struct str rest = str_trim(str_of(run->tags)), tag;
    json_t *tags;

    json_put_text(o, "label", run->label ? run->label : "");
    json_put_text(o, "note", run->note ? run->note : "");
    tags = json_put_list(o, "tags");
    while (str_part(&rest, ' ', &tag))
        (void)json_array_append_new(tags, json_from_str(tag));
}
