#include "text/plain.h"

#include "text/rune.h"

enum {
    TAG_MAX = 80,      /* bytes of a tag, brackets included */
    LABEL_MAX = 60,    /* code points of a bracketed label that are shown */
    SILENCE_MAX = 12,  /* code points of an answer of signs alone that is no fault */
    PERIOD_MAX = 64,   /* longest period, in bytes */
    REPEATED_MAX = 80, /* shortest repetition that no person would write, in code points */
    TIMES_MAX = 16,    /* and the fewest repeats */
    STRIDE = 24,       /* less than REPEATED_MAX - PERIOD_MAX / 3: no long repetition is missed */
};

static const struct plain_fault nothing = {0};

/* ---- words ---- */

/* clang-format off */
static const char *const reply_labels[] = {
    "reply", "response", "answer", "output", "assistant", "final answer",
    "回复", "回答", "答复", "输出", "助手", "回覆", "輸出",
    "返信", "返答", "応答", "出力", "アシスタント", NULL,
};
static const char *const class_labels[] = {
    "category", "categories", "classification", "type", "topic", "tag", "tags", "label", "emotion", "mood", "tone",
    "sentiment", "intent", "style",
    "分类", "类别", "类型", "标签", "情绪", "情感", "心情", "语气", "意图", "风格", "話題", "话题类型", "類別", "標籤", "情緒",
    "分類", "カテゴリ", "カテゴリー", "種別", "タグ", "感情", "気分", "口調", "トーン", "意図", NULL,
};
/* Inside brackets these are labels too; at the beginning of a line they may be speech. */
static const char *const bracket_labels[] = {
    "action", "expression", "status", "affection", "动作", "表情", "神态", "状态", "好感度", "動作", "状態", "好感", NULL,
};
static const char *const tag_names[] = {
    "reply", "response", "answer", "output", "think", "thinking", "thought", "emotion", "mood", "action", "speech",
    "dialogue", "char", "character", "user", "assistant", "system", "message", "msg", "text", "p", "br", "div", "span",
    "b", "i", "u", "em", "strong", "html", "body", "h1", "h2", "h3", "ul", "ol", "li", "a", "img", "code", "pre",
    "回复", "回答", "思考", "情绪", "动作", "旁白", "返信", "感情", NULL,
};
/* Tags with content: one that is never closed means that the text was cut off. */
static const char *const holding_names[] = {"reply", "response", "answer", "output", "think", "thinking", "回复", "回答", "思考", NULL};
static const char *const chat_tokens[] = {"<|", "[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "</s>", NULL};
static const char *const bracket_opens[] = {"[", "【", "［", "<", "＜", "〔", NULL};
static const char *const bracket_closes[] = {"]", "】", "］", ">", "＞", "〕", NULL};
static const char *const colons[] = {":", "：", NULL};
static const char *const round_marks[] = {"•", "●", "◦", "・", "▪", NULL};
static const char *const number_ends[] = {".", ")", "、", "．", "）", NULL};
static const char *const open_ends[] = {",", "，", "、", "(", "（", "「", "『", "“", "[", "【", NULL};
static const char *const closed_ends[] = {
    ".", "!", "?", "。", "！", "？", "…", "~", "～", "」", "』", "”", "\"", "’", "*", ")", "）", "♪", "♡", NULL,
};
/* clang-format on */

/* Bytes of the longest of the words that s begins with, or 0. */
static size_t match(struct str s, const char *const *words)
{
    size_t best = 0;

    for (; *words; words++)
        if (strlen(*words) > best && str_starts_nocase(s, str_of(*words)))
            best = strlen(*words);
    return best;
}

static bool is_letter(char c)
{
    return str_lower(c) >= 'a' && str_lower(c) <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* s without leading spaces, ideographic ones included. */
static struct str left_trim(struct str s)
{
    while (str_drop(&s, STR(" ")) || str_drop(&s, STR("\t")) || str_drop(&s, STR("\u3000")))
        ;
    return s;
}

/* The same, also without leading markup for emphasis and quotations. */
static struct str undecorated(struct str s)
{
    for (s = left_trim(s); s.n && memchr("*_#>-`", s.p[0], 6); s = left_trim(s))
        s = str_from(s, 1);
    return s;
}

static struct plain_fault found(const char *why, struct str part)
{
    return (struct plain_fault){why, str_trim(part)};
}

/* ---- labels ---- */

/* Bytes of "label:" at the beginning of s, or 0; the label may be in **bold**. */
static size_t label_at(struct str s, const char *const *labels)
{
    size_t n = match(s, labels), colon;
    struct str rest;

    if (n == 0)
        return 0;
    for (rest = str_from(s, n); rest.n && (rest.p[0] == '*' || rest.p[0] == ' ');)
        rest = str_from(rest, 1);
    colon = match(rest, colons);
    return colon ? s.n - rest.n + colon : 0;
}

static struct plain_fault line_label(struct str line)
{
    struct str s = undecorated(line);
    size_t n = label_at(s, reply_labels);

    if (n)
        return found("label", utf8_head(s, utf8_count((struct str){s.p, n})));
    if (label_at(s, class_labels))
        return found("class", utf8_head(s, LABEL_MAX));
    return nothing;
}

/* Up to and with the first closing bracket. */
static struct str bracketed(struct str s)
{
    s = utf8_head(s, LABEL_MAX);
    for (size_t i = 0; i < s.n; i++) {
        size_t n = match(str_from(s, i), bracket_closes);
        if (n)
            return (struct str){s.p, i + n};
    }
    return s;
}

/* [情绪: 开心] at the beginning of s. */
static struct plain_fault bracket_label(struct str s)
{
    size_t open = match(s, bracket_opens);
    struct str inner;

    if (open == 0)
        return nothing;
    inner = left_trim(str_from(s, open));
    if (label_at(inner, class_labels) || label_at(inner, bracket_labels) ||
        label_at(inner, reply_labels))
        return found("class", bracketed(s));
    return nothing;
}

/* ---- tags and JSON ---- */

struct tag {
    struct str name, rest; /* rest: between the name and '>' */
    size_t n;              /* bytes, brackets included; 0: none */
    bool closes;
};

static struct tag tag_at(struct str s)
{
    struct tag t = {0};
    const char *end = NULL;
    struct str inner;
    size_t n = 0;

    if (s.p[0] == '<')
        end = memchr(s.p, '>', s.n < TAG_MAX ? s.n : TAG_MAX);
    if (!end)
        return t;
    inner = (struct str){s.p + 1, (size_t)(end - s.p) - 1};
    t.closes = inner.n && inner.p[0] == '/';
    inner = str_from(inner, t.closes);
    if (inner.n && is_letter(inner.p[0]))
        while (n < inner.n && (is_letter(inner.p[n]) || is_digit(inner.p[n]) || inner.p[n] == '_' ||
                               inner.p[n] == '-'))
            n++;
    else
        n = match(inner, tag_names);
    t.name = (struct str){inner.p, n};
    t.rest = str_from(inner, n);
    if (n && (t.rest.n == 0 || t.rest.p[0] == ' ' || t.rest.p[0] == '/'))
        t.n = (size_t)(end - s.p) + 1;
    return t;
}

/* A lone <smiles> may be an action; a known name, an attribute or an end is a tag. */
static bool is_tag(const struct tag *t)
{
    return t->n && (t->closes || match(t->name, tag_names) == t->name.n ||
                    memchr(t->rest.p, '=', t->rest.n) || str_ends(t->rest, STR("/")));
}

static struct str skip_space(struct str s)
{
    while (s.n && memchr(" \t\r\n", s.p[0], 4))
        s = str_from(s, 1);
    return s;
}

/* {"key": at the beginning of s. */
static bool is_json(struct str s)
{
    const char *quote;

    if (s.n == 0 || s.p[0] != '{')
        return false;
    s = skip_space(str_from(s, 1));
    if (s.n < 2 || s.p[0] != '"')
        return false;
    quote = memchr(s.p + 1, '"', s.n - 1);
    if (!quote)
        return false;
    s = skip_space(str_from(s, (size_t)(quote - s.p) + 1));
    return s.n && s.p[0] == ':';
}

static struct plain_fault inside_line(struct str line, struct str rest)
{
    for (size_t i = 0; i < line.n; i++) {
        struct str here = str_from(line, i);
        struct plain_fault label;
        struct tag tag;
        if (!memchr("<[{\xE3\xEF", line.p[i], 5)) /* how brackets begin */
            continue;
        label = bracket_label(here);
        tag = tag_at(here);
        if (label.why)
            return label;
        if (is_tag(&tag))
            return found("tag", (struct str){here.p, tag.n});
        if (match(here, chat_tokens))
            return found("tag", utf8_head(here, LABEL_MAX));
        if (here.p[0] == '{' && is_json((struct str){here.p, rest.n - i}))
            return found("json", utf8_head(here, LABEL_MAX));
    }
    return nothing;
}

/* ---- lines ---- */

static bool is_heading(struct str line)
{
    size_t n = 0;

    while (n < line.n && line.p[n] == '#')
        n++;
    if (n == 0 || n > 6 || str_trim(str_from(line, n)).n == 0)
        return false;
    /* "#word" is a hashtag, "##word" a heading without its space */
    return line.p[n] == ' ' || n > 1;
}

static bool is_fence(struct str line)
{
    return str_starts(line, STR("```"));
}

/* The line below the head of a table. */
static bool is_table(struct str line)
{
    size_t bars = 0, dashes = 0;

    for (size_t i = 0; i < line.n; i++) {
        if (!memchr("|-: ", line.p[i], 4))
            return false;
        bars += line.p[i] == '|';
        dashes += line.p[i] == '-';
    }
    return bars && dashes >= 3;
}

/* "* sighs * and sits down": a star that closes what the first one opened. */
static bool has_lone_star(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '*')
            continue;
        if (i + 1 == s.n || s.p[i + 1] != '*')
            return true;
        i++;
    }
    return false;
}

