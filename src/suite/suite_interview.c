/* Reads interviews: `elicit: {kind: interview, ...}`, their template and their bank. */
#include "suite/prompt.h"
#include "suite/suite_read.h"

enum { LABEL_MAX = 100 };

/* ---- the template ---- */

static const char *const system_names[] = {"character", "character_name", "surroundings",
                                           "language", NULL};
static const char *const part_names[] = {"character_name", "address", "surroundings",
                                         "theme",          "points",  NULL};
const char *const suite_follow_up_names[] = {"fence",        "character_name", "address",
                                             "surroundings", "theme",          "points",
                                             "dialogue",     "language",       NULL};
static const char *const follow_up_repair_names[] = {"fault", "language", NULL};

/* The texts of the template, and the names they may use. */
static const struct part {
    const char *key;
    size_t at; /* offset in struct interview_template */
    const char *const *names;
} parts[] = {
    {"system", offsetof(struct interview_template, system), system_names},
    {"part1", offsetof(struct interview_template, part[0]), part_names},
    {"part2", offsetof(struct interview_template, part[1]), part_names},
    {"part3", offsetof(struct interview_template, part[2]), part_names},
    {"task", offsetof(struct interview_template, task), part_names},
};

void suite_check_names(struct suite_reading *r, struct str text, const char *const *known,
                       struct place at)
{
    struct str name;
    size_t n = 0;

    while (known[n])
        n++;
    while (prompt_name(&text, &name)) {
        const char *near;
        if (str_any(name, str_eq, known))
            continue;
        near = diag_suggest(name, known, n);
        diags_error(r->d, at,
                    near ? "{{%.*s}} is not available here (did you mean {{%s}}?)"
                         : "{{%.*s}} is not available here",
                    STR_ARG(utf8_head(name, 40)), near);
    }
}

static struct str read_text(struct suite_reading *r, const struct node *map, const char *key,
                            const char *const *names)
{
    const struct node *n = field_get(map, key);
    struct str text = field_plain(r->a, n, r->d);

    if (!n || (text.n == 0 && n->kind == NODE_SCALAR))
        diags_error(r->d, n ? n->at : map->at, "the interview template has no '%s'", key);
    else
        suite_check_names(r, text, names, n->at);
    return text;
}

static void read_follow_up(struct suite_reading *r, const struct node *map,
                           struct interview_template *out)
{
    const struct node *n = field_get(map, "follow_up");

    out->follow_up.name = out->name;
    if (!n) {
        diags_error(r->d, map->at, "the interview template has no 'follow_up'");
    } else if (suite_read_shape(r, &suite_follow_up_shape, n, &out->follow_up)) {
        out->follow_up.system = read_text(r, n, "system", suite_follow_up_names);
        out->follow_up.user = read_text(r, n, "user", suite_follow_up_names);
        out->follow_up.repair = read_text(r, n, "repair", follow_up_repair_names);
    }
}

static void read_map(struct suite_reading *r, const struct node *map,
                     struct interview_template *out)
{
    const struct node *label = field_get(map, "examiner");

    if (!suite_read_shape(r, &suite_words_shape, map, out))
        return;
    out->examiner = str_trim(field_plain(r->a, label, r->d));
    if (out->examiner.n == 0 || out->examiner.n > LABEL_MAX ||
        memchr(out->examiner.p, '\n', out->examiner.n))
        diags_error(r->d, label ? label->at : map->at,
                    "'examiner' is the name of whoever asks in transcripts: a word or two");
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct str text = read_text(r, map, parts[i].key, parts[i].names);
        memcpy((char *)out + parts[i].at, &text, sizeof text);
    }
    read_follow_up(r, map, out);
}

static const struct node *built_in(struct suite_reading *r, const char *name)
{
    return doc_built_in(r->a, arena_printf(r->a, "share/templates/%s.yaml", name), r->d);
}

