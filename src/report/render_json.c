#include <math.h>

#include "base/clock.h"
#include "report/remark.h"
#include "report/sittings.h"
#include "report/tables.h"
#include "report/traffic_table.h"
#include "suite/mark.h"

static json_t *from_run(const struct report *r)
{
    json_t *o = json_object();
    char when[CLOCK_TEXT];

    clock_text(r->run.created_ms, when);
    json_put_text(o, "name", r->run.name);
    json_put_text(o, "key", r->run.key);
    json_put_int(o, "generation", r->run.generation);
    json_put(o, "seed",
             json_sprintf("%llu", (unsigned long long)r->run.seed)); /* may exceed 2^53 */
    json_put_int(o, "repeats", r->run.repeats);
    json_put_int(o, "items", r->items);
    json_put_text(o, "created", when);
    remark_json(o, &r->run);
    return o;
}

static json_t *from_suite(const struct suite *s)
{
    json_t *o = json_object(), *dimensions;

    json_put_text(o, "id", s->id);
    json_put_str(o, "title", s->title);
    json_put_text(o, "language", s->language);
    dimensions = json_put_list(o, "dimensions");
    for (size_t i = 0; i < s->instrument.ndimensions; i++) {
        const struct dimension *d = &s->instrument.dimensions[i];
        json_t *one = json_add_object(dimensions);
        json_put_text(one, "id", d->id);
        json_put_str(one, "title", d->title);
        json_put_real(one, "weight", d->weight);
        json_put_real(one, "min", d->min);
        json_put_real(one, "max", d->max);
    }
    return o;
}

/* Models and judges, with everything that the tables say about them. */
static void add_tables(struct arena *a, const struct report *r, json_t *root)
{
    json_t *models = json_put_list(root, "models"), *judges = json_put_list(root, "judges");
    json_t *noise = json_put_list(root, "noise");
    struct tables beside;

    table_json(tables_board(a, r, &(struct tables_how){0}, 0), models);
    tables_beside(a, r, &(struct tables_how){.dash = "-"}, &beside);
    for (size_t i = 0; i < beside.n; i++)
        if (beside.v[i].about == ABOUT_NOISE && r->noise.n)
            table_json(beside.v[i].table, noise);
        else if (beside.v[i].about == ABOUT_TURNS)
            table_json(beside.v[i].table, json_put_list(root, beside.v[i].id));
        else if (beside.v[i].about == ABOUT_MODELS || beside.v[i].about == ABOUT_JUDGES)
            table_json(beside.v[i].table, beside.v[i].about == ABOUT_MODELS ? models : judges);
}

/* All juries; their numbers are in each model's "by_judge". */
static void add_panels(json_t *list, const struct report *r)
{
    for (size_t i = 0; i < r->npanels; i++) {
        json_t *o = json_add_object(list);
        json_put_text(o, "name", r->panels[i].name);
        json_put_bool(o, "people", r->panels[i].people);
        json_put_bool(o, "masked", r->panels[i].masked);
        json_put_real(o, "agreement", r->panels[i].agreement);
    }
}

static void add_faults(json_t *list, const struct fault_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        json_t *o = json_add_object(list);
        json_put_text(o, "who", l->v[i].who);
        json_put_text(o, "kind", l->v[i].is_judge ? "judge" : "model");
        json_put_text(o, "state", vocab_state_name(l->v[i].state));
        json_put_text(o, "fault", l->v[i].fault);
        json_put_text(o, "why", l->v[i].why);
        json_put_int(o, "n", l->v[i].n);
    }
}

/* Evidence is JSON; if it cannot be parsed, it is passed on as text. */
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
        json_t *o = json_add_object(list);
        json_put_int(o, "sample", f->sample);
        json_put_text(o, "model", f->model_name);
        json_put_text(o, "item", f->item_name);
        json_put_int(o, "repeat", f->repeat);
        json_put_text(o, "kind", f->kind);
        json_put_real(o, "value", f->value);
        json_put(o, "evidence", from_evidence(f->evidence));
        json_put_text(o, "overruled_by", f->overruled_by);
        json_put_text(o, "overruled_why", f->overruled_why);
    }
}

/* Quotations and advice. */
static void set_comment(json_t *o, const struct report *r, const struct report_mark *m)
{
    json_t *quotes;

    if (!r->suite.instrument.quotes)
        return;
    quotes = json_put_list(o, "quotes");
    for (size_t i = 0; i < m->quotes.n; i++) {
        json_t *q = json_add_object(quotes);
        json_put_int(q, "turn", m->quotes.v[i].turn);
        json_put_str(q, "text", m->quotes.v[i].text);
        json_put_bool(q, "found", m->quotes.v[i].found);
    }
    json_put_str(o, "advice", m->advice);
}

