#include "cmd/annotate.h"

#include "report/remark.h"

enum status annotate_run(struct app *app, struct run_row *run, const struct annotate *what,
                         struct err *e)
{
    struct run_row now = *run;

    if (!what->name && !what->note && !what->add.n && !what->drop.n)
        return OK;
    if (remark_check_name(what->name, e) != OK || remark_check_note(what->note, e) != OK)
        return e->code;
    now.tags = run->tags ? run->tags : "";
    for (size_t i = 0; i < what->drop.n; i++)
        remark_drop_tag(app->arena, &now.tags, str_of(what->drop.v[i]));
    for (size_t i = 0; i < what->add.n; i++)
        if (remark_add_tag(app->arena, &now.tags, str_of(what->add.v[i]), e) != OK)
            return e->code;
    now.label = what->name ? what->name : run->label;
    now.note = what->note ? what->note : run->note;
    if (store_atomically(app->store, e, store_run_describe(app->store, &now, e)) != OK)
        return e->code;
    *run = now;
    return OK;
}
