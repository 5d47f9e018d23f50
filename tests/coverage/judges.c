/* What judges like beside quality, and how well they agree with people. */
#include "cover.h"

#include "eval/bias.h"
#include "math/bt_style.h"
#include "math/majority.h"

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* ---- ratings with style taken out ---- */

enum { WORLD_BATTLES = 80000 };

/* Models of which the better ones write longer, too. */
static double quality(const struct regime *c, int model)
{
    return c->raters == 2 ? (model ? -0.4 : 0.4) : 1.5 * (0.5 - (double)model / (c->raters - 1));
}

struct arena_of {
    struct battle_set set;
    const char *names[MODELS_MOST];
};

/* Each pair meets twice on every item; every other time what came out first comes again. Where b is
 * below 0 one pair of a prompt that nobody knows. */
static void styled_fight(struct arena *a, const struct regime *c, struct rng *r, size_t items,
                         struct arena_of *w)
{
    size_t models = (size_t)c->raters, n = 0, most = (items + 28) * models * (models - 1);
    double moved[MODELS_MOST], length[MODELS_MOST];

    bool alone = c->b < 0, many = c->form == STYLE_LOPSIDED;

    w->set = (struct battle_set){.names = w->names,
                                 .models = models,
                                 .v = NEW_N(a, struct duel, most),
                                 .cluster = alone ? NULL : "item",
                                 .clusters = items,
                                 .styled = {true},
                                 .style = arena_array(a, most, sizeof *w->set.style),
                                 .longer = NEW_N(a, double, most)};
    for (size_t i = 0; i < models; i++)
        w->names[i] = "";
    for (uint32_t item = 0; item < items; item++) {
        uint64_t chosen = rng_below(r, models * (models - 1) / 2), pair = 0;
        double long_item = 0.3 * cover_normal(r);
        for (size_t i = 0; i < models; i++) {
            moved[i] = quality(c, (int)i) + fmax(c->b, 0) / BT_ELO * cover_normal(r);
            length[i] =
                floor(exp(5 + 0.3 * quality(c, (int)i) + long_item + 0.4 * cover_normal(r)));
        }
        for (uint32_t i = 0; i < models; i++)
            for (uint32_t j = i + 1; j < models; j++, pair++)
                for (int k = 0; k < (alone              ? pair == chosen
                                     : many && item < 2 ? 30
                                                        : 2);
                     k++, n++) {
                    double x = bt_style_contrast(length[i], length[j]);
                    double p = sigmoid(moved[i] - moved[j] + c->a * x);
                    uint32_t outcome = rng_unit(r) < p ? DUEL_WON : DUEL_LOST;
                    if (k == 1 && rng_unit(r) < 0.5)
                        outcome = w->set.v[n - 1].outcome;
                    w->set.v[n] = (struct duel){i, j, item, outcome, 1};
                    w->set.style[n][STYLE_LENGTH] = x;
                    w->set.longer[n] = length[i] - length[j];
                }
    }
    w->set.n = n;
}

/* What very many items would give: of a world whose items move models that is another number than
 * a model's strength on an item in the middle. Kept for the cell that a thread is drawing. */
static const struct control *true_control(const struct regime *c)
{
    static _Thread_local const struct regime *known;
    static _Thread_local struct control found;
    static _Thread_local struct interval values[2][MODELS_MOST];
    struct rng r = rng_keyed(17, c->regime, NULL, 0);
    struct err e = {0};

    if (known != c) {
        AUTO(arena_freep) struct arena *a = arena_new();
        struct arena_of w;
        styled_fight(a, c, &r, cover_world(WORLD_BATTLES) / (size_t)c->raters, &w);
        if (control_compute(a, &w.set, &(struct control_how){.widen = 1}, &found, &e) != OK)
            abort();
        memcpy(values[0], found.ratings, (size_t)c->raters * sizeof values[0][0]);
        memcpy(values[1], found.won, (size_t)c->raters * sizeof values[1][0]);
        found.ratings = values[0];
        found.won = values[1];
        known = c;
    }
    return &found;
}

void draw_style(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct control *world = true_control(c);
    struct control got;
    struct arena_of w;
    struct err e = {0};

    (void)truth;
    styled_fight(a, c, r, (size_t)c->n, &w);
    if (control_compute(a, &w.set, &(struct control_how){.widen = 1}, &got, &e) != OK)
        abort();
    if (c->form == STYLE_EFFECT)
        cover_count(t, got.effects[STYLE_LENGTH], world->effects[STYLE_LENGTH].value);
    for (int i = 0; i < c->raters && (c->form == STYLE_RATING || c->form == STYLE_LOPSIDED); i++)
        cover_count(t, got.ratings[i], world->ratings[i].value);
    for (int i = 0; i < c->raters && c->form == STYLE_WIN_RATE; i++)
        cover_count(t, got.won[i], world->won[i].value);
}

/* ---- a judge's own family ---- */

enum { KIN, FAMILY_MODELS = 4, OWN = 0, OTHER };

/* Kin is of the family of the first judge, who likes it by `a`; an item moves the models, and each
 * judge sees a battle in its own way. */
static double family_score(const struct regime *c, struct rng *r, const double *moved, int judge,
                           uint32_t i, uint32_t j)
{
    double liked = judge == OWN ? c->a * ((i == KIN) - (j == KIN)) : 0;

    return rng_unit(r) < sigmoid(moved[i] - moved[j] + liked) ? DUEL_WON : DUEL_LOST;
}

