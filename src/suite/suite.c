#include "suite/suite.h"

#include "base/message.h"
#include "math/band.h"
#include "suite/prompt.h"
#include "suite/suite_read.h"
#include "suite/tag.h"

const struct node *suite_read_file(const struct suite_reading *r, const struct node *n,
                                   const char *what)
{
    const char *path = field_file(r->a, n, r->path, what, r->d);

    return path ? doc_load(r->a, path, n->at, r->d) : NULL;
}

static const char *read_language(struct suite_reading *r, const struct node *root)
{
    const struct node *n = field_get(root, "language");
    const char *language = field_id(r->a, n, "en", r->d);
    size_t len = strcspn(language, "-_");

    if (!n) {
        diags_error(r->d, root->at, "the suite has no 'language' (zh, ja, en, ...)");
        return language;
    }
    for (int i = 0; i < LANGUAGES; i++)
        if (str_is((struct str){language, len}, message_languages[i]))
            return language;
    diags_warn(r->d, n->at, "no built-in texts for the language '%s': English ones are used",
               language);
    return language;
}

/* The titles in all languages that the file has. */
static const char *titles_of(struct arena *a, const struct node *title)
{
    AUTO(json_freep) json_t *all = json_object();

    if (!title || title->kind != NODE_MAP)
        return "";
    for (const struct node *m = title->first; m; m = m->next)
        if (m->kind == NODE_SCALAR)
            json_put_str(all, arena_text(a, m->key->text), m->text);
    return json_text(a, all);
}

static void read_head(struct suite_reading *r, const struct node *root)
{
    struct suite *s = r->s;
    const struct node *id = field_get(root, "suite");

    if (!id)
        diags_error(r->d, root->at, "the suite has no id: begin the file with 'suite: some-id'");
    s->id = field_id(r->a, id, "suite", r->d);
    s->language = read_language(r, root);
    (void)suite_read_shape(r, &suite_shape, root, s);
    s->titles = titles_of(r->a, field_get(root, "title"));
    if (s->title.n == 0)
        s->title = str_of(s->id);
}

/* ---- elicit ---- */

static void set_take(struct suite_reading *r, enum take_kind kind, const struct node *lines)
{
    r->s->elicit.take = kind;
    r->s->elicit.lines = (int)shape_int(&suite_elicit_shape, "lines", lines, 1, r->d);
}

/* {first-lines: 3} or {lines: 10} */
static void read_take_map(struct suite_reading *r, const struct node *take)
{
    static const char *const keys[] = {"first-lines", "lines"};
    const struct node *first = field_get(take, keys[0]), *lines = field_get(take, keys[1]);

    if (!node_keys(take, keys, COUNT(keys), r->d))
        return;
    if (!first == !lines)
        diags_error(r->d, take->at, "expected {first-lines: a number} or {lines: a number}");
    else
        set_take(r, first ? TAKE_FIRST_LINES : TAKE_LINES, first ? first : lines);
}

/* take: all | first-line | {first-lines: 3} | {lines: 10}, or lines: 10 beside it. */
static void read_take(struct suite_reading *r, const struct node *elicit)
{
    static const char *const words[] = {"all", "first-line"};
    const struct node *take = field_get(elicit, "take"), *lines = field_get(elicit, "lines");

    if (take && lines)
        diags_error(r->d, lines->key->at, "'lines' is short for 'take': use one of them");
    if (take && take->kind == NODE_MAP)
        read_take_map(r, take);
    else if (take && node_choice(take, words, COUNT(words), 0, r->d) == 1)
        set_take(r, TAKE_FIRST_LINES, NULL);
    if (lines)
        set_take(r, TAKE_LINES, lines);
}

static void check_names(struct suite_reading *r, struct str text, const char *template,
                        struct place at)
{
    struct str name;

    while (prompt_name(&text, &name)) {
        if (suite_hides(name))
            diags_error(r->d, at, "the template '%s' uses {{%.*s}}, which models must not see",
                        template, STR_ARG(name));
        else if (suite_needs_character(name) && r->s->ncharacters == 0)
            diags_error(r->d, at, "the template '%s' uses {{%.*s}}, but the suite has no character",
                        template, STR_ARG(name));
    }
}

