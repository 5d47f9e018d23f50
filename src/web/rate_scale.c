#include "web/rate_scale.h"

#include "panel/quote.h"

enum { LEVELS_MAX = 101 }; /* of a scale without described levels */

/* The scale of a text that is being written. */
struct scale {
    struct page *p;
    const struct rate_form *f;
    const struct slot *slot;
    const char *dimension;
    const struct ballot_mark *mark; /* NULL: nothing was said yet */
};

static const char *field_name(const struct scale *s, char kind)
{
    return page_printf(s->p, "%c.%s.%s", kind, s->slot->name, s->dimension);
}

static bool is_missing(const struct scale *s)
{
    return s->f->missing == s->slot && strcmp(s->f->missing_dimension, s->dimension) == 0;
}

/* The suite's language, which may be another than the page's. */
static const char *language_of(const struct scale *s)
{
    return s->f->g->campaign.suite.language;
}

/* The content of a field: as sent with this request, or else as stored. */
static const char *held(const struct scale *s, char kind, const char *stored)
{
    struct str sent = request_form(s->p->q, field_name(s, kind));

    return sent.p ? arena_text(s->p->q->arena, sent) : stored;
}

static bool chose(const struct scale *s, double v)
{
    return s->mark && !s->mark->unmarked && !s->mark->cannot && s->mark->value == v;
}

static bool cannot(const struct scale *s)
{
    return s->mark && !s->mark->unmarked && s->mark->cannot;
}

/* ---- one choice ---- */

static void radio(const struct scale *s, const char *value, bool chosen, const char *described)
{
    html_leaf(&s->p->h, "input", "type", "radio", "name", field_name(s, 'v'), "value", value,
              "checked", chosen ? "" : NULL, "aria-describedby", described);
}

/* The id of the element with the words of a level. */
static const char *level_id(const struct scale *s, double v)
{
    return page_printf(s->p, "l.%s.%s.%g", s->slot->name, s->dimension, v);
}

static void level(const struct scale *s, double v, bool described)
{
    html_open(&s->p->h, "label", NULL);
    radio(s, page_printf(s->p, "%g", v), chose(s, v), described ? level_id(s, v) : NULL);
    html_fmt(&s->p->h, "%g", v);
    html_close(&s->p->h);
}

static void buttons(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;

    html_open(h, "div", "class", "seg");
    for (size_t i = 0; i < d->nlevels; i++)
        level(s, d->levels[i].value, d->levels[i].text.n != 0);
    for (int i = 0; d->nlevels == 0 && i < LEVELS_MAX && d->min + i <= d->max; i++)
        level(s, d->min + i, false);
    html_open(h, "label", "class", "cs");
    radio(s, "x", cannot(s), NULL);
    html_text(h, page_phrase(s->p, PHRASE_CANNOT_SAY));
    html_close_n(h, 2);
}

/* ---- what the levels mean ---- */

/* The style sheet shows the question, or the words of the level that is chosen or focused, and so
 * relies on the order, which is that of the buttons. */
static void meanings(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;

    html_open(h, "span", "class", "meant", "lang", language_of(s), "dir", "auto");
    html_quote(h, "span", d->description, "class", "q");
    for (size_t i = 0; i < d->nlevels; i++)
        html_quote(h, "span", d->levels[i].text, "class", "l", "aria-hidden", "true");
    html_close(h);
}

static void all_levels(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;

    html_open(h, "ol", "class", "levels", "lang", language_of(s));
    for (size_t i = d->nlevels; i-- > 0;) {
        html_open(h, "li", "id", level_id(s, d->levels[i].value));
        html_element(h, "b", NULL, page_printf(s->p, "%g", d->levels[i].value));
        html_text(h, " ");
        html_quote(h, "span", d->levels[i].text, "dir", "auto");
        html_close(h);
    }
    html_close(h);
}

static bool described(const struct dimension *d)
{
    for (size_t i = 0; i < d->nlevels; i++)
        if (d->levels[i].text.n)
            return true;
    return false;
}

static void levels(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;

    if (!described(d)) {
        html_open(h, "p", "class", "soft t14 alone");
        html_foreign(h, language_of(s), d->description);
        html_close(h);
        return;
    }
    html_open(h, "details", "class", "lv");
    html_open(h, "summary", NULL);
    meanings(s, d);
    html_text(h, " ");
    html_element(h, "span", "more", page_phrase(s->p, PHRASE_ALL_LEVELS));
    html_close(h);
    all_levels(s, d);
    html_close(h);
}

/* ---- words beside a mark ---- */

/* A quotation of this field that is not in the text; NULL: all of them are. */
static const struct rate_refusal *refused(const struct scale *s)
{
    for (size_t i = 0; i < s->f->nrefused; i++)
        if (s->f->refused[i].slot == s->slot &&
            strcmp(s->f->refused[i].dimension, s->dimension) == 0)
            return &s->f->refused[i];
    return NULL;
}

