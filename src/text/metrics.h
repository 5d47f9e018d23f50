/* metrics.h - text metrics of a corpus, by character, one pair at a time.
 *
 * A token is one code point, punctuation and spaces included, except where said otherwise.
 * Definitions are those of the comic-dialogue paper (Li et al., ACL 2023), see
 * docs/STATISTICS: values are fractions, times 100 is presentation. The state grows with the
 * vocabulary (runes and pairs of runes of the hypotheses) and lives in its arena; the scratch
 * arena may be reset between pairs. Not shared between threads. */
#ifndef TEXT_METRICS_H
#define TEXT_METRICS_H

#include "base/err.h"
#include "text/gram.h"

enum {
    METRICS_RUNES_MAX = 1 << 14, /* of one text: ROUGE-L takes |hyp| |ref| steps */
    METRICS_BLEU = 4,
    METRICS_CHRF = 6,
};

struct metrics {
    size_t pairs, rouge_pairs;
    size_t length[2]; /* runes of hypotheses, of references */
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

void metrics_init(struct metrics *m, struct arena *a);
/* E_INPUT for a text of more than METRICS_RUNES_MAX runes; nothing is counted then. */
CHECKED enum status metrics_add(struct arena *scratch, struct metrics *m, struct str hyp,
                                struct str ref, struct err *e);
struct metrics_values metrics_values(const struct metrics *m);

#endif
