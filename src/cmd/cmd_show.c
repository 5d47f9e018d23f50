/* Shows transcripts: what was asked, answered and judged. */
#include <math.h>
#include <unistd.h>

#include "base/json.h"
#include "base/message.h"
#include "cmd/suite_args.h"
#include "cmd/term.h"
#include "eval/score.h"
#include "report/grid.h"
#include "report/remark.h"
#include "report/sittings.h"
#include "report/wording.h"
#include "store/overall.h"
#include "store/store_read.h"
#include "store/store_work.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/models.h"
#include "suite/suite.h"
#include "suite/template.h"
#include "text/rune.h"

struct show_values {
    const char *model, *item;
    int64_t sample, verdict, limit;
    bool raw, sensitive;
};

/* What an answer counts for one jury. */
struct counted {
    const struct jury *jury;
    int64_t sample;
    double value;
    const char *rule; /* that set or capped the value; NULL: none */
};

struct shower {
    struct app *app;
    struct arena *a; /* of the command */
    const struct run_row *run;
    struct suite suite;
    const struct timeline *words; /* of interviews */
    struct models asked;          /* the run's own, for their templates */
    const struct show_values *v;
    struct flag_list flags;
    struct jury_list juries;    /* whose words there are */
    struct sample_row *samples; /* at most --limit */
    size_t n;
    int64_t more; /* that were left out */
    struct counted *counts;
    size_t ncounts, cap;
    const struct jury *counting; /* whose counts are being read */
    json_t *list;                /* of --json */
    size_t columns;              /* of the window; 0: there is none, and lines are as they are */
};

/* ---- gathering ---- */

/* Rows are copied, because looking up what belongs to them uses the store again. */
static enum status keep_samples(struct shower *s, const struct sample_filter *f, struct err *e)
{
    struct cursor c = store_samples(s->app->store, f, e);
    size_t limit = (size_t)s->v->limit;
    struct sample_row row;

    s->samples = NEW_N(s->a, struct sample_row, limit);
    while (store_sample_next(&c, &row)) {
        if (s->n == limit) {
            s->more++;
            continue;
        }
        row.model_name = arena_dup(s->a, row.model_name);
        row.item_name = arena_dup(s->a, row.item_name);
        row.answer = arena_str(s->a, row.answer);
        row.thinking = arena_str(s->a, row.thinking);
        row.body = arena_str(s->a, row.body);
        row.finish = arena_dup(s->a, row.finish);
        row.fault = arena_dup(s->a, row.fault);
        row.why = arena_dup(s->a, row.why);
        s->samples[s->n++] = row;
    }
    return cursor_end(&c);
}

static enum status keep_count(void *user, const struct score_value *v, struct err *e)
{
    struct shower *s = user;

    (void)e;
    for (size_t i = 0; i < s->n; i++)
        if (s->samples[i].id == v->sample) {
            s->counts = arena_grow(s->a, s->counts, &s->cap, s->ncounts + 1, sizeof *s->counts);
            s->counts[s->ncounts++] =
                (struct counted){s->counting, v->sample, v->value, arena_dup(s->a, v->rule)};
        }
    return OK;
}

/* ---- as text ---- */

/* A name from a foreign file, made harmless for the terminal. */
static const char *clean(const struct shower *s, const char *name)
{
    return rune_clean(s->a, str_of(name)).p;
}

enum { ROOM_LEAST = 16 }; /* fewest columns for indented text */

/* A line longer than the window is wrapped and keeps its indentation. */
static void put_line(const struct shower *s, size_t in, struct str line)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TERM_MAX);
    size_t blanks = 0;

    while (blanks < line.n && line.p[blanks] == ' ')
        blanks++;
    if (s->columns <= in + blanks + ROOM_LEAST || in + rune_columns(line) <= s->columns) {
        fprintf(s->app->out, "%*s%.*s\n", (int)in, "", STR_ARG(line));
        return;
    }
    in += blanks;
    grid_lines(&b, str_from(line, blanks), s->columns, in, in);
    fprintf(s->app->out, "%*s%.*s", (int)in, "", STR_ARG(buf_str(&b)));
}

