#include "web/meeting_form.h"

#include "web/rate_form.h"
#include "web/widget.h"

static bool is_two(const struct meeting_form *f)
{
    return f->meeting->n > 1;
}

static void words(struct page *p, const struct meeting_form *f, struct str text)
{
    page_lines(p, f->g->campaign.suite.language, meeting_shown(f->meeting, text));
}

/* ---- what was said ---- */

static void mine(struct page *p, const struct meeting_form *f, const struct turn *t)
{
    struct html *h = &p->h;

    if (!t)
        return;
    html_open(h, "div", "class", "say me");
    page_say(p, "span", "who", PHRASE_MEET_YOU);
    html_open(h, "div", "class", "bubble");
    page_lines(p, f->g->campaign.suite.language, t->text);
    html_close_n(h, 2);
}

static void answer(struct page *p, const struct meeting_form *f, size_t side, const struct turn *t)
{
    struct html *h = &p->h;

    html_open(h, "article", "class", side ? "reply b" : "reply a");
    if (is_two(f)) {
        html_open(h, "h2", NULL);
        html_element(h, "span", "tag", side ? "B" : "A");
        html_close(h);
    }
    html_open(h, "div", "class", "words-of");
    words(p, f, t->text);
    html_close_n(h, 2);
}

static void vote(struct page *p, const struct meeting_form *f, int64_t exchange)
{
    static const struct {
        const char *value, *is;
        double of;
        enum word word;
        bool ties;
    } choices[] = {{"1", "A", 1, WORDS, false},
                   {"0", "B", 0, WORDS, false},
                   {"0.5", NULL, 0.5, PHRASE_MEET_TIE, true},
                   {"-1", NULL, BALLOT_BAD, PHRASE_MEET_BAD, true}};
    const char *name = page_printf(p, "vote.%lld", (long long)exchange);
    const struct ballot_mark *now = meeting_vote_of(f->votes, exchange);
    struct html *h = &p->h;

    html_open(h, "fieldset", "class", "vote");
    page_say(p, "legend", NULL, PHRASE_MEET_BETTER);
    html_open(h, "div", "class", "seg");
    for (size_t i = 0; i < COUNT(choices); i++) {
        if (choices[i].ties && !f->g->campaign.suite.instrument.ties)
            continue;
        html_open(h, "label", NULL);
        html_leaf(h, "input", "type", "radio", "name", name, "value", choices[i].value, "checked",
                  now && now->value == choices[i].of ? "" : NULL);
        html_text(h, choices[i].is ? choices[i].is : page_phrase(p, choices[i].word));
        html_close(h);
    }
    html_close(h);
    html_open(h, "label", "class", "why");
    html_text(h, page_phrase(p, PHRASE_WHY));
    html_leaf(h, "input", "name", page_printf(p, "why.%lld", (long long)exchange), "value",
              now ? arena_text(p->q->arena, now->comment) : "", "maxlength", "1000");
    html_close_n(h, 2);
}

/* One exchange, which all models have answered. */
static void exchange(struct page *p, const struct meeting_form *f, int64_t n)
{
    const struct meeting *m = f->meeting;
    struct html *h = &p->h;

    html_open(h, "section", "class", "round", "aria-label",
              page_with(p, PHRASE_MEET_TURN, page_number(p, n)));
    mine(p, f, meeting_said_of(m, n));
    html_open(h, "div", "class", is_two(f) ? "duel" : NULL);
    for (size_t i = 0; i < m->n; i++) {
        const struct turn *t = meeting_answer_of(m, i, n);
        if (t)
            answer(p, f, i, t);
    }
    html_close(h);
    if (is_two(f))
        vote(p, f, n);
    html_close(h);
}

/* What comes before the rater's first words; it is the same on both sides. */
static void before(struct page *p, const struct meeting_form *f)
{
    const struct turn_list *turns = &f->meeting->sides[0].talk.turns;
    struct html *h = &p->h;

    for (size_t i = 0; i < turns->n && turns->v[i].part == 0; i++) {
        if (turns->v[i].speaker != SPEAKER_MODEL) {
            mine(p, f, &turns->v[i]);
            continue;
        }
        html_open(h, "article", "class", "reply before words-of");
        words(p, f, turns->v[i].text);
        html_close(h);
    }
}

static void so_far(struct page *p, const struct meeting_form *f)
{
    const struct meeting *m = f->meeting;

    before(p, f);
    for (int64_t n = 1; n <= m->answered; n++)
        exchange(p, f, n);
    if (m->said > m->answered)
        mine(p, f, meeting_said_of(m, m->said));
}

/* ---- what comes next ---- */

