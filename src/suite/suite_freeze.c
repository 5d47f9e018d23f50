/* Suites as a run stores them.
 *
 * A frozen suite has the shape of a suite file with everything written out, so that one reader
 * reads both. */
#include "suite/card.h"
#include "suite/suite_read.h"

static void set_text(json_t *object, const char *key, struct str text)
{
    (void)json_object_set_new(object, key, json_from_str(text));
}

static void set_real(json_t *object, const char *key, double v)
{
    (void)json_object_set_new(object, key, json_real(v));
}

/* A member that is JSON already. */
static void set_json(json_t *object, const char *key, const char *text)
{
    json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);

    (void)json_object_set_new(object, key, v ? v : json_object());
}

static json_t *template_json(const struct template *t)
{
    json_t *j = json_object();

    set_text(j, "name", str_of(t->name));
    set_text(j, "system", t->system);
    set_text(j, "user", t->user);
    set_text(j, "repair", t->repair);
    return j;
}

static json_t *characters_json(const struct suite *s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < s->ncharacters; i++) {
        json_t *j = json_object();
        set_text(j, "id", str_of(s->characters[i].id));
        set_text(j, "name", s->characters[i].name);
        set_text(j, "text", s->characters[i].text);
        set_text(j, "greeting", s->characters[i].greeting);
        if (s->characters[i].lorebook)
            (void)json_object_set_new(j, "lorebook", card_book_json(s->characters[i].lorebook));
        (void)json_array_append_new(list, j);
    }
    return list;
}

static json_t *systems_json(struct arena *a, const struct elicit *e)
{
    json_t *j = json_object();

    for (size_t i = 0; i < e->nsystems; i++)
        set_text(j, arena_text(a, e->systems[i].kind), e->systems[i].text);
    return j;
}

static void set_interview(json_t *j, const struct interview *how)
{
    (void)json_object_set_new(j, "template", suite_interview_json(how));
    set_text(j, "bank", str_of(how->bank));
    (void)json_object_set_new(j, "sittings", json_integer(how->sittings));
    (void)json_object_set_new(j, "part1", json_integer(how->part1));
    (void)json_object_set_new(j, "follow_ups", json_integer(how->follow_ups));
    (void)json_object_set_new(j, "part3", json_integer(how->part3));
    set_text(j, "examiner", str_of(suite_examiner_words[how->examiner]));
}

static void set_take(json_t *j, const struct elicit *e)
{
    json_t *take;

    if (e->take == TAKE_LINES) {
        (void)json_object_set_new(j, "lines", json_integer(e->lines));
    } else if (e->take == TAKE_FIRST_LINES && e->lines > 1) {
        take = json_object();
        (void)json_object_set_new(take, "first-lines", json_integer(e->lines));
        (void)json_object_set_new(j, "take", take);
    } else {
        set_text(j, "take", e->take == TAKE_FIRST_LINES ? STR("first-line") : STR("all"));
    }
}

static json_t *elicit_json(struct arena *a, const struct elicit *e)
{
    json_t *j = json_object();

    set_text(j, "kind", str_of(suite_elicit_words[e->kind]));
    (void)json_object_set_new(j, "repeats", json_integer(e->repeats));
    if (e->kind == ELICIT_INTERVIEW) {
        set_interview(j, &e->interview);
        set_json(j, "sampling", e->sampling);
        return j;
    }
    (void)json_object_set_new(j, "template", template_json(&e->template));
    if (e->nsystems)
        (void)json_object_set_new(j, "systems", systems_json(a, e));
    set_take(j, e);
    set_json(j, "sampling", e->sampling);
    return j;
}

static json_t *levels_json(const struct dimension *dim)
{
    json_t *list = json_array();

    for (size_t i = 0; i < dim->nlevels; i++) {
        json_t *j = json_object();
        set_real(j, "value", dim->levels[i].value);
        set_text(j, "text", dim->levels[i].text);
        (void)json_array_append_new(list, j);
    }
    return list;
}

static json_t *dimension_json(const struct dimension *dim)
{
    json_t *j = json_object(), *scale;

    set_text(j, "id", str_of(dim->id));
    set_text(j, "title", dim->title);
    set_text(j, "description", dim->description);
    set_real(j, "weight", dim->weight);
    if (dim->nlevels) {
        (void)json_object_set_new(j, "levels", levels_json(dim));
    } else {
        scale = json_array();
        (void)json_array_append_new(scale, json_real(dim->min));
        (void)json_array_append_new(scale, json_real(dim->max));
        (void)json_object_set_new(j, "scale", scale);
        set_text(j, "step", dim->whole ? STR("1") : STR("any"));
    }
    set_text(j, "better", dim->lower_is_better ? STR("lower") : STR("higher"));
    return j;
}

