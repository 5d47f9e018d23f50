#include "cmd/annotate.h"

enum { NAME_MAX_BYTES = 100, NOTE_MAX_BYTES = 10000, TAGS_MAX_BYTES = 4000 };

static size_t find(struct str tags, const char *tag, struct arena *a)
{
    return str_find(tags, str_of(arena_printf(a, " %s ", tag)));
}

static bool is_word(const char *text)
{
    struct str s = str_of(text);

    return str_is_word(s, NAME_MAX_BYTES) && !strchr(text, ',') && utf8_check(s) == s.n;
}

static enum status check_name(const char *name, struct err *e)
{
    if (!name || !*name)
        return OK; /* nothing takes the name away */
    if (!is_word(name) || strcmp(name, "latest") == 0)
        return err_set(e, E_USAGE,
                       "a run's name has no spaces or commas and at most %d bytes, and is not "
                       "'latest'",
                       NAME_MAX_BYTES);
    if (strspn(name, "0123456789abcdef") == strlen(name))
        return err_set(e, E_USAGE, "'%s' could be the id of a run: choose another name", name);
    return OK;
}

static enum status change_tags(struct arena *a, const char *tags, const struct annotate *what,
                               const char **out, struct err *e)
{
    for (size_t i = 0; i < what->drop.n; i++) {
        size_t at = find(str_of(tags), what->drop.v[i], a);
        if (at != SIZE_MAX)
            tags =
                arena_printf(a, "%.*s %s", (int)at, tags, tags + at + strlen(what->drop.v[i]) + 2);
    }
    for (size_t i = 0; i < what->add.n; i++) {
        if (!is_word(what->add.v[i]))
            return err_set(e, E_USAGE, "a tag has no spaces or commas and at most %d bytes",
                           NAME_MAX_BYTES);
        if (find(str_of(tags), what->add.v[i], a) == SIZE_MAX)
            tags = arena_printf(a, "%s%s ", str_trim(str_of(tags)).n ? tags : " ", what->add.v[i]);
    }
    if (strlen(tags) > TAGS_MAX_BYTES)
        return err_set(e, E_USAGE, "a run has at most %d bytes of tags", TAGS_MAX_BYTES);
    *out = str_trim(str_of(tags)).n ? tags : "";
    return OK;
}

enum status annotate_run(struct app *app, struct run_row *run, const struct annotate *what,
                         struct err *e)
{
    struct run_row now = *run;

    if (!what->name && !what->note && !what->add.n && !what->drop.n)
        return OK;
    if (what->note && strlen(what->note) > NOTE_MAX_BYTES)
        return err_set(e, E_USAGE, "a note has at most %d bytes", NOTE_MAX_BYTES);
    if (check_name(what->name, e) != OK ||
        change_tags(app->arena, run->tags ? run->tags : "", what, &now.tags, e) != OK)
        return e->code;
    now.label = what->name ? what->name : run->label;
    now.note = what->note ? what->note : run->note;
    if (store_atomically(app->store, e, store_run_describe(app->store, &now, e)) != OK)
        return e->code;
    *run = now;
    return OK;
}
