/* Examination papers to print: what the sittings of an interview ask. */

#include "base/file.h"
#include "base/message.h"
#include "cmd/suite_args.h"
#include "report/render_paper.h"
#include "store/store_compare.h"
#include "suite/item.h"

enum { PAGE_MAX = 64 << 20 };

struct paper_values {
    const char *output;
    int64_t sitting; /* 0: all */
    bool sensitive;
};

/* The wanted papers of one suite or run. */
struct pile {
    struct arena *arena;
    const struct suite *suite;
    int64_t wanted;
    struct paper_sheet *v;
    size_t n, cap;
};

static enum status add_sheet(struct pile *pile, const struct item *item, struct err *e)
{
    struct paper *p = NEW(pile->arena, struct paper);

    if (paper_thaw(pile->arena, item->paper, p, e) != OK)
        return err_wrap(e, "%s", item->id);
    if (pile->wanted && p->number != pile->wanted)
        return OK;
    pile->v = arena_grow(pile->arena, pile->v, &pile->cap, pile->n + 1, sizeof *pile->v);
    pile->v[pile->n++] = (struct paper_sheet){vocab_character(pile->suite, item), p};
    return OK;
}

static enum status check_kind(const struct suite *s, struct err *e)
{
    return s->elicit.kind == ELICIT_INTERVIEW
               ? OK
               : err_set(e, E_USAGE, "%s is not an interview: it has no papers", s->id);
}

/* Papers as the suite's own seed draws them. */
static enum status take_suite(struct app *app, const char *path, struct pile *pile, struct err *e)
{
    struct item_source *items = NULL;
    struct item_reader *r;
    struct item item;
    struct diags d;
    enum status st = OK;

    diags_init(&d, app->arena);
    pile->suite = suite_load(app->arena, path, &items, &d);
    if (suite_args_faults(app, &d, path, e) != OK || check_kind(pile->suite, e) != OK)
        return e->code;
    r = item_reader_new(pile->suite, items, &d);
    while (st == OK && item_reader_next(r, &item))
        st = add_sheet(pile, &item, e);
    item_reader_free(r);
    return st == OK ? suite_args_faults(app, &d, path, e) : st;
}

static enum status take_items(struct store *s, int64_t run, struct pile *pile, struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_items(s, run, e);
    struct item_fact f;
    struct item item;

    while (store_item_next(&c, &f))
        if (item_thaw(pile->arena, f.body, &item, e) != OK || add_sheet(pile, &item, e) != OK)
            return e->code;
    return cursor_end(&c);
}

/* Papers as a run asked them. */
static enum status take_run(struct app *app, const char *name, bool sensitive, struct pile *pile,
                            struct err *e)
{
    struct suite *suite = NEW(app->arena, struct suite);
    struct run_row run;

    if (store_open(&app->store, app->common.db, DB_READ, e) != OK ||
        store_run_get(app->arena, app->store, name, &run, e) != OK ||
        suite_args_sensitive(app, &run, sensitive, suite, e) != OK || check_kind(suite, e) != OK)
        return e->code;
    pile->suite = suite;
    return take_items(app->store, run.id, pile, e);
}

static enum status print(struct app *app, const struct pile *pile, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf page = BUF_MAX(PAGE_MAX);

    if (pile->n == 0)
        return err_set(e, E_ABSENT, "no sitting %lld", (long long)pile->wanted);
    render_paper(pile->suite, pile->v, pile->n, &page);
    if (page.full)
        return err_set(e, E_INPUT, "the papers are over %d MB; choose one with --sitting",
                       PAGE_MAX >> 20);
    if (!path) {
        (void)fwrite(page.p, 1, page.n, app->out);
        return OK;
    }
    if (file_write(path, buf_str(&page), e) != OK)
        return e->code;
    fprintf(app->err, _("wrote %s (%zu paper%s)\n"), path, pile->n, message_s(pile->n));
    return OK;
}

static enum status paper(struct app *app, struct err *e)
{
    const struct paper_values *v = app->values;
    struct pile pile = {.arena = app->arena, .wanted = v->sitting};
    const char *what = app->args.n ? app->args.v[0] : "latest";

    if ((file_exists(what) ? take_suite(app, what, &pile, e)
                           : take_run(app, what, v->sensitive, &pile, e)) != OK)
        return e->code;
    return print(app, &pile, v->output, e);
}

const struct command cmd_paper_command = {
    .name = "paper",
    .need = NO_STORE, /* a suite needs none */
    .args = "[SUITE|RUN] [-o FILE]",
    .summary = "print the question papers of an interview",
    /* clang-format off */
    .opts = OPTS(
        {"output", 'o', OPT_TEXT, offsetof(struct paper_values, output), "FILE",
         "write FILE [standard output]", 0, 0},
        {"sitting", 0, OPT_COUNT, offsetof(struct paper_values, sitting), "N",
         "only the paper of this sitting [all]", 1, 0},
        {"sensitive", 0, OPT_FLAG, offsetof(struct paper_values, sensitive), NULL,
         "include those of a sensitive suite", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct paper_values),
    .nargs = {0, 1},
    .run = paper,
};
