#include "suite/told.h"

#include "suite/prompt.h"
#include "suite/role.h"

enum status told_tell(struct arena *a, const struct told_case *k, const struct turn_list *turns,
                      struct told *d, struct err *e)
{
    const struct prompt_var v[] = {
        {"character", role_told(a, k->who, turns)},
        {"character_name", k->who->name},
        {"surroundings", k->paper->surroundings},
        {"language", str_of(k->suite->language)},
    };

    return prompt_fill(a, k->suite->elicit.interview.template.system,
                       (struct prompt_vars){v, COUNT(v)}, &d->v[0].text, e);
}

enum status told_begin(struct arena *a, const struct told_case *k, struct told *out, struct err *e)
{
    struct told d = {NEW_N(a, struct chat_turn, sitting_length(k->paper) + 1), 1};

    d.v[0].role = "system";
    if (told_tell(a, k, &(struct turn_list){0}, &d, e) != OK)
        return e->code;
    *out = d;
    return OK;
}

void told_add(struct arena *a, struct told *d, const struct turn *t)
{
    struct chat_turn *last = &d->v[d->n - 1];
    const char *role = t->speaker == SPEAKER_MODEL ? "assistant" : "user";

    if (strcmp(last->role, role) == 0)
        last->text = str_of(arena_printf(a, "%.*s\n\n%.*s", STR_ARG(last->text), STR_ARG(t->text)));
    else
        d->v[d->n++] = (struct chat_turn){.role = role, .text = t->text};
}
