#include "suite/bank.h"

#include <stdlib.h>

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

/* ---- the keys of a character file ---- */

#define IN(type, member) .at = offsetof(struct type, member)
#define N(type, member)  .count = offsetof(struct type, member)
#define QUESTIONS(name, kind)                                                                      \
    {                                                                                              \
        name, SHAPE_SAID, SHAPE_NEEDED, IN(bank_questions, of[kind].v),                            \
            N(bank_questions, of[kind].n), .min = 1, .max = QUESTIONS_MAX                          \
    }

static const struct shape_key part1_keys[] = {
    QUESTIONS("identity", QUESTION_IDENTITY),
    QUESTIONS("surroundings", QUESTION_SURROUNDINGS),
    QUESTIONS("habits", QUESTION_HABITS),
    QUESTIONS("recent", QUESTION_RECENT),
};
static const struct shape part1_shape = {SHAPE_OF("part1", part1_keys, struct bank_questions)};

static const struct shape_key part3_keys[] = {
    QUESTIONS("compare", QUESTION_COMPARE),
    QUESTIONS("predict", QUESTION_PREDICT),
    QUESTIONS("argue", QUESTION_ARGUE),
    QUESTIONS("value", QUESTION_VALUE),
};
static const struct shape part3_shape = {SHAPE_OF("part3", part3_keys, struct bank_questions)};

static const struct shape_key task_keys[] = {
    {"theme", SHAPE_SAID, SHAPE_NEEDED, IN(bank_task, theme)},
    {"points", SHAPE_FIXED, SHAPE_NEEDED | SHAPE_TRIM, IN(bank_task, points), .min = TASK_POINTS,
     .max = TASK_POINTS},
    {"follow_ups", SHAPE_SAID, SHAPE_NEEDED, IN(bank_task, follow_ups.v),
     N(bank_task, follow_ups.n), .min = FOLLOW_UPS_MAX, .max = QUESTIONS_MAX},
};
static const struct shape task_shape = {SHAPE_OF("task", task_keys, struct bank_task)};

static const struct shape_key fact_keys[] = {
    {"id", SHAPE_ID, SHAPE_NEEDED, IN(bank_fact, id)},
    {"fact", SHAPE_PLAIN, SHAPE_NEEDED | SHAPE_TRIM, IN(bank_fact, fact)},
    {"ask", SHAPE_SAID, SHAPE_NEEDED, IN(bank_fact, ask)},
    {"again", SHAPE_SAID, SHAPE_NEEDED, IN(bank_fact, again)},
    {"expect", SHAPE_TEXTS, SHAPE_NEEDED | SHAPE_TRIM, IN(bank_fact, expect), N(bank_fact, nexpect),
     .min = 1, .max = WORDS_MAX},
};
static const struct shape fact_shape = {SHAPE_OF("fact", fact_keys, struct bank_fact)};

static const struct shape_key character_keys[] = {
    {"id", SHAPE_ID, IN(bank_character, id)},
    {"name", SHAPE_PLAIN, SHAPE_NEEDED | SHAPE_TRIM, IN(bank_character, name)},
    {"language", SHAPE_ID, SHAPE_NEEDED, IN(bank_character, language)},
    {"era", SHAPE_PLAIN, SHAPE_TRIM, IN(bank_character, era)},
    {"card", SHAPE_PLAIN, SHAPE_NEEDED | SHAPE_TRIM, IN(bank_character, card)},
    {"surroundings", SHAPE_PLAIN, SHAPE_TRIM, IN(bank_character, surroundings)},
    {"address", SHAPE_PLAIN, SHAPE_TRIM, IN(bank_character, address)},
    {"opening", SHAPE_SAID, IN(bank_character, opening)},
    {"ai", SHAPE_BOOL, IN(bank_character, ai)},
    {"facts", SHAPE_LIST, IN(bank_character, facts), N(bank_character, nfacts), .of = &fact_shape,
     .max = FACTS_MAX},
    {"anachronisms", SHAPE_TEXTS, SHAPE_TRIM, IN(bank_character, anachronisms),
     N(bank_character, nanachronisms), .max = WORDS_MAX},
    {"part1", SHAPE_MAP, IN(bank_character, questions), .of = &part1_shape},
    {"tasks", SHAPE_LIST, IN(bank_character, questions.tasks), N(bank_character, questions.ntasks),
     .of = &task_shape, .min = 1, .max = TASKS_MAX},
    {"part3", SHAPE_MAP, IN(bank_character, questions), .of = &part3_shape},
    {"greeting", .type = SHAPE_OWN},
    {"lorebook", .type = SHAPE_OWN},
};
const struct shape bank_shape = {SHAPE_OF("character", character_keys, struct bank_character)};

const char *bank_kind_name(enum question_kind k)
{
    return k < QUESTION_COMPARE ? part1_keys[k].name : part3_keys[k - QUESTION_COMPARE].name;
}

/* ---- questions ---- */

/* A part that is missing altogether uses the generic questions. */
static void note_parts(const struct node *root, struct bank_questions *q)
{
    static const char *const names[] = {"part1", "tasks", "part3"};

    for (size_t i = 0; i < COUNT(names); i++)
        q->part[i] = field_get(root, names[i]) != NULL;
}

