#include "web/rate_form.h"

#include "panel/quote.h"
#include "suite/item.h"

enum {
    LEVELS_MAX = 101, /* of a scale without described levels */
    FOLD_FROM = 400,  /* code points: about a phone's screen */
};

size_t rate_form_dimensions(const struct campaign *c)
{
    return c->suite.instrument.kind == INSTRUMENT_PAIR ? 1 : c->suite.instrument.ndimensions;
}

const char *rate_form_dimension(const struct campaign *c, size_t i)
{
    return c->suite.instrument.kind == INSTRUMENT_PAIR ? BALLOT_CHOICE
                                                       : c->suite.instrument.dimensions[i].id;
}

/* One scale of one text, under way. */
struct scale {
    struct page *p;
    const struct rate_form *f;
    const struct slot *slot;
    const char *dimension;
    const struct ballot_mark *mark; /* NULL: nothing was said yet */
};

static const char *field_name(const struct scale *s, char kind)
{
    return arena_printf(s->p->q->arena, "%c.%s.%s", kind, s->slot->name, s->dimension);
}

static bool is_missing(const struct scale *s)
{
    return s->f->missing == s->slot && strcmp(s->f->missing_dimension, s->dimension) == 0;
}

/* ---- one choice ---- */

/* The suite's language, which may be another than the page's. */
static const char *language_of(const struct scale *s)
{
    return s->f->g->campaign.suite.language;
}

/* `language` of the text; NULL: the page's own. */
static void choice(const struct scale *s, const char *value, const char *language, struct str text,
                   bool chosen)
{
    struct html *h = &s->p->h;

    html_open(h, "label", "class", "choice");
    html_leaf(h, "input", "type", "radio", "name", field_name(s, 'v'), "value", value, "checked",
              chosen ? "" : NULL);
    html_open(h, "span", "lang", language);
    if (text.n)
        html_str(h, text);
    else
        html_text(h, value);
    html_close(h);
    html_close(h);
}

static const char *number(const struct scale *s, double v)
{
    return arena_printf(s->p->q->arena, "%g", v);
}

static bool chose(const struct scale *s, double v)
{
    return s->mark && !s->mark->cannot && s->mark->value == v;
}

static void level(const struct scale *s, double v, struct str text)
{
    struct arena *a = s->p->q->arena;
    struct str shown =
        text.n ? str_of(arena_printf(a, "%g · %.*s", v, STR_ARG(text))) : (struct str){0};

    choice(s, number(s, v), text.n ? language_of(s) : NULL, shown, chose(s, v));
}

static void cannot_say(const struct scale *s)
{
    choice(s, "x", NULL, str_of(page_phrase(s->p, PHRASE_CANNOT_SAY)), s->mark && s->mark->cannot);
}

static void levels(const struct scale *s, const struct dimension *d)
{
    for (size_t i = 0; i < d->nlevels; i++)
        level(s, d->levels[i].value, d->levels[i].text);
    for (int i = 0; d->nlevels == 0 && i < LEVELS_MAX && d->min + i <= d->max; i++)
        level(s, d->min + i, (struct str){0});
}

static void pair_choices(const struct scale *s)
{
    choice(s, "1", NULL, str_of(page_phrase(s->p, PHRASE_FIRST)), chose(s, 1));
    choice(s, "0", NULL, str_of(page_phrase(s->p, PHRASE_SECOND)), chose(s, 0));
    if (s->f->g->campaign.suite.instrument.ties)
        choice(s, "0.5", NULL, str_of(page_phrase(s->p, PHRASE_TIE)), chose(s, 0.5));
}

/* ---- words beside a mark ---- */

static void text_area(const struct scale *s, char kind, enum word label, const char *text)
{
    struct html *h = &s->p->h;
    const char *name = field_name(s, kind);

    html_open(h, "div", "class", "field");
    html_open(h, "label", "for", name);
    html_text(h, page_phrase(s->p, label));
    html_close(h);
    html_open(h, "textarea", "id", name, "name", name, "rows", "3");
    html_text(h, text);
    html_close(h);
    if (kind == 'q') {
        page_say(s->p, "small", NULL, PHRASE_QUOTES_HINT);
        html_open(h, "button", "type", "button", "class", "quiet", "data-quote", name, "hidden",
                  "");
        html_text(h, page_phrase(s->p, PHRASE_QUOTE_ADD));
        html_close(h);
    }
    html_close(h);
}

static void words(const struct scale *s)
{
    struct arena *a = s->p->q->arena;

    if (!vocab_is_talk(&s->f->g->campaign.suite))
        return;
    text_area(s, 'q', PHRASE_QUOTES, s->mark ? quote_lines(a, s->mark->quotes) : "");
    text_area(s, 'c', PHRASE_COMMENT, s->mark ? arena_text(a, s->mark->comment) : "");
}

