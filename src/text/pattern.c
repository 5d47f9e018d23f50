#include "text/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/message.h"

/* What one search may cost: steps of the matcher (some tens of milliseconds), kilobytes of its
 * heap, and groups inside groups. */
enum { STEPS_MAX = 2000000, HEAP_MAX = 16 << 10, DEPTH_MAX = 50 };

/* The part of the text that is searched, cut between characters. */
static struct str searched(struct str text)
{
    size_t n = text.n;

    if (n > PATTERN_TEXT_MAX)
        for (n = PATTERN_TEXT_MAX; n && ((unsigned char)text.p[n] & 0xC0) == 0x80;)
            n--;
    return (struct str){n ? text.p : "", n};
}

static const char *reason(struct arena *a, int code)
{
    PCRE2_UCHAR why[200];

    if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_HEAPLIMIT ||
        code == PCRE2_ERROR_DEPTHLIMIT)
        return N_("it takes too long on this text");
    (void)pcre2_get_error_message(code, why, sizeof why);
    return arena_text(a, str_of((const char *)why));
}

static const char *match_within(struct arena *a, const pcre2_code *code, struct str text,
                                bool *found, struct str *match)
{
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_match_data *at = pcre2_match_data_create(1, NULL);
    const char *why = NULL;

    if (!limits || !at) {
        why = N_("out of memory");
    } else {
        const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(at);
        int rc;
        (void)pcre2_set_match_limit(limits, STEPS_MAX);
        (void)pcre2_set_heap_limit(limits, HEAP_MAX);
        rc = pcre2_match(code, (PCRE2_SPTR)text.p, text.n, 0, 0, at, limits);
        *found = rc >= 0;
        /* \K in a look-ahead may put the beginning behind the end. */
        if (rc >= 0)
            *match = (struct str){text.p + ends[0], ends[1] > ends[0] ? ends[1] - ends[0] : 0};
        else if (rc != PCRE2_ERROR_NOMATCH)
            why = reason(a, rc);
    }
    pcre2_match_data_free(at);
    pcre2_match_context_free(limits);
    return why;
}

static uint32_t options(unsigned flags)
{
    uint32_t o = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C;

    o |= flags & PATTERN_ANY_CASE ? PCRE2_CASELESS : 0;
    o |= flags & PATTERN_LINES ? PCRE2_MULTILINE : 0;
    o |= flags & PATTERN_DOT_ALL ? PCRE2_DOTALL : 0;
    return o | (flags & PATTERN_BROWSER
                    ? PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF
                    : PCRE2_UCP);
}

const char *pattern_search(struct arena *a, struct pattern pattern, struct str text, bool *found,
                           struct str *match)
{
    pcre2_compile_context *context;
    pcre2_code *code = NULL;
    PCRE2_SIZE place;
    const char *why;
    int fault = 0;

    *found = false;
    if (pattern.text.n > PATTERN_MAX)
        return arena_printf(a, "a pattern has at most %d bytes", PATTERN_MAX);
    context = pcre2_compile_context_create(NULL);
    if (context) {
        (void)pcre2_set_parens_nest_limit(context, DEPTH_MAX);
        if (pattern.flags & PATTERN_BROWSER)
            (void)pcre2_set_compile_extra_options(context, PCRE2_EXTRA_ALT_BSUX);
        code = pcre2_compile((PCRE2_SPTR)(pattern.text.n ? pattern.text.p : ""), pattern.text.n,
                             options(pattern.flags), &fault, &place, context);
    }
    why = code      ? match_within(a, code, searched(text), found, match)
          : context ? reason(a, fault)
                    : N_("out of memory");
    pcre2_code_free(code);
    pcre2_compile_context_free(context);
    return why;
}
