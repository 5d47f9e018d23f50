#include "panel/spec.h"

#include <math.h>

#include "base/asset.h"
#include "base/clock.h"
#include "base/message.h"
#include "panel/spec_keys.h"
#include "store/store.h"
#include "suite/field.h"
#include "suite/suite.h"

enum { HOUR_MS = 3600000 };

/* A campaign file being read. */
struct reading {
    struct arena *a;
    struct diags *d;
    const struct suite *suite;
    const char *path; /* NULL: not a file */
    bool stored;      /* what it leaves out had no default when it was stored */
    struct spec *out;
};

static bool read_shape(const struct reading *r, const struct shape *s, const struct node *n,
                       void *out)
{
    const struct shape_reading reading = {r->a, r->d, "en", r->stored};

    return shape_read(&reading, s, n, out);
}

struct str spec_wording(const struct wording *w, const char *language)
{
    enum language l = message_language_of(language);

    return l == CHINESE ? w->zh : l == JAPANESE ? w->ja : w->en;
}

static struct wording read_wording(struct reading *r, const struct node *n)
{
    return (struct wording){field_text(r->a, n, "en", r->d), field_text(r->a, n, "zh", r->d),
                            field_text(r->a, n, "ja", r->d)};
}

/* ---- about the rater ---- */

static void read_question(struct reading *r, const struct node *n, struct question *out)
{
    const struct node *list = field_get(n, "options");
    struct wording *options;

    if (!read_shape(r, &spec_question_shape, n, out))
        return;
    out->text = read_wording(r, field_get(n, "text"));
    if (!*out->id || out->text.en.n == 0)
        diags_error(r->d, n->at, "a question needs an 'id' and a 'text'");
    if (!list || list->kind != NODE_LIST || list->n < OPTIONS_MIN || list->n > OPTIONS_MAX) {
        diags_error(r->d, list ? list->at : n->at,
                    "expected %d to %d options; \"prefer not to say\" is added automatically",
                    OPTIONS_MIN, OPTIONS_MAX);
        return;
    }
    options = NEW_N(r->a, struct wording, list->n);
    for (const struct node *o = list->first; o; o = o->next)
        options[out->noptions++] = read_wording(r, o);
    out->options = options;
}

static void read_about(struct reading *r, const struct node *n)
{
    struct question *v;

    if (!n)
        return;
    if (n->kind != NODE_LIST || n->n > QUESTIONS_MAX) {
        diags_error(r->d, n->at, "expected a list of at most %d questions", QUESTIONS_MAX);
        return;
    }
    v = NEW_N(r->a, struct question, n->n);
    for (const struct node *q = n->first; q; q = q->next) {
        struct question *new = &v[r->out->nabout++];
        *new = (struct question){.id = ""};
        read_question(r, q, new);
        for (const struct question *old = v; *new->id &&old < new; old++)
            if (strcmp(old->id, new->id) == 0)
                diags_error(r->d, q->at, "there are two questions '%s'", new->id);
    }
    r->out->about = v;
}

/* ---- practice and exclusion ---- */

static void read_practice(struct reading *r, const struct node *n)
{
    struct practice *p = &r->out->practice;

    *p = (struct practice){.on = r->out->nanchors > 0 || (n && n->kind == NODE_MAP)};
    if (n && n->kind == NODE_SCALAR) /* practice: no */
        p->on = node_bool(n, p->on, r->d);
    (void)read_shape(r, &spec_practice_shape, n && n->kind == NODE_SCALAR ? NULL : n, p);
    if (p->on && n && r->suite->instrument.kind == INSTRUMENT_PAIR)
        diags_error(r->d, n->at, "comparisons of two texts have no practice");
    else if (p->on && r->out->nanchors == 0)
        diags_error(r->d, n ? n->at : (struct place){0},
                    "practice needs texts with known marks: 'examples' here or in the suite");
}

static void read_anchors(struct reading *r, const struct node *root)
{
    struct spec *s = r->out;

    s->anchors = r->suite->examples;
    s->nanchors = r->suite->nexamples;
    if (field_get(root, "examples"))
        s->anchors = suite_examples(r->a, root, r->path, r->suite, &s->nanchors, r->d);
}

/* ---- the rest ---- */