/* ---- one scale ---- */

static void legend(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;

    html_open(h, "legend", NULL);
    if (d)
        html_foreign(h, language_of(s), d->title);
    else
        html_text(h, page_phrase(s->p, PHRASE_BETTER));
    html_close(h);
    if (d && d->description.n) {
        html_open(h, "p", "class", "soft");
        html_foreign(h, language_of(s), d->description);
        html_close(h);
    }
}

static void scale(const struct scale *s, const struct dimension *d)
{
    struct html *h = &s->p->h;
    bool missing = is_missing(s);
    const char *version =
        arena_printf(s->p->q->arena, "%lld", (long long)(s->mark ? s->mark->version : 0));

    html_open(h, "fieldset", "class", missing ? "scale missing" : "scale", "id", field_name(s, 'f'),
              "data-slot", s->slot->name, "data-dimension", s->dimension, "aria-describedby",
              missing ? "missing" : NULL);
    legend(s, d);
    if (missing) {
        html_open(h, "p", "class", "error", "id", "missing");
        html_text(h, page_phrase(s->p, PHRASE_MISSING_HERE));
        html_close(h);
    }
    html_leaf(h, "input", "type", "hidden", "name", field_name(s, 'n'), "value", version);
    if (d)
        levels(s, d);
    else
        pair_choices(s);
    cannot_say(s);
    words(s);
    html_close(h);
}

/* ---- one text ---- */

static void report_form(struct page *p, const struct rate_form *f, const struct slot *slot)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "report-text");
    page_say(p, "summary", NULL, PHRASE_REPORT);
    html_open(h, "div", "class", "field");
    html_open(h, "label", "for", arena_printf(p->q->arena, "w.%s", slot->name));
    html_text(h, page_phrase(p, PHRASE_REPORT_WHY));
    html_close(h);
    html_open(h, "textarea", "id", arena_printf(p->q->arena, "w.%s", slot->name), "name",
              arena_printf(p->q->arena, "w.%s", slot->name), "rows", "2");
    html_close(h);
    html_close(h);
    html_open(h, "button", "class", "quiet", "formaction",
              arena_printf(p->q->arena, "/rate/%lld/report", (long long)f->b->of.id), "name",
              "slot", "value", slot->name);
    html_text(h, page_phrase(p, PHRASE_REPORT));
    html_close(h);
    html_close(h);
}

static void turn_item(struct page *p, const struct suite *suite, const struct turn *t)
{
    struct html *h = &p->h;
    bool model = t->speaker == SPEAKER_MODEL;

    html_open(h, "li", "class", model ? "said" : "examiner", "value",
              arena_printf(p->q->arena, "%lld", (long long)t->position), "data-turn",
              arena_printf(p->q->arena, "%lld", (long long)t->position));
    html_element(h, "strong", NULL,
                 page_phrase(p, model ? PHRASE_ROOM_MODEL : PHRASE_ROOM_EXAMINER));
    page_lines(p, suite->language, t->text);
    html_close(h);
}

void rate_form_role(struct page *p, const struct suite *suite, const struct item *item)
{
    const struct character *who = vocab_character(suite, item);
    struct html *h = &p->h;

    html_open(h, "details", "class", "help");
    html_open(h, "summary", NULL);
    html_fmt(h, "%s: ", page_phrase(p, PHRASE_ROOM_ROLE));
    html_foreign(h, suite->language, who->name);
    html_close(h);
    page_lines(p, suite->language, who->text);
    html_close(h);
}

void rate_form_turns(struct page *p, const struct suite *suite, const struct turn_list *turns)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "words-of");
    for (size_t i = 0; i < turns->n; i++) {
        bool opens = i == 0 || turns->v[i].part != turns->v[i - 1].part;
        if (opens && i)
            html_close(h);
        if (opens) {
            html_element(
                h, "h3", NULL,
                words_with(p->q->arena, p->q->language, PHRASE_ROOM_PART,
                           arena_printf(p->q->arena, "%lld", (long long)turns->v[i].part)));
            html_open(h, "ol", "class", "turns");
        }
        turn_item(p, suite, &turns->v[i]);
    }
    if (turns->n)
        html_close(h);
    html_close(h);
}

/* A text longer than a phone's screen can be folded; it is open, for it is to be read. */
static bool fold(struct page *p, const struct slot *slot)
{
    size_t length = utf8_count(slot->text) + utf8_count(slot->other);

    for (size_t i = 0; i < slot->turns.n; i++)
        length += utf8_count(slot->turns.v[i].text);
    if (length < FOLD_FROM)
        return false;
    html_open(&p->h, "details", "class", "fold", "open", "");
    page_say(p, "summary", NULL, PHRASE_FOLD);
    return true;
}

