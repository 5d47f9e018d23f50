#include "web/rate_form.h"

#include "suite/item.h"
#include "talk/voice.h"
#include "web/rate_scale.h"
#include "web/widget.h"

enum { FIRST_WORDS = 60 }; /* code points of a passage that its fold shows */

size_t rate_form_dimensions(const struct campaign *c)
{
    return c->suite.instrument.kind == INSTRUMENT_PAIR ? 1 : c->suite.instrument.ndimensions;
}

const char *rate_form_dimension(const struct campaign *c, size_t i)
{
    return c->suite.instrument.kind == INSTRUMENT_PAIR ? BALLOT_CHOICE
                                                       : c->suite.instrument.dimensions[i].id;
}

/* ---- conversations ---- */

/* Interviews have parts, an examiner and an interviewee; other conversations have names. */
static bool has_parts(const struct suite *s)
{
    return s->elicit.kind == ELICIT_INTERVIEW;
}

static void speaker(struct page *p, const struct suite *suite, const struct item *item,
                    const struct turn *t)
{
    bool model = t->speaker == SPEAKER_MODEL;

    if (has_parts(suite))
        page_say(p, "strong", "who", model ? PHRASE_ROOM_MODEL : PHRASE_ROOM_EXAMINER);
    else if (strcmp(t->kind, TURN_EVENT) == 0)
        page_say(p, "strong", "who", PHRASE_MEET_SCENE);
    else
        html_quote(&p->h, "strong", voice_name(suite, item, t), "class", "who", "lang",
                   suite->language);
}

static void turn_item(struct page *p, const struct suite *suite, const struct item *item,
                      const struct turn *t)
{
    const char *n = page_number(p, t->position);
    struct html *h = &p->h;

    html_open(h, "li", "class", t->speaker == SPEAKER_MODEL ? "said" : "examiner", "data-turn", n);
    html_element(h, "span", "n", n);
    speaker(p, suite, item, t);
    page_lines(p, suite->language, t->text);
    html_close(h);
}

static void one_role(struct page *p, const struct suite *suite, const struct character *who)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "help");
    html_open(h, "summary", NULL);
    html_text(h, page_two(p, WORD_LABELLED, page_phrase(p, PHRASE_ROOM_ROLE), ""));
    html_foreign(h, suite->language, who->name);
    html_close(h);
    page_lines(p, suite->language, who->text);
    html_close(h);
}

void rate_form_role(struct page *p, const struct suite *suite, const struct item *item)
{
    const struct cast *cast = &suite->elicit.dialogue.cast;

    for (size_t i = 0; i < cast->nmembers; i++)
        one_role(p, suite, vocab_character_by(suite, cast->members[i].character));
    if (cast->nmembers == 0)
        one_role(p, suite, vocab_character(suite, item));
}

void rate_form_turns(struct page *p, const struct suite *suite, const struct item *item,
                     const struct turn_list *turns)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "words-of");
    for (size_t i = 0; i < turns->n; i++) {
        bool opens = i == 0 || (has_parts(suite) && turns->v[i].part != turns->v[i - 1].part);
        if (opens && i)
            html_close(h);
        if (opens && has_parts(suite))
            html_element(h, "h3", "part",
                         page_with(p, PHRASE_ROOM_PART, page_number(p, turns->v[i].part)));
        if (opens)
            html_open(h, "ol", "class", "turns");
        turn_item(p, suite, item, &turns->v[i]);
    }
    if (turns->n)
        html_close(h);
    html_close(h);
}

/* ---- the page ---- */

/* "Passage 2 / 10". Anchors and repeats count too, or the counter would give them away. */
static const char *progress(struct request *q, const struct visit *g, enum phase phase,
                            size_t texts)
{
    struct assign_extras mixed;

    if (phase == PHASE_PRACTICE)
        return words_of(q->language, PHRASE_PRACTICE);
    mixed = assign_extras(&g->campaign, g->rater.id, texts);
    return words_with(
        q->arena, q->language,
        has_parts(&g->campaign.suite)       ? PHRASE_PROGRESS_INTERVIEW
        : vocab_is_talk(&g->campaign.suite) ? PHRASE_TALK_N
                                            : PHRASE_PROGRESS,
        arena_printf(q->arena, "%lld / %lld", (long long)g->rater.handed_in + 1,
                     (long long)g->campaign.spec.passages + mixed.anchors + mixed.repeats));
}

static void key_field(struct page *p, const char *id, enum word label, const char *usual)
{
    struct html *h = &p->h;

    html_open(h, "p", "class", "field");
    html_say(h, "label", page_phrase(p, label), "for", id);
    html_leaf(h, "input", "id", id, "value", usual, "maxlength", usual[1] ? "10" : "1",
              "autocomplete", "off", "autocapitalize", "off", "spellcheck", "false",
              "aria-describedby", "keys-fault");
    html_close(h);
}

