/* Reads cards from JSON. Real cards are untidy: a member of the wrong type is ignored with a
 * warning; only what leaves no card at all is an error. */
#include <math.h>

#include "suite/card.h"

/* A member, and the name that the oldest tools used for it. */
struct member {
    const char *name, *older;
    size_t at;
};

static bool is_break(uint32_t rune)
{
    return rune == 0x85 || rune == 0x2028 || rune == 0x2029;
}

static bool is_control(uint32_t rune)
{
    return (rune < 0x20 && rune != '\n' && rune != '\t') || (rune >= 0x7F && rune < 0xA0) ||
           rune == 0xFEFF || (rune & 0xFFFE) == 0xFFFE;
}

/* Control characters would break the file that we write, and no prompt needs them. */
static struct str clean(struct arena *a, struct str s)
{
    AUTO(buf_done) struct buf out = BUF_MAX(s.n + 1);

    while (s.n) {
        uint32_t rune = utf8_next(&s);
        if (rune == '\r' && s.n && s.p[0] == '\n')
            continue;
        if (rune == '\r' || is_break(rune))
            rune = '\n';
        if (!is_control(rune))
            buf_rune(&out, rune);
    }
    return arena_str(a, buf_str(&out));
}

static struct str read_text(const struct card_desk *r, const json_t *v, const char *what)
{
    struct str s;

    if (!v || json_is_null(v))
        return STR("");
    if (json_is_integer(v)) /* a key such as 1984 in a hand-written file */
        return str_of(arena_printf(r->a, "%" JSON_INTEGER_FORMAT, json_integer_value(v)));
    if (!json_is_string(v)) {
        diags_warn(r->d, r->at, "'%s' is not text: dropped", what);
        return STR("");
    }
    s = json_str(v);
    if (s.n > CARD_TEXT_MAX) {
        diags_warn(r->d, r->at, "'%s' has %zu bytes (at most %d): dropped", what, s.n,
                   CARD_TEXT_MAX);
        return STR("");
    }
    return clean(r->a, s);
}

static struct card_list read_list(const struct card_desk *r, const json_t *v, const char *what)
{
    struct card_list out = {0};
    size_t n = json_array_size(v);

    if (v && !json_is_null(v) && (!json_is_array(v) || n > CARD_LIST_MAX)) {
        diags_warn(r->d, r->at, "'%s' is not a list of at most %d texts: dropped", what,
                   CARD_LIST_MAX);
        return out;
    }
    out.v = NEW_N(r->a, struct str, n);
    for (size_t i = 0; i < n; i++) {
        struct str s = read_text(r, json_array_get(v, i), what);
        if (s.n)
            out.v[out.n++] = s;
    }
    return out;
}

static bool read_bool(const json_t *object, const char *key, bool otherwise)
{
    const json_t *v = json_object_get(object, key);

    return json_is_boolean(v) ? json_is_true(v) : otherwise;
}

/* An optional count; -1 if absent or invalid. */
static int64_t read_count(const json_t *object, const char *key)
{
    double v = json_num_at(object, key, -1);

    return v >= 0 && v <= INT32_MAX ? (int64_t)v : -1;
}

/* ---- lorebooks ---- */

static double read_order(const json_t *j, const char *key)
{
    double v = json_num_at(j, key, 0);

    return isfinite(v) ? v : 0;
}

static void read_entry(const struct card_desk *r, const json_t *j, struct card_entry *out)
{
    *out = (struct card_entry){
        .name = read_text(r, json_object_get(j, "name"), "name"),
        .keys = read_list(r, json_object_get(j, "keys"), "keys"),
        .secondary = read_list(r, json_object_get(j, "secondary_keys"), "secondary_keys"),
        .source = read_text(r, json_object_get(j, "content"), "content"),
        .enabled = read_bool(j, "enabled", true),
        .constant = read_bool(j, "constant", false),
        .selective = read_bool(j, "selective", false),
        .case_sensitive = read_bool(j, "case_sensitive", false),
        .regex = read_bool(j, "use_regex", false),
        .ranked = json_is_number(json_object_get(j, "priority")),
        .order = read_order(j, "insertion_order"),
        .priority = read_order(j, "priority"),
        .place =
            str_is(json_str_at(j, "position", STR("")), "after_char") ? CARD_AFTER : CARD_BEFORE,
    };
    if (out->name.n == 0)
        out->name = read_text(r, json_object_get(j, "comment"), "comment");
    card_entry_read(r, out);
}

