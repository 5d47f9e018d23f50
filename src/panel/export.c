#include "panel/export.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/csv.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "panel/fact.h"
#include "panel/outcome.h"
#include "text/rune.h"

enum {
    LINE_MAX_BYTES = 1 << 20,
    LINES_MAX_BYTES = 64 << 20, /* of one assignment: it has few texts and dimensions */
    PART = 64 << 10,
    FIELD_TEXT = 64,
};

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

/* In the order in which put_fact() writes them. */
static const struct {
    const char *name, *meaning;
} columns[] = {
    {"schema", "form of this table"},
    {"campaign", "name of the campaign"},
    {"rater", "pseudonym of who rated"},
    {"stratum", "answers about the rater: number of the option to each question, -1 not said"},
    {"phase",
     "practice, anchor (a text with known marks among the others), main, or repeat (a passage that "
     "the rater was shown before; its marks count nowhere)"},
    {"passage", "item of the run, or anchor text"},
    {"system",
     "who wrote the text; empty for an anchor text; masked until the campaign is unmasked"},
    {"other_system", "of a pair: who wrote the text that was shown second"},
    {"repeat", "which of the system's answers to the item, from 0"},
    {"position", "which of the rater's assignments this was, from 1"},
    {"place", "where among the texts of the passage it was shown, from 1"},
    {"dimension", "what was marked; choice for a pair, turn-N for its turn N alone"},
    {"value",
     "the mark; of a pair 1 when the first was better, 0 the second, 0.5 neither, -1 both bad; "
     "empty: cannot say"},
    {"cannot_say", "1 when the rater chose \"cannot say\""},
    {"comment",
     "words of the rater; empty until the campaign is unmasked, unless whoever asks may unmask it"},
    {"quotes", "passages that the rater picked, JSON; empty where comments are"},
    {"created", "when it was first saved, UTC"},
    {"saved", "when it was last saved, UTC"},
    {"submitted", "when the passage was handed in, UTC; empty: it was not"},
    {"active_ms", "time that the page of the passage was looked at, pauses left out"},
    {"revisions", "how often the mark was changed"},
    {"rater_state", "how far the rater came"},
    {"excluded", "why the rater was excluded, by somebody or by a rule of the file; empty: not"},
    {"counts", "1 when it is part of the main table"},
};

/* A line being written. */
struct line {
    const struct export_how *how;
    struct buf *out;
    size_t n; /* columns written so far */
};

static void put_field(struct line *l, const char *name, struct str text, bool is_text)
{
    assert(l->n < COUNT(columns) && strcmp(columns[l->n].name, name) == 0);
    if (l->how->form == EXPORT_CSV) {
        csv_put(l->out, text, l->n++ == 0);
        return;
    }
    if (l->n++)
        buf_char(l->out, ',');
    json_quote(l->out, str_of(name));
    buf_char(l->out, ':');
    if (is_text)
        json_quote(l->out, text);
    else
        buf_add(l->out, text.n ? text : STR("null"));
}

/* NULL: empty. */
static void put_text(struct line *l, const char *name, const char *text)
{
    put_field(l, name, str_of(text), true);
}

/* Empty if undefined. */
static void put_number(struct line *l, const char *name, double v)
{
    char text[FIELD_TEXT] = "";

    if (isfinite(v))
        (void)snprintf(text, sizeof text, "%.15g", v);
    put_field(l, name, str_of(text), false);
}

static void put_time(struct line *l, const char *name, int64_t ms)
{
    char text[CLOCK_TEXT] = "";

    if (ms)
        clock_text(ms, text);
    put_text(l, name, text);
}

/* ruled_out: the rule that excludes the rater; NULL: none. */
static void put_fact(struct line *l, struct arena *a, const struct campaign *c,
                     const struct fact *f, const char *ruled_out)
{
    const char *anchor = arena_printf(a, "anchor-%lld", (long long)f->anchor + 1);
    /* a quotation can be found in the run, where the model has its name */
    bool may = l->how->may_unmask || c->state == CAMPAIGN_UNMASKED;

    put_text(l, "schema", EXPORT_SCHEMA);
    put_text(l, "campaign", c->name);
    put_text(l, "rater", f->pseudonym);
    put_text(l, "stratum", f->stratum);
    put_text(l, "phase", assign_phase_name(f->phase));
    put_text(l, "passage", f->item_name ? f->item_name : anchor);
    put_text(l, "system", f->system ? export_system(a, c, f->system) : "");
    put_text(l, "other_system", f->other_system ? export_system(a, c, f->other_system) : "");
    put_number(l, "repeat", (double)f->repeat);
    put_number(l, "position", (double)f->position + 1);
    put_number(l, "place", fact_place(f));
    put_text(l, "dimension", f->dimension);
    put_number(l, "value", f->cannot ? NAN : f->value);
    put_number(l, "cannot_say", f->cannot);
    put_field(l, "comment", may ? rune_clean(a, f->comment) : STR(""), true); /* for terminals */
    put_field(l, "quotes", may ? f->quotes : STR(""), true);
    put_time(l, "created", f->created_ms);
    put_time(l, "saved", f->saved_ms);
    put_time(l, "submitted", f->submitted_ms);
    put_number(l, "active_ms", (double)f->active_ms);
    put_number(l, "revisions", (double)f->version - 1);
    put_text(l, "rater_state", rater_state_name(f->rater_state));
    put_text(l, "excluded", f->excluded ? f->excluded : ruled_out);
    put_number(l, "counts", !ruled_out && fact_counts(c, f));
}