/* Settings of keyboard shortcuts; the script, which handles the keys, unhides them. */
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
    html_say(h, "button", page_phrase(p, PHRASE_KEYS_USUAL), "type", "button", "class", "quiet",
             "id", "keys-usual");
    html_close(h);
}

/* ---- the pane beside the scales, or above them on a phone ---- */

static bool is_pair(const struct rate_form *f)
{
    return f->g->campaign.suite.instrument.kind == INSTRUMENT_PAIR;
}

/* Is one conversation marked? A pair of them is shown side by side, as texts are. */
static bool is_interview(const struct rate_form *f)
{
    return vocab_is_talk(&f->g->campaign.suite) && !is_pair(f);
}

static void pane_open(struct page *p, enum word title, struct str first, const char *language,
                      bool open)
{
    struct html *h = &p->h;
    struct str head = utf8_head(first, FIRST_WORDS);

    if (head.n < first.n)
        head = str_of(page_printf(p, "%.*s…", STR_ARG(head)));
    html_open(h, "details", "class", open ? "pane unfold whole" : "pane unfold", "open",
              open ? "" : NULL);
    html_open(h, "summary", NULL);
    html_fmt(h, "%s ", page_phrase(p, title));
    html_quote(h, "span", head, "class", "first", "lang", language);
    html_close(h);
    html_open(h, "div", "class", "pane-in");
    page_say(p, "h2", "pane-t", title);
}

/* The passage is to be read first: it is unfolded beside the first text. */
static void passage(struct page *p, const struct rate_form *f)
{
    const char *language = f->g->campaign.suite.language;
    const struct item *item = &f->b->item;
    struct str first = item->nturns ? item->turns[0].text : item->prompt;

    pane_open(p, PHRASE_PASSAGE_TEXT, first, language, f->at == 0);
    for (size_t i = 0; i < item->nturns; i++)
        page_lines(p, language, item->turns[i].text);
    page_lines(p, language, item->prompt);
    html_close_n(&p->h, 2);
}

static void transcript(struct page *p, const struct rate_form *f)
{
    const struct suite *suite = &f->g->campaign.suite;
    const struct slot *slot = &f->b->slots[f->at];

    pane_open(p, has_parts(suite) ? PHRASE_INTERVIEW : PHRASE_TALK, (struct str){0},
              suite->language, true);
    if (!has_parts(suite))
        rate_form_fold(p, PHRASE_MEET_SCENE, suite->language, f->b->item.prompt, true);
    if (suite->ncharacters)
        rate_form_role(p, suite, &f->b->item);
    rate_form_turns(p, suite, &f->b->item, &slot->turns);
    html_close_n(&p->h, 2);
}

/* ---- the text, and where one is ---- */

static const char *text_of(struct page *p, const struct rate_form *f, size_t i)
{
    enum word w = is_pair(f)                         ? PHRASE_PAIR_N
                  : !is_interview(f)                 ? PHRASE_TEXT_N
                  : has_parts(&f->g->campaign.suite) ? PHRASE_INTERVIEW_N
                                                     : PHRASE_TALK_N;

    return page_with(p, w, page_printf(p, "%zu / %zu", i + 1, f->b->n));
}

static void work(struct page *p, const struct rate_form *f)
{
    const struct slot *slot = &f->b->slots[f->at];
    struct html *h = &p->h;

    html_open(h, "div", "class", "work");
    html_open(h, "div", "class", "work-head");
    html_element(h, "h2", NULL, text_of(p, f, f->at));
    if (is_interview(f))
        page_say(p, "p", "soft t14", PHRASE_QUOTE_HOW);
    html_close(h);
    if (!is_pair(f) && !slot->turns.n) {
        html_open(h, "div", "class", "sheet words-of", "id", "text");
        page_lines(p, f->g->campaign.suite.language, slot->text);
        html_close(h);
    }
    rate_scale_all(p, f);
    html_close(h);
}

static size_t marked(const struct rate_form *f, size_t i)
{
    size_t n = 0;

    for (size_t d = 0; d < rate_form_dimensions(&f->g->campaign); d++) {
        const struct ballot_mark *m =
            ballot_mark_of(f->marks, &f->b->slots[i].is, rate_form_dimension(&f->g->campaign, d));
        n += m && !m->unmarked;
    }
    return n;
}