static json_t *pair_json(const struct instrument *in)
{
    json_t *j = json_object(), *list = json_array();

    set_text(j, "kind", STR("pair"));
    for (size_t i = 0; i < in->ncriteria; i++)
        (void)json_array_append_new(list, json_from_str(in->criteria[i]));
    (void)json_object_set_new(j, "criteria", list);
    (void)json_object_set_new(j, "ties", json_boolean(in->ties));
    set_text(j, "orders", in->both_orders ? STR("both") : STR("one"));
    if (in->flagged != FLAGGED_IGNORE)
        set_text(j, "flagged", in->flagged == FLAGGED_LOSE ? STR("lose") : STR("drop"));
    return j;
}

static json_t *instrument_json(const struct instrument *in)
{
    json_t *j, *list;

    if (in->kind == INSTRUMENT_PAIR)
        return pair_json(in);
    j = json_object();
    list = json_array();
    set_text(j, "kind", STR("dimensions"));
    set_text(j, "scene", in->scene);
    set_text(j, "scene_description", in->scene_description);
    set_text(j, "score_details", in->score_details);
    set_text(j, "steps", in->steps);
    if (in->quotes)
        (void)json_object_set_new(j, "quotes", json_true());
    for (size_t i = 0; i < in->ndimensions; i++)
        (void)json_array_append_new(list, dimension_json(&in->dimensions[i]));
    (void)json_object_set_new(j, "dimensions", list);
    return j;
}

static json_t *score_json(const struct score_spec *score)
{
    json_t *j = json_object();

    set_text(j, "kind", str_of(suite_score_words[score->kind]));
    if (score->kind == SCORE_MEAN_OF_ITEMS || score->kind == SCORE_WEIGHTED_MEAN)
        set_real(j, "times", score->times);
    if (score->kind == SCORE_SUM)
        set_real(j, "divide", score->divide);
    if (score->kind == SCORE_RATING) {
        json_t *also = json_array();
        set_text(j, "headline", STR("bradley-terry"));
        if (score->glicko)
            (void)json_array_append_new(also, json_string("glicko2"));
        (void)json_object_set_new(j, "also", also);
        if (score->one_period)
            set_text(j, "period", STR("run"));
        return j;
    }
    set_text(j, "round", str_of(suite_round_words[score->round]));
    return j;
}

static json_t *examples_json(const struct suite *s)
{
    json_t *list = json_array();

    for (size_t i = 0; i < s->nexamples; i++) {
        const struct example *one = &s->examples[i];
        json_t *j = json_object(), *scores = json_object();
        set_text(j, "prompt", one->prompt);
        set_text(j, "answer", one->answer);
        if (one->reference.n)
            set_text(j, "reference", one->reference);
        set_text(j, "reason", one->reason);
        for (size_t k = 0; k < s->instrument.ndimensions; k++)
            set_real(scores, s->instrument.dimensions[k].id, one->scores[k]);
        (void)json_object_set_new(j, "score", scores);
        (void)json_array_append_new(list, j);
    }
    return list;
}

static json_t *pick_json(struct arena *a, const struct suite *s)
{
    json_t *j = json_object();

    for (size_t i = 0; i < s->npicks; i++)
        (void)json_object_set_new(j, arena_text(a, s->picks[i].group),
                                  json_integer((json_int_t)s->picks[i].n));
    return j;
}

const char *suite_freeze(struct arena *a, const struct suite *s)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *judge = json_object();

    set_text(j, "suite", str_of(s->id));
    set_text(j, "title", s->title);
    set_text(j, "description", s->description);
    set_text(j, "language", str_of(s->language));
    (void)json_object_set_new(j, "seed", json_integer((json_int_t)s->seed));
    if (s->sensitive)
        (void)json_object_set_new(j, "sensitive", json_true());
    if (s->ncharacters)
        (void)json_object_set_new(j, "characters", characters_json(s));
    (void)json_object_set_new(j, "elicit", elicit_json(a, &s->elicit));
    (void)json_object_set_new(j, "instrument", instrument_json(&s->instrument));
    (void)json_object_set_new(j, "rules", suite_rules_json(a, &s->rules));
    (void)json_object_set_new(judge, "template", template_json(&s->judge));
    set_json(judge, "sampling", s->judge_sampling);
    if (s->judge_examples)
        (void)json_object_set_new(judge, "examples", json_true());
    (void)json_object_set_new(j, "judge", judge);
    (void)json_object_set_new(j, "score", score_json(&s->score));
    if (s->nexamples)
        (void)json_object_set_new(j, "examples", examples_json(s));
    if (s->npicks)
        (void)json_object_set_new(j, "pick", pick_json(a, s));
    return json_text(a, j);
}

enum status suite_thaw(struct arena *a, struct str frozen, struct suite *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct suite s = {0};
    struct diags d;
    struct suite_reading r = {.a = a, .d = &d, .s = &s};

    if (json_read(frozen, &j, e) != OK)
        return err_wrap(e, "stored suite");
    diags_init(&d, a);
    suite_read(&r, doc_from_json(a, j, (struct place){0}));
    for (const struct diag *one = d.first; one; one = one->next)
        if (one->level == DIAG_ERROR)
            return err_set(e, E_INPUT, "stored suite: %s", one->msg);
    *out = s;
    return OK;
}
