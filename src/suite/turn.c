#include "suite/turn.h"

struct turn_span turn_span_read(struct str text)
{
    struct turn_span span = {0};
    struct str first, last;

    if (!str_cut(text, '-', &first, &last) || !str_int(first, &span.first) ||
        !str_int(last, &span.last))
        return (struct turn_span){0};
    return span;
}
