/* Lines of bytes, each searched for among all of them: the search finds what all pairs find. The
 * first byte is the threshold. */
#include <stdlib.h>

#include "text/corpus.h"

enum { TEXTS_MAX = 24, TEXT_MAX = 600 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_line(struct arena *a, struct corpus *c, const struct folded *texts, size_t n,
                       size_t line, double threshold)
{
    struct corpus_matches found = corpus_search(a, c, texts[line]);
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        struct folded x = texts[i], y = texts[line];
        bool empty = x.text.n == 0 || y.text.n == 0;
        if (empty ||
            !(fold_equal(x.bare, y.bare) || similar_compare(a, x.text, y.text).score >= threshold))
            continue;
        must(k < found.n && found.v[k++].text == i);
    }
    must(k == found.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str rest = {(const char *)data, size}, line;
    struct folded texts[TEXTS_MAX];
    double threshold;
    size_t n = 0;
    struct corpus *c;

    if (size == 0)
        return 0;
    threshold = (data[0] + 1) / 256.0;
    rest = str_from(rest, 1);
    while (n < TEXTS_MAX && str_line(&rest, &line))
        texts[n++] = fold_both(a, utf8_head(line, TEXT_MAX));
    c = corpus_new(a, texts, n, threshold);
    for (size_t i = 0; i < n; i++)
        check_line(a, c, texts, n, i, threshold);
    return 0;
}
