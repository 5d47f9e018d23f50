#include "exchange/exchange_line.h"

#include "base/file.h"
#include "exchange/import_situations.h"
#include "suite/mark.h"

enum { LINE_BYTES_MAX = 16 << 20, LIST_BYTES_MAX = 256 << 20, NAME_BYTES_MAX = 200 };
enum { REPEAT_MAX = 100000 };

/* ---- lines of a file ---- */

/* Lines of what people said are passed over: they are imported by `campaign import`. */
static enum status unless_peoples(const json_t *j, int64_t number, exchange_line_fn *fn, void *user,
                                  struct err *e)
{
    return str_is(json_str_at(j, "kind", STR("")), EXCHANGE_RATING) ? OK : fn(user, j, number, e);
}

static enum status each_of_list(const char *path, exchange_line_fn *fn, void *user, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *list = NULL;
    struct str text;

    if (file_read(a, path, LIST_BYTES_MAX, &text, e) != OK)
        return e->code;
    if (json_read(str_unmarked(text), &list, e) != OK)
        return err_wrap(e, "%s", path);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (unless_peoples(json_array_get(list, i), (int64_t)i + 1, fn, user, e) != OK)
            return err_wrap(e, "%s: entry %zu", path, i + 1);
    return OK;
}

static enum status one_line(const struct lines *l, struct str text, exchange_line_fn *fn,
                            void *user, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;

    return json_read(text, &j, e) == OK ? unless_peoples(j, l->number, fn, user, e) : e->code;
}

static enum status each_of_lines(const char *path, exchange_line_fn *fn, void *user, struct err *e)
{
    AUTO(lines_close) struct lines l = {0};
    struct str text;
    bool more = true;

    if (lines_open(&l, path, LINE_BYTES_MAX, e) != OK)
        return e->code;
    while (lines_next(&l, &text, &more, e) == OK && more)
        if (str_trim(text).n && one_line(&l, text, fn, user, e) != OK)
            return err_wrap(e, "%s:%lld", path, (long long)l.number);
    return more ? e->code : OK;
}

enum status exchange_line_each(const char *path, exchange_line_fn *fn, void *user, struct err *e)
{
    return file_begins(path) == '[' ? each_of_list(path, fn, user, e)
                                    : each_of_lines(path, fn, user, e);
}

/* ---- what a line is about ---- */

/* Our own word for a thing, and what others call it. */
static const char *const model_words[] = {"model", "model_id", "model_id_A", "model_a", NULL};
static const char *const other_words[] = {"other", "model_id_B", "model_b", NULL};
static const char *const item_words[] = {"item", "situation_id", NULL};
static const char *const judge_words[] = {"judge", "reviewer_id", NULL};
static const char *const reply_words[] = {"reply", "review", NULL};
static const char *const answer_words[] = {"answer", "text", "reply", "output", "response", NULL};

/* The word that the line has; NULL: none. */
static const char *find_word(const json_t *j, const char *const *words)
{
    for (; *words; words++)
        if (json_object_get(j, *words))
            return *words;
    return NULL;
}

static enum status read_name(struct arena *a, const json_t *j, const char *const *words,
                             struct str otherwise, struct str *out, struct err *e)
{
    const char *word = find_word(j, words);
    struct str name = word ? json_name_at(a, j, word) : otherwise;

    if (!str_is_word(name, NAME_BYTES_MAX))
        return err_set(e, E_INPUT,
                       name.n
                           ? "expected \"%s\" to be a name of at most 200 bytes without white space"
                           : "expected \"%s\" with a name",
                       word ? word : words[0]);
    *out = name;
    return OK;
}

static enum status read_repeat(const json_t *j, const char *key, int64_t otherwise, int64_t *out,
                               struct err *e)
{
    const json_t *v = json_object_get(j, key);

