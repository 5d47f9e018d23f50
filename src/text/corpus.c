/* How a line is compared with all texts at once, without losing a pair. n and m are the lengths of
 * a text and the line, L their longest common subsequence, t the threshold.
 *
 * Containment counts shared n-grams. An index from n-grams to texts yields that count for all
 * texts by walking the lists of the line's own n-grams: it is computed, not filtered.
 *
 * Indel, 2L / (n + m) >= t, is filtered twice before L is computed:
 *   length   L <= min(n, m), so 2 min(n, m) / (n + m) >= t;
 *   bigrams  going from the text to the line, each of the n - L runes taken out breaks at most two
 *            of the n - 1 bigrams, and each of the m - L put in breaks at most one. The others
 *            are in both: at least (n - 1) - 2 (n - L) - (m - L) = 3L - (n + m + 1) shared
 *            bigrams, each counted as often as on the side that has fewer (the q-gram lemma of
 *            Ukkonen 1992 for insertions and deletions). With L the least that reaches t this
 *            rules out most pairs when t > 2/3, and none wrongly at any t.
 * What is left is measured, bit-parallel, with the tables of the line made once.
 *
 * A few n-grams occur in most texts, and walking their long lists would be most of the work. Such
 * 2-grams are added for all texts at once, from rows of bytes. Such 4-grams are skipped, so that a
 * text may have that many more in common than were counted. Where containment might be reached with
 * them, they are looked up one by one, which keeps the search exact. */
#include "text/corpus.h"

#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "text/gram.h"

_Static_assert(GRAM_ABSENT == SIMILAR_UNNAMED, "a rune that no text has is found nowhere");

/* A 2-gram that more than one in ROW_SHARE texts contain is also stored as a row: its count in each
 * text, one byte each, padded to whole blocks. Rows are used for lines of at most ROW_RUNES
 * runes. */
enum { ROW_SHARE = 16, ROW_BLOCK = 64, ROW_RUNES = UINT8_MAX };

/* Runes below this are looked up without hashing, and so are pairs if there are at most this many
 * different runes. */
enum { BYTES = 256 };

/* A 4-gram may be skipped if more than one in PASSED_SHARE texts contain it. */
enum { PASSED_SHARE = 64 };
#define PASSED_MOST 0.8 /* of the smallest number that containment needs */

static size_t row_length(size_t texts)
{
    return (texts + ROW_BLOCK - 1) / ROW_BLOCK * ROW_BLOCK;
}

struct posting {
    uint32_t text, count;
};

struct found {
    uint32_t gram;
    struct posting in;
};

/* The line in which a gram was last seen, and its number within that line. */
struct seen {
    size_t line;
    uint32_t name;
};

/* From each n-gram to the texts that contain it. */
struct postings {
    struct gram_table names;
    struct posting *v;   /* by gram, then text */
    size_t *from;        /* the list of gram g is v[from[g]] to v[from[g + 1]] */
    uint8_t **rows;      /* of a gram with a long list: the counts of all texts; else NULL */
    struct seen *seen;   /* by gram */
    struct found *found; /* while the index is built: by text; malloc */
    size_t n, cap;
};

/* One of the texts, which are sorted by length. */
struct entry {
    const struct folded *folded;
    struct similar_names runes;
    size_t text;        /* its index for the caller */
    size_t kinds[2];    /* different 2-grams and 4-grams */
    struct entry *same; /* another one with the same bare form */
    bool cjk;
};

/* Texts of one length. */
struct group {
    size_t n, end;   /* the index behind the last */
    size_t kinds[2]; /* the smallest numbers of any of them */
};

/* What an entry has in common with the current line. `pairs` is the number of common 2-grams, each
 * counted as often as on the side that has fewer, plus DIFFERENT for each different one: two counts
 * in one addition, which is where most of the time goes. */
struct shared {
    uint64_t pairs;
    uint32_t fours; /* different 4-grams */
    bool bare;
};
#define DIFFERENT (UINT64_C(1) << 32)