/* Words of models and judges under a title, made harmless for the terminal and indented. */
static void put_block(struct shower *s, int in, const char *title, struct str text)
{
    struct str rest = rune_clean(s->a, text), line;

    if (text.n == 0)
        return;
    fprintf(s->app->out, "%*s%s\n", in, "", _(title));
    while (str_line(&rest, &line))
        put_line(s, (size_t)in + 2, line);
}

static void put_text_item(struct shower *s, const struct item *item)
{
    for (size_t i = 0; i < item->nturns; i++)
        put_block(s, 2, item->turns[i].role, item->turns[i].text);
    put_block(s, 2, N_("prompt"), item->prompt);
    put_block(s, 2, N_("reference"), item->reference);
}

/* The evidence of a flag: the shared words, and the text in which they appear again. */
static void put_evidence(struct shower *s, const struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};

    if (f->evidence.n == 0 || json_read(f->evidence, &j, &e) != OK)
        return;
    put_block(s, 4, N_("these words"), json_str_at(j, "shared", STR("")));
    put_block(s, 4, N_("appear in"), json_str_at(j, "where", STR("")));
    put_block(s, 4, N_("the other text"), json_str_at(j, "other", STR("")));
}

/* What rules find in an interview. The transcript itself is the answer. */
static void put_text_sitting(struct shower *s, const struct report_sitting *t)
{
    FILE *out = s->app->out;

    for (size_t i = 0; i < t->signs.n; i++) {
        const struct sign *sign = &t->signs.v[i];
        fprintf(out, "  [%lld] %s: \"%.*s\"\n", (long long)sign->turn,
                wording_sign(message_language(), sign->kind),
                STR_ARG(rune_clean(s->a, sign->words)));
    }
    for (size_t i = 0; i < t->probes.n; i++) {
        const struct probe *p = &t->probes.v[i];
        fprintf(out, "  [%lld] [%lld] %.*s: %s\n", (long long)p->first, (long long)p->again,
                STR_ARG(rune_clean(s->a, p->fact)), wording_probe(message_language(), p->outcome));
    }
    if (t->span.answers)
        fprintf(out, _("  %zu of %zu answer%s before the first sign\n"), t->span.unbroken,
                t->span.answers, message_s(t->span.answers));
}

/* The turns so far, of a conversation that is not over. */
static void put_text_turns(struct shower *s, const struct report_sitting *t)
{
    for (size_t i = 0; i < t->turns.n; i++) {
        const struct turn *one = &t->turns.v[i];
        struct str who = one->speaker == SPEAKER_MODEL ? t->character : t->examiner;
        put_block(s, 2,
                  arena_printf(s->a, "[%lld] %.*s", (long long)one->position,
                               STR_ARG(rune_clean(s->a, who))),
                  one->text);
    }
}

/* The model's own template, if it was asked with that instead of the suite's; else NULL. */
static const struct template *template_of(const struct shower *s, const struct sample_row *x)
{
    const struct endpoint *ep = models_find(&s->asked, x->model_name);

    return ep && ep->template.user.p && !vocab_is_talk(&s->suite) ? &ep->template : NULL;
}