static void dot(struct page *p, const struct rate_form *f, size_t i)
{
    size_t n = marked(f, i), all = rate_form_dimensions(&f->g->campaign);
    const char *cls = n == all ? "done" : n ? "some" : NULL;
    enum word state = n == all ? PHRASE_DOT_DONE : n ? PHRASE_DOT_BEGUN : PHRASE_DOT_OPEN;
    struct html *h = &p->h;

    html_open(h, "li", NULL);
    html_open(h, "button", "type", "submit", "name", "go", "value", page_printf(p, "%zu", i + 1),
              "class", cls, "aria-current", i == f->at ? "step" : NULL, "aria-label",
              page_two(p, WORD_LABELLED, text_of(p, f, i), page_phrase(p, state)));
    html_element(h, "i", NULL, page_printf(p, "%zu", i + 1));
    html_close_n(h, 2);
}

/* The way on comes first: Enter presses the first button of a form. */
static void moves(struct page *p, const struct rate_form *f)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "moves");
    if (f->at + 1 < f->b->n)
        widget_button(p, "filled", PHRASE_NEXT, "go", page_printf(p, "%zu", f->at + 2));
    else
        widget_button(p, "filled", PHRASE_SUBMIT, "then", "submit");
    if (f->at)
        widget_button(p, "", PHRASE_PREVIOUS, "go", page_printf(p, "%zu", f->at));
    html_close(h);
}

static int64_t last_save(const struct rate_form *f)
{
    int64_t at = 0;

    for (size_t i = 0; i < f->marks->n; i++)
        at = f->marks->v[i].saved_ms > at ? f->marks->v[i].saved_ms : at;
    return at;
}

/* The state of saving, with the phrases that the script shows; without a script only "Saved". */
static void status_line(struct page *p, const struct rate_form *f)
{
    size_t n = 0, all = rate_form_dimensions(&f->g->campaign) * f->b->n;
    struct html *h = &p->h;

    for (size_t i = 0; i < f->b->n; i++)
        n += marked(f, i);
    html_open(h, "p", "class", "at");
    html_element(h, "b", NULL, text_of(p, f, f->at));
    html_say(h, "span", page_with(p, PHRASE_MARKS_OF, page_printf(p, "%zu / %zu", n, all)), "id",
             "count", "data-elsewhere", page_printf(p, "%zu", n - marked(f, f->at)), "data-all",
             page_printf(p, "%zu", all), "data-says", page_phrase(p, PHRASE_MARKS_OF));
    html_open(h, "span", "id", "status", "role", "status", "data-at", page_number(p, last_save(f)),
              "data-saved", page_phrase(p, PHRASE_SAVED_AT), "data-saving",
              page_phrase(p, PHRASE_SAVING), "data-offline", page_phrase(p, PHRASE_OFFLINE),
              "data-newer", page_phrase(p, PHRASE_NEWER), "data-ended",
              page_phrase(p, PHRASE_SESSION_OVER), "data-large", page_phrase(p, PHRASE_TOO_LARGE));
    if (f->marks->n)
        html_text(h, page_phrase(p, PHRASE_SAVED));
    html_close_n(h, 2);
}

static void dock(struct page *p, const struct rate_form *f)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "dock rate-dock", "data-last", f->at + 1 == f->b->n ? "" : NULL);
    html_open(h, "div", "class", "wrap");
    moves(p, f);
    status_line(p, f);
    if (f->b->n > 1) {
        html_open(h, "ol", "class", "dots", "aria-label", page_phrase(p, PHRASE_DOTS));
        for (size_t i = 0; i < f->b->n; i++)
            dot(p, f, i);
        html_close(h);
    }
    html_close_n(h, 2);
}

/* ---- other actions: they belong to the same form, so that marks are saved ---- */

static void why_field(struct page *p, const char *name, enum word label)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(p, label), "for", name);
    html_open(h, "textarea", "id", name, "name", name, "rows", "2", "form", "rate");
    html_close_n(h, 2);
}

static void report_form(struct page *p, const struct rate_form *f)
{
    const struct slot *slot = &f->b->slots[f->at];
    struct html *h = &p->h;

    html_open(h, "details", "class", "report-text");
    page_say(p, "summary", NULL, PHRASE_REPORT);
    why_field(p, page_printf(p, "w.%s", slot->name), PHRASE_REPORT_WHY);
    html_say(h, "button", page_phrase(p, PHRASE_REPORT), "type", "submit", "class", "btn", "form",
             "rate", "formaction", page_rater_address(p->q, f->g, f->b->of.id, "/report"), "name",
             "slot", "value", slot->name);
    html_close(h);
}

static void then_button(struct page *p, enum word label, const char *then)
{
    html_say(&p->h, "button", page_phrase(p, label), "type", "submit", "class", "btn", "form",
             "rate", "name", "then", "value", then);
}

static void skipping(struct page *p)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "pass-over");
    page_say(p, "summary", NULL, PHRASE_PASS_OVER);
    page_say(p, "p", NULL, PHRASE_PASS_OVER_LEAD);
    why_field(p, "skip", PHRASE_PASS_OVER_WHY);
    then_button(p, PHRASE_PASS_OVER, "skip");
    html_close(h);
}

