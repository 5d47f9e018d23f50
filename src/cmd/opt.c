#include "cmd/opt.h"

#include <assert.h>

#include "base/diag.h"

enum { LIST_MAX = 1000, WORDS_MAX = 64 };

struct parse {
    struct arena *arena;
    const struct opt_tables *tables;
    int argc, at;
    char **argv;
    struct opt_args found;
    struct err *e;
};

/* An option that was found, and the struct that it fills. */
struct target {
    const struct opt *opt;
    void *values;
};

static const struct opt *find_in(const struct opt *table, struct str name, char letter)
{
    for (; table && table->name; table++)
        if (letter ? table->letter == letter : str_is(name, table->name))
            return table;
    return NULL;
}

static bool find(const struct opt_tables *t, struct str name, char letter, struct target *out)
{
    out->opt = find_in(t->own, name, letter);
    out->values = t->own_values;
    if (!out->opt) {
        out->opt = find_in(t->common, name, letter);
        out->values = t->common_values;
    }
    return out->opt != NULL;
}

static enum status unknown(const struct parse *p, struct str name)
{
    const char *words[WORDS_MAX], *near;
    size_t n = 0;

    for (const struct opt *o = p->tables->own; o && o->name && n < WORDS_MAX; o++)
        words[n++] = o->name;
    for (const struct opt *o = p->tables->common; o && o->name && n < WORDS_MAX; o++)
        words[n++] = o->name;
    near = diag_suggest(name, words, n);
    if (near)
        return err_set(p->e, E_USAGE, "no such option --%.*s; did you mean --%s?", STR_ARG(name),
                       near);
    return err_set(p->e, E_USAGE, "no such option --%.*s", STR_ARG(name));
}

static const char *word_at(const struct opt_words *w, size_t row)
{
    return *(const char *const *)((const char *)w->rows + row * w->size);
}

enum status opt_choose(const struct opt_words *w, const char *word, size_t *row, struct err *e)
{
    AUTO(buf_done) struct buf all = BUF_MAX(1024);
    const char *option = w->option ? w->option : "", *space = w->option ? " " : "";
    const char *words[WORDS_MAX], *near;

    assert(w->n <= WORDS_MAX);
    for (size_t i = 0; i < w->n; i++) {
        words[i] = word_at(w, i);
        if (strcmp(word, words[i]) == 0) {
            *row = i;
            return OK;
        }
        if (i + 1 < w->n)
            buf_fmt(&all, "%s%s", i == 0 ? "" : ", ", words[i]);
    }
    near = diag_suggest(str_of(word), words, w->n);
    if (w->n == 1)
        return err_set(e, E_USAGE, "%s%s'%s': expected %s", option, space, word, words[0]);
    if (near)
        return err_set(e, E_USAGE, "%s%s'%s': expected %s or %s; did you mean '%s'?", option, space,
                       word, all.p, words[w->n - 1], near);
    return err_set(e, E_USAGE, "%s%s'%s': expected %s or %s", option, space, word, all.p,
                   words[w->n - 1]);
}

/* ---- values ---- */

static enum status set_count(const struct opt *o, int64_t *at, const char *text, struct err *e)
{
    int64_t v, max = o->max ? o->max : INT64_MAX;

    if (!str_int(str_of(text), &v))
        return err_set(e, E_USAGE, "--%s: \"%s\" is not a whole number", o->name, text);
    if (v < o->min || v > max) {
        if (o->max)
            return err_set(e, E_USAGE, "--%s: %s is not between %lld and %lld", o->name, text,
                           (long long)o->min, (long long)o->max);
        return err_set(e, E_USAGE, "--%s: %s is less than %lld", o->name, text, (long long)o->min);
    }
    *at = v;
    return OK;
}

static enum status set_number(const struct opt *o, double *at, const char *text, struct err *e)
{
    double v;

    if (!str_double(str_of(text), &v))
        return err_set(e, E_USAGE, "--%s: \"%s\" is not a number", o->name, text);
    if (v < (double)o->min || (o->max && v > (double)o->max))
        return err_set(e, E_USAGE, "--%s: %s is out of range", o->name, text);
    *at = v;
    return OK;
}

static enum status add_word(const struct parse *p, const struct opt *o, struct opt_list *list,
                            struct str word)
{
    const char **grown;

    word = str_trim(word);
    if (word.n == 0)
        return err_set(p->e, E_USAGE, "--%s: an empty name", o->name);
    if (list->n >= LIST_MAX)
        return err_set(p->e, E_USAGE, "--%s: more than %d names", o->name, LIST_MAX);
    for (size_t i = 0; i < list->n; i++)
        if (str_is(word, list->v[i]))
            return o->min ? err_set(p->e, E_USAGE, "--%s: %s is given twice", o->name, list->v[i])
                          : OK; /* a second time changes nothing */
    grown = NEW_N(p->arena, const char *, list->n + 1);
    for (size_t i = 0; i < list->n; i++)
        grown[i] = list->v[i];
    grown[list->n++] = arena_text(p->arena, word);
    list->v = grown;
    return OK;
}

