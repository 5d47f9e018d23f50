#include "eval/judge_objective.h"

#include <math.h>

#include "base/json.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/tag.h"

enum status judge_objective_fits(const struct endpoint *judge, const struct suite *suite,
                                 struct err *e)
{
    const struct instrument *in = &suite->instrument;
    enum objective_kind k;

    if (!objective_find(judge->model, &k))
        return err_set(e, E_USAGE, "%s: no such scorer", judge->name);
    if (in->kind == INSTRUMENT_PAIR)
        return err_set(e, E_USAGE, "%s scores single answers, but the suite compares pairs",
                       judge->name);
    if (in->ndimensions != 1)
        return err_set(
            e, E_USAGE,
            "%s returns one value, but the suite has %zu dimensions; use a suite with one",
            judge->name, in->ndimensions);
    if (objective_graded(k) && (in->dimensions[0].whole || in->dimensions[0].nlevels))
        return err_set(
            e, E_USAGE,
            "%s returns fractions, which '%s' does not allow; set `scale: 0..1` and `step: any`",
            judge->name, in->dimensions[0].id);
    return OK;
}

struct objective_case judge_objective_case(const struct item *item, struct str answer)
{
    return (struct objective_case){answer, item->reference, tag_member(item, "pattern")};
}

static double on_scale(const struct dimension *d, double value)
{
    double from = d->lower_is_better ? d->max : d->min, to = d->lower_is_better ? d->min : d->max;

    return value == 1 ? to : from + value * (to - from); /* the ends exactly: levels have them */
}

bool judge_objective_reply(struct arena *a, const struct endpoint *judge, const struct dimension *d,
                           const struct objective_case *c, struct str *out)
{
    AUTO(json_freep) json_t *reply = json_object();
    enum objective_kind kind = OBJECTIVE_EXACT;
    struct objective o;

    if (!objective_find(judge->model, &kind)) {
        *out = STR("there is no such scorer");
        return false;
    }
    o = objective_score(a, kind, c);
    if (isnan(o.value)) {
        *out = str_of(o.evidence);
        return false;
    }
    (void)json_object_set_new(reply, d->id,
                              json_pack("{s:o,s:f}", "analysis", json_from_str(str_of(o.evidence)),
                                        "score", on_scale(d, o.value)));
    *out = str_of(json_text(a, reply));
    return true;
}
