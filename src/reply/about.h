/* about.h - verdicts on something else than the answer.
 *
 * A rule of a suite may ask judges too (`judge` of the rules `user` and `knowledge`): was whoever
 * played the user a user? Is what a rule took for a leak of knowledge one? Such a verdict is one
 * like any other, planned, leased, repaired, stored and read again; its `shown` is the name of the
 * rule, and it has an instrument of its own, each of whose marks is 1 or 0 and needs a true
 * quotation. Pure. */
#ifndef REPLY_ABOUT_H
#define REPLY_ABOUT_H

#include "suite/vocab.h"

/* The name of the rule in a verdict's `shown`, "" in any other. */
const char *about_is(struct str shown);
/* The rule that a verdict is about, by its `shown`; NULL: it is about the answer. */
const struct rule *about_rule(const struct suite *s, const char *shown);

/* What is asked in a verdict on this transcript: the suite's own instrument if it is about the
 * answer. About the user, a mark for each thing that a user keeps to (1: kept); about knowledge, a
 * mark for each fact that a rule found spoken of (1: it is a leak). */
const struct instrument *about_instrument(struct arena *a, const struct suite *s, const char *shown,
                                          struct str transcript);

/* Whether judges are asked about this rule where this is the transcript. */
bool about_asks(const struct suite *s, enum rule_kind kind, struct str transcript);

/* The rules that can ask. */
enum { ABOUT_KINDS = 2 };
extern const enum rule_kind about_kinds[ABOUT_KINDS];

#endif