static void text_area(const struct scale *s, char kind, enum word label, const char *text,
                      const char *fault)
{
    struct html *h = &s->p->h;
    const char *name = field_name(s, kind), *said = field_name(s, 'e');

    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(s->p, label), "for", name);
    html_say(h, "textarea", text, "id", name, "name", name, "rows", "2", "aria-invalid",
             fault ? "true" : NULL, "aria-describedby", kind == 'q' ? said : NULL);
    if (kind == 'q') {
        html_open(h, "small", "id", said);
        html_text(h, page_phrase(s->p, PHRASE_QUOTES_HINT));
        html_open(h, "span", "class", "error", "role", "status", "data-false",
                  page_phrase(s->p, PHRASE_QUOTE_FALSE));
        if (fault)
            html_fmt(h, " %s", fault);
        html_close_n(h, 2);
    }
    html_close(h);
}

static void words(const struct scale *s)
{
    struct arena *a = s->p->q->arena;
    const struct rate_refusal *no = refused(s);
    const char *quotes, *comment;
    struct html *h = &s->p->h;

    if (!vocab_is_talk(&s->f->g->campaign.suite))
        return;
    quotes = held(s, 'q', s->mark ? quote_lines(a, s->mark->quotes) : "");
    comment = held(s, 'c', s->mark ? arena_text(a, s->mark->comment) : "");
    html_open(h, "details", "class", "ev", "open", no || *quotes || *comment ? "" : NULL);
    page_say(s->p, "summary", NULL, PHRASE_EVIDENCE);
    text_area(s, 'q', PHRASE_QUOTES, quotes,
              no ? words_with(a, s->p->q->language, PHRASE_QUOTE_FALSE, no->line) : NULL);
    text_area(s, 'c', PHRASE_COMMENT, comment, NULL);
    html_close(h);
}

/* ---- a row, or a pair ---- */

static void scale_open(const struct scale *s, const char *cls)
{
    struct html *h = &s->p->h;
    bool missing = is_missing(s);

    html_open(h, "fieldset", "class",
              page_printf(s->p, "scale %s%s", cls, missing ? " missing" : ""), "id",
              field_name(s, 'f'), "data-slot", s->slot->name, "data-dimension", s->dimension,
              "aria-describedby", missing ? "missing" : NULL);
}

static void after_legend(const struct scale *s)
{
    struct html *h = &s->p->h;

    if (is_missing(s))
        html_say(h, "p", page_phrase(s->p, PHRASE_MISSING_HERE), "class", "error", "id", "missing");
    html_leaf(h, "input", "type", "hidden", "name", field_name(s, 'n'), "value",
              arena_int(s->p->q->arena, s->mark ? s->mark->version : 0));
}

static void row(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;

    scale_open(s, "dim");
    html_open(h, "legend", NULL);
    html_foreign(h, language_of(s), d->title);
    html_close(h);
    after_legend(s);
    buttons(s, d);
    levels(s, d);
    words(s);
    html_close(h);
}

static void pick(const struct scale *s, const char *value, bool chosen, enum word label)
{
    struct html *h = &s->p->h;

    html_open(h, "label", "class", "pick");
    radio(s, value, chosen, NULL);
    html_text(h, page_phrase(s->p, label));
    html_close(h);
}

/* Two cards with a button each, and below them the choices that concern both. */
static void duel(const struct scale *s)
{
    struct html *h = &s->p->h;

    scale_open(s, "versus");
    page_say(s->p, "legend", "vh", PHRASE_BETTER);
    after_legend(s);
    if (ballot_turned(s->f->marks, &s->slot->is))
        page_say(s->p, "p", "note", PHRASE_MEET_WHOLE);
    html_open(h, "div", "class", "duel");
    for (int i = 0; i < 2; i++) {
        html_open(h, "div", "class", "sheet side");
        html_open(h, "h3", NULL);
        html_element(h, "span", "tag", i ? "B" : "A");
        html_close(h);
        html_open(h, "div", "class", "words-of");
        page_lines(s->p, language_of(s), i ? s->slot->other : s->slot->text);
        html_close(h);
        pick(s, i ? "0" : "1", chose(s, i ? 0 : 1), i ? PHRASE_SECOND : PHRASE_FIRST);
        html_close(h);
    }
    html_close(h);
    html_open(h, "div", "class", "picks");
    if (s->f->g->campaign.suite.instrument.ties) {
        pick(s, "0.5", chose(s, 0.5), PHRASE_TIE);
        pick(s, "-1", chose(s, BALLOT_BAD), PHRASE_MEET_BAD);
    }
    pick(s, "x", cannot(s), PHRASE_CANNOT_SAY);
    html_close(h);
    if (vocab_is_talk(&s->f->g->campaign.suite))
        text_area(s, 'c', PHRASE_MEET_REASON,
                  held(s, 'c', s->mark ? arena_text(s->p->q->arena, s->mark->comment) : ""), NULL);
    html_close(h);
}

void rate_scale_all(struct page *p, const struct rate_form *f)
{
    const struct instrument *in = &f->g->campaign.suite.instrument;
    const struct slot *slot = &f->b->slots[f->at];

    html_open(&p->h, "div", "class", "dims");
    for (size_t d = 0; d < rate_form_dimensions(&f->g->campaign); d++) {
        const char *id = rate_form_dimension(&f->g->campaign, d);
        struct scale s = {p, f, slot, id, ballot_mark_of(f->marks, &slot->is, id)};
        if (in->kind == INSTRUMENT_PAIR)
            duel(&s);
        else
            row(&s, &in->dimensions[d]);
    }
    html_close(&p->h);
}
