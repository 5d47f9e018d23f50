#include "suite/tag.h"

#include "suite/item.h"

/* Strips surrounding spaces and any number of brackets, so that parsing the result again is a
 * no-op. */
static struct str bare(struct str s)
{
    for (;;) {
        struct str inner = s = str_trim_wide(s);
        if ((!str_drop(&inner, STR("<")) || !str_drop_end(&inner, STR(">"))) &&
            (!str_drop(&inner, STR("＜")) || !str_drop_end(&inner, STR("＞"))))
            return s;
        s = inner;
    }
}

struct tag tag_read(struct str text)
{
    struct str s = bare(text), wide = STR("：");
    size_t ascii = str_find(s, STR(":")), full = str_find(s, wide);
    size_t at = ascii < full ? ascii : full;

    if (at == SIZE_MAX)
        return (struct tag){.kind = s, .topic = STR("")};
    return (struct tag){.kind = bare((struct str){s.p, at}),
                        .topic = str_trim_wide(str_from(s, at + (at == full ? wide.n : 1)))};
}

const struct item_var *tag_var(const struct item *item, struct str name)
{
    for (size_t i = 0; i < item->nvars; i++)
        if (str_is(name, item->vars[i].name))
            return &item->vars[i];
    return NULL;
}

struct str tag_member(const struct item *item, const char *name)
{
    const struct item_var *var = tag_var(item, str_of(name));

    return var ? var->value : STR("");
}

const struct str *tag_system(const struct elicit *e, const struct item *item)
{
    struct tag tag = tag_read(tag_member(item, "tag"));

    for (size_t i = 0; i < e->nsystems; i++)
        if (str_eq(e->systems[i].kind, tag.kind))
            return &e->systems[i].text;
    return e->template.system.p ? &e->template.system : NULL;
}
