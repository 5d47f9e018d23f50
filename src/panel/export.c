#include "panel/export.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/csv.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "panel/fact.h"
#include "panel/outcome.h"

enum {
    LINE_MAX_BYTES = 1 << 20,
    LINES_MAX_BYTES = 64 << 20, /* of one assignment: its texts and dimensions are few */
    PART = 64 << 10,
    FIELD_TEXT = 64,
};

#define SCHEMA "audition-ratings/1"

const char *export_system(struct arena *a, const struct campaign *c, const char *system)
{
    char hex[HASH_HEX];
    struct hash h;

    if (c->state == CAMPAIGN_UNMASKED)
        return system;
    hash_init_keyed(&h, str_of(c->secret));
    hash_str(&h, str_of(system));
    hash_hex(&h, hex);
    return arena_printf(a, "system-%.6s", hex);
}

/* ---- columns ---- */

/* One line that is being written. */
struct line {
    struct arena *a;
    const struct campaign *c;
    const struct fact *f;
    const char *ruled_out; /* the rule that excludes the rater; NULL: none */
    enum export_form form;
    struct buf *out;
    bool first;
};

static void put_key(struct line *l, const char *key)
{
    if (!l->first)
        buf_char(l->out, ',');
    l->first = false;
    json_quote(l->out, str_of(key));
    buf_char(l->out, ':');
}

static void put_text(struct line *l, const char *key, struct str text)
{
    if (l->form == EXPORT_CSV) {
        csv_put(l->out, text, l->first);
        l->first = false;
        return;
    }
    put_key(l, key);
    json_quote(l->out, text);
}

/* A number, or nothing at all. */
static void put_number(struct line *l, const char *key, double v)
{
    char text[FIELD_TEXT] = "";

    if (isfinite(v))
        (void)snprintf(text, sizeof text, "%.15g", v);
    if (l->form == EXPORT_CSV) {
        csv_put(l->out, str_of(text), l->first);
        l->first = false;
        return;
    }
    put_key(l, key);
    buf_text(l->out, *text ? text : "null");
}

static void put_time(struct line *l, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT] = "";

    if (ms)
        clock_text(ms, text);
    put_text(l, key, str_of(text));
}

struct column {
    const char *name, *meaning;
    void (*put)(struct line *l, const char *name);
};

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static void put_schema(struct line *l, const char *n)
{
    put_text(l, n, STR(SCHEMA));
}

static void put_campaign(struct line *l, const char *n)
{
    put_text(l, n, str_of(l->c->name));
}

static void put_rater(struct line *l, const char *n)
{
    put_text(l, n, str_of(l->f->pseudonym));
}

static void put_stratum(struct line *l, const char *n)
{
    put_text(l, n, str_of(l->f->stratum));
}

static void put_phase(struct line *l, const char *n)
{
    put_text(l, n, str_of(assign_phase_name(l->f->phase)));
}

static void put_passage(struct line *l, const char *n)
{
    const char *anchor = arena_printf(l->a, "anchor-%lld", (long long)l->f->anchor + 1);

    put_text(l, n, str_of(l->f->item_name ? l->f->item_name : anchor));
}

static void put_system(struct line *l, const char *n)
{
    put_text(l, n, str_of(l->f->system ? export_system(l->a, l->c, l->f->system) : ""));
}

static void put_other(struct line *l, const char *n)
{
    put_text(l, n, str_of(l->f->other_system ? export_system(l->a, l->c, l->f->other_system) : ""));
}

static void put_repeat(struct line *l, const char *n)
{
    put_number(l, n, (double)l->f->repeat);
}

static void put_order(struct line *l, const char *n)
{
    put_number(l, n, (double)l->f->position + 1);
}

static void put_place(struct line *l, const char *n)
{
    put_number(l, n, fact_place(l->f));
}

static void put_dimension(struct line *l, const char *n)
{
    put_text(l, n, str_of(l->f->dimension));
}

static void put_value(struct line *l, const char *n)
{
    put_number(l, n, l->f->cannot ? NAN : l->f->value);
}

static void put_cannot(struct line *l, const char *n)
{
    put_number(l, n, l->f->cannot);
}

static void put_comment(struct line *l, const char *n)
{
    put_text(l, n, l->f->comment);
}

static void put_quotes(struct line *l, const char *n)
{
    put_text(l, n, l->f->quotes);
}

static void put_created(struct line *l, const char *n)
{
    put_time(l, n, l->f->created_ms);
}

