/* The material of a collection: what there is of it, and whether it is as good as it should be. */
#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/suite_args.h"
#include "report/table.h"
#include "suite/bank.h"
#include "suite/proof.h"

enum { ROWS_MAX = 200, TEXT_MAX = 4 << 20, DIFFICULTIES = 5 };

struct bench_values {
    struct opt_list training;
};

/* What there is of one kind in one language. */
struct count {
    const char *language, *kind;
    int64_t suites, items, varying, characters, users, cards, by[DIFFICULTIES];
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

/* Interviews have no items of their own: their characters are counted. The items of a dialogue are
 * its scenarios. */
static size_t count(const struct proof *p, struct count *v)
{
    size_t n = 0;

    for (size_t i = 0; i < p->nsuites; i++) {
        const struct proof_suite *s = &p->suites[i];
        struct count *c;
        if (!s->suite)
            continue;
        c = count_of(v, &n, s->suite->language, *s->of->kind ? s->of->kind : s->of->suite);
        c->suites++;
        c->items += (int64_t)s->nitems;
        c->varying += (int64_t)s->varying;
        c->characters += (int64_t)(s->bank ? s->bank->n : s->suite->ncharacters);
        c->users += (int64_t)s->suite->elicit.dialogue.nusers;
        for (size_t k = 0; k < s->nitems; k++) {
            int difficulty = s->items[k].card.difficulty;
            c->cards += difficulty > 0;
            if (difficulty > 0 && difficulty <= DIFFICULTIES)
                c->by[difficulty - 1]++;
        }
    }
    return n;
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
    {{.key = "with_card", .word = BENCH_CARDS, .kind = TABLE_COUNT}, OF(cards)},
};
/* clang-format on */

#undef OF

static void print_info(struct app *app, const struct proof *p, const struct count *v, size_t n)
{
    AUTO(buf_done) struct buf out = BUF_MAX(TEXT_MAX);
    AUTO(json_freep) json_t *root = json_object();
    const struct render_terminal how = {.columns = 100, .unicode = !app->common.plain};
    struct table *t = table_new(app->arena, NULL, n);
    int64_t items = 0;
    json_t *rows;

    table_fields(t, fields, COUNT(fields), v, sizeof *v);
    for (size_t i = 0; i < n; i++)
        items += v[i].items;
    if (!app->common.json) {
        (void)table_terminal(t, &how, &out);
        (void)fwrite(out.p, 1, out.n, app->out);
        return;
    }
    json_put_text(root, "collection", p->of->id);
    json_put_int(root, "items", items);
    rows = json_put_list(root, "kinds");
    table_json(t, rows);
    for (size_t i = 0; i < n; i++) {
        json_t *by = json_put_list(json_array_get(rows, i), "by_difficulty");
        for (size_t k = 0; k < DIFFICULTIES; k++)
            (void)json_array_append_new(by, json_integer((json_int_t)v[i].by[k]));
    }
    fprintf(app->out, "%s\n", json_text(app->arena, root));
}

static void print_check(struct app *app, const struct diags *d, int64_t found)
{
    AUTO(buf_done) struct buf text = BUF_MAX(TEXT_MAX);

    diags_show(d, NULL, &text);
    (void)fputs(text.n ? text.p : "", app->err);
    if (app->common.json)
        fprintf(app->out, "{\"errors\":%zu,\"warnings\":%zu,\"in_training\":%lld}\n", d->errors,
                d->warnings, (long long)found);
    else if (d->errors + d->warnings == 0)
        fprintf(app->out, _("nothing to mend\n"));
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

static enum status bench(struct app *app, const struct opt_args *args, const void *values,
                         struct err *e)
{
    static const char *const tasks[] = {"info", "check"};
    static const struct opt_words words = OPT_WORDS(NULL, tasks);
    const char *arg = args->n > 1 ? args->v[1] : "suites/bench";
    struct count *counts = NEW_N(app->arena, struct count, ROWS_MAX);
    struct collect c;
    struct proof *p;
    struct diags d;
    size_t task;

    if (opt_choose(&words, args->v[0], &task, e) != OK ||
        collect_suites(app, &(struct opt_args){&arg, 1}, 0, &c, e) != OK)
        return e->code;
    diags_init(&d, app->arena);
    p = proof_load(app->arena, c.of, c.path ? c.path : arg, &d);
    if (task == 1)
        return check(app, p, values, e);
    print_info(app, p, counts, count(p, counts));
    app->exit = d.errors ? EXIT_FAILED : EXIT_DONE;
    return OK;
}

/* clang-format off */
static const struct opt opts[] = {
    {"training", 0, OPT_LIST, offsetof(struct bench_values, training), "FILE",
     "check: training data, of any size, in which no item may stand", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

const struct command cmd_bench_command = {
    .name = "bench",
    .need = NO_STORE,
    .args = "info|check [COLLECTION]",
    .summary = "count and proofread the material of a collection",
    .details =
        "info counts items, forms, characters and item cards by language and kind. check finds "
        "files without the canary, items without a card, forms of unequal length, texts that are "
        "alike within and across suites, people with the same name, cards that know what their era "
        "cannot, two registers in one mouth, and references that would break the suite's own rules "
        "or read as if nobody had said them; with --training, items that stand in training data. "
        "It exits with 1 when there "
        "is anything to mend.\n"
        "\n"
        "    audition bench info suites/bench --json\n"
        "    audition bench check suites/bench --training train.jsonl\n",
    .opts = opts,
    .size = sizeof(struct bench_values),
    .min_args = 1,
    .max_args = 2,
    .run = bench,
};
