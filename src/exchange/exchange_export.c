/* Out of a run. */
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/map.h"
#include "base/message.h"
#include "exchange/exchange.h"
#include "exchange/exchange_line.h"
#include "reply/about.h"
#include "store/overall.h"
#include "store/store_exchange.h"
#include "store/store_pair.h"
#include "suite/mark.h"
#include "suite/suite.h"
#include "text/style.h"

struct writer {
    FILE *out;
    const char *run;
    struct suite suite;
    struct arena *arena; /* of one line */
    struct arena *kept;  /* of the file */
    const char *people;  /* whose battles; NULL: judges' */
    struct map styles;   /* of battles: struct style by the id of its sample, as bytes */
};

/* A row has 0 for a count that is not known. */
static void put_count(json_t *j, const char *key, int64_t n)
{
    json_put(j, key, n > 0 ? json_integer(n) : json_null());
}

static json_t *line_start(const struct writer *w, const char *kind)
{
    json_t *j = json_object();

    json_put_text(j, "kind", kind);
    json_put_text(j, "run", w->run);
    return j;
}

static enum status put_line(struct writer *w, const json_t *j, struct err *e)
{
    arena_reset(w->arena);
    if (fprintf(w->out, "%s\n", json_text(w->arena, j)) < 0)
        return err_system(e, N_("cannot write"));
    return OK;
}

static enum status put_sample(struct writer *w, const struct sample_row *s, struct err *e)
{
    AUTO(json_freep) json_t *j = line_start(w, "sample");

    json_put_text(j, "model", s->model_name);
    json_put_text(j, "item", s->item_name);
    json_put_int(j, "repeat", s->repeat);
    json_put_text(j, "state", vocab_state_name(s->state));
    json_put_some(j, "answer", s->answer);
    json_put_some(j, "thinking", s->thinking);
    json_put_some(j, "finish", str_of(s->finish));
    put_count(j, "tokens_in", s->tokens_in);
    put_count(j, "tokens_out", s->tokens_out);
    json_put_real(j, "cost", s->cost);
    json_put_int(j, "tries", s->tries);
    put_count(j, "elapsed_ms", s->elapsed_ms);
    json_put_some(j, "fault", str_of(s->fault));
    json_put_some(j, "why", str_of(s->why));
    return put_line(w, j, e);
}

static enum status put_samples(struct writer *w, struct store *s, int64_t run, struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_samples(s, &(struct sample_filter){.run = run}, e);
    struct sample_row row;

    while (store_sample_next(&c, &row))
        if (put_sample(w, &row, e) != OK)
            return e->code;
    return cursor_end(&c);
}

static void put_marks(const struct writer *w, json_t *j, const struct mark_list *marks)
{
    json_t *all = json_object();

    for (size_t i = 0; i < marks->n; i++) {
        const struct mark *m = &marks->v[i];
        json_t *one = json_object(), *evidence = NULL;
        struct err ignored = {0};
        json_put_real(one, "value", m->value);
        json_put_some(one, "analysis", m->analysis);
        if (m->evidence.n && json_read(m->evidence, &evidence, &ignored) == OK)
            json_put(one, "evidence", evidence);
        json_put_some(one, "advice", m->advice);
        json_put(all, m->dimension, one);
    }
    if (marks->n)
        json_put(j, "marks", all);
    else
        json_decref(all);
    json_put_real(j, "weighted_mean", overall_mean(&w->suite.instrument, marks));
}

static enum status put_verdict(void *user, const struct judgement *v, struct err *e)
{
    struct writer *w = user;
    AUTO(json_freep) json_t *j = line_start(w, "verdict");

    json_put_text(j, "judge", v->judge);
    json_put_text(j, "model", v->model);
    json_put_text(j, "item", v->item);
    json_put_int(j, "repeat", v->repeat);
    json_put_int(j, "judge_repeat", v->judge_repeat);
    json_put_text(j, "state", vocab_state_name(v->state));
    if (!v->other)
        json_put_some(j, *about_is(str_of(v->shown)) ? "about" : "turns", str_of(v->shown));
    if (v->other) {
        bool swapped = strcmp(v->shown, "ba") == 0; /* as recorded judges have it: A, then B */
        json_put_text(j, "model", swapped ? v->other : v->model);
        json_put_text(j, "other", swapped ? v->model : v->other);
        json_put_some(j, "choice", str_of(v->choice));
        json_put_some(j, "winner", str_of(v->winner));
    }
    put_marks(w, j, &v->marks);
    json_put_real(j, "overall", v->overall);
    json_put_some(j, "reason", v->reason);
    json_put_some(j, "reply", v->reply);
    json_put_int(j, "repairs", v->repairs);
    json_put_some(j, "fault", str_of(v->fault));
    json_put_some(j, "why", str_of(v->why));
    return put_line(w, j, e);
}

/* ---- people, where they are unmasked ---- */

static enum status put_rating(struct writer *w, struct store *s, const struct verdict_row *v,
                              struct err *e)
{
    AUTO(json_freep) json_t *j = line_start(w, EXCHANGE_RATING);
    struct mark_list marks;

    arena_reset(w->arena);
    if (store_mark_list(w->arena, s, v->id, v->sample, &marks, e) != OK)
        return e->code;
    json_put_text(j, "judge", v->judge_name);
    json_put_text(j, "model", v->shown_a ? v->shown_a : v->model_name);
    if (v->shown_b)
        json_put_text(j, "other", v->shown_b);
    json_put_text(j, "item", v->item_name);
    json_put_int(j, "repeat", v->sample_repeat);
    json_put_text(j, "state", vocab_state_name(v->state));
    json_put_some(j, "choice", str_of(v->choice));
    json_put_some(j, "winner", str_of(v->winner_name));
    put_marks(w, j, &marks);
    return put_line(w, j, e);
}

