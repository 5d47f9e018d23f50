#include "db/db_expand.h"

void db_expand(struct buf *out, struct str text, const char *name, const char *id)
{
    static const struct str token = {"{{id}}", 6};
    bool ours = true;
    struct str line;

    while (str_line(&text, &line)) {
        struct str mark = str_trim(line);
        size_t at;
        if (str_is(mark, "-- both") || str_is(mark, "-- sqlite") || str_is(mark, "-- postgres")) {
            mark = str_from(mark, 3);
            ours = str_is(mark, "both") || str_is(mark, name);
            continue;
        }
        if (!ours)
            continue;
        while ((at = str_find(line, token)) != SIZE_MAX) {
            buf_add(out, (struct str){line.p, at});
            buf_text(out, id);
            line = str_from(line, at + token.n);
        }
        buf_add(out, line);
        buf_char(out, '\n');
    }
}