struct corpus {
    double threshold;
    struct entry *v;
    struct group *groups;
    size_t ngroups;
    struct shared *shared;
    uint8_t *row; /* common 2-grams among those with rows, by entry */
    size_t n;
    size_t fewest; /* smallest number of different 4-grams of a text long enough for containment */
    size_t line;   /* number of the current one, from 1 */
    struct gram_table runes;
    uint32_t byte[BYTES];     /* the names of runes that are a byte; GRAM_ABSENT: none */
    uint32_t *pairs;          /* [runes][runes] 2-grams; NULL: there are too many runes */
    struct postings grams[2]; /* 2-grams, 4-grams */
    struct map bare;
    struct similar_rows rows;
    bool mixed; /* some text is not CJK */
};

/* The n-grams of one text, numbered within it. */
struct local {
    struct gram_table strangers; /* grams that the index does not have, or is not asked about */
    uint32_t *stranger;          /* their numbers */
    uint32_t *at;                /* of each position */
    uint32_t *count;             /* of each gram */
    uint32_t *known;             /* its number in the index, or GRAM_ABSENT */
    size_t n, kinds;             /* positions, and different grams */
};

static struct local local_new(struct arena *a, size_t n)
{
    struct local l = {.n = n};

    gram_table_init(&l.strangers, a, n / 4);
    l.stranger = NEW_N(a, uint32_t, n);
    l.at = NEW_N(a, uint32_t, n);
    l.count = NEW_N(a, uint32_t, n);
    l.known = NEW_N(a, uint32_t, n);
    return l;
}

static uint32_t local_new_gram(struct local *l, uint32_t known)
{
    l->known[l->kinds] = known;
    return (uint32_t)l->kinds++;
}

/* Records the gram of position i, which is called `key` within the text and `known` in the index.
 * Grams that the index has, which are most of those of a line, are found again by that number,
 * without hashing. */
static void local_add(struct local *l, size_t i, uint64_t key, uint32_t known,
                      const struct corpus *c, struct seen *seen)
{
    uint32_t name;

    if (seen && known != GRAM_ABSENT) {
        if (seen[known].line != c->line)
            seen[known] = (struct seen){c->line, local_new_gram(l, known)};
        name = seen[known].name;
    } else {
        size_t before = l->strangers.n;
        uint32_t k = gram_table_add(&l->strangers, key);
        if (k == before)
            l->stranger[k] = local_new_gram(l, known);
        name = l->stranger[k];
    }
    l->at[i] = name;
    l->count[name]++;
}

static uint32_t look_up(struct gram_table *t, uint64_t key, bool add)
{
    return add ? gram_table_add(t, key) : gram_table_get(t, key);
}

/* If there are few different runes, a table of all pairs replaces hashing. */
static uint32_t look_up_pair(const struct corpus *c, struct runes r, const uint32_t *names,
                             size_t i)
{
    if (names[i] == GRAM_ABSENT || names[i + 1] == GRAM_ABSENT)
        return GRAM_ABSENT;
    if (c->pairs)
        return c->pairs[names[i] * c->runes.n + names[i + 1]];
    return gram_table_get(&c->grams[0].names, (uint64_t)r.p[i] << 32 | r.p[i + 1]);
}

/* `names` are those of a line's runes; NULL: the text is being added to the index. */
static struct local pairs_of(struct arena *a, struct corpus *c, struct runes r,
                             const uint32_t *names)
{
    struct local l = local_new(a, r.n ? r.n - 1 : 0);

    for (size_t i = 0; i < l.n; i++) {
        uint64_t key = (uint64_t)r.p[i] << 32 | r.p[i + 1];
        uint32_t known =
            names ? look_up_pair(c, r, names, i) : gram_table_add(&c->grams[0].names, key);
        local_add(&l, i, key, known, c, names ? c->grams[0].seen : NULL);
    }
    return l;
}

/* A 4-gram is keyed by two 2-grams, within the text and in the index. */
static struct local fours_of(struct arena *a, struct corpus *c, const struct local *pairs, bool add)
{
    struct local l = local_new(a, pairs->n > 2 ? pairs->n - 2 : 0);

    for (size_t i = 0; i < l.n; i++) {
        uint32_t left = pairs->at[i], right = pairs->at[i + 2];
        uint64_t key = (uint64_t)left << 32 | right;
        left = pairs->known[left];
        right = pairs->known[right];
        local_add(&l, i, key,
                  left == GRAM_ABSENT || right == GRAM_ABSENT
                      ? GRAM_ABSENT
                      : look_up(&c->grams[1].names, (uint64_t)left << 32 | right, add),
                  c, add ? NULL : c->grams[1].seen);
    }
    return l;
}

