#include <math.h>

#include "base/json.h"
#include "report/finding.h"
#include "report/markdown.h"
#include "report/remark.h"
#include "report/tables.h"
#include "suite/mark.h"

enum { SHARED_SHOWN = 80 }; /* code points of a flag's evidence */

struct page {
    struct arena *a;
    const struct report *r;
    struct buf *out;
    const char *language;
    struct tables_how tables;
};

static const char *word(const struct page *p, enum word w)
{
    return words_of(p->language, w);
}

static void heading(const struct page *p, enum word w)
{
    buf_fmt(p->out, "\n## %s\n\n", word(p, w));
}

/* One table, or one for each group of models that met. */
static void board(const struct page *p)
{
    struct report slice;
    size_t from = 0;

    heading(p, WORD_BOARD);
    if (p->r->nmodels == 0) {
        buf_fmt(p->out, "%s\n", word(p, WORD_NO_MODELS));
        return;
    }
    while (show_group(p->r, &from, &slice)) {
        int64_t group = slice.models[0].battles.group;
        if (slice.nmodels < p->r->nmodels)
            buf_fmt(p->out, "\n%s\n\n",
                    group ? words_with(p->a, p->language, WORD_GROUP, arena_int(p->a, group))
                          : word(p, WORD_NOTHING_SCORED));
        table_markdown(tables_board(p->a, &slice, &p->tables, from), p->out);
    }
    buf_char(p->out, '\n');
    markdown_text(p->a, p->out, str_of(finding_whose(p->a, p->r)));
    buf_char(p->out, '\n');
    if (p->r->nclassifiers)
        buf_fmt(p->out, "\n%s\n", word(p, WORD_RATES));
}

static void beside(const struct page *p)
{
    struct tables tables;

    tables_beside(p->a, p->r, &p->tables, &tables);
    for (size_t i = 0; i < tables.n; i++)
        if (tables.v[i].id) {
            buf_fmt(p->out, "\n## %s\n\n", tables.v[i].table->title);
            table_markdown(tables.v[i].table, p->out);
        }
}

static void faults(const struct page *p)
{
    heading(p, WORD_UNSCORED_WHY);
    if (p->r->faults.n == 0)
        buf_fmt(p->out, "%s\n",
                word(p, show_all_scored(p->r) ? WORD_ALL_SCORED : WORD_NO_FAULT_YET));
    for (size_t i = 0; i < p->r->faults.n; i++) {
        const struct fault_count *f = &p->r->faults.v[i];
        buf_fmt(p->out, "- %lld × %s ", (long long)f->n,
                word(p, f->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
        markdown_fmt(p->a, p->out, "%s: %s", f->who,
                     wording_why(p->a, p->language, f->why, f->fault));
        buf_fmt(p->out, " → %s\n", wording_advice(p->language, f->fault, f->state));
    }
}

/* The reason, and the words of the evidence. */
static void flag_reason(const struct page *p, const struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};
    struct str why, where, shared;
    const char *judged;

    if (f->evidence.n == 0 || json_read(f->evidence, &j, &e) != OK)
        return;
    why = json_str_at(j, "why", STR(""));
    if (why.n == 0)
        return;
    where = json_str_at(j, "where", STR(""));
    shared = utf8_head(json_str_at(j, "shared", STR("")), SHARED_SHOWN);
    buf_fmt(p->out, ", %s", wording_flag_why(p->language, arena_text(p->a, why)));
    if (where.n)
        markdown_fmt(p->a, p->out, ", %.*s", STR_ARG(where));
    if (shared.n)
        markdown_fmt(p->a, p->out, ": %.*s", STR_ARG(shared));
    judged = wording_flag_judged(p->a, p->language, f, j);
    if (judged)
        markdown_fmt(p->a, p->out, ", %s", judged);
}

static void flags(const struct page *p)
{
    if (p->r->flags.n == 0)
        return;
    heading(p, WORD_FLAGS);
    for (size_t i = 0; i < p->r->flags.n; i++) {
        const struct flag_row *f = &p->r->flags.v[i];
        markdown_fmt(p->a, p->out, "- %s · %s", f->model_name, f->item_name);
        buf_fmt(p->out, " · %s: %s", wording_repeat(p->a, p->language, f->repeat),
                wording_flag(p->language, f->kind));
        if (isfinite(f->value))
            buf_fmt(p->out, " (%s %.2f)", wording_flag_value(p->language, f->kind), f->value);
        flag_reason(p, f);
        if (f->overruled_by) {
            buf_fmt(p->out, ", %s ", word(p, WORD_OVERRULED));
            markdown_fmt(p->a, p->out, "%s", f->overruled_by);
        }
        buf_char(p->out, '\n');
    }
}

void render_markdown(const struct report *r, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct page p = {a, r, out, r->suite.language, {.language = r->suite.language, .dash = "–"}};
    struct str title = r->suite.title.n ? r->suite.title : str_of(r->suite.id);
    const char *reading[WORDING_READING + FINDING_LIMITS], *finding;
    struct table *from;
    size_t n;

    markdown_fmt(a, out, "# %.*s", STR_ARG(title));
    buf_fmt(out, "\n\n%s %s · %s\n", word(&p, WORD_RUN), remark_name(a, &r->run),
            wording_extent(a, p.language, r->items, r->run.repeats));
    finding = finding_of(a, r);
    if (*finding)
        markdown_fmt(a, out, "\n%s\n", finding);
    board(&p);
    beside(&p);
    faults(&p);
    flags(&p);
    if (r->withheld)
        buf_fmt(out, "\n%s\n", word(&p, WORD_WITHHELD));
    heading(&p, WORD_HOW_TO_READ);
    n = wording_reading(a, &r->suite, reading);
    n += finding_limits(a, r, reading + n);
    for (size_t i = 0; i < n; i++)
        markdown_fmt(a, out, "- %s\n", reading[i]);
    markdown_sittings(a, r, out);
    from = tables_provenance(a, r, &p.tables);
    buf_fmt(out, "\n## %s\n\n", from->title);
    table_markdown(from, out);
}
