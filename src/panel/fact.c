#include "panel/fact.h"

#include "base/json.h"
#include "gen/queries.h"

struct walk {
    fact_fn *fn;
    void *user;
};

/* Who wrote it: a model, or the item's reference; nobody where it is an anchor text. */
static const char *system_of(const struct rows *r, int column, int64_t sample, bool passage)
{
    if (!passage || sample < 0)
        return NULL;
    return sample == 0 ? CAMPAIGN_REFERENCE : row_text(r, column);
}

static enum status step(void *user, const struct rows *r, struct err *e)
{
    const struct walk *w = user;
    bool passage = row_int(r, C_RATING_ITEM) != 0;
    struct fact f = {
        .rater = row_int(r, C_RATING_RATER),
        .pseudonym = row_str(r, C_RATING_PSEUDONYM).p,
        .rater_state = rater_state_of(row_str(r, C_RATING_RATER_STATE)),
        .excluded = row_text(r, C_RATING_EXCLUDED_WHY),
        .stratum = row_str(r, C_RATING_STRATUM).p,
        .assignment = row_int(r, C_RATING_ID),
        .phase = assign_phase_of(row_str(r, C_RATING_PHASE)),
        .item = row_int(r, C_RATING_ITEM),
        .item_name = row_text(r, C_RATING_ITEM_NAME),
        .anchor = row_int(r, C_RATING_SAMPLE) < -1 ? ASSIGN_ANCHOR(row_int(r, C_RATING_SAMPLE))
                                                   : row_int(r, C_RATING_ANCHOR),
        .position = row_int(r, C_RATING_POSITION),
        .handed_in = str_is(row_str(r, C_RATING_ASSIGNMENT_STATE), "done"),
        .started_ms = row_int(r, C_RATING_STARTED_MS),
        .submitted_ms = row_int(r, C_RATING_SUBMITTED_MS),
        .active_ms = row_int(r, C_RATING_ACTIVE_MS),
        .order = row_str(r, C_RATING_SHOWN),
        .sample = row_int(r, C_RATING_SAMPLE),
        .other = row_int(r, C_RATING_OTHER),
        .system = system_of(r, 18, row_int(r, C_RATING_SAMPLE), passage),
        .other_system = system_of(r, 19, row_int(r, C_RATING_OTHER), passage),
        .repeat = row_int(r, C_RATING_REPEAT),
        .dimension = row_str(r, C_RATING_DIMENSION).p,
        .cannot = row_null(r, C_RATING_VALUE),
        .value = row_real(r, C_RATING_VALUE),
        .comment = row_str(r, C_RATING_COMMENT),
        .quotes = row_str(r, C_RATING_QUOTES),
        .version = row_int(r, C_RATING_VERSION),
        .created_ms = row_int(r, C_RATING_CREATED_MS),
        .saved_ms = row_int(r, C_RATING_SAVED_MS),
    };

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

    if (json_read(f->order, &list, &e) != OK)
        return 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        if (json_integer_value(json_array_get(pair, 0)) == f->sample &&
            json_integer_value(json_array_get(pair, 1)) == f->other)
            return (int)i + 1;
    }
    return 0;
}
