/* Finds texts of a collection that resemble each other or a line of training data. */
#include "base/file.h"
#include "base/json.h"
#include "suite/proof_parts.h"
#include "text/corpus.h"

enum { LINE_BYTES_MAX = 16 << 20, DEPTH_MAX = 20, SHOWN_MAX = 100 };

#define ALIKE 0.80 /* same as for answers: docs/STATISTICS.md */

/* A text of an item that is long enough to compare. */
struct piece {
    const struct proof_suite *suite;
    const struct item *item;
    const char *what;
};

struct pieces {
    struct piece *v;
    struct folded *folded;
    size_t n;
};

static void add(struct proof *p, struct pieces *all, struct piece one, struct str text)
{
    struct folded folded = fold_both(p->a, text);

    if (folded.text.n < similar_enough(similar_is_cjk(folded.text)) ||
        folded.text.n > CORPUS_RUNES_MAX)
        return;
    all->v[all->n] = one;
    all->folded[all->n++] = folded;
}

static struct pieces gather(struct proof *p)
{
    struct pieces all = {0};
    size_t most = 0;

    for (size_t i = 0; i < p->nsuites; i++)
        most += 2 * p->suites[i].nitems;
    all.v = NEW_N(p->a, struct piece, most);
    all.folded = NEW_N(p->a, struct folded, most);
    for (size_t i = 0; i < p->nsuites; i++)
        for (size_t k = 0; k < p->suites[i].nitems; k++) {
            const struct item *item = &p->suites[i].items[k];
            struct piece one = {&p->suites[i], item, "prompt"};
            add(p, &all, one, item->prompt);
            one.what = "reference";
            add(p, &all, one, item->reference);
        }
    return all;
}

void proof_alike(struct proof *p)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct pieces all = gather(p);
    struct corpus *c = corpus_new(p->a, all.folded, all.n, ALIKE);

    for (size_t i = 0; i < all.n; i++) {
        struct corpus_matches found;
        arena_reset(scratch);
        found = corpus_search(scratch, c, all.folded[i]);
        for (size_t k = 0; k < found.n; k++) {
            const struct piece *x = &all.v[i], *y = &all.v[found.v[k].text];
            if (found.v[k].text < i && x->item != y->item)
                diags_warn(p->d, (struct place){0},
                           "%s: %s and %s: %s: the %s and the %s are alike (S %.2f)",
                           y->suite->of->file, y->item->id, x->suite->of->file, x->item->id,
                           y->what, x->what, found.v[k].similar.score);
        }
    }
}

/* ---- training lines ---- */

struct search {
    struct proof *p;
    struct pieces all;
    struct corpus *corpus;
    struct arena *scratch;
    const char *path;
    int64_t line, found;
};

static void look(struct search *s, struct str text)
{
    struct corpus_matches m = corpus_search(s->scratch, s->corpus, fold_both(s->scratch, text));

    for (size_t i = 0; i < m.n; i++) {
        const struct piece *x = &s->all.v[m.v[i].text];
        if (s->found++ < SHOWN_MAX)
            diags_error(s->p->d, (struct place){0},
                        "%s:%lld: the %s of %s: %s appears there (S %.2f)", s->path,
                        (long long)s->line, x->what, x->suite->of->file, x->item->id,
                        m.v[i].similar.score);
    }
}

/* Searches every string in it, whoever says it. */
static void walk(struct search *s, json_t *j, int depth)
{
    const char *key;
    json_t *v;
    size_t i;

    if (depth == DEPTH_MAX)
        return;
    if (json_is_string(j))
        look(s, json_str(j));
    for (i = 0; i < json_array_size(j); i++)
        walk(s, json_array_get(j, i), depth + 1);
    json_object_foreach(j, key, v)
    {
        walk(s, v, depth + 1);
    }
}

static void read_line(struct search *s, struct str line)
{
    struct json_fault fault;
    AUTO(json_freep) json_t *j = NULL;

    if (*s->p->of->canary && str_find(line, str_of(s->p->of->canary)) != SIZE_MAX &&
        s->found++ < SHOWN_MAX)
        diags_error(s->p->d, (struct place){0}, "%s:%lld: the canary appears there", s->path,
                    (long long)s->line);
    if (utf8_check(line) != line.n)
        return;
    j = line.n && (line.p[0] == '{' || line.p[0] == '[' || line.p[0] == '"')
            ? json_read_at(line, &fault)
            : NULL;
    if (j)
        walk(s, j, 0);
    else
        look(s, line);
}

enum status proof_training(struct proof *p, const char *path, int64_t *found, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(lines_close) struct lines l;
    struct search s = {.p = p, .all = gather(p), .scratch = scratch, .path = path};
    struct str line;
    bool more = true;

    s.corpus = corpus_new(p->a, s.all.folded, s.all.n, ALIKE);
    if (lines_open(&l, path, LINE_BYTES_MAX, e) != OK)
        return e->code;
    while (more) {
        if (lines_next(&l, &line, &more, e) != OK)
            return e->code;
        arena_reset(scratch);
        s.line = l.number;
        if (more && str_trim(line).n)
            read_line(&s, str_trim(line));
    }
    *found = s.found;
    return OK;
}
