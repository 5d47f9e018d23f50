#include "base/csv.h"
#include "report/report.h"
#include "report/show.h"

struct sheet {
    const struct report *r;
    struct buf *out;
};

static void number(const struct sheet *s, double v)
{
    char text[SHOW_MAX];

    csv_put(s->out, str_of(show_exact(text, v)), false);
}

static void begin(const struct sheet *s, const char *model, const char *metric)
{
    csv_put(s->out, str_of(s->r->run.name), true);
    csv_put(s->out, str_of(s->r->run.suite), false);
    csv_put(s->out, str_of(model), false);
    csv_put(s->out, str_of(metric), false);
}

static void score(const struct sheet *s, const char *model, const struct score_row *row)
{
    if (!row)
        return;
    begin(s, model, row->metric);
    number(s, row->value);
    number(s, row->lo);
    number(s, row->hi);
    buf_fmt(s->out, ",%lld,%lld", (long long)row->n, (long long)row->clusters);
    csv_put(s->out, str_of(row->method), false);
    buf_text(s->out, "\r\n");
}

static void plain(const struct sheet *s, const char *model, const char *metric, double v)
{
    begin(s, model, metric);
    number(s, v);
    buf_text(s->out, ",,,,,\r\n");
}

static void battles(const struct sheet *s, const char *model, const struct report_battles *b)
{
    plain(s, model, "group", (double)b->group);
    score(s, model, b->rank);
    plain(s, model, "wins", (double)b->wins);
    plain(s, model, "losses", (double)b->losses);
    plain(s, model, "ties", (double)b->ties);
    score(s, model, b->glicko);
    score(s, model, b->glicko_rd);
    score(s, model, b->glicko_order);
    score(s, model, b->controlled);
}

static void model(const struct sheet *s, const struct report_model *m)
{
    size_t n = s->r->suite.instrument.ndimensions;

    score(s, m->name, m->score);
    score(s, m->name, m->unrounded);
    for (size_t d = 0; d < n && m->marks; d++)
        score(s, m->name, m->marks[d]);
    for (size_t d = 0; d < n && m->totals; d++)
        score(s, m->name, m->totals[d]);
    for (size_t c = 0; c < s->r->nclassifiers; c++)
        score(s, m->name, m->rates[c]);
    if (show_pair(s->r))
        battles(s, m->name, &m->battles);
    score(s, m->name, m->spread);
    score(s, m->name, m->unbroken);
    score(s, m->name, m->never_broken);
    plain(s, m->name, "planned", (double)m->planned);
    plain(s, m->name, "done", (double)m->done);
    plain(s, m->name, "failed", (double)m->failed);
    plain(s, m->name, "unscored", (double)m->unscored);
    plain(s, m->name, "unjudged", (double)m->unjudged);
    if (show_duplicates(s->r))
        plain(s, m->name, "duplicates", (double)m->duplicates);
    plain(s, m->name, "tokens", (double)m->tokens);
    plain(s, m->name, "cost", m->cost);
}

void render_csv(const struct report *r, struct buf *out)
{
    struct sheet s = {r, out};

    buf_text(out, "run,suite,model,metric,value,lo,hi,n,clusters,method\r\n");
    for (size_t i = 0; i < r->nmodels; i++)
        model(&s, &r->models[i]);
    for (size_t f = 0; f < STYLE_FEATURES; f++) /* of the run: no model */
        score(&s, "", r->style[f]);
}
