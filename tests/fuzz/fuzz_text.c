/* Two hostile texts, split at the first NUL, through everything in text/. What must hold for any
 * bytes is checked; the rest is left to the sanitizers. */
#include <stdlib.h>

#include "text/fold.h"
#include "text/metrics.h"
#include "text/similar.h"
#include "text/take.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_clean(struct arena *a, struct str s)
{
    struct str clean = rune_clean(a, s), again = rune_clean(a, clean);

    must(utf8_check(clean) == clean.n);
    must(str_eq(clean, again));
    for (size_t i = 0; i < clean.n; i++)
        must((unsigned char)clean.p[i] >= 0x20 || clean.p[i] == '\n' || clean.p[i] == '\t');
    (void)rune_columns(clean);
}

static struct runes check_fold(struct arena *a, struct str s)
{
    struct runes r = fold_text(a, s);

    for (size_t i = 0; i < r.n; i++) {
        must(r.at[i] < s.n && (i == 0 || r.at[i - 1] <= r.at[i]));
        must(fold_source(s, r, i, r.n - i).n <= s.n);
    }
    (void)fold_particles(a, s);
    return r;
}

static void check_similar(struct arena *a, struct runes x, struct runes y)
{
    struct similar s = similar_compare(a, x, y), back = similar_compare(a, y, x);
    struct similar_overlap o = similar_overlap(a, x, y);

    must(s.score >= 0 && s.score <= 1 && s.score == back.score);
    must(similar_compare(a, x, x).score == 1);
    must(o.n <= s.lcs && (o.n > 0) == (s.lcs > 0));
    for (size_t i = 0; i < o.n; i++)
        must(x.p[o.at[0] + i] == y.p[o.at[1] + i]);
}

static void check_take(struct arena *a, struct str s)
{
    static const struct take_quotes quotes[] = {{{"「", 3}, {"」", 3}}, {{"\"", 1}, {"\"", 1}}};

    for (size_t i = 0; i < COUNT(quotes); i++)
        for (size_t n = 1; n < 5; n++)
            must(str_starts(s, take_units(s, quotes[i], n)));
    must(take_lines(a, s, 3).n <= s.n);
}

static void check_metrics(struct arena *a, struct str hyp, struct str ref)
{
    struct metrics m;
    struct metrics_values v;
    struct err e;

    metrics_init(&m, a, METRICS_WORD);
    if (metrics_add(a, &m, hyp, ref, &e) != OK)
        return;
    v = metrics_values(&m);
    for (size_t i = 0; i < METRICS_BLEU; i++)
        must(v.bleu[i] >= 0 && v.bleu[i] <= 1 + 1e-9);
    must(v.chrf >= 0 && v.chrf <= 1 + 1e-9);
    must(!(v.rouge_l > v.rouge_1 + 1e-9));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str all = {(const char *)data, size}, x = all, y = all;

    (void)str_cut(all, '\0', &x, &y);
    check_clean(a, all);
    check_take(a, x);
    check_similar(a, check_fold(a, x), check_fold(a, y));
    check_metrics(a, x, y);
    return 0;
}
