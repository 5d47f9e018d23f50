/* Checks banks of characters for everything that makes a sitting worse. */
#include "base/folder.h"
#include "base/message.h"
#include "cmd/term.h"
#include "suite/bank.h"
#include "suite/suite.h"

enum { PATHS_MAX = 1000, LANGUAGES_MAX = 100 };

/* What a bank holds, by language. */
struct count {
    const char *language;
    size_t characters, part1, part3, tasks, facts;
};

struct counts {
    struct count v[LANGUAGES_MAX];
    size_t n;
};

static struct count *count_of(struct counts *c, const char *language)
{
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->v[i].language, language) == 0)
            return &c->v[i];
    if (c->n == LANGUAGES_MAX)
        return &c->v[LANGUAGES_MAX - 1];
    c->v[c->n] = (struct count){.language = language};
    return &c->v[c->n++];
}

static void add_character(struct counts *all, const struct bank_character *who)
{
    struct count *c;

    if (!who->language[0])
        return; /* an error, reported elsewhere */
    c = count_of(all, who->language);
    c->characters++;
    for (int k = 0; k < QUESTION_KINDS; k++)
        *(k < PART_KINDS ? &c->part1 : &c->part3) += who->questions.of[k].n;
    c->tasks += who->questions.ntasks;
    c->facts += who->nfacts;
}

/* The bank in a directory, or the one that a suite names. */
static const struct bank *open_bank(struct app *app, const char *path, struct diags *d)
{
    struct item_source *items = NULL;
    const struct suite *s;

    if (folder_is(path))
        return bank_load(app->arena, path, (struct place){0}, d);
    s = suite_load(app->arena, path, &items, d);
    if (s && s->elicit.kind != ELICIT_INTERVIEW)
        diags_error(d, (struct place){0}, "%s is not an interview: it has no bank", path);
    return items ? items->bank : NULL;
}

static void print_text(FILE *out, const struct counts *c)
{
    for (size_t i = 0; i < c->n; i++)
        fprintf(out,
                _("%s: %zu character%s, %zu question%s of part 1, %zu task card%s, %zu question%s "
                  "of part 3, %zu fact%s\n"),
                c->v[i].language, c->v[i].characters, message_s(c->v[i].characters), c->v[i].part1,
                message_s(c->v[i].part1), c->v[i].tasks, message_s(c->v[i].tasks), c->v[i].part3,
                message_s(c->v[i].part3), c->v[i].facts, message_s(c->v[i].facts));
}

static void print_json(struct app *app, const struct counts *c, const struct diags *d)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *languages = json_object();

    for (size_t i = 0; i < c->n; i++)
        json_put(languages, c->v[i].language,
                 json_pack("{s:I, s:I, s:I, s:I, s:I}", "characters",
                           (json_int_t)c->v[i].characters, "part1", (json_int_t)c->v[i].part1,
                           "tasks", (json_int_t)c->v[i].tasks, "part3", (json_int_t)c->v[i].part3,
                           "facts", (json_int_t)c->v[i].facts));
    json_put(j, "languages", languages);
    json_put_int(j, "errors", (int64_t)d->errors);
    json_put_int(j, "warnings", (int64_t)d->warnings);
    fprintf(app->out, "%s\n", json_text(app->arena, j));
}

static enum status bank(struct app *app, struct err *e)
{
    static const char *const tasks[] = {"check"};
    size_t row;
    struct counts *counts = NEW(app->arena, struct counts);
    struct diags d;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &row, e) != OK)
        return e->code;
    if (app->args.n < 2)
        return err_set(e, E_USAGE, "usage: audition bank check DIR|SUITE...");
    diags_init(&d, app->arena);
    for (size_t i = 1; i < app->args.n; i++) {
        const struct bank *b = open_bank(app, app->args.v[i], &d);
        if (!b)
            continue;
        bank_check(b, &d);
        for (size_t k = 0; k < b->n; k++)
            add_character(counts, &b->v[k]);
    }
    if (app->common.json)
        print_json(app, counts, &d);
    else
        print_text(app->out, counts);
    (void)fflush(app->out);
    term_faults(app, &d);
    app->exit = d.errors ? EXIT_FAILED : EXIT_DONE;
    return OK;
}

const struct command cmd_bank_command = {
    .name = "bank",
    .need = NO_STORE,
    .args = "check DIR|SUITE...",
    .summary = "check the characters of an interview bank",
    .nargs = {1, PATHS_MAX},
    .run = bank,
};
