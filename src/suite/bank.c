#include "suite/bank.h"

#include <stdlib.h>

#include "base/asset.h"
#include "base/folder.h"
#include "suite/field.h"
#include "suite/prompt.h"
#include "suite/role.h"

enum {
    FILES_MAX = 5000,
    QUESTIONS_MAX = 200, /* of one kind */
    TASKS_MAX = 100,
    FACTS_MAX = 100,
    WORDS_MAX = 500,
};

const char *bank_kind_name(enum question_kind k)
{
    static const char *const names[QUESTION_KINDS] = {
        [QUESTION_IDENTITY] = "identity", [QUESTION_SURROUNDINGS] = "surroundings",
        [QUESTION_HABITS] = "habits",     [QUESTION_RECENT] = "recent",
        [QUESTION_COMPARE] = "compare",   [QUESTION_PREDICT] = "predict",
        [QUESTION_ARGUE] = "argue",       [QUESTION_VALUE] = "value",
    };

    return names[k];
}

/* ---- texts ---- */

struct reading {
    struct arena *a;
    struct diags *d;
};

/* Whether a text names nothing but this, if anything. */
static void check_slot(struct reading *r, struct bank_text t, const char *slot, const char *hint)
{
    size_t from = 0, begin;
    struct str name;

    while (prompt_next(t.text, &from, &name, &begin))
        if (!str_is(name, slot))
            diags_error(r->d, t.at, "{{%.*s}} has no meaning here%s", STR_ARG(utf8_head(name, 40)),
                        hint);
}

/* A text that is asked: it may name {{theme}} where the part has one. */
static struct bank_text read_question(struct reading *r, const struct node *n, bool theme)
{
    struct bank_text out = {.text = STR("")};

    if (!n)
        return out;
    out = (struct bank_text){str_trim(field_plain(r->a, n, r->d)), n->at};
    if (out.text.n == 0 && n->kind == NODE_SCALAR)
        diags_error(r->d, n->at, "the question is empty");
    check_slot(r, out, theme ? "theme" : "",
               theme ? ": questions of part 3 may name {{theme}}" : "");
    return out;
}

static bool is_list(struct reading *r, const struct node *n, size_t max, const char *what)
{
    if (n->kind == NODE_LIST && n->n <= max)
        return true;
    diags_error(r->d, n->at, "expected a list of %s, at most %zu", what, max);
    return false;
}

static struct bank_texts read_questions(struct reading *r, const struct node *n, bool theme)
{
    struct bank_text *v;
    size_t count = 0;

    if (!n || !is_list(r, n, QUESTIONS_MAX, "questions"))
        return (struct bank_texts){0};
    v = NEW_N(r->a, struct bank_text, n->n);
    for (const struct node *m = n->first; m; m = m->next)
        v[count++] = read_question(r, m, theme);
    return (struct bank_texts){v, count};
}

static const struct str *read_words(struct reading *r, const struct node *n, size_t *count)
{
    struct str *v;

    *count = 0;
    if (!n || !is_list(r, n, WORDS_MAX, "words"))
        return NULL;
    v = NEW_N(r->a, struct str, n->n);
    for (const struct node *m = n->first; m; m = m->next) {
        v[*count] = str_trim(field_plain(r->a, m, r->d));
        if (v[(*count)++].n == 0 && m->kind == NODE_SCALAR)
            diags_error(r->d, m->at, "the word is empty");
    }
    return v;
}

/* ---- questions and cards ---- */

static void read_part(struct reading *r, const struct node *n, enum question_kind first,
                      struct bank_questions *out)
{
    const char *keys[PART_KINDS];

    for (int i = 0; i < PART_KINDS; i++)
        keys[i] = bank_kind_name(first + (enum question_kind)i);
    if (!node_keys(n, keys, PART_KINDS, r->d))
        return;
    for (int i = 0; i < PART_KINDS; i++) {
        const struct node *list = field_get(n, keys[i]);
        out->of[first + (enum question_kind)i] = read_questions(r, list, first == QUESTION_COMPARE);
        if (!list || (list->kind == NODE_LIST && list->n == 0))
            diags_error(r->d,
                        list     ? list->at
                        : n->key ? n->key->at
                                 : n->at,
                        "no question of the kind '%s'", keys[i]);
    }
}

static void read_points(struct reading *r, const struct node *task, struct bank_task *out)
{
    const struct node *n = field_get(task, "points");
    size_t count = 0;

    if (!n || n->kind != NODE_LIST || n->n != TASK_POINTS) {
        diags_error(r->d, n ? n->at : task->at,
                    "a task card needs exactly four 'points'; this one has %zu",
                    n && n->kind == NODE_LIST ? n->n : 0);
        return;
    }
    for (const struct node *m = n->first; m; m = m->next, count++) {
        out->points[count] = str_trim(field_plain(r->a, m, r->d));
        if (out->points[count].n == 0 && m->kind == NODE_SCALAR)
            diags_error(r->d, m->at, "the point is empty");
    }
}