/* Reads one member of 'systems'. A kind is compared the way tags are. */
static void read_system(struct suite_reading *r, const struct node *m, struct tag_system *systems)
{
    struct elicit *e = &r->s->elicit;
    struct str text = node_is_null(m) ? STR("") : field_text(r->a, m, r->s->language, r->d);
    struct tag_system one = {.kind = arena_str(r->a, tag_read(m->key->text).kind), .text = text};

    if (one.kind.n == 0 || str_is(one.kind, "default"))
        diags_error(r->d, m->key->at, "expected the kind of a tag, or simply 'default'");
    check_names(r, text, "systems", m->at);
    for (size_t i = 0; i < e->nsystems; i++)
        if (str_eq(systems[i].kind, one.kind))
            diags_error(r->d, m->key->at, "two system messages for the kind '%.*s'",
                        STR_ARG(utf8_head(one.kind, 40)));
    systems[e->nsystems++] = one;
}

static void read_systems(struct suite_reading *r, const struct node *elicit)
{
    const struct node *n = field_get(elicit, "systems");
    struct tag_system *systems;

    if (!n)
        return;
    if (n->kind != NODE_MAP || n->n == 0 || n->n > SYSTEMS_MAX) {
        diags_error(r->d, n->at, "expected system messages by kind of tag, at most %d",
                    SYSTEMS_MAX);
        return;
    }
    systems = NEW_N(r->a, struct tag_system, n->n);
    r->s->elicit.systems = systems;
    for (const struct node *m = n->first; m; m = m->next)
        if (!str_is(m->key->text, "default"))
            read_system(r, m, systems);
}

/* 'system', or 'default' among the systems, which means the same. */
static const struct node *default_system(struct suite_reading *r, const struct node *elicit)
{
    const struct node *system = node_get(elicit, "system");
    const struct node *other = node_get(field_get(elicit, "systems"), "default");

    if (system && other)
        diags_error(r->d, other->key->at, "'default' means the same as 'system': use one of them");
    return other ? other : system;
}

static void read_elicit_template(struct suite_reading *r, const struct node *elicit)
{
    const struct node *template = field_get(elicit, "template");
    const struct node *system = default_system(r, elicit);
    struct template *t = &r->s->elicit.template;

    *t = (struct template){.name = "prompt", .user = STR("{{prompt}}")};
    if (template)
        (void)suite_template_at(r->a, template, r->path, t, r->d);
    if (system)
        t->system = node_is_null(system) ? STR("") : field_text(r->a, system, r->s->language, r->d);
    else if (!t->system.p &&
             !field_get(elicit, "systems")) /* absent; an explicitly empty one is kept */
        t->system = r->s->ncharacters > 0 ? STR("{{character}}") : STR("");
    if (system)
        check_names(r, t->system, t->name, system->at);
    if (template) {
        check_names(r, t->user, t->name, template->at);
        if (!system)
            check_names(r, t->system, t->name, template->at);
    }
}

static void read_elicit(struct suite_reading *r, const struct node *n)
{
    struct elicit *e = &r->s->elicit;

    if (!suite_read_shape(r, &suite_elicit_shape, n, e))
        n = NULL;
    if (e->kind == ELICIT_INTERVIEW) {
        e->template = (struct template){.name = "interview", .system = STR(""), .user = STR("")};
        suite_read_interview(r, n);
        return;
    }
    if (e->kind == ELICIT_DIALOGUE) {
        e->template = (struct template){.name = "dialogue", .system = STR(""), .user = STR("")};
        suite_read_dialogue(r, n);
        return;
    }
    read_take(r, n);
    read_elicit_template(r, n);
    read_systems(r, n);
}

/* ---- judge and score ---- */

static void default_judge(struct suite_reading *r, struct place at)
{
    const char *kind = r->s->instrument.kind == INSTRUMENT_PAIR ? "battle"
                       : r->s->instrument.quotes                ? "sitting"
                                                                : "rubric";
    const char *name = field_in_language(r->a, "share/templates/", kind, r->s->language);

    (void)suite_template(r->a, name, r->path, at, &r->s->judge, r->d);
}

