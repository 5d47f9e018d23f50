#include "exchange/chat_log.h"

#include <ctype.h>

enum { DEPTH_MAX = 4, NAME_MAX_POINTS = 40, TEXT_TURNS_MIN = 2 };

/* Where a message has its parts: keys, "/" between those that lie within each other. */
static const struct shape {
    const char *tool;
    const char *list; /* of the messages in a conversation; NULL: it has no name */
    const char *side; /* true, "user", "human": the user; "system", "tool": a note */
    const char *text, *who;
    const char *others; /* a list of words, or of objects that have `text` */
    const char *note;   /* true: said to nobody */
} shapes[] = {
    {"ShareGPT", "conversations", "from", "value", NULL, NULL, NULL},
    {"ShareGPT", "items", "from", "value", NULL, NULL, NULL},
    {"OpenAI", "messages", "role", "content", "name", NULL, NULL},
    {"Character.AI", "msgs", "src/is_human", "text", "src/name", NULL, NULL},
    {"Character.AI", "turns", "author/is_human", "candidates/0/raw_content", "author/name", NULL,
     NULL},
    {"SillyTavern", NULL, "is_user", "mes", "name", "swipes", "is_system"},
};

/* A text, or the texts of a list of parts. */
static struct str words_of(struct arena *a, const json_t *j)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2); /* no longer than the file */
    const json_t *part;
    size_t i;

    if (json_is_string(j))
        return str_trim(arena_str(a, json_str(j)));
    json_array_foreach((json_t *)(uintptr_t)j, i, part)
    {
        buf_add(&b, json_str_at(part, "text", STR("")));
    }
    return str_trim(arena_str(a, buf_str(&b)));
}

enum side { SIDE_USER, SIDE_MODEL, SIDE_NOTE };

/* The model is told who it is. */
static bool is_told(const struct shape *s, const json_t *message)
{
    struct str word = json_str(json_at(message, s->side));

    return str_is(word, "system") || str_is(word, "developer");
}

static enum side side_of(const struct shape *s, const json_t *message)
{
    static const char *const users[] = {"user", "human", NULL};
    static const char *const notes[] = {"system", "tool", "developer", "function", NULL};
    const json_t *side = json_at(message, s->side);

    if (s->note && json_is_true(json_at(message, s->note)))
        return SIDE_NOTE;
    if (json_is_boolean(side))
        return json_is_true(side) ? SIDE_USER : SIDE_MODEL;
    if (!json_is_string(side) || str_any(json_str(side), str_eq, notes))
        return SIDE_NOTE;
    return str_any(json_str(side), str_eq, users) ? SIDE_USER : SIDE_MODEL;
}

/* ---- a conversation ---- */

static void add(struct arena *a, struct chat_log *log, size_t *cap, struct chat_message m)
{
    struct chat_message *last = log->n ? &log->v[log->n - 1] : NULL;

    if (m.text.n == 0) {
        log->silent++;
        return;
    }
    if (last && last->model == m.model) {
        last->text = str_of(arena_printf(a, "%.*s\n\n%.*s", STR_ARG(last->text), STR_ARG(m.text)));
        last->nothers = 0;
        return;
    }
    log->v = arena_grow(a, log->v, cap, log->n + 1, sizeof *log->v);
    log->v[log->n++] = m;
}

static void read_others(struct arena *a, const json_t *list, struct chat_message *m)
{
    const json_t *one;
    size_t i;

    m->others = NEW_N(a, struct str, json_array_size(list) + 1);
    json_array_foreach((json_t *)(uintptr_t)list, i, one)
    {
        struct str text = words_of(a, one);
        if (text.n && !str_eq(text, m->text))
            m->others[m->nothers++] = text;
    }
}

