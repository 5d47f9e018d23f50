#include "exchange/labels.h"

#include "base/csv.h"
#include "base/json.h"
#include "base/map.h"
#include "base/message.h"
#include "text/fold.h"
#include "text/hashed.h"

struct seen {
    int64_t line;
    int label;
};

struct reader {
    struct arena *a;
    struct arena *scratch; /* of one line */
    const char *path;
    const char *labels[2]; /* in order of appearance */
    size_t nlabels;
    struct map texts;     /* folded text -> struct seen */
    struct linear_row *v; /* positive: of the label that came second */
    size_t n, cap, repeated;
};

static enum status fault_at(const struct reader *r, int64_t line, struct err *e, const char *what)
{
    return err_set(e, E_INPUT, "%s:%lld: %s", r->path, (long long)line, what);
}

/* ---- one line ---- */

static enum status find_label(struct reader *r, struct str text, int64_t line, int *out,
                              struct err *e)
{
    struct str s = str_trim(text);

    if (s.n == 0 || s.n > LABEL_BYTES_MAX)
        return fault_at(r, line, e, N_("no usable label"));
    for (size_t i = 0; i < r->nlabels; i++) {
        if (str_is(s, r->labels[i])) {
            *out = (int)i;
            return OK;
        }
    }
    if (r->nlabels == 2)
        return err_set(e, E_INPUT, "%s:%lld: a third label, \"%.*s\", after \"%s\" and \"%s\"",
                       r->path, (long long)line, STR_ARG(s), r->labels[0], r->labels[1]);
    *out = (int)r->nlabels;
    r->labels[r->nlabels++] = arena_text(r->a, s);
    return OK;
}

static enum status add(struct reader *r, struct str text, struct str label, int64_t line,
                       struct err *e)
{
    struct seen *seen;
    struct hashed h;
    struct runes folded;
    struct linear_cell *cells;
    int which = 0;

    if (find_label(r, label, line, &which, e) != OK)
        return e->code;
    if (r->n == LABELS_MAX)
        return err_set(e, E_INPUT, "%s: more than %d lines", r->path, LABELS_MAX);
    arena_reset(r->scratch);
    h = hashed_text(r->scratch, text);
    if (h.n == 0)
        return fault_at(r, line, e, N_("the text is empty"));
    /* Texts that fold to the same are alike: nothing that is hashed tells them apart. */
    folded = fold_text(r->scratch, text);
    seen = map_room(&r->texts, (struct str){(const char *)folded.p, folded.n * sizeof *folded.p},
                    sizeof *seen);
    if (seen->line && seen->label != which)
        return err_set(e, E_INPUT, "%s:%lld: repeats the text of line %lld under another label",
                       r->path, (long long)line, (long long)seen->line);
    if (seen->line) {
        r->repeated++;
        return OK;
    }
    *seen = (struct seen){line, which};
    cells = NEW_N(r->a, struct linear_cell, h.n);
    for (size_t i = 0; i < h.n; i++)
        cells[i] = (struct linear_cell){h.cells[i].place, h.cells[i].value};
    r->v = arena_grow(r->a, r->v, &r->cap, r->n + 1, sizeof *r->v);
    r->v[r->n++] = (struct linear_row){cells, h.n, which == 1};
    return OK;
}

/* ---- JSON lines ---- */

static struct str scalar_text(struct arena *a, const json_t *v)
{
    if (json_is_string(v))
        return json_str(v);
    if (json_is_boolean(v))
        return json_is_true(v) ? STR("true") : STR("false");
    if (json_is_integer(v))
        return str_of(arena_int(a, json_integer_value(v)));
    return STR("");
}

static enum status add_json(struct reader *r, struct str line, int64_t number, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    AUTO(arena_freep) struct arena *own = arena_new();
    const json_t *text;

    if (json_read(line, &j, e) != OK)
        return err_wrap(e, "%s:%lld", r->path, (long long)number);
    text = json_object_get(j, "text");
    if (!json_is_string(text))
        return fault_at(r, number, e, N_("expected {\"text\": \"...\", \"label\": ...}"));
    return add(r, json_str(text), scalar_text(own, json_object_get(j, "label")), number, e);
}

