/* Loads templates, and checks that every name they use exists. */
#include "base/asset.h"
#include "base/file.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/prompt.h"
#include "suite/suite_read.h"
#include "suite/tag.h"
#include "suite/template.h"

#define BUILT_IN "share/templates/"

const char *const suite_judge_names[] = {
    /* slots of scene judging */
    "evaluation_scene", "scene_desc", "evaluation_metric", "max_score", "score_details", "steps",
    "question", "ref_answer", "answer",
    /* ours */
    "character", "character_name", "dimensions", "format", "format_whole", "fence", "examples",
    "title", "language", "context", "probes", "user",
    /* for pairs */
    "criteria", "answer_a", "answer_b", NULL};

static const char *const repair_names[] = {"fault", "format", "format_whole", "language", NULL};

const char *const suite_names[SUITE_NAMES + 1] = {"character", "character_name", "greeting",
                                                  "prompt",    "language",       "title"};

bool suite_knows(struct str name)
{
    return str_any(name, str_eq, suite_names);
}

bool suite_hides(struct str name)
{
    return str_is(name, "reference") || str_is(name, "id") || str_is(name, "turns") ||
           str_is(name, "keeps");
}

/* ---- finding ---- */

static bool is_file_name(struct str s)
{
    return field_is_yaml(s) || str_ends(s, STR(".txt")) || str_ends(s, STR(".md"));
}

/* A map {name?, system?, user, repair?}. Absent texts stay NULL, which differs from empty. */
static bool from_map(struct arena *a, const struct node *n, const char *name, struct template *out,
                     struct diags *d)
{
    const struct shape_reading r = {.a = a, .d = d};
    size_t errors = d->errors;
    struct template t = {.name = name};

    if (!shape_read(&r, &suite_template_shape, n, &t))
        return false;
    if (node_get(n, "name"))
        t.name = arena_text(a, field_plain(a, node_get(n, "name"), d));
    if (!node_get(n, "user"))
        diags_error(d, n->at, "the template '%s' has no 'user' text", name);
    t.user = field_plain(a, node_get(n, "user"), d);
    if (node_get(n, "system"))
        t.system = field_plain(a, node_get(n, "system"), d);
    if (node_get(n, "repair"))
        t.repair = field_plain(a, node_get(n, "repair"), d);
    if (d->errors != errors)
        return false;
    *out = t;
    return true;
}

static bool from_source(struct arena *a, const struct source *source, const char *name,
                        struct template *out, struct diags *d)
{
    const struct node *root;
    struct str text = str_unmarked(source->text);

    if (!field_is_yaml(str_of(source->path))) {
        if (utf8_check(text) != text.n || (text.n && memchr(text.p, '\0', text.n))) {
            diags_error(d, (struct place){.source = source},
                        "not valid UTF-8; save the file as UTF-8");
            return false;
        }
        while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r'))
            text.n--;
        *out = (struct template){.name = name, .user = text};
        return true;
    }
    root = doc_parse(a, source, d);
    return root && from_map(a, root, name, out, d);
}

static bool from_file(struct arena *a, const char *path, const char *name, struct place at,
                      struct template *out, struct diags *d)
{
    struct source *source = NEW(a, struct source);
    struct err e = {0};

    *source = (struct source){.path = path, .first_line = 1};
    if (file_read(a, path, FIELD_TEXT_MAX, &source->text, &e) != OK) {
        diags_error(d, at, "%s", e.msg);
        return false;
    }
    if (!from_source(a, source, name, out, d))
        return false;
    if (str_trim(out->user).n == 0)
        diags_error(d, (struct place){.source = source}, "the template is empty");
    return str_trim(out->user).n > 0;
}

bool suite_template(struct arena *a, const char *name, const char *beside, struct place at,
                    struct template *out, struct diags *d)
{
    const struct asset *asset = asset_find(arena_printf(a, BUILT_IN "%s.yaml", name));
    const struct node written = {.kind = NODE_SCALAR, .text = str_of(name), .at = at};
    const char *near, *path;
    struct source *source;

    if (asset) {
        source = NEW(a, struct source);
        *source = (struct source){.path = asset->name, .text = asset->bytes, .first_line = 1};
        return from_source(a, source, arena_text(a, str_of(name)), out, d);
    }
    if (is_file_name(str_of(name))) {
        path = beside ? field_file(a, &written, beside, "template file", d)
                      : field_any_file(a, &written, "", "template file", d);
        return path && from_file(a, path, arena_text(a, str_of(name)), at, out, d);
    }
    near = field_built_in(a, BUILT_IN, str_of(name));
    diags_error(d, at,
                near ? "no built-in template '%s' (did you mean '%s'?)"
                     : "no built-in template '%s' (a file ends in .yaml, .txt or .md)",
                name, near);
    return false;
}

/* True for a name or file rather than the text of a template: one word without {{name}}. */
static bool is_reference(struct str s)
{
    struct str rest = s, name;

    return s.n > 0 && s.n <= 4096 && !memchr(s.p, '\n', s.n) && !prompt_name(&rest, &name) &&
           (is_file_name(s) || field_is_id(s));
}

bool suite_template_at(struct arena *a, const struct node *n, const char *beside,
                       struct template *out, struct diags *d)
{
    struct str text = n->kind == NODE_SCALAR ? node_text(n, STR(""), d) : STR("");
    struct str user;