static void put_text_sample(struct shower *s, const struct sample_row *x, const struct item *item)
{
    const struct template *own = template_of(s, x);

    fprintf(s->app->out, _("sample %lld  %s  %s  repeat %lld  %s\n"), (long long)x->id,
            clean(s, x->model_name), clean(s, x->item_name), (long long)x->repeat + 1,
            _(vocab_state_name(x->state)));
    put_text_item(s, item);
    put_block(s, 2, N_("its own system text"), own ? own->system : STR(""));
    put_block(s, 2, N_("its own template"), own ? own->user : STR(""));
    put_block(s, 2, N_("thinking"), s->v->raw ? x->thinking : STR(""));
    put_block(s, 2, N_("answer"), x->answer);
    put_block(s, 2, x->fault ? x->fault : N_("why"), str_of(message_show(s->a, NULL, x->why)));
    for (size_t i = 0; i < s->flags.n; i++) {
        const struct flag_row *f = &s->flags.v[i];
        if (f->sample != x->id)
            continue;
        fprintf(s->app->out, _("  flag %s"), wording_flag(message_language(), f->kind));
        if (isfinite(f->value))
            fprintf(s->app->out, " %.3g", f->value);
        if (f->overruled_by)
            fprintf(s->app->out, _(", overruled by %s"), clean(s, f->overruled_by));
        fprintf(s->app->out, "\n");
        put_evidence(s, f);
    }
}

/* What an answer counts, which rules or several judges may make differ from a judge's marks. */
static void put_text_counts(struct shower *s, int64_t sample)
{
    for (size_t i = 0; i < s->ncounts; i++) {
        const struct counted *c = &s->counts[i];
        if (c->sample != sample)
            continue;
        fprintf(s->app->out, _("  counts %.6g"), c->value);
        if (c->rule)
            fprintf(s->app->out, _(", by rule %s"), wording_flag(message_language(), c->rule));
        if (*c->jury->name)
            fprintf(s->app->out, "  (%s)", clean(s, c->jury->name));
        fprintf(s->app->out, "\n");
    }
}

static void put_json_counts(const struct shower *s, int64_t sample, json_t *j)
{
    json_t *all = json_put_list(j, "counts");

    for (size_t i = 0; i < s->ncounts; i++) {
        const struct counted *c = &s->counts[i];
        json_t *one = c->sample == sample ? json_add_object(all) : NULL;
        if (!one)
            continue;
        json_put_text(one, "judge", c->jury->name);
        json_put_real(one, "value", c->value);
        json_put_text(one, "rule", c->rule);
    }
}

/* Our own overall score, before and after rounding, beside the judge's. */
static void put_overall(struct shower *s, const struct verdict_row *v,
                        const struct mark_list *marks)
{
    double mean = *v->about ? NAN : overall_mean(&s->suite.instrument, marks);

    if (!isfinite(mean))
        return;
    fprintf(s->app->out, _("    weighted mean = %.6g"), mean);
    if (s->suite.score.round != ROUND_NONE)
        fprintf(s->app->out, _(", rounded %.6g"), overall_round(mean, s->suite.score.round));
    if (isfinite(v->overall))
        fprintf(s->app->out, _("; the judge's own overall %.6g"), v->overall);
    fprintf(s->app->out, "\n");
}

static void put_text_evidence(struct shower *s, const struct mark *m)
{
    struct evidence_quotes l = evidence_read(s->a, m->evidence);

    if (!s->suite.instrument.quotes)
        put_block(s, 6, N_("evidence"), m->evidence);
    for (size_t i = 0; i < l.n && s->suite.instrument.quotes; i++)
        put_block(s, 6,
                  arena_printf(s->a, l.v[i].found ? "[%lld]" : _("[%lld] not found there"),
                               (long long)l.v[i].turn),
                  l.v[i].text);
}

static struct str title_of(const struct shower *s, const char *dimension)
{
    const struct dimension *d = vocab_dimension(&s->suite.instrument, dimension);

    if (d)
        return rune_clean(s->a, vocab_label(s->a, d));
    return str_of(wording_about_mark(message_language(), dimension));
}

/* Marks in the suite's order; dimensions that it does not know come last. */
static struct mark_list in_order(const struct shower *s, const struct mark_list *marks)
{
    const struct instrument *in = &s->suite.instrument;
    struct mark_list out = {NEW_N(s->a, struct mark, marks->n), 0};

