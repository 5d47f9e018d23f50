/* What reports say about flags. */
#include "report/wording.h"

#include "base/json.h"
#include "reply/about.h"
#include "suite/turn.h"

const char *wording_flag(const char *language, const char *kind)
{
    return wording_named(language, "FLAG_", kind);
}

const char *wording_flag_other(const char *language, const char *kind)
{
    const char *text = words_find(language, "FLAG_OTHER_", kind);

    return text ? text : words_of(language, WORD_OTHER);
}

const char *wording_flag_why(const char *language, const char *why)
{
    return wording_named(language, "FLAG_WHY_", why);
}

const char *wording_about(struct arena *a, const char *language, struct str shown)
{
    struct turn_span span = turn_span_read(shown);
    const char *about = about_is(shown), *text = words_find(language, "VERDICT_ABOUT_", about);

    if (span.first && span.first == span.last)
        return words_with(a, language, OVER_STRETCH, arena_int(a, span.first));
    if (span.first)
        return words_with(
            a, language, OVER_STRETCHES,
            arena_printf(a, "%lld–%lld", (long long)span.first, (long long)span.last));
    return text ? text : *about ? about : NULL;
}

const char *wording_about_mark(const char *language, const char *dimension)
{
    return wording_named(language, "VERDICT_MARK_", dimension);
}

const char *wording_flag_judged(struct arena *a, const char *language, const struct flag_row *f,
                                const json_t *evidence)
{
    const char *judged = arena_text(a, json_str_at(evidence, "judged", STR(""))), *text;
    struct str judge = json_str_at(evidence, "judge", STR("")),
               quote = json_str_at(evidence, "quote", STR("")),
               said = json_str_at(evidence, "said", STR(""));

    if (!*judged)
        return NULL;
    text = wording_named(language, "FLAG_JUDGED_", judged);
    if (judge.n)
        text = arena_printf(a, "%s (%.*s)", text, STR_ARG(judge));
    if (quote.n)
        text = arena_printf(a, "%s: %.*s", text, STR_ARG(quote));
    if (said.n)
        text = arena_printf(a, "%s · %.*s", text, STR_ARG(said));
    return f->restored_by
               ? arena_printf(a, "%s · %s %s: %s", text, words_of(language, WORD_RESTORED),
                              f->restored_by, f->restored_why)
               : text;
}

const char *wording_flag_value(const char *language, const char *kind)
{
    const char *text = words_find(language, "FLAG_VALUE_", kind);

    return text ? text : words_of(language, WORD_SIMILARITY);
}

const char *wording_flag_effect(struct arena *a, const struct suite *s, enum rule_kind kind)
{
    const struct rule *rule = &s->rules.of[kind];
    const char *name = wording_flag(s->language, suite_rule_name(kind));

    if (!rule->on || rule->effect == EFFECT_NOTE)
        return NULL;
    if (kind == RULE_EMPTY)
        return words_of(s->language, FLAG_EFFECT_SILENCE);
    if (rule->effect == EFFECT_LEAVE_OUT)
        return words_with(a, s->language, FLAG_EFFECT_LEAVE_OUT, name);
    if (rule->effect == EFFECT_ZERO)
        return words_with(a, s->language, FLAG_EFFECT_ZERO, name);
    return words_fill(a, words_with(a, s->language, FLAG_EFFECT_CAP, name),
                      arena_printf(a, "%g", rule->cap));
}
