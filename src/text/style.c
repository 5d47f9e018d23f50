#include "text/style.h"

#include "text/rune.h"

const char *style_name(enum style_feature f)
{
    static const char *const names[STYLE_FEATURES] = {"length", "action", "emoji", "markup"};

    return names[f];
}

/* ---- emoji ---- */

static const uint32_t as_picture = 0xFE0F; /* variation selector: draw the sign before as emoji */

/* Emoji_Presentation of Unicode 15, emoji-data.txt: what is drawn as a picture unasked. */
static bool is_picture(uint32_t r)
{
    static const struct {
        uint32_t from, to;
    } ranges[] = {
        {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x23F3, 0x23F3},
        {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
        {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},
        {0x26C4, 0x26C5},   {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},
        {0x26F2, 0x26F3},   {0x26F5, 0x26F5},   {0x26FA, 0x26FA},   {0x26FD, 0x26FD},
        {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},
        {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
        {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},
        {0x2B55, 0x2B55},   {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
        {0x1F191, 0x1F19A}, {0x1F1E6, 0x1F1FF}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
        {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1FAFF},
    };

    for (size_t i = 0; i < COUNT(ranges) && r >= ranges[i].from; i++)
        if (r <= ranges[i].to)
            return true;
    return false;
}

static bool shows_picture(struct str cluster)
{
    while (cluster.n) {
        uint32_t r = utf8_next(&cluster);
        if (r == as_picture || is_picture(r))
            return true;
    }
    return false;
}

static size_t count_emoji(struct str text)
{
    size_t n = 0;

    while (text.n) {
        size_t bytes = rune_cluster(text);
        n += bytes > 1 && shows_picture((struct str){text.p, bytes});
        text = str_from(text, bytes);
    }
    return n;
}

/* ---- actions and markup ---- */

struct counts {
    size_t action, markup; /* code points; parts */
};

static struct str without_spaces(struct str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_from(s, 1);
    return s;
}

/* Bytes of the sign that makes a line a heading or a list item, or 0. */
static size_t line_mark(struct str s)
{
    static const struct str dots[] = {{"-", 1}, {"*", 1}, {"+", 1}, {"•", 3}, {"・", 3}};
    size_t n = 0;

    while (n < s.n && s.p[n] == '#')
        n++;
    if (n && n <= 6 && n < s.n && s.p[n] == ' ')
        return n;
    for (n = 0; n < s.n && s.p[n] >= '0' && s.p[n] <= '9'; n++)
        ;
    if (n && n <= 3 && n + 1 < s.n && (s.p[n] == '.' || s.p[n] == ')') && s.p[n + 1] == ' ')
        return n + 1;
    for (size_t i = 0; i < COUNT(dots); i++)
        if (str_starts(s, dots[i]) && s.n > dots[i].n && s.p[dots[i].n] == ' ')
            return dots[i].n;
    return 0;
}

/* Signs that open and close a part of a line. */
static const struct quote {
    struct str open, close;
    bool bold;
} quotes[] = {
    {{"**", 2}, {"**", 2}, true},  {{"__", 2}, {"__", 2}, true},  {{"*", 1}, {"*", 1}, false},
    {{"＊", 3}, {"＊", 3}, false}, {{"（", 3}, {"）", 3}, false},
};

/* Bytes that the part at the beginning of s takes up, or 0. */
static size_t take_part(struct str s, const struct quote *q, struct counts *c)
{
    struct str inside = str_from(s, q->open.n);
    size_t end = str_find(inside, q->close);

    if (end == SIZE_MAX || end == 0 || inside.p[0] == ' ')
        return 0;
    inside.n = end;
    c->markup += q->bold;
    c->action += q->bold ? 0 : utf8_count(inside);
    return q->open.n + end + q->close.n;
}

/* Bytes of the next piece of s: a part, a sign that opens nothing, or one code point. */
static size_t step(struct str s, struct counts *c)
{
    struct str rest = s;

    for (size_t i = 0; i < COUNT(quotes); i++)
        if (str_starts(s, quotes[i].open)) {
            size_t n = take_part(s, &quotes[i], c);
            return n ? n : quotes[i].open.n;
        }
    (void)utf8_next(&rest);
    return s.n - rest.n;
}

static void count_line(struct str line, struct counts *c)
{
    size_t mark;

    line = without_spaces(line);
    mark = line_mark(line);
    c->markup += mark > 0;
    for (line = str_from(line, mark); line.n; line = str_from(line, step(line, c)))
        ;
}

struct style style_of(struct str text)
{
    double length = (double)utf8_count(text);
    struct counts c = {0};
    struct str rest = text, line;

    while (str_line(&rest, &line))
        count_line(line, &c);
    return (struct style){{
        [STYLE_LENGTH] = length,
        [STYLE_ACTION] = length > 0 ? (double)c.action / length : 0,
        [STYLE_EMOJI] = (double)count_emoji(text),
        [STYLE_MARKUP] = (double)c.markup,
    }};
}