static enum status set_list(const struct parse *p, const struct opt *o, struct opt_list *list,
                            const char *text)
{
    struct str rest = str_of(text), word;

    while (str_cut(rest, ',', &word, &rest))
        if (add_word(p, o, list, word) != OK)
            return p->e->code;
    return add_word(p, o, list, rest);
}

/* Is its value stored and shown? Then it must be UTF-8; a file name may be anything. */
static bool is_words(const struct opt *o)
{
    return strcmp(o->arg, "TEXT") == 0 || strcmp(o->arg, "NAME") == 0;
}

static enum status set(struct parse *p, struct target where, const char *text)
{
    void *at = (char *)where.values + where.opt->at;

    if (where.values == p->tables->own_values)
        p->found.given[p->found.ngiven++] = where.opt;
    switch (where.opt->kind) {
    case OPT_FLAG:
        *(bool *)at = true;
        return OK;
    case OPT_TEXT:
        if (is_words(where.opt) && utf8_check(str_of(text)) != strlen(text))
            return err_set(p->e, E_USAGE, "--%s: not valid UTF-8", where.opt->name);
        *(const char **)at = text;
        return OK;
    case OPT_LIST:
        return set_list(p, where.opt, at, text);
    case OPT_COUNT:
        return set_count(where.opt, at, text, p->e);
    case OPT_NUMBER:
        return set_number(where.opt, at, text, p->e);
    }
    return OK;
}

/* The value of an option without '=': the next word, which may begin with '-'. But in
 * "--judge --json" the value was forgotten. */
static const char *next_word(struct parse *p, const struct opt *o)
{
    const char *word = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
    struct target other;

    if (!word || (strncmp(word, "--", 2) == 0 && find(p->tables, str_of(word + 2), 0, &other))) {
        (void)err_set(p->e, E_USAGE, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
        return NULL;
    }
    p->at++;
    return word;
}

/* ---- words ---- */

static enum status long_option(struct parse *p, const char *word)
{
    struct str name = str_of(word + 2), value = {0};
    bool has_value = str_cut(name, '=', &name, &value);
    struct target where;
    const char *text = has_value ? word + 2 + name.n + 1 : NULL;

    if (!find(p->tables, name, 0, &where))
        return unknown(p, name);
    if (where.opt->kind == OPT_FLAG && has_value)
        return err_set(p->e, E_USAGE, "--%s takes no value", where.opt->name);
    if (where.opt->kind != OPT_FLAG && !has_value && !(text = next_word(p, where.opt)))
        return p->e->code;
    return set(p, where, text);
}

/* "-v", "-qv", "-j8", "-j 8". */
static enum status short_options(struct parse *p, const char *letters)
{
    for (; *letters; letters++) {
        struct target where;
        const char *text = letters[1] == '=' ? letters + 2 : letters + 1;
        if (!find(p->tables, (struct str){0}, *letters, &where))
            return err_set(p->e, E_USAGE, "no such option -%c", *letters);
        if (where.opt->kind == OPT_FLAG) {
            if (set(p, where, NULL) != OK)
                return p->e->code;
            continue;
        }
        if (*text == '\0' && !(text = next_word(p, where.opt)))
            return p->e->code;
        return set(p, where, text);
    }
    return OK;
}

enum status opt_parse(struct arena *a, int argc, char **argv, const struct opt_tables *t,
                      struct opt_args *args, struct err *e)
{
    struct parse p = {.arena = a, .tables = t, .argc = argc, .argv = argv, .e = e};
    bool ended = false;
    size_t letters = 0;

    for (int i = 1; i < argc; i++)
        letters += strlen(argv[i]);
    p.found.v = NEW_N(a, const char *, (size_t)argc);
    p.found.given = NEW_N(a, const struct opt *, letters); /* -abc are three */

    for (p.at = 1; p.at < argc; p.at++) {
        const char *word = argv[p.at];
        enum status st = OK;
        if (ended || word[0] != '-' || word[1] == '\0')
            p.found.v[p.found.n++] = word;
        else if (strcmp(word, "--") == 0)
            ended = true;
        else if (word[1] == '-')
            st = long_option(&p, word);
        else
            st = short_options(&p, word + 1);
        if (st != OK)
            return st;
    }
    *args = p.found;
    return OK;
}

/* ---- options of one task ---- */

/* "new, import" of "new, import: the run ..."; empty if the help names no tasks. */
static struct str tasks_of(const struct opt *o)
{
    size_t n = strspn(o->help, "abcdefghijklmnopqrstuvwxyz");

    while (strncmp(o->help + n, ", ", 2) == 0)
        n += 2 + strspn(o->help + n + 2, "abcdefghijklmnopqrstuvwxyz");
    return (struct str){o->help, o->help[n] == ':' ? n : 0};
}

enum status opt_task(const struct opt_args *args, struct err *e)
{
    for (size_t i = 0; args->n && i < args->ngiven; i++) {
        const struct str all = tasks_of(args->given[i]);
        struct str rest = all, task;
        bool fits = all.n == 0;
        while (!fits && str_part(&rest, ',', &task))
            fits = str_is(str_trim(task), args->v[0]);
        if (!fits)
            return err_set(e, E_USAGE, "--%s goes with %.*s, not with %s", args->given[i]->name,
                           STR_ARG(all), args->v[0]);
    }
    return OK;
}
