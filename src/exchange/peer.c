#include "exchange/peer.h"

#include <ctype.h>
#include <math.h>

#include "base/doc.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "base/words.h"
#include "exchange/chat_log.h"
#include "suite/item.h"
#include "suite/vocab.h"
#include "text/language.h"
#include "text/unzip.h"

enum { LOG_MAX = 1 << 30, ENTRY_MAX = 256 << 20, OUT_MAX = 1 << 30 };
enum { ROLES_MAX = 998, ROLES_BYTES = DOC_MAX / 4 }; /* of a suite; others are told of none */

struct log {
    struct arena *a;
    const char *path, *model, *task;
    struct peer *out;
    struct map items, repeats; /* prompt -> id; model and item -> how many so far */
    double min, max;           /* of all marks */
    bool chats;                /* conversations, not the log of a tool */
    int64_t turn;              /* ... of which only this turn is an answer; 0: every one */
    const char *language;      /* ... in which they are */
    struct map roles;          /* ... what the model was told -> id of a character */
    json_t *characters;        /* ... those */
    size_t role_bytes;
    bool told; /* ... somebody was told something */
};

/* One answer with what was given for it, whichever tool wrote it down. */
struct entry {
    struct str prompt, reference, model, answer;
    json_t *marks; /* {SCORER: number}; borrowed */
    struct str reason;
};

/* ---- small things ---- */

/* Python writes NaN and Infinity, which are no JSON. Outside strings they become "", which is no
 * mark. */
static struct str without_nan(struct arena *a, struct str s)
{
    static const char *const words[] = {"NaN", "-Infinity", "Infinity"};
    struct str copy = arena_str(a, s);
    char *p = (char *)(uintptr_t)copy.p;
    bool quoted = false;

    for (size_t i = 0; i < copy.n; i++) {
        if (quoted && p[i] == '\\')
            i++;
        else if (p[i] == '"')
            quoted = !quoted;
        for (size_t k = 0; !quoted && i < copy.n && k < COUNT(words); k++) {
            size_t n = strlen(words[k]);
            if (copy.n - i >= n && memcmp(p + i, words[k], n) == 0) {
                memset(p + i, ' ', n);
                memset(p + i, '"', 2);
                i += n;
            }
        }
    }
    return copy;
}

static enum status read_json(struct log *l, struct str text, json_t **out, struct err *e)
{
    struct str json = without_nan(l->a, text);
    struct err strict = {0};
    bool mended;

    if (json_read(json, out, &strict) == OK || json_read_mended(json, out, &mended, e) == OK)
        return OK;
    *e = strict; /* a log may be longer than what is mended */
    return e->code;
}

/* A text; a list of parts or of messages: their texts, a line each. */
static struct str text_of(struct log *l, const json_t *v)
{
    AUTO(buf_done) struct buf b = BUF_MAX(ENTRY_MAX);
    const json_t *one;
    size_t i;

    if (json_is_string(v))
        return json_str(v);
    if (json_is_object(v) && json_object_get(v, "content"))
        return text_of(l, json_object_get(v, "content"));
    if (json_is_object(v))
        return json_is_string(json_object_get(v, "text")) ? json_str_at(v, "text", STR(""))
                                                          : str_of(json_text(l->a, v));
    json_array_foreach(v, i, one)
    {
        buf_text(&b, b.n ? "\n" : "");
        buf_add(&b, text_of(l, one));
    }
    return arena_str(l->a, buf_str(&b));
}

/* A mark: a number, true or false, or Inspect's letters. NaN: none. */
static double mark_of(const json_t *v)
{
    static const struct {
        const char *letter;
        double mark;
    } letters[] = {{"C", 1}, {"P", 0.5}, {"I", 0}, {"N", 0}};
    double mark;

    if (json_is_boolean(v))
        return json_is_true(v);
    if (json_is_number(v))
        return json_number_value(v);
    for (size_t i = 0; json_is_string(v) && i < COUNT(letters); i++)
        if (strcmp(json_string_value(v), letters[i].letter) == 0)
            return letters[i].mark;
    return json_is_string(v) && str_double(str_of(json_string_value(v)), &mark) ? mark : NAN;
}

static void put_mark(json_t *marks, const char *scorer, const json_t *value)
{
    double mark = mark_of(value);

    if (isfinite(mark))
        (void)json_object_set_new(marks, scorer, json_real(mark));
}