static void check_judge_examples(struct suite_reading *r, const struct node *n)
{
    if (!r->s->judge_examples)
        return;
    if (r->s->nexamples == 0)
        diags_error(r->d, n->at, "the suite has no 'examples' to show to judges");
    else if (!suite_template_names(&r->s->judge, "examples"))
        diags_warn(r->d, n->at,
                   "the judge template '%s' does not use {{examples}}: they are not shown",
                   r->s->judge.name);
}

static void read_judge(struct suite_reading *r, const struct node *root)
{
    const struct node *n = field_get(root, "judge"), *template = field_get(n, "template");
    struct place at = template ? template->at : n ? n->at : root->at;

    (void)suite_read_shape(r, &suite_judge_shape, n, r->s);
    r->s->judge = (struct template){.name = "", .user = STR("")};
    if (template)
        (void)suite_template_at(r->a, template, r->path, &r->s->judge, r->d);
    else
        default_judge(r, at);
    suite_check_judge(&r->s->judge, at, r->d);
    if (r->path) /* stored suites were checked by the rules of their time */
        suite_check_slots(r->s, &r->s->judge, at, r->d);
    check_judge_examples(r, field_get(n, "examples"));
}

static bool same_scale(const struct dimension *a, const struct dimension *b)
{
    return a->min == b->min && a->max == b->max;
}

/* Appends the distinct scales of dimensions with weight: "0..10, 0..1". Returns their number. */
static size_t list_scales(const struct instrument *in, struct buf *b)
{
    size_t count = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        bool known = d->weight <= 0;
        for (size_t k = 0; k < i && !known; k++)
            known = in->dimensions[k].weight > 0 && same_scale(&in->dimensions[k], d);
        if (!known)
            buf_fmt(b, "%s%.15g..%.15g", count++ ? ", " : "", d->min, d->max);
    }
    return count;
}

/* Every kind of score but totals begins with the mean over the dimensions of a sample. */
static void check_scales(struct suite_reading *r, const struct node *root)
{
    AUTO(buf_done) struct buf b = BUF_MAX(8 << 10);
    const struct node *at = field_get(field_get(root, "score"), "kind");
    size_t count;

    if (!r->path || r->s->score.kind == SCORE_TOTALS)
        return; /* stored suites were checked in their time */
    if (!at)
        at = field_get(root, "instrument")->key;
    count = list_scales(&r->s->instrument, &b);
    if (count > 1)
        diags_warn(r->d, at->at,
                   "dimensions have different scales (%.*s): a mean of %s means little; use "
                   "`totals` or one scale",
                   STR_ARG(buf_str(&b)), count == 2 ? "both" : "them");
}

/* A band is the mean of four whole marks with equal weights. */
static void check_band(struct suite_reading *r, const struct node *score)
{
    const struct instrument *in = &r->s->instrument;
    const struct node *kind = field_get(score, "kind"), *round = field_get(score, "round");
    bool good = in->ndimensions == BAND_MARKS;

    for (size_t i = 0; i < in->ndimensions && good; i++) {
        const struct dimension *d = &in->dimensions[i];
        good = d->whole && same_scale(d, &in->dimensions[0]) &&
               d->weight == in->dimensions[0].weight && !d->lower_is_better;
    }
    if (!good)
        diags_error(r->d, kind->at,
                    "a band needs four dimensions with whole marks, all on one scale and with "
                    "equal weights");
    if (round && r->path)
        diags_error(r->d, round->key->at, "a band has its own rounding: leave out 'round'");
}

/* also: [glicko2] */
static bool read_also(struct suite_reading *r, const struct node *n)
{
    static const char *const systems[] = {"glicko2"};
    bool glicko = false;

    if (n && n->kind != NODE_LIST)
        return node_choice(n, systems, COUNT(systems), -1, r->d) == 0;
    for (const struct node *m = node_first(n); m; m = m->next)
        glicko |= node_choice(m, systems, COUNT(systems), -1, r->d) == 0;
    return glicko;
}