/* ---- making the index ---- */

static void postings_add(struct postings *p, const struct local *l, size_t text)
{
    p->found = mem_grow(p->found, &p->cap, p->n + l->kinds, sizeof *p->found);
    for (size_t i = 0; i < l->kinds; i++)
        p->found[p->n++] = (struct found){l->known[i], {(uint32_t)text, l->count[i]}};
}

/* Counting sort by gram, which keeps the order of the texts. */
static void postings_close(struct postings *p, struct arena *a)
{
    size_t grams = p->names.n;
    size_t *next = NEW_N(a, size_t, grams + 1);

    p->v = NEW_N(a, struct posting, p->n);
    p->from = NEW_N(a, size_t, grams + 1);
    for (size_t i = 0; i < p->n; i++)
        p->from[p->found[i].gram + 1]++;
    for (size_t g = 0; g < grams; g++)
        next[g + 1] = p->from[g + 1] += p->from[g];
    for (size_t i = 0; i < p->n; i++)
        p->v[next[p->found[i].gram]++] = p->found[i].in;
    p->seen = NEW_N(a, struct seen, grams + 1);
    free(p->found);
    p->found = NULL;
}

/* Builds the tables that spare hashing a line's runes and 2-grams. */
static void index_runes(struct arena *a, struct corpus *c)
{
    size_t kinds = c->runes.n;

    for (uint32_t r = 0; r < BYTES; r++)
        c->byte[r] = gram_table_get(&c->runes, r);
    if (kinds > BYTES)
        return;
    c->pairs = NEW_N(a, uint32_t, kinds * kinds + 1);
    memset(c->pairs, 0xFF, kinds * kinds * sizeof *c->pairs);
    for (size_t i = 0; i < c->n; i++) {
        struct runes r = c->v[i].folded->text;
        const uint32_t *names = c->v[i].runes.v;
        for (size_t k = 0; k + 1 < r.n; k++)
            c->pairs[names[k] * kinds + names[k + 1]] =
                gram_table_get(&c->grams[0].names, (uint64_t)r.p[k] << 32 | r.p[k + 1]);
    }
}

static void postings_rows(struct postings *p, struct arena *a, size_t texts)
{
    p->rows = NEW_N(a, uint8_t *, p->names.n);
    for (size_t g = 0; g < p->names.n; g++) {
        if (p->from[g + 1] - p->from[g] <= row_length(texts) / ROW_SHARE)
            continue;
        p->rows[g] = NEW_N(a, uint8_t, row_length(texts));
        for (size_t k = p->from[g]; k < p->from[g + 1]; k++)
            p->rows[g][p->v[k].text] =
                (uint8_t)(p->v[k].count < ROW_RUNES ? p->v[k].count : ROW_RUNES);
    }
}

static struct str bare_key(const struct folded *f)
{
    return (struct str){(const char *)f->bare.p, f->bare.n * sizeof *f->bare.p};
}

static void entry_add(struct arena *a, struct arena *scratch, struct corpus *c, size_t i)
{
    struct entry *x = &c->v[i];
    struct runes r = x->folded->text;
    uint32_t *names = NEW_N(a, uint32_t, r.n);
    struct local grams[2];

    for (size_t k = 0; k < r.n; k++)
        names[k] = gram_table_add(&c->runes, r.p[k]);
    x->runes = (struct similar_names){names, r.n};
    x->cjk = similar_is_cjk(r);
    c->mixed |= !x->cjk;
    grams[0] = pairs_of(scratch, c, r, NULL);
    grams[1] = fours_of(scratch, c, &grams[0], true);
    for (size_t g = 0; g < COUNT(grams); g++) {
        x->kinds[g] = grams[g].kinds;
        postings_add(&c->grams[g], &grams[g], i);
    }
    if (r.n >= similar_enough(false) && x->kinds[1] < c->fewest)
        c->fewest = x->kinds[1];
    x->same = map_put(&c->bare, bare_key(x->folded), x);
}

static void group_entries(struct arena *a, struct corpus *c)
{
    c->groups = NEW_N(a, struct group, c->n);
    for (size_t i = 0; i < c->n; i++) {
        const struct entry *x = &c->v[i];
        struct group *g = &c->groups[c->ngroups];
        if (i > 0 && g[-1].n == x->runes.n) {
            g--;
        } else {
            c->ngroups++;
            *g = (struct group){.n = x->runes.n, .kinds = {SIZE_MAX, SIZE_MAX}};
        }
        g->end = i + 1;
        for (size_t k = 0; k < COUNT(g->kinds); k++)
            g->kinds[k] = x->kinds[k] < g->kinds[k] ? x->kinds[k] : g->kinds[k];
    }
}

