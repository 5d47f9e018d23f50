#include "suite/proof.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/message.h"
#include "suite/bank.h"
#include "suite/proof_parts.h"
#include "text/assistant.h"
#include "text/fold.h"
#include "text/identity.h"
#include "text/language.h"
#include "text/objective.h"
#include "text/plain.h"

enum { FORMS_LOOKED_AT = 3, FILE_MAX = 8 << 20 };

/* ---- reading ---- */

static struct item copy_item(struct arena *a, const struct item *item)
{
    struct item out = {0};
    struct err e = {0};

    if (item_thaw(a, str_of(item_freeze(a, item)), &out, &e) != OK)
        out.id = arena_text(a, str_of(item->id));
    return out;
}

/* Reads all items of a form. */
static struct item *read_items(struct proof *p, const struct suite *s,
                               const struct item_source *from, struct diags *d, size_t *n)
{
    struct item_reader *r = item_reader_new(s, from, d);
    struct item *all = NULL, item;
    size_t cap = 0;

    *n = 0;
    while (item_reader_next(r, &item)) {
        all = arena_grow(p->a, all, &cap, *n + 1, sizeof *all);
        all[(*n)++] = copy_item(p->a, &item);
    }
    item_reader_free(r);
    return all;
}

static size_t length(const struct item *item)
{
    size_t n = utf8_count(item->prompt) + utf8_count(item->reference);

    for (size_t i = 0; i < item->nturns; i++)
        n += utf8_count(item->turns[i].text);
    return n;
}

static bool same_text(const struct item *a, const struct item *b)
{
    bool same = str_eq(a->prompt, b->prompt) && str_eq(a->reference, b->reference);

    for (size_t i = 0; same && i < a->nturns && i < b->nturns; i++)
        same = str_eq(a->turns[i].text, b->turns[i].text);
    return same;
}

/* Reads other forms: which items have any, and whether their lengths match the published form. */
static void read_forms(struct proof *p, struct proof_suite *s, const struct item_source *from)
{
    struct suite other = *s->suite;
    bool *varies = NEW_N(p->a, bool, s->nitems), *told = NEW_N(p->a, bool, s->nitems);
    struct diags unsaid;

    diags_init(&unsaid, p->a);
    for (int64_t form = 1; form <= FORMS_LOOKED_AT; form++) {
        struct item *items;
        size_t n;
        other.form = form;
        items = read_items(p, &other, from, &unsaid, &n);
        for (size_t i = 0; i < n && i < s->nitems; i++) {
            double now = (double)length(&items[i]), then = (double)length(&s->items[i]);
            varies[i] = varies[i] || !same_text(&items[i], &s->items[i]);
            if (!told[i] && (now > 1.3 * then || now < then / 1.3)) {
                told[i] = true;
                proof_about(p, s, s->items[i].id,
                            N_("form %lld has %.0f characters, the published one %.0f"),
                            (long long)form, now, then);
            }
        }
    }
    for (size_t i = 0; i < s->nitems; i++)
        s->varying += varies[i];
}

struct proof *proof_load(struct arena *a, const struct collection *of, const char *path,
                         struct diags *d)
{
    struct proof *p = NEW(a, struct proof);

    *p = (struct proof){.a = a,
                        .d = d,
                        .of = of,
                        .path = path,
                        .suites = NEW_N(a, struct proof_suite, of->nsuites),
                        .nsuites = of->nsuites};
    for (size_t i = 0; i < of->nsuites; i++) {
        struct proof_suite *s = &p->suites[i];
        struct item_source *from = NULL;
        size_t errors = d->errors;
        s->of = &of->suites[i];
        s->suite = s->of->path ? suite_load(a, s->of->path, &from, d) : NULL;
        if (d->errors > errors)
            s->suite = NULL; /* what it lacks would have to be asked for everywhere */
        if (!s->suite || !from)
            continue;
        s->bank = from->bank;
        if (!s->bank)
            s->items = read_items(p, s->suite, from, d, &s->nitems);
        if (!s->bank)
            read_forms(p, s, from);
    }
    return p;
}

/* ---- files ---- */

static void check_canary(struct proof *p)
{
    const char *slash = strrchr(p->path, '/');
    const char *dir =
        slash ? arena_text(p->a, (struct str){p->path, (size_t)(slash - p->path)}) : ".";
    struct folder files = folder_list(p->a, dir);

    if (!*p->of->canary) {
        diags_warn(p->d, (struct place){0}, "%s names no 'canary'", p->path);
        return;
    }
    for (size_t i = 0; i < files.n; i++) {
        AUTO(arena_freep) struct arena *scratch = arena_new();
        struct err e = {0};
        struct str text;
        if (file_read(scratch, files.v[i], FILE_MAX, &text, &e) != OK)
            diags_warn(p->d, (struct place){0}, "%s", e.msg);
        else if (str_find(text, str_of(p->of->canary)) == SIZE_MAX)
            diags_error(p->d, (struct place){0}, "%s lacks the canary", files.v[i]);
    }
}

/* ---- one item ---- */

static void check_card(struct proof *p, const struct proof_suite *s, const struct item *item)
{
    const struct item_card *c = &item->card;

    if (!c->nskills || !c->difficulty || !c->hard.n || !c->weak.n)
        proof_about(p, s, item->id, N_("its card lacks%s%s%s%s"), c->nskills ? "" : " skills",
                    c->difficulty ? "" : " difficulty", c->hard.n ? "" : " hard",
                    c->weak.n ? "" : " weak");
}

/* Detectors for what would be wrong with the reference if it were an answer. */
struct critic {
    const struct identity *identity;
    const struct assistant *assistant;
};

