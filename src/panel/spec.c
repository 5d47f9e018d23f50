#include "panel/spec.h"

#include <math.h>

#include "base/asset.h"
#include "base/clock.h"
#include "suite/field.h"
#include "suite/suite.h"

enum {
    QUESTIONS_MAX = 20,
    OPTIONS_MAX = 30,
    HOUR_MS = 3600000,
    LEASE_HOURS = 48,
    AGAIN_ITEMS = 20,
    AGAIN_DAYS = 14,
};

static const double SILENT = 0.1;

/* One campaign file that is being read. */
struct reading {
    struct arena *a;
    struct diags *d;
    const struct suite *suite;
    const char *path; /* NULL: a text in no file */
    bool stored;      /* what it leaves out was left out before there was a default */
    struct spec *out;
};

struct str spec_wording(const struct wording *w, const char *language)
{
    if (strncmp(language, "zh", 2) == 0)
        return w->zh;
    return strncmp(language, "ja", 2) == 0 ? w->ja : w->en;
}

static struct wording read_wording(struct reading *r, const struct node *n)
{
    return (struct wording){field_text(r->a, n, "en", r->d), field_text(r->a, n, "zh", r->d),
                            field_text(r->a, n, "ja", r->d)};
}

/* ---- about the rater ---- */

static void read_question(struct reading *r, const struct node *n, struct question *out)
{
    static const char *const keys[] = {"id", "text", "options"};
    const struct node *list = field_get(n, "options");
    struct wording *options;

    if (!node_keys(n, keys, COUNT(keys), r->d))
        return;
    out->id = field_id(r->a, field_get(n, "id"), "", r->d);
    out->text = read_wording(r, field_get(n, "text"));
    if (!*out->id || out->text.en.n == 0)
        diags_error(r->d, n->at, "a question needs an 'id' and a 'text'");
    if (!list || list->kind != NODE_LIST || list->n < 2 || list->n > OPTIONS_MAX) {
        diags_error(r->d, list ? list->at : n->at,
                    "expected 2 to %d options; \"prefer not to say\" is offered besides",
                    OPTIONS_MAX);
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
    static const char *const keys[] = {"texts",       "attempts",  "exact",  "within",
                                       "bias",        "kappa",     "silent", "kappa_from",
                                       "again_items", "again_days"};
    struct practice *p = &r->out->practice;

    *p = (struct practice){.on = r->out->nanchors > 0 || (n && n->kind == NODE_MAP)};
    if (n && n->kind == NODE_SCALAR) /* practice: no */
        p->on = node_bool(n, p->on, r->d);
    else if (n)
        (void)node_keys(n, keys, COUNT(keys), r->d);
    p->texts = node_int(field_get(n, "texts"), 1, 50, 6, r->d);
    p->attempts = node_int(field_get(n, "attempts"), 1, 5, 2, r->d);
    p->exact = node_double(field_get(n, "exact"), 0, 1, 0.5, r->d);
    p->within = node_double(field_get(n, "within"), 0, 1, 0.9, r->d);
    p->bias = node_double(field_get(n, "bias"), 0, 100, 0.5, r->d);
    p->kappa = node_double(field_get(n, "kappa"), -1, 1, 0.6, r->d);
    p->kappa_from = node_int(field_get(n, "kappa_from"), 2, 10000, 20, r->d);
    p->silent = node_double(field_get(n, "silent"), 0, 0.5, r->stored ? 0 : SILENT, r->d);
    p->again_items =
        node_int(field_get(n, "again_items"), 0, 10000, r->stored ? 0 : AGAIN_ITEMS, r->d);
    p->again_days = node_int(field_get(n, "again_days"), 0, 3650, r->stored ? 0 : AGAIN_DAYS, r->d);
    if (p->on && n && r->suite->instrument.kind == INSTRUMENT_PAIR)
        diags_error(r->d, n->at, "where two texts are compared there is no practice");
    else if (p->on && r->out->nanchors == 0)
        diags_error(r->d, n ? n->at : (struct place){0},
                    "practice needs texts with known marks: 'examples' here or in the suite");
}

static void read_exclusion(struct reading *r, const struct node *n)
{
    static const char *const keys[] = {"faster_than", "same_marks", "anchor_error"};
    struct exclusion *x = &r->out->exclude;

    if (n)
        (void)node_keys(n, keys, COUNT(keys), r->d);
    x->faster_than = node_double(field_get(n, "faster_than"), 0, 1000, NAN, r->d);
    x->same_marks = node_double(field_get(n, "same_marks"), 0, 1, NAN, r->d);
    x->anchor_error = node_double(field_get(n, "anchor_error"), 0, 1000, NAN, r->d);
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
    static const char *const keys[] = {"version", "text"};
    struct spec *s = r->out;

    if (!n || !node_keys(n, keys, COUNT(keys), r->d))
        return;
    s->consent_version = arena_text(r->a, field_plain(r->a, field_get(n, "version"), r->d));
    s->consent = read_wording(r, field_get(n, "text"));
    if (!*s->consent_version || s->consent.en.n == 0)
        diags_error(r->d, n->at, "consent needs a 'version' and a 'text'");
}

static void read_completion(struct reading *r, const struct node *n)
{
    static const char *const keys[] = {"code", "return_url"};
    struct str code, url;

    if (!n || !node_keys(n, keys, COUNT(keys), r->d))
        return;
    code = field_plain(r->a, field_get(n, "code"), r->d);
    url = field_plain(r->a, field_get(n, "return_url"), r->d);
    if (url.n && !str_starts(url, STR("https://")) && !str_starts(url, STR("http://")))
        diags_error(r->d, n->at, "return_url must begin with https://");
    r->out->completion_code = code.n ? code.p : NULL;
    r->out->return_url = url.n ? url.p : NULL;
}

static void read_retention(struct reading *r, const struct node *n)
{
    static const char *const keys[] = {"days", "delete"}, *const what[] = {"personal",
                                                                           "everything"};

    if (!n || !node_keys(n, keys, COUNT(keys), r->d))
        return;
    r->out->retention_days = node_int(field_get(n, "days"), 1, 36500, 0, r->d);
    r->out->retention_ratings = node_choice(field_get(n, "delete"), what, 2, 0, r->d) == 1;
    if (!field_get(n, "days"))
        diags_error(r->d, n->at, "retention needs 'days'");
}

static void read_extent(struct reading *r, const struct node *root)
{
    static const char *const reference[] = {"no", "takes-part"};
    static const char *const repeats[] = {"first", "all"};
    static const char *const counts[] = {"everyone", "completers"};
    struct spec *s = r->out;

    s->passages = node_int(field_get(root, "passages_per_rater"), 1, 10000, 5, r->d);
    s->overlap = node_int(field_get(root, "overlap"), 1, 10000, 3, r->d);
    s->pairs = node_int(field_get(root, "pairs_per_passage"), 1, 1000, 6, r->d);
    s->twice = node_double(field_get(root, "shown_twice"), 0, 0.5, 0, r->d);
    s->reference = node_choice(field_get(root, "reference"), reference, 2, 0, r->d) == 1;
    s->all_repeats = node_choice(field_get(root, "repeats"), repeats, 2, 0, r->d) == 1;
    s->completers = node_choice(field_get(root, "counts"), counts, 2, 1, r->d) == 1;
    s->lease_ms = HOUR_MS * node_int(field_get(root, "lease_hours"), 1, 24 * 90, LEASE_HOURS, r->d);
    s->answer_wait_ms = 1000 * node_int(field_get(root, "answer_wait_seconds"), 0, 60, 5, r->d);
    s->deadline_ms = read_deadline(r, field_get(root, "deadline"));
    s->seed = (uint64_t)node_int(field_get(root, "seed"), 0, INT64_MAX, 1, r->d);
}

static void read_spec(struct reading *r, const struct node *root)
{
    static const char *const keys[] = {"campaign",
                                       "title",
                                       "instructions",
                                       "consent",
                                       "about",
                                       "passages_per_rater",
                                       "overlap",
                                       "pairs_per_passage",
                                       "reference",
                                       "repeats",
                                       "code",
                                       "counts",
                                       "deadline",
                                       "lease_hours",
                                       "practice",
                                       "examples",
                                       "seed",
                                       "exclude",
                                       "completion",
                                       "shown_twice",
                                       "answer_wait_seconds",
                                       "retention"};
    struct spec *s = r->out;
    struct str code;

    *s = (struct spec){.name = "", .consent_version = ""};
    if (!node_keys(root, keys, COUNT(keys), r->d))
        return;
    s->name = field_id(r->a, field_get(root, "campaign"), "", r->d);
    if (!field_get(root, "campaign"))
        diags_error(r->d, root->at, "the campaign has no name: campaign: comic-july");
    s->title = read_wording(r, field_get(root, "title"));
    if (s->title.en.n == 0)
        s->title = (struct wording){r->suite->title, r->suite->title, r->suite->title};
    s->instructions = read_wording(r, field_get(root, "instructions"));
    code = field_plain(r->a, field_get(root, "code"), r->d);
    s->code = code.n ? code.p : NULL;
    read_consent(r, field_get(root, "consent"));
    read_about(r, field_get(root, "about"));
    read_extent(r, root);
    read_anchors(r, root);
    read_practice(r, field_get(root, "practice"));
    read_exclusion(r, field_get(root, "exclude"));
    read_completion(r, field_get(root, "completion"));
    read_retention(r, field_get(root, "retention"));
}

/* What comes after the first practice, written out: campaigns that were stored before it had
 * defaults have no word of it, and stay as they were. */
static void freeze_practice(const struct reading *r, json_t *file)
{
    const struct practice *p = &r->out->practice;
    json_t *j = json_object_get(file, "practice");

    if (!p->on) {
        if (j) /* yes and no are words to JSON */
            (void)json_object_set_new(file, "practice", json_false());
        return;
    }
    if (!json_is_object(j)) {
        j = json_object();
        (void)json_object_set_new(file, "practice", j);
    }
    (void)json_object_set_new(j, "silent", json_real(p->silent));
    (void)json_object_set_new(j, "again_items", json_integer(p->again_items));
    (void)json_object_set_new(j, "again_days", json_integer(p->again_days));
}

/* What the file leaves out, from one of ours. */
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

/* The file with what it leaves to the defaults, and with the examples of another file inside it. */
static const char *freeze(struct reading *r, const struct node *root)
{
    AUTO(json_freep) json_t *j = doc_to_json(root);
    const struct node *examples = field_get(root, "examples");

    if (!json_is_object(j))
        return "{}";
    if (examples && examples->kind == NODE_SCALAR) {
        const char *path = field_file(r->a, examples, r->path, "file of examples", r->d);
        const struct node *list = path ? doc_load(r->a, path, examples->at, r->d) : NULL;
        if (list)
            (void)json_object_set_new(j, "examples", doc_to_json(list));
    }
    freeze_practice(r, j);
    if (r->suite->instrument.kind == INSTRUMENT_PAIR)
        add_defaults(r, "share/campaign/pair.yaml", j);
    else if (r->suite->elicit.kind == ELICIT_INTERVIEW)
        add_defaults(r, "share/campaign/interview.yaml", j);
    add_defaults(r, "share/campaign/default.yaml", j);
    return json_text(r->a, j);
}

enum status spec_thaw(struct arena *a, struct str frozen, const struct suite *suite,
                      struct spec *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct diags d;
    struct spec spec = {0};
    struct reading r = {a, &d, suite, NULL, true, &spec};

    diags_init(&d, a);
    if (json_read(frozen, &j, e) != OK)
        return err_wrap(e, "stored campaign");
    read_spec(&r, doc_from_json(a, j, (struct place){0}));
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
    /* Read again with the defaults inside: what counts is what will be stored. */
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
