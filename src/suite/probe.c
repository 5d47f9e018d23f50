#include "suite/probe.h"

#include "base/message.h"
#include "text/word.h"

enum { TEXT_MAX = 1 << 16 };

const char *probe_outcome_name(enum probe_outcome o)
{
    static const char *const names[PROBE_OUTCOMES] = {
        [PROBE_AGREES] = "agrees", [PROBE_DIFFERS] = "differs", [PROBE_SILENT] = "silent"};

    return names[o];
}

/* The answer to the question about this fact in this part; NULL if it was not asked there. */
static const struct turn *answer_to(const struct turn_list *turns, const char *fact, int64_t part)
{
    for (size_t i = 0; i + 1 < turns->n; i++) {
        const struct turn *q = &turns->v[i], *answer = q + 1;
        if (q->part == part && q->speaker == SPEAKER_EXAMINER && strcmp(q->fact, fact) == 0 &&
            answer->speaker == SPEAKER_MODEL)
            return answer;
    }
    return NULL;
}

struct probe_list probe_find(struct arena *a, const struct paper *p, const struct turn_list *turns)
{
    struct probe_list l = {NEW_N(a, struct probe, p->nfacts), 0};

    for (size_t i = 0; i < p->nfacts; i++) {
        const struct paper_fact *f = &p->facts[i];
        const struct turn *first = answer_to(turns, f->id, 1), *again = answer_to(turns, f->id, 3);
        struct probe *one = &l.v[l.n];
        if (!first || !again)
            continue;
        *one = (struct probe){.fact = f->fact,
                              .first = first->position,
                              .again = again->position,
                              .said = {word_first(a, first->text, f->expect, f->nexpect),
                                       word_first(a, again->text, f->expect, f->nexpect)}};
        one->outcome = one->said[0].n && one->said[1].n   ? PROBE_AGREES
                       : one->said[0].n || one->said[1].n ? PROBE_DIFFERS
                                                          : PROBE_SILENT;
        l.n++;
    }
    return l;
}

/* English, Chinese, Japanese. */
static const char *const outcomes[PROBE_OUTCOMES][3] = {
    [PROBE_AGREES] = {": both answers seem to say so", "：两处回答似乎都提到了",
                      "：どちらの回答でも述べられているようです"},
    [PROBE_DIFFERS] =
        {": only one of the answers seems to say so; perhaps the other contradicts it",
         "：似乎只有一处回答提到，另一处可能与之矛盾",
         "：一方の回答だけで述べられているようです。もう一方は食い違っているかもし"
         "れません"},
    [PROBE_SILENT] = {": neither answer seems to say so; perhaps they contradict the card",
                      "：两处回答似乎都没有提到，可能与角色卡矛盾",
                      "：どちらの回答でも述べられていないようです。役柄の設定と食い違うかもしれ"
                      "ません"},
};

struct str probe_text(struct arena *a, const struct probe_list *l, const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TEXT_MAX);
    enum language tongue = message_language_of(language);

    for (size_t i = 0; i < l->n; i++) {
        const struct probe *p = &l->v[i];
        buf_fmt(&b, "%s- %.*s ([%lld], [%lld])%s", i ? "\n" : "", STR_ARG(p->fact),
                (long long)p->first, (long long)p->again, outcomes[p->outcome][tongue]);
    }
    return arena_str(a, buf_str(&b));
}
