#include "web/invitation.h"

#include "panel/assign.h"
#include "store/store.h"
#include "web/widget.h"

/* Seconds that people need, roughly, as was observed. */
enum { READ_S = 25, MARK_S = 8, PAIR_S = 45, INTERVIEW_S = 20 * 60, ROOM_S = 35 * 60, TALK_S = 60 };

void invitation_steps(struct page *p, const struct campaign *c, enum invitation_step at)
{
    const enum word names[] = {PHRASE_STEP_INVITATION, PHRASE_STEP_CONSENT,
                               c->spec.practice.on ? PHRASE_PRACTICE : PHRASE_INSTRUCTIONS,
                               PHRASE_RATING};
    struct html *h = &p->h;

    html_open(h, "ol", "class", "steps", "aria-label", page_phrase(p, PHRASE_STEPS));
    for (size_t i = 0; i < COUNT(names); i++) {
        html_open(h, "li", "class", i < (size_t)at ? "past" : NULL, "aria-current",
                  i == (size_t)at ? "step" : NULL);
        html_fmt(h, "%zu", i + 1);
        html_element(h, "span", NULL, arena_printf(h->scratch, ". %s", page_phrase(p, names[i])));
        html_close(h);
    }
    html_close(h);
}

/* ---- how much there is to do ---- */

static enum status texts_of(struct page *p, const struct campaign *c, int64_t *out, struct err *e)
{
    const struct instrument *in = &c->suite.instrument;
    struct party_list models;

    if (store_party_list(p->q->arena, p->q->store, PARTY_MODEL, c->run.id, &models, e) != OK)
        return e->code;
    *out = (int64_t)models.n + (c->spec.reference ? 1 : 0);
    if (in->kind == INSTRUMENT_PAIR)
        *out = c->spec.pairs;
    if (campaign_examines(&c->suite))
        *out = 1;
    return OK;
}

/* The number of passages as the pages count them: with anchors and repeats. */
static int64_t passages(const struct campaign *c, int64_t texts)
{
    struct assign_extras x = assign_extras_most(c, (size_t)texts);

    return c->spec.passages + x.anchors + x.repeats;
}

static int64_t minutes(const struct campaign *c, int64_t texts)
{
    const struct instrument *in = &c->suite.instrument;
    int64_t one = in->kind == INSTRUMENT_PAIR ? PAIR_S : READ_S + MARK_S * (int64_t)in->ndimensions;

    if (c->spec.minutes)
        return c->spec.minutes;
    if (campaign_meets(&c->suite)) /* of a turn */
        one = TALK_S * c->suite.elicit.dialogue.turns;
    else if (vocab_is_talk(&c->suite))
        one = campaign_examines(&c->suite) ? ROOM_S : INTERVIEW_S;
    return (passages(c, texts) * texts * one / 60 + 5) / 5 * 5;
}

static void fact(struct page *p, int64_t n, enum word unit, enum word means, const char *of)
{
    widget_tile(p, unit, page_number(p, n), NULL,
                of ? page_with(p, means, of) : page_phrase(p, means));
}

static void facts(struct page *p, const struct campaign *c, int64_t texts)
{
    bool talk = vocab_is_talk(&c->suite), meets = campaign_meets(&c->suite),
         pair = c->suite.instrument.kind == INSTRUMENT_PAIR,
         interview = c->suite.elicit.kind == ELICIT_INTERVIEW;

    html_open(&p->h, "div", "class", "facts");
    fact(p, passages(c, texts),
         interview ? PHRASE_FACT_INTERVIEWS
         : talk    ? PHRASE_FACT_TALKS
                   : PHRASE_FACT_PASSAGES,
         meets && pair ? PHRASE_FACT_TALK_TWO
         : meets       ? PHRASE_FACT_TALK
         : talk        ? PHRASE_FACT_WHOLE
         : pair        ? PHRASE_FACT_PAIRS
                       : PHRASE_FACT_TEXTS,
         talk ? NULL : page_number(p, texts));
    fact(p, minutes(c, texts), PHRASE_FACT_MINUTES, PHRASE_FACT_ANYTIME, NULL);
    if (!pair)
        fact(p, (int64_t)c->suite.instrument.ndimensions, PHRASE_FACT_QUESTIONS,
             interview ? PHRASE_FACT_OF_INTERVIEW
             : talk    ? PHRASE_FACT_OF_TALK
                       : PHRASE_FACT_OF_TEXT,
             NULL);
    html_close(&p->h);
}

/* ---- what one should know ---- */

static void term(struct page *p, enum word name, const char *text)
{
    struct html *h = &p->h;

    html_open(h, "div", NULL);
    page_say(p, "dt", NULL, name);
    html_open(h, "dd", NULL);
    html_foreign(h, NULL, str_of(text));
    html_close_n(h, 2);
}

static void terms(struct page *p, const struct campaign *c)
{
    html_open(&p->h, "dl", "class", "terms");
    term(p, PHRASE_TERM_NEXT, page_phrase(p, PHRASE_INVITED_LEAD));
    if (c->spec.practice.on)
        term(p, PHRASE_PRACTICE, page_phrase(p, PHRASE_TERM_PRACTICE));
    if (c->spec.contact)
        term(p, PHRASE_TERM_CONTACT, c->spec.contact);
    if (c->spec.deadline_ms) {
        html_open(&p->h, "div", NULL);
        page_say(p, "dt", NULL, PHRASE_DEADLINE);
        html_open(&p->h, "dd", NULL);
        page_time(p, c->spec.deadline_ms);
        html_text(&p->h, " UTC");
        html_close_n(&p->h, 2);
    }
    html_close(&p->h);
}

enum status invitation_show(struct page *p, const struct campaign *c, struct err *e)
{
    struct str purpose = spec_wording(&c->spec.purpose, p->q->language);
    int64_t texts = 0;

    if (texts_of(p, c, &texts, e) != OK)
        return e->code;
    if (purpose.n) {
        html_open(&p->h, "p", "class", "finding");
        html_foreign(&p->h, NULL, purpose);
        html_close(&p->h);
    }
    facts(p, c, texts);
    terms(p, c);
    return OK;
}
