#include "text/objective.h"

#include <math.h>

#include "base/message.h"
#include "text/choice.h"
#include "text/fold.h"
#include "text/metrics.h"
#include "text/number.h"
#include "text/pattern.h"
#include "text/similar.h"

enum { SHOWN = 80 }; /* runes of a text in the evidence */

/* ---- what is said about a case ---- */

static const char *shown(struct arena *a, struct str s)
{
    struct str text = str_trim(s), head = utf8_head(text, SHOWN);

    return arena_printf(a, "\"%.*s%s\"", STR_ARG(head), head.n < text.n ? "..." : "");
}

static struct objective no_value(const char *why)
{
    return (struct objective){NAN, why};
}

static struct objective yes_or_no(struct arena *a, bool yes, struct str reference)
{
    const char *text = shown(a, reference);

    return (struct objective){
        yes, arena_printf(a, "%s the reference %s", yes ? "equal to" : "not equal to", text)};
}

/* ---- texts ---- */

static bool digit_at(struct runes s, size_t i)
{
    return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* What normalisation leaves of a rune; 0: nothing. Signs inside numbers stay: 1.5 is not 15, -5 is
 * not 5; but 1,000 is 1000. */
static uint32_t kept(struct runes s, size_t i)
{
    uint32_t r = s.p[i];
    bool minus = r == '-' || r == 0x2212;

    if (!rune_is_sign(r))
        return r;
    if (!digit_at(s, i + 1))
        return 0;
    if (i > 0 && digit_at(s, i - 1))
        return r == ',' && digit_at(s, i + 2) && digit_at(s, i + 3) && !digit_at(s, i + 4) ? 0 : r;
    return minus && (i == 0 || rune_is_space(s.p[i - 1]) || rune_is_cjk(s.p[i - 1])) ? '-' : 0;
}

/* NFKC, case folded, spaces collapsed and none beside CJK, without signs. Unlike text/fold.h it
 * keeps runs: 1000 is not 100. */
static struct runes normalised(struct arena *a, struct str s)
{
    struct runes from = rune_normal(a, s);
    uint32_t *to = NEW_N(a, uint32_t, from.n);
    size_t n = 0;
    bool gap = false;

    for (size_t i = 0; i < from.n; i++) {
        uint32_t r = rune_is_space(from.p[i]) ? 0 : kept(from, i);
        gap |= rune_is_space(from.p[i]);
        if (!r)
            continue;
        if (gap && n && !rune_is_cjk(to[n - 1]) && !rune_is_cjk(r))
            to[n++] = ' ';
        gap = false;
        to[n++] = r;
    }
    return (struct runes){to, NULL, n};
}

static struct objective score_exact(struct arena *a, const struct objective_case *c)
{
    return yes_or_no(a, str_eq(str_trim(c->answer), str_trim(c->reference)), c->reference);
}

static struct objective score_normalised(struct arena *a, const struct objective_case *c)
{
    struct runes x = normalised(a, c->answer), y = normalised(a, c->reference);

    /* Normalisation leaves nothing of signs alone ("……"). */
    if (x.n == 0 || y.n == 0)
        return score_exact(a, c);
    return yes_or_no(a, fold_equal(x, y), c->reference);
}

/* Two runes that belong to one word of a script with spaces. */
static bool joined(uint32_t x, uint32_t y)
{
    return !rune_is_cjk(x) && !rune_is_cjk(y) && x != ' ' && y != ' ';
}

static bool occurs(struct runes in, struct runes what)
{
    for (size_t i = 0; what.n && i + what.n <= in.n; i++) {
        size_t end = i + what.n;
        if (memcmp(in.p + i, what.p, what.n * sizeof *what.p) == 0 &&
            !(i > 0 && joined(in.p[i - 1], what.p[0])) &&
            !(end < in.n && joined(what.p[what.n - 1], in.p[end])))
            return true;
    }
    return false;
}

static struct objective score_contains(struct arena *a, const struct objective_case *c)
{
    struct runes answer = normalised(a, c->answer);
    struct str rest = c->reference;
    bool any = false;

    while (rest.n) {
        size_t n = 0;
        struct str one;
        struct runes wanted;
        while (n < rest.n && rest.p[n] != '|' && rest.p[n] != '\n')
            n++;
        one = (struct str){rest.p, n};
        rest = str_from(rest, n < rest.n ? n + 1 : n);
        wanted = normalised(a, one);
        any |= wanted.n > 0;
        if (occurs(answer, wanted))
            return (struct objective){1, arena_printf(a, "contains %s", shown(a, one))};
    }
    if (!any)
        return no_value(N_("the reference contains no words"));
    return (struct objective){0, arena_printf(a, "does not contain %s", shown(a, c->reference))};
}

static struct objective score_edit(struct arena *a, const struct objective_case *c)
{
    struct runes x = normalised(a, c->answer), y = normalised(a, c->reference);
    double value = 1;

    if (x.n > METRICS_RUNES_MAX || y.n > METRICS_RUNES_MAX)
        return no_value(N_("a text is too long to be compared"));
    if (x.n + y.n)
        value = 2 * (double)similar_lcs(a, x, y) / (double)(x.n + y.n);
    return (struct objective){value, arena_printf(a, "similarity %.4f to the reference %s", value,
                                                  shown(a, c->reference))};
}

/* ---- numbers, options, patterns ---- */

static struct objective score_numeric(struct arena *a, const struct objective_case *c)
{
    struct number_goal goal;
    double value;

    if (!number_goal(a, c->reference, &goal))
        return no_value(N_("the reference contains no number"));
    if (!number_last(a, c->answer, &value) || isnan(value))
        return (struct objective){0, "no number in the answer"};
    return (struct objective){fabs(value - goal.value) <= goal.tolerance,
                              arena_printf(a, "%.10g; the reference is %.10g", value, goal.value)};
}

static struct objective score_choice(struct arena *a, const struct objective_case *c)
{
    int want = choice_read(a, c->reference), got = choice_read(a, c->answer);

    if (want == CHOICE_NONE || want == CHOICE_SEVERAL)
        return no_value(N_("the reference names no single option"));
    if (got == CHOICE_NONE)
        return (struct objective){0, "no option is stated"};
    if (got == CHOICE_SEVERAL)
        return (struct objective){0, "more than one option is stated"};
    return (struct objective){got == want, arena_printf(a, "%c; the reference is %c", got, want)};
}

static struct objective score_regex(struct arena *a, const struct objective_case *c)
{
    struct str match = {0};
    bool found = false;
    const char *why;

    if (str_trim(c->pattern).n == 0)
        return no_value(N_("no pattern"));
    why = pattern_search(a, (struct pattern){c->pattern, PATTERN_LINES}, c->answer, &found, &match);
    if (why)
        return no_value(arena_printf(a, N_("the pattern cannot be used: %s"), why));
    if (!found && c->answer.n > PATTERN_TEXT_MAX)
        return no_value(N_("the answer is too long for a pattern"));
    return (struct objective){found, found ? arena_printf(a, "matches: %s", shown(a, match))
                                           : "does not match"};
}

/* ---- text metrics ---- */

/* A member of struct metrics_values. */
static struct objective score_metric(struct arena *a, size_t member, const struct objective_case *c)
{
    struct metrics_values values;
    struct metrics m;
    struct err e = {0};
    double value;

    metrics_init(&m, a, METRICS_CHAR);
    if (metrics_add(a, &m, c->answer, c->reference, &e) != OK)
        return no_value(arena_text(a, str_of(e.msg)));
    values = metrics_values(&m);
    memcpy(&value, (const char *)&values + member, sizeof value);
    if (isnan(value))
        return no_value(N_("nothing to measure"));
    /* F of equal texts is 1 but for the 1e-8 in its divisor; a weight of 0.33 may pass 1. */
    return (struct objective){fmin(value, 1), arena_printf(a, "%.4f against the reference %s",
                                                           value, shown(a, c->reference))};
}

/* ---- all of them ---- */

#define METRIC(member) true, NULL, offsetof(struct metrics_values, member)

static const struct scorer {
    const char *name;
    bool graded;
    struct objective (*score)(struct arena *a, const struct objective_case *c); /* or NULL: */
    size_t metric;
} scorers[OBJECTIVE_KINDS] = {
    [OBJECTIVE_EXACT] = {"exact", false, score_exact, 0},
    [OBJECTIVE_NORMALISED] = {"normalised", false, score_normalised, 0},
    [OBJECTIVE_NUMERIC] = {"numeric", false, score_numeric, 0},
    [OBJECTIVE_CHOICE] = {"choice", false, score_choice, 0},
    [OBJECTIVE_CONTAINS] = {"contains", false, score_contains, 0},
    [OBJECTIVE_REGEX] = {"regex", false, score_regex, 0},
    [OBJECTIVE_EDIT] = {"edit", true, score_edit, 0},
    [OBJECTIVE_BLEU_1] = {"bleu-1", METRIC(bleu[0])},
    [OBJECTIVE_BLEU_2] = {"bleu-2", METRIC(bleu[1])},
    [OBJECTIVE_BLEU_3] = {"bleu-3", METRIC(bleu[2])},
    [OBJECTIVE_BLEU_4] = {"bleu-4", METRIC(bleu[3])},
    [OBJECTIVE_GLEU] = {"gleu", METRIC(gleu)},
    [OBJECTIVE_ROUGE_1] = {"rouge-1", METRIC(rouge_1)},
    [OBJECTIVE_ROUGE_2] = {"rouge-2", METRIC(rouge_2)},
    [OBJECTIVE_ROUGE_L] = {"rouge-l", METRIC(rouge_l)},
    [OBJECTIVE_CHRF] = {"chrf", METRIC(chrf)},
};

const char *objective_name(enum objective_kind k)
{
    return scorers[k].name;
}

bool objective_find(const char *name, enum objective_kind *out)
{
    for (int k = 0; k < OBJECTIVE_KINDS; k++) {
        if (strcmp(scorers[k].name, name) == 0) {
            *out = (enum objective_kind)k;
            return true;
        }
    }
    return false;
}

bool objective_graded(enum objective_kind k)
{
    return scorers[k].graded;
}

struct objective objective_score(struct arena *a, enum objective_kind k,
                                 const struct objective_case *c)
{
    const struct scorer *s = &scorers[k];

    if (k != OBJECTIVE_REGEX && str_trim(c->reference).n == 0)
        return no_value(N_("no reference"));
    return s->score ? s->score(a, c) : score_metric(a, s->metric, c);
}