static bool is_bullet(struct str line)
{
    size_t round = match(line, round_marks);
    struct str rest;

    if (round) /* but not "・・・" */
        return !match(str_from(line, round), round_marks) && str_trim(str_from(line, round)).n;
    if (line.n < 3 || !memchr("-*+", line.p[0], 3) || line.p[1] != ' ')
        return false;
    rest = str_trim(str_from(line, 1));
    return rest.n && !memchr("-*+", rest.p[0], 3) && !(line.p[0] == '*' && has_lone_star(rest));
}

/* The number of "2. text", or 0. */
static int list_number(struct str line)
{
    size_t n = 0, end;
    int number = 0;
    struct str rest;

    while (n < line.n && n < 2 && is_digit(line.p[n]))
        number = 10 * number + (line.p[n++] - '0');
    end = n ? match(str_from(line, n), number_ends) : 0;
    if (end == 0)
        return 0;
    rest = str_from(line, n + end);
    if (str_trim(rest).n == 0 || (end == 1 && rest.p[0] != ' '))
        return 0;
    return number;
}

/* Where a list may have begun. */
struct list {
    const char *from;
    bool bullet;
    int number;
};

/* Reports a list at its second entry: one entry does not make a list. */
static struct plain_fault line_list(struct list *l, struct str line)
{
    struct list now = {line.p, is_bullet(line), list_number(line)};
    bool goes_on = (now.bullet && l->bullet) || (now.number && l->number + 1 == now.number);

