#include "panel/fact.h"

#include "base/json.h"
#include "gen/queries.h"

struct walk {
    fact_fn *fn;
    void *user;
};

/* Who wrote it: a model, or the item's reference; nobody where it is an anchor text. */
static const char *system_of(const struct fact *f, int64_t sample, const char *model)
{
    if (f->item == 0 || sample < 0)
        return NULL;
    return sample == 0 ? CAMPAIGN_REFERENCE : model;
}

static enum status step(void *user, const struct rows *r, struct err *e)
{
    static const struct columns columns = COLUMNS_RATING(struct fact);
    const struct walk *w = user;
    struct fact f;

    row_into(NULL, r, &columns, &f);
    f.rater_state = rater_state_of(row_str(r, C_RATING_RATER_STATE));
    f.phase = assign_phase_of(row_str(r, C_RATING_PHASE));
    if (f.sample < -1)
        f.anchor = ASSIGN_ANCHOR(f.sample);
    f.system = system_of(&f, f.sample, f.system);
    f.other_system = system_of(&f, f.other, f.other_system);
    f.cannot = row_null(r, C_RATING_VALUE);
    return w->fn(w->user, &f, e);
}

enum status fact_each(struct store *s, const struct campaign *c, fact_fn *fn, void *user,
                      struct err *e)
{
    struct walk w = {fn, user};

    return db_each(s->db, Q_RATING_EACH, ARGS(V_INT(c->id)), step, &w, e);
}

bool fact_counts(const struct campaign *c, const struct fact *f)
{
    return f->phase == PHASE_MAIN && f->handed_in && !f->excluded &&
           f->rater_state != RATER_WITHDRAWN &&
           (!c->spec.completers || f->rater_state == RATER_FINISHED);
}

int fact_place(const struct fact *f)
{
    AUTO(json_freep) json_t *list = NULL;
    struct err e;

    if (json_read(f->shown, &list, &e) != OK)
        return 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        if (json_integer_value(json_array_get(pair, 0)) == f->sample &&
            json_integer_value(json_array_get(pair, 1)) == f->other)
            return (int)i + 1;
    }
    return 0;
}