const struct node *suite_words_load(struct suite_reading *r, const struct node *elicit,
                                    const char *kind)
{
    const struct node *n = field_get(elicit, "template"), *root = n;

    if (!n) {
        root = built_in(r, field_in_language(r->a, "share/templates/", kind, r->s->language));
    } else if (n->kind == NODE_SCALAR && field_is_id(n->text) && !str_ends(n->text, STR(".yaml"))) {
        root = built_in(r, arena_text(r->a, n->text));
        if (!root)
            diags_error(r->d, n->at, "no built-in template '%.*s' (a file ends in .yaml)",
                        STR_ARG(n->text));
    } else if (n->kind == NODE_SCALAR) {
        root = suite_read_file(r, n, "template file");
    }
    return root;
}

/* ---- the bank ---- */

/* Checks that there are enough questions of every kind for one sitting. */
static void check_kinds(struct suite_reading *r, const struct bank_character *c, int part,
                        const struct node *elicit)
{
    const struct interview *how = &r->s->elicit.interview;
    size_t n = (size_t)(part == 1 ? how->part1 : how->part3);
    int first = part == 1 ? QUESTION_IDENTITY : QUESTION_COMPARE;
    const struct node *said = field_get(elicit, part == 1 ? "part1" : "part3");
    const struct bank_questions *q =
        c->questions.part[part - 1] ? &c->questions : bank_generic(r->a, r->s->language);

    for (int k = 0; k < PART_KINDS; k++) {
        size_t want = n / PART_KINDS + ((size_t)k < n % PART_KINDS), has = q->of[first + k].n;
        if (has && has < want)
            diags_error(r->d, said ? said->at : elicit->at,
                        "a sitting asks %zu questions of the kind '%s', but '%s' has %zu", want,
                        bank_kind_name((enum question_kind)(first + k)), c->id, has);
    }
}

static bool same_language(const char *a, const char *b)
{
    size_t n = strcspn(a, "-_");

    return n == strcspn(b, "-_") && strncmp(a, b, n) == 0;
}

/* The characters of the bank become those of the suite, where judges and reports look for them. */
static void take_characters(struct suite_reading *r, const struct bank *b,
                            const struct node *elicit)
{
    struct suite *s = r->s;

    s->characters = NEW_N(r->a, struct character, b->n);
    s->ncharacters = b->n;
    for (size_t i = 0; i < b->n; i++) {
        const struct bank_character *c = &b->v[i];
        s->characters[i] = (struct character){
            .id = c->id, .name = c->name, .text = c->card, .lorebook = c->lorebook};
        if (c->language[0] && !same_language(c->language, s->language))
            diags_error(r->d, c->at, "'%s' is in %s, but the suite is in %s", c->id, c->language,
                        s->language);
        check_kinds(r, c, 1, elicit);
        check_kinds(r, c, 3, elicit);
    }
}

static void read_bank(struct suite_reading *r, const struct node *elicit)
{
    const struct node *n = field_get(elicit, "bank");
    size_t errors = r->d->errors;
    const char *dir;

    if (!n) {
        diags_error(r->d, elicit->at, "the interview has no 'bank': a directory of characters");
        return;
    }
    r->s->elicit.interview.bank = arena_text(r->a, node_text(n, STR(""), r->d));
    if (!r->path)
        return;
    if (r->s->ncharacters)
        diags_error(r->d, n->key->at,
                    "the characters of an interview come from its bank: leave out 'character' and "
                    "'characters'");
    dir = field_file(r->a, n, r->path, "bank", r->d);
    r->bank = dir ? bank_load(r->a, dir, n->at, r->d) : NULL;
    if (r->bank)
        take_characters(r, r->bank, elicit);
    if (r->d->errors != errors)
        r->bank = NULL; /* must not be drawn from */
}

void suite_read_interview(struct suite_reading *r, const struct node *elicit)
{
    const struct node *words = suite_words_load(r, elicit, "interview");

    r->s->elicit.interview.template.name = "interview";
    if (words)
        read_map(r, words, &r->s->elicit.interview.template);
    read_bank(r, elicit);
}
