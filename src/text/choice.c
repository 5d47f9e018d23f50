#include "text/choice.h"

#include "text/rune.h"

/* Some filler words are marks too, and models may repeat one thousands of times. */
enum { OPTIONS = 10 /* A to J */, FILLER_MOST = 16 /* words */ };

/* An answer as runes, full-width ones as ASCII. */
struct answer {
    uint32_t *p;
    size_t n;
    unsigned named; /* a bit for each option */
};

static struct answer answer_of(struct arena *a, struct str text)
{
    struct runes r = rune_decode(a, text);
    struct answer s = {.p = NEW_N(a, uint32_t, r.n + 1), .n = r.n};

    for (size_t i = 0; i < r.n; i++)
        s.p[i] = r.p[i] >= 0xFF01 && r.p[i] <= 0xFF5E ? r.p[i] - 0xFEE0 : r.p[i];
    return s;
}

static uint32_t rune_at(const struct answer *s, size_t i)
{
    return i < s->n ? s->p[i] : 0;
}

static uint32_t lower(uint32_t r)
{
    return r >= 'A' && r <= 'Z' ? r - 'A' + 'a' : r;
}

static bool is_word(uint32_t r)
{
    return (lower(r) >= 'a' && lower(r) <= 'z') || (r >= '0' && r <= '9');
}

static bool is_space(uint32_t r)
{
    return r != 0 && rune_is_space(r);
}

/* The number of runes at i that spell the word, ignoring case; 0 if they do not. ASCII words match
 * only as whole words. */
static size_t spelt(const struct answer *s, size_t i, const char *word)
{
    struct str rest = str_of(word);
    size_t from = i;

    if (is_word((unsigned char)*word) && i > 0 && is_word(s->p[i - 1]))
        return 0;
    for (; rest.n; i++)
        if (lower(rune_at(s, i)) != utf8_next(&rest))
            return 0;
    if (is_word((unsigned char)*word) && is_word(rune_at(s, i)))
        return 0;
    return i - from;
}

static size_t spelt_any(const struct answer *s, size_t i, const char *const *words, size_t n)
{
    size_t len = 0;

    for (size_t k = 0; k < n && len == 0; k++)
        len = spelt(s, i, words[k]);
    return len;
}

/* True if a sentence begins at i. */
static bool is_head(const struct answer *s, size_t i)
{
    while (i > 0 && (s->p[i - 1] == ' ' || s->p[i - 1] == '"' || s->p[i - 1] == '*'))
        i--;
    return i == 0 || s->p[i - 1] == '\n' || s->p[i - 1] == 0x3002 /* 。 */ ||
           (s->p[i - 1] < 128 && strchr(".:!?", (int)s->p[i - 1]));
}

/* The option at i as a number from 0, or -1. "A cat" at the start of a sentence and "I think" are
 * not options, and a small letter is one only if no word follows it. */
static int option_at(const struct answer *s, size_t i)
{
    uint32_t r = rune_at(s, i), next = rune_at(s, i + 1), then = rune_at(s, i + 2);
    bool small = r >= 'a' && r < 'a' + OPTIONS;
    bool is_word_too = small || r == 'I' || (r == 'A' && is_head(s, i));

    if (!small && !(r >= 'A' && r < 'A' + OPTIONS))
        return -1;
    if ((i > 0 && is_word(s->p[i - 1])) || is_word(next) || next == '\'' || next == 0x2019)
        return -1;
    if (is_word_too && is_space(next) && then == lower(then) && is_word(then))
        return -1;
    return (int)(lower(r) - 'a');
}

static void name(struct answer *s, int option)
{
    if (option >= 0)
        s->named |= 1U << (unsigned)option;
}

static bool is_opener(uint32_t r)
{
    return r == '(' || r == '[' || r == 0x3010 /* 【 */ || r == '{';
}

static bool is_closer(uint32_t r)
{
    return r == ')' || r == ']' || r == 0x3011 /* 】 */ || r == '}';
}

static bool is_markup(uint32_t r)
{
    return is_opener(r) || is_closer(r) || (r && strchr("*_`\"$", (int)(r < 128 ? r : '?'))) ||
           r == 0x300C || r == 0x300D || r == 0x201C || r == 0x201D;
}

