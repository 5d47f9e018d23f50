#include "mock/fate.h"

#include "base/rng.h"

enum { BODIES_MAX = 4 << 20 };

static const char *const names[OUTCOME_COUNT] = {
    [OUTCOME_NONE] = "none",
    [OUTCOME_GOOD] = "good",
    [OUTCOME_429] = "429",
    [OUTCOME_429_AFTER] = "429-after",
    [OUTCOME_429_MS] = "429-ms",
    [OUTCOME_500] = "500",
    [OUTCOME_503] = "503",
    [OUTCOME_HTML] = "html",
    [OUTCOME_RESET] = "reset",
    [OUTCOME_CUT] = "cut",
    [OUTCOME_TRUNCATED] = "truncated",
    [OUTCOME_UTF8] = "utf8",
    [OUTCOME_SURROGATE] = "surrogate",
    [OUTCOME_EMPTY] = "empty",
    [OUTCOME_DRIP] = "drip",
    [OUTCOME_SILENCE] = "silence",
    [OUTCOME_LIMITED] = "limited",
    [OUTCOME_UNAUTHORIZED] = "unauthorized",
    [OUTCOME_BAD_REQUEST] = "bad-request",
    [OUTCOME_GONE] = "gone",
};

const char fate_kinds_default[] = "429-ms,500,503,html,reset,cut,truncated,empty,drip";

const char *fate_name(enum outcome o)
{
    return names[o];
}

bool fate_is_fault(enum outcome o)
{
    return o >= OUTCOME_429 && o <= OUTCOME_SILENCE;
}

bool fate_is_usable(enum outcome o)
{
    return o == OUTCOME_GOOD || o == OUTCOME_DRIP || o == OUTCOME_SURROGATE;
}

static enum outcome fault_named(struct str name)
{
    for (enum outcome o = OUTCOME_NONE; o < OUTCOME_COUNT; o++)
        if (fate_is_fault(o) && str_is(name, names[o]))
            return o;
    return OUTCOME_NONE;
}

enum status fate_kinds(struct fate_options *o, struct str text, struct err *e)
{
    struct str one;

    o->nkinds = 0;
    for (bool more = true; more;) {
        more = str_cut(text, ',', &one, &text);
        if (!more)
            one = text;
        if (fault_named(one) == OUTCOME_NONE)
            return err_set(e, E_USAGE, "\"%.*s\" is no kind of fault", STR_ARG(one));
        if (o->nkinds == COUNT(o->kinds))
            return err_set(e, E_USAGE, "too many kinds of fault");
        o->kinds[o->nkinds++] = fault_named(one);
    }
    return OK;
}

void fate_attempts_init(struct fate_attempts *a)
{
    a->arena = arena_new();
    map_init(&a->counts, a->arena);
}

void fate_attempts_done(struct fate_attempts *a)
{
    arena_freep(&a->arena);
}

uint32_t fate_attempt(struct fate_attempts *a, struct str digest)
{
    uint32_t *count = map_get(&a->counts, digest);

    if (!count) {
        if (a->counts.n >= BODIES_MAX) {
            arena_reset(a->arena);
            map_init(&a->counts, a->arena);
        }
        count = NEW(a->arena, uint32_t);
        (void)map_put(&a->counts, digest, count);
    }
    return ++*count;
}

struct fate fate_draw(const struct fate_options *o, struct str digest, uint32_t attempt)
{
    struct fate fate = {.outcome = OUTCOME_GOOD, .delay_ms = o->latency_ms};
    int64_t ids[2] = {0, attempt};
    struct rng r;

    if (o->rate <= 0 && o->jitter_ms <= 0)
        return fate;
    memcpy(&ids[0], digest.p, digest.n < sizeof ids[0] ? digest.n : sizeof ids[0]);
    r = rng_keyed(o->seed, "fate", ids, COUNT(ids));
    if (o->jitter_ms > 0)
        fate.delay_ms += (int64_t)rng_below(&r, (uint64_t)o->jitter_ms + 1);
    if (rng_unit(&r) < o->rate)
        fate.outcome = o->kinds[rng_below(&r, o->nkinds)];
    return fate;
}
