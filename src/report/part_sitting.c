/* An interview in the HTML report: comments that link to turns, signs, probes, transcript. */
#include "base/json.h"
#include "panel/quote.h"
#include "reply/claim.h"
#include "report/part.h"
#include "report/sittings.h"

/* The id of a turn on the page. */
static const char *anchor(const struct part *p, const struct report_sample *s, const char *sign,
                          int64_t turn)
{
    return arena_printf(p->h->scratch, "%ss%lldt%lld", sign, (long long)s->id, (long long)turn);
}

void part_turn_link(const struct part *p, const struct report_sample *s, int64_t turn)
{
    struct arena *a = p->h->scratch;

    html_say(p->h, "a", words_with(a, p->language, SITTING_TURN, arena_int(a, turn)), "class",
             "turn", "href", anchor(p, s, "#", turn));
    html_text(p->h, " ");
}

/* The first turn of the range; 0: none is visible. */
static int64_t stretch_begins(const struct report_sample *s, struct str shown)
{
    int64_t first = turn_span_read(shown).first;

    for (size_t i = 0; first && s->sitting && i < s->sitting->turns.n; i++)
        if (s->sitting->turns.v[i].part >= first)
            return s->sitting->turns.v[i].position;
    return 0;
}

void part_about(const struct part *p, const struct report_sample *s, const struct report_verdict *v)
{
    const char *about = wording_about(p->h->scratch, p->language, v->shown);
    int64_t turn = stretch_begins(s, v->shown);

    if (!about)
        return;
    html_text(p->h, " · ");
    if (turn)
        html_say(p->h, "a", about, "href", anchor(p, s, "#", turn));
    else
        html_text(p->h, about);
}

void part_comment(const struct part *p, const struct report_sample *s, const struct report_mark *m)
{
    struct html *h = p->h;

    for (size_t i = 0; i < m->quotes.n; i++) {
        const struct evidence_quote *q = &m->quotes.v[i];
        html_open(h, "blockquote", "class", q->found ? "quote" : "quote lost", "dir", "auto");
        if (q->turn > 0)
            part_turn_link(p, s, q->turn);
        html_quote(h, "q", q->text, NULL);
        if (!q->found) {
            html_text(h, " ");
            html_element(h, "span", "badge bad", part_word(p, SITTING_NOT_FOUND));
        }
        html_close(h);
    }
    if (m->advice.n) {
        html_element(h, "h4", NULL, part_word(p, SITTING_ADVICE));
        part_quote(p, "text", m->advice, STR(""));
    }
}

static void signs(const struct part *p, const struct report_sample *s)
{
    const struct sign_list *l = &s->sitting->signs;
    struct html *h = p->h;

    html_element(h, "h4", NULL, part_word(p, SITTING_TIMELINE));
    if (l->n == 0)
        html_element(h, "p", "meta", part_word(p, SITTING_NO_SIGNS));
    else
        html_open(h, "ul", "class", "signs");
    for (size_t i = 0; i < l->n; i++) {
        html_open(h, "li", NULL);
        part_turn_link(p, s, l->v[i].turn);
        html_element(h, "span", "badge flag", wording_sign(p->language, l->v[i].kind));
        html_text(h, " ");
        html_quote(h, "q", l->v[i].words, "dir", "auto");
        html_close(h);
    }
    if (l->n)
        html_close(h);
}

static void probes(const struct part *p, const struct report_sample *s)
{
    const struct probe_list *l = &s->sitting->probes;
    struct html *h = p->h;

    if (l->n == 0)
        return;
    html_element(h, "h4", NULL, part_word(p, SITTING_PROBES));
    html_open(h, "ul", NULL);
    for (size_t i = 0; i < l->n; i++) {
        html_open(h, "li", NULL);
        html_str(h, l->v[i].fact);
        html_text(h, " · ");
        part_turn_link(p, s, l->v[i].first);
        part_turn_link(p, s, l->v[i].again);
        html_element(h, "span", l->v[i].outcome == PROBE_AGREES ? "badge value" : "badge flag",
                     wording_probe(p->language, l->v[i].outcome));
        html_close(h);
    }
    html_close(h);
}