    *out = otherwise;
    if (!v || json_is_null(v))
        return OK;
    *out = json_is_integer(v) ? json_integer_value(v) : -1;
    if (*out < 0 || *out >= REPEAT_MAX)
        return err_set(e, E_INPUT, "expected \"%s\" to be a whole number of at least 0", key);
    return OK;
}

static enum status read_state(const json_t *j, bool is_verdict, enum state *out, struct err *e)
{
    struct str word = json_str_at(j, "state", STR("done"));

    for (int s = 0; s < STATES; s++) {
        if (!str_is(word, vocab_state_name((enum state)s)) || (s == STATE_UNSCORED && !is_verdict))
            continue;
        *out = (enum state)s;
        return OK;
    }
    return err_set(e, E_INPUT, "expected \"state\" to be done, failed%s or planned",
                   is_verdict ? ", unscored" : "");
}

static enum status read_answer(const json_t *j, struct str *out, struct err *e)
{
    for (const char *const *word = answer_words; *word && out->n == 0; word++)
        *out = str_trim(json_str_at(j, *word, STR("")));
    return out->n ? OK
                  : err_set(e, E_INPUT,
                            "expected \"answer\" with the model's answer; where it gave none, "
                            "write \"state\": \"failed\"");
}

static enum status read_kind(const json_t *j, bool *is_verdict, struct err *e)
{
    struct str kind = json_str_at(j, "kind", STR(""));

    if (!json_is_object(j))
        return err_set(e, E_INPUT,
                       "expected an object such as {\"model\": ..., \"item\": ..., "
                       "\"answer\": ...}");
    if (import_situations_are(j))
        return err_set(e, E_INPUT,
                       "expected an answer or a verdict, found a situation; `audition items FILE "
                       "-o SUITE.yaml` turns situations into a suite");
    *is_verdict = kind.n ? str_is(kind, "verdict") : find_word(j, judge_words) != NULL;
    if (kind.n && !*is_verdict && !str_is(kind, "sample"))
        return err_set(e, E_INPUT, "expected \"kind\" to be sample or verdict");
    return OK;
}

static enum status read_verdict(const json_t *j, struct arena *a, struct exchange_line *x,
                                struct err *e)
{
    const char *words = find_word(j, reply_words);

    x->reply = words ? json_str_at(j, words, STR("")) : STR("");
    if (read_name(a, j, judge_words, STR(""), &x->judge, e) != OK ||
        (find_word(j, other_words) && read_name(a, j, other_words, STR(""), &x->other, e) != OK) ||
        read_repeat(j, "repeat", 0, &x->repeat, e) != OK)
        return e->code;
    return read_repeat(j, "judge_repeat", -1, &x->judge_repeat, e);
}

static enum status read_sample(const json_t *j, struct map *next, struct exchange_line *x,
                               struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct str key =
        str_of(arena_printf(scratch, "%.*s\t%.*s", STR_ARG(x->model), STR_ARG(x->item)));
    int64_t *repeat = map_room(next, key, sizeof *repeat);

    if (read_repeat(j, "repeat", *repeat, &x->repeat, e) != OK ||
        (x->state == STATE_DONE && read_answer(j, &x->answer, e) != OK))
        return e->code;
    if (x->repeat >= *repeat)
        *repeat = x->repeat + 1;
    return OK;
}

enum status exchange_line_read(const json_t *j, const char *model, struct map *next,
                               struct exchange_line *out, struct err *e)
{
    struct exchange_line x = {.json = j, .other = STR("")};

    if (read_kind(j, &x.is_verdict, e) != OK || read_state(j, x.is_verdict, &x.state, e) != OK ||
        read_name(next->arena, j, model_words, str_of(model), &x.model, e) != OK ||
        read_name(next->arena, j, item_words, STR(""), &x.item, e) != OK ||
        (x.is_verdict ? read_verdict(j, next->arena, &x, e) : read_sample(j, next, &x, e)) != OK)
        return e->code;
    *out = x;
    return OK;
}
