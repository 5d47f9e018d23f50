#include "exchange/recorded.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"

enum { LINE_MAX_BYTES = 4 << 20 };

struct spot {
    long at;
    size_t n;
};

struct recorded {
    struct arena *arena;
    struct map places; /* tag -> struct spot */
    FILE *in;
    const char *path;
};

static struct str reply_in(const json_t *line)
{
    struct str text = json_str_at(line, "text", (struct str){0});

    if (!text.p)
        text = json_str_at(line, "answer", (struct str){0});
    return text.p ? text : json_str_at(line, "reply", (struct str){0});
}

static bool put(struct recorded *r, const char *tag, struct spot *where)
{
    return map_put(&r->places, str_of(tag), where) == NULL;
}

/* A line without a model belongs to the model whose file it is. One with a model may be that
 * model's answer or a judge's words about it: both tags lead to it, and whoever asks knows which is
 * meant. */
static bool index_reply(struct recorded *r, struct arena *scratch, const json_t *line,
                        struct spot *where)
{
    struct str item = json_name_at(scratch, line, "item"),
               model = json_str_at(line, "model", STR("")),
               other = json_str_at(line, "other", STR("")),
               about = json_str_at(line, "about", STR(""));
    long long repeat = json_int_at(line, "repeat", 0),
              judge_repeat = json_int_at(line, "judge_repeat", 0),
              attempt = json_int_at(line, "attempt", 0);
    long long turn = json_int_at(line, "turn", 0);
    const char *sample =
        arena_printf(scratch, "%.*s\t%.*s\t%lld", STR_ARG(model), STR_ARG(item), repeat);
    const char *again = attempt ? "\t1" : "";

    if (turn)
        return put(r, arena_printf(scratch, "%s\t#%lld%s", sample, turn, again), where);
    if (about.n)
        return put(r, arena_printf(scratch, "%s\t@%.*s%s", sample, STR_ARG(about), again), where);
    if (other.n) /* a judge's words about a pair, and nothing else */
        return put(r,
                   arena_printf(scratch, "%.*s\n%.*s\t%.*s\t%lld\t%lld\t%lld", STR_ARG(model),
                                STR_ARG(other), STR_ARG(item), repeat, judge_repeat, attempt),
                   where);
    if (!model.n)
        return put(r, sample, where);
    if (judge_repeat == 0 && attempt == 0 && !put(r, sample, where))
        return false;
    return put(r, arena_printf(scratch, "%s\t%lld\t%lld", sample, judge_repeat, attempt), where);
}

static enum status index_line(struct recorded *r, struct str line, struct spot where, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(json_freep) json_t *j = NULL;
    struct spot *p = NEW(r->arena, struct spot);

    if (json_read(line, &j, e) != OK)
        return e->code;
    if (json_name_at(scratch, j, "item").n == 0)
        return err_set(e, E_INPUT, "expected \"item\" with the id of an item");
    if (!reply_in(j).p)
        return err_set(e, E_INPUT, "expected \"text\" (or \"answer\" or \"reply\") with the text");
    *p = where;
    if (!index_reply(r, scratch, j, p))
        return err_set(e, E_INPUT, "a second reply for the same item and repeat");
    return OK;
}

static enum status index_file(struct recorded *r, struct err *e)
{
    AUTO(lines_close) struct lines l = {0};
    struct str line;
    bool more = true;

    if (lines_open(&l, r->path, LINE_MAX_BYTES, e) != OK)
        return e->code;
    while (lines_next(&l, &line, &more, e) == OK && more) {
        struct spot p = {(long)l.begin, (size_t)(l.end - l.begin)};
        if (str_trim(line).n && index_line(r, line, p, e) != OK)
            return err_wrap(e, "%s:%lld", r->path, (long long)l.number);
    }
    return e->code;
}

enum status recorded_open(struct recorded **out, const char *path, struct err *e)
{
    struct recorded *r = mem_new(sizeof *r);

    e->code = OK;
    r->arena = arena_new();
    r->path = arena_text(r->arena, str_of(path));
    map_init(&r->places, r->arena);
    if (!path[0]) {
        *out = r;
        return OK;
    }
    if (index_file(r, e) != OK) {
        recorded_close(r);
        return e->code;
    }
    r->in = fopen(path, "rbe");
    if (!r->in) {
        recorded_close(r);
        return err_set(e, E_SYSTEM, "%s: cannot open it", path);
    }
    *out = r;
    return OK;
}

void recorded_close(struct recorded *r)
{
    if (!r)
        return;
    if (r->in)
        (void)fclose(r->in);
    arena_free(r->arena);
    free(r);
}

enum status recorded_find(struct arena *a, struct recorded *r, const char *tag, struct str *out,
                          bool *found, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    const struct spot *p = map_get(&r->places, str_of(tag));
    struct str text;
    char *line;

    if (!p) /* a file of one model need not say its name */
        p = map_get(&r->places, str_of(strchr(tag, '\t')));
    *found = p != NULL;
    if (!p)
        return OK;
    line = arena_alloc(a, p->n + 1);
    if (fseek(r->in, p->at, SEEK_SET) != 0 || fread(line, 1, p->n, r->in) != p->n)
        return err_set(e, E_SYSTEM, "%s: changed while it was in use", r->path);
    text = str_unmarked(str_trim((struct str){line, p->n})); /* as lines_next() gave it */
    if (json_read(text, &j, e) != OK)
        return err_wrap(e, "%s", r->path);
    *out = arena_str(a, reply_in(j));
    return OK;
}