static void text_body(struct page *p, const struct rate_form *f, const struct slot *slot)
{
    const char *language = f->g->campaign.suite.language;
    struct html *h = &p->h;

    if (slot->turns.n) {
        rate_form_turns(p, &f->g->campaign.suite, &slot->turns);
        return;
    }
    if (f->g->campaign.suite.instrument.kind != INSTRUMENT_PAIR) {
        html_open(h, "div", "class", "words-of");
        page_lines(p, language, slot->text);
        html_close(h);
        return;
    }
    html_open(h, "div", "class", "pair");
    for (int i = 0; i < 2; i++) {
        html_open(h, "div", "class", "words-of");
        html_element(h, "h3", NULL, i ? "B" : "A");
        page_lines(p, language, i ? slot->other : slot->text);
        html_close(h);
    }
    html_close(h);
}

static void slot_section(struct page *p, const struct rate_form *f, size_t i)
{
    const struct instrument *in = &f->g->campaign.suite.instrument;
    const struct slot *slot = &f->b->slots[i];
    struct html *h = &p->h;
    const char *n = arena_printf(p->q->arena, "%zu / %zu", i + 1, f->b->n);
    bool folded;

    html_open(h, "section", "class", "text");
    html_element(h, "h2", NULL,
                 words_with(p->q->arena, p->q->language,
                            in->kind == INSTRUMENT_PAIR ? PHRASE_PAIR_N : PHRASE_TEXT_N, n));
    folded = fold(p, slot);
    text_body(p, f, slot);
    if (folded)
        html_close(h);
    for (size_t d = 0; d < rate_form_dimensions(&f->g->campaign); d++) {
        const char *id = rate_form_dimension(&f->g->campaign, d);
        struct scale s = {p, f, slot, id, ballot_mark_of(f->marks, &slot->is, id)};
        scale(&s, in->kind == INSTRUMENT_PAIR ? NULL : &in->dimensions[d]);
    }
    report_form(p, f, slot);
    html_close(h);
}

/* ---- the page ---- */

/* What is mixed in counts like any passage, or the counter would tell which it is. */
const char *rate_form_progress(struct request *q, const struct rating *g, enum phase phase,
                               size_t texts)
{
    struct assign_extras mixed;

    if (phase == PHASE_PRACTICE)
        return words_of(q->language, PHRASE_PRACTICE);
    mixed = assign_extras(&g->campaign, g->rater.id, texts);
    return words_with(
        q->arena, q->language, PHRASE_PROGRESS,
        arena_printf(q->arena, "%lld / %lld", (long long)g->rater.handed_in + 1,
                     (long long)g->campaign.spec.passages + mixed.anchors + mixed.repeats));
}

static void key_field(struct page *p, const char *id, enum word label, const char *usual)
{
    struct html *h = &p->h;

    html_open(h, "p", "class", "field");
    html_open(h, "label", "for", id);
    html_text(h, page_phrase(p, label));
    html_close(h);
    html_leaf(h, "input", "id", id, "value", usual, "maxlength", usual[1] ? "10" : "1",
              "autocomplete", "off", "autocapitalize", "off", "spellcheck", "false",
              "aria-describedby", "keys-fault");
    html_close(h);
}

/* Which keys do what; the script shows it, since without it there are none. */
static void keys(struct page *p)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "help", "id", "keys", "hidden", "");
    page_say(p, "summary", NULL, PHRASE_KEYS);
    page_say(p, "p", NULL, PHRASE_KEYS_LEAD);
    html_open(h, "label", "class", "choice");
    html_leaf(h, "input", "type", "checkbox", "id", "keys-on", "checked", "");
    html_element(h, "span", NULL, page_phrase(p, PHRASE_KEYS_ON));
    html_close(h);
    key_field(p, "key-marks", PHRASE_KEYS_MARKS, "0123456789");
    key_field(p, "key-next", PHRASE_KEYS_NEXT, "j");
    key_field(p, "key-previous", PHRASE_KEYS_PREVIOUS, "k");
    key_field(p, "key-help", PHRASE_KEYS_HELP, "?");
    html_open(h, "p", "id", "keys-fault", "class", "error", "role", "alert", "data-twice",
              page_phrase(p, PHRASE_KEYS_TWICE));
    html_close(h);
    html_open(h, "button", "type", "button", "class", "quiet", "id", "keys-usual");
    html_text(h, page_phrase(p, PHRASE_KEYS_USUAL));
    html_close(h);
    html_close(h);
}

static void instructions(struct page *p, const struct rate_form *f)
{
    struct html *h = &p->h;
    bool first = f->b->of.position == 0;

    html_open(h, "details", "class", "help", "open", first ? "" : NULL);
    page_say(p, "summary", NULL, PHRASE_INSTRUCTIONS);
    page_lines(p, NULL, spec_wording(&f->g->campaign.spec.instructions, p->q->language));
    html_close(h);
    keys(p);
}

