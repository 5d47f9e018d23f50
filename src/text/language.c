#include "text/language.h"

#include "base/message.h"
#include "text/rune.h"

enum script { HAN, KANA, HANGUL, LATIN, CYRILLIC, OTHER, SCRIPTS, NO_SCRIPT = SCRIPTS };

/* The least share of own letters, and the shares of kana that tell Chinese and Japanese apart. */
#define OWN_MIN          0.5
#define KANA_IN_CHINESE  0.45 /* Japanese has more, Chinese that explains a Japanese word less */
#define KANA_IN_JAPANESE 0.1
/* This many Han letters without kana are Chinese: Japanese names and addresses are shorter. */
enum { HAN_ALONE = 16 };

static const struct {
    const char *name;
    unsigned own; /* scripts, as bits */
} languages[] = {
    {"zh", 1u << HAN},      {"ja", 1u << HAN | 1u << KANA},
    {"ko", 1u << HANGUL},   {"en", 1u << LATIN},
    {"fr", 1u << LATIN},    {"de", 1u << LATIN},
    {"es", 1u << LATIN},    {"it", 1u << LATIN},
    {"pt", 1u << LATIN},    {"nl", 1u << LATIN},
    {"vi", 1u << LATIN},    {"id", 1u << LATIN},
    {"ru", 1u << CYRILLIC}, {"uk", 1u << CYRILLIC},
};

static bool within(uint32_t r, uint32_t from, uint32_t to)
{
    return r >= from && r <= to;
}

static bool is_han(uint32_t r)
{
    return within(r, 0x4E00, 0x9FFF) || within(r, 0x3400, 0x4DBF) || within(r, 0xF900, 0xFAFF) ||
           within(r, 0x20000, 0x3FFFF) || r == 0x3005 || r == 0x3007;
}

static bool is_kana(uint32_t r)
{
    return within(r, 0x3041, 0x3096) || within(r, 0x309D, 0x309F) || within(r, 0x30A1, 0x30FA) ||
           within(r, 0x30FC, 0x30FF) || within(r, 0x31F0, 0x31FF) || within(r, 0xFF66, 0xFF9D);
}

static bool is_hangul(uint32_t r)
{
    return within(r, 0xAC00, 0xD7A3) || within(r, 0x1100, 0x11FF) || within(r, 0x3131, 0x318E);
}

static bool is_latin(uint32_t r)
{
    return within(r, 'A', 'Z') || within(r, 'a', 'z') ||
           (within(r, 0xC0, 0x24F) && r != 0xD7 && r != 0xF7) || within(r, 0x1E00, 0x1EFF) ||
           within(r, 0xFF21, 0xFF3A) || within(r, 0xFF41, 0xFF5A);
}

/* Combining marks, digits of other kinds, variation selectors. */
static bool is_no_letter(uint32_t r)
{
    return within(r, 0x300, 0x36F) || within(r, 0x2070, 0x2BFF) || within(r, 0x20D0, 0x20FF) ||
           within(r, 0x3000, 0x303F) || within(r, 0x3099, 0x309A) || within(r, 0x3200, 0x33FF) ||
           within(r, 0xFE00, 0xFE0F) || within(r, 0xFF00, 0xFF20) || r >= 0x1F000;
}

static enum script script_of(uint32_t r)
{
    if (r < 0x80)
        return is_latin(r) ? LATIN : NO_SCRIPT;
    if (is_han(r))
        return HAN;
    if (is_kana(r))
        return KANA;
    if (is_hangul(r))
        return HANGUL;
    if (is_latin(r))
        return LATIN;
    if (within(r, 0x400, 0x52F))
        return CYRILLIC;
    if (r < 0x370 || is_no_letter(r) || rune_is_sign(r) || rune_is_space(r))
        return NO_SCRIPT;
    return OTHER;
}

/* Words that only one of the two languages writes with these characters. */
static bool is_chinese_only(uint32_t r)
{
    static const uint32_t runes[] = {
        0x4F60 /* 你 */, 0x4EEC /* 们 */, 0x5417 /* 吗 */, 0x5462 /* 呢 */, 0x554A /* 啊 */,
        0x8FD9 /* 这 */, 0x4E48 /* 么 */, 0x8BF4 /* 说 */, 0x6CA1 /* 没 */, 0x4E3A /* 为 */,
        0x8FD8 /* 还 */, 0x8BF7 /* 请 */, 0x8C22 /* 谢 */, 0x8BA9 /* 让 */, 0x7ED9 /* 给 */,
        0x5979 /* 她 */, 0x5F88 /* 很 */, 0x4E2A /* 个 */, 0x65F6 /* 时 */, 0x8FC7 /* 过 */,
        0x5BF9 /* 对 */, 0x54EA /* 哪 */, 0x5427 /* 吧 */, 0x5440 /* 呀 */, 0x9019 /* 這 */,
        0x9EBC /* 麼 */, 0x5011 /* 們 */, 0x6C92 /* 沒 */, 0x55CE /* 嗎 */, 0x54E6 /* 哦 */,
    };

    return rune_among(r, runes, COUNT(runes));
}