static void check_rules(struct proof *p, const struct proof_suite *s, const struct item *item,
                        const struct critic *by)
{
    const struct character *who = vocab_character(s->suite, item);
    struct str text = item->reference;
    struct runes folded = fold_text(p->a, text);
    struct plain_fault markup = plain_markup(text), broken = plain_malformed(text),
                       cut = plain_cut(text);
    struct language_fault language = language_find(text, s->suite->language);
    struct identity_fault self =
        identity_find(by->identity, &(struct identity_text){.text = text,
                                                            .folded = folded,
                                                            .card = fold_text(p->a, who->text),
                                                            .said = fold_text(p->a, item->prompt)});
    struct str serves = assistant_serves(by->assistant, text, folded),
               refuses = assistant_refuses(by->assistant, text, folded);

    if (markup.why)
        proof_about(p, s, item->id, N_("the reference has markup (%s): %.*s"), markup.why,
                    STR_ARG(utf8_head(markup.part, 40)));
    if (broken.why)
        proof_about(p, s, item->id, N_("the reference is broken (%s)"), broken.why);
    if (cut.why)
        proof_about(p, s, item->id, N_("the reference ends abruptly"));
    if (language.why)
        proof_about(p, s, item->id, N_("the reference is in another language: %.*s"),
                    STR_ARG(utf8_head(language.part, 40)));
    if (self.why)
        proof_about(p, s, item->id, N_("the reference speaks as a program: %.*s"),
                    STR_ARG(utf8_head(self.part, 40)));
    if (serves.n || refuses.n)
        proof_about(p, s, item->id, N_("the reference speaks as a service: %.*s"),
                    STR_ARG(utf8_head(serves.n ? serves : refuses, 40)));
}

/* With objective judges the reference must get full marks, and repeating the prompt must not. */
static void check_functions(struct proof *p, const struct proof_suite *s, const struct item *item)
{
    for (size_t i = 0; i < s->of->njudges; i++) {
        struct objective_case c = {.answer = item->reference, .reference = item->reference};
        const char *name = arena_text(p->a, s->of->judges[i]);
        enum objective_kind kind;
        struct str rest;
        if (!str_starts(s->of->judges[i], STR("objective:")) ||
            !objective_find(name + strlen("objective:"), &kind))
            continue;
        if (kind == OBJECTIVE_CONTAINS) /* any of several alternatives is right */
            (void)str_cut(c.answer, '|', &c.answer, &rest);
        if (!(objective_score(p->a, kind, &c).value >= 1))
            proof_about(p, s, item->id, N_("the reference would not get full marks from %s"), name);
        c.answer = item->prompt;
        if (objective_score(p->a, kind, &c).value >= 1)
            proof_about(p, s, item->id, N_("repeating the prompt gets full marks from %s"), name);
    }
}

/* ---- names and eras ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool holds_word(struct str text, struct str word)
{
    for (size_t at = 0, hit; (hit = str_find(str_from(text, at), word)) != SIZE_MAX; at++) {
        at += hit;
        if ((unsigned char)word.p[0] >= 0x80 ||
            (!(at && is_letter(text.p[at - 1])) &&
             !(at + word.n < text.n && is_letter(text.p[at + word.n]))))
            return true;
    }
    return false;
}

/* Warns if two people of one language share a name, unless they have the same card. */
static void check_names(struct proof *p)
{
    const struct named {
        struct str name, text;
        const char *language, *file;
    } * other;
    struct named *all;
    size_t n = 0, most = 0;

    for (size_t i = 0; i < p->nsuites; i++)
        if (p->suites[i].suite)
            most += p->suites[i].bank ? p->suites[i].bank->n : p->suites[i].suite->ncharacters;
    all = NEW_N(p->a, struct named, most);
    for (size_t i = 0; i < p->nsuites; i++) {
        const struct proof_suite *s = &p->suites[i];
        size_t people = !s->suite ? 0 : s->bank ? s->bank->n : s->suite->ncharacters;
        for (size_t k = 0; k < people; k++) {
            struct named one = {.language = s->suite->language, .file = s->of->file};
            one.name = s->bank ? s->bank->v[k].name : s->suite->characters[k].name;
            one.text = s->bank ? s->bank->v[k].card : s->suite->characters[k].text;
            for (other = all; other < all + n; other++)
                if (str_eq(other->name, one.name) && strcmp(other->language, one.language) == 0 &&
                    !str_eq(other->text, one.text))
                    diags_warn(p->d, (struct place){0}, "%s and %s: two people are called %.*s",
                               other->file, one.file, STR_ARG(one.name));
            all[n++] = one;
        }
    }
}

static void check_eras(struct proof *p, const struct proof_suite *s)
{
    for (size_t i = 0; i < s->bank->n; i++) {
        const struct bank_character *c = &s->bank->v[i];
        for (size_t w = 0; w < c->nanachronisms; w++)
            if (holds_word(c->card, c->anachronisms[w]))
                diags_error(p->d, c->at, "the card of %s says '%.*s', which is out of its era",
                            c->id, STR_ARG(c->anachronisms[w]));
    }
}

/* ---- all checks ---- */

void proof_check(struct proof *p)
{
    const struct critic by = {identity_new(p->a, &(struct identity_words){0}), assistant_new(p->a)};

    check_canary(p);
    for (size_t i = 0; i < p->nsuites; i++) {
        const struct proof_suite *s = &p->suites[i];
        if (s->bank) {
            bank_check(s->bank, p->d);
            check_eras(p, s);
        }
        for (size_t k = 0; k < s->nitems; k++) {
            check_card(p, s, &s->items[k]);
            if (s->items[k].reference.n)
                check_rules(p, s, &s->items[k], &by);
            check_functions(p, s, &s->items[k]);
        }
    }
    check_names(p);
    proof_voice(p);
    proof_languages(p);
    proof_alike(p);
}