/* ---- our files ---- */

static void write_line(struct log *l, struct buf *to, json_t *line)
{
    buf_text(to, json_text(l->a, line));
    buf_char(to, '\n');
    json_decref(line);
}

/* The id of a prompt, which becomes an item when it is met for the first time. */
static const char *item_of(struct log *l, const struct entry *x)
{
    const char *id = map_get(&l->items, x->prompt);

    if (id)
        return id;
    id = arena_printf(l->a, "i%05zu", ++l->out->nitems);
    (void)map_put(&l->items, x->prompt, (void *)(uintptr_t)id);
    write_line(l, &l->out->items,
               json_pack("{s:s, s:o, s:o*}", "id", id, "prompt", json_from_str(x->prompt),
                         "reference", x->reference.n ? json_from_str(x->reference) : NULL));
    return id;
}

static int64_t repeat_of(struct log *l, struct str model, const char *item)
{
    struct str key = str_of(arena_printf(l->a, "%.*s\t%s", STR_ARG(model), item));
    int64_t *n = map_room(&l->repeats, key, sizeof *n);

    return (*n)++;
}

static enum status add_entry(struct log *l, const struct entry *x, struct err *e)
{
    struct str model = x->model.n ? x->model : str_of(l->model);
    const char *item, *scorer;
    json_t *mark;
    int64_t repeat;

    if (str_trim(x->answer).n == 0 || str_trim(x->prompt).n == 0) {
        l->out->silent++;
        return OK;
    }
    if (model.n == 0)
        return err_set(e, E_USAGE,
                       "%s does not say which model answered: name it with --model NAME", l->path);
    item = item_of(l, x);
    repeat = repeat_of(l, model, item);
    write_line(l, &l->out->answers,
               json_pack("{s:s, s:o, s:s, s:I, s:o}", "kind", "sample", "model",
                         json_from_str(model), "item", item, "repeat", (json_int_t)repeat, "answer",
                         json_from_str(x->answer)));
    l->out->samples++;
    json_object_foreach(x->marks, scorer, mark)
    {
        double v = json_number_value(mark);
        l->min = v < l->min ? v : l->min;
        l->max = v > l->max ? v : l->max;
        write_line(l, &l->out->answers,
                   json_pack("{s:s, s:s, s:o, s:s, s:I, s:{s:f}, s:o*}", "kind", "verdict", "judge",
                             scorer, "model", json_from_str(model), "item", item, "repeat",
                             (json_int_t)repeat, "marks", "score", v, "reason",
                             x->reason.n ? json_from_str(x->reason) : NULL));
        l->out->verdicts++;
    }
    return OK;
}

static void write_suite(struct log *l)
{
    if (l->chats) {
        AUTO(json_freep)
        json_t *suite =
            json_pack("{s:s, s:s, s:O*, s:{s:s}, s:{s:[{s:s, s:s, s:s}]}, s:s}", "suite", l->task,
                      "language", l->language, "characters", l->told ? l->characters : NULL,
                      "elicit", "kind", "single", "instrument", "dimensions", "id", "role", "title",
                      words_of(l->language, MADE_TITLE), "scale", "1..5", "items", "items.jsonl");
        buf_fmt(
            &l->out->suite,
            "# From conversations (%s): an item for each answer, with what was said before it.\n"
            "# A dialogue suite with `items: beginnings.jsonl` takes over there.\n",
            l->out->tool);
        doc_write(&l->out->suite, suite);
        return;
    }
    buf_fmt(&l->out->suite,
            "# From a log of %s. Marks are those of its scorers, each a judge of that name.\n"
            "suite: %s\n"
            "language: en\n"
            "elicit: {kind: single}\n"
            "instrument: {dimensions: [{id: score, scale: %.15g..%.15g, step: any}]}\n"
            "items: items.jsonl\n",
            l->out->tool, l->task, floor(l->min), ceil(l->max));
}

/* ---- Inspect ---- */

static enum status inspect_sample(struct log *l, const json_t *s, struct err *e)
{
    AUTO(json_freep) json_t *marks = json_object();
    const json_t *output = json_object_get(s, "output"), *score;
    struct entry x = {.prompt = text_of(l, json_object_get(s, "input")),
                      .reference = text_of(l, json_object_get(s, "target")),
                      .answer = json_str_at(output, "completion", STR("")),
                      .model = json_str_at(output, "model", STR("")),
                      .marks = marks};
    const char *scorer;
    json_t *scores = json_object_get(s, "scores");

