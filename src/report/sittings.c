#include "report/sittings.h"

#include "report/show.h"
#include "report/wording.h"
#include "store/store_turn.h"
#include "suite/item.h"
#include "talk/voice.h"

/* The speaker of each turn; turns that nobody hears are removed. */
static void name_turns(struct arena *a, const struct sittings_case *c, struct report_sitting *r)
{
    struct str *names = NEW_N(a, struct str, r->turns.n + 1);

    voice_keep_said(&r->turns);
    for (size_t i = 0; i < r->turns.n; i++)
        names[i] = voice_name(c->suite, c->item, &r->turns.v[i]);
    r->names = names;
}

/* Who is played: the character, or the whole cast. */
static struct str played(struct arena *a, const struct sittings_case *c)
{
    const struct cast *cast = &c->suite->elicit.dialogue.cast;
    struct str all = vocab_character(c->suite, c->item)->name;

    for (size_t i = 0; i < cast->nmembers; i++) {
        const struct character *who = vocab_character_by(c->suite, cast->members[i].character);
        if (who)
            all = str_of(i ? arena_printf(a, "%.*s, %.*s", STR_ARG(all), STR_ARG(who->name))
                           : arena_text(a, who->name));
    }
    return all;
}

enum status sittings_read(struct arena *a, struct store *s, const struct sittings_case *c,
                          struct report_sitting *out, struct err *e)
{
    struct report_sitting r = {.character = played(a, c),
                               .examiner = vocab_other(c->suite, c->item)};
    struct paper *paper = NEW(a, struct paper);
    const struct timeline_case t = timeline_case_of(a, c->suite, c->item, paper);

    if ((c->item->paper.n && paper_thaw(a, c->item->paper, paper, e) != OK) ||
        store_turn_list(a, s, c->sample, &r.turns, e) != OK)
        return e->code;
    name_turns(a, c, &r);
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

    if (!vocab_is_talk(&r->suite))
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

static json_t *from_turns(const struct report_sitting *s)
{
    const struct turn_list *l = &s->turns;
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        const struct turn *t = &l->v[i];
        json_t *o = json_add_object(list);
        json_put_int(o, "turn", t->position);
        json_put_int(o, "part", t->part);
        json_put_text(o, "speaker", t->speaker == SPEAKER_MODEL ? "model" : "examiner");
        json_put_text(o, "kind", t->kind);
        json_put_str(o, "name", s->names[i]);
        json_put_str(o, "text", t->text);
        if (t->quote.n)
            json_put_str(o, "quote", t->quote);
        json_put_int(o, "elapsed_ms", t->elapsed_ms);
    }
    return list;
}

void sittings_json(json_t *object, const struct report_sitting *s)
{
    json_t *signs = json_array(), *probes = json_array(), *o;

    json_put(object, "interview", from_turns(s));
    for (size_t i = 0; i < s->signs.n; i++) {
        o = json_add_object(signs);
        json_put_int(o, "turn", s->signs.v[i].turn);
        json_put_text(o, "kind", timeline_sign_name(s->signs.v[i].kind));
        json_put_str(o, "words", s->signs.v[i].words);
    }
    json_put(object, "signs", signs);
    for (size_t i = 0; i < s->probes.n; i++) {
        o = json_add_object(probes);
        json_put_str(o, "fact", s->probes.v[i].fact);
        json_put_int(o, "first", s->probes.v[i].first);
        json_put_int(o, "again", s->probes.v[i].again);
        json_put_text(o, "outcome", probe_outcome_name(s->probes.v[i].outcome));
    }
    json_put(object, "probes", probes);
}

/* ---- the table ---- */

/* What kind of marks the sub-scores are: "whole marks", "means of 12 marks". */
static const char *kind_of_marks(struct arena *a, const struct report *r,
                                 const struct report_model *m, const char *language)
{
    if (!m->score || !m->totals || !m->totals[0])
        return "-";
    if (show_whole(r, m))
        return words_of(language, SITTING_WHOLE);
    return words_with(a, language, SITTING_MEANS, arena_int(a, m->totals[0]->n));
}