    for (size_t d = 0; d < in->ndimensions; d++) {
        const struct mark *m = store_mark_find(marks, in->dimensions[d].id);
        if (m)
            out.v[out.n++] = *m;
    }
    for (size_t i = 0; i < marks->n; i++)
        if (!vocab_dimension(in, marks->v[i].dimension))
            out.v[out.n++] = marks->v[i];
    return out;
}

static void put_choice(const struct shower *s, const struct verdict_row *v)
{
    FILE *out = s->app->out;

    fprintf(out, "    A: %s, B: %s", clean(s, v->shown_a), clean(s, v->shown_b));
    if (v->choice)
        fprintf(out, _(", chosen: %s"), v->choice);
    if (v->choice && v->winner_name)
        fprintf(out, " (%s)", clean(s, v->winner_name));
    fprintf(out, "\n");
}

static void put_text_verdict(struct shower *s, const struct verdict_row *v,
                             const struct mark_list *marks)
{
    const struct mark_list l = in_order(s, marks);
    const char *about = wording_about(s->a, message_language(), v->shown);
    const char *judge = clean(s, v->judge_name);
    bool commented = v->reason.n > 0;

    if (v->id > 0)
        fprintf(s->app->out, _("  verdict %lld  %s  repeat %lld  %s"), (long long)v->id, judge,
                (long long)v->repeat + 1, _(vocab_state_name(v->state)));
    else /* people rate once, and their ratings have no id to ask for */
        fprintf(s->app->out, _("  rating  %s  %s"), judge, _(vocab_state_name(v->state)));
    if (about)
        fprintf(s->app->out, "  %s", about);
    if (v->repairs)
        fprintf(s->app->out, _("  asked again about the format"));
    fprintf(s->app->out, "\n");
    if (v->shown_a)
        put_choice(s, v);
    for (size_t i = 0; i < l.n; i++) {
        fprintf(s->app->out, "    %.*s = %.6g\n", STR_ARG(title_of(s, l.v[i].dimension)),
                l.v[i].value);
        commented |= l.v[i].analysis.n > 0;
        put_block(s, 6, N_("analysis"), l.v[i].analysis);
        put_text_evidence(s, &l.v[i]);
        put_block(s, 6, N_("advice"), l.v[i].advice);
    }
    put_overall(s, v, marks);
    put_block(s, 4, N_("on the whole"), v->reason);
    put_block(s, 4, v->fault ? v->fault : N_("why"), str_of(message_show(s->a, NULL, v->why)));
    if (s->v->raw || v->state == STATE_UNSCORED || !commented)
        put_block(s, 4, N_("the judge's words"), v->reply);
}

/* ---- as JSON ---- */

static json_t *sample_json(const struct shower *s, const struct sample_row *x,
                           const struct item *item)
{
    json_t *j = json_object(), *flags = json_array();
    const struct template *own = template_of(s, x);

    json_put_int(j, "id", x->id);
    json_put_some(j, "model", str_of(x->model_name));
    json_put_some(j, "item", str_of(x->item_name));
    json_put_int(j, "repeat", x->repeat);
    json_put_some(j, "state", str_of(vocab_state_name(x->state)));
    json_put_some(j, "prompt", item->prompt);
    json_put_some(j, "reference", item->reference);
    if (own)
        json_put(j, "template", models_template_json(own));
    json_put_some(j, "answer", x->answer);
    json_put_some(j, "thinking", x->thinking);
    json_put_some(j, "finish", str_of(x->finish));
    json_put_some(j, "fault", str_of(x->fault));
    json_put_some(j, "why", str_of(x->why));
    for (size_t i = 0; i < s->flags.n; i++)
        if (s->flags.v[i].sample == x->id)
            (void)json_array_append_new(flags, json_string(s->flags.v[i].kind));
    json_put(j, "flags", flags);
    json_put(j, "verdicts", json_array());
    return j;
}

