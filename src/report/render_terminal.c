#include "base/message.h"
#include "report/grid.h"
#include "report/noise_table.h"
#include "report/remark.h"
#include "report/tables.h"
#include "report/traffic_table.h"
#include "report/whisker.h"
#include "suite/mark.h"

enum { NAME_MOST = 32, WHY_MOST = 240 };

struct board {
    struct arena *a;
    const struct report *r;
    const struct render_terminal *how;
    const struct whisker_signs *signs;
    struct tables_how tables;
    struct buf *out;
    size_t name; /* width of the names on the board */
};

static const char *word(enum word w)
{
    return words_of(message_language(), w);
}

static struct str name(const struct board *b, const char *text, size_t columns)
{
    return grid_name(b->a, str_of(text), columns, b->signs->more);
}

static void heading(const struct board *b, const char *text)
{
    buf_fmt(b->out, b->how->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

/* ---- the line above the board ---- */

enum { HEADER_MAX = 64 << 10 };

static void header(const struct board *b)
{
    const struct report *r = b->r;
    const char *dot = b->signs->dot;
    const struct suite_title of = {r->suite.id, arena_text(b->a, r->suite.title), r->run.titles};
    struct str title = str_of(store_title(b->a, of, message_language()));
    size_t most = b->how->columns > 20 ? (size_t)b->how->columns : 20;
    AUTO(buf_done) struct buf line = BUF_MAX(HEADER_MAX);

    buf_add(&line, grid_text(b->a, title, most, b->signs->more));
    buf_fmt(&line, _(" %s run %s %s %lld item%s"), dot, remark_name(b->a, &r->run), dot,
            (long long)r->items, message_s(r->items));
    if (r->run.repeats > 1)
        buf_fmt(&line, _(" %s %lld repeats"), b->signs->times, (long long)r->run.repeats);
    if (r->njudges)
        buf_fmt(&line, _(" %s judge%s"), dot, r->njudges > 1 ? "s" : "");
    for (size_t i = 0; i < r->njudges; i++) {
        struct str judge = name(b, r->judges[i].name, NAME_MOST);
        buf_fmt(&line, "%s %.*s", i ? "," : "", STR_ARG(judge));
    }
    grid_headline(b->out, buf_str(&line), dot, b->how->window ? most : SIZE_MAX);
    buf_char(b->out, '\n');
}

/* ---- tables ---- */

/* One board, or one for each group of models that met, each on its own scale. */
static void models(struct board *b)
{
    struct report slice;
    size_t from = 0;

    while (show_group(b->r, &from, &slice)) {
        int64_t group = slice.models[0].battles.group;
        if (slice.nmodels < b->r->nmodels)
            heading(b,
                    group ? words_with(b->a, message_language(), WORD_GROUP, arena_int(b->a, group))
                          : word(WORD_NOTHING_SCORED));
        b->name = table_terminal(tables_board(b->a, &slice, &b->tables, from), b->how, b->out);
    }
}

/* Tables beside the board; without `full`, only dimensions, totals and panels. */
static void details(const struct board *b)
{
    struct tables beside;

    tables_beside(b->a, b->r, &b->tables, &beside);
    for (size_t i = 0; i < beside.n; i++) {
        struct table *t = beside.v[i].table;
        const char *id = beside.v[i].id;
        bool scores = id && (strcmp(id, "dimensions") == 0 || strcmp(id, "totals") == 0);
        bool panels = id && strcmp(id, "panels") == 0; /* always say whose numbers these are */
        if (!id || !(scores || panels || b->how->full))
            continue;
        if (scores) {
            t->title = strcmp(id, "totals") == 0 ? _("totals")
                       : t->nnotes ? _("dimensions, as judged: rules act on the score alone")
                                   : _("dimensions");
            t->nnotes = 0;
        }
        if (beside.v[i].about == ABOUT_MODELS)
            t->name = b->name;
        (void)table_terminal(t, b->how, b->out);
    }
}

/* Notes on the ratings and the sources of noise, unless the full tables already say it. */
static void notes(const struct board *b)
{
    const char *noise =
        noise_table_line(b->a, &b->r->noise, b->r->jury.campaign != 0, message_language());

    if (b->how->full)
        return;
    if (b->r->nnotes || noise)
        buf_char(b->out, '\n');
    for (size_t i = 0; i < b->r->nnotes; i++)
        grid_note(b->a, message_show(b->a, NULL, b->r->notes[i]), (size_t)b->how->columns,
                  b->how->colour, b->out);
    if (noise)
        grid_note(b->a, noise, (size_t)b->how->columns, b->how->colour, b->out);
}

/* ---- what was not scored ---- */

static void faults(const struct board *b)
{
    const struct fault_list *l = &b->r->faults;
    size_t columns = (size_t)b->how->columns;

    if (l->n == 0)
        return;
    heading(b, _("unscored and failed, and why"));
    for (size_t i = 0; i < l->n; i++) {
        const struct fault_count *f = &l->v[i];
        struct str who = name(b, f->who, NAME_MOST);
        const char *said = wording_why(b->a, NULL, f->why, f->fault);
        struct str why = grid_text(b->a, str_of(said), WHY_MOST, b->signs->more);
        bool unscored = f->state == STATE_UNSCORED;
        buf_fmt(b->out, "%6lld  ", (long long)f->n);
        grid_lines(b->out,
                   str_of(arena_printf(b->a,
                                       !f->is_judge ? _("model %.*s failed: %.*s")
                                       : unscored   ? _("judge %.*s unscored: %.*s")
                                                    : _("judge %.*s failed: %.*s"),
                                       STR_ARG(who), STR_ARG(why))),
                   columns, 8, 8);
        buf_fmt(b->out, "        %s ", b->signs->then);
        grid_lines(b->out, str_of(wording_advice(message_language(), f->fault, f->state)), columns,
                   10, 10);
    }
}

/* What is still missing from the numbers above. */
static void still_to_come(const struct board *b)
{
    bool battles = show_pair(b->r) && b->r->njudges; /* without a judge: answers */
    int64_t n = 0, missing = show_missing(b->r);

    if (missing)
        buf_fmt(b->out, _("\n%lld answer%s not there yet: the run is unfinished\n"),
                (long long)missing, message_s(missing));
    for (size_t i = 0; i < b->r->nmodels; i++)
        n += show_pair(b->r) && !battles ? b->r->models[i].done : b->r->models[i].unjudged;
    if (battles) /* each battle is counted with both models */
        n /= 2;
    if (n)
        buf_fmt(b->out,
                battles ? _("\n%lld battle%s not judged yet\n")
                        : _("\n%lld answer%s not judged yet\n"),
                (long long)n, message_s(n));
}

static void method(const struct board *b)
{
    const struct score_row *s = b->r->nmodels ? b->r->models[0].score : NULL;
    struct show_range range;

    if (!s || !show_range(b->r, &range))
        return;
    buf_char(b->out, '\n');
    grid_note(b->a,
              s->method && strncmp(s->method, "M, ", 3) != 0 ? message_show(b->a, NULL, s->method)
                                                             : word(wording_method(&b->r->suite)),
              (size_t)b->how->columns, b->how->colour, b->out);
}

void render_terminal(const struct report *r, const struct render_terminal *how, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct board b = {
        .a = a,
        .r = r,
        .how = how,
        .signs = whisker_signs(how->unicode),
        .out = out,
    };

    b.tables = (struct tables_how){.language = message_language(), .dash = b.signs->dash};
    header(&b);
    if (r->nmodels == 0) {
        buf_fmt(out, "  %s\n", word(WORD_NO_MODELS));
        return;
    }
    models(&b);
    still_to_come(&b);
    if (show_any_scored(r))
        details(&b);
    notes(&b);
    if (r->ntraffic)
        (void)table_terminal(traffic_table(a, r->traffic, r->ntraffic, b.tables.language), how,
                             out);
    faults(&b);
    method(&b);
}
