#include "report/markdown.h"

#include <stdarg.h>

#include "report/grid.h"

void markdown_text(struct arena *a, struct buf *out, struct str text)
{
    struct str s = grid_text(a, text, SIZE_MAX, "");

    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '<' || s.p[i] == '&') {
            buf_text(out, s.p[i] == '<' ? "&lt;" : "&amp;");
            continue;
        }
        if (memchr("\\`*_{}[]()#+!|>~$@", s.p[i], 18))
            buf_char(out, '\\');
        buf_char(out, s.p[i]);
    }
}

void markdown_fmt(struct arena *a, struct buf *out, const char *fmt, ...)
{
    va_list args;
    bool view;

    va_start(args, fmt);
    while (*fmt) {
        struct str text = {fmt, strcspn(fmt, "%")};
        buf_add(out, text);
        fmt += text.n;
        if (!*fmt)
            break;
        view = fmt[1] == '.';
        text.n = view ? (size_t)va_arg(args, int) : 0;
        text.p = va_arg(args, const char *);
        markdown_text(a, out, view ? text : str_of(text.p));
        fmt += strlen(view ? "%.*s" : "%s");
    }
    va_end(args);
}