const struct bank_questions *bank_generic(struct arena *a, const char *language)
{
    static const char *const names[] = {"part1", "tasks", "part3", "surroundings"};
    struct bank_character *c = NEW(a, struct bank_character);
    const struct node *root;
    struct diags d;
    const struct shape_reading r = {.a = a, .d = &d, .language = language};

    diags_init(&d, a);
    root = doc_built_in(a,
                        arena_printf(a, "share/interview/%s.yaml",
                                     field_in_language(a, "share/interview/", "generic", language)),
                        &d);
    for (size_t i = 0; i < COUNT(names); i++)
        shape_read_key(&r, &bank_shape, names[i], root, c);
    note_parts(root, &c->questions);
    c->questions.surroundings = c->surroundings;
    return &c->questions;
}

/* Reports every {{name}} in a text other than `slot`. */
static void check_slot(struct diags *d, struct shape_said t, const char *slot, const char *hint)
{
    struct str name;

    while (prompt_name(&t.text, &name))
        if (!str_is(name, slot))
            diags_error(d, t.at, "{{%.*s}} has no meaning here%s", STR_ARG(utf8_head(name, 40)),
                        hint);
}

/* Texts of questions: may use {{theme}} if their part has one. */
static void check_asked(struct diags *d, const struct shape_said *v, size_t n, bool theme)
{
    for (size_t i = 0; i < n; i++)
        check_slot(d, v[i], theme ? "theme" : "",
                   theme ? ": questions of part 3 may name {{theme}}" : "");
}

static void check_questions(const struct bank_questions *q, struct diags *d)
{
    for (int k = 0; k < QUESTION_KINDS; k++)
        check_asked(d, q->of[k].v, q->of[k].n, k >= QUESTION_COMPARE);
    for (size_t i = 0; i < q->ntasks; i++) {
        check_asked(d, &q->tasks[i].theme, 1, false);
        check_asked(d, q->tasks[i].follow_ups.v, q->tasks[i].follow_ups.n, false);
    }
}

/* ---- characters ---- */

static void check_facts(const struct bank_fact *v, size_t n, struct diags *d)
{
    for (size_t k = 0; k < n; k++) {
        check_asked(d, &v[k].ask, 1, false);
        check_asked(d, &v[k].again, 1, true);
        for (size_t i = 0; i < k; i++)
            if (v[k].id[0] && strcmp(v[i].id, v[k].id) == 0)
                diags_error(d, v[k].ask.at, "'%s' is also the id of another fact", v[k].id);
    }
}

static void check_line(const struct node *n, struct str text, struct diags *d)
{
    if (text.n && memchr(text.p, '\n', text.n))
        diags_error(d, n->at, "a name must be one line");
}

bool bank_is_bare(const struct bank_character *c)
{
    return !c->questions.part[0] && !c->questions.part[1] && !c->questions.part[2];
}

static bool read_character(struct arena *a, const char *path, struct place at,
                           struct bank_character *out, struct diags *d)
{
    const struct node *root = doc_load(a, path, at, d);
    const char *stem = field_stem(a, path);
    struct shape_reading r = {.a = a, .d = d, .language = "en"};

    if (!root)
        return false;
    *out = (struct bank_character){.at = root->at,
                                   .source = root->at.source,
                                   .id = field_is_id(str_of(stem)) ? stem : "character",
                                   .language = ""};
    if (!shape_read(&r, &bank_shape, root, out))
        return false;
    note_parts(root, &out->questions);
    out->lorebook = role_lorebook(a, field_get(root, "lorebook"), d);
    check_line(field_get(root, "name"), out->name, d);
    check_line(field_get(root, "address"), out->address, d);
    check_slot(d, out->opening, "address", "");
    check_facts(out->facts, out->nfacts, d);
    check_questions(&out->questions, d);
    /* An imported card may also use the generic surroundings. */
    if (out->surroundings.n == 0 && !bank_is_bare(out))
        diags_error(d, root->at,
                    "the character has no 'surroundings': where it is, and who is talking to it");
    return true;
}

/* ---- the directory ---- */

static int by_id(const void *x, const void *y)
{
    const struct bank_character *a = x, *b = y;

    return strcmp(a->id, b->id);
}

/* Sorted so that the draw does not depend on the order of files. */
static void sort_characters(struct bank_character *v, size_t n, struct diags *d)
{
    if (n)
        qsort(v, n, sizeof *v, by_id);
    for (size_t i = 1; i < n; i++)
        if (strcmp(v[i - 1].id, v[i].id) == 0)
            diags_error(d, v[i].at, "'%s' is also the id of another character: %s", v[i].id,
                        v[i - 1].source->path);
}

const struct bank *bank_load(struct arena *a, const char *dir, struct place at, struct diags *d)
{
    struct folder files = folder_list(a, dir);
    struct bank_character *v;
    struct bank *out;
    size_t n = 0;
    bool there = false;

    v = NEW_N(a, struct bank_character, files.n);
    for (size_t i = 0; i < files.n && i < FILES_MAX; i++) {
        if (!field_is_yaml(str_of(files.v[i])))
            continue;
        there = true;
        if (field_is_outside(a, arena_printf(a, "%s/", dir), files.v[i]))
            diags_error(d, at,
                        "'%s' is outside the folder of this file; --allow-outside lets it be read",
                        files.v[i]);
        else
            n += read_character(a, files.v[i], at, &v[n], d);
    }
    if (!there) {
        diags_error(d, at, "no character file (.yaml) in '%s'", dir);
        return NULL;
    }
    sort_characters(v, n, d);
    out = NEW(a, struct bank);
    *out = (struct bank){v, n};
    return n ? out : NULL;
}
