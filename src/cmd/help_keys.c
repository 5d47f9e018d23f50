/* help suite, help models, ...: the keys of the files that people write. */
#include "base/message.h"
#include "cmd/help.h"
#include "panel/spec_keys.h"
#include "report/grid.h"
#include "suite/bank.h"
#include "suite/collection.h"
#include "suite/models.h"
#include "suite/shape_help.h"
#include "suite/suite.h"
#include "web/sso.h"

enum { KEY_COLUMN = 22 };

static const struct {
    const char *name;
    const struct shape *root;
} files[] = {{"suite", &suite_shape},      {"models", &models_shape},
             {"campaign", &spec_shape},    {"collection", &collection_shape},
             {"interviewee", &bank_shape}, {"sso", &sso_shape}};

size_t help_keys_files(const char **names, size_t max)
{
    size_t n = 0;

    for (; n < COUNT(files) && n < max; n++)
        names[n] = files[n].name;
    return n;
}

bool help_keys_open(struct arena *a, const char *name, struct shape_book *out)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        if (strcmp(files[i].name, name) == 0) {
            shape_help_open(a, name, files[i].root, out);
            return true;
        }
    }
    return false;
}

/* Without the links of the documentation: "[scene](#scenes)" becomes "scene". */
static struct str unlinked(struct arena *a, struct str text)
{
    AUTO(buf_done) struct buf b = BUF_MAX(text.n + 1);
    size_t open, middle, close;

    while ((middle = str_find(text, STR("]("))) != SIZE_MAX) {
        struct str rest = str_from(text, middle);
        for (open = middle; open > 0 && text.p[open] != '[';)
            open--;
        close = str_find(rest, STR(")"));
        if (close == SIZE_MAX)
            break;
        buf_add(&b, (struct str){text.p, open});
        buf_add(&b, (struct str){text.p + open + 1, middle - open - 1});
        text = str_from(rest, close + 1);
    }
    buf_add(&b, text);
    return arena_str(a, buf_str(&b));
}

/* Where the keys of a book are described. */
struct page {
    struct arena *a;
    const struct shape_book *b;
    size_t columns;
    struct buf *out;
};

static void say(const struct page *p, const struct shape *s, const struct shape_key *k)
{
    const char *text = shape_help_text(p->a, p->b, s, k->name, message_language());
    const char *usual = shape_help_default(p->a, k), *range = shape_help_range(p->a, k);
    struct buf *out = p->out;

    buf_fmt(out, "  %-*s", KEY_COLUMN - 2, k->name);
    grid_lines(out, unlinked(p->a, str_of(text)), p->columns, KEY_COLUMN, KEY_COLUMN);
    if (k->is & SHAPE_NEEDED)
        buf_fmt(out, "%*s[%s]\n", KEY_COLUMN, "", _("required"));
    else if (*usual || *range) {
        buf_fmt(out, "%*s", KEY_COLUMN, "");
        grid_lines(out,
                   str_of(arena_printf(p->a, "[%s%s%s%s%s]", range, *usual && *range ? "; " : "",
                                       *usual ? _("default") : "", *usual ? " " : "", usual)),
                   p->columns, KEY_COLUMN, KEY_COLUMN + 1);
    }
    if (k->since)
        buf_fmt(out, "%*s[%s %s]\n", KEY_COLUMN, "", _("since"), k->since);
}

/* A key may be named "weight", or "dimension.weight" if several sections have one. */
static bool is_meant(const struct shape *s, const struct shape_key *k, const char *name)
{
    size_t n = strlen(s->name);

    return !name || strcmp(k->name, name) == 0 || strcmp(s->name, name) == 0 ||
           (strncmp(s->name, name, n) == 0 && name[n] == '.' && strcmp(name + n + 1, k->name) == 0);
}

bool help_keys_say(struct arena *a, const struct shape_book *b, const char *name, size_t columns,
                   struct buf *out)
{
    const struct page p = {a, b, columns, out};
    size_t before = out->n;

    for (size_t i = 0; i < b->n; i++) {
        const struct shape *s = b->section[i];
        const char *about = shape_help_text(a, b, s, "all", message_language());
        bool first = true;
        for (size_t k = 0; k < s->n; k++) {
            if ((s->keys[k].is & SHAPE_STORE) || !is_meant(s, &s->keys[k], name))
                continue;
            if (first)
                buf_fmt(out, "%s%s\n", out->n > before ? "\n" : "", s->name);
            if (first && about)
                grid_lines(out, unlinked(a, str_of(about)), columns, 0, 0);
            first = false;
            say(&p, s, &s->keys[k]);
        }
    }
    return out->n > before;
}

const char *help_keys_nearest(const struct shape_book *b, const char *name)
{
    const char *names[SHAPE_SECTIONS * 16];
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->section[i]->n && n < COUNT(names); k++)
            names[n++] = b->section[i]->keys[k].name;
    return diag_suggest(str_of(name), names, n);
}
