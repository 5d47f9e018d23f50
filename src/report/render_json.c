#include <math.h>

#include "base/clock.h"
#include "base/json.h"
#include "report/report.h"
#include "report/show.h"
#include "report/sittings.h"

/* Setting and appending take the value over; jansson fails only without memory. */
static void set(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    set(object, key, text ? json_from_str(str_of(text)) : json_null());
}

static void set_str(json_t *object, const char *key, struct str text)
{
    set(object, key, json_from_str(text));
}

static void set_int(json_t *object, const char *key, int64_t v)
{
    set(object, key, json_integer(v));
}

static void set_number(json_t *object, const char *key, double v)
{
    set(object, key, isfinite(v) ? json_real(v) : json_null());
}

static json_t *list_in(json_t *object, const char *key)
{
    json_t *list = json_array();

    set(object, key, list);
    return list;
}

static json_t *object_in(json_t *list)
{
    json_t *object = json_object();

    (void)json_array_append_new(list, object);
    return object;
}

static json_t *from_score(const struct score_row *row)
{
    json_t *o;

    if (!row)
        return json_null();
    o = json_object();
    set_number(o, "value", row->value);
    set_number(o, "lo", row->lo);
    set_number(o, "hi", row->hi);
    set_int(o, "n", row->n);
    set_int(o, "clusters", row->clusters);
    set_text(o, "method", row->method);
    return o;
}

static json_t *from_run(const struct report *r)
{
    json_t *o = json_object();
    char when[CLOCK_TEXT];

    clock_text(r->run.created_ms, when);
    set_text(o, "name", r->run.name);
    set_text(o, "key", r->run.key);
    set_int(o, "generation", r->run.generation);
    set(o, "seed", json_sprintf("%llu", (unsigned long long)r->run.seed)); /* may pass 2^53 */
    set_int(o, "repeats", r->run.repeats);
    set_int(o, "items", r->items);
    set_text(o, "created", when);
    return o;
}

static json_t *from_suite(const struct suite *s)
{
    json_t *o = json_object(), *dimensions;

    set_text(o, "id", s->id);
    set_str(o, "title", s->title);
    set_text(o, "language", s->language);
    dimensions = list_in(o, "dimensions");
    for (size_t i = 0; i < s->instrument.ndimensions; i++) {
        const struct dimension *d = &s->instrument.dimensions[i];
        json_t *one = object_in(dimensions);
        set_text(one, "id", d->id);
        set_str(one, "title", d->title);
        set_number(one, "weight", d->weight);
        set_number(one, "min", d->min);
        set_number(one, "max", d->max);
    }
    return o;
}

static json_t *by_dimension(const struct report *r, const struct score_row **rows)
{
    json_t *o = json_object();

    for (size_t d = 0; rows && d < r->suite.instrument.ndimensions; d++)
        set(o, r->suite.instrument.dimensions[d].id, from_score(rows[d]));
    return o;
}

static json_t *by_classifier(const struct report *r, const struct score_row **rates)
{
    json_t *o = json_object();

    for (size_t i = 0; i < r->nclassifiers; i++)
        set(o, r->classifiers[i], from_score(rates[i]));
    return o;
}

static json_t *from_battles(const struct report_battles *b)
{
    json_t *o = json_object();

    set_int(o, "group", b->group);
    set_int(o, "wins", b->wins);
    set_int(o, "losses", b->losses);
    set_int(o, "ties", b->ties);
    set(o, "rank", from_score(b->rank));
    set(o, "controlled", from_score(b->controlled));
    if (b->glicko) {
        set(o, "glicko2", from_score(b->glicko));
        set(o, "glicko2_rd", from_score(b->glicko_rd));
        set(o, "glicko2_order", from_score(b->glicko_order));
    }
    return o;
}

static void set_sittings(json_t *o, const struct report *r, const struct report_model *m)
{
    if (show_band(r)) {
        set(o, "spread", from_score(m->spread));
        set_text(o, "sub_scores", show_whole(r, m) ? "whole" : "means");
    }
    set(o, "unbroken", from_score(m->unbroken));
    set(o, "never_broken", from_score(m->never_broken));
}