static int64_t read_deadline(struct reading *r, const struct node *n)
{
    struct str text = field_plain(r->a, n, r->d);
    int64_t ms = 0;

    if (n && !clock_read(text, &ms))
        diags_error(r->d, n->at,
                    "expected a time such as 2026-12-01 18:00 +09:00 (without a zone: UTC)");
    return ms;
}

static void read_consent(struct reading *r, const struct node *n)
{
    struct spec *s = r->out;

    if (!n || !read_shape(r, &spec_consent_shape, n, s))
        return;
    s->consent = read_wording(r, field_get(n, "text"));
    if (!*s->consent_version || s->consent.en.n == 0)
        diags_error(r->d, n->at, "consent needs a 'version' and a 'text'");
}

static void read_completion(struct reading *r, const struct node *n)
{
    struct spec *s = r->out;

    if (!n || !read_shape(r, &spec_completion_shape, n, s))
        return;
    /* Codes and panel numbers are sent there. Older stored files may have http. */
    if (*s->return_url && !str_starts(str_of(s->return_url), STR("https://")) &&
        !(r->stored && str_starts(str_of(s->return_url), STR("http://"))))
        diags_error(r->d, n->at, "return_url must begin with https://");
    s->completion_code = *s->completion_code ? s->completion_code : NULL;
    s->rejected_code = *s->rejected_code ? s->rejected_code : NULL;
    s->return_url = *s->return_url ? s->return_url : NULL;
}

/* The title of the suite. */
static struct str title_in(struct reading *r, const char *language)
{
    const struct suite_title of = {r->suite->id, arena_text(r->a, r->suite->title),
                                   r->suite->titles};

    return str_of(store_title(r->a, of, language));
}

static void read_spec(struct reading *r, const struct node *root)
{
    const struct node *retention = field_get(root, "retention");
    struct spec *s = r->out;

    *s = (struct spec){.name = "", .consent_version = ""};
    if (!read_shape(r, &spec_shape, root, s))
        return;
    s->name = field_id(r->a, field_get(root, "campaign"), "", r->d);
    if (!field_get(root, "campaign"))
        diags_error(r->d, root->at, "the campaign has no name; write campaign: comic-july");
    s->title = read_wording(r, field_get(root, "title"));
    if (s->title.en.n == 0)
        s->title = (struct wording){title_in(r, "en"), title_in(r, "zh"), title_in(r, "ja")};
    s->instructions = read_wording(r, field_get(root, "instructions"));
    s->purpose = read_wording(r, field_get(root, "purpose"));
    s->code = *s->code ? s->code : NULL;
    s->contact = *s->contact ? s->contact : NULL;
    read_consent(r, field_get(root, "consent"));
    read_about(r, field_get(root, "about"));
    s->lease_ms *= HOUR_MS; /* the table reads hours */
    s->deadline_ms = read_deadline(r, field_get(root, "deadline"));
    read_anchors(r, root);
    read_practice(r, field_get(root, "practice"));
    read_completion(r, field_get(root, "completion"));
    if (retention)
        (void)read_shape(r, &spec_retention_shape, retention, s);
}

/* Writes out the keys of practice that were added later, also at their defaults: campaigns stored
 * before have none, and must not change. */
static void freeze_practice(const struct reading *r, json_t *file)
{
    const struct shape *s = &spec_practice_shape;
    AUTO(json_freep) json_t *all = json_loads(shape_text(r->a, s, &r->out->practice), 0, NULL);
    json_t *j = json_object_get(file, "practice");

    if (!r->out->practice.on) {
        if (j) /* YAML yes and no would be strings in JSON */
            (void)json_object_set_new(file, "practice", json_false());
        return;
    }
    if (!json_is_object(j)) {
        j = json_object();
        (void)json_object_set_new(file, "practice", j);
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->keys[i].since)
            (void)json_object_set(j, s->keys[i].name, json_object_get(all, s->keys[i].name));
}

/* The same for the delay of answers in the room. */
static void freeze_wait(const struct reading *r, json_t *file)
{
    if (r->suite->elicit.kind == ELICIT_INTERVIEW && !json_object_get(file, "answer_wait_seconds"))
        (void)json_object_set_new(file, "answer_wait_seconds",
                                  json_real((double)r->out->answer_wait_ms / 1000));
}