#define OF(member) TABLE_OF(struct report_model, member)

/* clang-format off */
static const struct table_field fields[] = {
    {{.key = "name", .word = WORD_MODEL, .kind = TABLE_LINK}, OF(name)},
    {{.key = "unbroken", .word = SITTING_UNBROKEN, .kind = TABLE_INTERVAL, .look = TABLE_BRIEF, .decimals = 1}, OF(unbroken)},
    {{.key = "never_broken", .word = SITTING_NEVER, .kind = TABLE_SHARE}, OF(never_broken)},
    {{.key = "contradictions", .word = SITTING_CONTRADICTIONS, .kind = TABLE_INTERVAL, .look = TABLE_BRIEF, .decimals = 2, .flags = TABLE_ZERO | TABLE_LOWER}, OF(contradictions)},
    {{.key = "bad_users", .word = SITTING_BAD_USERS, .kind = TABLE_COUNT, .flags = TABLE_SPARSE}, OF(bad_users)},
};
static const struct table_field bands[] = {
    {{.word = SITTING_MEAN, .kind = TABLE_INTERVAL, .decimals = 2}, OF(unrounded)},
    {{.key = "spread", .word = SITTING_SPREAD, .kind = TABLE_INTERVAL, .look = TABLE_BRIEF, .decimals = 2}, OF(spread)},
};
/* clang-format on */

#undef OF

static void add_bands(struct table *t, const struct report *r)
{
    struct table_cell *kinds, *shown;

    table_fields(t, bands, COUNT(bands), r->models, sizeof *r->models);
    kinds = table_add(t, .key = "sub_scores");
    shown = table_add(t, .word = SITTING_SUB_SCORES);
    for (size_t i = 0; i < r->nmodels; i++) {
        kinds[i] = table_text(show_whole(r, &r->models[i]) ? "whole" : "means");
        shown[i] = table_text(kind_of_marks(t->a, r, &r->models[i], t->language));
    }
    table_note(t, words_of(t->language, SITTING_READ_MARKS));
}

void sittings_tables(struct arena *a, const struct report *r, const struct tables_how *how,
                     struct tables *out)
{
    struct table *t = table_new(a, how->language, r->nmodels);
    bool sits = r->suite.elicit.kind == ELICIT_INTERVIEW;

    if (!vocab_is_talk(&r->suite))
        return;
    t->title = words_of(how->language, sits ? SITTING_SITTINGS : PHRASE_FACT_TALKS);
    table_fields(t, fields, COUNT(fields), r->models, sizeof *r->models);
    if (show_band(r))
        add_bands(t, r);
    table_note(t, words_of(how->language, sits ? SITTING_READ_SIGNS : OVER_READ_SIGNS));
    tables_add(out, ABOUT_MODELS, "sittings", t);
}

/* Summary of a model over its sittings, on one line: "band 4.5 · Role consistency 4.25 · ...
 * (means of 4) · ...", with the suite's titles. */
static const char *standing(struct arena *a, const struct report *r, const struct report_model *m,
                            const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);
    const struct instrument *in = &r->suite.instrument;
    const struct score_row *n = m->never_broken;
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
                show_number(text, m->unbroken->value, 1, "-"), words_of(language, SITTING_NEVER),
                n ? arena_printf(a, "%.0f / %lld", n->value, (long long)n->n) : "-");
    return arena_text(a, buf_str(&b));
}

const char **sittings_standings(struct arena *a, const struct report *r, size_t model,
                                const char *language)
{
    const char **out = NEW_N(a, const char *, r->nbeside + 2);

    out[0] = standing(a, r, &r->models[model], language);
    if (r->nbeside)
        out[0] = words_two(a, language, WORD_LABELLED, r->jury.name, out[0]);
    for (size_t i = 0; i < r->nbeside; i++)
        out[i + 1] = words_two(a, language, WORD_LABELLED, r->beside[i].jury.name,
                               standing(a, r, &r->beside[i].models[model], language));
    out[r->nbeside + 1] = "";
    return out;
}
