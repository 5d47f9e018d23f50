#include "store/cursor.h"

struct cursor cursor_open(struct store *s, int query, struct args args, struct err *e)
{
    return (struct cursor){db_stream(s->db, query, args, e), e};
}

bool cursor_next(struct cursor *c, const struct columns *columns, void *out)
{
    if (!rows_next(c->rows))
        return false;
    row_into(NULL, c->rows, columns, out);
    return true;
}

enum status cursor_end(struct cursor *c)
{
    struct rows *r = c->rows;

    c->rows = NULL;
    return rows_end(r, c->e);
}

void cursor_close(struct cursor *c)
{
    if (c->rows)
        (void)!rows_end(c->rows, &(struct err){0}); /* the caller's error comes first */
}
