/* Parses the content of a lorebook entry: decorators at its start, hidden keys anywhere.
 *
 * A decorator is a line "@@name value". The lines "@@@name value" below it are fallbacks for
 * programs that do not support it; the first supported one of such a group is used. */
#include "suite/card_key.h"

enum form { FLAG, COUNT_FROM_0, LIST, PLACE };

static const struct decorator {
    const char *name;
    enum form form;
    size_t at; /* offset in struct card_entry */
} known[] = {
#define AT(member) offsetof(struct card_entry, member)
    {"activate", FLAG, AT(always)},
    {"dont_activate", FLAG, AT(never)},
    {"keep_activate_after_match", FLAG, AT(stays)},
    {"dont_activate_after_match", FLAG, AT(once)},
    {"ignore_on_max_context", FLAG, AT(first_out)},
    {"activate_only_after", COUNT_FROM_0, AT(after)},
    {"activate_only_every", COUNT_FROM_0, AT(every)},
    {"scan_depth", COUNT_FROM_0, AT(scan_depth)},
    {"is_greeting", COUNT_FROM_0, AT(greeting)},
    {"additional_keys", LIST, AT(also)},
    {"exclude_keys", LIST, AT(except)},
    {"position", PLACE, AT(place)},
#undef AT
};

/* The name shown in warnings. */
static struct str label_of(const struct card_entry *entry)
{
    struct str key = entry->keys.n ? entry->keys.v[0] : STR("without keys");

    return utf8_head(entry->name.n ? entry->name : key, 60);
}

static struct card_list split(struct arena *a, struct str values)
{
    struct card_list out = {0};
    size_t most = 1;
    bool more = true;

    for (size_t i = 0; i < values.n; i++)
        most += values.p[i] == ',';
    out.v = NEW_N(a, struct str, most);
    while (more) {
        struct str one = values;
        more = str_cut(values, ',', &one, &values);
        one = str_trim(one);
        if (one.n)
            out.v[out.n++] = one;
    }
    return out;
}

/* Repeated decorators add to the list. */
static bool add_list(struct arena *a, struct card_list *to, struct str values)
{
    struct card_list more = split(a, values), all = {NULL, to->n + more.n};

    if (all.n > CARD_LIST_MAX)
        return false;
    all.v = NEW_N(a, struct str, all.n);
    for (size_t i = 0; i < all.n; i++)
        all.v[i] = i < to->n ? to->v[i] : more.v[i - to->n];
    *to = all;
    return true;
}

static bool set_place(enum card_place *to, struct str value)
{
    if (str_is(value, "before_desc"))
        *to = CARD_BEFORE;
    else if (str_is(value, "after_desc") || str_is(value, "personality") ||
             str_is(value, "scenario"))
        *to = CARD_AFTER; /* these three are adjacent in our text */
    else
        return false;
    return true;
}

static bool set_value(struct arena *a, const struct decorator *one, struct str value, void *to)
{
    int64_t n;

    switch (one->form) {
    case FLAG:
        *(bool *)to = true;
        return true;
    case COUNT_FROM_0:
        if (!str_int(value, &n) || n < 0)
            return false;
        *(int64_t *)to = n;
        return true;
    case LIST:
        return add_list(a, to, value);
    case PLACE:
        return set_place(to, value);
    }
    return false;
}

/* True if the decorator is supported and its value is valid. */
static bool apply(struct arena *a, struct str line, struct card_entry *entry)
{
    struct str name = line, value = STR("");

    (void)str_cut(line, ' ', &name, &value);
    for (size_t i = 0; i < COUNT(known); i++)
        if (str_is(str_trim(name), known[i].name))
            return set_value(a, &known[i], str_trim(value), (char *)entry + known[i].at);
    return false;
}

/* Strips the decorators from the start of the content; returns the rest. */
static struct str read_decorators(const struct card_desk *desk, struct card_entry *entry)
{
    struct str rest = entry->source, line, group = STR("");
    bool settled = true;

    for (;;) {
        struct str left = rest;
        bool fallback;
        if (!str_line(&rest, &line) || !str_starts(line, STR("@@")))
            rest = left;
        fallback = rest.n != left.n && str_starts(line, STR("@@@"));
        if (!fallback && !settled)
            diags_warn(desk->d, desk->at, "lorebook entry '%.*s': '%.*s' is not supported",
                       STR_ARG(label_of(entry)), STR_ARG(utf8_head(group, 60)));
        if (rest.n == left.n)
            return rest;
        if (!fallback) {
            group = line;
            settled = false;
        }
        if (!settled)
            settled = apply(desk->a, str_from(line, fallback ? 3 : 2), entry);
    }
}

/* Finds the next {{hidden_key:...}} in s: the text before, inside and after it. */
static bool cut_hidden(struct str s, struct str *before, struct str *key, struct str *rest)
{
    static const struct str open = {"{{hidden_key:", 13}, close = {"}}", 2};
    size_t at = str_find_nocase(s, open), end;
    struct str inside;

    if (at == SIZE_MAX)
        return false;
    inside = str_from(s, at + open.n);
    end = str_find(inside, close);
    if (end == SIZE_MAX)
        return false;
    *before = (struct str){s.p, at};
    *key = (struct str){inside.p, end};
    *rest = str_from(inside, end + close.n);
    return true;
}

static void read_hidden(struct arena *a, struct str text, struct card_entry *entry)
{
    AUTO(buf_done) struct buf out = BUF_MAX(text.n + 1);
    struct str before, key, rest = text;
    size_t n = 0;

    while (cut_hidden(rest, &before, &key, &rest))
        n++;
    entry->hidden = (struct card_list){NEW_N(a, struct str, n), 0};
    while (cut_hidden(text, &before, &key, &text)) {
        buf_add(&out, before);
        entry->hidden.v[entry->hidden.n++] = key;
    }
    buf_add(&out, text);
    entry->content = arena_str(a, str_trim(buf_str(&out)));
}

void card_entry_read(const struct card_desk *desk, struct card_entry *entry)
{
    entry->also = entry->except = (struct card_list){0};
    entry->always = entry->never = entry->stays = entry->once = entry->first_out = false;
    entry->after = entry->every = 0;
    entry->scan_depth = entry->greeting = -1;
    for (size_t i = 0; entry->regex && i < entry->keys.n; i++) {
        const char *why = card_key_fault(desk->a, entry->keys.v[i]);
        if (why)
            diags_warn(desk->d, desk->at, "lorebook entry '%.*s': the key '%.*s' never matches: %s",
                       STR_ARG(label_of(entry)), STR_ARG(utf8_head(entry->keys.v[i], 60)), why);
    }
    read_hidden(desk->a, read_decorators(desk, entry), entry);
}