static void read_entries(const struct card_desk *r, const json_t *list, struct card_book *out)
{
    size_t n = json_array_size(list), most = n < CARD_ENTRIES_MAX ? n : CARD_ENTRIES_MAX;
    size_t keys = 0, i;

    out->v = NEW_N(r->a, struct card_entry, most);
    for (i = 0; i < most && keys <= CARD_KEYS_MAX; i++) {
        const json_t *one = json_array_get(list, i);
        keys += json_array_size(json_object_get(one, "keys")) +
                json_array_size(json_object_get(one, "secondary_keys"));
        if (json_is_object(one))
            read_entry(r, one, &out->v[out->n++]);
        else
            diags_warn(r->d, r->at, "entry %zu of the lorebook is not an object: dropped", i + 1);
    }
    if (i < n)
        diags_warn(r->d, r->at,
                   "the lorebook has %zu entries: the first %zu are read (at most %d with %d keys)",
                   n, i, CARD_ENTRIES_MAX, CARD_KEYS_MAX);
}

enum status card_book_from_json(const struct card_desk *r, const json_t *j, struct card_book *out,
                                struct err *e)
{
    const json_t *entries = json_object_get(j, "entries");
    struct card_book book = {0};

    if (!json_is_array(entries))
        return err_set(e, E_INPUT, "a lorebook needs a list 'entries'");
    book.name = read_text(r, json_object_get(j, "name"), "name");
    book.scan_depth = read_count(j, "scan_depth");
    book.token_budget = read_count(j, "token_budget");
    book.recursive = read_bool(j, "recursive_scanning", false);
    read_entries(r, entries, &book);
    *out = book;
    return OK;
}

static json_t *list_json(struct card_list list)
{
    json_t *j = json_array();

    for (size_t i = 0; i < list.n; i++)
        (void)json_array_append_new(j, json_from_str(list.v[i]));
    return j;
}

static void set_true(json_t *j, const char *key, bool value)
{
    if (value)
        json_put_bool(j, key, true);
}

static void set_number(json_t *j, const char *key, double value)
{
    /* the largest double up to which all whole numbers are exact */
    bool whole = fabs(value) <= 9007199254740992.0 && value == trunc(value);

    json_put(j, key, whole ? json_integer((int64_t)value) : json_real(value));
}

static json_t *entry_json(const struct card_entry *entry)
{
    json_t *j = json_object();

    json_put_some(j, "name", entry->name);
    json_put(j, "keys", list_json(entry->keys));
    if (entry->secondary.n)
        json_put(j, "secondary_keys", list_json(entry->secondary));
    json_put_str(j, "content", entry->source);
    set_true(j, "constant", entry->constant);
    set_true(j, "selective", entry->selective);
    set_true(j, "case_sensitive", entry->case_sensitive);
    set_true(j, "use_regex", entry->regex);
    if (!entry->enabled)
        json_put_bool(j, "enabled", false);
    set_number(j, "insertion_order", entry->order);
    if (entry->ranked)
        set_number(j, "priority", entry->priority);
    if (entry->place == CARD_AFTER)
        json_put_text(j, "position", "after_char");
    return j;
}

json_t *card_book_json(const struct card_book *book)
{
    json_t *j = json_object(), *entries;

    json_put_some(j, "name", book->name);
    if (book->scan_depth >= 0)
        json_put_int(j, "scan_depth", book->scan_depth);
    if (book->token_budget >= 0)
        json_put_int(j, "token_budget", book->token_budget);
    set_true(j, "recursive_scanning", book->recursive);
    entries = json_put_list(j, "entries");
    for (size_t i = 0; i < book->n; i++)
        (void)json_array_append_new(entries, entry_json(&book->v[i]));
    return j;
}

/* ---- cards ---- */

#define AT(member) offsetof(struct card, member)

static const struct member texts[] = {
    {"name", "char_name", AT(name)},
    {"description", "char_persona", AT(description)},
    {"personality", NULL, AT(personality)},
    {"scenario", "world_scenario", AT(scenario)},
    {"first_mes", "char_greeting", AT(first_message)},
    {"mes_example", "example_dialogue", AT(examples)},
    {"system_prompt", NULL, AT(system)},
    {"post_history_instructions", NULL, AT(post_history)},
    {"creator_notes", NULL, AT(creator_notes)},
    {"creator", NULL, AT(creator)},
    {"character_version", NULL, AT(character_version)},
    {"nickname", NULL, AT(nickname)},
};

enum { FIRST_VERSION = 6 }; /* texts that exist in version 1 */

static const struct member lists[] = {
    {"alternate_greetings", NULL, AT(greetings)},
    {"group_only_greetings", NULL, AT(group_greetings)},
    {"tags", NULL, AT(tags)},
};

