#include "text/metrics.h"

#include <math.h>

#include "text/rouge.h"

void metrics_init(struct metrics *m, struct arena *a, enum metrics_by by)
{
    *m = (struct metrics){.by = by, .arena = a};
    map_init(&m->words, a);
    for (size_t i = 0; i < COUNT(m->seen); i++)
        gram_table_init(&m->seen[i], a, 0);
}

enum metrics_by metrics_usual(struct arena *scratch, struct str text)
{
    struct runes s = rune_decode(scratch, text);
    size_t cjk = 0, others = 0;

    for (size_t i = 0; i < s.n; i++)
        if (rune_is_cjk(s.p[i]))
            cjk++;
        else if (!rune_is_space(s.p[i]) && !rune_is_sign(s.p[i]))
            others++;
    return others > 4 * cjk ? METRICS_WORD : METRICS_CHAR; /* a letter is less than a character */
}

/* ---- words as numbers that no code point has ---- */

enum { WORDS_FROM = 0x200000 };

static bool is_alone(uint32_t r)
{
    return rune_is_cjk(r) || rune_is_sign(r);
}

static struct runes words_of_text(struct arena *scratch, struct metrics *m, struct str text,
                                  struct runes s)
{
    uint32_t *p = NEW_N(scratch, uint32_t, s.n + 1);
    size_t n = 0;

    for (size_t from = 0, to; from < s.n; from = to) {
        to = from + 1;
        if (rune_is_space(s.p[from]))
            continue;
        if (is_alone(s.p[from])) {
            p[n++] = s.p[from];
            continue;
        }
        while (to < s.n && !rune_is_space(s.p[to]) && !is_alone(s.p[to]))
            to++;
        p[n++] = WORDS_FROM +
                 map_number(&m->words, (struct str){text.p + s.at[from],
                                                    (to < s.n ? s.at[to] : text.n) - s.at[from]});
    }
    return (struct runes){.p = p, .n = n};
}

/* BLEU (Papineni et al. 2002) and GLEU (Wu et al. 2016, section 9) from one count of 1- to
 * 4-grams. A text shorter than n still adds 1 to the denominator of BLEU, as in NLTK. */
static void add_bleu(struct arena *scratch, struct metrics *m, struct runes hyp, struct runes ref)
{
    size_t match = 0, total[2] = {0, 0};
    struct gram_pair g;

    gram_pair_init(&g, scratch, hyp, ref);
    for (size_t i = 0; i < METRICS_BLEU; i++) {
        struct gram_counts c = gram_pair_count(&g);
        m->bleu_match[i] += c.matches;
        m->bleu_total[i] += c.total[0] ? c.total[0] : 1;
        match += c.matches;
        total[0] += c.total[0];
        total[1] += c.total[1];
        gram_pair_raise(&g);
    }
    m->gleu_match += match;
    m->gleu_total += total[0] > total[1] ? total[0] : total[1];
}

static struct runes without_spaces(struct arena *scratch, struct runes s)
{
    uint32_t *p = NEW_N(scratch, uint32_t, s.n);
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        if (!rune_is_space(s.p[i]))
            p[n++] = s.p[i];
    return (struct runes){.p = p, .n = n};
}

/* chrF2 (Popovic 2015), n = 1 to 6, white space removed. As in sacreBLEU, n-grams of a
 * hypothesis count only beside a reference that is long enough to have any. */
static void add_chrf(struct arena *scratch, struct metrics *m, struct runes hyp, struct runes ref)
{
    struct gram_pair g;

    gram_pair_init(&g, scratch, without_spaces(scratch, hyp), without_spaces(scratch, ref));
    for (size_t i = 0; i < METRICS_CHRF; i++) {
        struct gram_counts c = gram_pair_count(&g);
        m->chrf_match[i] += c.matches;
        m->chrf_total[i][0] += c.total[1] ? c.total[0] : 0;
        m->chrf_total[i][1] += c.total[1];
        gram_pair_raise(&g);
    }
}

/* Spaces and full stops are no tokens of ROUGE: a text of nothing else is empty to it. */
static bool is_empty(struct runes s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '.' && !rune_is_space(s.p[i]))
            return false;
    return true;
}

