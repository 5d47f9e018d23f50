#include "suite/vocab.h"

#include "base/message.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/tag.h"
#include "suite/turn.h"

#include <math.h>

const char *const vocab_examiners[] = {"model", "script", "person"};
const char *const vocab_users[] = {"model", "script", "recorded", "person"};

const char *vocab_state_name(enum state s)
{
    static const char *const names[STATES] = {
        [STATE_PLANNED] = "planned",   [STATE_LEASED] = "leased", [STATE_DONE] = "done",
        [STATE_UNSCORED] = "unscored", [STATE_FAILED] = "failed",
    };

    return (size_t)s < COUNT(names) ? names[s] : "unknown";
}

enum state vocab_state_of(struct str name)
{
    for (int s = 0; s < STATES; s++)
        if (str_is(name, vocab_state_name((enum state)s)))
            return (enum state)s;
    return STATE_FAILED;
}

const struct character *vocab_character(const struct suite *s, const struct item *item)
{
    static const struct character nobody = {.id = ""};
    const struct character *named = item->character ? vocab_character_by(s, item->character) : NULL;

    if (named)
        return named;
    return s->ncharacters ? &s->characters[0] : &nobody;
}

bool vocab_allows(const struct dimension *d, double v)
{
    if (d->nlevels == 0)
        return v >= d->min && v <= d->max && (!d->whole || v == floor(v));
    for (size_t i = 0; i < d->nlevels; i++)
        if (fabs(d->levels[i].value - v) < 1e-9)
            return true;
    return false;
}

bool vocab_is_talk(const struct suite *s)
{
    return s->elicit.kind == ELICIT_INTERVIEW || s->elicit.kind == ELICIT_DIALOGUE;
}

int64_t vocab_stretches(const struct suite *s)
{
    int64_t each = s->instrument.window;

    return each ? (s->elicit.dialogue.turns + each - 1) / each : 1;
}

const struct user *vocab_user(const struct suite *s, const struct item *item)
{
    static const struct user nobody = {.id = ""};
    const struct dialogue *d = &s->elicit.dialogue;
    struct str id = tag_member(item, "user");

    for (size_t i = 0; i < d->nusers; i++)
        if (str_is(id, d->users[i].id))
            return &d->users[i];
    return d->nusers ? &d->users[0] : &nobody;
}

struct str vocab_other(const struct suite *s, const struct item *item)
{
    if (s->elicit.kind == ELICIT_INTERVIEW)
        return s->elicit.interview.template.examiner;
    return s->elicit.kind == ELICIT_DIALOGUE ? vocab_user(s, item)->name : STR("");
}

bool vocab_is_other(const struct suite *s, struct str name)
{
    const struct dialogue *d = &s->elicit.dialogue;

    for (size_t i = 0; i < d->nusers; i++)
        if (str_eq(name, d->users[i].name))
            return true;
    for (size_t i = 0; i < d->cast.nmembers; i++) {
        const struct character *c = vocab_character_by(s, d->cast.members[i].character);
        if (d->cast.members[i].other && c && str_eq(name, c->name))
            return true;
    }
    return s->elicit.kind == ELICIT_INTERVIEW ? str_eq(name, s->elicit.interview.template.examiner)
                                              : str_is(name, TURN_NARRATOR);
}

bool vocab_asks_others(const struct suite *s)
{
    const struct elicit *how = &s->elicit;

    if (how->kind == ELICIT_INTERVIEW)
        return how->interview.examiner == EXAMINER_MODEL;
    if (how->kind != ELICIT_DIALOGUE)
        return false;
    return how->dialogue.cast.nmembers ? cast_needs_other(&how->dialogue.cast)
                                       : how->dialogue.by == USER_MODEL;
}

bool vocab_is_held(const struct suite *s)
{
    const struct elicit *how = &s->elicit;

    return (how->kind == ELICIT_INTERVIEW && how->interview.examiner == EXAMINER_PERSON) ||
           (how->kind == ELICIT_DIALOGUE && !how->dialogue.cast.nmembers &&
            how->dialogue.by == USER_PERSON);
}

const struct character *vocab_character_by(const struct suite *s, const char *id)
{
    for (size_t i = 0; i < s->ncharacters; i++)
        if (strcmp(s->characters[i].id, id) == 0)
            return &s->characters[i];
    return NULL;
}

struct str vocab_label(struct arena *a, const struct dimension *d)
{
    return d->title.n && !str_is_nocase(d->title, d->id)
               ? str_of(arena_printf(a, "%.*s (%s)", STR_ARG(d->title), d->id))
               : str_of(d->id);
}

const struct dimension *vocab_dimension(const struct instrument *in, const char *id)
{
    for (size_t i = 0; i < in->ndimensions; i++)
        if (strcmp(in->dimensions[i].id, id) == 0)
            return &in->dimensions[i];
    return NULL;
}

const char *vocab_in(const char *language, const char *en, const char *zh, const char *ja)
{
    enum language l = message_language_of(language);

    return l == CHINESE ? zh : l == JAPANESE ? ja : en;
}
