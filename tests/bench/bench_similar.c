/* bench_similar - what comparing texts costs: figures, nothing is asserted.
 *
 *     bench_similar
 *
 * 1. The longest common subsequence of texts of 80 code points: a plain dynamic programme, one
 *    pair at a time, and one text ready for many.
 * 2. 1,000 replies against a corpus of 100,000 lines, folding included, threshold 0.8. One line in
 *    twenty is a reply that was changed a little. Chinese of about 25 code points, English of
 *    about 80. */
#include <math.h>
#include <time.h>

#include "base/rng.h"
#include "text/corpus.h"

enum { LENGTH = 80, PAIRS_SIDE = 250, PASSES = 7, REPLIES = 1000, LINES = 100000 };

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A number below n; small ones come more often, as with letters and words. */
static uint64_t skewed(struct rng *r, uint64_t n, int how)
{
    double u = rng_unit(r), at = (double)n;

    while (how--)
        at *= u;
    return (uint64_t)at;
}

/* ---- pairs ---- */

static size_t plain_lcs(struct arena *arena, struct runes a, struct runes b)
{
    size_t *row = NEW_N(arena, size_t, b.n + 1);

    for (size_t i = 0; i < a.n; i++) {
        size_t corner = 0;
        for (size_t j = 0; j < b.n; j++) {
            size_t was = row[j + 1];
            if (a.p[i] == b.p[j])
                row[j + 1] = corner + 1;
            else if (row[j] > was)
                row[j + 1] = row[j];
            corner = was;
        }
    }
    return row[b.n];
}

typedef size_t measure(struct arena *scratch, struct runes a, struct runes b);

/* Nanoseconds a pair; the sum of the lengths goes to *sum, so that nobody leaves the work out. */
static double time_pairs(struct arena *scratch, const struct runes *v, measure *lcs, size_t *sum)
{
    double begin = now_s();

    *sum = 0;
    for (size_t i = 0; i < PAIRS_SIDE; i++)
        for (size_t j = 0; j < PAIRS_SIDE; j++, arena_reset(scratch))
            *sum += lcs(scratch, v[i], v[j]);
    return (now_s() - begin) * 1e9 / (PAIRS_SIDE * PAIRS_SIDE);
}

static double time_rows(struct arena *scratch, const struct runes *v, size_t kinds, size_t *sum)
{
    struct similar_rows rows;
    double begin = now_s();

    *sum = 0;
    similar_rows_init(&rows, scratch, kinds, LENGTH);
    for (size_t i = 0; i < PAIRS_SIDE; i++) {
        similar_rows_set(&rows, (struct similar_names){v[i].p, v[i].n});
        for (size_t j = 0; j < PAIRS_SIDE; j++)
            *sum += similar_rows_lcs(scratch, &rows, (struct similar_names){v[j].p, v[j].n});
    }
    return (now_s() - begin) * 1e9 / (PAIRS_SIDE * PAIRS_SIDE);
}

static void bench_pairs(const char *name, uint64_t kinds)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct rng r = rng_keyed(1, name, NULL, 0);
    struct runes v[PAIRS_SIDE];
    size_t sum[3];
    double ns[3] = {INFINITY, INFINITY, INFINITY};

    for (size_t i = 0; i < PAIRS_SIDE; i++) {
        uint32_t *p = NEW_N(a, uint32_t, LENGTH);
        for (size_t k = 0; k < LENGTH; k++)
            p[k] = (uint32_t)skewed(&r, kinds, 2);
        v[i] = (struct runes){.p = p, .n = LENGTH};
    }
    for (int pass = 0; pass < PASSES; pass++) { /* the best of each: others may use the machine */
        ns[0] = fmin(ns[0], time_pairs(scratch, v, plain_lcs, &sum[0]));
        ns[1] = fmin(ns[1], time_pairs(scratch, v, similar_lcs, &sum[1]));
        ns[2] = fmin(ns[2], time_rows(scratch, v, kinds, &sum[2]));
    }
    printf("lcs, %d code points, %-12s plain %.0f ns, bit-parallel %.0f ns (%.1f x), prepared "
           "%.0f ns (%.1f x)%s\n",
           LENGTH, name, ns[0], ns[1], ns[0] / ns[1], ns[2], ns[0] / ns[2],
           sum[0] == sum[1] && sum[1] == sum[2] ? "" : " THEY DIFFER");
}

