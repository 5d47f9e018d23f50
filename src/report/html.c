#include "report/html.h"

#include <assert.h>
#include <stdarg.h>

#include "base/asset.h"
#include "text/rune.h"

void html_str(struct html *h, struct str text)
{
    struct str s = rune_clean(h->scratch, text);
    size_t from = 0;

    for (size_t i = 0; i < s.n; i++) {
        const char *entity = s.p[i] == '&'    ? "&amp;"
                             : s.p[i] == '<'  ? "&lt;"
                             : s.p[i] == '>'  ? "&gt;"
                             : s.p[i] == '"'  ? "&quot;"
                             : s.p[i] == '\'' ? "&#39;"
                                              : NULL;
        if (!entity)
            continue;
        buf_add(h->out, (struct str){s.p + from, i - from});
        buf_text(h->out, entity);
        from = i + 1;
    }
    buf_add(h->out, str_from(s, from));
}

static void attributes(struct html *h, const char *const *pairs)
{
    for (; pairs[0]; pairs += 2) {
        const char *value = pairs[1];
        if (value && h->link && strcmp(pairs[0], "href") == 0)
            value = h->link(h->user, value);
        if (!value)
            continue;
        buf_char(h->out, ' ');
        buf_text(h->out, pairs[0]);
        buf_text(h->out, "=\"");
        html_str(h, str_of(value));
        buf_char(h->out, '"');
    }
}

void html_start(struct html *h, const char *tag, const char *const *pairs)
{
    assert(h->depth < HTML_DEPTH);
    buf_char(h->out, '<');
    buf_text(h->out, tag);
    attributes(h, pairs);
    buf_char(h->out, '>');
    h->open[h->depth++] = tag;
}

void html_empty(struct html *h, const char *tag, const char *const *pairs)
{
    buf_char(h->out, '<');
    buf_text(h->out, tag);
    attributes(h, pairs);
    buf_text(h->out, "/>");
}

/* Line breaks where they are not visible keep the file readable and its lines short. */
static bool is_block(const char *tag)
{
    static const char *const blocks[] = {"p",       "h1",      "h2",    "h3",   "tr",     "table",
                                         "section", "article", "li",    "div",  "header", "svg",
                                         "style",   "head",    "thead", "tbody"};

    for (size_t i = 0; i < COUNT(blocks); i++)
        if (strcmp(tag, blocks[i]) == 0)
            return true;
    return false;
}

void html_close(struct html *h)
{
    const char *tag;

    assert(h->depth > 0);
    tag = h->open[--h->depth];
    buf_text(h->out, "</");
    buf_text(h->out, tag);
    buf_char(h->out, '>');
    if (is_block(tag))
        buf_char(h->out, '\n');
}

void html_close_n(struct html *h, int n)
{
    while (n--)
        html_close(h);
}

void html_text(struct html *h, const char *text)
{
    html_str(h, str_of(text));
}

void html_fmt(struct html *h, const char *fmt, ...)
{
    char small[512];
    va_list ap, again;
    int n;

    va_start(ap, fmt);
    va_copy(again, ap);
    n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof small) {
        html_str(h, (struct str){small, (size_t)n});
    } else if (n >= 0) {
        char *large = arena_alloc(h->scratch, (size_t)n + 1);
        (void)vsnprintf(large, (size_t)n + 1, fmt, again);
        html_str(h, (struct str){large, (size_t)n});
    }
    va_end(again);
}

void html_whole(struct html *h, const char *tag, struct str text, const char *const *pairs)
{
    html_start(h, tag, pairs);
    html_str(h, text);
    html_close(h);
}

void html_element(struct html *h, const char *tag, const char *cls, const char *text)
{
    html_say(h, tag, text, "class", cls);
}

/* Embeddings, overrides and isolates. Marks without a range do no harm, and html_str() handles
 * them. */
static bool reorders(uint32_t rune)
{
    return (rune >= 0x202A && rune <= 0x202E) || (rune >= 0x2066 && rune <= 0x2069);
}

void html_foreign(struct html *h, const char *language, struct str text)
{
    struct str rest = text;

    html_open(h, "span", "lang", language, "dir", "auto");
    while (rest.n) {
        struct str here = rest;
        if (!reorders(utf8_next(&rest)))
            continue;
        html_str(h, (struct str){text.p, (size_t)(here.p - text.p)});
        buf_rune(h->out, 0xFFFD);
        text = rest;
    }
    html_str(h, text);
    html_close(h);
}

void html_head(struct html *h, const char *language)
{
    buf_text(h->out, "<!DOCTYPE html>\n");
    html_open(h, "html", "lang", language);
    html_open(h, "head", NULL);
    html_leaf(h, "meta", "charset", "utf-8");
    html_leaf(h, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
}

void html_style(struct html *h, struct str css)
{
    html_open(h, "style", NULL);
    buf_add(h->out, css);
    html_close(h);
}

struct str html_sheets(struct arena *a, enum html_sheets n)
{
    static const char *const files[] = {"share/web/chart.css", "share/web/system.css",
                                        "share/report/report.css", "share/web/pages.css",
                                        "share/web/rating.css"};
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    for (int i = 0; i < (int)n; i++)
        buf_add(&b, asset_find(files[i])->bytes);
    return arena_str(a, buf_str(&b));
}

void html_report(struct html *h, const char *language, const char *title)
{
    html_head(h, language);
    html_element(h, "title", NULL, title);
    html_style(h, html_sheets(h->scratch, SHEETS_REPORT));
    html_close(h);
    html_open(h, "body", NULL);
    html_open(h, "main", "class", "wrap");
    html_element(h, "h1", NULL, title);
}