/* Adds what is missing from one of our files of defaults. */
static void add_defaults(const struct reading *r, const char *name, json_t *j)
{
    const struct asset *file = asset_find(name);
    struct source source = {file->name, file->bytes, 1};
    const struct node *defaults = doc_parse(r->a, &source, r->d);

    for (const struct node *n = defaults ? defaults->first : NULL; n; n = n->next) {
        const char *key = arena_text(r->a, n->key->text);
        if (!json_object_get(j, key))
            (void)json_object_set_new(j, key, doc_to_json(n));
    }
}

/* The file with all defaults, and with the examples of another file included. */
static const char *freeze(struct reading *r, const struct node *root)
{
    AUTO(json_freep) json_t *j = doc_to_json(root);
    const struct node *examples = field_get(root, "examples");
    const char *kind = r->suite->elicit.kind == ELICIT_INTERVIEW ? "interview"
                       : vocab_is_talk(r->suite)                 ? "conversation"
                                                                 : NULL;

    if (!json_is_object(j))
        return "{}";
    if (examples && examples->kind == NODE_SCALAR) {
        const char *path = field_file(r->a, examples, r->path, "file of examples", r->d);
        const struct node *list = path ? doc_load(r->a, path, examples->at, r->d) : NULL;
        if (list)
            (void)json_object_set_new(j, "examples", doc_to_json(list));
    }
    freeze_practice(r, j);
    freeze_wait(r, j);
    if (vocab_is_held(r->suite) && r->suite->elicit.kind == ELICIT_DIALOGUE)
        add_defaults(r,
                     r->suite->instrument.kind == INSTRUMENT_PAIR
                         ? "share/campaign/meeting-two.yaml"
                         : "share/campaign/meeting-one.yaml",
                     j);
    if (r->suite->instrument.kind == INSTRUMENT_PAIR)
        add_defaults(r, "share/campaign/pair.yaml", j);
    /* "There are no right answers" must not be said if raters first have to match the experts. */
    if (!r->out->practice.on)
        add_defaults(r,
                     kind ? arena_printf(r->a, "share/campaign/%s-free.yaml", kind)
                          : "share/campaign/free.yaml",
                     j);
    if (kind)
        add_defaults(r, arena_printf(r->a, "share/campaign/%s.yaml", kind), j);
    add_defaults(r, "share/campaign/default.yaml", j);
    return json_text(r->a, j);
}

enum status spec_thaw(struct arena *a, struct str frozen, const struct suite *suite,
                      struct spec *out, struct err *e)
{
    struct node *n;
    struct diags d;
    struct spec spec = {0};
    struct reading r = {a, &d, suite, NULL, true, &spec};

    diags_init(&d, a);
    if (json_tree(a, frozen, &n, e) != OK)
        return err_wrap(e, "stored campaign");
    read_spec(&r, n);
    if (d.errors)
        return err_set(e, E_INPUT, "stored campaign: %s", d.first->msg);
    *out = spec;
    return OK;
}

static void read_root(struct reading *r, const struct node *root, const char **frozen)
{
    struct err e;

    *frozen = "{}";
    if (!root)
        return;
    read_spec(r, root);
    *frozen = freeze(r, root);
    /* Reads the result again: what counts is what will be stored. */
    if (r->d->errors == 0 && spec_thaw(r->a, str_of(*frozen), r->suite, r->out, &e) != OK)
        diags_error(r->d, root->at, "%s", e.msg);
}

void spec_load(struct arena *a, const char *path, const struct suite *suite, struct spec *out,
               const char **frozen, struct diags *d)
{
    struct spec spec = {0};
    struct reading r = {a, d, suite, path, false, &spec};

    read_root(&r, doc_load(a, path, (struct place){0}, d), frozen);
    *out = spec;
}

void spec_read(struct arena *a, struct str text, const struct suite *suite, struct spec *out,
               const char **frozen, struct diags *d)
{
    struct spec spec = {0};
    struct reading r = {a, d, suite, NULL, false, &spec};
    struct source *source = NEW(a, struct source);

    *source = (struct source){"campaign", text, 1};
    read_root(&r, doc_parse(a, source, d), frozen);
    *out = spec;
}

bool spec_excludes(const struct spec *s)
{
    const struct exclusion *x = &s->exclude;

    return !isnan(x->faster_than) || !isnan(x->same_marks) || !isnan(x->anchor_error);
}
