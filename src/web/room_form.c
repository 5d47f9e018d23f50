#include "web/room_form.h"

#include "base/clock.h"
#include "report/render_paper.h"
#include "web/rate_form.h"

/* ---- the clock ---- */

static const char *minutes(struct arena *a, int64_t ms)
{
    return arena_printf(a, "%lld:%02lld", (long long)(ms / 60000), (long long)(ms / 1000 % 60));
}

/* The time since then; the script keeps it running. */
static void time_since(struct page *p, enum word label, int64_t then_ms)
{
    int64_t now = clock_utc_ms(), ms = now > then_ms ? now - then_ms : 0;

    html_say(&p->h, "span", page_with(p, label, minutes(p->q->arena, ms)), "data-since",
             page_number(p, ms), "data-label", page_phrase(p, label));
}

static void clock_line(struct page *p, const struct room *r)
{
    if (r->turns.n == 0)
        return;
    html_open(&p->h, "p", "class", "clock soft", "role", "timer");
    time_since(p, PHRASE_ROOM_TIME, r->turns.v[0].at_ms);
    html_text(&p->h, " · ");
    time_since(p, PHRASE_ROOM_TIME_TURN, r->turns.v[r->turns.n - 1].at_ms);
    html_close(&p->h);
}

/* ---- what was said ---- */

static void so_far(struct page *p, const struct room_form *f)
{
    const struct room *r = f->room;
    struct turn_list shown = {NEW_N(p->q->arena, struct turn, r->turns.n + 1), r->turns.n};

    if (r->turns.n == 0)
        return;
    for (size_t i = 0; i < shown.n; i++) {
        shown.v[i] = r->turns.v[i];
        shown.v[i].text = room_shown(p->q->arena, r, r->turns.v[i].text);
    }
    page_say(p, "h2", "vh", PHRASE_ROOM_SO_FAR);
    html_open(&p->h, "div", "class", "chat");
    rate_form_turns(p, &f->g->campaign.suite, &r->item, &shown);
    html_close(&p->h);
}

/* ---- what can be asked ---- */

static void ask_form(struct page *p, const struct room_form *f)
{
    page_form(p, page_rater_address(p->q, f->g, f->room->seat.assignment, "/ask"));
    page_hidden(p, "position", page_printf(p, "%zu", f->room->turns.n + 1));
}

/* A prepared question, which one click asks. */
static void question(struct page *p, const struct room_form *f, size_t i, struct str text)
{
    struct html *h = &p->h;

    html_open(h, "li", NULL);
    html_open(h, "button", "type", "submit", "class", "question", "name", "choice", "value",
              page_printf(p, "%zu", i));
    html_foreign(h, f->g->campaign.suite.language, text);
    html_close_n(h, 2);
}

/* Is it the first question of its kind that has not been asked yet? */
static bool heads_kind(const struct room *r, const struct paper_questions *q, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(q->v[k].kind, q->v[i].kind) == 0 && !room_asked(r, k))
            return false;
    return !room_asked(r, i);
}

/* The questions in the order of the paper, those of a kind together. */
static void questions(struct page *p, const struct room_form *f)
{
    const struct room *r = f->room;
    const struct paper_questions *q = r->due.part == 1 ? &r->paper.part1 : &r->paper.part3;
    struct html *h = &p->h;

    ask_form(p, f);
    for (size_t i = 0; i < q->n; i++) {
        if (!heads_kind(r, q, i))
            continue;
        html_element(h, "h3", NULL, render_paper_kind(p->q->language, q->v[i].kind));
        html_open(h, "ul", "class", "questions");
        for (size_t k = i; k < q->n; k++)
            if (strcmp(q->v[k].kind, q->v[i].kind) == 0 && !room_asked(r, k))
                question(p, f, k, q->v[k].text);
        html_close(h);
    }
    html_close(h);
}

static void task(struct page *p, const struct room_form *f)
{
    page_say(p, "h3", NULL, PHRASE_ROOM_TASK);
    html_open(&p->h, "div", "class", "words-of");
    page_lines(p, f->g->campaign.suite.language, f->room->due.text);
    html_close(&p->h);
    ask_form(p, f);
    page_button(p, PHRASE_ROOM_HAND_OVER, NULL, NULL);
    html_close(&p->h);
}

static size_t follow_ups_left(const struct room *r)
{
    size_t asked = 0;

    for (size_t i = 0; i < r->turns.n; i++)
        asked += strcmp(r->turns.v[i].kind, TURN_FOLLOW_UP) == 0;
    return r->paper.follow_ups - asked;
}

