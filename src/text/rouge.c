#include "text/rouge.h"

#include "text/gram.h"

static const uint32_t empty_token = UINT32_MAX;

/* Tokens, and the index where each sentence begins; begin[sentences] is the end. */
struct tokens {
    uint32_t *p;
    size_t *begin;
    size_t n, sentences;
};

static void end_sentence(struct tokens *t, bool blank_counts)
{
    if (t->n == t->begin[t->sentences]) {
        if (!blank_counts)
            return;
        t->p[t->n++] = empty_token;
    }
    t->begin[++t->sentences] = t->n;
}

/* A blank sentence counts unless it is the nothing before a first or after a last full stop. */
static struct tokens tokens_of(struct arena *scratch, struct runes s)
{
    struct tokens t = {NEW_N(scratch, uint32_t, s.n + 1), NEW_N(scratch, size_t, s.n + 2), 0, 0};

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '.')
            end_sentence(&t, i > 0);
        else if (!rune_is_space(s.p[i]))
            t.p[t.n++] = s.p[i];
    }
    end_sentence(&t, s.n && s.p[s.n - 1] != '.');
    return t;
}

static size_t longest(struct tokens t)
{
    size_t most = 0;

    for (size_t i = 0; i < t.sentences; i++)
        if (t.begin[i + 1] - t.begin[i] > most)
            most = t.begin[i + 1] - t.begin[i];
    return most;
}

static double f_measure(size_t common, size_t hyp, size_t ref)
{
    double p = hyp ? (double)common / (double)hyp : 0;
    double r = ref ? (double)common / (double)ref : 0;

    return 2 * (p * r / (p + r + 1e-8));
}

/* One sentence against one sentence: names of tokens, x of the reference, y of the hypothesis.
 * The buffers are made once, for the longest sentences. */
struct lcs {
    const uint32_t *x, *y;
    size_t nx, ny;
    uint32_t *row[2]; /* of the table L; what the way back needs is one bit for each cell */
    uint8_t *up;      /* L[i-1][j] > L[i][j-1] */
};

static void lcs_fill(struct lcs *l)
{
    uint32_t *above = l->row[0], *row = l->row[1];

    memset(above, 0, (l->ny + 1) * sizeof *above);
    memset(l->up, 0, l->nx * l->ny / 8 + 1);
    for (size_t i = 0; i < l->nx; i++) {
        uint32_t *swap = above;
        row[0] = 0;
        for (size_t j = 0; j < l->ny; j++) {
            size_t cell = i * l->ny + j;
            bool up = above[j + 1] > row[j];
            if (l->x[i] == l->y[j])
                row[j + 1] = above[j] + 1;
            else
                row[j + 1] = up ? above[j + 1] : row[j];
            l->up[cell / 8] |= (uint8_t)(up << cell % 8);
        }
        above = row;
        row = swap;
    }
}

/* Mark the tokens of the subsequence. Which one, when several are longest, is part of the
 * definition: back from the end, up only when that is strictly longer. */
static void lcs_mark(const struct lcs *l, bool *marked)
{
    size_t i = l->nx, j = l->ny;

    while (i && j) {
        size_t cell = (i - 1) * l->ny + j - 1;
        if (l->x[i - 1] == l->y[j - 1]) {
            marked[l->x[i - 1]] = true;
            i--;
            j--;
        } else if (l->up[cell / 8] >> cell % 8 & 1) {
            i--;
        } else {
            j--;
        }
    }
}

/* Different tokens in the union of the subsequences of all pairs of sentences. */
static size_t union_lcs(struct arena *scratch, const struct gram_pair *g, struct tokens hyp,
                        struct tokens ref)
{
    bool *marked = NEW_N(scratch, bool, g->kinds);
    size_t nx = longest(ref), ny = longest(hyp), count = 0;
    struct lcs l = {
        .row = {NEW_N(scratch, uint32_t, ny + 1), NEW_N(scratch, uint32_t, ny + 1)},
        .up = NEW_N(scratch, uint8_t, nx * ny / 8 + 1),
    };

    for (size_t r = 0; r < ref.sentences; r++)
        for (size_t h = 0; h < hyp.sentences; h++) {
            l.x = g->name[1] + ref.begin[r];
            l.nx = ref.begin[r + 1] - ref.begin[r];
            l.y = g->name[0] + hyp.begin[h];
            l.ny = hyp.begin[h + 1] - hyp.begin[h];
            lcs_fill(&l);
            lcs_mark(&l, marked);
        }
    for (size_t k = 0; k < g->kinds; k++)
        count += marked[k];
    return count;
}

struct rouge rouge_pair(struct arena *scratch, struct runes hyp, struct runes ref)
{
    struct tokens h = tokens_of(scratch, hyp), r = tokens_of(scratch, ref);
    struct gram_pair g;
    struct gram_counts c;
    struct rouge out;

    gram_pair_init(&g, scratch, (struct runes){.p = h.p, .n = h.n},
                   (struct runes){.p = r.p, .n = r.n});
    c = gram_pair_count(&g);
    out.one = f_measure(c.shared, c.kinds[0], c.kinds[1]);
    out.l = f_measure(union_lcs(scratch, &g, h, r), c.kinds[0], c.kinds[1]);
    gram_pair_raise(&g);
    c = gram_pair_count(&g);
    out.two = f_measure(c.shared, c.kinds[0], c.kinds[1]);
    return out;
}
