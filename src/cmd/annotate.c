#include "cmd/annotate.h"

#include "report/remark.h"

enum { NOTE_MAX_BYTES = 10000, TAGS_MAX_BYTES = 4000 };

static size_t find(struct str tags, const char *tag, struct arena *a)
{
    return str_find(tags, str_of(arena_printf(a, " %s ", tag)));
}

static enum status change_tags(struct arena *a, const char *tags, const struct annotate *what,
                               const char **out, struct err *e)
{
    for (size_t i = 0; i < what->drop.n; i++) {
        size_t at = find(str_of(tags), what->drop.v[i], a);
        if (at != SIZE_MAX)
            tags =
                arena_printf(a, "%.*s %s", (int)at, tags, tags + at + strlen(what->drop.v[i]) + 2);
    }
    for (size_t i = 0; i < what->add.n; i++) {
        if (remark_check_tag(str_of(what->add.v[i]), e) != OK)
            return e->code;
        if (find(str_of(tags), what->add.v[i], a) == SIZE_MAX)
            tags = arena_printf(a, "%s%s ", str_trim(str_of(tags)).n ? tags : " ", what->add.v[i]);
    }
    if (strlen(tags) > TAGS_MAX_BYTES)
        return err_set(e, E_USAGE, "a run has at most %d bytes of tags", TAGS_MAX_BYTES);
    *out = str_trim(str_of(tags)).n ? tags : "";
    return OK;
}

enum status annotate_run(struct app *app, struct run_row *run, const struct annotate *what,
                         struct err *e)
{
    struct run_row now = *run;

    if (!what->name && !what->note && !what->add.n && !what->drop.n)
        return OK;
    if (what->note && strlen(what->note) > NOTE_MAX_BYTES)
        return err_set(e, E_USAGE, "a note has at most %d bytes", NOTE_MAX_BYTES);
    if (remark_check_name(what->name, e) != OK ||
        change_tags(app->arena, run->tags ? run->tags : "", what, &now.tags, e) != OK)
        return e->code;
    now.label = what->name ? what->name : run->label;
    now.note = what->note ? what->note : run->note;
    if (store_atomically(app->store, e, store_run_describe(app->store, &now, e)) != OK)
        return e->code;
    *run = now;
    return OK;
}