    if (goes_on && l->from)
        return found("list", (struct str){l->from, (size_t)(line.p + line.n - l->from)});
    *l = now.bullet || now.number ? now : (struct list){0};
    return nothing;
}

struct plain_fault plain_markup(struct str text)
{
    struct str rest = text, line, whole = text;
    struct list list = {0};

    for (; str_line(&rest, &line); whole = rest) {
        struct str s = str_trim(left_trim(line));
        struct plain_fault f;
        if (s.n == 0)
            continue;
        if (is_heading(s))
            return found("heading", s);
        if (is_fence(s))
            return found("fence", s);
        if (is_table(s))
            return found("table", s);
        f = line_label(s);
        if (!f.why)
            f = line_list(&list, s);
        if (!f.why)
            f = inside_line(s, str_from(whole, (size_t)(s.p - whole.p)));
        if (f.why)
            return f;
    }
    return nothing;
}

/* ---- malformed ---- */

static bool is_layout(uint32_t r)
{
    static const uint32_t signs[] = {'-', '=',    '_',    '*',    '~',    '.',    '#',
                                     '+', 0x2026, 0x2014, 0x2500, 0x2501, 0x3002, 0x30FB,
                                     '|', 0xFF5E, 0x301C, 0x2015, 0x22EF, 0x30FC};

    return rune_is_space(r) || rune_among(r, signs, COUNT(signs));
}

static bool all_layout(struct str s)
{
    while (s.n)
        if (!is_layout(utf8_next(&s)))
            return false;
    return true;
}

/* The longest part around byte `at` in which every byte equals the one a period before it. */
static struct str repeated(struct str text, size_t at, size_t period)
{
    size_t from = at, to = at;

    while (to < text.n && text.p[to] == text.p[to - period])
        to++;
    while (from > period && text.p[from - 1] == text.p[from - 1 - period])
        from--;
    from -= to > at ? period : 0;
    while (from < to && ((unsigned char)text.p[from] & 0xC0) == 0x80)
        from++;
    while (to < text.n && ((unsigned char)text.p[to] & 0xC0) == 0x80)
        to--;
    return (struct str){text.p + from, to > from ? to - from : 0};
}

