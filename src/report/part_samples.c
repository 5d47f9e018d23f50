#include <math.h>

#include "math/band.h"
#include "report/part.h"
#include "report/show.h"
#include "report/sittings.h"
#include "suite/mark.h"

static const char *anchor(const struct part *p, const char *sign, int64_t n)
{
    return arena_printf(p->h->scratch, "%s%lld", sign, (long long)n);
}

/* ---- what a judge said ---- */

static void mark(const struct part *p, const struct report_sample *s, const struct report_mark *m)
{
    struct html *h = p->h;
    const struct dimension *d = vocab_dimension(&p->r->suite.instrument, m->dimension);
    char value[SHOW_MAX];

    html_quote(h, "dt", d ? d->title : str_of(m->dimension), NULL);
    html_open(h, "dd", NULL);
    html_element(h, "b", NULL, str_exact(value, m->value));
    if (m->analysis.n)
        part_quote(p, "said", m->analysis, STR(""));
    part_comment(p, s, m);
    html_close(h);
}

/* "A: ann · B: bob → A (ann)" */
static void battle(const struct part *p, const struct report_verdict *v)
{
    struct html *h = p->h;

    html_open(h, "p", "class", "meta");
    html_fmt(h, "A: %s · B: %s", v->shown_a, v->shown_b);
    if (v->choice)
        html_fmt(h, " → %s", v->choice);
    if (v->winner)
        html_fmt(h, " (%s)", v->winner);
    html_close(h);
}

/* Our mean if it says more than the marks, and the judge's own overall. */
static void overalls(const struct part *p, const struct report_verdict *v)
{
    bool several = v->nmarks > 1 && isfinite(v->mean);
    struct html *h = p->h;
    char text[SHOW_MAX];

    if (!several && !isfinite(v->overall))
        return;
    html_open(h, "p", "class", "meta");
    if (several)
        html_fmt(h, "%s %.4g", part_word(p, WORD_MEAN), v->mean);
    if (several && isfinite(v->overall))
        html_text(h, " · ");
    if (isfinite(v->overall))
        html_fmt(h, "%s %s", part_word(p, WORD_OVERALL), str_exact(text, v->overall));
    html_close(h);
}

