#include "web/pages.h"

#include <math.h>

#include "base/json.h"
#include "gauge/items.h"
#include "report/part.h"
#include "report/pick.h"
#include "report/show.h"
#include "report/sittings.h"
#include "store/store_work.h"
#include "suite/item.h"
#include "web/explore.h"
#include "web/page_flags.h"
#include "web/quotes.h"

/* A few samples of a run, as a report holds them. */
struct few {
    struct explore x;
    struct report r;
    const char *language; /* of the suite's texts */
};

static enum status load(struct request *q, const struct sample_filter *which, struct few *f,
                        struct err *e)
{
    struct sample_filter filter = *which;

    *f = (struct few){0};
    if (explore_load(q, &f->x, e) != OK)
        return e->code;
    if (f->x.suite.sensitive)
        return err_set(e, E_ABSENT, "the suite of run %s is sensitive", f->x.run.name);
    f->r.run = f->x.run;
    f->r.suite = f->x.suite;
    f->language = f->x.suite.language;
    filter.run = f->x.run.id;
    if (jury_find(q->arena, q->store, f->x.run.id, NULL, &f->r.jury, e) != OK ||
        store_flag_list(q->arena, q->store, f->x.run.id, &f->r.flags, e) != OK ||
        pick_those(q->arena, q->store, &filter, &f->r, e) != OK)
        return e->code;
    if (!f->r.nsamples)
        return err_set(e, E_ABSENT, "there is no such answer in run %s", f->x.run.name);
    return sittings_take(q->arena, q->store, &f->r, e);
}

static struct part part_of(struct page *p, const struct few *f)
{
    return (struct part){
        .h = &p->h,
        .r = &f->r,
        .language = p->q->language,
        .flags = page_printf(p, "/runs/%s/flags", f->x.run.name),
    };
}

/* ---- what was asked ---- */

static void spoken(struct page *p, const char *who, const char *language, struct str text, bool me)
{
    html_open(&p->h, "div", "class", me ? "speech me" : "speech");
    html_element(&p->h, "p", "who", who);
    explore_text(p, "text", language, text);
    html_close(&p->h);
}

static void question(struct page *p, const struct few *f, const struct report_sample *s)
{
    if (s->sitting) { /* the transcript has what was said, and the paper has an interview's
                         questions */
        if (f->x.suite.elicit.kind == ELICIT_DIALOGUE)
            spoken(p, page_phrase(p, PHRASE_MEET_SCENE), f->language, s->prompt, false);
        return;
    }
    for (size_t i = 0; i < s->nturns; i++)
        spoken(p, s->turns[i].role, f->language, s->turns[i].text,
               strcmp(s->turns[i].role, "assistant") == 0);
    spoken(p, page_phrase(p, WORD_PROMPT), f->language, s->prompt, false);
    if (s->reference.n) {
        page_fold(p, WORD_REFERENCE);
        explore_text(p, "text", f->language, s->reference);
        html_close(&p->h);
    }
}

/* ---- what was said about it ---- */

static void marks(struct page *p, const struct few *f, const struct report_sample *s,
                  const struct report_verdict *v, const struct quotes *quotes)
{
    const struct part part = part_of(p, f);
    char text[SHOW_MAX];

    for (size_t i = 0; i < v->nmarks; i++) {
        const struct report_mark *m = &v->marks[i];
        const struct dimension *d = vocab_dimension(&f->r.suite.instrument, m->dimension);
        struct show_range range = d ? explore_worst_to_best(d) : (struct show_range){0, 0};
        html_open(&p->h, "div", "class", "mark-row");
        html_open(&p->h, "p", "class", "spread");
        html_say(&p->h, "span",
                 d ? explore_dimension(p->q, d) : wording_about_mark(p->q->language, m->dimension),
                 "lang", d ? f->language : NULL);
        html_element(&p->h, "span",
                     page_printf(p, "chip %s", widget_shade(m->value, range.lo, range.hi)),
                     str_exact(text, m->value));
        html_close(&p->h);
        if (m->analysis.n)
            quotes_comment(p, quotes, f->language, m->analysis);
        part_comment(&part, s, m);
        html_close(&p->h);
    }
}