/* ---- a corpus ---- */

/* Words are made up: some letters come more often than others, and some words. */
struct language {
    const char *name;
    uint32_t first, kinds; /* letters */
    size_t words, word_least, word_most, text_least, text_most;
    const char *space;
};

struct words {
    struct str v[4000];
    const struct language *language;
};

static void make_words(struct arena *a, struct rng *r, const struct language *l, struct words *w)
{
    w->language = l;
    for (size_t i = 0; i < l->words; i++) {
        AUTO(buf_done) struct buf b = BUF_MAX(256);
        size_t n = l->word_least + (size_t)rng_below(r, l->word_most - l->word_least + 1);
        for (size_t k = 0; k < n; k++)
            buf_rune(&b, l->first + (uint32_t)skewed(r, l->kinds, 2));
        buf_text(&b, l->space);
        w->v[i] = arena_str(a, buf_str(&b));
    }
}

static struct str make_text(struct arena *a, struct rng *r, const struct words *w)
{
    AUTO(buf_done) struct buf b = BUF_MAX(4096);
    const struct language *l = w->language;
    size_t n = l->text_least + (size_t)rng_below(r, l->text_most - l->text_least + 1);

    for (size_t i = 0; i < n; i++)
        buf_add(&b, w->v[skewed(r, l->words, 3)]);
    return arena_str(a, buf_str(&b));
}

/* The text without about one in twelve of its runes. */
static struct str make_near(struct arena *a, struct rng *r, struct str text)
{
    AUTO(buf_done) struct buf b = BUF_MAX(4096);

    while (text.n) {
        uint32_t rune = utf8_next(&text);
        if (rng_below(r, 12))
            buf_rune(&b, rune);
    }
    return arena_str(a, buf_str(&b));
}

static void bench_corpus(const struct language *l)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct rng r = rng_keyed(2, l->name, NULL, 0);
    struct words *words = NEW(a, struct words);
    struct str *replies = NEW_N(a, struct str, REPLIES), *lines = NEW_N(a, struct str, LINES);
    struct folded *texts = NEW_N(a, struct folded, REPLIES);
    struct corpus *c;
    double begin, folding;
    size_t pairs = 0, runes = 0;

    make_words(a, &r, l, words);
    for (size_t i = 0; i < REPLIES; i++)
        replies[i] = make_text(a, &r, words);
    for (size_t i = 0; i < LINES; i++)
        lines[i] = rng_below(&r, 20) ? make_text(a, &r, words)
                                     : make_near(a, &r, replies[rng_below(&r, REPLIES)]);
    begin = now_s();
    for (size_t i = 0; i < LINES; i++, arena_reset(scratch))
        runes += fold_both(scratch, lines[i]).text.n;
    folding = now_s() - begin;
    begin = now_s();
    for (size_t i = 0; i < REPLIES; i++)
        texts[i] = fold_both(a, replies[i]);
    c = corpus_new(a, texts, REPLIES, 0.8);
    for (size_t i = 0; i < LINES; i++, arena_reset(scratch))
        pairs += corpus_search(scratch, c, fold_both(scratch, lines[i])).n;
    printf("corpus, %-8s %d replies x %d lines of %.0f code points: %.2f s (folding alone %.2f s), "
           "%zu pairs\n",
           l->name, REPLIES, LINES, (double)runes / LINES, now_s() - begin, folding, pairs);
}

int main(void)
{
    /* clang-format off */
    static const struct language languages[] = {
        {"Chinese", 0x4E00, 2500, 4000, 1, 3, 6, 20, ""},
        {"English", 'a',      26, 4000, 2, 8, 10, 18, " "},
    };
    /* clang-format on */

    bench_pairs("26 kinds", 26);
    bench_pairs("2000 kinds", 2000);
    for (size_t i = 0; i < COUNT(languages); i++)
        bench_corpus(&languages[i]);
    return 0;
}
