/* The material of a collection: how much there is, and whether it is as good as it should be. */
#include "base/file.h"
#include "base/folder.h"
#include "base/message.h"
#include "cmd/analyse.h"
#include "cmd/collect.h"
#include "cmd/term.h"
#include "suite/bank.h"
#include "suite/proof.h"

enum { ROWS_MAX = 200, DIFFICULTIES = 5 };

struct bench_values {
    struct opt_list training;
};

/* The material of one kind in one language. */
struct count {
    const char *language, *kind;
    int64_t suites, items, varying, characters, users, cards, measured;
    int64_t by[DIFFICULTIES], guessed[DIFFICULTIES];
    const char *difficulties; /* `by`, as text */
};

static struct count *count_of(struct count *v, size_t *n, const char *language, const char *kind)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp(v[i].language, language) == 0 && strcmp(v[i].kind, kind) == 0)
            return &v[i];
    if (*n == ROWS_MAX)
        return &v[ROWS_MAX - 1];
    v[*n] = (struct count){.language = language, .kind = kind};
    return &v[(*n)++];
}

/* Difficulty as measured in the last judged run of the suite, if the store has one. */
static enum status count_difficulty(struct app *app, const struct proof_suite *s, struct count *c,
                                    struct err *e)
{
    static const struct analyse_least least = {ITEMWISE_PERSONS, DIFFICULTIES};
    struct items_analysis x = {0};
    struct run_row by;

    if (app->store && analyse_last(app, s->of->suite, &least, &by, &x, e) != OK)
        return e->code;
    for (size_t i = 0; i < s->nitems; i++) {
        struct items_difficulty d = items_difficulty(&x, &s->items[i]);
        int guess = s->items[i].card.difficulty;
        c->cards += guess > 0;
        c->measured += d.measured;
        if (d.value >= 1 && d.value <= DIFFICULTIES)
            c->by[(size_t)d.value - 1]++;
        if (guess > 0 && guess <= DIFFICULTIES)
            c->guessed[guess - 1]++;
    }
    c->difficulties = arena_printf(app->arena, "%lld %lld %lld %lld %lld", (long long)c->by[0],
                                   (long long)c->by[1], (long long)c->by[2], (long long)c->by[3],
                                   (long long)c->by[4]);
    return OK;
}

/* Of interviews, which have no items of their own, the characters are counted. The items of a
 * dialogue are its scenarios. */
static enum status count(struct app *app, const struct proof *p, struct count *v, size_t *n,
                         struct err *e)
{
    for (size_t i = 0; i < p->nsuites; i++) {
        const struct proof_suite *s = &p->suites[i];
        struct count *c;
        if (!s->suite)
            continue;
        c = count_of(v, n, s->suite->language, *s->of->kind ? s->of->kind : s->of->suite);
        c->suites++;
        c->items += (int64_t)s->nitems;
        c->varying += (int64_t)s->varying;
        c->characters += (int64_t)(s->bank ? s->bank->n : s->suite->ncharacters);
        c->users += (int64_t)s->suite->elicit.dialogue.nusers;
        if (count_difficulty(app, s, c, e) != OK)
            return e->code;
    }
    return OK;
}

#define OF(member) TABLE_OF(struct count, member)

/* clang-format off */
static const struct table_field fields[] = {
    {{.key = "language", .word = BENCH_LANGUAGE, .kind = TABLE_TEXT}, OF(language)},
    {{.key = "kind", .word = BENCH_KIND, .kind = TABLE_TEXT}, OF(kind)},
    {{.key = "suites", .kind = TABLE_COUNT}, OF(suites)},
    {{.key = "items", .word = WORD_ITEMS, .kind = TABLE_COUNT}, OF(items)},
    {{.key = "with_forms", .word = BENCH_FORMS, .kind = TABLE_COUNT}, OF(varying)},
    {{.key = "characters", .word = BENCH_CHARACTERS, .kind = TABLE_COUNT}, OF(characters)},
    {{.key = "users", .kind = TABLE_COUNT}, OF(users)},
    {{.key = "with_card", .kind = TABLE_COUNT}, OF(cards)},
    {{.word = BENCH_DIFFICULTY, .kind = TABLE_TEXT}, OF(difficulties)},
    {{.key = "measured", .word = BENCH_MEASURED, .kind = TABLE_COUNT}, OF(measured)},
};
/* clang-format on */

#undef OF