static void verdict(struct page *p, const struct few *f, const struct report_sample *s,
                    const struct report_verdict *v, const struct quotes *quotes)
{
    struct arena *a = p->q->arena;
    const struct part part = part_of(p, f);

    html_open(&p->h, "article", "class", "card");
    html_open(&p->h, "div", "class", "spread");
    html_open(&p->h, "h3", NULL);
    explore_judge(p, v->judge);
    part_about(&part, s, v);
    if (v->repeat)
        html_fmt(&p->h, " · %s", wording_repeat(a, p->q->language, v->repeat));
    html_close(&p->h);
    if (v->state != STATE_DONE)
        widget_state(p, "bad",
                     page_phrase(p, v->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
    else if (v->nmarks > 1 && !v->about)
        html_element(&p->h, "span", "soft", explore_number(p, v->mean, 2));
    html_close(&p->h);
    if (v->state != STATE_DONE && v->why)
        html_element(&p->h, "p", "why", wording_why(p->h.scratch, p->q->language, v->why, ""));
    if (v->shown_a)
        html_element(&p->h, "p", "meta",
                     page_printf(p, "A: %s · B: %s → %s%s%s%s", v->shown_a, v->shown_b,
                                 v->choice ? v->choice : "–", v->winner ? " (" : "",
                                 v->winner ? v->winner : "", v->winner ? ")" : ""));
    marks(p, f, s, v, quotes);
    if (v->reason.n)
        quotes_comment(p, quotes, f->language, v->reason);
    if (v->reply.n) {
        page_fold(p, WORD_REPLY);
        explore_text(p, "raw", f->language, v->reply);
        html_close(&p->h);
    }
    html_close(&p->h);
}

/* ---- flags ---- */

static void flags(struct page *p, const struct few *f, const struct report_sample *s)
{
    const struct part part = part_of(p, f);
    bool any = false;

    for (size_t i = 0; i < f->r.flags.n; i++) {
        const struct flag_row *flag = &f->r.flags.v[i];
        if (flag->sample != s->id)
            continue;
        if (!any)
            widget_section(p, "flags", page_phrase(p, PHRASE_FLAGS), NULL);
        any = true;
        page_flags_open(p, &f->x.run, flag, true);
        if (part_flag_turn(s, flag))
            part_turn_link(&part, s, part_flag_turn(s, flag));
        page_flags_close(p, &f->x.run, &f->x.suite, flag, true);
    }
    if (any)
        html_close(&p->h);
}

/* ---- word for word ---- */

static struct str pretty(struct arena *a, struct str text)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e;
    char *s;

    if (json_read(text, &j, &e) != OK)
        return text;
    s = json_dumps(j, JSON_INDENT(2));
    if (s)
        text = arena_str(a, str_of(s));
    free(s);
    return text;
}

static enum status traffic(struct page *p, const struct few *f, int64_t sample, struct err *e)
{
    const struct sample_filter one = {.run = f->x.run.id, .id = sample};
    struct arena *a = p->q->arena;
    struct cursor c = store_samples(p->q->store, &one, e);
    struct sample_row t = {0};
    struct call_row call = {0};

    (void)store_sample_next(&c, &t);
    if (cursor_end(&c) != OK ||
        (t.call && store_call_get(a, p->q->store, t.call, &call, e) != OK && e->code != E_ABSENT))
        return e->code;
    widget_section(p, "traffic", page_phrase(p, SEE_TRAFFIC), NULL);
    if (t.tokens_out > 0) /* not known of recorded answers */
        html_element(&p->h, "p", "note",
                     page_printf(p, "%lld + %lld %s · %.1f s", (long long)t.tokens_in,
                                 (long long)t.tokens_out, page_phrase(p, WORD_TOKENS),
                                 (double)t.elapsed_ms / 1000));
    if (call.run != f->x.run.id) { /* there was no request, or another run's, or it is deleted */
        page_say(p, "p", NULL, SEE_NO_TRAFFIC);
    } else {
        const struct str texts[] = {pretty(a, call.request), pretty(a, call.response)};
        for (size_t i = 0; i < COUNT(texts); i++) {
            page_fold(p, i ? SEE_RAW_REPLY : SEE_REQUEST);
            explore_text(p, "raw", NULL, texts[i]);
            html_close(&p->h);
        }
    }
    html_close(&p->h);
    return OK;
}

/* ---- an interview ---- */

/* A strip with a cell for every answer; those with a sign of a slipping role stand out. */
static void strip(struct page *p, const struct report_sample *s)
{
    const struct report_sitting *t = s->sitting;

    html_open(&p->h, "div", "class", "strip", "role", "group", "aria-label",
              page_phrase(p, SEE_STRIP));
    for (size_t i = 0; i < t->turns.n; i++) {
        const struct turn *turn = &t->turns.v[i];
        const char *sign = NULL;
        if (turn->speaker != SPEAKER_MODEL)
            continue;
        for (size_t k = 0; k < t->signs.n && !sign; k++)
            if (t->signs.v[k].turn == turn->position)
                sign = wording_sign(p->q->language, t->signs.v[k].kind);
        html_open(&p->h, "a", "class", sign ? "cell broken" : "cell", "href",
                  page_printf(p, "#s%lldt%lld", (long long)s->id, (long long)turn->position),
                  "title", sign ? sign : page_phrase(p, SEE_IN_ROLE));
        html_fmt(&p->h, "%lld", (long long)turn->position);
        if (sign)
            html_element(&p->h, "span", "vh", sign);
        html_close(&p->h);
    }
    html_close(&p->h);
}

/* ---- one sample ---- */

static void dock(struct page *p, const struct few *f, int64_t before, int64_t after)
{
    html_open(&p->h, "nav", "class", "dock", "aria-label", page_phrase(p, SEE_PAGES));
    html_open(&p->h, "div", "class", "wrap");
    if (before)
        widget_go(p, "small", explore_sample_to(p->q, f->x.run.name, before), SEE_PREVIOUS);
    if (after)
        widget_go(p, "small", explore_sample_to(p->q, f->x.run.name, after), SEE_NEXT_ONE);
    widget_go(p, "small quiet",
              explore_to(p->q, explore_run_to(p->q, &f->x.run, "/item"), "id", f->r.samples[0].item,
                         NULL),
              SEE_SAME_ITEM);
    html_close_n(&p->h, 2);
}

static void failure(struct page *p, const struct report_sample *s)
{
    if (s->state == STATE_FAILED)
        html_element(&p->h, "p", "why", wording_why(p->h.scratch, p->q->language, s->why, ""));
}

static void answer(struct page *p, const struct few *f, const struct report_sample *s,
                   const struct quotes *quotes)
{
    const struct part part = part_of(p, f);

    html_open(&p->h, "div", NULL);
    html_open(&p->h, "div", "class", "spread");
    page_say(p, "h2", NULL, s->sitting ? SITTING_TRANSCRIPT : WORD_ANSWER);
    if (isfinite(s->value))
        explore_chip(p, &f->x.suite, "chip big", s->value);
    html_close(&p->h);
    if (s->rule)
        widget_notice(p, "warn", page_with(p, SEE_RULED, wording_flag(p->q->language, s->rule)));
    question(p, f, s);
    if (s->sitting) {
        html_quote(&p->h, "h3", s->sitting->character, "lang", f->language);
        strip(p, s);
        failure(p, s);
        part_sitting(&part, s);
    } else {
        html_open(&p->h, "div", "class", "speech me");
        html_element(&p->h, "p", "who", s->model);
        failure(p, s);
        quotes_answer(p, quotes, f->language);
        html_close(&p->h);
    }
    html_close(&p->h);
}

enum status page_sample_show(struct request *q, struct response *r, struct err *e)
{
    const struct sample_filter which = {.id = request_int(request_param(q, "sample"), -1)};
    int64_t before = 0, after = 0;
    const struct report_sample *s;
    struct quotes quotes = {.a = q->arena};
    struct few f;
    struct page p;

    if (load(q, &which, &f, e) != OK ||
        store_sample_beside(q->store, f.x.run.id, which.id, &before, &after, e) != OK)
        return e->code;
    s = &f.r.samples[0];
    quotes.answer = s->answer;
    for (size_t i = 0; i < s->nverdicts; i++) {
        quotes_find(&quotes, s->verdicts[i].reason);
        for (size_t m = 0; m < s->verdicts[i].nmarks; m++)
            quotes_find(&quotes, s->verdicts[i].marks[m].analysis);
    }
    const char *title = arena_printf(q->arena, "%s · %s · %s", s->model, s->item,
                                     wording_repeat(q->arena, q->language, s->repeat));
    explore_open(&p, q, r, &f.x, TAB_SAMPLES, title);
    widget_head(&p, title, NULL);
    html_open(&p.h, "div", "class", "columns two");
    answer(&p, &f, s, &quotes);
    html_open(&p.h, "div", NULL);
    page_say(&p, "h2", NULL, PHRASE_VERDICTS);
    if (!s->nverdicts)
        widget_empty(&p, SEE_NO_VERDICT);
    if (explore_warn_of(&p, s, e) != OK)
        return e->code;
    for (size_t i = 0; i < s->nverdicts; i++)
        verdict(&p, &f, s, &s->verdicts[i], &quotes);
    html_close_n(&p.h, 2);
    flags(&p, &f, s);
    if (!q->publish && traffic(&p, &f, s->id, e) != OK)
        return e->code;
    dock(&p, &f, before, after);
    return page_close(&p);
}

/* ---- all answers to one item ---- */

static void answer_card(struct page *p, const struct few *f, const struct report_sample *s)
{
    html_open(&p->h, "article", "class", "card");
    html_open(&p->h, "div", "class", "spread");
    html_open(&p->h, "h2", NULL);
    page_link(p, explore_sample_to(p->q, f->x.run.name, s->id), s->model);
    html_element(&p->h, "small", "soft",
                 page_printf(p, " %s", wording_repeat(p->q->arena, p->q->language, s->repeat)));
    html_close(&p->h);
    if (isfinite(s->value))
        explore_chip(p, &f->x.suite, "chip", s->value);
    html_close(&p->h);
    if (s->flag)
        widget_state(p, "warn", wording_flag(p->q->language, s->flag->kind));
    failure(p, s);
    explore_text(p, "text", f->language, s->answer);
    html_close(&p->h);
}

static void card_line(struct page *p, const struct few *f, enum word name, struct str text)
{
    if (text.n == 0)
        return;
    page_say(p, "dt", NULL, name);
    html_quote(&p->h, "dd", text, "lang", f->language);
}

/* What the author says about the item, and how hard it turned out to be. */
static enum status item_card(struct page *p, const struct few *f, const struct item *item,
                             struct err *e)
{
    struct items_analysis x = {0};
    struct items_difficulty d;
    struct str skills = STR("");

    if (!f->r.jury.masked && f->x.suite.instrument.kind != INSTRUMENT_PAIR &&
        items_analyse(p->q->arena, p->q->store, &f->x.run, &f->x.suite, &f->r.jury, &x, e) != OK)
        return e->code;
    d = items_difficulty(&x, item);
    html_open(&p->h, "dl", "class", "kv");
    if (isfinite(d.value)) {
        page_say(p, "dt", NULL, WORD_ITEM_DIFFICULTY);
        html_element(&p->h, "dd", NULL,
                     page_printf(p, "%s · %s", explore_number(p, d.value, 0),
                                 page_phrase(p, d.measured ? ITEM_MEASURED : ITEM_GUESSED)));
    }
    if (d.measured && item->card.difficulty) {
        page_say(p, "dt", NULL, WORD_ITEM_GUESS);
        html_element(&p->h, "dd", NULL, explore_number(p, item->card.difficulty, 0));
    }
    for (size_t i = 0; i < item->card.nskills; i++)
        skills = str_of(page_printf(p, "%.*s%s%.*s", STR_ARG(skills), i ? ", " : "",
                                    STR_ARG(item->card.skills[i])));
    card_line(p, f, ITEM_SKILLS, skills);
    card_line(p, f, ITEM_HARD, item->card.hard);
    card_line(p, f, ITEM_WEAK, item->card.weak);
    html_close(&p->h);
    return OK;
}

enum status page_sample_item(struct request *q, struct response *r, struct err *e)
{
    const char *asked = request_asked(q, "id"), *name = *asked ? asked : "\x01"; /* no item's */
    const struct sample_filter which = {.item = name};
    struct few f;
    struct page p;

    if (load(q, &which, &f, e) != OK)
        return e->code;
    explore_open(&p, q, r, &f.x, TAB_ITEMS, name);
    widget_head(&p, name, NULL);
    html_open(&p.h, "div", "class", "card");
    question(&p, &f, &f.r.samples[0]);
    if (item_card(&p, &f, f.r.samples[0].asked, e) != OK)
        return e->code;
    html_close(&p.h);
    html_open(&p.h, "div", "class", "answers");
    for (size_t i = 0; i < f.r.nsamples; i++)
        answer_card(&p, &f, &f.r.samples[i]);
    return page_close(&p);
}
