#include "suite/cast.h"

static bool lists(const struct str *v, size_t n, const char *id)
{
    for (size_t i = 0; i < n; i++)
        if (str_is(v[i], id))
            return true;
    return false;
}

bool cast_present(const struct cast_member *m, int64_t turn)
{
    return (!m->from || turn >= m->from) && (!m->to || turn <= m->to);
}

const struct cast_member *cast_find(const struct cast *c, struct str id)
{
    for (size_t i = 0; i < c->nmembers; i++)
        if (str_is(id, c->members[i].character))
            return &c->members[i];
    return NULL;
}

bool cast_sees(const struct cast_event *e, const struct cast_member *m)
{
    return cast_present(m, e->at) && (e->nseen == 0 || lists(e->seen, e->nseen, m->character));
}

bool cast_witnessed(const struct cast_fact *f, const char *character)
{
    return lists(f->witnesses, f->nwitnesses, character);
}

int cast_player(const struct cast *c, size_t member)
{
    int player = c->takes == TAKES_DIRECTOR ? 2 : 1;

    for (size_t i = 0; i < member; i++)
        player += c->members[i].other;
    return c->members[member].other ? player : 0;
}

bool cast_needs_other(const struct cast *c)
{
    bool other = c->nmembers && c->takes == TAKES_DIRECTOR;

    for (size_t i = 0; i < c->nmembers; i++)
        other |= c->members[i].other;
    return other;
}