/* A repetition around byte `at` that is too long; empty when there is none. */
static struct str repetition_at(struct str text, size_t at)
{
    for (size_t period = 1; period <= PERIOD_MAX && period < at; period++) {
        struct str s = {0};
        if (text.p[at] == text.p[at - period])
            s = repeated(text, at, period);
        if (s.n / period >= TIMES_MAX && utf8_count(s) >= REPEATED_MAX)
            return s;
    }
    return (struct str){0};
}

static struct plain_fault repetition(struct str text)
{
    for (size_t at = STRIDE; at < text.n && text.n >= REPEATED_MAX; at += STRIDE) {
        struct str s = repetition_at(text, at);
        if (s.n && !all_layout(s))
            return found("repetition", s);
        if (s.n) /* a line of dashes is checked only once */
            at = (size_t)(s.p + s.n - text.p);
    }
    return nothing;
}

/* The signs of speech without words: silence, surprise, a question. */
static bool is_voice(uint32_t r)
{
    static const uint32_t signs[] = {
        '.',    ',',    '!',    '?',    '~',    '-',    '"',    '\'',   0x2026, 0x3002,
        0xFF0C, 0x3001, 0xFF01, 0xFF1F, 0x2014, 0x2015, 0xFF5E, 0x301C, 0x300C, 0x300D,
        0x300E, 0x300F, 0x201C, 0x201D, 0x2018, 0x2019, 0x30FB, 0x22EF, '*',    '(',
        ')',    0xFF08, 0xFF09, 0x203C, 0x2049, 0x2047, 0x2048, 0x00BF, 0x00A1, 0x30FC};

    return rune_among(r, signs, COUNT(signs));
}

/* Emoji and other pictures say something; brackets and bars do not. */
static bool is_picture(uint32_t r)
{
    return (r >= 0x2190 && r < 0x2500) || (r >= 0x25A0 && r < 0x2C00) || r >= 0x1F000;
}

static struct plain_fault signs_alone(struct str text)
{
    bool voice = true;

    for (struct str s = text; s.n;) {
        uint32_t r = utf8_next(&s);
        if (rune_is_space(r))
            continue;
        if (!rune_is_sign(r) || is_picture(r))
            return nothing;
        voice = voice && is_voice(r);
    }
    if (voice && utf8_count(str_trim(text)) <= SILENCE_MAX)
        return nothing;
    return found("signs", text);
}

static struct plain_fault broken_rune(struct str text)
{
    for (struct str s = text; s.n;) {
        struct str here = s;
        uint32_t r = utf8_next(&s);
        here.n -= s.n;
        if (r == 0xFFFD)
            return (struct plain_fault){"replacement", here};
        if ((r < 0x20 && r != '\n' && r != '\r' && r != '\t') || (r >= 0x7F && r < 0xA0))
            return (struct plain_fault){"control", here};
    }
    return nothing;
}

/* An odd number of fences: the last one opens. */
static struct plain_fault open_fence(struct str text)
{
    struct plain_fault last = nothing;
    struct str line;

    while (str_line(&text, &line)) {
        struct str s = str_trim(line);
        if (is_fence(s) && !(s.n > 3 && str_ends(s, STR("```"))))
            last = last.why ? nothing : found("unclosed", s);
    }
    return last;
}

/* The answer is an object that does not end. */
static struct plain_fault open_json(struct str text)
{
    struct str s = str_trim(text);
    int depth = 0;
    bool quoted = false;

    if (!is_json(s))
        return nothing;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += (c == '{') - (c == '}');
    }
    return depth > 0 || quoted ? found("unclosed", utf8_head(s, LABEL_MAX)) : nothing;
}

static struct plain_fault open_tag(struct str text)
{
    struct plain_fault last = nothing;

    for (; text.n; text = str_from(text, 1)) {
        struct tag t = tag_at(text);
        if (t.n && match(t.name, holding_names) == t.name.n)
            last = t.closes ? nothing : found("unclosed", (struct str){text.p, t.n});
    }
    return last;
}

struct plain_fault plain_malformed(struct str text)
{
    static struct plain_fault (*const looks[])(struct str) = {broken_rune, signs_alone, repetition,
                                                              open_fence,  open_json,   open_tag};

    for (size_t i = 0; i < COUNT(looks); i++) {
        struct plain_fault f = looks[i](text);
        if (f.why)
            return f;
    }
    return nothing;
}

/* ---- the end ---- */

struct plain_fault plain_cut(struct str text)
{
    struct str s = str_trim(text);
    size_t n = utf8_count(s), shown = 12;

    if (!str_any(s, str_ends, open_ends))
        return nothing;
    return found("cut", str_from(s, utf8_head(s, n > shown ? n - shown : 0).n));
}

bool plain_ended(struct str text)
{
    return str_any(str_trim(text), str_ends, closed_ends);
}
