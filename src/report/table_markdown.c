#include "report/markdown.h"
#include "report/table.h"

static const struct table_style style = {
    .parts = {[TABLE_INLINE] = {PART_INLINE},
              [TABLE_SPLIT] = {PART_VALUE, PART_RANGE},
              [TABLE_PLOT] = {PART_INLINE},
              [TABLE_BRIEF] = {PART_INLINE},
              [TABLE_RANGE] = {PART_RANGE}},
    .none = "–",
    .between = "–",
    .lower = "↓",
};

void table_markdown(const struct table *t, struct buf *out)
{
    const char **footnotes = table_footnotes(t, &style);
    struct table_shown *v;
    size_t n = table_parts(t, &style, &v);

    buf_char(out, '|');
    for (size_t i = 0; i < n; i++)
        markdown_fmt(t->a, out, " %s |", v[i].head);
    buf_text(out, "\n|");
    for (size_t i = 0; i < n; i++)
        buf_text(out, table_is_words(&t->columns[v[i].column]) ? "---|" : "--:|");
    buf_char(out, '\n');
    for (size_t row = 0; row < t->nrows; row++) {
        if (!table_row_seen(t, row))
            continue;
        buf_char(out, '|');
        for (size_t i = 0; i < n; i++) {
            const char *text = table_show(t, &style, &v[i], row);
            if (table_is_words(&t->columns[v[i].column]))
                markdown_fmt(t->a, out, " %s |", text);
            else
                buf_fmt(out, " %s |", text);
        }
        buf_char(out, '\n');
    }
    for (size_t i = 0; i < t->nnotes; i++)
        buf_fmt(out, "\n%s\n", t->notes[i]);
    for (size_t i = 0; footnotes[i]; i++)
        buf_fmt(out, "\n%s\n", footnotes[i]);
}
