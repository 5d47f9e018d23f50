#include "report/wording.h"

#include "suite/mark.h"

static const struct {
    const char *fault;
    enum word advice;
} faults[] = {
    /* clang-format off */
    {"rate-limit", ADVICE_WAIT},  {"overload", ADVICE_WAIT},    {"server", ADVICE_WAIT},
    {"network", ADVICE_WAIT},     {"timeout", ADVICE_WAIT},     {"auth", ADVICE_KEY},
    {"quota", ADVICE_QUOTA},      {"rejected", ADVICE_REQUEST}, {"garbled", ADVICE_ADDRESS},
    {"empty", ADVICE_TEXT},       {"too-large", ADVICE_ADDRESS}, {"no-reference", ADVICE_REFERENCE},
    {"recorded", ADVICE_RECORDED}, {"thought", ADVICE_TEXT},    {"filtered", ADVICE_FILTER},
    {"forbidden", ADVICE_FILTER},
    /* clang-format on */
};

const char *wording_repeat(struct arena *a, const char *language, int64_t repeat)
{
    return words_with(a, language, WORD_REPEAT, arena_int(a, repeat + 1));
}

const char *wording_extent(struct arena *a, const char *language, int64_t items, int64_t repeats)
{
    const char *what = words_of(language, items == 1 ? WORD_ITEM : WORD_ITEMS);

    if (repeats == 1)
        return arena_printf(a, "%lld %s", (long long)items, what);
    return arena_printf(a, "%lld %s × %lld %s", (long long)items, what, (long long)repeats,
                        words_of(language, WORD_REPEATS));
}

enum word wording_headline(const struct suite *s)
{
    if (s->instrument.kind == INSTRUMENT_PAIR)
        return WORD_RATING;
    return s->score.kind == SCORE_BAND ? WORD_BAND : WORD_SCORE;
}

enum word wording_method(const struct suite *s)
{
    if (s->instrument.kind == INSTRUMENT_PAIR)
        return WORD_METHOD_RATING;
    return s->elicit.kind == ELICIT_INTERVIEW ? WORD_METHOD_SITTINGS : WORD_METHOD;
}

const char *wording_named(const char *language, const char *prefix, const char *name)
{
    const char *text = words_find(language, prefix, name);

    return text ? text : name;
}

const char *wording_interval(const char *language, const char *why)
{
    return wording_named(language, "RANGE_", why);
}

static const char *reading_score(struct arena *a, const struct suite *s)
{
    const char *l = s->language;

    if (s->score.kind == SCORE_TOTALS)
        return words_of(l, WORD_READ_TOTALS);
    if (s->score.kind == SCORE_BAND)
        return words_of(l, WORD_READ_BAND);
    if (s->score.kind == SCORE_SUM)
        return words_with(a, l, WORD_READ_SUM, arena_printf(a, "%g", s->score.divide));
    if (s->score.times == 1)
        return words_of(l, WORD_READ_MEAN);
    return words_with(a, l, WORD_READ_TIMES, arena_printf(a, "%g", s->score.times));
}

static const char *reading_rule(struct arena *a, const struct suite *s)
{
    const struct rule *rule = &s->rules.of[RULE_DUPLICATE];

    if (rule->effect == EFFECT_CAP)
        return words_with(a, s->language, WORD_READ_RULE_CAP, arena_printf(a, "%g", rule->cap));
    return words_of(s->language,
                    rule->effect == EFFECT_ZERO ? WORD_READ_RULE_ZERO : WORD_READ_RULE_NOTE);
}

/* "Weights of the dimensions: Tone 60 % · Idiom 40 %."; NULL where all weigh the same. */
static const char *reading_weights(struct arena *a, const struct suite *s)
{
    const struct dimension *d = s->instrument.dimensions;
    const char *list = "";
    bool differ = false;
    double sum = 0;

    for (size_t i = 0; i < s->instrument.ndimensions; i++) {
        differ = differ || d[i].weight != d[0].weight;
        sum += d[i].weight;
    }
    for (size_t i = 0; differ && i < s->instrument.ndimensions; i++)
        list = arena_printf(a, "%s%s%.*s %s", list, i ? " · " : "", STR_ARG(d[i].title),
                            words_with(a, s->language, WORD_PERCENT,
                                       arena_printf(a, "%.3g", 100 * d[i].weight / sum)));
    return differ ? words_with(a, s->language, WORD_READ_WEIGHTS, list) : NULL;
}

static size_t reading_pair(const struct suite *s, const char *out[WORDING_READING])
{
    const char *l = s->language;
    size_t n = 0;

    out[n++] = words_of(l, WORD_READ_RATING);
    out[n++] = words_of(l, WORD_READ_RATING_INTERVAL);
    out[n++] = words_of(l, s->instrument.both_orders ? WORD_READ_ORDERS : WORD_READ_BATTLES);
    out[n++] = words_of(l, WORD_READ_UNSCORED);
    if (s->rules.of[RULE_DUPLICATE].on)
        out[n++] = words_of(l, WORD_READ_RULE_NOTE);
    return n;
}

size_t wording_reading(struct arena *a, const struct suite *s, const char *out[WORDING_READING])
{
    const char *weights = reading_weights(a, s);
    size_t n = 0;

    if (s->instrument.kind == INSTRUMENT_PAIR)
        return reading_pair(s, out);
    out[n++] = reading_score(a, s);
    out[n++] = words_of(s->language, WORD_READ_VALUE);
    if (weights)
        out[n++] = weights;
    out[n++] = words_of(s->language, WORD_READ_INTERVAL);
    out[n++] = words_of(s->language, WORD_READ_N);
    out[n++] = words_of(s->language, WORD_READ_UNSCORED);
    if (s->rules.of[RULE_DUPLICATE].on)
        out[n++] = reading_rule(a, s);
    for (int k = RULE_DUPLICATE + 1; k < RULE_KINDS; k++) {
        const char *effect = wording_flag_effect(a, s, (enum rule_kind)k);
        if (effect)
            out[n++] = effect;
    }
    return n;
}

const char *wording_advice(const char *language, const char *fault, enum state state)
{
    enum word advice = state == STATE_UNSCORED ? ADVICE_FORMAT : ADVICE_LOOK;

    for (size_t i = 0; i < COUNT(faults); i++)
        if (str_is(str_of(fault), faults[i].fault) &&
            (state != STATE_UNSCORED || faults[i].advice == ADVICE_REFERENCE))
            advice = faults[i].advice;
    return words_of(language, advice);
}

const char *wording_why(struct arena *a, const char *language, const char *why, const char *fault)
{
    return why && *why ? message_show(a, language, why) : fault;
}

const char *wording_sign(const char *language, enum sign_kind k)
{
    return words_find(language, "SIGNS_", timeline_sign_name(k));
}

const char *wording_probe(const char *language, enum probe_outcome o)
{
    return words_find(language, "PROBES_", probe_outcome_name(o));
}