static void add_models(json_t *list, const struct report *r)
{
    for (size_t i = 0; i < r->nmodels; i++) {
        const struct report_model *m = &r->models[i];
        json_t *o = object_in(list);
        set_text(o, "name", m->name);
        set(o, "score", from_score(m->score));
        if (m->unrounded)
            set(o, "score_unrounded", from_score(m->unrounded));
        set(o, "marks", by_dimension(r, m->marks));
        if (m->totals)
            set(o, "totals", by_dimension(r, m->totals));
        if (r->nclassifiers)
            set(o, "rates", by_classifier(r, m->rates));
        if (show_pair(r))
            set(o, "battles", from_battles(&m->battles));
        if (r->suite.elicit.kind == ELICIT_INTERVIEW)
            set_sittings(o, r, m);
        set_int(o, "planned", m->planned);
        set_int(o, "done", m->done);
        set_int(o, "failed", m->failed);
        set_int(o, "unscored", m->unscored);
        set_int(o, "unjudged", m->unjudged);
        set_int(o, "duplicates", m->duplicates);
        set_int(o, "tokens", m->tokens);
        set_number(o, "cost", m->cost);
    }
}

static void add_judges(json_t *list, const struct report *r)
{
    for (size_t i = 0; i < r->njudges; i++) {
        const struct report_judge *j = &r->judges[i];
        json_t *o = object_in(list);
        set_text(o, "name", j->name);
        set_int(o, "planned", j->planned);
        set_int(o, "done", j->done);
        set_int(o, "unscored", j->unscored);
        set_int(o, "failed", j->failed);
        set_int(o, "repaired", j->repaired);
        set_int(o, "overall_differs", j->differs);
        set_int(o, "overall_compared", j->compared);
        set_int(o, "tokens", j->tokens);
        set_number(o, "cost", j->cost);
        if (show_pair(r)) {
            set(o, "first_shown", from_score(j->first_shown));
            set(o, "inconsistent", from_score(j->inconsistent));
            set(o, "swap_consistency", from_score(j->consistency));
            set(o, "position_bias", from_score(j->bias));
            set(o, "position_bias_p", from_score(j->bias_p));
            set(o, "length", from_score(j->length));
            set(o, "own_family", from_score(j->own_family));
        }
        if (show_panel(r))
            set_number(o, "agreement", j->agreement);
    }
}

static void add_faults(json_t *list, const struct fault_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        json_t *o = object_in(list);
        set_text(o, "who", l->v[i].who);
        set_text(o, "kind", l->v[i].is_judge ? "judge" : "model");
        set_text(o, "state", vocab_state_name(l->v[i].state));
        set_text(o, "fault", l->v[i].fault);
        set_text(o, "why", l->v[i].why);
        set_int(o, "n", l->v[i].n);
    }
}

/* Evidence is JSON already; what cannot be read is handed on as text. */
static json_t *from_evidence(struct str text)
{
    struct err e = {0};
    json_t *j = NULL;

    if (text.n == 0)
        return json_null();
    return json_read(text, &j, &e) == OK ? j : json_from_str(text);
}

static void add_flags(json_t *list, const struct flag_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct flag_row *f = &l->v[i];
        json_t *o = object_in(list);
        set_int(o, "sample", f->sample);
        set_text(o, "model", f->model_name);
        set_text(o, "item", f->item_name);
        set_int(o, "repeat", f->repeat);
        set_text(o, "kind", f->kind);
        set_number(o, "value", f->value);
        set(o, "evidence", from_evidence(f->evidence));
        set_text(o, "overruled_by", f->overruled_by);
        set_text(o, "overruled_why", f->overruled_why);
    }
}

/* What bears a mark out, and what is advised. */
static void set_comment(json_t *o, const struct report *r, const struct report_mark *m)
{
    json_t *quotes;

    if (!r->suite.instrument.quotes)
        return;
    quotes = list_in(o, "quotes");
    for (size_t i = 0; i < m->quotes.n; i++) {
        json_t *q = object_in(quotes);
        set_int(q, "turn", m->quotes.v[i].turn);
        set_str(q, "text", m->quotes.v[i].text);
        set(q, "found", json_boolean(m->quotes.v[i].found));
    }
    set_str(o, "advice", m->advice);
}