static void verdict(const struct part *p, const struct report_sample *s,
                    const struct report_verdict *v)
{
    struct html *h = p->h;

    html_open(h, "div", "class", "verdict");
    html_open(h, "h4", NULL);
    html_fmt(h, "%s %s", part_word(p, WORD_JUDGE), v->judge);
    part_about(p, s, v);
    if (v->repeat)
        html_fmt(h, " · %s", wording_repeat(h->scratch, p->language, v->repeat));
    if (v->state != STATE_DONE) {
        html_text(h, " ");
        html_element(h, "span", "badge bad",
                     part_word(p, v->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
    }
    html_close(h);
    if (v->state != STATE_DONE && v->why)
        html_element(h, "p", "why", wording_why(h->scratch, p->language, v->why, ""));
    if (v->shown_a)
        battle(p, v);
    if (v->nmarks) {
        html_open(h, "dl", NULL);
        for (size_t i = 0; i < v->nmarks; i++)
            mark(p, s, &v->marks[i]);
        html_close(h);
    }
    if (v->reason.n)
        part_quote(p, "said", v->reason, STR(""));
    overalls(p, v);
    if (v->reply.n) {
        html_open(h, "details", NULL);
        html_element(h, "summary", NULL, part_word(p, WORD_REPLY));
        part_quote(p, "raw", v->reply, STR(""));
        html_close(h);
    }
    html_close(h);
}

/* ---- an answer ---- */

static const char *number(const struct part *p, double v)
{
    char text[SHOW_MAX];

    return arena_text(p->h->scratch, str_of(show_number(text, v, show_decimals(p->r), "–")));
}

/* "band 4.5 (4.25)" */
static const char *band(const struct part *p, double mean)
{
    return arena_printf(p->h->scratch, "%s %.1f (%s)", part_word(p, WORD_BAND), band_of_mean(mean),
                        number(p, mean));
}

static void badges(const struct part *p, const struct report_sample *s)
{
    struct html *h = p->h;

    if (isfinite(s->value))
        html_element(h, "span", "badge value",
                     show_band(p->r) ? band(p, s->value) : number(p, s->value));
    else if (!show_pair(p->r) || s->state == STATE_FAILED)
        html_element(h, "span", "badge bad",
                     part_word(p, s->state == STATE_FAILED ? WORD_FAILED : WORD_UNSCORED));
    /* flags of a sample are adjacent in the report's list */
    for (const struct flag_row *f = s->flag, *end = p->r->flags.v + p->r->flags.n;
         f && f < end && f->sample == s->flag->sample; f++) {
        if (f->overruled_by)
            continue;
        html_text(h, " ");
        html_say(h, "a", wording_flag(p->language, f->kind), "class", "badge flag", "href",
                 anchor(p, "#f", f->id));
    }
}

static void sample(const struct part *p, const struct report_sample *s)
{
    struct html *h = p->h;

    html_open(h, "article", "id", anchor(p, "s", s->id));
    html_open(h, "div", "class", "line");
    html_open(h, "h4", NULL);
    html_say(h, "a", wording_repeat(h->scratch, p->language, s->repeat), "href",
             anchor(p, "#s", s->id));
    html_close(h);
    badges(p, s);
    html_say(h, "a", arena_printf(h->scratch, "↑ %s", part_word(p, WORD_TOP)), "class", "back",
             "href", "#board");
    html_close(h);
    if (s->state == STATE_FAILED)
        html_element(h, "p", "why", wording_why(h->scratch, p->language, s->why, s->fault));
    else if (!s->sitting)
        part_quote(p, "text", s->answer, STR(""));
    for (size_t i = 0; i < s->nverdicts; i++)
        verdict(p, s, &s->verdicts[i]);
    if (s->sitting)
        part_sitting(p, s);
    html_close(h);
}

/* ---- what was asked ---- */

static void turns(const struct part *p, const struct report_sample *s)
{
    struct html *h = p->h;

    if (s->nturns == 0)
        return;
    html_open(h, "details", NULL);
    html_element(h, "summary", NULL,
                 arena_printf(h->scratch, "%s (%zu)", part_word(p, WORD_BEFORE), s->nturns));
    for (size_t i = 0; i < s->nturns; i++) {
        html_element(h, "h4", NULL, s->turns[i].role);
        part_quote(p, "text", s->turns[i].text, STR(""));
    }
    html_close(h);
}

/* Repeats of an item share one prompt. */
static void question(const struct part *p, const struct report_sample *s)
{
    html_element(p->h, "h3", NULL, s->item);
    turns(p, s);
    html_element(p->h, "h4", NULL, part_word(p, WORD_PROMPT));
    part_quote(p, "text asked", s->prompt, STR(""));
    if (s->reference.n) {
        html_element(p->h, "h4", NULL, part_word(p, WORD_REFERENCE));
        part_quote(p, "text asked", s->reference, STR(""));
    }
    html_element(p->h, "h4", NULL, part_word(p, WORD_ANSWER));
}

static void model(const struct part *p, size_t number)
{
    const struct report *r = p->r;
    const char *name = r->models[number].name, *item = NULL;

    html_open(p->h, "section", "class", "model", "id", anchor(p, "m", (int64_t)number + 1));
    html_element(p->h, "h2", NULL, name);
    if (vocab_is_talk(&r->suite))
        for (const char **line = sittings_standings(p->h->scratch, r, number, p->language); **line;
             line++)
            html_element(p->h, "p", "meta", *line);
    for (size_t i = 0; i < r->nsamples; i++) {
        const struct report_sample *s = &r->samples[i];
        if (strcmp(s->model, name) != 0)
            continue;
        if (!item || strcmp(item, s->item) != 0) {
            if (item)
                html_close(p->h);
            html_open(p->h, "div", "class", "item");
            question(p, s);
        }
        item = s->item;
        sample(p, s);
        arena_reset(p->h->scratch);
    }
    if (item)
        html_close(p->h);
    html_close(p->h);
}

void part_samples(const struct part *p)
{
    struct arena *a = p->h->scratch;

    if (p->r->nsamples == 0)
        return;
    part_section(p, "samples", WORD_SAMPLES);
    if (p->r->samples_left_out)
        html_element(
            p->h, "p", "meta",
            words_with(a, p->language, WORD_LEFT_OUT, arena_int(a, p->r->samples_left_out)));
    html_close(p->h);
    for (size_t i = 0; i < p->r->nmodels; i++)
        model(p, i);
}