/* Pairs of quotations that judges found contradictory; misquotations are marked. */
static void contradictions(const struct part *p, const struct report_sample *s)
{
    struct html *h = p->h;
    bool any = false;

    for (size_t v = 0; v < s->nverdicts; v++) {
        struct claim_list l = claim_read(h->scratch, &p->r->suite, s->verdicts[v].reply, s->answer);
        for (size_t i = 0; i < l.n; i++) {
            if (!any)
                html_element(h, "h4", NULL, part_word(p, SITTING_CONTRADICTIONS));
            any = true;
            html_open(h, "blockquote", "class", l.v[i].true_words ? "quote" : "quote lost", "dir",
                      "auto");
            for (int k = 0; k < 2; k++) {
                part_turn_link(p, s, l.v[i].turn[k]);
                html_quote(h, "q", l.v[i].text[k], NULL);
                html_text(h, k ? "" : " ↔ ");
            }
            if (!l.v[i].true_words) {
                html_text(h, " ");
                html_element(h, "span", "badge bad", part_word(p, SITTING_NOT_FOUND));
            }
            html_close(h);
        }
    }
}

/* ---- flags ---- */

int64_t part_flag_turn(const struct report_sample *s, const struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};
    struct str shared, where;
    int64_t turn;

    if (!s->sitting || f->evidence.n == 0 || json_read(f->evidence, &j, &e) != OK)
        return 0;
    where = json_str_at(j, "where", STR("")); /* "[12] Name" */
    turn = quote_turn(&where);
    shared = json_str_at(j, "shared", STR(""));
    for (size_t i = 0; !turn && shared.n && i < s->sitting->turns.n; i++) {
        const struct turn *t = &s->sitting->turns.v[i];
        if (t->speaker == SPEAKER_MODEL && str_holds(t->text, shared))
            turn = t->position;
    }
    return turn;
}

/* The flags of this turn, each with a link to its evidence. */
static void flags_at(const struct part *p, const struct report_sample *s, int64_t turn)
{
    struct arena *a = p->h->scratch;

    for (size_t i = 0; i < p->r->flags.n; i++) {
        const struct flag_row *f = &p->r->flags.v[i];
        if (f->sample != s->id || part_flag_turn(s, f) != turn)
            continue;
        html_text(p->h, " ");
        html_say(p->h, "a", wording_flag(p->language, f->kind), "class",
                 f->overruled_by ? "badge off" : "badge flag", "href",
                 arena_printf(a, "%s#f%lld", p->flags ? p->flags : "", (long long)f->id));
    }
}

/* ---- the transcript ---- */

static void turn(const struct part *p, const struct report_sample *s, size_t i)
{
    const struct turn *t = &s->sitting->turns.v[i];
    bool model = t->speaker == SPEAKER_MODEL;
    struct html *h = p->h;

    html_open(h, "div", "class", model ? "said-by model" : "said-by", "id",
              anchor(p, s, "", t->position));
    html_open(h, "h4", NULL);
    html_fmt(h, "[%lld] ", (long long)t->position);
    html_str(h, strcmp(t->kind, TURN_EVENT) == 0 ? str_of(part_word(p, PHRASE_MEET_SCENE))
                                                 : s->sitting->names[i]);
    flags_at(p, s, t->position);
    html_close(h);
    part_quote(p, "text", t->text, STR(""));
    if (t->quote.n) {
        html_open(h, "p", "class", "meta");
        html_fmt(h, "%s ", part_word(p, SITTING_FOLLOWS));
        html_quote(h, "q", t->quote, "dir", "auto");
        html_close(h);
    }
    html_close(h);
}

void part_sitting(const struct part *p, const struct report_sample *s)
{
    const struct turn_list *l = &s->sitting->turns;
    struct arena *a = p->h->scratch;
    int64_t part = 0;

    signs(p, s);
    probes(p, s);
    if (p->r->suite.instrument.contradictions)
        contradictions(p, s);
    html_open(p->h, "details", "open", "");
    html_element(p->h, "summary", NULL, part_word(p, SITTING_TRANSCRIPT));
    for (size_t i = 0; i < l->n; i++) {
        if (l->v[i].part != part && p->r->suite.elicit.kind == ELICIT_INTERVIEW) {
            part = l->v[i].part;
            html_element(p->h, "h3", NULL,
                         words_with(a, p->language, SITTING_PART, arena_int(a, part)));
        }
        turn(p, s, i);
    }
    html_close(p->h);
}