static void say(struct page *p, const struct meeting_form *f)
{
    const struct meeting *m = f->meeting;
    struct html *h = &p->h;

    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(p, is_two(f) ? PHRASE_MEET_SAY_TWO : PHRASE_MEET_SAY), "for",
             "own");
    html_open(h, "textarea", "id", "own", "name", "own", "rows", "2", "maxlength",
              page_number(p, MEETING_WORDS_MAX), "lang", f->g->campaign.suite.language);
    html_close_n(h, 2);
    html_open(h, "div", "class", "row wide");
    widget_button(p, "filled", PHRASE_MEET_SEND, NULL, NULL);
    if (m->answered)
        html_say(h, "button", page_phrase(p, is_two(f) ? PHRASE_MEET_END_TWO : PHRASE_MEET_END),
                 "type", "submit", "name", "do", "value", "end", "class", "quiet", "formnovalidate",
                 "");
    html_close(h);
}

static void wait(struct page *p, const struct meeting *m)
{
    struct html *h = &p->h;

    if (!m->awaited && m->sides[0].saved == 0) { /* the words of the scene are not sent yet */
        widget_button(p, "filled", PHRASE_MEET_SEND, NULL, NULL);
        return;
    }
    if (!m->awaited) {
        page_say(p, "p", NULL, PHRASE_ROOM_SILENT);
        page_button(p, PHRASE_ROOM_AGAIN, NULL, NULL);
        return;
    }
    html_open(h, "p", "data-wait", "");
    html_fmt(h, "%s ", page_phrase(p, PHRASE_ROOM_WAIT));
    if (p->q->session->pass)
        page_button(p, PHRASE_ROOM_LOOK, NULL, NULL); /* counts as late, and shows the page */
    else
        page_link(p, "/rate", page_phrase(p, PHRASE_ROOM_LOOK));
    html_close(h);
}

/* Where the script shows what was sent, and that it is waiting for the answer. */
static void live(struct page *p, const struct meeting_form *f)
{
    struct html *h = &p->h;

    html_open(h, "div", "id", "live", "class", "say me", "hidden", "");
    page_say(p, "span", "who", PHRASE_MEET_YOU);
    html_open(h, "p", "id", "live-question", "class", "bubble", "lang",
              f->g->campaign.suite.language, "dir", "auto");
    html_close_n(h, 2);
    rate_form_status(p);
}

static void next(struct page *p, const struct meeting_form *f)
{
    const struct meeting *m = f->meeting;
    bool answer_due = m->next == MEETING_ANSWER;

    page_hidden(p, "position", page_number(p, answer_due ? m->said : m->said + 1));
    if (answer_due)
        wait(p, m);
    else
        say(p, f);
}

/* ---- the model's part and the rater's ---- */

static void setting(struct page *p, const struct meeting_form *f)
{
    const struct suite *suite = &f->g->campaign.suite;
    const struct meeting *m = f->meeting;
    struct str part = m->user->who;
    struct html *h = &p->h;

    if (m->user->wants.n)
        part = str_of(page_printf(p, "%.*s\n%.*s", STR_ARG(part), STR_ARG(m->user->wants)));
    html_open(h, "div", "class", "head");
    html_element(h, "h1", NULL,
                 page_with(p, is_two(f) ? PHRASE_MEET_TITLE_TWO : PHRASE_MEET_TITLE,
                           arena_text(p->q->arena, m->who->name)));
    html_element(h, "p", "meta", p->title);
    html_element(
        h, "span", "pill",
        page_with(p, PHRASE_MEET_TURN,
                  page_printf(p, "%lld / %lld",
                              (long long)(m->answered < m->limit ? m->answered + 1 : m->limit),
                              (long long)m->limit)));
    html_close(h);
    page_say(p, "p", "note", is_two(f) ? PHRASE_MEET_LEAD_TWO : PHRASE_MEET_LEAD);
    html_open(h, "div", "class", "folds");
    rate_form_fold(p, PHRASE_MEET_SCENE, suite->language, m->item.prompt, m->said == 0);
    rate_form_fold(p, PHRASE_MEET_PART, suite->language, part, m->said == 0);
    rate_form_role(p, suite, &m->item);
    rate_form_fold(p, PHRASE_INSTRUCTIONS, NULL,
                   spec_wording(&f->g->campaign.spec.instructions, p->q->language), false);
    html_close(h);
}

enum status meeting_form_page(struct request *q, struct response *r, const struct meeting_form *f)
{
    struct page p;

    rate_form_room(&p, q, r, f->g, f->notice);
    setting(&p, f);
    html_open(&p.h, "div", "id", "next", "class", "meeting");
    page_form(&p, page_rater_address(q, f->g, f->meeting->assignment, "/ask"));
    so_far(&p, f);
    live(&p, f);
    next(&p, f);
    html_close_n(&p.h, 2);
    page_rater_leaving(&p);
    return page_close(&p);
}