static void read_task(struct reading *r, const struct node *n, struct bank_task *out)
{
    static const char *const keys[] = {"theme", "points", "follow_ups"};
    const struct node *theme = field_get(n, "theme"), *more = field_get(n, "follow_ups");

    if (!node_keys(n, keys, COUNT(keys), r->d))
        return;
    if (!theme)
        diags_error(r->d, n->at, "the task card has no 'theme'");
    out->theme = read_question(r, theme, false);
    read_points(r, n, out);
    out->follow_ups = read_questions(r, more, false);
    if (!more || (more->kind == NODE_LIST && more->n < FOLLOW_UPS_MAX))
        diags_error(r->d, more ? more->at : n->at,
                    "a task card needs at least %d prepared 'follow_ups'; this one has %zu",
                    FOLLOW_UPS_MAX, more ? more->n : 0);
}

static void read_tasks(struct reading *r, const struct node *n, struct bank_questions *out)
{
    struct bank_task *v;

    if (!is_list(r, n, TASKS_MAX, "task cards"))
        return;
    if (n->n == 0)
        diags_error(r->d, n->at, "the list of task cards is empty");
    v = NEW_N(r->a, struct bank_task, n->n);
    out->tasks = v;
    for (const struct node *m = n->first; m; m = m->next)
        read_task(r, m, &v[out->ntasks++]);
}

/* What is absent altogether is left to the generic questions. */
static struct bank_questions read_all_questions(struct reading *r, const struct node *root)
{
    const struct node *one = field_get(root, "part1"), *two = field_get(root, "tasks"),
                      *three = field_get(root, "part3");
    struct bank_questions q = {.part = {one != NULL, two != NULL, three != NULL}};

    if (one)
        read_part(r, one, QUESTION_IDENTITY, &q);
    if (two)
        read_tasks(r, two, &q);
    if (three)
        read_part(r, three, QUESTION_COMPARE, &q);
    return q;
}

const struct bank_questions *bank_generic(struct arena *a, const char *language)
{
    const struct asset *asset = asset_find(arena_printf(a, "share/interview/generic.%.*s.yaml",
                                                        (int)strcspn(language, "-_"), language));
    struct bank_questions *out = NEW(a, struct bank_questions);
    struct source *source = NEW(a, struct source);
    struct reading r = {.a = a};
    const struct node *root;
    struct diags d;

    if (!asset)
        asset = asset_find("share/interview/generic.en.yaml");
    diags_init(&d, a);
    r.d = &d;
    *source = (struct source){.path = asset->name, .text = asset->bytes, .first_line = 1};
    root = doc_parse(a, source, &d);
    *out = read_all_questions(&r, root);
    out->surroundings = str_trim(field_plain(a, field_get(root, "surroundings"), &d));
    return out;
}

/* ---- characters ---- */

static void read_fact(struct reading *r, const struct node *n, struct bank_fact *out)
{
    static const char *const keys[] = {"id", "fact", "ask", "again", "expect"};

    out->id = "";
    if (!node_keys(n, keys, COUNT(keys), r->d))
        return;
    for (size_t i = 0; i < COUNT(keys); i++)
        if (!field_get(n, keys[i]))
            diags_error(r->d, n->at, "the fact has no '%s'", keys[i]);
    out->id = field_id(r->a, field_get(n, "id"), "", r->d);
    out->fact = str_trim(field_plain(r->a, field_get(n, "fact"), r->d));
    out->ask = read_question(r, field_get(n, "ask"), false);
    out->again = read_question(r, field_get(n, "again"), true);
    out->expect = read_words(r, field_get(n, "expect"), &out->nexpect);
    if (field_get(n, "expect") && out->nexpect == 0)
        diags_error(r->d, field_get(n, "expect")->at, "no word that shows agreement");
}

static void read_facts(struct reading *r, const struct node *n, struct bank_character *out)
{
    struct bank_fact *v;

    if (!n || !is_list(r, n, FACTS_MAX, "facts"))
        return;
    v = NEW_N(r->a, struct bank_fact, n->n);
    out->facts = v;
    for (const struct node *m = n->first; m; m = m->next) {
        struct bank_fact *one = &v[out->nfacts];
        read_fact(r, m, one);
        for (size_t i = 0; i < out->nfacts; i++)
            if (one->id[0] && strcmp(v[i].id, one->id) == 0)
                diags_error(r->d, field_get(m, "id")->at, "'%s' is also the id of another fact",
                            one->id);
        out->nfacts++;
    }
}

static struct str read_text(struct reading *r, const struct node *root, const char *key,
                            const char *what)
{
    const struct node *n = field_get(root, key);
    struct str text = str_trim(field_plain(r->a, n, r->d));

    if (!n || (text.n == 0 && n->kind == NODE_SCALAR))
        diags_error(r->d, n ? n->at : root->at, "the character has no '%s': %s", key, what);
    return text;
}

