/* Facts about conversations: a user who was no user, a character who knows what it cannot know.
 * They are read off the transcript, as any answer is looked at. */
#include "eval/flag_find.h"
#include "talk/voice.h"
#include "text/assistant.h"
#include "text/word.h"

static void add(struct flag_search *s, const struct flag_answer *now, enum rule_kind kind,
                const char *why, struct str words, const struct voice_said *turn)
{
    struct flag_evidence v = {
        .this = turn ? turn->text : STR(""), .shared = {.this = words}, .why = why};

    if (turn)
        v.where =
            arena_printf(s->scratch, "[%lld] %.*s", (long long)turn->number, STR_ARG(turn->who));
    (void)flag_add(&s->found, s->keep, now->row->id, kind, &v);
}

/* ---- users ---- */

/* What the end of a dialogue says of its user; NULL: nothing. */
static const char *user_end(const char *finish)
{
    static const char *const ends[][2] = {
        {"user-both", "both"}, {"user-repeats", "repeats"}, {"user-silent", "silent"}};

    for (size_t i = 0; finish && i < COUNT(ends); i++)
        if (strcmp(finish, ends[i][0]) == 0)
            return ends[i][1];
    return NULL;
}

/* A line that gives the player away: as a program, or as somebody who serves. */
static const char *betrays(struct flag_search *s, const struct assistant *served, struct str text,
                           struct str *words)
{
    struct runes folded = fold_text(s->scratch, text);
    struct identity_text t = {.text = text, .folded = folded};
    struct identity_fault f = identity_find(s->identity, &t);

    *words = f.part;
    if (f.why)
        return "program";
    *words = assistant_serves(served, text, folded);
    return words->n ? "serves" : NULL;
}

void flag_user(struct flag_search *s, const struct flag_answer *now)
{
    const struct dialogue *d = &s->suite->elicit.dialogue;
    struct str name = vocab_other(s->suite, &s->item.item), words = STR("");
    const char *why = user_end(now->row->finish);
    const struct assistant *served;
    struct voice_said_list said;

    if (s->suite->elicit.kind != ELICIT_DIALOGUE || d->cast.nmembers || d->by != USER_MODEL)
        return;
    if (why) {
        add(s, now, RULE_USER, why, words, NULL);
        return;
    }
    said = voice_parse(s->scratch, now->row->answer);
    served = assistant_new(s->scratch);
    for (size_t i = 0; i < said.n; i++)
        if (str_eq(said.v[i].who, name) && (why = betrays(s, served, said.v[i].text, &words))) {
            add(s, now, RULE_USER, why, words, &said.v[i]);
            return;
        }
}

/* ---- what characters know ---- */

/* The word of the fact that stands in a text; empty: none. */
static struct str gives_away(struct flag_search *s, const struct cast_fact *f, struct str text)
{
    struct runes folded = fold_text(s->scratch, text);

    for (size_t i = 0; i < f->nwords; i++) {
        struct str found = word_find(text, folded, fold_text(s->scratch, f->words[i]));
        if (found.n)
            return found;
    }
    return STR("");
}

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

/* One fact: who knows it, turn by turn. True: somebody spoke of it who did not. */
static bool look_at_fact(struct flag_search *s, const struct flag_answer *now,
                         const struct cast_fact *f, const struct voice_said_list *said)
{
    const struct cast *c = &s->suite->elicit.dialogue.cast;
    bool *knows = NEW_N(s->scratch, bool, c->nmembers);
    int64_t turn = 0;
    size_t events = 0;

    for (size_t m = 0; m < c->nmembers; m++)
        knows[m] = cast_witnessed(f, c->members[m].character);
    for (size_t i = 0; i < said->n; i++) {
        size_t who = member_named(s->suite, said->v[i].who);
        struct str words = gives_away(s, f, said->v[i].text);
        const struct cast_event *event =
            who == SIZE_MAX && events < c->nevents ? &c->events[events++] : NULL;
        turn += who != SIZE_MAX;
        if (words.n == 0 || (f->from && turn < f->from && who != SIZE_MAX))
            continue;
        if (who != SIZE_MAX && !knows[who] && !c->members[who].other) {
            add(s, now, RULE_KNOWLEDGE, f->id, words, &said->v[i]);
            return true;
        }
        for (size_t m = 0; m < c->nmembers; m++)
            knows[m] |=
                event ? cast_sees(event, &c->members[m]) : cast_present(&c->members[m], turn);
    }
    return false;
}

void flag_knowledge(struct flag_search *s, const struct flag_answer *now)
{
    const struct cast *c = &s->suite->elicit.dialogue.cast;
    struct voice_said_list said;

    if (c->nfacts == 0)
        return;
    said = voice_parse(s->scratch, now->row->answer);
    for (size_t i = 0; i < c->nfacts; i++)
        if (look_at_fact(s, now, &c->facts[i], &said))
            return;
}
