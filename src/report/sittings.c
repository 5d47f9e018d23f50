#include "report/sittings.h"

#include <math.h>

#include "report/show.h"
#include "report/wording.h"
#include "store/store_turn.h"

enum status sittings_read(struct arena *a, struct store *s, const struct sittings_case *c,
                          struct report_sitting *out, struct err *e)
{
    const struct character *who = vocab_character(c->suite, c->item);
    struct report_sitting r = {.character = who->name,
                               .examiner = c->suite->elicit.interview.template.examiner};
    struct paper *paper = NEW(a, struct paper);
    const struct timeline_case t = {paper, who->text, c->suite->language};

    if (paper_thaw(a, c->item->paper, paper, e) != OK ||
        store_turn_list(a, s, c->sample, &r.turns, e) != OK)
        return e->code;
    r.theme = paper->theme;
    r.signs = timeline_find(a, c->words, &t, &r.turns);
    r.probes = probe_find(a, paper, &r.turns);
    r.span = timeline_span(&r.turns, &r.signs);
    *out = r;
    return OK;
}

enum status sittings_take(struct arena *a, struct store *s, struct report *r, struct err *e)
{
    struct sittings_case c = {.suite = &r->suite};

    if (r->suite.elicit.kind != ELICIT_INTERVIEW)
        return OK;
    c.words = timeline_new(a);
    for (size_t i = 0; i < r->nsamples; i++) {
        struct report_sitting *one = NEW(a, struct report_sitting);
        c.item = r->samples[i].asked;
        c.sample = r->samples[i].id;
        if (sittings_read(a, s, &c, one, e) != OK)
            return e->code;
        if (one->turns.n) /* none: the answer was imported */
            r->samples[i].sitting = one;
    }
    return OK;
}

/* ---- as JSON ---- */

static void set(json_t *o, const char *key, json_t *value)
{
    (void)json_object_set_new(o, key, value);
}

static json_t *add(json_t *list)
{
    json_t *o = json_object();

    (void)json_array_append_new(list, o);
    return o;
}

static json_t *from_turns(const struct turn_list *l)
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        const struct turn *t = &l->v[i];
        json_t *o = add(list);
        set(o, "turn", json_integer(t->position));
        set(o, "part", json_integer(t->part));
        set(o, "speaker", json_string(t->speaker == SPEAKER_MODEL ? "model" : "examiner"));
        set(o, "kind", json_string(t->kind));
        set(o, "text", json_from_str(t->text));
        if (t->quote.n)
            set(o, "quote", json_from_str(t->quote));
        set(o, "elapsed_ms", json_integer(t->elapsed_ms));
    }
    return list;
}

void sittings_json(json_t *object, const struct report_sitting *s)
{
    json_t *signs = json_array(), *probes = json_array(), *o;

    set(object, "interview", from_turns(&s->turns));
    for (size_t i = 0; i < s->signs.n; i++) {
        o = add(signs);
        set(o, "turn", json_integer(s->signs.v[i].turn));
        set(o, "kind", json_string(timeline_sign_name(s->signs.v[i].kind)));
        set(o, "words", json_from_str(s->signs.v[i].words));
    }
    set(object, "signs", signs);
    for (size_t i = 0; i < s->probes.n; i++) {
        o = add(probes);
        set(o, "fact", json_from_str(s->probes.v[i].fact));
        set(o, "first", json_integer(s->probes.v[i].first));
        set(o, "again", json_integer(s->probes.v[i].again));
        set(o, "outcome", json_string(probe_outcome_name(s->probes.v[i].outcome)));
    }
    set(object, "probes", probes);
}

/* ---- the table ---- */

static const char *number(struct arena *a, const struct score_row *row, int decimals)
{
    char text[SHOW_MAX];

    return arena_text(a, str_of(show_number(text, show_value(row), decimals, "-")));
}

/* "2.50 [1.20, 3.80]" */
static const char *ranged(struct arena *a, const struct score_row *row, int decimals)
{
    if (!row || !isfinite(row->lo) || !isfinite(row->hi))
        return number(a, row, decimals);
    return arena_printf(a, "%.*f [%.*f, %.*f]", decimals, row->value, decimals, row->lo, decimals,
                        row->hi);
}

/* What its sub-scores are: "whole marks", "means of 12 marks". */
static const char *kind_of_marks(struct arena *a, const struct report *r,
                                 const struct report_model *m, const char *language)
{
    if (!m->score || !m->totals || !m->totals[0])
        return "-";
    if (show_whole(r, m))
        return words_of(language, SITTING_WHOLE);
    return words_with(a, language, SITTING_MEANS,
                      arena_printf(a, "%lld", (long long)m->totals[0]->n));
}

static const char *never(struct arena *a, const struct score_row *row)
{
    return row ? arena_printf(a, "%.0f / %lld", row->value, (long long)row->n) : "-";
}

size_t sittings_table(struct arena *a, const struct report *r, const char *language,
                      struct battles_table *out)
{
    bool band = show_band(r);
    const char *(*rows)[BATTLES_COLUMNS] = arena_array(a, r->nmodels, sizeof *rows);
    struct battles_table t = {.title = words_of(language, SITTING_SITTINGS)};

    if (r->suite.elicit.kind != ELICIT_INTERVIEW)
        return 0;
    t.heads[t.columns++] = words_of(language, WORD_MODEL);
    if (band) {
        t.heads[t.columns++] = words_of(language, SITTING_MEAN);
        t.heads[t.columns++] = words_of(language, SITTING_SPREAD);
        t.heads[t.columns++] = words_of(language, SITTING_SUB_SCORES);
    }
    t.heads[t.columns++] = words_of(language, SITTING_UNBROKEN);
    t.heads[t.columns++] = words_of(language, SITTING_NEVER);
    for (size_t i = 0; i < r->nmodels; i++) {
        const struct report_model *m = &r->models[i];
        const char **cell = rows[t.nrows++];
        *cell++ = m->name;
        if (band) {
            *cell++ = ranged(a, m->unrounded, 2);
            *cell++ = number(a, m->spread, 2);
            *cell++ = kind_of_marks(a, r, m, language);
        }
        *cell++ = number(a, m->unbroken, 1);
        *cell++ = never(a, m->never_broken);
    }
    t.rows = (const char *const(*)[BATTLES_COLUMNS])rows;
    t.notes = NEW_N(a, const char *, 2);
    if (band)
        t.notes[t.nnotes++] = words_of(language, SITTING_READ_MARKS);
    t.notes[t.nnotes++] = words_of(language, SITTING_READ_SIGNS);
    *out = t;
    return 1;
}

const char *sittings_standing(struct arena *a, const struct report *r, const struct report_model *m,
                              const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);
    const struct instrument *in = &r->suite.instrument;
    char text[SHOW_MAX];

    if (m->score)
        buf_fmt(&b, "%s %s", words_of(language, wording_headline(&r->suite)),
                show_number(text, m->score->value, show_headline(r), "-"));
    for (size_t d = 0; d < in->ndimensions && m->score; d++)
        buf_fmt(&b, " · %.*s %s", STR_ARG(in->dimensions[d].title),
                show_number(text, show_value(m->marks[d]), show_marks(r, m), "-"));
    if (show_band(r) && m->score)
        buf_fmt(&b, " (%s)", kind_of_marks(a, r, m, language));
    if (m->unbroken)
        buf_fmt(&b, "%s%s %s · %s %s", b.n ? " · " : "", words_of(language, SITTING_UNBROKEN),
                number(a, m->unbroken, 1), words_of(language, SITTING_NEVER),
                never(a, m->never_broken));
    return arena_text(a, buf_str(&b));
}
