/* words.h - what the report itself says, in the languages it speaks. Pure. */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "base/mem.h"
#include "suite/probe.h"
#include "suite/timeline.h"
#include "suite/vocab.h"

enum word {
    WORD_RUN,
    WORD_ITEM,
    WORD_ITEMS,
    WORD_REPEATS,
    WORD_JUDGES,
    WORD_BOARD,
    WORD_DIMENSIONS,
    WORD_TOTALS,
    WORD_AS_JUDGED,
    WORD_UNSCORED_WHY,
    WORD_FLAGS,
    WORD_SAMPLES,
    WORD_HOW_TO_READ,
    WORD_MODEL,
    WORD_SCORE,
    WORD_INTERVAL,
    WORD_ANSWERS, /* the column n */
    WORD_DUPLICATES,
    WORD_UNSCORED,
    WORD_FAILED,
    WORD_TOKENS,
    WORD_COST,
    WORD_JUDGE,
    WORD_VERDICTS,
    WORD_REPAIRED,
    WORD_DIFFERS,
    WORD_AGREEMENT,
    WORD_AGREEMENT_IS, /* one number: %s */
    WORD_REPEAT,       /* one number: %s */
    WORD_PROMPT,
    WORD_BEFORE,
    WORD_REFERENCE,
    WORD_ANSWER,
    WORD_REPLY,
    WORD_OVERALL,
    WORD_MEAN,
    WORD_THIS,
    WORD_OTHER,
    WORD_SIMILARITY,
    WORD_OVERRULED,
    WORD_DUPLICATE,
    WORD_LEFT_OUT,       /* one number: %s */
    WORD_FLAGS_LEFT_OUT, /* one number: %s */
    WORD_NOTHING_SCORED,
    WORD_NO_MODELS,
    WORD_ALL_SCORED,
    WORD_NO_FAULT_YET,
    WORD_TOP,
    WORD_METHOD,
    WORD_RATES,
    WORD_WITHHELD,
    WORD_READ_MEAN,
    WORD_READ_TIMES, /* one number: %s */
    WORD_READ_SUM,   /* one number: %s */
    WORD_READ_TOTALS,
    WORD_READ_VALUE,
    WORD_READ_INTERVAL,
    WORD_READ_N,
    WORD_READ_UNSCORED,
    WORD_READ_RULE_ZERO,
    WORD_READ_RULE_CAP, /* one number: %s */
    WORD_READ_RULE_NOTE,
    /* of pairs */
    WORD_RATING,
    WORD_METHOD_RATING,
    WORD_BATTLES,
    WORD_GROUP, /* one number: %s */
    WORD_IN_GROUP,
    WORD_RANK,
    WORD_WON,
    WORD_LOST,
    WORD_TIED,
    WORD_GLICKO,
    WORD_SHUFFLED,
    WORD_POSITION,
    WORD_FIRST_SHOWN,
    WORD_CONSISTENT,
    WORD_TURNED,
    WORD_BIAS,
    WORD_READ_RATING,
    WORD_READ_RATING_INTERVAL,
    WORD_READ_BATTLES,
    WORD_READ_ORDERS,
    WORD_READ_GLICKO,
    WORD_READ_GLICKO_RUN,
    WORD_READ_FIRST,
    WORD_READ_BIAS,
    WORD_STYLE,
    WORD_RAW,
    WORD_CONTROLLED,
    WORD_EFFECTS,
    WORD_PROPERTY,
    WORD_LOGITS,
    WORD_LENGTH, /* the properties in the order of enum style_feature */
    WORD_ACTION,
    WORD_EMOJI,
    WORD_MARKUP,
    WORD_READ_STYLE,
    WORD_READ_EFFECTS,
    WORD_LIKINGS,
    WORD_LIKES_LENGTH,
    WORD_LIKES_OWN,
    WORD_NOT_MEASURED,
    WORD_READ_LIKINGS,
    /* of interviews */
    WORD_BAND,
    WORD_METHOD_SITTINGS,
    WORD_READ_BAND,
    WORDS,
};

/* `language`: zh..., ja..., else English. */
const char *words_of(const char *language, enum word w);

/* A text, in arena a, with `value` in place of its %s. */
const char *words_fill(struct arena *a, const char *text, const char *value);
/* The same, in arena a, with `value` in place of its %s. */
const char *words_with(struct arena *a, const char *language, enum word w, const char *value);
/* "repeat 2", counted from 1 as people do, of the stored number, which begins at 0. */
const char *words_repeat(struct arena *a, const char *language, int64_t repeat);
/* "8 items × 3 repeats"; of one repeat nothing is said. */
const char *words_extent(struct arena *a, const char *language, int64_t items, int64_t repeats);

/* How to read the numbers of this suite, sentence by sentence; returns how many there are. */
enum { WORDS_READING = 7 + RULE_KINDS };
size_t words_reading(struct arena *a, const struct suite *s, const char *out[WORDS_READING]);

/* What the headline is called: a score, a band, a rating. */
enum word words_headline(const struct suite *s);
/* Where its interval comes from. */
enum word words_method(const struct suite *s);

/* Interviews (words_sitting.c). */
enum sitting_word {
    SITTING_SITTINGS,
    SITTING_MEAN,
    SITTING_SPREAD,
    SITTING_SUB_SCORES,
    SITTING_WHOLE,
    SITTING_MEANS, /* one number: %s */
    SITTING_UNBROKEN,
    SITTING_NEVER,
    SITTING_COMMENTS,
    SITTING_TIMELINE,
    SITTING_NO_SIGNS,
    SITTING_PROBES,
    SITTING_TRANSCRIPT,
    SITTING_ADVICE,
    SITTING_TURN, /* one number: %s */
    SITTING_NOT_FOUND,
    SITTING_PART, /* one number: %s */
    SITTING_BAND,
    SITTING_FOLLOWS,
    SITTING_READ_MARKS,
    SITTING_READ_SIGNS,
    SITTING_WORDS,
};
const char *words_sitting(const char *language, enum sitting_word w);
const char *words_sitting_with(struct arena *a, const char *language, enum sitting_word w,
                               const char *value);
const char *words_sign(const char *language, enum sign_kind k);
const char *words_probe(const char *language, enum probe_outcome o);

/* One of three: in English, Chinese, Japanese. */
const char *words_one(const char *language, const char *const texts[3]);

/* Flags (words_flag.c): a kind ("training-near"), what its answer was compared with, the one word
 * of its evidence that says why. What is not known is shown as it is. */
const char *words_flag(const char *language, const char *kind);
const char *words_flag_other(const char *language, const char *kind);
const char *words_flag_why(const char *language, const char *why);
/* What its number measures. */
const char *words_flag_value(const char *language, const char *kind);
/* What the rule does to a score; NULL when it does nothing. */
const char *words_flag_effect(struct arena *a, const struct suite *s, enum rule_kind kind);

/* What a person can do about work that ended with this fault. */
const char *words_advice(const char *language, const char *fault, enum state state);

#endif