static void set_evidence(json_t *mark, struct str evidence)
{
    struct err ignored = {0};
    json_t *j = NULL;

    if (evidence.n && json_read(evidence, &j, &ignored) == OK)
        json_put(mark, "evidence", j);
}

static json_t *verdict_json(const struct shower *s, const struct verdict_row *v,
                            const struct mark_list *marks)
{
    double mean = *v->about ? NAN : overall_mean(&s->suite.instrument, marks);
    json_t *j = json_object(), *all = json_object();

    json_put(j, "id", v->id > 0 ? json_integer(v->id) : json_null());
    json_put_some(j, "judge", str_of(v->judge_name));
    json_put_int(j, "repeat", v->repeat);
    json_put_some(j, "state", str_of(vocab_state_name(v->state)));
    json_put_some(j, "about", str_of(v->about));
    if (turn_span_read(v->shown).first)
        json_put_some(j, "turns", v->shown);
    for (size_t i = 0; i < marks->n; i++) {
        json_t *m = json_object();
        json_put_real(m, "value", marks->v[i].value);
        json_put_some(m, "analysis", marks->v[i].analysis);
        json_put_some(m, "advice", marks->v[i].advice);
        set_evidence(m, marks->v[i].evidence);
        json_put(all, marks->v[i].dimension, m);
    }
    json_put(j, "marks", all);
    if (v->shown_a) {
        json_put_some(j, "shown_a", str_of(v->shown_a));
        json_put_some(j, "shown_b", str_of(v->shown_b));
        json_put_some(j, "choice", str_of(v->choice));
        json_put_some(j, "winner", str_of(v->winner_name));
    }
    json_put_real(j, "weighted_mean", mean);
    json_put_real(j, "rounded", isfinite(mean) ? overall_round(mean, s->suite.score.round) : mean);
    json_put_real(j, "overall", v->overall);
    json_put_some(j, "reason", v->reason);
    json_put_some(j, "reply", v->reply);
    json_put_some(j, "fault", str_of(v->fault));
    json_put_some(j, "why", str_of(v->why));
    return j;
}

/* ---- one after another ---- */

/* --raw: the request and its response, in `j` or, if that is NULL, as text indented by `in`. */
static enum status show_call(struct shower *s, int64_t id, json_t *j, int in, struct err *e)
{
    struct call_row call;

    if (!s->v->raw || !id)
        return OK;
    if (store_call_get(s->a, s->app->store, id, &call, e) != OK)
        return e->code;
    if (j) {
        json_put_some(j, "url", str_of(call.url));
        json_put_some(j, "request", call.request);
        json_put_some(j, "response", call.response);
    } else {
        put_block(s, in, N_("sent to"), str_of(call.url));
        put_block(s, in, N_("request"), call.request);
        put_block(s, in, N_("response"), call.response);
    }
    return OK;
}

static enum status show_verdict(struct shower *s, const struct verdict_row *v, json_t *list,
                                struct err *e)
{
    struct mark_list marks;
    json_t *j = NULL;

    if (store_mark_list(s->a, s->app->store, v->id, v->sample, &marks, e) != OK)
        return e->code;
    if (s->list)
        (void)json_array_append_new(list, j = verdict_json(s, v, &marks));
    else
        put_text_verdict(s, v, &marks);
    return show_call(s, v->call, j, 4, e);
}

static enum status show_sitting(struct shower *s, const struct sample_row *x,
                                const struct item *item, json_t *j, struct err *e)
{
    const struct sittings_case c = {&s->suite, s->words, item, x->id};
    struct report_sitting t;

    if (!vocab_is_talk(&s->suite))
        return OK;
    if (sittings_read(s->a, s->app->store, &c, &t, e) != OK)
        return e->code;
    if (j) {
        sittings_json(j, &t);
        return OK;
    }
    if (x->answer.n == 0) /* not over yet, so there is no transcript */
        put_text_turns(s, &t);
    put_text_sitting(s, &t);
    return OK;
}