/* If more than one character speaks, put the name before each one's words. */
static void name_speakers(struct arena *a, struct chat_message *v, size_t n)
{
    struct str first = {0};
    bool several = false;

    for (size_t i = 0; i < n; i++) {
        if (!v[i].model || v[i].who.n == 0)
            continue;
        several = several || (first.n && !str_eq(first, v[i].who));
        first = first.n ? first : v[i].who;
    }
    for (size_t i = 0; several && i < n; i++)
        if (v[i].model && v[i].who.n)
            v[i].text =
                str_of(arena_printf(a, "%.*s: %.*s", STR_ARG(v[i].who), STR_ARG(v[i].text)));
}

static struct chat_log read_messages(struct arena *a, const struct shape *s, const json_t *list)
{
    struct chat_message *v = NEW_N(a, struct chat_message, json_array_size(list) + 1);
    struct chat_log log = {0};
    const json_t *one;
    size_t i, n = 0, cap = 0;

    json_array_foreach((json_t *)(uintptr_t)list, i, one)
    {
        enum side side = side_of(s, one);
        struct chat_message m = {.model = side == SIDE_MODEL,
                                 .text = words_of(a, json_at(one, s->text))};
        if (side == SIDE_NOTE && n == 0 && is_told(s, one) && m.text.n)
            log.role =
                log.role.n
                    ? str_of(arena_printf(a, "%.*s\n\n%.*s", STR_ARG(log.role), STR_ARG(m.text)))
                    : m.text;
        if (side == SIDE_NOTE)
            continue;
        m.who = s->who ? words_of(a, json_at(one, s->who)) : STR("");
        if (s->others && m.model)
            read_others(a, json_at(one, s->others), &m);
        v[n++] = m;
    }
    name_speakers(a, v, n);
    for (i = 0; i < n; i++)
        add(a, &log, &cap, v[i]);
    return log;
}

/* ---- a file ---- */

struct reading {
    struct arena *a;
    struct chat_log_list out;
    size_t cap;
    bool seen; /* a conversation, be it an empty one */
};

static void keep(struct reading *r, const char *tool, struct chat_log log)
{
    r->seen = true;
    if (log.n == 0)
        return;
    r->out.tool = tool;
    r->out.v = arena_grow(r->a, r->out.v, &r->cap, r->out.n + 1, sizeof *r->out.v);
    r->out.v[r->out.n++] = log;
}

/* Of what shape a message is; NULL: it is none. */
static const struct shape *shape_of(const json_t *message)
{
    for (size_t i = 0; json_is_object(message) && i < COUNT(shapes); i++)
        if (json_at(message, shapes[i].side) && json_at(message, shapes[i].text))
            return &shapes[i];
    return NULL;
}

/* A conversation, or something that holds conversations. */
static void look(struct reading *r, const json_t *j, int depth)
{
    static const char *const holders[] = {"histories", "chats", "conversations", "data"};
    const struct shape *bare = shape_of(json_array_get(j, 0));
    const json_t *one;
    size_t i;

    if (depth == DEPTH_MAX)
        return;
    if (bare) {
        keep(r, bare->tool, read_messages(r->a, bare, j));
        return;
    }
    json_array_foreach((json_t *)(uintptr_t)j, i, one)
    {
        r->seen = false;
        look(r, one, depth + 1);
        if (!r->seen && r->out.strange_entry == 0)
            r->out.strange_entry = (int64_t)i + 1;
    }
    for (i = 0; json_is_object(j) && i < COUNT(shapes); i++) {
        const json_t *list = shapes[i].list ? json_object_get(j, shapes[i].list) : NULL;
        r->seen |= json_is_array(list) && json_array_size(list) == 0;
        if (json_is_array(list) && json_at(json_array_get(list, 0), shapes[i].side)) {
            struct chat_log log = read_messages(r->a, &shapes[i], list);
            if (log.role.n == 0) /* ShareGPT has it beside the messages */
                log.role = words_of(r->a, json_object_get(j, "system"));
            keep(r, shapes[i].tool, log);
            return;
        }
    }
    for (i = 0; json_is_object(j) && i < COUNT(holders); i++)
        if (json_object_get(j, holders[i]))
            look(r, json_object_get(j, holders[i]), depth + 1);
}