static void passage(struct page *p, const struct rate_form *f)
{
    const char *language = f->g->campaign.suite.language;
    const struct item *item = &f->b->item;
    struct html *h = &p->h;

    if (item->prompt.n == 0 && item->nturns == 0)
        return;
    html_open(h, "section", "class", "passage");
    html_element(h, "h2", NULL, page_phrase(p, PHRASE_PASSAGE));
    if (item->paper.n)
        rate_form_role(p, &f->g->campaign.suite, item);
    for (size_t i = 0; i < item->nturns; i++)
        page_lines(p, language, item->turns[i].text);
    page_lines(p, language, item->prompt);
    html_close(h);
}

/* What the script says, in the reader's language. */
static void script_words(struct page *p)
{
    html_open(&p->h, "p", "id", "status", "role", "status", "aria-live", "polite", "data-saved",
              page_phrase(p, PHRASE_SAVED_AT), "data-saving", page_phrase(p, PHRASE_SAVING),
              "data-offline", page_phrase(p, PHRASE_OFFLINE), "data-newer",
              page_phrase(p, PHRASE_NEWER));
    html_close(&p->h);
}

static void buttons(struct page *p)
{
    struct html *h = &p->h;

    script_words(p);
    html_open(h, "p", "class", "buttons");
    page_button(p, PHRASE_SUBMIT, "then", "submit");
    html_open(h, "button", "class", "quiet", "name", "then", "value", "pause");
    html_text(h, page_phrase(p, PHRASE_PAUSE));
    html_close(h);
    html_close(h);
}

/* In the form, so that what was marked is saved on the way. */
static void skipping(struct page *p)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "pass-over");
    page_say(p, "summary", NULL, PHRASE_PASS_OVER);
    page_say(p, "p", NULL, PHRASE_PASS_OVER_LEAD);
    html_open(h, "div", "class", "field");
    html_open(h, "label", "for", "skip");
    html_text(h, page_phrase(p, PHRASE_PASS_OVER_WHY));
    html_close(h);
    html_open(h, "textarea", "id", "skip", "name", "skip", "rows", "2");
    html_close(h);
    html_close(h);
    html_open(h, "button", "class", "quiet", "name", "then", "value", "skip");
    html_text(h, page_phrase(p, PHRASE_PASS_OVER));
    html_close(h);
    html_close(h);
}

static void messages(struct page *p, const struct rate_form *f)
{
    if (f->notice)
        page_alert(p, f->notice);
    if (!f->nmissing)
        return;
    page_alert(p, words_with(p->q->arena, p->q->language, PHRASE_MISSING,
                             arena_printf(p->q->arena, "%zu", f->nmissing)));
    html_open(&p->h, "p", NULL);
    page_link(p, arena_printf(p->q->arena, "#f.%s.%s", f->missing->name, f->missing_dimension),
              page_phrase(p, PHRASE_MISSING_GO));
    html_close(&p->h);
}

/* Leaving for good is on every page, and never in the way. */
void rate_form_leaving(struct page *p)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "help");
    page_say(p, "summary", NULL, PHRASE_WITHDRAW);
    page_say(p, "p", NULL, PHRASE_WITHDRAW_LEAD);
    page_form(p, "/rate/withdraw");
    html_open(h, "button", "class", "quiet", "name", "ratings", "value", "keep");
    html_text(h, page_phrase(p, PHRASE_WITHDRAW_KEEP));
    html_close(h);
    html_open(h, "button", "class", "quiet", "name", "ratings", "value", "forget");
    html_text(h, page_phrase(p, PHRASE_WITHDRAW_FORGET));
    html_close(h);
    html_close(h);
    page_way(p, "/rate/my-data.json", PHRASE_OWN_DATA);
    html_close(h);
}

void rate_form_page(struct request *q, struct response *r, const struct rate_form *f)
{
    const char *address = arena_printf(q->arena, "/rate/%lld", (long long)f->b->of.id);
    struct page p;

    page_open(&p, q, r, rate_form_progress(q, f->g, f->b->of.phase, f->b->n));
    html_open(&p.h, "script", "type", "module", "src", page_asset(q, "rate.js"));
    html_close(&p.h);
    messages(&p, f);
    if (f->b->of.phase == PHASE_PRACTICE)
        page_say(&p, "p", NULL, PHRASE_PRACTICE_LEAD);
    instructions(&p, f);
    passage(&p, f);
    page_form(&p, address);
    for (size_t i = 0; i < f->b->n; i++)
        slot_section(&p, f, i);
    buttons(&p);
    if (f->b->of.phase != PHASE_PRACTICE)
        skipping(&p);
    html_close(&p.h);
    rate_form_leaving(&p);
    page_close(&p);
}