static size_t skip_markup(const struct answer *s, size_t i)
{
    while (i < s->n && (is_space(s->p[i]) || is_markup(s->p[i])))
        i++;
    return i;
}

/* ---- statements ---- */

/* Skips what may come between "answer" and the letter. */
static size_t skip_filler(const struct answer *s, size_t i)
{
    static const char *const words[] = {
        "is", "are",   "the", "option", "choice", "letter", "correct",      "should",
        "be", "would", ":",   "=",      "是",     "为",     "為",           "应该",
        "应", "該",    "该",  "選択肢", "选",     "選",     "项",           "項",
        "择", "は",    "が",  "の",     "正确",   "-",      "\xE2\x80\x94", /* — */
    };
    size_t len = 1;

    for (int n = 0; len && n < FILLER_MOST; n++) {
        i = skip_markup(s, i);
        len = spelt_any(s, i, words, COUNT(words));
        i += len;
    }
    return i;
}

/* Also names the options that are joined to the one before i: "A or B", "A、B". */
static void name_joined(struct answer *s, size_t i)
{
    static const char *const joints[] = {"or", "and", "and/or", "和", "或", "及", "与",
                                         "と", "か",  "、",     ",",  "/",  "&"};
    size_t len;

    for (;;) {
        i = skip_markup(s, i);
        len = spelt_any(s, i, joints, COUNT(joints));
        i = skip_markup(s, i + len);
        if (!len || option_at(s, i) < 0)
            return;
        name(s, option_at(s, i));
        i++;
    }
}

static bool is_denied(const struct answer *s, size_t i)
{
    while (i > 0 && is_space(s->p[i - 1]))
        i--;
    if (i > 0 && (s->p[i - 1] == 0x4E0D /* 不 */ || s->p[i - 1] == 0x975E /* 非 */))
        return true;
    return i >= 3 && spelt(s, i - 3, "not");
}

static void read_statements(struct answer *s)
{
    static const char *const marks[] = {"answer", "option", "choice", "choose", "select", "pick",
                                        "答案",   "正解",   "答え",   "选",     "選"};

    for (size_t i = 0; i < s->n; i++) {
        size_t len = spelt_any(s, i, marks, COUNT(marks)), at;
        if (!len || is_denied(s, i))
            continue;
        at = skip_filler(s, i + len);
        if (option_at(s, at) < 0)
            continue;
        name(s, option_at(s, at));
        name_joined(s, at + 1);
    }
}

/* ---- letters by themselves ---- */

/* The option that a line begins with, as in "C. Paris", "(C)", "**C**"; -1 if none. */
static int heading_at(const struct answer *s, size_t line)
{
    size_t i = skip_markup(s, line);
    uint32_t next = rune_at(s, i + 1);
    int option = option_at(s, i);

    if (option < 0 || lower(s->p[i]) == s->p[i])
        return -1;
    if (next == 0 || next == '\n' || next == '.' || next == ':' || next == 0x3001 /* 、 */ ||
        is_markup(next))
        return option;
    return -1;
}

static void read_headings(struct answer *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (i == 0 || s->p[i - 1] == '\n')
            name(s, heading_at(s, i));
        if (is_opener(s->p[i]) && is_closer(rune_at(s, i + 2)) && option_at(s, i + 1) >= 0 &&
            lower(s->p[i + 1]) != s->p[i + 1])
            name(s, option_at(s, i + 1));
    }
}

/* The option if the answer is a single letter among signs; otherwise -1. */
static int lone_option(const struct answer *s)
{
    size_t at = s->n;

    for (size_t i = 0; i < s->n; i++) {
        if (is_space(s->p[i]) || rune_is_sign(s->p[i]))
            continue;
        if (at != s->n)
            return -1;
        at = i;
    }
    return at < s->n ? option_at(s, at) : -1;
}

int choice_read(struct arena *a, struct str text)
{
    struct answer s = answer_of(a, text);

    name(&s, lone_option(&s));
    if (!s.named)
        read_statements(&s);
    if (!s.named)
        read_headings(&s);
    for (int i = 0; i < OPTIONS; i++)
        if (s.named == 1U << (unsigned)i)
            return 'A' + i;
    return s.named ? CHOICE_SEVERAL : CHOICE_NONE;
}
