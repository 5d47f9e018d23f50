#include "text/fold.h"

enum { LONG_VOWEL = 0x30FC };

/* Folded runes being written. There is room for every rune of the source. */
struct writer {
    uint32_t *p, *at;
    size_t n;
    bool gap; /* a space was read and not yet written */
    uint32_t gap_at;
};

static uint32_t to_hiragana(uint32_t r)
{
    bool katakana = (r >= 0x30A1 && r <= 0x30F6) || r == 0x30FD || r == 0x30FE;

    return katakana ? r - 0x60 : r;
}

static void put(struct writer *w, uint32_t r, uint32_t at)
{
    if (w->n >= 2 && w->p[w->n - 1] == r && w->p[w->n - 2] == r)
        return;
    w->p[w->n] = r;
    w->at[w->n++] = at;
}

/* Append runes [from, to) of s, which is normalised. */
static void write_folded(struct writer *w, struct runes s, size_t from, size_t to, bool keep_signs)
{
    for (size_t i = from; i < to; i++) {
        uint32_t r = to_hiragana(s.p[i]);
        if (rune_is_space(r)) {
            if (!w->gap)
                w->gap_at = s.at[i];
            w->gap = true;
            continue;
        }
        if (!keep_signs && (r == LONG_VOWEL || rune_is_sign(r)))
            continue;
        if (w->gap && w->n && !rune_is_cjk(w->p[w->n - 1]) && !rune_is_cjk(r))
            put(w, ' ', w->gap_at);
        w->gap = false;
        put(w, r, s.at[i]);
    }
}

static struct writer writer_new(struct arena *a, size_t room)
{
    return (struct writer){.p = NEW_N(a, uint32_t, room), .at = NEW_N(a, uint32_t, room)};
}

static struct runes fold_normal(struct arena *a, struct runes normal)
{
    struct writer w = writer_new(a, normal.n);

    write_folded(&w, normal, 0, normal.n, false);
    if (w.n == 0)
        write_folded(&w, normal, 0, normal.n, true);
    return (struct runes){w.p, w.at, w.n};
}

/* Runes at the end of p[0, n) that spell `tail`, or 0. */
static size_t match_tail(const uint32_t *p, size_t n, const char *tail)
{
    struct str rest = str_of(tail);
    size_t len = utf8_count(rest);

    if (len > n)
        return 0;
    for (size_t i = n - len; rest.n; i++)
        if (p[i] != utf8_next(&rest))
            return 0;
    return len;
}

/* Longer spellings precede their own endings. Particles that change the meaning (吗, か, 了) are
 * not listed. */
static size_t particle_length(const uint32_t *p, size_t n)
{
    static const char *const particles[] = {
        "呀",   "啊",   "呢",   "哦",   "啦", "吧", "嘛", "哇", "喔", "噢", "哟",   "呦",
        "嘞",   "咯",   "喽",   "哈",   "呐", "哎", "欸", "诶", "囉", "喲", "です", "ます",
        "ねぇ", "よぉ", "なぁ", "わぁ", "ね", "よ", "な", "わ", "ぞ", "ぜ", "さ",   "だ",
    };

    for (size_t i = 0; i < COUNT(particles); i++) {
        size_t len = match_tail(p, n, particles[i]);
        if (len)
            return len;
    }
    return 0;
}

static void strip_particles(struct writer *w, size_t begin)
{
    size_t n = w->n, len;

    while (n > begin && (len = particle_length(w->p + begin, n - begin)) > 0)
        n -= len;
    if (n > begin)
        w->n = n;
}

static struct runes fold_bare(struct arena *a, struct runes normal)
{
    struct writer w = writer_new(a, normal.n);

    for (size_t from = 0, to; from < normal.n; from = to) {
        size_t begin = w.n;
        for (to = from + 1; to < normal.n && !rune_is_sign(normal.p[to]);)
            to++;
        write_folded(&w, normal, from, to, false);
        strip_particles(&w, begin);
    }
    if (w.n == 0)
        write_folded(&w, normal, 0, normal.n, true);
    return (struct runes){w.p, w.at, w.n};
}

struct runes fold_text(struct arena *a, struct str s)
{
    return fold_normal(a, rune_normal(a, s));
}

struct runes fold_particles(struct arena *a, struct str s)
{
    return fold_bare(a, rune_normal(a, s));
}

struct folded fold_both(struct arena *a, struct str s)
{
    struct runes normal = rune_normal(a, s);

    return (struct folded){fold_normal(a, normal), fold_bare(a, normal)};
}

struct str fold_source(struct str text, struct runes folded, size_t first, size_t count)
{
    size_t begin = folded.at[first], last = folded.at[first + count - 1];
    size_t end = last + rune_cluster(str_from(text, last));

    return (struct str){text.p + begin, end - begin};
}

bool fold_equal(struct runes a, struct runes b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n * sizeof *a.p) == 0);
}
