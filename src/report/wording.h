/* wording.h - which words a report says about a suite, its flags and its faults. Pure. */
#ifndef REPORT_WORDING_H
#define REPORT_WORDING_H

#include "base/words.h"
#include "store/store_read.h"
#include "suite/mark.h"
#include "suite/probe.h"
#include "suite/rule.h"
#include "suite/timeline.h"
#include "suite/vocab.h"

/* "repeat 2", counted from 1 as people do, of the stored number, which begins at 0. */
const char *wording_repeat(struct arena *a, const char *language, int64_t repeat);
/* "8 items × 3 repeats"; of one repeat nothing is said. */
const char *wording_extent(struct arena *a, const char *language, int64_t items, int64_t repeats);

/* How to read the numbers of this suite, sentence by sentence; returns how many there are. */
enum { WORDING_READING = 8 + RULE_KINDS };
size_t wording_reading(struct arena *a, const struct suite *s, const char *out[WORDING_READING]);

/* What the headline is called: a score, a band, a rating. */
enum word wording_headline(const struct suite *s);
/* Where its interval comes from. */
enum word wording_method(const struct suite *s);

/* The word for a name, PREFIX_NAME; the name where there is none. */
const char *wording_named(const char *language, const char *prefix, const char *name);

/* Why there is no interval, or what to know about it, by the name that is stored with it; what is
 * not known is shown as it is. */
const char *wording_interval(const char *language, const char *why);

/* A sign that the role slipped, a fact that was asked for twice. */
const char *wording_sign(const char *language, enum sign_kind k);
const char *wording_probe(const char *language, enum probe_outcome o);

/* Flags (wording_flag.c): a kind ("training-near"), what its answer was compared with, the one word
 * of its evidence that says why. What is not known is shown as it is. */
const char *wording_flag(const char *language, const char *kind);
const char *wording_flag_other(const char *language, const char *kind);
const char *wording_flag_why(const char *language, const char *why);
/* What a verdict is about instead of the answer ("about the user"), or of it ("turn 1–4"), by what
 * is stored as shown; NULL: the whole. And a mark of the former: "motive". */
const char *wording_about(struct arena *a, const char *language, struct str shown);
const char *wording_about_mark(const char *language, const char *dimension);
/* What judges make of it, of the evidence: "found by rule, confirmed by judges (critic): [5]
 * words"; NULL where nobody was asked. */
const char *wording_flag_judged(struct arena *a, const char *language, const struct flag_row *f,
                                const json_t *evidence);
/* What its number measures. */
const char *wording_flag_value(const char *language, const char *kind);
/* What the rule does to a score; NULL when it does nothing. */
const char *wording_flag_effect(struct arena *a, const struct suite *s, enum rule_kind kind);

/* Why something failed, stored in English, in a language (NULL: that of the process); `fault`, its
 * name, where nothing was said. */
const char *wording_why(struct arena *a, const char *language, const char *why, const char *fault);
/* What a person can do about work that ended with this fault. */
const char *wording_advice(const char *language, const char *fault, enum state state);

#endif