static void add_verdicts(json_t *list, const struct report *r, const struct report_sample *s)
{
    for (size_t i = 0; i < s->nverdicts; i++) {
        const struct report_verdict *v = &s->verdicts[i];
        json_t *o = object_in(list), *marks;
        set_int(o, "id", v->id);
        set_text(o, "judge", v->judge);
        set_int(o, "repeat", v->repeat);
        set_text(o, "state", vocab_state_name(v->state));
        marks = list_in(o, "marks");
        for (size_t k = 0; k < v->nmarks; k++) {
            json_t *mark = object_in(marks);
            set_text(mark, "dimension", v->marks[k].dimension);
            set_number(mark, "value", v->marks[k].value);
            set_str(mark, "analysis", v->marks[k].analysis);
            set_comment(mark, r, &v->marks[k]);
        }
        if (v->shown_a) {
            set_text(o, "shown_a", v->shown_a);
            set_text(o, "shown_b", v->shown_b);
            set_text(o, "choice", v->choice);
            set_text(o, "winner", v->winner);
        }
        set_number(o, "weighted_mean", v->mean);
        set_number(o, "overall", v->overall);
        set_str(o, "reason", v->reason);
        set_str(o, "reply", v->reply);
        set_text(o, "why", v->why);
        set_int(o, "repairs", v->repairs);
    }
}

static void add_samples(json_t *list, const struct report *r)
{
    for (size_t i = 0; i < r->nsamples; i++) {
        const struct report_sample *s = &r->samples[i];
        json_t *o = object_in(list), *turns;
        set_int(o, "id", s->id);
        set_text(o, "model", s->model);
        set_text(o, "item", s->item);
        set_int(o, "repeat", s->repeat);
        set_text(o, "state", vocab_state_name(s->state));
        turns = list_in(o, "turns");
        for (size_t t = 0; t < s->nturns; t++) {
            json_t *turn = object_in(turns);
            set_text(turn, "role", s->turns[t].role);
            set_str(turn, "text", s->turns[t].text);
        }
        set_str(o, "prompt", s->prompt);
        set_str(o, "reference", s->reference);
        set_str(o, "answer", s->answer);
        set_text(o, "fault", s->fault);
        set_text(o, "why", s->why);
        set_number(o, "value", s->value);
        set_number(o, "unrounded", s->unrounded);
        set_text(o, "rule", s->rule);
        if (s->sitting)
            sittings_json(o, s->sitting);
        add_verdicts(list_in(o, "verdicts"), r, s);
    }
}

static json_t *from_pairing(const struct report *r)
{
    json_t *o;

    if (!r->chosen)
        return json_null();
    o = json_object();
    set(o, "battles", from_score(r->chosen));
    set(o, "largest_rd", from_score(r->largest_rd));
    set(o, "round_robin", from_score(r->round_robin));
    return o;
}

void render_json(struct arena *a, const struct report *r, struct buf *out)
{
    AUTO(json_freep) json_t *root = json_object();

    set(root, "run", from_run(r));
    set(root, "suite", from_suite(&r->suite));
    add_models(list_in(root, "models"), r);
    add_judges(list_in(root, "judges"), r);
    if (show_panel(r))
        set_number(root, "agreement", r->agreement);
    if (show_pair(r)) {
        json_t *notes = list_in(root, "notes"), *style = json_object();
        for (int f = 0; f < STYLE_FEATURES; f++)
            set(style, style_name((enum style_feature)f), from_score(r->style[f]));
        set(root, "style", style);
        set(root, "pairing", from_pairing(r));
        for (size_t i = 0; i < r->nnotes; i++)
            (void)json_array_append_new(notes, json_string(r->notes[i]));
    }
    add_faults(list_in(root, "faults"), &r->faults);
    add_flags(list_in(root, "flags"), &r->flags);
    if (r->withheld)
        set(root, "withheld", json_true());
    if (r->nsamples || r->samples_left_out) {
        add_samples(list_in(root, "samples"), r);
        set_int(root, "samples_left_out", r->samples_left_out);
    }
    buf_text(out, json_text(a, root));
    buf_char(out, '\n');
}