static int by_length(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    size_t n = x->folded->text.n, m = y->folded->text.n;

    return n != m ? (n > m) - (n < m) : (x->text > y->text) - (x->text < y->text);
}

struct corpus *corpus_new(struct arena *a, const struct folded *texts, size_t n, double threshold)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct corpus *c = NEW(a, struct corpus);

    assert(threshold > 0 && threshold <= 1 && n < UINT32_MAX);
    *c =
        (struct corpus){.threshold = threshold, .v = NEW_N(a, struct entry, n), .fewest = SIZE_MAX};
    for (size_t i = 0; i < n; i++)
        if (texts[i].text.n)
            c->v[c->n++] = (struct entry){.folded = &texts[i], .text = i};
    qsort(c->v, c->n, sizeof *c->v, by_length);
    gram_table_init(&c->runes, a, 0);
    map_init(&c->bare, a);
    for (size_t g = 0; g < COUNT(c->grams); g++)
        gram_table_init(&c->grams[g].names, a, 0);
    for (size_t i = 0; i < c->n; i++, arena_reset(scratch))
        entry_add(a, scratch, c, i);
    group_entries(a, c);
    for (size_t g = 0; g < COUNT(c->grams); g++)
        postings_close(&c->grams[g], a);
    index_runes(a, c);
    postings_rows(&c->grams[0], a, c->n);
    c->row = NEW_N(a, uint8_t, row_length(c->n));
    similar_rows_init(&c->rows, a, c->runes.n, SIZE_MAX);
    c->shared = NEW_N(a, struct shared, c->n);
    return c;
}

/* ---- searching ---- */

/* The current line. */
struct line {
    struct folded folded;
    bool cjk;
    size_t kinds[2];
    uint32_t *passed; /* 4-grams whose lists are not walked */
    size_t npassed;
};

/* Skips the 4-grams with the longest lists. The smallest number that containment may need bounds
 * how many: with more, every text would have to be looked up. */
static void pass_over(struct arena *scratch, const struct corpus *c, struct line *line,
                      struct local *fours)
{
    const size_t *from = c->grams[1].from;
    size_t fewest = c->fewest < fours->kinds ? c->fewest : fours->kinds;
    size_t most = (size_t)((double)fewest * c->threshold * PASSED_MOST);

    line->passed = NEW_N(scratch, uint32_t, most);
    for (size_t longer = c->n / 4; longer >= c->n / PASSED_SHARE && longer; longer /= 4)
        for (size_t i = 0; i < fours->kinds && line->npassed < most; i++) {
            uint32_t gram = fours->known[i];
            if (gram == GRAM_ABSENT || from[gram + 1] - from[gram] <= longer)
                continue;
            line->passed[line->npassed++] = gram;
            fours->known[i] = GRAM_ABSENT;
        }
}

/* The number of skipped 4-grams that a text has. */
static size_t count_passed(const struct corpus *c, const struct line *line, size_t text)
{
    const struct postings *p = &c->grams[1];
    size_t found = 0;

    for (size_t i = 0; i < line->npassed; i++) {
        size_t low = p->from[line->passed[i]], end = p->from[line->passed[i] + 1], high = end;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (p->v[middle].text < text)
                low = middle + 1;
            else
                high = middle;
        }
        found += low < end && p->v[low].text == text;
    }
    return found;
}

/* Adds two rows at a time, which halves the accesses to the sums. Blocks of a fixed length compile
 * to a few vector instructions. */
static void add_rows(uint8_t *restrict sum, const uint8_t *restrict one, uint8_t most,
                     const uint8_t *restrict two, uint8_t more, size_t texts)
{
    for (size_t from = 0; from < texts; from += ROW_BLOCK)
        for (size_t i = from; i < from + ROW_BLOCK; i++)
            sum[i] = (uint8_t)(sum[i] + (one[i] < most ? one[i] : most) +
                               (two[i] < more ? two[i] : more));
}

/* Counts the grams that have rows and removes them from the line's: adding a row for all texts is
 * faster than walking a list. A sum is at most the length of the line and so fits a byte. */
