#include "panel/fact.h"

#include "base/json.h"
#include "gen/queries.h"

/* The author: a model, or the reference; NULL for an anchor text. */
static const char *system_of(const struct fact *f, int64_t sample, const char *model)
{
    if (f->item == 0 || sample < 0)
        return NULL;
    return sample == 0 ? CAMPAIGN_REFERENCE : model;
}

struct cursor fact_list(struct store *s, const struct campaign *c, struct err *e)
{
    return cursor_open(s, Q_RATING_EACH, ARGS(V_INT(c->id)), e);
}

bool fact_next(struct cursor *c, struct fact *out)
{
    if (!cursor_next(c, COLUMNS_RATING(struct fact), out))
        return false;
    out->rater_state = rater_state_of(row_str(c->rows, C_RATING_RATER_STATE));
    out->phase = assign_phase_of(row_str(c->rows, C_RATING_PHASE));
    if (out->sample < -1)
        out->anchor = ASSIGN_ANCHOR(out->sample);
    out->system = system_of(out, out->sample, out->system);
    out->other_system = system_of(out, out->other, out->other_system);
    out->cannot = row_null(c->rows, C_RATING_VALUE);
    return true;
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
