/* wording.h - words that reports use for suites, flags and faults. Pure. */
#ifndef REPORT_WORDING_H
#define REPORT_WORDING_H

#include "base/words.h"
#include "store/store_read.h"
#include "suite/mark.h"
#include "suite/probe.h"
#include "suite/rule.h"
#include "suite/timeline.h"
#include "suite/vocab.h"

/* "repeat 2": people count from 1, the stored number from 0. */
const char *wording_repeat(struct arena *a, const char *language, int64_t repeat);
/* "8 items × 3 repeats"; a single repeat is not mentioned. */
const char *wording_extent(struct arena *a, const char *language, int64_t items, int64_t repeats);

/* Sentences on how to read the numbers of this suite; returns their number. */
enum { WORDING_READING = 8 + RULE_KINDS };
size_t wording_reading(struct arena *a, const struct suite *s, const char *out[WORDING_READING]);

/* The name of the headline: score, band or rating. */
enum word wording_headline(const struct suite *s);
/* The method of its interval. */
enum word wording_method(const struct suite *s);

/* The word PREFIX_NAME for a name; the name itself if there is none. */
const char *wording_named(const char *language, const char *prefix, const char *name);

/* Why there is no interval, or a caution, by its stored name; unknown names are shown as they
 * are. */
const char *wording_interval(const char *language, const char *why);

/* A sign that the role slipped; the outcome of a fact that was asked twice. */
const char *wording_sign(const char *language, enum sign_kind k);
const char *wording_probe(const char *language, enum probe_outcome o);

/* Flags (wording_flag.c): their kind ("training-near"), what the answer was compared with, and
 * the reason in their evidence. Unknown names are shown as they are. */
const char *wording_flag(const char *language, const char *kind);
const char *wording_flag_other(const char *language, const char *kind);
const char *wording_flag_why(const char *language, const char *why);
/* What a verdict is about other than the answer ("about the user"), or which part of it ("turn
 * 1–4"), from its stored form; NULL: the whole answer. And the name of a mark about the former:
 * "motive". */
const char *wording_about(struct arena *a, const char *language, struct str shown);
const char *wording_about_mark(const char *language, const char *dimension);
/* What judges said about a flag, from its evidence: "found by rule, confirmed by judges
 * (critic): [5] words"; NULL if none was asked. */
const char *wording_flag_judged(struct arena *a, const char *language, const struct flag_row *f,
                                const json_t *evidence);
/* What its number measures. */
const char *wording_flag_value(const char *language, const char *kind);
/* What the rule does to a score; NULL if nothing. */
const char *wording_flag_effect(struct arena *a, const struct suite *s, enum rule_kind kind);

/* The reason of a failure, stored in English, in a language (NULL: that of the process); the
 * name of the fault if there is none. */
const char *wording_why(struct arena *a, const char *language, const char *why, const char *fault);
/* What a person can do about work that ended with this fault. */
const char *wording_advice(const char *language, const char *fault, enum state state);

#endif
