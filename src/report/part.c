#include "report/part.h"

const char *part_word(const struct part *p, enum word w)
{
    return words_of(p->language, w);
}

void part_section(const struct part *p, const char *id, enum word title)
{
    html_open(p->h, "section", "id", id);
    html_element(p->h, "h2", NULL, part_word(p, title));
}

void part_quote(const struct part *p, const char *cls, struct str text, struct str mark)
{
    size_t at = mark.n ? str_find(text, mark) : SIZE_MAX;

    html_open(p->h, "div", "class", cls, "dir", "auto");
    if (at == SIZE_MAX) {
        html_str(p->h, text);
    } else {
        html_str(p->h, (struct str){text.p, at});
        html_quote(p->h, "mark", mark, NULL);
        html_str(p->h, str_from(text, at + mark.n));
    }
    html_close(p->h);
}