static void put_saved(struct line *l, const char *n)
{
    put_time(l, n, l->f->saved_ms);
}

static void put_submitted(struct line *l, const char *n)
{
    put_time(l, n, l->f->submitted_ms);
}

static void put_active(struct line *l, const char *n)
{
    put_number(l, n, (double)l->f->active_ms);
}

static void put_revisions(struct line *l, const char *n)
{
    put_number(l, n, (double)l->f->version - 1);
}

static void put_state(struct line *l, const char *n)
{
    put_text(l, n, str_of(rater_state_name(l->f->rater_state)));
}

static void put_excluded(struct line *l, const char *n)
{
    put_text(l, n, str_of(or_empty(l->f->excluded ? l->f->excluded : l->ruled_out)));
}

static void put_counts(struct line *l, const char *n)
{
    put_number(l, n, !l->ruled_out && fact_counts(l->c, l->f));
}

static const struct column columns[] = {
    {"schema", "form of this table", put_schema},
    {"campaign", "name of the campaign", put_campaign},
    {"rater", "pseudonym of who rated", put_rater},
    {"stratum", "answers about the rater: number of the option to each question, -1 not said",
     put_stratum},
    {"phase",
     "practice, anchor (a text with known marks among the others), main, or repeat (a passage that "
     "the rater was shown before; its marks count nowhere)",
     put_phase},
    {"passage", "item of the run, or anchor text", put_passage},
    {"system",
     "who wrote the text; empty for an anchor text; masked until the campaign is unmasked",
     put_system},
    {"other_system", "of a pair: who wrote the text that was shown second", put_other},
    {"repeat", "which of the system's answers to the item, from 0", put_repeat},
    {"position", "which of the rater's assignments this was, from 1", put_order},
    {"place", "where among the texts of the passage it was shown, from 1", put_place},
    {"dimension", "what was marked; choice for a pair, turn-N for its turn N alone", put_dimension},
    {"value",
     "the mark; of a pair 1 when the first was better, 0 the second, 0.5 neither, -1 both bad; "
     "empty: "
     "cannot say",
     put_value},
    {"cannot_say", "1 when the rater chose \"cannot say\"", put_cannot},
    {"comment", "words of the rater", put_comment},
    {"quotes", "passages that the rater picked, JSON", put_quotes},
    {"created", "when it was first saved, UTC", put_created},
    {"saved", "when it was last saved, UTC", put_saved},
    {"submitted", "when the passage was handed in, UTC; empty: it was not", put_submitted},
    {"active_ms", "time that the page of the passage was looked at, pauses left out", put_active},
    {"revisions", "how often the mark was changed", put_revisions},
    {"rater_state", "how far the rater came", put_state},
    {"excluded", "why the rater was excluded, by somebody or by a rule of the file; empty: not",
     put_excluded},
    {"counts", "1 when it is part of the main table", put_counts},
};

/* ---- lines ---- */

/* One line of the assignment under way. */
struct held {
    int place;
    size_t at, n; /* in the buffer of such lines */
};

struct writing {
    struct arena *a; /* of one line */
    const struct campaign *c;
    struct map ruled_out; /* from pseudonym to rule */
    enum export_form form;
    int64_t assignment; /* whose lines are held back */
    struct buf lines;
    struct held *held;
    size_t n, cap;
    struct buf buf;
    export_fn *fn;
    void *user;
};

static enum status flush(struct writing *w, struct err *e)
{
    enum status st = w->buf.n ? w->fn(w->user, buf_str(&w->buf), e) : OK;

    buf_clear(&w->buf);
    return st;
}