static void count_rows(struct corpus *c, struct local *l)
{
    const uint8_t *waiting = NULL;
    uint8_t most = 0;

    memset(c->row, 0, row_length(c->n));
    for (size_t i = 0; i < l->kinds; i++) {
        uint32_t gram = l->known[i];
        const uint8_t *row = gram == GRAM_ABSENT ? NULL : c->grams[0].rows[gram];
        if (!row)
            continue;
        l->known[i] = GRAM_ABSENT;
        if (waiting)
            add_rows(c->row, waiting, most, row, (uint8_t)l->count[i], c->n);
        most = (uint8_t)l->count[i];
        waiting = waiting ? NULL : row;
    }
    if (waiting)
        add_rows(c->row, waiting, most, waiting, 0, c->n);
    for (size_t i = 0; i < c->n; i++)
        c->shared[i].pairs = c->row[i];
}

static void count_pairs(struct corpus *c, const struct local *l)
{
    const struct postings *p = &c->grams[0];

    for (size_t i = 0; i < l->kinds; i++) {
        uint32_t gram = l->known[i], count = l->count[i];
        if (gram == GRAM_ABSENT)
            continue;
        for (size_t k = p->from[gram]; k < p->from[gram + 1]; k++) {
            struct posting in = p->v[k];
            c->shared[in.text].pairs += DIFFERENT | (count < in.count ? count : in.count);
        }
    }
}

static void count_fours(struct corpus *c, const struct local *l)
{
    const struct postings *p = &c->grams[1];

    for (size_t i = 0; i < l->kinds; i++)
        if (l->known[i] != GRAM_ABSENT)
            for (size_t k = p->from[l->known[i]]; k < p->from[l->known[i] + 1]; k++)
                c->shared[p->v[k].text].fours++;
}

static void count_shared(struct arena *scratch, struct corpus *c, struct line *line,
                         const uint32_t *names)
{
    struct local pairs, fours;

    c->line++;
    pairs = pairs_of(scratch, c, line->folded.text, names);
    memset(c->shared, 0, c->n * sizeof *c->shared);
    line->kinds[0] = pairs.kinds;
    if (c->mixed || !line->cjk) {
        fours = fours_of(scratch, c, &pairs, false);
        line->kinds[1] = fours.kinds;
        pass_over(scratch, c, line, &fours);
        count_fours(c, &fours);
    }
    if (!line->cjk && line->folded.text.n <= ROW_RUNES) /* of CJK, different ones count too */
        count_rows(c, &pairs);
    count_pairs(c, &pairs);
    for (struct entry *x = map_get(&c->bare, bare_key(&line->folded)); x; x = x->same)
        c->shared[x - c->v].bare = true;
}

static uint32_t *name_runes(struct arena *scratch, const struct corpus *c, struct runes r)
{
    uint32_t *names = NEW_N(scratch, uint32_t, r.n);

    for (size_t i = 0; i < r.n; i++)
        names[i] = r.p[i] < BYTES ? c->byte[r.p[i]] : gram_table_get(&c->runes, r.p[i]);
    return names;
}

/* The same comparison as in similar_compare(), so that rounding cannot make them disagree. */
static bool reaches(const struct corpus *c, size_t lcs, size_t both)
{
    return 2 * (double)lcs / (double)both >= c->threshold;
}

/* The smallest lcs that reaches the threshold. The score grows with the lcs, and (n + m) / 2 always
 * reaches it. */
static size_t least_lcs(const struct corpus *c, size_t both)
{
    size_t lcs = (size_t)(c->threshold * (double)both / 2);

    while (lcs > 0 && reaches(c, lcs - 1, both))
        lcs--;
    while (!reaches(c, lcs, both))
        lcs++;
    return lcs;
}

static bool is_contained(const struct corpus *c, size_t i, const struct line *line)
{
    const struct entry *x = &c->v[i];
    bool cjk = x->cjk && line->cjk;
    size_t g = cjk ? 0 : 1, n = x->runes.n, m = line->folded.text.n;
    double fewer = (double)(x->kinds[g] < line->kinds[g] ? x->kinds[g] : line->kinds[g]);
    double shared = (double)(cjk ? c->shared[i].pairs / DIFFERENT : c->shared[i].fours);
    double more = cjk ? 0 : (double)line->npassed;

    if (shared + more + 1 < fewer * c->threshold) /* rules out most texts: dividing takes longer */
        return false;
    if ((n < m ? n : m) < similar_enough(cjk))
        return false;
    if (!cjk)
        shared += (double)count_passed(c, line, i);
    return shared >= 1 && shared / fewer >= c->threshold;
}

