/* judge_objective.h - a judge that needs no model: it compares an answer with the item's reference.
 *
 * Named objective:SCORER (see text/objective.h), it answers at once and in the form that is asked
 * of any judge, so that everything behind it is the same. Pure. */
#ifndef EVAL_JUDGE_OBJECTIVE_H
#define EVAL_JUDGE_OBJECTIVE_H

#include "base/err.h"
#include "base/mem.h"
#include "suite/endpoint.h"
#include "suite/instrument.h"
#include "suite/item.h"
#include "suite/vocab.h"
#include "text/objective.h"

/* Can the suite hold its values? It has one dimension, which takes fractions when the scorer gives
 * any. E_USAGE says what to change. */
CHECKED enum status judge_objective_fits(const struct endpoint *judge, const struct suite *suite,
                                         struct err *e);

/* What it looks at; the item's own `pattern` is for objective:regex. */
struct objective_case judge_objective_case(const struct item *item, struct str answer);

/* Its reply: value 0 is the worst end of the dimension, 1 the best. False when there is nothing to
 * compare with; *out says why. */
bool judge_objective_reply(struct arena *a, const struct endpoint *judge, const struct dimension *d,
                           const struct objective_case *c, struct str *out);

#endif
