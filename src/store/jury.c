#include "store/jury.h"

#include "gen/queries.h"
#include "store/seal.h"

const char *jury_name(struct arena *a, const char *const *judges, size_t n)
{
    const char *name = n ? judges[0] : "";

    for (size_t i = 1; i < n; i++)
        name = arena_printf(a, "%s+%s", name, judges[i]);
    return name;
}

bool jury_has(const struct jury *j, const char *judge)
{
    return store_party_named(&j->members, judge) != NULL;
}

/* ---- panels ---- */

static struct jury panel_of(struct arena *a, const struct party_list *seats, const char *panel)
{
    struct jury j = {.key = panel, .members.v = NEW_N(a, struct party, seats->n + 1)};
    const char **names = NEW_N(a, const char *, seats->n + 1);

    for (size_t i = 0; i < seats->n; i++)
        if (strcmp(seats->v[i].panel, panel) == 0) {
            names[j.members.n] = seats->v[i].name;
            j.members.v[j.members.n++] = seats->v[i];
        }
    j.name = jury_name(a, names, j.members.n);
    return j;
}

static bool has_key(const struct jury_list *l, const char *key)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].key, key) == 0)
            return true;
    return false;
}

static bool has_name(const struct jury_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].name, name) == 0)
            return true;
    return false;
}

/* Panels, then the judges that have no panel of their own; leaves room for `more`. */
static struct jury_list panels_of(struct arena *a, const struct party_list *seats, size_t more)
{
    struct jury_list l = {.v = NEW_N(a, struct jury, 1 + 2 * seats->n + more)};

    l.v[l.n++] = panel_of(a, seats, "");
    for (size_t i = 0; i < seats->n; i++)
        if (!has_key(&l, seats->v[i].panel))
            l.v[l.n++] = panel_of(a, seats, seats->v[i].panel);
    for (size_t i = 0; i < seats->n; i++) {
        struct party *who = &seats->v[i];
        if (!has_name(&l, who->name))
            l.v[l.n++] = (struct jury){
                .key = who->name, .name = who->name, .judge = who->id, .members = {who, 1}};
    }
    return l;
}

enum status jury_panels(struct arena *a, struct store *s, int64_t run, struct jury_list *out,
                        struct err *e)
{
    struct party_list seats;

    if (db_list(s->db, Q_SEAT_LIST, ARGS(V_INT(run), V_INT(1)),
                ROWS_INTO(a, &seats, COLUMNS_SEAT(struct party)), e) != OK)
        return e->code;
    *out = panels_of(a, &seats, 0);
    return OK;
}

/* ---- people ---- */

static void read_people(struct arena *a, const struct rows *r, void *out)
{
    const char *name = arena_printf(a, JURY_PEOPLE "%s", row_str(r, C_JURY_NAME).p);

    *(struct jury *)out = (struct jury){.key = name,
                                        .name = name,
                                        .campaign = row_int(r, C_JURY_ID),
                                        .masked = row_int(r, C_JURY_MASKED) != 0};
}

/* ---- */

enum status jury_list(struct arena *a, struct store *s, int64_t run, struct jury_list *out,
                      struct err *e)
{
    struct jury_list l, people;
    struct party_list seats;

    if (db_list(s->db, Q_SEAT_LIST, ARGS(V_INT(run), V_INT(0)),
                ROWS_INTO(a, &seats, COLUMNS_SEAT(struct party)), e) != OK ||
        db_list(s->db, Q_JURY_CAMPAIGNS, ARGS(V_INT(run)), INTO(a, &people, read_people), e) != OK)
        return e->code;
    l = panels_of(a, &seats, people.n);
    for (size_t i = 0; i < people.n; i++) {
        struct jury *j = &l.v[l.n++];
        *j = people.v[i];
        if (db_list(s->db, Q_JUROR_LIST, ARGS(V_INT(j->campaign)),
                    ROWS_INTO(a, &j->members, COLUMNS_SEAT(struct party)), e) != OK)
            return e->code;
    }
    *out = l;
    return OK;
}

static enum status no_such(struct arena *a, const struct jury_list *l, const char *name,
                           struct err *e)
{
    const char *known = "";

    for (size_t i = 0; i < l->n; i++)
        if (*l->v[i].name)
            known = arena_printf(a, "%s%s%s", known, *known ? ", " : "", l->v[i].name);
    if (!*known)
        return err_set(e, E_ABSENT, "no judge '%s' in this run; nobody has judged it", name);
    return err_set(e, E_ABSENT, "no judge '%s' in this run; available: %s", name, known);
}

enum status jury_find(struct arena *a, struct store *s, int64_t run, const char *name,
                      struct jury *out, struct err *e)
{
    const struct jury *found = NULL;
    struct jury_list l = {0};

    if (jury_list(a, s, run, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n && !found; i++)
        if (name ? strcmp(l.v[i].name, name) == 0 : l.v[i].members.n && !l.v[i].masked)
            found = &l.v[i];
    if (!found && name)
        return no_such(a, &l, name, e);
    if (!found && l.n) /* the first panel, which exists even without members */
        found = l.v;
    *out = found ? *found : (struct jury){.key = "", .name = ""};
    return OK;
}

const struct jury *jury_of(const struct jury_list *l, const char *const *judges, size_t n)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t same = 0;
        for (size_t k = 0; k < n; k++)
            same += jury_has(&l->v[i], judges[k]);
        if (same == n && l->v[i].members.n == n && !l->v[i].campaign)
            return &l->v[i];
    }
    return NULL;
}

/* ---- changes ---- */

enum status jury_drop(struct store *s, int64_t run, const char *judge, bool dropped, struct err *e)
{
    int64_t changed = 0;

    /* This waits for whoever is scoring the run and setting seals. */
    if (store_run_stale(s, run, e) != OK || seal_jury_drop(s, run, judge, dropped, e) != OK ||
        db_run(s->db, Q_JUDGE_DROP, ARGS(V_INT(run), V_TEXT(judge), V_INT(dropped)), &changed, e) !=
            OK ||
        db_run(s->db, Q_JUDGE_DROP_CAMPAIGNS, ARGS(V_INT(run)), NULL, e) != OK)
        return e->code;
    return changed ? OK : err_set(e, E_ABSENT, "no judge '%s' in this run", judge);
}