static void put_difficulties(json_t *row, const char *key, const int64_t *by)
{
    json_t *list = json_put_list(row, key);

    for (size_t k = 0; k < DIFFICULTIES; k++)
        (void)json_array_append_new(list, json_integer((json_int_t)by[k]));
}

static enum status print_info(struct app *app, const struct proof *p, const struct count *v,
                              size_t n, struct err *e)
{
    AUTO(json_freep) json_t *root = json_object();
    struct table *t = table_new(app->arena, NULL, n);
    int64_t items = 0;
    json_t *rows;

    table_fields(t, fields, COUNT(fields), v, sizeof *v);
    for (size_t i = 0; i < n; i++)
        items += v[i].items;
    if (!app->common.json)
        return term_draw(app, t, true, e);
    json_put_text(root, "collection", p->of->id);
    json_put_int(root, "items", items);
    rows = json_put_list(root, "kinds");
    table_json(t, rows);
    for (size_t i = 0; i < n; i++) {
        put_difficulties(json_array_get(rows, i), "by_difficulty", v[i].by);
        put_difficulties(json_array_get(rows, i), "by_guess", v[i].guessed);
    }
    fprintf(app->out, "%s\n", json_text(app->arena, root));
    return OK;
}

static void print_check(struct app *app, const struct diags *d, int64_t found)
{
    term_faults(app, d);
    if (app->common.json)
        fprintf(app->out, "{\"errors\":%zu,\"warnings\":%zu,\"in_training\":%lld}\n", d->errors,
                d->warnings, (long long)found);
    else if (d->errors + d->warnings == 0)
        fprintf(app->out, _("no problems found\n"));
    app->exit = d->errors + d->warnings ? EXIT_FAILED : EXIT_DONE;
}

static enum status check(struct app *app, struct proof *p, const struct bench_values *v,
                         struct err *e)
{
    int64_t all = 0, found;

    proof_check(p);
    for (size_t i = 0; i < v->training.n; i++) {
        if (proof_training(p, v->training.v[i], &found, e) != OK)
            return e->code;
        all += found;
    }
    print_check(app, p->d, all);
    return OK;
}

/* Measured difficulties come from the database, if there is one. */
static enum status info(struct app *app, const struct proof *p, struct err *e)
{
    struct count *counts = NEW_N(app->arena, struct count, ROWS_MAX);
    struct err none = {0};
    size_t n = 0;

    if (store_open(&app->store, app->common.db, DB_READ, &none) != OK && none.code != E_ABSENT) {
        *e = none;
        return e->code;
    }
    if (count(app, p, counts, &n, e) != OK)
        return e->code;
    if (n == 0 && !app->common.json)
        return err_set(e, E_INPUT, "nothing to count: no suite could be read");
    return print_info(app, p, counts, n, e);
}

/* The default is the benchmark of a checkout. */
static enum status find(struct app *app, const char **out, struct err *e)
{
    static const char published[] = "suites/bench";
    bool named = app->args.n > 1;

    *out = named ? app->args.v[1] : published;
    if (folder_is(*out) || file_exists(*out))
        return OK;
    if (named)
        return err_set(e, E_ABSENT, "there is no file or folder %s", *out);
    return err_set(e, E_ABSENT,
                   "there is no %s here; name a collection, a suite or a folder of suites: "
                   "audition bench %s PATH",
                   published, app->args.v[0]);
}

static enum status bench(struct app *app, struct err *e)
{
    static const char *const tasks[] = {"info", "check"};
    const char *arg;
    struct collect c;
    struct proof *p;
    struct diags d;
    size_t task;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &task, e) != OK ||
        find(app, &arg, e) != OK ||
        collect_suites(app, &(struct opt_args){.v = &arg, .n = 1}, 0, &c, e) != OK)
        return e->code;
    diags_init(&d, app->arena);
    p = proof_load(app->arena, c.of, c.path ? c.path : arg, &d);
    if (task == 1)
        return check(app, p, app->values, e);
    term_faults(app, &d);
    app->exit = d.errors ? EXIT_FAILED : EXIT_DONE;
    return info(app, p, e);
}

const struct command cmd_bench_command = {
    .name = "bench",
    .need = NO_STORE,
    .args = "info|check [COLLECTION]",
    .summary = "count and proofread the material of a collection",
    /* clang-format off */
    .opts = OPTS(
        {"training", 0, OPT_LIST, offsetof(struct bench_values, training), "FILE",
         "check: training data, of any size, that must not contain any item", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct bench_values),
    .tasks = true,
    .nargs = {1, 2},
    .run = bench,
};
