#include "report/remark.h"

#include "text/rune.h"

enum { NAME_MAX_BYTES = 100, NOTE_MAX_BYTES = 10000, TAGS_MAX_BYTES = 4000 };

static bool is_word(struct str s)
{
    return str_is_word(s, NAME_MAX_BYTES) && !memchr(s.p, ',', s.n) && utf8_check(s) == s.n;
}

enum status remark_check_name(const char *name, struct err *e)
{
    if (!name || !*name)
        return OK;
    if (!is_word(str_of(name)) || strcmp(name, "latest") == 0)
        return err_set(e, E_USAGE,
                       "a run's name has no spaces or commas and at most %d bytes, and is not "
                       "'latest'",
                       NAME_MAX_BYTES);
    if (strspn(name, "0123456789abcdef") == strlen(name))
        return err_set(e, E_USAGE, "'%s' could be the id of a run: choose another name", name);
    return OK;
}

enum status remark_check_note(const char *note, struct err *e)
{
    return !note || strlen(note) <= NOTE_MAX_BYTES
               ? OK
               : err_set(e, E_USAGE, "a note has at most %d bytes", NOTE_MAX_BYTES);
}

/* Tags are stored as " a b ": each has a space on both sides. */
static size_t tag_at(struct arena *a, struct str tags, struct str tag)
{
    return str_find(tags, str_of(arena_printf(a, " %.*s ", STR_ARG(tag))));
}

enum status remark_add_tag(struct arena *a, const char **tags, struct str tag, struct err *e)
{
    struct str had = str_of(*tags);

    if (!is_word(tag))
        return err_set(e, E_USAGE, "a tag has no spaces or commas and at most %d bytes",
                       NAME_MAX_BYTES);
    if (tag_at(a, had, tag) == SIZE_MAX)
        *tags = arena_printf(a, "%s%.*s ", had.n ? had.p : " ", STR_ARG(tag));
    return str_of(*tags).n <= TAGS_MAX_BYTES
               ? OK
               : err_set(e, E_USAGE, "a run has at most %d bytes of tags", TAGS_MAX_BYTES);
}

void remark_drop_tag(struct arena *a, const char **tags, struct str tag)
{
    size_t at = tag_at(a, str_of(*tags), tag);

    if (at != SIZE_MAX)
        *tags = arena_printf(a, "%.*s%s", (int)at, *tags, *tags + at + tag.n + 1);
    if (!str_trim(str_of(*tags)).n)
        *tags = "";
}

bool remark_has(const struct run_row *run, const char *tag)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    return tag_at(a, str_of(run->tags), str_of(tag)) != SIZE_MAX;
}

const char *remark_tags(struct arena *a, const struct run_row *run)
{
    struct str rest = str_trim(str_of(run->tags)), tag;
    const char *out = "";

    while (str_part(&rest, ' ', &tag))
        out = arena_printf(a, "%s%s%.*s", out, *out ? ", " : "", STR_ARG(tag));
    return out;
}

const char *remark_name(struct arena *a, const struct run_row *run)
{
    return run->label && *run->label /* may come from an archive */
               ? arena_printf(a, "%s (%s)", run->name, rune_clean(a, str_of(run->label)).p)
               : run->name;
}

void remark_json(json_t *o, const struct run_row *run)
{
    struct str rest = str_trim(str_of(run->tags)), tag;
    json_t *tags;

    json_put_text(o, "label", run->label ? run->label : "");
    json_put_text(o, "note", run->note ? run->note : "");
    tags = json_put_list(o, "tags");
    while (str_part(&rest, ' ', &tag))
        (void)json_array_append_new(tags, json_from_str(tag));
}