static enum status read_lines(struct reader *r, struct err *e)
{
    AUTO(lines_close) struct lines in = {0};
    struct str line;
    bool more = true;

    if (lines_open(&in, r->path, LABEL_LINE_MAX, e) != OK)
        return e->code;
    while (lines_next(&in, &line, &more, e) == OK && more) {
        if (str_trim(line).n == 0)
            continue;
        if (utf8_check(line) != line.n)
            return fault_at(r, in.number, e, N_("not UTF-8"));
        if (add_json(r, line, in.number, e) != OK)
            return e->code;
    }
    return more ? e->code : OK;
}

/* ---- CSV ---- */

static enum status read_csv(struct reader *r, struct err *e)
{
    AUTO(csv_close) struct csv in = {0};
    size_t text, label;
    bool more;

    if (csv_open(&in, r->path, LABEL_LINE_MAX, e) != OK || csv_next(&in, &more, e) != OK)
        return e->code;
    text = more ? csv_column(&in, "text") : SIZE_MAX;
    label = more ? csv_column(&in, "label") : SIZE_MAX;
    if (text == SIZE_MAX || label == SIZE_MAX)
        return fault_at(r, 1, e, N_("expected the columns text and label"));
    if (csv_twice(&in, text) || csv_twice(&in, label)) {
        (void)err_set(e, E_INPUT, "a second column %s", csv_twice(&in, text) ? "text" : "label");
        return err_wrap(e, "%s:%lld", r->path, (long long)in.line);
    }
    while (csv_next(&in, &more, e) == OK && more) {
        if (text >= in.n || label >= in.n)
            return fault_at(r, in.line, e, N_("fewer fields than the first line names"));
        if (add(r, in.fields[text], in.fields[label], in.line, e) != OK)
            return e->code;
    }
    return more ? e->code : OK;
}

/* ---- which is which ---- */

static bool means_yes(const char *label)
{
    return strcmp(label, "1") == 0 || strcmp(label, "true") == 0 || strcmp(label, "yes") == 0;
}

static enum status choose(const struct reader *r, const char *wanted, int *out, struct err *e)
{
    if (r->nlabels < 2)
        return err_set(e, E_INPUT, "%s: %s; a classifier needs two labels", r->path,
                       r->n ? N_("only one label in it") : N_("no line in it"));
    for (int i = 0; wanted && i < 2; i++) {
        if (strcmp(r->labels[i], wanted) == 0) {
            *out = i;
            return OK;
        }
    }
    if (wanted)
        return err_set(e, E_USAGE, "%s: no label \"%s\"; it has \"%s\" and \"%s\"", r->path, wanted,
                       r->labels[0], r->labels[1]);
    if (means_yes(r->labels[0]) != means_yes(r->labels[1]))
        *out = means_yes(r->labels[1]);
    else
        *out = 0; /* the first one seen */
    return OK;
}

static enum status finish(struct reader *r, const char *wanted, struct labels *out, struct err *e)
{
    struct labels l = {.v = r->v, .n = r->n, .repeated = r->repeated};
    int positive = 0;

    if (choose(r, wanted, &positive, e) != OK)
        return e->code;
    l.name[0] = r->labels[!positive];
    l.name[1] = r->labels[positive];
    for (size_t i = 0; i < l.n; i++) {
        l.v[i].positive = l.v[i].positive == (positive == 1);
        l.positive += l.v[i].positive;
    }
    *out = l;
    return OK;
}

enum status labels_read(struct arena *a, const char *path, const char *positive, struct labels *out,
                        struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct reader r = {.a = a, .scratch = scratch, .path = path};

    map_init(&r.texts, a);
    if ((str_ends(str_of(path), STR(".csv")) ? read_csv(&r, e) : read_lines(&r, e)) != OK)
        return e->code;
    return finish(&r, positive, out, e);
}
