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
    bool passage = row_int(r, 7) != 0;
    struct fact f = {
        .rater = row_int(r, 0),
        .pseudonym = row_str(r, 1).p,
        .rater_state = rater_state_of(row_str(r, 2)),
        .excluded = row_text(r, 3),
        .stratum = row_str(r, 4).p,
        .assignment = row_int(r, 5),
        .phase = assign_phase_of(row_str(r, 6)),
        .item = row_int(r, 7),
        .item_name = row_text(r, 8),
        .anchor = row_int(r, 16) < -1 ? ASSIGN_ANCHOR(row_int(r, 16)) : row_int(r, 9),
        .position = row_int(r, 10),
        .handed_in = str_is(row_str(r, 11), "done"),
        .started_ms = row_int(r, 12),
        .submitted_ms = row_int(r, 13),
        .active_ms = row_int(r, 14),
        .order = row_str(r, 15),
        .sample = row_int(r, 16),
        .other = row_int(r, 17),
        .system = system_of(r, 18, row_int(r, 16), passage),
        .other_system = system_of(r, 19, row_int(r, 17), passage),
        .repeat = row_int(r, 20),
        .dimension = row_str(r, 21).p,
        .cannot = row_null(r, 22),
        .value = row_real(r, 22),
        .comment = row_str(r, 23),
        .quotes = row_str(r, 24),
        .version = row_int(r, 25),
        .created_ms = row_int(r, 26),
        .saved_ms = row_int(r, 27),
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