/* What the interviewer calls it, and says first: nobody greets a stranger by a name that was never
 * given. */
static void read_meeting(struct reading *r, const struct node *root, struct bank_character *out)
{
    const struct node *address = field_get(root, "address"), *opening = field_get(root, "opening");

    out->address = str_trim(field_plain(r->a, address, r->d));
    if (out->address.n && memchr(out->address.p, '\n', out->address.n))
        diags_error(r->d, address->at, "a name must be one line");
    if (opening)
        out->opening = (struct bank_text){str_trim(field_plain(r->a, opening, r->d)), opening->at};
    check_slot(r, out->opening, "address", "");
}

/* "mulan" for "bank/zh/mulan.yaml". */
static const char *stem(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct str s = {name, strcspn(name, ".")};

    return field_is_id(s) ? arena_text(a, s) : "character";
}

bool bank_is_bare(const struct bank_character *c)
{
    return !c->questions.part[0] && !c->questions.part[1] && !c->questions.part[2];
}

static bool read_character(struct reading *r, const char *path, struct place at,
                           struct bank_character *out)
{
    static const char *const keys[] = {
        "id",    "name",  "language",     "era",   "card",  "surroundings", "ai",      "address",
        "facts", "part1", "anachronisms", "tasks", "part3", "greeting",     "opening", "lorebook"};
    const struct node *root = doc_load(r->a, path, at, r->d);

    if (!root || !node_keys(root, keys, COUNT(keys), r->d))
        return false;
    *out = (struct bank_character){.at = root->at, .source = root->at.source};
    out->id = field_id(r->a, field_get(root, "id"), stem(r->a, path), r->d);
    out->language = field_id(r->a, field_get(root, "language"), "", r->d);
    if (!field_get(root, "language"))
        diags_error(r->d, root->at, "the character has no 'language' (zh, ja, en, ...)");
    out->name = read_text(r, root, "name", "how it is called");
    if (out->name.n && memchr(out->name.p, '\n', out->name.n))
        diags_error(r->d, field_get(root, "name")->at, "a name must be one line");
    read_meeting(r, root, out);
    out->card = read_text(r, root, "card", "what the model is told of who it is");
    out->lorebook = role_lorebook(r->a, field_get(root, "lorebook"), r->d);
    out->era = str_trim(field_plain(r->a, field_get(root, "era"), r->d));
    out->ai = node_bool(field_get(root, "ai"), false, r->d);
    read_facts(r, field_get(root, "facts"), out);
    out->anachronisms = read_words(r, field_get(root, "anachronisms"), &out->nanachronisms);
    out->questions = read_all_questions(r, root);
    /* Like questions, an imported card may leave this to the generic ones. */
    out->surroundings = str_trim(field_plain(r->a, field_get(root, "surroundings"), r->d));
    if (out->surroundings.n == 0 && !bank_is_bare(out))
        diags_error(r->d, root->at,
                    "the character has no 'surroundings': where it is, and who is talking to it");
    return true;
}

/* ---- the directory ---- */

static bool is_character_file(const char *name)
{
    return str_ends(str_of(name), STR(".yaml")) || str_ends(str_of(name), STR(".yml"));
}

static int by_id(const void *x, const void *y)
{
    const struct bank_character *a = x, *b = y;

    return strcmp(a->id, b->id);
}

/* The order of files must not decide what is drawn. */
static void sort_characters(struct reading *r, struct bank_character *v, size_t n)
{
    if (n)
        qsort(v, n, sizeof *v, by_id);
    for (size_t i = 1; i < n; i++)
        if (strcmp(v[i - 1].id, v[i].id) == 0)
            diags_error(r->d, v[i].at, "'%s' is also the id of another character: %s", v[i].id,
                        v[i - 1].source->path);
}

const struct bank *bank_load(struct arena *a, const char *dir, struct place at, struct diags *d)
{
    struct reading r = {a, d};
    struct folder files = folder_list(a, dir);
    struct bank_character *v;
    struct bank *out;
    size_t n = 0;
    bool there = false;

    v = NEW_N(a, struct bank_character, files.n);
    for (size_t i = 0; i < files.n && i < FILES_MAX; i++) {
        there = there || is_character_file(files.v[i]);
        if (is_character_file(files.v[i]) &&
            field_is_outside(a, arena_printf(a, "%s/", dir), files.v[i]))
            diags_error(
                d, at, "'%s' lies outside the folder of this file; --allow-outside lets it be read",
                files.v[i]);
        else if (is_character_file(files.v[i]))
            n += read_character(&r, files.v[i], at, &v[n]);
    }
    if (!there) {
        diags_error(d, at, "no character file (.yaml) in '%s'", dir);
        return NULL;
    }
    sort_characters(&r, v, n);
    out = NEW(a, struct bank);
    *out = (struct bank){v, n};
    return n ? out : NULL;
}
