#include "suite/probe.h"

#include "base/words.h"
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

struct str probe_text(struct arena *a, const struct probe_list *l, const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TEXT_MAX);

    for (size_t i = 0; i < l->n; i++) {
        const struct probe *p = &l->v[i];
        buf_fmt(&b, "%s- %.*s ([%lld], [%lld])%s", i ? "\n" : "", STR_ARG(p->fact),
                (long long)p->first, (long long)p->again,
                words_find(language, "TOLD_PROBE_", probe_outcome_name(p->outcome)));
    }
    return arena_str(a, buf_str(&b));
}