struct count {
    size_t by[SCRIPTS]; /* letters */
    size_t letters;
    double own, all; /* weighted */
    size_t chinese;  /* letters of Chinese only */
    struct str part; /* the longest stretch of letters that are not own */
};

static bool is_own(unsigned own, enum script s)
{
    return s != NO_SCRIPT && (own >> s & 1);
}

/* In Chinese, Japanese and Korean, a word of an alphabet weighs as much as one letter. */
static bool weighs(unsigned own, enum script s, enum script before)
{
    bool alphabetic = own & (1u << LATIN | 1u << CYRILLIC);

    return alphabetic || is_own(own, s) || s < LATIN || s != before;
}

/* Letters in a row that are not the language's own; signs between them do not end it. */
struct stretch {
    const char *from;
    size_t letters, longest;
};

static void stretch_step(struct stretch *x, struct count *c, struct str letter, bool own)
{
    if (own) {
        x->letters = 0;
        return;
    }
    if (x->letters++ == 0)
        x->from = letter.p;
    if (x->letters > x->longest) {
        x->longest = x->letters;
        c->part = (struct str){x->from, (size_t)(letter.p + letter.n - x->from)};
    }
}

static struct count count_letters(struct str text, unsigned own)
{
    struct count c = {.part = {text.p, 0}};
    enum script before = NO_SCRIPT;
    struct stretch stretch = {0};

    while (text.n) {
        struct str letter = text;
        uint32_t r = utf8_next(&text);
        enum script now = script_of(r);
        letter.n -= text.n;
        if (now != NO_SCRIPT) {
            c.by[now]++;
            c.letters++;
            c.chinese += now == HAN && is_chinese_only(r);
            c.all += weighs(own, now, before);
            c.own += is_own(own, now);
            stretch_step(&stretch, &c, letter, is_own(own, now));
        }
        if (r != '\'' && r != 0x2019) /* "don't" is one word */
            before = now;
    }
    return c;
}

static bool is_language(const char *language, const char *name)
{
    size_t n = strcspn(language, "-_");

    return n == strlen(name) && strncmp(language, name, n) == 0;
}

static bool is_japanese(const struct count *c)
{
    return (double)c->by[KANA] >= KANA_IN_CHINESE * (double)(c->by[KANA] + c->by[HAN]) &&
           c->by[KANA] >= LANGUAGE_LETTERS_MIN;
}

static bool is_chinese(const struct count *c)
{
    double kana = (double)c->by[KANA], han = (double)c->by[HAN];

    if (kana > KANA_IN_JAPANESE * (kana + han))
        return false;
    return c->chinese > 0 || (kana == 0 && c->by[HAN] >= HAN_ALONE);
}

struct language_fault language_find(struct str text, const char *language)
{
    struct language_fault f = {.share = 1};
    unsigned own = 0;
    struct count c;

    for (size_t i = 0; i < COUNT(languages); i++)
        if (is_language(language, languages[i].name))
            own = languages[i].own;
    if (!own)
        return f;
    c = count_letters(text, own);
    if (c.letters < LANGUAGE_LETTERS_MIN)
        return f;
    f.share = c.own / c.all;
    f.part = c.part;
    if (is_language(language, "zh") && is_japanese(&c)) {
        f.why = "japanese";
    } else if (f.share < OWN_MIN) {
        f.why = "script";
    } else if (is_language(language, "ja") && is_chinese(&c)) {
        f.why = "chinese";
        f.part = text; /* no single stretch of it is foreign */
    }
    return f;
}

const char *language_guess(struct str text)
{
    const char *best = message_languages[ENGLISH];
    double most = 0;

    for (int i = 0; i < LANGUAGES; i++) {
        struct language_fault f = language_find(text, message_languages[i]);
        if (!f.why && f.share > most) {
            most = f.share;
            best = message_languages[i];
        }
    }
    return best;
}