/* What a text of some length needs to be examined, which few texts reach: any of the counts. A
 * match by similarity also needs the lcs. */
struct need {
    uint32_t pairs, different, fours; /* counts in common with the line */
    size_t lcs;
};

/* The count from which containment is possible: below it is_contained() returns false. */
static uint32_t need_kinds(const struct corpus *c, size_t text, size_t line, size_t more)
{
    double least = (double)(text < line ? text : line) * c->threshold - (double)more - 1;

    return least > 0 ? (uint32_t)least : 0;
}

static struct need need_for(const struct corpus *c, const struct group *g, const struct line *line)
{
    size_t n = g->n, m = line->folded.text.n;
    struct need need = {UINT32_MAX, UINT32_MAX, UINT32_MAX, SIZE_MAX};

    if (line->cjk)
        need.different = need_kinds(c, g->kinds[0], line->kinds[0], 0);
    if (!line->cjk || c->mixed)
        need.fours = need_kinds(c, g->kinds[1], line->kinds[1], line->npassed);
    if (reaches(c, n < m ? n : m, n + m)) {
        need.lcs = least_lcs(c, n + m);
        need.pairs = 3 * need.lcs > n + m + 1 ? (uint32_t)(3 * need.lcs - (n + m + 1)) : 0;
    }
    return need;
}

static bool is_likely(const struct shared *s, const struct need *need)
{
    return s->fours >= need->fours || (uint32_t)s->pairs >= need->pairs ||
           s->pairs / DIFFERENT >= need->different || s->bare;
}

static bool is_match(struct arena *scratch, struct corpus *c, size_t i, const struct line *line,
                     const struct need *need)
{
    const struct shared *s = &c->shared[i];

    if (s->bare || is_contained(c, i, line))
        return true;
    return s->pairs % DIFFERENT >= need->pairs &&
           similar_rows_lcs(scratch, &c->rows, c->v[i].runes) >= need->lcs;
}

static struct corpus_match match_of(struct arena *scratch, const struct corpus *c, size_t i,
                                    const struct line *line)
{
    const struct entry *x = &c->v[i];
    struct corpus_match m = {
        .text = x->text,
        .tier = c->shared[i].bare ? CORPUS_PARTICLES : CORPUS_NEAR,
        .similar = similar_compare(scratch, x->folded->text, line->folded.text),
    };

    if (fold_equal(x->folded->text, line->folded.text))
        m.tier = CORPUS_EXACT;
    return m;
}

static int by_text(const void *a, const void *b)
{
    const struct corpus_match *x = a, *y = b;

    return (x->text > y->text) - (x->text < y->text);
}

struct corpus_matches corpus_search(struct arena *scratch, struct corpus *c, struct folded folded)
{
    struct line line = {.folded = folded, .cjk = similar_is_cjk(folded.text)};
    struct corpus_match *found = NULL;
    const uint32_t *names;
    size_t n = 0;

    if (folded.text.n == 0)
        return (struct corpus_matches){0};
    names = name_runes(scratch, c, folded.text);
    count_shared(scratch, c, &line, names);
    similar_rows_set(&c->rows, (struct similar_names){names, folded.text.n});
    for (size_t i = 0, g = 0; g < c->ngroups; g++) {
        struct need need = need_for(c, &c->groups[g], &line);
        for (; i < c->groups[g].end; i++) {
            if (!is_likely(&c->shared[i], &need) || !is_match(scratch, c, i, &line, &need))
                continue;
            if (!found)
                found = NEW_N(scratch, struct corpus_match, c->n);
            found[n++] = match_of(scratch, c, i, &line);
        }
    }
    similar_rows_set(&c->rows, (struct similar_names){0}); /* the names are scratch */
    if (n > 1)
        qsort(found, n, sizeof *found, by_text);
    return (struct corpus_matches){found, n};
}

bool corpus_is_better(const struct corpus_match *a, const struct corpus_match *b)
{
    return a->tier != b->tier ? a->tier > b->tier : a->similar.score > b->similar.score;
}
