#include "base/message.h"
#include "suite/proof_parts.h"
#include "text/fold.h"

/* What survives translation: numbers and, between Chinese and Japanese, ideographs. */
struct traces {
    uint32_t *han, *figures; /* without duplicates */
    size_t nhan, nfigures;
};

enum {
    HAN_LEAST = 12,    /* fewer distinct ones than this are not compared */
    FIGURES_LEAST = 3, /* likewise */
    FIGURE_MIN = 10,   /* smaller numbers occur in every text */
};

/* Common share of the smaller set; texts that are no translations stay below 0.36. */
#define HAN_SHARE 0.5

static void add(uint32_t *set, size_t *n, uint32_t value)
{
    for (size_t i = 0; i < *n; i++)
        if (set[i] == value)
            return;
    set[(*n)++] = value;
}

static size_t common(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
    size_t n = 0;

    for (size_t i = 0; i < na; i++)
        for (size_t k = 0; k < nb; k++)
            n += a[i] == b[k];
    return n;
}

static struct traces traces_of(struct proof *p, const struct item *item)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);
    struct runes r;
    struct traces t = {0};
    uint32_t figure = 0;

    buf_fmt(&b, "%.*s\n%.*s\n", STR_ARG(item->prompt), STR_ARG(item->reference));
    for (size_t i = 0; i < item->nturns; i++)
        buf_fmt(&b, "%.*s\n", STR_ARG(item->turns[i].text));
    r = fold_text(p->a, buf_str(&b));
    t.han = NEW_N(p->a, uint32_t, r.n + 1);
    t.figures = NEW_N(p->a, uint32_t, r.n + 1);
    for (size_t i = 0; i <= r.n; i++) {
        uint32_t c = i < r.n ? r.p[i] : 0;
        if (c >= '0' && c <= '9' && figure < UINT32_MAX / 100) {
            figure = 10 * figure + (c - '0');
            continue;
        }
        if (figure >= FIGURE_MIN)
            add(t.figures, &t.nfigures, figure);
        figure = 0;
        if (c >= 0x4E00 && c <= 0x9FFF)
            add(t.han, &t.nhan, c);
    }
    return t;
}

static bool is_translation(const struct traces *a, const struct traces *b)
{
    size_t han = a->nhan < b->nhan ? a->nhan : b->nhan;
    size_t figures = a->nfigures < b->nfigures ? a->nfigures : b->nfigures;

    return (han >= HAN_LEAST &&
            (double)common(a->han, a->nhan, b->han, b->nhan) >= HAN_SHARE * (double)han) ||
           (figures >= FIGURES_LEAST &&
            common(a->figures, a->nfigures, b->figures, b->nfigures) == figures);
}

static void compare(struct proof *p, const struct proof_suite *x, const struct proof_suite *y,
                    struct traces *const *all)
{
    const struct traces *tx = all[x - p->suites], *ty = all[y - p->suites];

    for (size_t m = 0; m < x->nitems; m++)
        for (size_t n = 0; n < y->nitems; n++)
            if (strcmp(x->items[m].id, y->items[n].id) == 0)
                proof_about(p, x, x->items[m].id, N_("%s has an item of that name: translated?"),
                            y->of->file);
            else if (is_translation(&tx[m], &ty[n]))
                proof_about(p, x, x->items[m].id, N_("%s: %s says much the same: translated?"),
                            y->of->file, y->items[n].id);
}

void proof_languages(struct proof *p)
{
    struct traces **all = NEW_N(p->a, struct traces *, p->nsuites); /* [suite][item] */

    for (size_t i = 0; i < p->nsuites; i++) {
        all[i] = NEW_N(p->a, struct traces, p->suites[i].nitems);
        for (size_t k = 0; k < p->suites[i].nitems; k++)
            all[i][k] = traces_of(p, &p->suites[i].items[k]);
    }
    for (size_t i = 0; i < p->nsuites; i++)
        for (size_t k = 0; k < i; k++) {
            const struct proof_suite *x = &p->suites[i], *y = &p->suites[k];
            if (x->suite && y->suite && strcmp(x->of->kind, y->of->kind) == 0 &&
                strcmp(x->suite->language, y->suite->language) != 0)
                compare(p, x, y, all);
        }
}