void rate_form_fold(struct page *p, enum word title, const char *language, struct str text,
                    bool open)
{
    if (text.n == 0)
        return;
    html_open(&p->h, "details", "class", "help", "open", open ? "" : NULL);
    page_say(p, "summary", NULL, title);
    page_lines(p, language, text);
    html_close(&p->h);
}

void rate_form_room(struct page *p, struct request *q, struct response *r, const struct visit *g,
                    const char *notice)
{
    page_frame(p, q, r, progress(q, g, PHASE_MAIN, 1));
    page_script(p, "room.js");
    if (notice)
        page_alert(p, notice);
}

void rate_form_status(struct page *p)
{
    html_open(&p->h, "p", "id", "status", "role", "status", "data-wait",
              page_phrase(p, PHRASE_ROOM_WAIT));
    html_close(&p->h);
}

/* The script shows this beside selected words, to choose the scale that they are evidence for. */
static void quote_for(struct page *p, const struct rate_form *f)
{
    const struct instrument *in = &f->g->campaign.suite.instrument;
    struct html *h = &p->h;

    if (!is_interview(f))
        return;
    html_open(h, "div", "id", "quote-for", "class", "pop", "role", "group", "aria-label",
              page_phrase(p, PHRASE_QUOTE_FOR), "hidden", "");
    page_say(p, "span", NULL, PHRASE_QUOTE_FOR);
    for (size_t i = 0; i < in->ndimensions; i++)
        html_say(h, "button", in->dimensions[i].id, "type", "button", "class", "btn small",
                 "data-quote",
                 page_printf(p, "%s.%s", f->b->slots[f->at].name, in->dimensions[i].id), "title",
                 arena_text(p->q->arena, in->dimensions[i].title));
    html_close(h);
}

static void aside(struct page *p, const struct rate_form *f)
{
    html_open(&p->h, "div", "class", "aside");
    then_button(p, PHRASE_PAUSE, "pause");
    report_form(p, f);
    if (f->b->of.phase != PHASE_PRACTICE)
        skipping(p);
    keys(p);
    page_rater_leaving(p);
    html_close(&p->h);
}

/* ---- the page ---- */

static void messages(struct page *p, const struct rate_form *f)
{
    if (f->notice)
        page_alert(p, f->notice);
    if (f->nrefused)
        page_alert(p, page_with(p, PHRASE_QUOTE_FALSE, f->refused[0].line));
    if (!f->nmissing)
        return;
    page_alert(p, page_with(p, PHRASE_MISSING, page_printf(p, "%zu", f->nmissing)));
    html_open(&p->h, "p", NULL);
    page_link(p, page_printf(p, "#f.%s.%s", f->missing->name, f->missing_dimension),
              page_phrase(p, PHRASE_MISSING_GO));
    html_close(&p->h);
}

static const char *layout(const struct rate_form *f, bool beside)
{
    return !beside || is_pair(f) ? "rate single" : is_interview(f) ? "rate even" : "rate";
}

/* Is there something to show beside the scales? */
static bool has_pane(const struct rate_form *f)
{
    return is_interview(f) ? f->b->slots[f->at].turns.n != 0
                           : f->b->item.prompt.n || f->b->item.nturns;
}

enum status rate_form_page(struct request *q, struct response *r, const struct rate_form *f)
{
    const char *address = page_rater_address(q, f->g, f->b->of.id, "");
    bool beside = has_pane(f);
    struct page p;

    page_frame(&p, q, r, progress(q, f->g, f->b->of.phase, f->b->n));
    page_script(&p, "rate.js");
    html_open(&p.h, "div", "class", "rate-top");
    html_element(&p.h, "h1", NULL, p.title);
    rate_form_fold(&p, PHRASE_INSTRUCTIONS, NULL,
                   spec_wording(&f->g->campaign.spec.instructions, q->language), false);
    html_close(&p.h);
    messages(&p, f);
    if (f->b->of.phase == PHASE_PRACTICE)
        page_say(&p, "p", "note", PHRASE_PRACTICE_LEAD);
    html_open(&p.h, "form", "method", "post", "action", address, "id", "rate", "class", "bare",
              "autocomplete", "off");
    page_hidden(&p, "csrf", session_form(q, r, address));
    html_open(&p.h, "div", "class", layout(f, beside));
    if (beside && is_interview(f))
        transcript(&p, f);
    else if (beside)
        passage(&p, f);
    work(&p, f);
    html_close(&p.h);
    dock(&p, f);
    html_close(&p.h);
    quote_for(&p, f);
    aside(&p, f);
    return page_close(&p);
}