    if (x.answer.n == 0)
        x.answer = text_of(
            l, json_object_get(json_array_get(json_object_get(output, "choices"), 0), "message"));
    json_object_foreach(scores, scorer, score)
    {
        put_mark(marks, scorer, json_object_get(score, "value"));
        if (x.reason.n == 0)
            x.reason = json_str_at(score, "explanation", STR(""));
    }
    return add_entry(l, &x, e);
}

static enum status inspect_zip(struct log *l, struct str bytes, struct err *e)
{
    struct unzip z;

    if (unzip_open(l->a, bytes, &z, e) != OK)
        return e->code;
    for (size_t i = 0; i < z.n; i++) {
        AUTO(json_freep) json_t *j = NULL;
        struct str text;
        if (!str_starts(z.v[i].name, STR("samples/")) || !str_ends(z.v[i].name, STR(".json")))
            continue;
        if (unzip_read(l->a, &z, &z.v[i], ENTRY_MAX, &text, e) != OK ||
            read_json(l, text, &j, e) != OK || inspect_sample(l, j, e) != OK)
            return err_wrap(e, "%.*s", STR_ARG(utf8_head(z.v[i].name, 100)));
    }
    return OK;
}

/* ---- promptfoo ---- */

static enum status promptfoo_result(struct log *l, const json_t *r, struct err *e)
{
    AUTO(json_freep) json_t *marks = json_object();
    const json_t *grading = json_object_get(r, "gradingResult"), *part;
    const json_t *provider = json_object_get(r, "provider");
    struct entry x = {.prompt = json_str_at(json_object_get(r, "prompt"), "raw", STR("")),
                      .answer =
                          text_of(l, json_object_get(json_object_get(r, "response"), "output")),
                      .model = json_str_at(provider, "label", STR("")),
                      .reason = json_str_at(grading, "reason", STR("")),
                      .marks = marks};
    size_t i;

    if (x.model.n == 0)
        x.model = json_str_at(provider, "id", STR(""));
    json_array_foreach(json_object_get(grading, "componentResults"), i, part)
    {
        const json_t *by = json_object_get(part, "assertion");
        struct str name = json_str_at(by, "metric", json_str_at(by, "type", STR("assertion")));
        put_mark(marks, arena_text(l->a, name), json_object_get(part, "score"));
    }
    if (json_object_size(marks) == 0)
        put_mark(marks, "promptfoo", json_object_get(r, "score"));
    return add_entry(l, &x, e);
}

/* ---- lm-eval ---- */

/* The prompt of the first request; the answers are one list for each request, an entry a repeat. */
static enum status lm_eval_line(struct log *l, const json_t *r, struct err *e)
{
    AUTO(json_freep) json_t *marks = json_object();
    const json_t *first = json_object_get(json_object_get(r, "arguments"), "gen_args_0"), *one;
    const json_t *answers = json_array_get(json_object_get(r, "resps"), 0);
    struct entry x = {.prompt = json_str_at(first, "arg_0", STR("")),
                      .reference = text_of(l, json_object_get(r, "target")),
                      .marks = marks};
    size_t i;

    json_array_foreach(json_object_get(r, "metrics"), i, one)
    {
        const char *name = json_string_value(one);
        if (name)
            put_mark(marks, name, json_object_get(r, name));
    }
    if (!json_is_string(json_array_get(answers, 0))) { /* log-likelihoods of choices */
        l->out->silent++;
        return OK;
    }
    json_array_foreach(answers, i, one)
    {
        x.answer = text_of(l, one);
        if (add_entry(l, &x, e) != OK)
            return e->code;
        x.marks = NULL; /* they are about the first, or about all together */
    }
    return OK;
}

/* ---- which log it is ---- */

static enum status read_root(struct log *l, const json_t *root, struct err *e)
{
    const json_t *samples = json_object_get(root, "samples"), *one;
    const json_t *rows = json_object_get(root, "results");
    size_t i;