struct family_of {
    struct bouts b;
    struct bouts_model models[FAMILY_MODELS];
    struct bouts_judge judges[2];
    const char *names[FAMILY_MODELS];
    uint32_t model[FAMILY_MODELS];
};

static void family_start(struct family_of *f, struct arena *a, size_t items)
{
    size_t most = items * 2 * FAMILY_MODELS * FAMILY_MODELS;

    *f = (struct family_of){
        .judges = {{.name = "own", .family = "x"}, {.name = "other", .family = ""}}};
    for (uint32_t m = 0; m < FAMILY_MODELS; m++) {
        f->names[m] = "";
        f->model[m] = m;
        f->models[m] = (struct bouts_model){
            .name = "", .family = m == KIN ? "x" : "", .met = true, .number = m};
    }
    f->b = (struct bouts){.models = f->models,
                          .judges = f->judges,
                          .nmodels = FAMILY_MODELS,
                          .njudges = 2,
                          .set = {.names = f->names,
                                  .models = FAMILY_MODELS,
                                  .v = NEW_N(a, struct duel, most),
                                  .cluster = "item",
                                  .clusters = items},
                          .fought = NEW_N(a, struct bouts_fought, most),
                          .model = f->model};
}

static void family_move(struct rng *r, double *moved)
{
    for (int m = 0; m < FAMILY_MODELS; m++)
        moved[m] = 0.3 * (1.5 - m) + 100 / BT_ELO * cover_normal(r);
}

void draw_family(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct family_of f;
    struct bias got;
    struct err e = {0};
    uint32_t match = 0;

    family_start(&f, a, (size_t)c->n);
    for (uint32_t item = 0; item < (uint32_t)c->n; item++) {
        double moved[FAMILY_MODELS];
        family_move(r, moved);
        for (uint32_t i = 0; i < FAMILY_MODELS; i++)
            for (uint32_t j = i + 1; j < FAMILY_MODELS; j++, match++)
                for (int judge = OWN; judge <= OTHER; judge++) {
                    if (c->form == OTHER_ANSWERS && (int)((item + i + j) % 2) != judge)
                        continue;
                    f.b.fought[f.b.set.n] = (struct bouts_fought){(uint32_t)judge, match};
                    f.b.set.v[f.b.set.n++] = (struct duel){
                        i, j, item, (uint32_t)family_score(c, r, moved, judge, i, j), 1};
                }
    }
    if (bias_compute(&f.b, OWN, &got, &e) != OK)
        abort();
    cover_count(t, got.family, truth);
}

/* The mean over items of what the own judge gives kin more. */
double true_family(const struct regime *c)
{
    struct rng r = rng_keyed(19, c->regime, NULL, 0);
    double sum = 0, n = 0, moved[FAMILY_MODELS];

    for (size_t item = 0; item < cover_world(200000); item++) {
        family_move(&r, moved);
        for (int j = 1; j < FAMILY_MODELS; j++, n++)
            sum += sigmoid(moved[KIN] - moved[j] + c->a) - sigmoid(moved[KIN] - moved[j]);
    }
    return sum / n;
}

/* ---- accuracy against people, and its ceiling ---- */

enum { TEXTS = 2 }; /* of a passage */

struct judged {
    struct cells people;
    double *machine;
    uint32_t *passage;
};

/* The people are the same in every set: they are not what was drawn. b: how much they differ. */
static struct judged judge_texts(struct arena *a, const struct regime *c, struct rng *r,
                                 size_t passages)
{
    size_t texts = TEXTS * passages, people = (size_t)c->raters;
    struct cell *v = NEW_N(a, struct cell, texts * people);
    struct judged j = {{v, 0, texts, people}, NEW_N(a, double, texts), NEW_N(a, uint32_t, texts)};
    struct rng who = rng_keyed(23, c->kind, NULL, 0);
    double strict[RATERS_MOST], hard = 0;

    for (size_t k = 0; k < people; k++)
        strict[k] = c->b * cover_normal(&who);
    for (uint32_t text = 0; text < texts; text++) {
        hard = text % TEXTS ? hard : 0.6 * cover_normal(r);
        double good = 3.6 + hard + 0.6 * cover_normal(r);
        j.passage[text] = text / TEXTS;
        j.machine[text] = floor(fmin(5, fmax(1, good + c->a * cover_normal(r))) + 0.5);
        for (uint32_t k = 0; k < people; k++)
            v[j.people.n++] = (struct cell){
                text, k, floor(fmin(5, fmax(1, good + strict[k] + 0.5 * cover_normal(r) + 0.5)))};
    }
    return j;
}

static struct interval accuracy_of(struct arena *a, const struct regime *c, struct rng *r,
                                   size_t passages)
{
    struct judged j = judge_texts(a, c, r, passages);
    struct interval_cluster *right = NEW_N(a, struct interval_cluster, passages),
                            *person = NEW_N(a, struct interval_cluster, passages);

    majority_count(&j.people, j.machine, j.passage, right, person);
    return interval_of_ratio(c->form == ACCURACY ? right : person, passages, interval_share, LEVEL);
}

void draw_accuracy(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    cover_count(t, accuracy_of(a, c, r, (size_t)c->n), truth);
}

double true_accuracy(const struct regime *c)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct rng r = rng_keyed(29, c->regime, NULL, 0);

    return accuracy_of(a, c, &r, cover_world(200000)).value;
}