static void add_rouge(struct arena *scratch, struct metrics *m, struct runes hyp, struct runes ref)
{
    struct rouge r;

    if (is_empty(hyp) || is_empty(ref))
        return;
    r = rouge_pair(scratch, hyp, ref);
    m->rouge[0] += r.one;
    m->rouge[1] += r.two;
    m->rouge[2] += r.l;
    m->rouge_pairs++;
}

/* Distinct-n (Li et al. 2016). */
static void add_distinct(struct metrics *m, struct runes hyp)
{
    for (size_t i = 0; i < hyp.n; i++) {
        (void)gram_table_add(&m->seen[0], hyp.p[i]);
        if (i)
            (void)gram_table_add(&m->seen[1], (uint64_t)hyp.p[i - 1] << 32 | hyp.p[i]);
    }
    m->seen_total[0] += hyp.n;
    m->seen_total[1] += hyp.n ? hyp.n - 1 : 0;
}

enum status metrics_add(struct arena *scratch, struct metrics *m, struct str hyp, struct str ref,
                        struct err *e)
{
    struct runes h = rune_decode(scratch, hyp), r = rune_decode(scratch, ref);
    size_t longer = h.n > r.n ? h.n : r.n;

    if (longer > METRICS_RUNES_MAX)
        return err_set(e, E_INPUT, "a text of %zu characters; metrics take at most %d", longer,
                       METRICS_RUNES_MAX);
    m->pairs++;
    add_chrf(scratch, m, h, r);
    if (m->by == METRICS_WORD) {
        h = words_of_text(scratch, m, hyp, h);
        r = words_of_text(scratch, m, ref, r);
    }
    m->length[0] += h.n;
    m->length[1] += r.n;
    add_bleu(scratch, m, h, r);
    add_rouge(scratch, m, h, r);
    add_distinct(m, h);
    return OK;
}

static double ratio(size_t part, size_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

/* Corpus BLEU of orders 1 to n with one reference; an order without a match counts 0.1 of one
 * ("method 1", Chen and Cherry 2014). The paper's weight for n = 3 is 0.33, not a third. */
static double bleu(const struct metrics *m, size_t n)
{
    static const double weight[METRICS_BLEU] = {1, 0.5, 0.33, 0.25};
    double hyp = (double)m->length[0], ref = (double)m->length[1], sum = 0;

    if (m->pairs == 0)
        return (double)NAN;
    if (m->bleu_match[0] == 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        double match = m->bleu_match[i] ? (double)m->bleu_match[i] : 0.1;
        sum += weight[n - 1] * log(match / (double)m->bleu_total[i]);
    }
    return exp(sum + (hyp > ref ? 0 : 1 - ref / hyp));
}

/* Precision and recall are averaged over the orders that both sides have, then F with beta 2. */
static double chrf(const struct metrics *m)
{
    double p = 0, r = 0;
    size_t orders = 0;

    for (size_t i = 0; i < METRICS_CHRF; i++) {
        if (m->chrf_total[i][0] == 0 || m->chrf_total[i][1] == 0)
            continue;
        p += ratio(m->chrf_match[i], m->chrf_total[i][0]);
        r += ratio(m->chrf_match[i], m->chrf_total[i][1]);
        orders++;
    }
    if (m->pairs == 0)
        return (double)NAN;
    return p + r > 0 ? 5 * p * r / (4 * p + r) / (double)orders : 0;
}

struct metrics_values metrics_values(const struct metrics *m)
{
    double pairs = m->rouge_pairs ? (double)m->rouge_pairs : (double)NAN;
    struct metrics_values v = {
        .gleu = ratio(m->gleu_match, m->gleu_total),
        .rouge_1 = m->rouge[0] / pairs,
        .rouge_2 = m->rouge[1] / pairs,
        .rouge_l = m->rouge[2] / pairs,
        .chrf = chrf(m),
        .pairs = m->pairs,
        .rouge_pairs = m->rouge_pairs,
    };

    for (size_t i = 0; i < METRICS_BLEU; i++)
        v.bleu[i] = bleu(m, i + 1);
    for (size_t i = 0; i < COUNT(v.distinct); i++)
        v.distinct[i] = ratio(m->seen[i].n, m->seen_total[i]);
    return v;
}