static enum status put_ratings(struct writer *w, struct store *s, int64_t run,
                               const struct jury *jury, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct verdict_list l;

    if (store_verdict_list(a, s, &(struct verdict_filter){.run = run, .people = jury}, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        if (put_rating(w, s, &l.v[i], e) != OK)
            return e->code;
    return OK;
}

/* ---- battles, as CSV ---- */

/* What each answer looks like: from the file, ratings can then be controlled for it. */
static enum status read_styles(struct writer *w, struct store *s, int64_t run, struct err *e)
{
    struct cursor c = store_answers(s, run, e);
    struct answer_row row;

    map_init(&w->styles, w->kept);
    while (store_answer_next(&c, &row)) {
        struct style *look = map_room(&w->styles, map_id(&row.sample), sizeof *look);
        *look = style_of(row.answer);
    }
    return cursor_end(&c);
}

/* length_a, length_b, ... as battle.h names them. */
static void put_style(const struct writer *w, const struct battle_row *r, struct buf *line)
{
    const struct style *a = map_get(&w->styles, map_id(&r->sample_a)),
                       *b = map_get(&w->styles, map_id(&r->sample_b));

    for (int f = 0; f < STYLE_FEATURES; f++)
        buf_fmt(line, ",%.17g,%.17g", a ? a->v[f] : 0, b ? b->v[f] : 0);
    buf_char(line, '\n');
}

/* order: ab when model_a was shown first. Two orders make one battle, and weigh as much. */
static enum status put_battle(struct writer *w, const struct battle_row *r, struct err *e)
{
    AUTO(buf_done) struct buf line = BUF_MAX(1 << 20);
    const char *fields[] = {
        r->a_name,
        r->b_name,
        r->winner == 0      ? "tie"
        : r->winner == r->a ? r->a_name
                            : r->b_name,
        r->item_name,
        w->people ? arena_printf(w->kept, "%s/%s", w->people, r->judge_name) : r->judge_name,
        r->a_first ? "ab" : "ba",
        w->suite.instrument.both_orders && !w->people && r->id ? "0.5" : "1", /* id 0: silence */
    };

    if (r->state != STATE_DONE)
        return OK;
    for (size_t i = 0; i < COUNT(fields); i++)
        csv_put_exact(&line, str_of(fields[i]), i == 0);
    put_style(w, r, &line);
    if (fwrite(line.p, 1, line.n, w->out) != line.n)
        return err_system(e, N_("cannot write"));
    return OK;
}

static enum status put_battles_of(struct writer *w, struct store *s, int64_t run,
                                  const struct jury *jury, struct err *e)
{
    const struct rule *empty = &w->suite.rules.of[RULE_EMPTY];
    bool silence =
        empty->on && empty->effect == EFFECT_ZERO && w->suite.instrument.flagged != FLAGGED_DROP;
    AUTO(cursor_close) struct cursor c = store_battles(s, run, jury, silence, e);
    struct battle_row row;

    while (store_battle_next(&c, &row))
        if (put_battle(w, &row, e) != OK)
            return e->code;
    return cursor_end(&c);
}

static enum status put_people(struct writer *w, struct store *s, int64_t run, bool battles,
                              struct err *e)
{
    struct jury_list juries;

    if (jury_list(w->kept, s, run, &juries, e) != OK)
        return e->code;
    for (size_t i = 0; i < juries.n; i++) {
        const struct jury *j = &juries.v[i];
        w->people = j->name;
        if (j->campaign && !j->masked &&
            (battles ? put_battles_of(w, s, run, j, e) : put_ratings(w, s, run, j, e)) != OK)
            return e->code;
    }
    return OK;
}

static enum status put_battles(struct writer *w, struct store *s, const struct run_row *run,
                               struct err *e)
{
    bool good = fprintf(w->out, "model_a,model_b,winner,prompt,judge,order,weight") >= 0;

    for (int f = 0; f < STYLE_FEATURES && good; f++) {
        const char *name = style_name((enum style_feature)f);
        good = fprintf(w->out, ",%s_a,%s_b", name, name) >= 0;
    }
    if (!good || fputc('\n', w->out) == EOF)
        return err_system(e, N_("cannot write"));
    if (read_styles(w, s, run->id, e) != OK || put_battles_of(w, s, run->id, NULL, e) != OK)
        return e->code;
    return put_people(w, s, run->id, true, e);
}

static enum status put_all(struct writer *w, struct store *s, const struct run_row *run,
                           enum exchange_what what, struct err *e)
{
    if (what == EXCHANGE_BATTLES)
        return put_battles(w, s, run, e);
    if ((what & EXCHANGE_SAMPLES) && put_samples(w, s, run->id, e) != OK)
        return e->code;
    if (!(what & EXCHANGE_VERDICTS))
        return OK;
    if (store_judgement_each(s, run->id, put_verdict, w, e) != OK)
        return e->code;
    return put_people(w, s, run->id, false, e);
}

enum status exchange_export(struct store *s, const struct run_row *run, enum exchange_what what,
                            FILE *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *kept = arena_new();
    struct writer w = {.out = out, .run = run->name, .arena = a, .kept = kept};
    enum status st;

    if (suite_thaw(kept, run->frozen, &w.suite, e) != OK)
        return err_wrap(e, "suite of run %s", run->name);
    st = store_looking(s, e, put_all(&w, s, run, what, e));
    if (st == OK && fflush(out) != 0)
        return err_system(e, N_("cannot write"));
    return st;
}
