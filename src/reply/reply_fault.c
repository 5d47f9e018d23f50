#include "reply/reply_fault.h"

#include "base/words.h"

enum { FOUND_MAX = 40 }; /* code points of the judge's text that a fault repeats */

static const char *const kinds[] = {
    [FAULT_NONE] = "",
    [FAULT_EMPTY] = "empty",
    [FAULT_LONG] = "too-long",
    [FAULT_NO_JSON] = "no-json",
    [FAULT_CUT] = "cut",
    [FAULT_BROKEN] = "broken",
    [FAULT_DOUBLED] = "doubled",
    [FAULT_MISSING] = "missing",
    [FAULT_EXTRA] = "extra",
    [FAULT_NUMBER] = "not-a-number",
    [FAULT_RANGE] = "range",
    [FAULT_WHOLE] = "fractional",
    [FAULT_LEVEL] = "level",
    [FAULT_ANSWERS] = "two-answers",
    [FAULT_NOT_OWN] = "not-own",
    [FAULT_UNQUOTED] = "unquoted",
    [FAULT_MISQUOTED] = "misquoted",
    [FAULT_NO_VERDICT] = "no-verdict",
    [FAULT_VERDICTS] = "two-verdicts",
    [FAULT_CHOICE] = "choice",
    [FAULT_CHARACTER] = "other-character",
};

/* Controls, and the marks that reorder or hide what is printed after them. */
static bool is_unprintable(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           c == 0x61C;
}

static void add_found(struct buf *b, struct str found)
{
    struct str head = utf8_head(found, FOUND_MAX);
    bool cut = head.n < found.n;

    while (head.n) {
        uint32_t c = utf8_next(&head);
        buf_rune(b, is_unprintable(c) ? ' ' : c);
    }
    if (cut)
        buf_text(b, "…");
}

const char *reply_fault_kind(enum fault f)
{
    return kinds[f];
}

/* In a text @d is the dimension, @f what was found, @a what is allowed. */
static const char *fill(struct arena *a, const char *text, struct fault_words w)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);

    for (const char *p = text; *p; p++) {
        if (*p != '@') {
            buf_char(&b, *p);
            continue;
        }
        p++;
        if (*p == 'f')
            add_found(&b, w.found);
        else
            buf_add(&b, *p == 'd' ? w.dimension : w.allowed);
    }
    return arena_text(a, buf_str(&b));
}

const char *reply_fault_text(struct arena *a, enum fault f, struct fault_words w,
                             const char *language)
{
    return fill(a, f ? words_find(language, "REPLY_", kinds[f]) : "", w);
}

struct str reply_fault_list(struct arena *a, const struct str *v, size_t n, const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);

    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_text(&b, message_language_of(language) == ENGLISH ? ", " : "、");
        buf_add(&b, v[i]);
    }
    return arena_str(a, buf_str(&b));
}

struct str reply_fault_span(struct arena *a, double min, double max, bool whole,
                            const char *language)
{
    const struct fault_words ends = {.dimension = str_of(arena_printf(a, "%g", min)),
                                     .allowed = str_of(arena_printf(a, "%g", max))};

    return str_of(fill(a, words_of(language, whole ? REPLY_SPAN_WHOLE : REPLY_SPAN), ends));
}
