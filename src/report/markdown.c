#include "report/markdown.h"

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
