/* Converts character cards to character files. */
#include "base/file.h"
#include "base/words.h"
#include "cmd/term.h"
#include "suite/card.h"
#include "text/language.h"
#include "text/rune.h"

struct card_options {
    const char *output, *name, *user, *language;
    int64_t seed;
};

struct job {
    struct app *app;
    const struct card_options *o;
    const char *path, *language;
    struct card_desk desk;
    struct card card;
};

static bool describes(const struct card *c)
{
    return str_trim(c->description).n || str_trim(c->personality).n || str_trim(c->system).n;
}

static enum status read_card(struct job *j, struct err *e)
{
    struct str file;

    if (file_read(j->app->arena, j->path, CARD_FILE_MAX, &file, e) != OK)
        return e->code;
    if (card_read(&j->desk, file, &j->card, e) != OK)
        return err_wrap(e, "%s", j->path);
    if (j->o->name)
        j->card.name = str_of(j->o->name);
    if (j->card.name.n == 0)
        return err_set(e, E_INPUT, "%s: the card has no name: give one with --name", j->path);
    if (!describes(&j->card))
        return err_set(e, E_INPUT, "%s: the card has no text that describes the character",
                       j->path);
    j->language = j->o->language ? j->o->language
                                 : language_guess(j->card.description.n ? j->card.description
                                                                        : j->card.first_message);
    return OK;
}

static void print_json(const struct job *j)
{
    AUTO(json_freep) json_t *out = json_object();
    size_t entries = j->card.book ? j->card.book->n : 0;

    json_put_str(out, "name", j->card.name);
    json_put_int(out, "version", j->card.version);
    json_put_text(out, "language", j->language);
    json_put_int(out, "entries", (int64_t)entries);
    json_put_int(out, "warnings", (int64_t)j->desk.d->warnings);
    fprintf(j->app->out, "%s\n", json_text(j->app->arena, out));
}

/* To standard output, unless the character goes there. */
static void print_summary(const struct job *j)
{
    FILE *to = j->o->output ? j->app->out : j->app->err;
    size_t entries = j->card.book ? j->card.book->n : 0;

    if (j->o->output && j->app->common.json) {
        print_json(j);
        return;
    }
    fprintf(to, _("%.*s (card version %d, %s"), STR_ARG(rune_clean(j->app->arena, j->card.name)),
            j->card.version, j->language);
    if (entries)
        fprintf(to, _(", lorebook of %zu entr%s"), entries, entries == 1 ? "y" : "ies");
    fprintf(to, ")%s%s\n", j->o->output ? ": " : "", j->o->output ? j->o->output : "");
}

static enum status card(struct app *app, struct err *e)
{
    const struct card_options *o = app->values;
    struct source source = {.path = app->args.v[0]};
    struct diags d;
    struct job j = {.app = app,
                    .o = o,
                    .path = app->args.v[0],
                    .desk = {.a = app->arena, .at = {.source = &source}, .d = &d}};
    const char *user;
    struct str yaml;

    diags_init(&d, app->arena);
    if (read_card(&j, e) != OK)
        return e->code;
    user = o->user ? o->user : words_of(j.language, MADE_USER);
    j.card = card_play(&j.desk, &j.card, str_of(user), (uint64_t)o->seed);
    if (card_character(&j.desk, &j.card, j.language, &yaml, e) != OK)
        return err_wrap(e, "%s", j.path);
    if (o->output && file_write(o->output, yaml, e) != OK)
        return e->code;
    if (!o->output)
        (void)fwrite(yaml.p, 1, yaml.n, app->out);
    term_faults(app, &d);
    print_summary(&j);
    return OK;
}

#define AT(member) offsetof(struct card_options, member)

const struct command cmd_card_command = {
    .name = "card",
    .need = NO_STORE,
    .args = "FILE [-o CHARACTER.yaml]",
    .summary = "convert a character card to a character file",
    /* clang-format off */
    .opts = OPTS(
        {"output",   'o', OPT_TEXT,  AT(output),   "FILE", "where to write the character [standard output]", 0, 0},
        {"name",     0,   OPT_TEXT,  AT(name),     "NAME", "name of the character [from the card]", 0, 0},
        {"user",     0,   OPT_TEXT,  AT(user),     "NAME", "name for {{user}} [User, 用户, ユーザー]", 0, 0},
        {"language", 0,   OPT_TEXT,  AT(language), "CODE", "language of the card: en, zh or ja [detected]", 0, 0},
        {"seed",     0,   OPT_COUNT, AT(seed),     "N",    "seed of {{random}}, {{pick}} and {{roll}} [1]", 0, INT64_MAX}),
    /* clang-format on */
    .size = sizeof(struct card_options),
    .defaults = &(const struct card_options){.seed = 1},
    .nargs = {1, 1},
    .run = card,
};