static enum status show_verdicts(struct shower *s, const struct verdict_filter *f, json_t *list,
                                 struct err *e)
{
    struct verdict_list l;

    if (store_verdict_list(s->a, s->app->store, f, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        if (show_verdict(s, &l.v[i], list, e) != OK)
            return e->code;
    return OK;
}

static enum status show_sample(struct shower *s, const struct sample_row *x, struct err *e)
{
    struct verdict_filter f = {.run = s->run->id, .sample = x->id, .id = s->v->verdict};
    json_t *j = NULL;
    struct item item;

    if (item_thaw(s->a, x->body, &item, e) != OK)
        return e->code;
    if (s->list) {
        j = sample_json(s, x, &item);
        (void)json_array_append_new(s->list, j);
    } else {
        put_text_sample(s, x, &item);
    }
    if (show_sitting(s, x, &item, j, e) != OK || show_call(s, x->call, j, 2, e) != OK)
        return e->code;
    if (j)
        put_json_counts(s, x->id, j);
    else
        put_text_counts(s, x->id);
    if (show_verdicts(s, &f, json_object_get(j, "verdicts"), e) != OK)
        return e->code;
    for (size_t i = 0; i < s->juries.n && !f.id; i++) {
        f.people = &s->juries.v[i];
        if (f.people->campaign && show_verdicts(s, &f, json_object_get(j, "verdicts"), e) != OK)
            return e->code;
    }
    if (!j)
        fprintf(s->app->out, "\n");
    return OK;
}

/* The sample that a verdict is about. */
static enum status sample_of(struct shower *s, int64_t *sample, struct err *e)
{
    const struct verdict_filter f = {.run = s->run->id, .id = s->v->verdict};
    struct verdict_list l;

    if (store_verdict_list(s->a, s->app->store, &f, &l, e) != OK)
        return e->code;
    if (l.n == 0)
        return err_set(e, E_ABSENT, "run %s has no verdict %lld", s->run->name,
                       (long long)s->v->verdict);
    *sample = l.v[0].sample;
    return OK;
}

/* For every jury whose numbers may be shown. Battles count in a rating and have no value of their
 * own. */
static enum status count_all(struct shower *s, struct err *e)
{
    for (size_t i = 0; i < s->juries.n && s->suite.instrument.kind != INSTRUMENT_PAIR; i++) {
        s->counting = &s->juries.v[i];
        if (!s->counting->masked && s->counting->members.n &&
            score_value_each(s->app->store, s->run, &s->suite, s->counting, keep_count, s, e) != OK)
            return e->code;
    }
    return OK;
}

/* Every model and item of a run has samples, so one that was named alone does not exist. */
static enum status nothing_to_show(const char *run, const struct sample_filter *f, struct err *e)
{
    if (f->model && !f->item && !f->id)
        return err_set(e, E_ABSENT,
                       "run %s has no model '%s'; `audition board %s` shows its models", run,
                       f->model, run);
    if (f->item && !f->model && !f->id)
        return err_set(e, E_ABSENT, "run %s has no item '%s'; `audition export %s` lists its items",
                       run, f->item, run);
    return err_set(e, E_ABSENT, "run %s has no such sample; `audition export %s` lists them", run,
                   run);
}

static enum status show_all(struct shower *s, struct err *e)
{
    struct sample_filter f = {
        .run = s->run->id, .id = s->v->sample, .model = s->v->model, .item = s->v->item};

    if (store_flag_list(s->a, s->app->store, s->run->id, &s->flags, e) != OK ||
        jury_list(s->a, s->app->store, s->run->id, &s->juries, e) != OK ||
        (s->v->verdict && sample_of(s, &f.id, e) != OK) || keep_samples(s, &f, e) != OK)
        return e->code;
    if (s->n == 0)
        return nothing_to_show(s->run->name, &f, e);
    if (count_all(s, e) != OK)
        return e->code;
    for (size_t i = 0; i < s->n; i++)
        if (show_sample(s, &s->samples[i], e) != OK)
            return e->code;
    if (s->list)
        fprintf(s->app->out, "%s\n", json_text(s->a, s->list));
    (void)fflush(s->app->out); /* so that what follows comes below it even in one file */
    if (s->more)
        fprintf(
            s->app->err,
            _("%lld more sample%s; --limit %lld shows all, --model and --item narrow the list\n"),
            (long long)s->more, message_s(s->more), (long long)s->more + (long long)s->v->limit);
    return OK;
}

/* The models of the run, as it was planned. */
static enum status read_models(struct shower *s, struct err *e)
{
    struct party_list l;

    if (store_party_list(s->a, s->app->store, PARTY_MODEL, s->run->id, &l, e) != OK)
        return e->code;
    s->asked.list = NEW_N(s->a, struct endpoint, l.n);
    for (; s->asked.n < l.n; s->asked.n++)
        if (models_thaw(s->a, l.v[s->asked.n].config, &s->asked.list[s->asked.n], e) != OK)
            return err_wrap(e, "%s", l.v[s->asked.n].name);
    return OK;
}

/* The name, tags and note that people gave the run. */
static void show_remarks(const struct app *app, const struct run_row *run)
{
    struct arena *a = app->arena;

    if (app->common.json || !(*run->label || *run->tags || *run->note))
        return;
    fprintf(app->out, _("run %s\n"), rune_clean(a, str_of(remark_name(a, run))).p);
    if (*run->tags)
        fprintf(app->out, _("  tags  %s\n"), rune_clean(a, str_of(remark_tags(a, run))).p);
    if (*run->note)
        fprintf(app->out, _("  note  %s\n"), rune_clean(a, str_of(run->note)).p);
    fputs("\n", app->out);
}

static enum status show(struct app *app, struct err *e)
{
    const struct show_values *v = app->values;
    AUTO(json_freep) json_t *list = app->common.json ? json_array() : NULL;
    struct run_row run;
    struct shower s = {
        .app = app,
        .a = app->arena,
        .run = &run,
        .v = v,
        .list = list,
        .columns = isatty(fileno(app->out)) && !v->raw ? (size_t)term_columns(app->out) : 0};

    if (store_run_get(app->arena, app->store, app->args.n ? app->args.v[0] : "latest", &run, e) !=
            OK ||
        suite_args_sensitive(app, &run, v->sensitive, &s.suite, e) != OK ||
        read_models(&s, e) != OK)
        return e->code;
    show_remarks(app, &run);
    s.words = timeline_new(app->arena);
    return show_all(&s, e);
}

#define AT(member) offsetof(struct show_values, member)

const struct command cmd_show_command = {
    .name = "show",
    .need = STORE_READ,
    .args = "[RUN] [--model M] [--item I]",
    .summary = "show answers with their verdicts",
    /* clang-format off */
    .opts = OPTS(
        {"model",   'm', OPT_TEXT,  AT(model),   "MODEL", "only answers by this model", 0, 0},
        {"item",    0,   OPT_TEXT,  AT(item),    "ITEM",  "only answers to this item", 0, 0},
        {"sample",  0,   OPT_COUNT, AT(sample),  "ID",    "only this sample", 1, INT64_MAX},
        {"verdict", 0,   OPT_COUNT, AT(verdict), "ID",    "only this verdict, with its sample", 1, INT64_MAX},
        {"limit",   0,   OPT_COUNT, AT(limit),   "N",     "show at most N samples [20]", 1, 100000},
        {"raw",     0,   OPT_FLAG,  AT(raw),     NULL,    "also show requests as sent and responses as received", 0, 0},
        {"sensitive", 0, OPT_FLAG,  AT(sensitive), NULL,  "even for a sensitive suite", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct show_values),
    .defaults = &(const struct show_values){.limit = 20},
    .nargs = {0, 1},
    .run = show,
};