static void read_assets(const struct card_desk *r, const json_t *list, struct card *out)
{
    size_t n = json_array_size(list);

    n = n < CARD_LIST_MAX ? n : CARD_LIST_MAX;
    out->assets.v = NEW_N(r->a, struct str, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(list, i);
        struct str type = json_str_at(one, "type", STR("asset"));
        struct str name = json_str_at(one, "name", STR("")), ext = json_str_at(one, "ext", STR(""));
        out->assets.v[out->assets.n++] = clean(
            r->a, str_of(arena_printf(r->a, "%.*s: %.*s.%.*s", STR_ARG(utf8_head(type, 40)),
                                      STR_ARG(utf8_head(name, 100)), STR_ARG(utf8_head(ext, 10)))));
    }
}

static void read_texts(const struct card_desk *r, const json_t *j, size_t n, struct card *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct member *m = &texts[i];
        const json_t *v = json_object_get(j, m->name);
        if (!v && m->older)
            v = json_object_get(j, m->older);
        *(struct str *)(void *)((char *)out + m->at) = read_text(r, v, m->name);
    }
}

static enum status read_book(const struct card_desk *r, const json_t *j, struct card *out,
                             struct err *e)
{
    const json_t *book = json_object_get(j, "character_book");
    struct card_book *to;

    if (!book || json_is_null(book))
        return OK;
    to = NEW(r->a, struct card_book);
    out->book = to;
    if (card_book_from_json(r, book, to, e) != OK)
        return err_wrap(e, "character_book");
    return OK;
}

static enum status read_data(const struct card_desk *r, const json_t *data, struct card *out,
                             struct err *e)
{
    if (!json_is_object(data))
        return err_set(e, E_INPUT, "the card has a 'spec' but no object 'data'");
    read_texts(r, data, out->version > 2 ? COUNT(texts) : COUNT(texts) - 1, out);
    for (size_t i = 0; i < COUNT(lists); i++)
        *(struct card_list *)(void *)((char *)out + lists[i].at) =
            read_list(r, json_object_get(data, lists[i].name), lists[i].name);
    read_assets(r, json_object_get(data, "assets"), out);
    return read_book(r, data, out, e);
}

/* 2 for "chara_card_v2"; 0 if it is not a card. */
static int64_t version_of(struct str spec)
{
    struct str mark = STR("chara_card_v");
    int64_t version;

    if (!str_starts(spec, mark) || !str_int(str_from(spec, mark.n), &version) || version < 2 ||
        version > 99)
        return 0;
    return version;
}

/* What the file is instead of a card; NULL if unknown. */
static const char *other_thing(const json_t *j)
{
    if (str_is(json_str_at(j, "spec", STR("")), "lorebook_v3") || json_object_get(j, "entries"))
        return "this is a lorebook without a character: put it into a card first";
    if (json_object_get(j, "messages") || json_object_get(j, "chat_metadata"))
        return "this is a conversation, not a character card";
    return NULL;
}

static enum status read_first(const struct card_desk *r, const json_t *j, struct card *out,
                              struct err *e)
{
    const char *other = other_thing(j);

    if (other)
        return err_set(e, E_INPUT, "%s", other);
    out->version = 1;
    read_texts(r, j, FIRST_VERSION, out);
    if (out->description.n == 0 && out->personality.n == 0 && out->first_message.n == 0)
        return err_set(e, E_INPUT,
                       "not a character card: it has neither 'spec' nor 'description', "
                       "'personality' or 'first_mes'");
    return OK;
}

/* Checks `spec` first: version 2 cards often repeat the version 1 members at the top level. */
enum status card_from_json(const struct card_desk *r, const json_t *j, struct card *out,
                           struct err *e)
{
    struct card card = {0};
    struct str spec = json_str_at(j, "spec", STR(""));
    int64_t version = version_of(spec);

    if (!json_is_object(j))
        return err_set(e, E_INPUT, "a character card is a JSON object");
    if (version > 3)
        diags_warn(r->d, r->at, "a version %lld card, read as version 3", (long long)version);
    card.version = version > 3 ? 3 : (int)version;
    if ((version ? read_data(r, json_object_get(j, "data"), &card, e)
                 : read_first(r, j, &card, e)) != OK)
        return e->code;
    card.name = utf8_head(str_trim(card.name), CARD_NAME_MAX);
    card.nickname = utf8_head(str_trim(card.nickname), CARD_NAME_MAX);
    *out = card;
    return OK;
}