/* Lines: messages of one conversation, with a line about it before them, or a conversation each. */
static void read_lines(struct reading *r, struct str text)
{
    const struct shape *shape = NULL;
    AUTO(json_freep) json_t *messages = json_array();
    int64_t head = 0; /* the first line, where it holds neither */
    struct str line;
    struct err e;

    for (int64_t n = 1; !r->out.bad_line && str_line(&text, &line); n++) {
        json_t *j = NULL;
        if (str_trim(line).n == 0)
            continue;
        if (json_read(line, &j, &e) != OK) {
            r->out.bad_line = n;
            continue;
        }
        if (shape_of(j)) {
            shape = shape_of(j);
            (void)json_array_append_new(messages, j);
            continue;
        }
        r->seen = false;
        look(r, j, 0);
        json_decref(j);
        if (!r->seen && n == 1)
            head = n;
        else if (!r->seen && r->out.strange_line == 0)
            r->out.strange_line = n;
    }
    if (head && !shape)
        r->out.strange_line = head;
    if (shape)
        keep(r, shape->tool, read_messages(r->a, shape, messages));
}

/* Not a name but a sentence, a time or an address. */
static bool is_no_name(struct str who, struct str text)
{
    static const char *const signs[] = {",",  "?",  "!",  "\"", "，", "、",
                                        "。", "？", "！", "“",  "「", NULL};

    return str_any(who, str_holds, signs) || who.n == 0 || utf8_count(who) > NAME_MAX_POINTS ||
           str_starts(text, STR("//")) ||
           (text.n && isdigit((unsigned char)*text.p) && isdigit((unsigned char)who.p[who.n - 1]));
}

/* "Name: words" at the beginning of a line; the rest of the paragraph goes with it. */
static bool speaks(struct str line, struct str *who, struct str *text)
{
    size_t colon = str_find(line, STR(":")), wide = str_find(line, STR("："));
    size_t end = colon < wide ? colon : wide;

    if (end == SIZE_MAX || end == 0)
        return false;
    *who = str_trim((struct str){line.p, end});
    *text = str_trim(str_from(line, end + (end == wide && wide < colon ? strlen("：") : 1)));
    return !is_no_name(*who, *text);
}

static void read_text(struct reading *r, struct str text)
{
    struct chat_message *v = NULL;
    struct chat_log log = {0};
    struct str line, who, words;
    size_t cap = 0, n = 0, room = 0;

    while (str_line(&text, &line)) {
        struct str more = str_trim(line);
        if (speaks(line, &who, &words)) {
            v = arena_grow(r->a, v, &room, n + 1, sizeof *v);
            v[n] = (struct chat_message){.who = who, .text = words};
            v[n].model = !str_eq(who, v[0].who);
            n++;
        } else if (more.n && n == 0) {
            break; /* it begins with something else */
        } else if (more.n) {
            v[n - 1].text =
                str_of(arena_printf(r->a, "%.*s\n%.*s", STR_ARG(v[n - 1].text), STR_ARG(more)));
        }
    }
    name_speakers(r->a, v, n);
    for (size_t i = 0; i < n; i++)
        add(r->a, &log, &cap, v[i]);
    if (log.n >= TEXT_TURNS_MIN)
        keep(r, "plain text", log);
}

struct chat_log_list chat_log_read(struct arena *a, struct str bytes, const json_t *root)
{
    struct reading r = {.a = a};
    struct str begin = str_trim(bytes);

    if (root && !shape_of(root))
        look(&r, root, 0);
    else if (begin.n && (*begin.p == '{' || *begin.p == '['))
        read_lines(&r, bytes);
    else
        read_text(&r, bytes);
    return r.out;
}
