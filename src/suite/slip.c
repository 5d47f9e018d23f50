#include "suite/slip.h"

#include "text/word.h"

static size_t member_named(const struct suite *s, struct str name)
{
    const struct cast *c = &s->elicit.dialogue.cast;

    for (size_t i = 0; i < c->nmembers; i++) {
        const struct character *who = vocab_character_by(s, c->members[i].character);
        if (who && str_eq(who->name, name))
            return i;
    }
    return SIZE_MAX;
}

/* State of a pass over a transcript. */
struct walk {
    const struct suite *suite;
    int64_t turn; /* number of utterances so far */
    size_t events, who;
    const struct cast_event *event; /* NULL: a character speaks */
};

static void step(struct walk *w, const struct transcript_turn *t)
{
    const struct cast *c = &w->suite->elicit.dialogue.cast;

    w->who = member_named(w->suite, t->who);
    w->event = w->who == SIZE_MAX && w->events < c->nevents ? &c->events[w->events++] : NULL;
    w->turn += w->who != SIZE_MAX;
}

static bool sees(const struct walk *w, const struct cast_member *m)
{
    return w->event ? cast_sees(w->event, m) : cast_present(m, w->turn);
}

static void note_missed(struct arena *a, const struct suite *s, const struct transcript *said,
                        struct slip *slip)
{
    const struct cast *c = &s->elicit.dialogue.cast;
    size_t who = member_named(s, slip->turn.who);
    int64_t *missed = NEW_N(a, int64_t, said->n);
    struct walk w = {.suite = s};

    for (size_t i = 0; i < said->n && said->v[i].number < slip->turn.number; i++) {
        step(&w, &said->v[i]);
        if (!sees(&w, &c->members[who]))
            missed[slip->nmissed++] = said->v[i].number;
    }
    slip->missed = missed;
}

/* Tracks who knows a fact, turn by turn. True if somebody mentioned it without knowing it. */
static bool look_at_fact(struct arena *a, const struct suite *s, const struct transcript *said,
                         const struct cast_fact *f, struct slip *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new(); /* for one turn */
    const struct cast *c = &s->elicit.dialogue.cast;
    bool *knows = NEW_N(a, bool, c->nmembers);
    struct walk w = {.suite = s};

    for (size_t m = 0; m < c->nmembers; m++)
        knows[m] = cast_witnessed(f, c->members[m].character);
    for (size_t i = 0; i < said->n; i++, arena_reset(scratch)) {
        struct str words = word_first(scratch, said->v[i].text, f->words, f->nwords);
        step(&w, &said->v[i]);
        if (words.n == 0 || (f->from && w.turn < f->from && w.who != SIZE_MAX))
            continue;
        if (w.who != SIZE_MAX && !knows[w.who] && !c->members[w.who].other) {
            *out = (struct slip){.fact = f, .turn = said->v[i], .words = words};
            note_missed(a, s, said, out);
            return true;
        }
        for (size_t m = 0; m < c->nmembers; m++)
            knows[m] |= sees(&w, &c->members[m]);
    }
    return false;
}

struct slip_list slip_find(struct arena *a, const struct suite *s, struct str transcript)
{
    const struct cast *c = &s->elicit.dialogue.cast;
    struct slip_list out = {0};
    struct transcript said;

    if (c->nfacts == 0)
        return out;
    said = transcript_parse(a, transcript);
    out.v = NEW_N(a, struct slip, c->nfacts);
    for (size_t i = 0; i < c->nfacts; i++)
        out.n += look_at_fact(a, s, &said, &c->facts[i], &out.v[out.n]);
    return out;
}
