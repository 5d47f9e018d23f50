/* metrics.h - text metrics of a corpus, by character or by word, one pair at a time.
 *
 * By character, a token is one code point, punctuation and spaces included, except where said
 * otherwise. By word, it is a stretch without spaces and signs; each sign, and each character of a
 * script without spaces, is one of its own; spaces are none. chrF is by character always.
 * Definitions are those of the comic-dialogue paper (Li et al., ACL 2023), see
 * docs/STATISTICS: values are fractions, times 100 is presentation. The state grows with the
 * vocabulary (runes and pairs of runes of the hypotheses) and lives in its arena; the scratch
 * arena may be reset between pairs. Not shared between threads. */
#ifndef TEXT_METRICS_H
#define TEXT_METRICS_H

#include "base/err.h"
#include "base/map.h"
#include "text/gram.h"

enum {
    METRICS_RUNES_MAX = 1 << 14, /* of one text: ROUGE-L takes |hyp| |ref| steps */
    METRICS_BLEU = 4,
    METRICS_CHRF = 6,
};

enum metrics_by { METRICS_CHAR, METRICS_WORD };

struct metrics {
    enum metrics_by by;
    struct arena *arena;
    struct map words; /* to their numbers */
    size_t pairs, rouge_pairs;
    size_t length[2]; /* tokens of hypotheses, of references */
    size_t bleu_match[METRICS_BLEU], bleu_total[METRICS_BLEU];
    size_t gleu_match, gleu_total;
    size_t chrf_match[METRICS_CHRF], chrf_total[METRICS_CHRF][2];
    double rouge[3]; /* sums of F: 1, 2, L */
    struct gram_table seen[2];
    size_t seen_total[2];
};

/* NaN where nothing was counted that the value could be made of. */
struct metrics_values {
    double bleu[METRICS_BLEU];
    double gleu;
    double rouge_1, rouge_2, rouge_l; /* mean over pairs, those with an empty side left out */
    double distinct[2];               /* different n-grams of all hypotheses / all of them */
    double chrf;
    size_t pairs, rouge_pairs;
};

void metrics_init(struct metrics *m, struct arena *a, enum metrics_by by);
/* What is usual for the language of a text: by character where it is written without spaces. */
enum metrics_by metrics_usual(struct arena *scratch, struct str text);
/* E_INPUT for a text of more than METRICS_RUNES_MAX runes; nothing is counted then. */
CHECKED enum status metrics_add(struct arena *scratch, struct metrics *m, struct str hyp,
                                struct str ref, struct err *e);
struct metrics_values metrics_values(const struct metrics *m);

#endif
