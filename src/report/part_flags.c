#include <math.h>

#include "base/json.h"
#include "report/part.h"

enum { FLAGS_SHOWN = 500 };

static void answer(const struct part *p, const char *title, struct str text, struct str shared)
{
    html_open(p->h, "div", NULL);
    html_element(p->h, "h4", NULL, title);
    part_quote(p, "text", text, shared);
    html_close(p->h);
}

/* The reason in words, and the location of the other text. */
static void reason(const struct part *p, const struct flag_row *f, const json_t *j)
{
    struct arena *a = p->h->scratch;
    struct str why = json_str_at(j, "why", STR("")), where = json_str_at(j, "where", STR(""));
    const char *judged = wording_flag_judged(a, p->language, f, j);

    if (!why.n && !where.n)
        return;
    html_open(p->h, "p", "class", "meta");
    if (why.n)
        html_text(p->h, wording_flag_why(p->language, arena_text(a, why)));
    html_text(p->h, why.n && where.n ? " · " : "");
    html_str(p->h, where);
    html_close(p->h);
    if (judged)
        html_element(p->h, "p", "meta", judged);
}

/* Format: see flag.h; evidence in any other form is shown as it is. */
static void evidence(const struct part *p, const struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};
    struct str now, shared;

    if (f->evidence.n == 0)
        return;
    if (json_read(f->evidence, &j, &e) != OK || !json_is_string(json_object_get(j, "this"))) {
        part_quote(p, "text", f->evidence, STR(""));
        return;
    }
    reason(p, f, j);
    now = json_str_at(j, "this", STR(""));
    shared = str_trim(json_str_at(j, "shared", STR("")));
    if (!json_is_string(json_object_get(j, "other"))) {
        if (now.n)
            part_quote(p, "text", now, shared);
        return;
    }
    html_open(p->h, "div", "class", "pair");
    answer(p, part_word(p, WORD_THIS), now, shared);
    answer(p, wording_flag_other(p->language, f->kind), json_str_at(j, "other", STR("")),
           str_trim(json_str_at(j, "shared_other", shared)));
    html_close(p->h);
}

/* NULL: the sample is not in the report. */
static const struct report_sample *sample_of(const struct part *p, int64_t sample)
{
    for (size_t i = 0; i < p->r->nsamples; i++)
        if (p->r->samples[i].id == sample)
            return &p->r->samples[i];
    return NULL;
}

static void title(const struct part *p, const struct flag_row *f)
{
    struct html *h = p->h;
    const struct report_sample *s = sample_of(p, f->sample);
    const char *href = s ? arena_printf(h->scratch, "#s%lld", (long long)s->id) : NULL;
    int64_t turn = s ? part_flag_turn(s, f) : 0;

    html_open(h, "h3", NULL);
    html_say(h, href ? "a" : "span",
             arena_printf(h->scratch, "%s · %s · %s", f->model_name, f->item_name,
                          wording_repeat(h->scratch, p->language, f->repeat)),
             "href", href);
    html_text(h, " ");
    html_element(h, "span", f->overruled_by ? "badge off" : "badge flag",
                 wording_flag(p->language, f->kind));
    if (turn) {
        html_text(h, " ");
        part_turn_link(p, s, turn);
    }
    html_close(h);
}

static void flag(const struct part *p, const struct flag_row *f)
{
    struct html *h = p->h;

    html_open(h, "article", "id", arena_printf(h->scratch, "f%lld", (long long)f->id));
    title(p, f);
    html_open(h, "p", "class", "meta");
    if (isfinite(f->value))
        html_fmt(h, "%s %.2f", wording_flag_value(p->language, f->kind), f->value);
    if (f->overruled_by)
        html_fmt(h, " · %s %s%s%s", part_word(p, WORD_OVERRULED), f->overruled_by,
                 f->overruled_why ? ": " : "", f->overruled_why ? f->overruled_why : "");
    html_close(h);
    evidence(p, f);
    html_close(h);
}

void part_flags(const struct part *p)
{
    const struct report *r = p->r;
    /* If not all answers fit, neither do the flags that quote them. */
    size_t most = r->samples_left_out && r->nsamples < FLAGS_SHOWN ? r->nsamples : FLAGS_SHOWN,
           n = r->flags.n < most ? r->flags.n : most;

    if (n == 0)
        return;
    part_section(p, "flags", WORD_FLAGS);
    for (size_t i = 0; i < n; i++) {
        flag(p, &p->r->flags.v[i]);
        arena_reset(p->h->scratch);
    }
    if (n < p->r->flags.n)
        html_element(p->h, "p", "meta",
                     words_with(p->h->scratch, p->language, WORD_FLAGS_LEFT_OUT,
                                arena_printf(p->h->scratch, "%zu", p->r->flags.n - n)));
    html_close(p->h);
}
