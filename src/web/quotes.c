#include "web/quotes.h"

#include <stdlib.h>

enum { QUOTE_MIN = 8, QUOTES_MOST = 60 }; /* bytes of a quotation; two or three CJK letters */

static const struct {
    const char *open, *close;
} marks[] = {
    {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"\"", "\""}, {"'", "'"},
};

static bool is_letter(struct str s, size_t at)
{
    return at < s.n && (str_alnum(s.p[at]) || (unsigned char)s.p[at] >= 0x80);
}

/* Where the quotation that begins at `from` ends; SIZE_MAX: nowhere. A straight mark inside a word
 * is an apostrophe. */
static size_t end_of(struct str s, size_t from, const char *mark)
{
    size_t n = strlen(mark);

    for (size_t at = from; at < s.n;) {
        size_t found = str_find(str_from(s, at), str_of(mark));
        if (found == SIZE_MAX)
            break;
        at += found;
        if (n > 1 || !is_letter(s, at + n))
            return at;
        at += n;
    }
    return SIZE_MAX;
}

/* The next quotation of the comment from *at on; *at moves behind it. */
static bool next(struct str comment, size_t *at, struct str *inner)
{
    for (; *at < comment.n; ++*at) {
        for (size_t m = 0; m < COUNT(marks); m++) {
            size_t open = strlen(marks[m].open), end;
            if (!str_starts(str_from(comment, *at), str_of(marks[m].open)) ||
                (open == 1 && *at && is_letter(comment, *at - 1)))
                continue;
            end = end_of(comment, *at + open, marks[m].close);
            if (end == SIZE_MAX || end - *at - open < QUOTE_MIN)
                continue;
            *inner = (struct str){comment.p + *at + open, end - *at - open};
            *at = end + strlen(marks[m].close);
            return true;
        }
    }
    return false;
}

static const struct quote_place *known(const struct quotes *q, struct str words)
{
    for (size_t i = 0; i < q->n; i++)
        if (str_eq((struct str){q->answer.p + q->v[i].at, q->v[i].n}, words))
            return &q->v[i];
    return NULL;
}

static bool overlaps(const struct quotes *q, size_t at, size_t n)
{
    for (size_t i = 0; i < q->n; i++)
        if (at < q->v[i].at + q->v[i].n && q->v[i].at < at + n)
            return true;
    return false;
}

static int by_place(const void *x, const void *y)
{
    const struct quote_place *a = x, *b = y;

    return a->at < b->at ? -1 : a->at > b->at;
}

/* Add quoted words, if the answer contains them and no other quotation overlaps. */
static void add(struct quotes *q, struct str words)
{
    size_t at = words.n ? str_find(q->answer, words) : SIZE_MAX;

    if (at == SIZE_MAX || q->n == QUOTES_MOST || overlaps(q, at, words.n))
        return;
    if (!q->v)
        q->v = NEW_N(q->a, struct quote_place, QUOTES_MOST);
    q->v[q->n++] = (struct quote_place){at, words.n, 0};
    qsort(q->v, q->n, sizeof *q->v, by_place);
    for (size_t i = 0; i < q->n; i++)
        q->v[i].number = i + 1;
}

void quotes_find(struct quotes *q, struct str comment)
{
    struct str inner;
    size_t at = 0;

    while (next(comment, &at, &inner))
        add(q, inner);
}

void quotes_answer(struct page *p, const struct quotes *q, const char *language)
{
    struct html *h = &p->h;
    size_t at = 0;

    html_open(h, "div", "class", "text", "lang", language, "dir", "auto");
    for (size_t i = 0; i < q->n; i++) {
        html_str(h, (struct str){q->answer.p + at, q->v[i].at - at});
        html_open(h, "mark", "id", page_printf(p, "q%zu", q->v[i].number));
        html_str(h, (struct str){q->answer.p + q->v[i].at, q->v[i].n});
        html_element(h, "sup", NULL, arena_printf(h->scratch, "%zu", q->v[i].number));
        html_close(h);
        at = q->v[i].at + q->v[i].n;
    }
    html_str(h, str_from(q->answer, at));
    html_close(h);
}

void quotes_comment(struct page *p, const struct quotes *q, const char *language,
                    struct str comment)
{
    struct html *h = &p->h;
    size_t at = 0, from = 0;
    struct str inner;

    html_open(h, "div", "class", "said", "lang", language, "dir", "auto");
    while (next(comment, &at, &inner)) {
        const struct quote_place *place = known(q, inner);
        size_t begin = (size_t)(inner.p - comment.p);
        if (!place)
            continue;
        html_str(h, (struct str){comment.p + from, begin - from});
        html_open(h, "a", "href", page_printf(p, "#q%zu", place->number));
        html_str(h, inner);
        html_element(h, "sup", NULL, arena_printf(h->scratch, "%zu", place->number));
        html_close(h);
        from = begin + inner.n;
    }
    html_str(h, str_from(comment, from));
    html_close(h);
}
