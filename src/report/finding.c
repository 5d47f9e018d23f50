#include "report/finding.h"

#include <math.h>

#include "report/show.h"
#include "report/values.h"
#include "report/wording.h"

enum { FEW_ITEMS = 30 };

/* The sentence for a leader who is ahead of `behind` of `others` models. */
static const char *standing_words(struct arena *a, const char *language, int64_t behind,
                                  int64_t others, bool paired)
{
    static const struct {
        enum word none, some, one, all;
    } words[] = {
        {FINDING_CLOSE, FINDING_AHEAD, FINDING_AHEAD_ONE, FINDING_AHEAD_ALL},
        {FINDING_PAIRED_NONE, FINDING_PAIRED, FINDING_PAIRED_ONE, FINDING_PAIRED_ALL},
    };

    if (others == 0)
        return "";
    if (behind == 0)
        return words_of(language, words[paired].none);
    if (behind < others)
        return words_two(a, language, words[paired].some, arena_int(a, behind),
                         arena_int(a, others));
    return others == 1 ? words_of(language, words[paired].one)
                       : words_with(a, language, words[paired].all, arena_int(a, others));
}

/* How the leader compares with the others: by paired differences if they are known, otherwise by
 * whether intervals overlap. Models of other groups cannot be compared. */
static const char *standing(struct arena *a, const struct report *r)
{
    const struct report_model *first = &r->models[0];
    int64_t others = 0, behind = 0;

    if (!r->lead && !isfinite(first->score->lo))
        return words_of(r->suite.language, FINDING_NO_INTERVAL);
    for (size_t i = 1; i < r->nmodels; i++) {
        const struct report_model *m = &r->models[i];
        if (r->lead) {
            others += isfinite(r->lead->v[i].value);
            behind += r->lead->ahead[i] > 0;
        } else if (isfinite(show_value(m->score)) && m->battles.group == first->battles.group) {
            others++;
            behind += m->score->hi < first->score->lo;
        }
    }
    return standing_words(a, r->suite.language, behind, others, r->lead != NULL);
}

/* If all have the same score, nobody leads. */
static const char *headline(struct arena *a, const struct report *r)
{
    const char *language = r->suite.language;
    const double most = r->models[0].score->value;
    bool level = r->nmodels > 1;
    size_t scored = 1;
    char value[SHOW_MAX];

    for (size_t i = 1; i < r->nmodels; i++) {
        double v = show_value(r->models[i].score);
        level = level && v == most;
        scored += isfinite(v) != 0;
    }
    show_number(value, most, show_headline(r), "-");
    if (level)
        return words_with(a, language, FINDING_LEVEL, value);
    return words_two(a, language, scored > 1 ? FINDING_LEADS : FINDING_ONE, r->models[0].name,
                     value);
}

static const char *missing(struct arena *a, const char *language, int64_t n, enum word one,
                           enum word many)
{
    return n == 0   ? ""
           : n == 1 ? words_of(language, one)
                    : words_with(a, language, many, arena_int(a, n));
}

/* The full stop of Chinese and Japanese includes its space. */
static void add(struct buf *b, const char *sentence)
{
    if (b->n && *sentence && !str_ends(buf_str(b), STR("。")))
        buf_char(b, ' ');
    buf_text(b, sentence);
}

const char *finding_of(struct arena *a, const struct report *r)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);
    const char *language = r->suite.language;
    int64_t failed = 0, unscored = 0, unjudged = 0, out = 0;

    if (!show_any_scored(r) || !r->models[0].score)
        return "";
    for (size_t i = 0; i < r->nmodels; i++) {
        failed += r->models[i].failed;
        unscored += r->models[i].unscored;
        unjudged += r->models[i].unjudged;
        out += r->models[i].left_out;
    }
    add(&b, headline(a, r));
    add(&b, standing(a, r));
    if (show_pair(r)) { /* each battle is counted with both models */
        unscored /= 2, unjudged /= 2;
        add(&b, missing(a, language, unscored, FINDING_UNJUDGED_BATTLE, FINDING_UNJUDGED_BATTLES));
        unscored = 0;
    }
    add(&b, missing(a, language, unscored + failed, FINDING_UNSCORED_ONE, FINDING_UNSCORED));
    if (show_missing(r))
        add(&b, words_with(a, language, FINDING_MISSING, arena_int(a, show_missing(r))));
    if (unjudged)
        add(&b, words_with(a, language, FINDING_UNJUDGED, arena_int(a, unjudged)));
    if (out)
        add(&b, words_with(a, language, FINDING_LEFT_OUT, arena_int(a, out)));
    return arena_text(a, buf_str(&b));
}

const char *finding_whose(struct arena *a, const struct report *r)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);
    const char *language = r->suite.language;

    if (r->njudges)
        add(&b, words_with(a, language, SEE_SAME_JUDGES, r->jury.name));
    add(&b, words_of(language, wording_method(&r->suite)));
    return arena_text(a, buf_str(&b));
}

size_t finding_limits(struct arena *a, const struct report *r, const char *out[FINDING_LIMITS])
{
    const char *language = r->suite.language;
    const char *fell = "";
    bool model = false, people = false;
    size_t n = 0;

    for (size_t i = 0; i < r->njudges; i++) {
        model = model || r->judges[i].template;
        if (r->judges[i].falls)
            fell = arena_printf(a, "%s%s%s", fell, *fell ? ", " : "", r->judges[i].name);
    }
    for (size_t i = 0; i < r->npanels; i++)
        people = people || r->panels[i].people;
    if (model)
        out[n++] = words_of(language, LIMIT_MODELS);
    if (model && !people)
        out[n++] = words_of(language, LIMIT_NO_PEOPLE);
    if (*fell)
        out[n++] = words_with(a, language, LIMIT_FELL, fell);
    if (model && r->njudges == 1)
        out[n++] = words_of(language, LIMIT_ONE_JUDGE);
    if (r->items < FEW_ITEMS)
        out[n++] = words_with(a, language, LIMIT_FEW, arena_int(a, r->items));
    return n;
}