/* Pairs are scored by a rating, and nothing else is. */
static void read_rating(struct suite_reading *r, const struct node *n)
{
    static const char *const headlines[] = {"bradley-terry"};
    bool pair = r->s->instrument.kind == INSTRUMENT_PAIR;
    const struct node *kind = field_get(n, "kind"), *period = field_get(n, "period");

    if (pair != (r->s->score.kind == SCORE_RATING))
        diags_error(r->d, kind ? kind->at : n->at,
                    pair ? "pairs are scored with kind: rating"
                         : "kind: rating requires an instrument of kind: pair");
    if (!pair)
        return;
    (void)node_choice(field_get(n, "headline"), headlines, COUNT(headlines), 0, r->d);
    r->s->score.glicko = read_also(r, field_get(n, "also"));
    if (period && !r->s->score.glicko)
        diags_error(r->d, period->key->at, "'period' requires also: [glicko2]");
}

static void read_score(struct suite_reading *r, const struct node *n)
{
    static const char *const factors[] = {"times", "divide"};
    const struct shape_reading reading = {r->a, r->d, r->s->language, !r->path};
    struct score_spec *score = &r->s->score;

    score->times = score->divide = 1;
    score->kind = r->s->instrument.kind == INSTRUMENT_PAIR ? SCORE_RATING : SCORE_MEAN_OF_ITEMS;
    if (field_get(n, "kind"))
        shape_read_key(&reading, &suite_score_shape, "kind", n, score);
    (void)suite_read_shape(r, &suite_score_shape, n, score);
    read_rating(r, n);
    for (size_t i = 0; i < COUNT(factors); i++)
        if (field_get(n, factors[i]) && (score->times <= 0 || score->divide <= 0))
            diags_error(r->d, field_get(n, factors[i])->at, "'%s' must be greater than 0",
                        factors[i]);
    if (score->kind == SCORE_BAND)
        check_band(r, n);
}

/* ---- the whole suite ---- */

void suite_read(struct suite_reading *r, const struct node *root)
{
    const struct node *instrument = field_get(root, "instrument");
    size_t faults;
    bool sound;

    if (root->kind != NODE_MAP) {
        (void)suite_read_shape(r, &suite_shape, root, r->s);
        return;
    }
    read_head(r, root);
    suite_read_characters(r, root);
    read_elicit(r, field_get(root, "elicit"));
    faults = r->d->errors;
    suite_read_instrument(r, instrument);
    if (!instrument)
        diags_error(r->d, root->at, "the suite has no 'instrument': what judges are asked");
    sound = r->d->errors == faults;
    suite_read_rules(r, field_get(root, "rules"));
    suite_read_examples(r, root);
    read_judge(r, root);
    read_score(r, field_get(root, "score"));
    if (sound)
        check_scales(r, root);
    suite_read_pick(r, root);
}

/* Campaign files lie next to suites, and a list of missing suite keys would help nobody. */
static bool is_campaign(const struct node *root, struct diags *d)
{
    const struct node *name = node_get(root, "campaign");

    if (!name || node_get(root, "suite"))
        return false;
    diags_error(d, name->key->at,
                "this is a campaign file, for human ratings, not a suite; it is checked when the "
                "campaign is created: audition campaign new FILE --run RUN");
    return true;
}

struct suite *suite_load(struct arena *a, const char *path, struct item_source **items,
                         struct diags *d)
{
    struct suite *s = NEW(a, struct suite);
    struct suite_reading r = {.a = a, .d = d, .path = arena_text(a, str_of(path)), .s = s};
    const struct source *source = suite_source(a, r.path, (struct place){0}, d);
    const struct node *root = source ? doc_parse(a, source, d) : NULL;

    *items = NULL;
    if (!root || is_campaign(root, d))
        return NULL;
    s->path = r.path;
    suite_read(&r, root);
    if (root->kind != NODE_MAP)
        return NULL;
    *items = suite_read_items(&r, root);
    if (*items)
        (*items)->suite = root;
    return s;
}
