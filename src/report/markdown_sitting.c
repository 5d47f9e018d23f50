/* Interviews inside the Markdown report. */
#include <math.h>

#include "math/band.h"
#include "report/markdown.h"
#include "report/show.h"
#include "report/sittings.h"
#include "report/wording.h"
#include "suite/mark.h"

struct page {
    struct arena *a;
    const struct report *r;
    const char *language;
    struct buf *out;
};

static const char *word(const struct page *p, enum word w)
{
    return words_of(p->language, w);
}

/* "[turn 12](#s3t12)": renderers that drop anchors still show the number. */
static void turn_link(const struct page *p, const struct report_sample *s, int64_t turn)
{
    const char *label = words_with(p->a, p->language, SITTING_TURN, arena_int(p->a, turn));

    buf_fmt(p->out, "[%s](#s%lldt%lld)", label, (long long)s->id, (long long)turn);
}

static void comment(const struct page *p, const struct report_sample *s,
                    const struct report_mark *m)
{
    const struct dimension *d = vocab_dimension(&p->r->suite.instrument, m->dimension);
    struct str title = d ? d->title : str_of(m->dimension);
    char value[SHOW_MAX];

    markdown_fmt(p->a, p->out, "\n**%.*s", STR_ARG(title));
    buf_fmt(p->out, ": %s**\n\n", str_exact(value, m->value));
    for (size_t i = 0; i < m->quotes.n; i++) {
        const struct evidence_quote *q = &m->quotes.v[i];
        buf_text(p->out, "- ");
        if (q->turn > 0)
            turn_link(p, s, q->turn);
        markdown_fmt(p->a, p->out, " “%.*s", STR_ARG(q->text));
        buf_fmt(p->out, q->found ? "”\n" : "” (%s)\n", word(p, SITTING_NOT_FOUND));
    }
    buf_text(p->out, m->quotes.n ? "\n" : "");
    markdown_text(p->a, p->out, m->analysis);
    if (m->advice.n)
        buf_fmt(p->out, "\n\n*%s*: ", word(p, SITTING_ADVICE));
    markdown_fmt(p->a, p->out, "%.*s\n", STR_ARG(m->advice));
}

static void comments(const struct page *p, const struct report_sample *s)
{
    for (size_t i = 0; i < s->nverdicts; i++) {
        const struct report_verdict *v = &s->verdicts[i];
        const char *about = wording_about(p->a, p->language, v->shown);
        buf_fmt(p->out, "\n#### %s: ", word(p, SITTING_COMMENTS));
        markdown_fmt(p->a, p->out, "%s", v->judge);
        if (about)
            buf_fmt(p->out, " · %s", about);
        buf_char(p->out, '\n');
        for (size_t k = 0; k < v->nmarks; k++)
            comment(p, s, &v->marks[k]);
        if (v->state != STATE_DONE && v->why)
            markdown_fmt(p->a, p->out, "\n%s\n", wording_why(p->a, p->language, v->why, ""));
    }
}

static void signs(const struct page *p, const struct report_sample *s)
{
    const struct report_sitting *t = s->sitting;

    buf_fmt(p->out, "\n#### %s\n\n", word(p, SITTING_TIMELINE));
    if (t->signs.n == 0)
        buf_fmt(p->out, "%s\n", word(p, SITTING_NO_SIGNS));
    for (size_t i = 0; i < t->signs.n; i++) {
        buf_text(p->out, "- ");
        turn_link(p, s, t->signs.v[i].turn);
        buf_fmt(p->out, " %s: “", wording_sign(p->language, t->signs.v[i].kind));
        markdown_fmt(p->a, p->out, "%.*s”\n", STR_ARG(t->signs.v[i].words));
    }
    if (t->probes.n)
        buf_fmt(p->out, "\n#### %s\n\n", word(p, SITTING_PROBES));
    for (size_t i = 0; i < t->probes.n; i++) {
        markdown_fmt(p->a, p->out, "- %.*s: ", STR_ARG(t->probes.v[i].fact));
        turn_link(p, s, t->probes.v[i].first);
        buf_text(p->out, ", ");
        turn_link(p, s, t->probes.v[i].again);
        buf_fmt(p->out, ": %s\n", wording_probe(p->language, t->probes.v[i].outcome));
    }
}

static void transcript(const struct page *p, const struct report_sample *s)
{
    const struct report_sitting *t = s->sitting;

    buf_fmt(p->out, "\n#### %s\n", word(p, SITTING_TRANSCRIPT));
    for (size_t i = 0; i < t->turns.n; i++) {
        const struct turn *one = &t->turns.v[i];
        buf_fmt(p->out, "\n<a id=\"s%lldt%lld\"></a>**\\[%lld\\] ", (long long)s->id,
                (long long)one->position, (long long)one->position);
        markdown_fmt(p->a, p->out, "%.*s**: %.*s\n", STR_ARG(t->names[i]), STR_ARG(one->text));
    }
}

static void sitting(const struct page *p, const struct report_sample *s)
{
    struct str theme = s->sitting->theme.n ? s->sitting->theme : str_of(s->item);

    markdown_fmt(p->a, p->out, "\n### %.*s · %.*s", STR_ARG(s->sitting->character), STR_ARG(theme));
    if (p->r->run.repeats > 1)
        buf_fmt(p->out, " · %s", wording_repeat(p->a, p->language, s->repeat));
    if (isfinite(s->value) && show_band(p->r))
        buf_fmt(p->out, " · %s %.1f", word(p, SITTING_BAND), band_of_mean(s->value));
    buf_char(p->out, '\n');
    comments(p, s);
    signs(p, s);
    transcript(p, s);
}

void markdown_sittings(struct arena *a, const struct report *r, struct buf *out)
{
    const struct page p = {a, r, r->suite.language, out};

    if (!vocab_is_talk(&r->suite) || r->nsamples == 0)
        return;
    for (size_t m = 0; m < r->nmodels; m++) {
        const struct report_model *one = &r->models[m];
        markdown_fmt(a, out, "\n## %s\n", one->name);
        for (const char **line = sittings_standings(a, r, m, p.language); **line; line++)
            markdown_fmt(a, out, "\n%s\n", *line);
        for (size_t i = 0; i < r->nsamples; i++)
            if (r->samples[i].sitting && strcmp(r->samples[i].model, one->name) == 0)
                sitting(&p, &r->samples[i]);
    }
}
