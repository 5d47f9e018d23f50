#include "report/markdown.h"
#include "report/table.h"

static const struct table_style style = {.none = "–", .between = "–", .lower = "↓"};

static size_t expand(const struct table *t, struct table_shown *out)
{
    size_t n = 0;

    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct table_column *c = &t->columns[i];
        bool split = c->kind == TABLE_INTERVAL && c->look == TABLE_SPLIT;
        enum table_part part = c->look == TABLE_RANGE                ? PART_RANGE
                               : c->kind == TABLE_INTERVAL && !split ? PART_INLINE
                                                                     : PART_VALUE;
        if (!table_seen(t, &style, i))
            continue;
        out[n++] = (struct table_shown){i, part, table_head(t, &style, i)};
        if (split)
            out[n++] = (struct table_shown){i, PART_RANGE, words_of(t->language, WORD_INTERVAL)};
    }
    return n;
}

void table_markdown(const struct table *t, struct buf *out)
{
    struct table_shown *v = NEW_N(t->a, struct table_shown, 2 * t->ncolumns);
    const char **footnotes = table_footnotes(t, &style);
    size_t n = expand(t, v);

    buf_char(out, '|');
    for (size_t i = 0; i < n; i++) {
        buf_char(out, ' ');
        markdown_text(t->a, out, str_of(v[i].head));
        buf_text(out, " |");
    }
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
            buf_char(out, ' ');
            if (table_is_words(&t->columns[v[i].column]))
                markdown_text(t->a, out, str_of(text));
            else
                buf_text(out, text);
            buf_text(out, " |");
        }
        buf_char(out, '\n');
    }
    for (size_t i = 0; i < t->nnotes; i++)
        buf_fmt(out, "\n%s\n", t->notes[i]);
    for (size_t i = 0; footnotes[i]; i++)
        buf_fmt(out, "\n%s\n", footnotes[i]);
}