static void follow_up(struct page *p, const struct room_form *f)
{
    const struct room *r = f->room;
    struct html *h = &p->h;

    ask_form(p, f);
    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(p, PHRASE_ROOM_FOLLOW_UP), "for", "own");
    html_open(h, "textarea", "id", "own", "name", "own", "rows", "3", "required", "", "maxlength",
              page_number(p, ROOM_WORDS_MAX), "lang", f->g->campaign.suite.language);
    html_close(h);
    html_element(
        h, "small", NULL,
        page_with(p, PHRASE_ROOM_FOLLOW_UP_HINT, page_printf(p, "%zu", follow_ups_left(r))));
    html_close(h);
    page_button(p, PHRASE_ROOM_ASK, NULL, NULL);
    html_close(h);
    html_open(h, "details", "class", "help");
    page_say(p, "summary", NULL, PHRASE_ROOM_PREPARED);
    ask_form(p, f);
    html_open(h, "ul", "class", "questions");
    for (size_t i = 0; i < r->paper.nprepared; i++)
        if (!room_asked(r, i))
            question(p, f, i, r->paper.prepared[i]);
    html_close_n(h, 3);
}

/* The question was asked and has no answer yet. */
static void waiting(struct page *p, const struct room_form *f)
{
    struct html *h = &p->h;

    if (f->room->awaited) {
        html_open(h, "p", "data-wait", "");
        html_fmt(h, "%s ", page_phrase(p, PHRASE_ROOM_WAIT));
        page_link(p, "/rate", page_phrase(p, PHRASE_ROOM_LOOK));
        html_close(h);
        return;
    }
    page_say(p, "p", NULL, PHRASE_ROOM_SILENT);
    ask_form(p, f);
    page_button(p, PHRASE_ROOM_AGAIN, NULL, NULL);
    html_close(h);
}

static void opening(struct page *p, const struct room_form *f)
{
    struct html *h = &p->h;

    if (!f->room->opens)
        return;
    page_say(p, "p", "soft", PHRASE_ROOM_OPENS);
    html_open(h, "div", "class", "words-of");
    page_lines(p, f->g->campaign.suite.language, f->room->opening.text);
    html_close(h);
}

static void next(struct page *p, const struct room_form *f)
{
    const struct room *r = f->room;
    struct html *h = &p->h;

    html_open(h, "section", "id", "next", "class", "desk", "aria-labelledby", "next-title");
    html_say(h, "h2",
             page_with(p, PHRASE_ROOM_PART, page_printf(p, "%lld / 3", (long long)r->due.part)),
             "id", "next-title");
    clock_line(p, r);
    html_open(h, "div", "class", "questions-in", "tabindex", "0", "role", "group",
              "aria-labelledby", "next-title");
    opening(p, f);
    if (r->next == SITTING_ANSWER)
        waiting(p, f);
    else if (r->next == SITTING_FOLLOW_UP)
        follow_up(p, f);
    else if (strcmp(r->due.kind, TURN_TASK) == 0)
        task(p, f);
    else
        questions(p, f);
    html_close_n(h, 2);
}

static void live_words(struct page *p, const struct room_form *f, const char *cls, enum word who,
                       const char *id)
{
    html_open(&p->h, "div", "class", cls);
    page_say(p, "strong", "who", who);
    html_open(&p->h, "p", "id", id, "lang", f->g->campaign.suite.language, "dir", "auto");
    html_close_n(&p->h, 2);
}

/* Where the script shows the answer while it arrives. */
static void live(struct page *p, const struct room_form *f)
{
    struct html *h = &p->h;

    html_open(h, "div", "id", "live", "class", "turns", "hidden", "");
    live_words(p, f, "examiner", PHRASE_ROOM_EXAMINER, "live-question");
    live_words(p, f, "said", PHRASE_ROOM_MODEL, "live-answer");
    html_close(h);
    rate_form_status(p);
}

/* The character that is examined, and the scene. */
static void setting(struct page *p, const struct room_form *f)
{
    const struct suite *suite = &f->g->campaign.suite;
    const struct character *who = vocab_character(suite, &f->room->item);
    struct html *h = &p->h;

    html_open(h, "div", "class", "head");
    html_element(h, "h1", NULL,
                 page_with(p, PHRASE_ROOM_TITLE, arena_text(p->q->arena, who->name)));
    html_element(h, "p", "meta", p->title);
    html_close(h);
    page_say(p, "p", "note", PHRASE_ROOM_LEAD);
    html_open(h, "div", "class", "folds");
    rate_form_fold(p, PHRASE_ROOM_SETTING, suite->language, f->room->paper.surroundings,
                   !f->room->turns.n);
    rate_form_role(p, suite, &f->room->item);
    rate_form_fold(p, PHRASE_INSTRUCTIONS, NULL,
                   spec_wording(&f->g->campaign.spec.instructions, p->q->language), false);
    html_close(h);
}

enum status room_form_page(struct request *q, struct response *r, const struct room_form *f)
{
    struct page p;

    rate_form_room(&p, q, r, f->g, f->notice);
    setting(&p, f);
    html_open(&p.h, "div", "class", "room");
    html_open(&p.h, "div", "class", "talk");
    so_far(&p, f);
    live(&p, f);
    html_close(&p.h);
    next(&p, f);
    html_close(&p.h);
    page_rater_leaving(&p);
    return page_close(&p);
}