    if (n->kind == NODE_MAP)
        return from_map(a, n, "inline", out, d);
    if (n->kind == NODE_LIST) {
        diags_error(d, n->at, "expected text, the name of a template or {system, user}");
        return false;
    }
    if (is_reference(text) && beside)
        return suite_template(a, arena_text(a, text), beside, n->at, out, d);
    if (is_reference(text)) {
        diags_error(d, n->at, "a file cannot be named here");
        return false;
    }
    user = field_plain(a, n, d);
    if (user.n == 0) {
        diags_error(d, n->at, "the template is empty");
        return false;
    }
    *out = (struct template){.name = "inline", .user = user};
    return true;
}

/* ---- checking ---- */

static void refuse_name(const struct template *t, struct str name, const char *const *known,
                        struct place at, struct diags *d)
{
    size_t n = 0;
    const char *near;

    for (; known[n]; n++)
        if (str_is(name, known[n]))
            return;
    near = diag_suggest(name, known, n);
    diags_error(d, at,
                near ? "the judge template '%s' uses {{%.*s}} (did you mean {{%s}}?)"
                     : "the judge template '%s' uses {{%.*s}}, which nothing fills",
                t->name, STR_ARG(utf8_head(name, 40)), near);
}

void suite_check_judge(const struct template *t, struct place at, struct diags *d)
{
    struct {
        struct str text;
        const char *const *known;
    } part[] = {
        {t->system, suite_judge_names}, {t->user, suite_judge_names}, {t->repair, repair_names}};
    struct str name;

    for (size_t i = 0; i < COUNT(part); i++)
        while (prompt_name(&part[i].text, &name))
            refuse_name(t, name, part[i].known, at, d);
}

bool suite_needs_character(struct str name)
{
    return str_is(name, "character") || str_is(name, "character_name") || str_is(name, "greeting");
}

bool suite_template_names(const struct template *t, const char *slot)
{
    struct str texts[] = {t->system, t->user}, name;

    for (size_t i = 0; i < COUNT(texts); i++)
        while (prompt_name(&texts[i], &name))
            if (str_is(name, slot))
                return true;
    return false;
}

/* Judges of pairs are shown two answers, all others one. */
static void check_pair_slots(const struct suite *s, const struct template *t, struct place at,
                             struct diags *d)
{
    static const char *const of_pairs[] = {"answer_a", "answer_b", "criteria"};
    static const char *const of_marks[] = {"answer",    "dimensions", "evaluation_metric",
                                           "max_score", "examples",   "probes"};
    bool pair = s->instrument.kind == INSTRUMENT_PAIR;

    for (size_t i = 0; i < COUNT(of_pairs); i++)
        if (!pair && suite_template_names(t, of_pairs[i]))
            diags_error(d, at,
                        "the judge template '%s' uses {{%s}}, which only pairs have (kind: pair)",
                        t->name, of_pairs[i]);
        else if (pair && i < 2 && t->user.n && !suite_template_names(t, of_pairs[i]))
            diags_error(d, at, "the judge template '%s' does not show {{%s}}", t->name,
                        of_pairs[i]);
    if (!pair && t->user.n && !suite_template_names(t, of_marks[0]))
        diags_error(d, at, "the judge template '%s' does not show {{%s}}", t->name, of_marks[0]);
    for (size_t i = 0; pair && i < COUNT(of_marks); i++)
        if (suite_template_names(t, of_marks[i]))
            diags_error(d, at, "the judge template '%s' uses {{%s}}, which pairs do not have",
                        t->name, of_marks[i]);
}

void suite_check_slots(const struct suite *s, const struct template *t, struct place at,
                       struct diags *d)
{
    const struct instrument *in = &s->instrument;
    const struct {
        const char *slot, *key;
        struct str text;
    } slots[] = {{"evaluation_scene", "scene", in->scene},
                 {"scene_desc", "scene_description", in->scene_description},
                 {"score_details", "score_details", in->score_details},
                 {"steps", "steps", in->steps}};

    check_pair_slots(s, t, at, d);
    for (size_t i = 0; i < COUNT(slots); i++)
        if (slots[i].text.n == 0 && suite_template_names(t, slots[i].slot))
            diags_error(d, at,
                        "the judge template '%s' uses {{%s}}, but the instrument has no '%s'",
                        t->name, slots[i].slot, slots[i].key);
}

void suite_check_hidden(const struct template *t, struct place at, struct diags *d)
{
    struct str texts[] = {t->system, t->user}, name;

    for (size_t i = 0; i < COUNT(texts); i++)
        while (prompt_name(&texts[i], &name))
            if (suite_hides(name))
                diags_error(d, at, "the template '%s' uses {{%.*s}}, which models must not see",
                            t->name, STR_ARG(name));
}

static bool is_filled(const struct suite *s, const struct item *item, struct str name)
{
    if (tag_var(item, name))
        return true;
    return suite_needs_character(name) ? s->ncharacters > 0 : suite_knows(name);
}

void suite_check_filled(const struct suite *s, const struct endpoint *model,
                        const struct item *item, struct diags *d)
{
    struct str texts[] = {model->template.system, model->template.user}, name;

    for (size_t i = 0; i < COUNT(texts); i++)
        while (prompt_name(&texts[i], &name))
            if (!is_filled(s, item, name))
                diags_error(d, model->template_at,
                            "item '%s' has no '%.*s', which the template of %s uses", item->id,
                            STR_ARG(utf8_head(name, 40)), model->name);
}