    if (json_is_array(samples) && json_object_get(root, "eval")) {
        l->out->tool = "Inspect";
        json_array_foreach(samples, i, one)
        {
            if (inspect_sample(l, one, e) != OK)
                return e->code;
        }
        return OK;
    }
    if (json_is_object(rows))
        rows = json_object_get(rows, "results");
    if (!json_is_array(rows))
        return err_set(e, E_INPUT,
                       "neither a conversation nor a log of Inspect, promptfoo or lm-eval: "
                       "expected \"samples\", \"results\", or one result per line");
    l->out->tool = "promptfoo";
    json_array_foreach(rows, i, one)
    {
        if (promptfoo_result(l, one, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status read_lines(struct log *l, struct str text, struct err *e)
{
    struct str line;

    for (int64_t n = 1; str_line(&text, &line); n++) {
        AUTO(json_freep) json_t *j = NULL;
        enum status st = OK;
        if (str_trim(line).n == 0)
            continue;
        if (read_json(l, line, &j, e) != OK)
            return err_wrap(e, "line %lld", (long long)n);
        if (json_object_get(j, "resps")) {
            l->out->tool = "lm-eval";
            st = lm_eval_line(l, j, e);
        } else if (json_object_get(j, "provider")) {
            l->out->tool = "promptfoo";
            st = promptfoo_result(l, j, e);
        } else {
            st = err_set(e, E_INPUT, "expected \"resps\" (lm-eval) or \"provider\" (promptfoo)");
        }
        if (st != OK)
            return err_wrap(e, "line %lld", (long long)n);
    }
    return OK;
}

/* ---- conversations ---- */

static json_t *turns_of(const struct chat_log *log, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(list, json_pack("{s:s, s:o}", "role",
                                                    log->v[i].model ? "assistant" : "user", "text",
                                                    json_from_str(log->v[i].text)));
    return list;
}

/* The character that the model was to be: the same words are the same one. NULL: none was given. */
static const char *role_of(struct log *l, const struct chat_log *log)
{
    struct str none = STR("(none)"), text = log->role.n ? log->role : none, name = {0};
    const char *id;
    json_t *one;

    if (!l->told)
        return NULL;
    id = map_get(&l->roles, text);
    if (!id &&
        (json_array_size(l->characters) >= ROLES_MAX || l->role_bytes + text.n > ROLES_BYTES))
        id = map_get(&l->roles, text = none);
    if (id)
        return id;
    id = arena_printf(l->a, "role-%zu", json_array_size(l->characters) + 1);
    for (size_t i = 0; i < log->n && name.n == 0; i++)
        if (log->v[i].model)
            name = log->v[i].who;
    one = json_add_object(l->characters);
    json_put_text(one, "id", id);
    json_put_str(one, "name", name.n ? name : str_of(id));
    json_put_str(one, "text", text);
    (void)map_put(&l->roles, text, (void *)(uintptr_t)id);
    l->role_bytes += text.n;
    return id;
}

/* Refuse a conversation that is too long for any suite. */
static enum status chat_fits(size_t number, size_t before, struct err *e)
{
    if (before <= (size_t)ITEM_TURNS_MAX)
        return OK;
    return err_set(
        e, E_INPUT,
        "conversation %zu: more than %d turns before an answer; choose an earlier answer "
        "with --turn",
        number + 1, ITEM_TURNS_MAX);
}

/* One place at which the model answers, with what was said before, and all that was answered. */
static void chat_place(struct log *l, size_t number, const struct chat_log *log, size_t at)
{
    const struct chat_message *m = &log->v[at];
    const char *id = arena_printf(l->a, "c%zu-t%zu", number + 1, at + 1);

    write_line(l, &l->out->items,
               json_pack("{s:s, s:s, s:s*, s:o}", "id", id, "group",
                         arena_printf(l->a, "c%zu", number + 1), "character", role_of(l, log),
                         "turns", turns_of(log, at)));
    /* The prompt of a dialogue is its scene, of which nothing is known. */
    write_line(l, &l->out->begun,
               json_pack("{s:s, s:s, s:o}", "id", id, "prompt", "…", "turns", turns_of(log, at)));
    l->out->nitems++;
    for (size_t i = 0; i <= m->nothers; i++) {
        write_line(l, &l->out->answers,
                   json_pack("{s:s, s:s, s:s, s:I, s:o}", "kind", "sample", "model", l->model,
                             "item", id, "repeat", (json_int_t)i, "answer",
                             json_from_str(i ? m->others[i - 1] : m->text)));
        l->out->samples++;
    }
}

/* The language of its longest message, as far as letters tell. */
static const char *language_of(const struct chat_log *log)
{
    struct str text = log->v[0].text;

    for (size_t i = 1; i < log->n; i++)
        if (log->v[i].text.n > text.n)
            text = log->v[i].text;
    return language_guess(text);
}

static enum status chats(struct log *l, const struct chat_log_list *logs, struct err *e)
{
    if (!l->model)
        return err_set(e, E_USAGE,
                       "a conversation does not say which model answered: name it with "
                       "--model");
    if (logs->bad_line)
        return err_set(e, E_INPUT, "line %lld is not JSON", (long long)logs->bad_line);
    if (logs->strange_line)
        return err_set(e, E_INPUT, "line %lld holds no conversation",
                       (long long)logs->strange_line);
    if (logs->strange_entry)
        return err_set(e, E_INPUT, "entry %lld of the list holds no conversation",
                       (long long)logs->strange_entry);
    l->out->tool = logs->tool;
    l->chats = true;
    l->language = language_of(&logs->v[0]);
    for (size_t i = 0; i < logs->n; i++) {
        l->told |= logs->v[i].role.n > 0;
        l->out->silent += logs->v[i].silent;
    }
    for (size_t i = 0; i < logs->n; i++)
        for (size_t k = 1; k < logs->v[i].n; k++) {
            if (!logs->v[i].v[k].model || (l->turn && l->turn != (int64_t)k + 1))
                continue;
            if (chat_fits(i, k, e) != OK)
                return e->code;
            chat_place(l, i, &logs->v[i], k);
        }
    return OK;
}

static enum status read_any(struct log *l, struct str bytes, struct err *e)
{
    AUTO(json_freep) json_t *root = NULL;
    struct chat_log_list logs;
    struct err not_one = {0};

    bytes = str_unmarked(bytes);
    if (unzip_is(bytes)) {
        l->out->tool = "Inspect";
        return inspect_zip(l, bytes, e);
    }
    (void)!read_json(l, bytes, &root, &not_one);
    logs = chat_log_read(l->a, bytes, root);
    if (logs.n)
        return chats(l, &logs, e);
    if (root && !json_object_get(root, "resps") && !json_object_get(root, "provider"))
        return read_root(l, root, e);
    return read_lines(l, bytes, e);
}

/* "2026-11-15_my-task_ab.eval" -> "log-2026-11-15-my-task-ab": what an id may hold. */
static const char *task_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *id = arena_alloc(a, strlen(name) + 5);
    size_t n = 0;

    memcpy(id, "log-", 4);
    for (n = 4; *name && *name != '.' && n < 60; name++) {
        char c = (char)tolower((unsigned char)*name);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            id[n++] = c;
        else if (id[n - 1] != '-')
            id[n++] = '-';
    }
    id[n] = '\0';
    while (id[n - 1] == '-')
        id[--n] = '\0';
    return id;
}

enum status peer_read(struct arena *a, const char *path, const struct peer_want *want,
                      struct peer *out, struct err *e)
{
    AUTO(json_freep) json_t *characters = json_array();
    struct log l = {.a = a,
                    .characters = characters,
                    .path = path,
                    .model = want->model,
                    .turn = want->turn,
                    .task = task_of(a, path),
                    .out = out,
                    .max = 1};
    struct str bytes;

    *out = (struct peer){.suite = BUF_MAX(DOC_MAX),
                         .items = BUF_MAX(OUT_MAX),
                         .answers = BUF_MAX(OUT_MAX),
                         .begun = BUF_MAX(OUT_MAX)};
    map_init(&l.items, a);
    map_init(&l.repeats, a);
    map_init(&l.roles, a);
    if (file_read(a, path, LOG_MAX, &bytes, e) != OK)
        return e->code;
    if (read_any(&l, bytes, e) != OK)
        return err_wrap(e, "%s", path);
    if (out->samples == 0)
        return err_set(e, E_INPUT, "%s contains no answers in text form", path);
    if (out->items.full || out->answers.full)
        return err_set(e, E_INPUT, "%s: over 1 GB", path);
    write_suite(&l);
    return OK;
}

void peer_done(struct peer *p)
{
    buf_done(&p->suite);
    buf_done(&p->items);
    buf_done(&p->answers);
    buf_done(&p->begun);
}