static void add_verdicts(json_t *list, const struct report *r, const struct report_sample *s)
{
    for (size_t i = 0; i < s->nverdicts; i++) {
        const struct report_verdict *v = &s->verdicts[i];
        json_t *o = json_add_object(list), *marks;
        /* people's ratings have no verdict id */
        json_put(o, "id", v->id > 0 ? json_integer(v->id) : json_null());
        json_put_text(o, "judge", v->judge);
        json_put_int(o, "repeat", v->repeat);
        json_put_text(o, "state", vocab_state_name(v->state));
        if (v->about)
            json_put_text(o, "about", v->about);
        if (turn_span_read(v->shown).first)
            json_put_str(o, "turns", v->shown);
        marks = json_put_list(o, "marks");
        for (size_t k = 0; k < v->nmarks; k++) {
            json_t *mark = json_add_object(marks);
            json_put_text(mark, "dimension", v->marks[k].dimension);
            json_put_real(mark, "value", v->marks[k].value);
            json_put_str(mark, "analysis", v->marks[k].analysis);
            set_comment(mark, r, &v->marks[k]);
        }
        if (v->shown_a) {
            json_put_text(o, "shown_a", v->shown_a);
            json_put_text(o, "shown_b", v->shown_b);
            json_put_text(o, "choice", v->choice);
            json_put_text(o, "winner", v->winner);
        }
        json_put_real(o, "weighted_mean", v->mean);
        json_put_real(o, "overall", v->overall);
        json_put_str(o, "reason", v->reason);
        json_put_str(o, "reply", v->reply);
        json_put_text(o, "why", v->why);
        json_put_int(o, "repairs", v->repairs);
    }
}

static void add_samples(json_t *list, const struct report *r)
{
    for (size_t i = 0; i < r->nsamples; i++) {
        const struct report_sample *s = &r->samples[i];
        json_t *o = json_add_object(list), *turns;
        json_put_int(o, "id", s->id);
        json_put_text(o, "model", s->model);
        json_put_text(o, "item", s->item);
        json_put_int(o, "repeat", s->repeat);
        json_put_text(o, "state", vocab_state_name(s->state));
        turns = json_put_list(o, "turns");
        for (size_t t = 0; t < s->nturns; t++) {
            json_t *turn = json_add_object(turns);
            json_put_text(turn, "role", s->turns[t].role);
            json_put_str(turn, "text", s->turns[t].text);
        }
        json_put_str(o, "prompt", s->prompt);
        json_put_str(o, "reference", s->reference);
        json_put_str(o, "answer", s->answer);
        json_put_text(o, "fault", s->fault);
        json_put_text(o, "why", s->why);
        json_put_real(o, "value", s->value);
        json_put_real(o, "unrounded", s->unrounded);
        json_put_text(o, "rule", s->rule);
        if (s->sitting)
            sittings_json(o, s->sitting);
        add_verdicts(json_put_list(o, "verdicts"), r, s);
    }
}

static json_t *from_pairing(const struct report *r)
{
    json_t *o;

    if (!r->chosen)
        return json_null();
    o = json_object();
    json_put(o, "battles", table_json_score(r->chosen));
    json_put(o, "largest_rd", table_json_score(r->largest_rd));
    json_put(o, "round_robin", table_json_score(r->round_robin));
    return o;
}

void render_json(const struct report *r, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *root = json_object();

    json_put(root, "run", from_run(r));
    json_put(root, "suite", from_suite(&r->suite));
    add_tables(a, r, root);
    json_put_text(root, "judge", r->jury.name);
    add_panels(json_put_list(root, "panels"), r);
    json_put_real(root, "agreement", show_panel(r) ? r->agreement : (double)NAN);
    if (show_pair(r)) {
        json_t *notes = json_put_list(root, "notes"), *style = json_object();
        for (int f = 0; f < STYLE_FEATURES; f++)
            json_put(style, style_name((enum style_feature)f), table_json_score(r->style[f]));
        json_put(root, "style", style);
        json_put(root, "pairing", from_pairing(r));
        for (size_t i = 0; i < r->nnotes; i++)
            (void)json_array_append_new(notes, json_string(r->notes[i]));
    }
    if (r->traffic)
        table_json(traffic_table(a, r->traffic, r->ntraffic, NULL), json_put_list(root, "traffic"));
    add_faults(json_put_list(root, "faults"), &r->faults);
    add_flags(json_put_list(root, "flags"), &r->flags);
    if (r->withheld || r->jury.masked)
        json_put_bool(root, "withheld", true);
    if (r->nsamples || r->samples_left_out) {
        add_samples(json_put_list(root, "samples"), r);
        json_put_int(root, "samples_left_out", r->samples_left_out);
    }
    buf_fmt(out, "%s\n", json_text(a, root));
}