/* ---- lines ---- */

/* A line of the current assignment. */
struct held {
    int place;
    uint64_t lot;
    size_t at, n; /* in the buffer of such lines */
};

struct writing {
    struct arena *a; /* of one line */
    const struct campaign *c;
    struct map ruled_out; /* pseudonym to rule */
    const struct export_how *how;
    int64_t assignment; /* whose lines are being held back */
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
    if (a->lot != b->lot)
        return a->lot < b->lot ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* A random key to order texts whose places are unknown. */
static uint64_t lot_of(const struct campaign *c, const struct fact *f)
{
    struct hash h;

    hash_init_keyed(&h, str_of(c->secret));
    hash_int(&h, f->assignment);
    hash_int(&h, f->sample);
    hash_int(&h, f->other);
    return hash_u64(&h);
}

/* The store returns texts in the order of the run's models, which would reveal the systems; they
 * are written in the order in which they were shown. */
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

static enum status write_fact(struct writing *w, const struct fact *f, struct err *e)
{
    const char *rule = map_get(&w->ruled_out, str_of(f->pseudonym));
    struct line l = {w->how, &w->lines, 0};
    size_t at;

    if (f->assignment != w->assignment && release(w, e) != OK)
        return e->code;
    w->assignment = f->assignment;
    at = w->lines.n;
    arena_reset(w->a);
    if (w->how->form == EXPORT_JSONL)
        buf_char(&w->lines, '{');
    put_fact(&l, w->a, w->c, f, rule);
    assert(l.n == COUNT(columns));
    buf_text(&w->lines, w->how->form == EXPORT_JSONL ? "}\n" : "\r\n");
    if (w->lines.full || w->lines.n - at > LINE_MAX_BYTES)
        return err_set(e, E_STORE, "what rater %s wrote about one passage is too long to export",
                       f->pseudonym);
    w->held = mem_grow(w->held, &w->cap, w->n + 1, sizeof *w->held);
    w->held[w->n++] = (struct held){fact_place(f), lot_of(w->c, f), at, w->lines.n - at};
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
    if (w->how->form != EXPORT_CSV)
        return;
    for (size_t i = 0; i < COUNT(columns); i++)
        csv_put(&w->buf, str_of(columns[i].name), i == 0);
    buf_text(&w->buf, "\r\n");
}

static enum status write_facts(struct writing *w, struct store *s, struct err *e)
{
    AUTO(cursor_close) struct cursor c = fact_list(s, w->c, e);
    struct fact f;

    while (fact_next(&c, &f))
        if (write_fact(w, &f, e) != OK)
            return e->code;
    if (cursor_end(&c) != OK || release(w, e) != OK)
        return e->code;
    return flush(w, e);
}

enum status export_ratings(struct store *s, const struct campaign *c, const struct export_how *how,
                           export_fn *fn, void *user, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *line = arena_new();
    struct writing w = {.a = line,
                        .c = c,
                        .how = how,
                        .lines = BUF_MAX(LINES_MAX_BYTES),
                        .buf = BUF_MAX(PART + LINE_MAX_BYTES),
                        .fn = fn,
                        .user = user};
    enum status st;

    if (read_rules(a, s, &w, e) != OK)
        return e->code;
    write_header(&w);
    st = write_facts(&w, s, e);
    free(w.held);
    buf_done(&w.lines);
    buf_done(&w.buf);
    return st;
}

struct str export_codebook(struct arena *a, const struct campaign *c)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    buf_fmt(&b, "# Codebook of campaign %s\n\n", c->name);
    buf_fmt(&b,
            "One line is one mark of one rater on one text in one dimension (form `%s`).\n\n"
            "| column | meaning |\n|---|---|\n",
            EXPORT_SCHEMA);
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
    return arena_str(a, buf_str(&b));
}
