#include "cmd/annotate.h"

#include "report/remark.h"

/* Changes the row as it is now: somebody else may have written to it since we read it. */
static enum status annotate(struct app *app, int64_t run, const struct annotate *what,
                            struct run_row *out, struct err *e)
{
    if (db_take_turns(app->store->db, e) != OK ||
        store_run_by_id(app->arena, app->store, run, out, e) != OK)
        return e->code;
    out->tags = out->tags ? out->tags : "";
    for (size_t i = 0; i < what->drop.n; i++)
        remark_drop_tag(app->arena, &out->tags, str_of(what->drop.v[i]));
    for (size_t i = 0; i < what->add.n; i++)
        if (remark_add_tag(app->arena, &out->tags, str_of(what->add.v[i]), e) != OK)
            return e->code;
    out->label = what->name ? what->name : out->label;
    out->note = what->note ? what->note : out->note;
    return store_run_describe(app->store, out, e);
}

enum status annotate_run(struct app *app, struct run_row *run, const struct annotate *what,
                         struct err *e)
{
    struct run_row now = {0};

    if (!what->name && !what->note && !what->add.n && !what->drop.n)
        return OK;
    if (remark_check_name(what->name, e) != OK || remark_check_note(what->note, e) != OK ||
        store_atomically(app->store, e, annotate(app, run->id, what, &now, e)) != OK)
        return e->code;
    run->label = now.label;
    run->note = now.note;
    run->tags = now.tags;
    return OK;
}
