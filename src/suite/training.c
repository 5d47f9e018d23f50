#include "suite/training.h"

#include "base/message.h"

#include <sys/stat.h>

enum { LINE_BYTES_MAX = 16 << 20 };

enum status training_open(struct training *t, const char *path, struct err *e)
{
    struct stat st;

    *t = (struct training){0};
    hash_init(&t->hash);
    if (lines_open(&t->lines, path, LINE_BYTES_MAX, e) != OK)
        return e->code;
    if (fstat(fileno(t->lines.in), &st) == 0 && S_ISREG(st.st_mode))
        t->size = st.st_size;
    return OK;
}

void training_close(struct training *t)
{
    json_decref(t->value);
    t->value = NULL;
    lines_close(&t->lines);
}

void training_hash_hex(struct training *t, char out[HASH_HEX])
{
    hash_hex(&t->hash, out);
}

/* ---- parsing a line ---- */

static const json_t *chat_of(const json_t *object)
{
    const json_t *chat = json_object_get(object, "messages");

    return json_is_array(chat) ? chat : json_object_get(object, "conversations");
}

/* {"role": "assistant", "content": ...} or {"from": "gpt", "value": ...} */
static bool turn_text(const json_t *turn, struct str *out)
{
    struct str role = json_str_at(turn, "role", json_str_at(turn, "from", STR("")));
    const json_t *content = json_object_get(turn, "content");

    if (!str_is(role, "assistant") && !str_is(role, "gpt"))
        return false;
    *out = json_str(json_is_string(content) ? content : json_object_get(turn, "value"));
    return out->n > 0;
}

bool training_turn(const json_t *object, size_t *at, struct str *out)
{
    const json_t *chat = chat_of(object);

    while (*at < json_array_size(chat))
        if (turn_text(json_array_get(chat, (*at)++), out))
            return true;
    return false;
}

static const char *object_text(struct training *t, struct str *out)
{
    static const char *const keys[] = {"answer",   "text",    "reply", "output",
                                       "response", "content", "target"};

    for (size_t i = 0; i < COUNT(keys); i++) {
        const json_t *j = json_object_get(t->value, keys[i]);
        if (json_is_string(j)) {
            *out = json_str(j);
            t->turn = SIZE_MAX;
            return NULL;
        }
    }
    return training_turn(t->value, &t->turn, out) ? NULL : N_("no text under a known key");
}

static const char *line_text(struct training *t, struct str line, struct str *out)
{
    struct json_fault fault;

    if (utf8_check(line) != line.n)
        return N_("not UTF-8");
    *out = line;
    if (!t->json)
        return NULL;
    t->value = json_read_at(line, &fault);
    if (!t->value)
        return N_("not JSON");
    if (json_is_object(t->value))
        return object_text(t, out);
    *out = json_str(t->value);
    return json_is_string(t->value) ? NULL : N_("neither an object nor a text");
}

/* ---- lines ---- */

/* True if the line begins a JSON list, which spans several lines, none of which is a text. [sighs]
 * is a text. */
static bool begins_list(struct str line)
{
    struct str rest = str_trim(str_from(line, 1));

    return line.p[0] == '[' && (rest.n == 0 || strchr("{[\"", rest.p[0]));
}

/* `"Of course," she said.` is a text; `"Of course"` may be one in JSON. */
static bool is_json(struct str line)
{
    AUTO(json_freep) json_t *j = NULL;
    struct json_fault fault;

    if (line.p[0] != '"')
        return line.p[0] == '{';
    j = json_read_at(line, &fault);
    return j;
}

/* The first line decides the format. */
static enum status next_line(struct training *t, struct str *line, bool *more, struct err *e)
{
    do {
        if (lines_next(&t->lines, line, more, e) != OK)
            return e->code;
        if (*more)
            hash_str(&t->hash, *line);
        *line = str_trim(*line);
    } while (*more && line->n == 0);
    if (!*more || t->begun)
        return OK;
    if (begins_list(*line))
        return err_set(e, E_INPUT,
                       "%s is a JSON list: write each of its members on a line of its own",
                       t->lines.path);
    t->json = is_json(*line);
    t->begun = true;
    return OK;
}

enum status training_next(struct training *t, struct training_text *out, bool *more, struct err *e)
{
    struct str line, text = {0};

    *more = true;
    if (t->value && training_turn(t->value, &t->turn, &text)) {
        *out = (struct training_text){t->lines.number, text, NULL};
        return OK;
    }
    json_decref(t->value);
    t->value = NULL;
    t->turn = 0;
    if (next_line(t, &line, more, e) != OK)
        return e->code;
    if (!*more)
        return OK;
    out->fault = line_text(t, line, &text);
    out->line = t->lines.number;
    out->text = out->fault ? STR("") : text;
    return OK;
}

enum status training_hash(const char *path, char out[HASH_HEX], struct err *e)
{
    AUTO(training_close) struct training t;
    struct str line;
    bool more = true;

    if (training_open(&t, path, e) != OK)
        return e->code;
    while (more)
        if (next_line(&t, &line, &more, e) != OK)
            return e->code;
    training_hash_hex(&t, out);
    return OK;
}