static int by_place(const void *x, const void *y)
{
    const struct held *a = x, *b = y;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Texts come from the store in the order of the run's models, which would tell a mask from another:
 * they leave in the order in which they were shown. */
static enum status release(struct writing *w, struct err *e)
{
    if (w->n)
        qsort(w->held, w->n, sizeof *w->held, by_place);
    for (size_t i = 0; i < w->n; i++) {
        buf_add(&w->buf, (struct str){w->lines.p + w->held[i].at, w->held[i].n});
        if (w->buf.n >= PART && flush(w, e) != OK)
            return e->code;
    }
    w->n = 0;
    buf_clear(&w->lines);
    return OK;
}

static enum status write_fact(void *user, const struct fact *f, struct err *e)
{
    struct writing *w = user;
    const char *rule = map_get(&w->ruled_out, str_of(f->pseudonym));
    struct line l = {w->a, w->c, f, rule, w->form, &w->lines, true};
    size_t at;

    if (f->assignment != w->assignment && release(w, e) != OK)
        return e->code;
    w->assignment = f->assignment;
    at = w->lines.n;
    arena_reset(w->a);
    if (w->form == EXPORT_JSONL)
        buf_char(&w->lines, '{');
    for (size_t i = 0; i < COUNT(columns); i++)
        columns[i].put(&l, columns[i].name);
    buf_text(&w->lines, w->form == EXPORT_JSONL ? "}\n" : "\r\n");
    if (w->lines.full || w->lines.n - at > LINE_MAX_BYTES)
        return err_set(e, E_STORE, "what rater %s wrote about one passage is too long to export",
                       f->pseudonym);
    w->held = mem_grow(w->held, &w->cap, w->n + 1, sizeof *w->held);
    w->held[w->n++] = (struct held){fact_place(f), at, w->lines.n - at};
    return OK;
}

static enum status read_rules(struct arena *a, struct store *s, struct writing *w, struct err *e)
{
    struct score_list rows;

    map_init(&w->ruled_out, a);
    if (outcome_stored(a, s, w->c, &rows, e) != OK)
        return e->code;
    for (size_t i = 0; i < rows.n; i++)
        if (strcmp(rows.v[i].metric, "excluded") == 0 &&
            str_starts(str_of(rows.v[i].subject), STR("rater/")))
            (void)map_put(&w->ruled_out, str_of(rows.v[i].subject + strlen("rater/")),
                          (void *)(uintptr_t)rows.v[i].method);
    return OK;
}

static void write_header(struct writing *w)
{
    for (size_t i = 0; i < COUNT(columns) && w->form == EXPORT_CSV; i++)
        csv_put(&w->buf, str_of(columns[i].name), i == 0);
    if (w->form == EXPORT_CSV)
        buf_text(&w->buf, "\r\n");
}

enum status export_ratings(struct store *s, const struct campaign *c, enum export_form form,
                           export_fn *fn, void *user, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *line = arena_new();
    struct writing w = {.a = line,
                        .c = c,
                        .form = form,
                        .lines = BUF_MAX(LINES_MAX_BYTES),
                        .buf = BUF_MAX(PART + LINE_MAX_BYTES),
                        .fn = fn,
                        .user = user};
    enum status st;

    if (read_rules(a, s, &w, e) != OK)
        return e->code;
    write_header(&w);
    st = fact_each(s, c, write_fact, &w, e);
    if (st == OK)
        st = release(&w, e);
    if (st == OK)
        st = flush(&w, e);
    free(w.held);
    buf_done(&w.lines);
    buf_done(&w.buf);
    return st;
}

struct str export_codebook(struct arena *a, const struct campaign *c)
{
    struct buf b = BUF_MAX(1 << 20);
    struct str text;

    buf_fmt(&b, "# Codebook of campaign %s\n\n", c->name);
    buf_fmt(&b,
            "One line is one mark of one rater on one text in one dimension (form `%s`).\n\n"
            "| column | meaning |\n|---|---|\n",
            SCHEMA);
    for (size_t i = 0; i < COUNT(columns); i++)
        buf_fmt(&b, "| `%s` | %s |\n", columns[i].name, columns[i].meaning);
    buf_text(&b, "\n## Dimensions\n\n");
    for (size_t i = 0; i < c->suite.instrument.ndimensions; i++) {
        const struct dimension *d = &c->suite.instrument.dimensions[i];
        buf_fmt(&b, "- `%s`: %.*s, %g to %g%s\n", d->id, STR_ARG(d->title), d->min, d->max,
                d->lower_is_better ? ", lower is better" : "");
        for (size_t k = 0; k < d->nlevels; k++)
            buf_fmt(&b, "  - %g: %.*s\n", d->levels[k].value, STR_ARG(d->levels[k].text));
    }
    buf_text(&b, "\n## Questions about the rater\n\n");
    for (size_t i = 0; i < c->spec.nabout; i++) {
        const struct question *q = &c->spec.about[i];
        buf_fmt(&b, "- `%s`: %.*s\n", q->id, STR_ARG(q->text.en));
        for (size_t k = 0; k < q->noptions; k++)
            buf_fmt(&b, "  - %zu: %.*s\n", k, STR_ARG(q->options[k].en));
    }
    text = arena_str(a, buf_str(&b));
    buf_done(&b);
    return text;
}
