/* Makes items of the files in which people keep prompts and good answers. */
#include <inttypes.h>

#include "base/csv.h"
#include "base/map.h"
#include "base/message.h"
#include "cmd/analyse.h"
#include "cmd/items_from.h"
#include "cmd/records.h"
#include "exchange/import_md.h"
#include "exchange/import_situations.h"
#include "suite/field.h"

enum { MARKDOWN_MAX = 64 << 20, OUTPUT_MAX = 1 << 30, FILES_MAX = 1000 };

struct items_options {
    const char *output, *prompt, *reference, *group, *judge, *from;
    int64_t limit;
    bool examples;
};

/* The most telling names come first. */
static const char *const prompt_keys[] = {"prompt", "input", "question", "instruction", "query"};
static const char *const reference_keys[] = {"reference", "target", "answer", "output", "response"};

struct job {
    struct app *app;
    const struct items_options *o;
    const char *path, *prompt, *reference; /* file; keys: reference NULL: the file has none */
    bool sniffed;
    struct record_faults faults;
    struct buf out;
    int64_t items, bare; /* written, and of these without a reference */
    struct map groups;   /* name -> number of items, int64_t */
    struct map ids;      /* of the items written -> the job */
    bool situated;       /* the file holds situations, which become a suite */
    struct import_situations situations;
};

/* One item as it is written; empty parts are left out. */
struct row {
    struct str id, prompt, reference, group, tag;
};

static void put_member(struct buf *b, const char *name, struct str value, const char *before)
{
    if (value.n == 0)
        return;
    buf_fmt(b, "%s\"%s\": ", before, name);
    json_quote(b, value);
}

static void put_row(struct job *j, const struct row *row)
{
    struct buf *b = &j->out;

    put_member(b, "id", row->id, "{");
    put_member(b, "prompt", row->prompt, ", ");
    put_member(b, "reference", row->reference, ", ");
    put_member(b, "group", row->group, ", ");
    put_member(b, "tag", row->tag, ", ");
    buf_text(b, "}\n");
    j->items++;
    j->bare += row->reference.n == 0;
}

static int64_t *count_of(struct job *j, struct str group)
{
    return map_room(&j->groups, group, sizeof(int64_t));
}

/* Take an id; false if another item has it: a suite with the same id twice would be refused. */
static bool is_new(struct job *j, struct str id)
{
    return !map_put(&j->ids, id, j);
}

/* An id for an item without one: the first number from n on that no other item has. */
static struct str made_id(struct job *j, struct arena *a, struct str heading, int64_t n)
{
    struct str id;

    do {
        id = str_of(arena_printf(a, "%.*s%s%" PRId64, STR_ARG(utf8_head(heading, 40)),
                                 heading.n ? "-" : "", n++));
    } while (!is_new(j, id));
    return id;
}

static bool is_wanted(const struct job *j, struct str group)
{
    return !j->o->group || str_find(group, str_of(j->o->group)) != SIZE_MAX;
}

/* ---- Markdown ---- */

static enum status read_markdown(struct job *j, struct err *e)
{
    struct arena *a = j->app->arena;
    struct import_md_pairs pairs;
    struct str text;

    if (file_read(a, j->path, MARKDOWN_MAX, &text, e) != OK)
        return e->code;
    if (import_md_read(a, text, &pairs, e) != OK)
        return err_wrap(e, "%s", j->path);
    for (size_t i = 0; i < pairs.n; i++) {
        const struct import_md_pair *one = &pairs.v[i];
        struct row row = {
            .prompt = one->prompt, .reference = one->reference, .group = one->heading};
        if (!is_wanted(j, one->heading))
            continue;
        row.id = made_id(j, a, one->heading, ++*count_of(j, one->heading));
        put_row(j, &row);
    }
    return OK;
}

/* Examples are written as one JSON list, which is what `examples` of a suite names. */
static void put_example(struct job *j, const struct import_md_example *one)
{
    struct buf *b = &j->out;

    put_member(b, "prompt", one->prompt, j->items++ ? ",\n{" : "[\n{");
    put_member(b, "answer", one->answer, ", ");
    put_member(b, "reference", one->reference, ", ");
    buf_fmt(b, ", \"score\": %.15g", one->score);
    put_member(b, "reason", one->reason, ", ");
    buf_text(b, "}");
    j->bare += one->reference.n == 0;
}

static enum status read_examples(struct job *j, struct err *e)
{
    struct import_md_examples examples;
    struct str text;

    if (file_read(j->app->arena, j->path, MARKDOWN_MAX, &text, e) != OK)
        return e->code;
    if (import_md_examples(j->app->arena, text, &examples, e) != OK)
        return err_wrap(e, "%s", j->path);
    for (size_t i = 0; i < examples.n; i++) {
        if (!is_wanted(j, examples.v[i].heading))
            continue;
        ++*count_of(j, examples.v[i].heading);
        put_example(j, &examples.v[i]);
    }
    buf_text(&j->out, "\n]\n");
    return OK;
}

/* ---- JSON and CSV ---- */

static const char *const yaml[] = {".yaml", ".yml", NULL};

static bool has_words(const json_t *object, const char *key)
{
    return str_trim(json_str_at(object, key, STR(""))).n > 0;
}

/* Find the keys of prompt and reference in the first record, unless options name them. */
static enum status choose_keys(struct job *j, const struct record *r, struct err *e)
{
    /* Either may be only half of the prompt: ask rather than guess. */
    if (!j->prompt && has_words(r->object, "instruction") && has_words(r->object, "input"))
        return err_set(e, E_INPUT,
                       "%s:%lld: both \"instruction\" and \"input\" are present: which one is the "
                       "prompt? (--prompt-key K)",
                       j->path, (long long)r->line);
    if (!j->prompt)
        j->prompt = record_key(r, prompt_keys, COUNT(prompt_keys), j->reference, true);
    if (!j->prompt)
        return err_set(e, E_INPUT, "%s:%lld: which text is the prompt? (--prompt-key K)", j->path,
                       (long long)r->line);
    if (!j->reference)
        j->reference = record_key(r, reference_keys, COUNT(reference_keys), j->prompt, true);
    if (!j->reference) /* that of the first item may be blank */
        j->reference = record_key(r, reference_keys, COUNT(reference_keys), j->prompt, false);
    return OK;
}

/* Find out from the first record what the file holds. */
static enum status sniff(struct job *j, const struct record *r, struct err *e)
{
    j->sniffed = true;
    j->situated = !j->prompt && import_situations_are(r->object);
    if (!j->situated)
        return choose_keys(j, r, e);
    if (!j->o->output || !str_any(str_of(j->o->output), str_ends, yaml))
        return err_set(
            e, E_USAGE,
            "%s contains battle situations, which become a whole suite: name it with -o SUITE.yaml",
            j->path);
    return OK;
}

static void add_situation(struct job *j, const struct record *r)
{
    const char *fault = import_situations_add(&j->situations, r->object, r->line);

    if (fault)
        record_fault(&j->faults, r->line, fault);
    else
        j->items++;
}

static enum status add_record(void *user, struct arena *scratch, const struct record *r,
                              struct err *e)
{
    struct job *j = user;
    struct row row = {0};

    if (r->fault || !r->object) {
        record_fault(&j->faults, r->line, r->fault ? r->fault : N_("not an object"));
        return OK;
    }
    if (!j->sniffed && sniff(j, r, e) != OK)
        return e->code;
    if (j->situated) {
        add_situation(j, r);
        return OK;
    }
    row.prompt = json_str_at(r->object, j->prompt, STR(""));
    if (str_trim(row.prompt).n == 0) {
        record_fault(&j->faults, r->line, arena_printf(scratch, "no text \"%s\"", j->prompt));
        return OK;
    }
    if (j->reference)
        row.reference = json_str_at(r->object, j->reference, STR(""));
    row.id = json_name_at(scratch, r->object, "id");
    row.group = json_name_at(scratch, r->object, "group");
    row.tag = json_name_at(scratch, r->object, "tag");
    if (!is_wanted(j, row.group))
        return OK;
    if (row.id.n == 0) {
        row.id = made_id(j, scratch, STR(""), r->number);
    } else if (!is_new(j, row.id)) {
        record_fault(&j->faults, r->line, N_("another item has its id"));
        return OK;
    }
    if (row.group.n)
        ++*count_of(j, row.group);
    put_row(j, &row);
    return OK;
}

struct table {
    struct csv in;
    struct str *names;
    size_t n;
    int64_t rows;
};

static void table_close(struct table *t)
{
    csv_close(&t->in);
}

/* Add the current row as if it were a JSON object. */
static enum status add_row(struct job *j, struct arena *scratch, struct table *t, struct err *e)
{
    AUTO(json_freep) json_t *object = json_object();
    struct record r = {.line = t->in.line, .number = ++t->rows, .object = object};

    if (t->in.n > t->n)
        r.fault = N_("more fields than the first row has names");
    for (size_t i = 0; i < t->in.n && i < t->n; i++)
        json_put_str(object, t->names[i].p, t->in.fields[i]);
    return add_record(j, scratch, &r, e);
}

static enum status open_table(struct job *j, struct table *t, bool *more, struct err *e)
{
    if (csv_open(&t->in, j->path, RECORD_MAX, e) != OK || csv_next(&t->in, more, e) != OK)
        return e->code;
    t->n = *more ? t->in.n : 0;
    t->names = NEW_N(j->app->arena, struct str, t->n);
    for (size_t i = 0; i < t->n; i++)
        t->names[i] = arena_str(j->app->arena, str_trim(t->in.fields[i]));
    for (size_t i = 0; i < t->n; i++)
        if (t->names[i].n && csv_twice(&t->in, i)) {
            (void)err_set(e, E_INPUT, "a second column %s", arena_text(j->app->arena, t->names[i]));
            return err_wrap(e, "%s:%lld", j->path, (long long)t->in.line);
        }
    return OK;
}

static enum status read_csv(struct job *j, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(table_close) struct table t = {0};
    bool more = false;

    if (open_table(j, &t, &more, e) != OK)
        return e->code;
    for (; more; arena_reset(scratch)) {
        if (csv_next(&t.in, &more, e) != OK || (more && add_row(j, scratch, &t, e) != OK))
            return e->code;
    }
    return OK;
}

/* ---- the command ---- */

/* The suite is named after its file, if that is a valid id. */
static void put_suite(struct job *j)
{
    const char *slash = strrchr(j->o->output, '/');
    struct str name = str_of(slash ? slash + 1 : j->o->output);

    name.n = (size_t)(strrchr(name.p, '.') - name.p);
    import_situations_suite(
        &j->situations, field_is_id(name) ? arena_text(j->app->arena, name) : "battles", &j->out);
}

static enum status read_file(struct job *j, struct err *e)
{
    static const char *const json[] = {".jsonl", ".ndjson", ".json", NULL};

    if (j->o->examples)
        return read_examples(j, e);
    if (str_ends(str_of(j->path), STR(".csv")))
        return read_csv(j, e);
    return str_any(str_of(j->path), str_ends, json) ? records_read(j->path, add_record, j, e)
                                                    : read_markdown(j, e);
}

static enum status write_out(struct job *j, struct err *e)
{
    if (j->situated)
        put_suite(j);
    if (j->out.full)
        return err_set(e, E_INPUT, "%s: over %d MB of items", j->path, OUTPUT_MAX >> 20);
    if (j->o->output)
        return file_write(j->o->output, buf_str(&j->out), e);
    (void)fwrite(j->out.p, 1, j->out.n, j->app->out);
    return OK;
}

static enum status none_in(const struct job *j, struct err *e)
{
    bool examples = j->o->examples;

    if (j->o->group)
        return err_set(e, E_INPUT,
                       examples ? "%s contains no examples under \"%s\""
                                : "%s contains no items under \"%s\"",
                       j->path, j->o->group);
    return err_set(e, E_INPUT, examples ? "%s contains no examples" : "%s contains no items",
                   j->path);
}

/* To standard output, unless the items go there. */
static void print_counts(const struct job *j)
{
    FILE *to = j->o->output ? j->app->out : j->app->err;

    if (j->o->output && j->app->common.json) {
        fprintf(to, "{\"%ss\":%lld,\"without_reference\":%lld,\"groups\":%zu,\"skipped\":%lld}\n",
                j->o->examples ? "example" : "item", (long long)j->items, (long long)j->bare,
                j->groups.n, (long long)j->faults.n);
        return;
    }
    fprintf(to, j->o->examples ? _("%lld example%s") : _("%lld item%s"), (long long)j->items,
            message_s(j->items));
    if (j->groups.n > 1)
        fprintf(to, _(" in %zu groups"), j->groups.n);
    if (j->bare)
        fprintf(to, _(", %lld without a reference"), (long long)j->bare);
    fprintf(to, "%s%s\n", j->o->output ? ": " : "", j->o->output ? j->o->output : "");
}

static enum status analyse(struct app *app, const struct items_options *o, struct err *e)
{
    for (size_t i = 0; i < app->args.ngiven; i++)
        if (!str_starts(str_of(app->args.given[i]->help), STR("analyse: ")))
            return err_set(e, E_USAGE, "--%s goes with a FILE, not with analyse",
                           app->args.given[i]->name);
    return analyse_items(app, app->args.v[1], o->judge, o->limit, e);
}

/* --from: the files are those of a benchmark. */
static enum status from(struct app *app, const struct items_options *o, struct err *e)
{
    for (size_t i = 0; i < app->args.ngiven; i++)
        if (strcmp(app->args.given[i]->name, "from") != 0 &&
            strcmp(app->args.given[i]->name, "output") != 0)
            return err_set(e, E_USAGE, "--%s goes with a FILE, not with --from",
                           app->args.given[i]->name);
    return items_from(app, o->from, &app->args, o->output, e);
}

static enum status items(struct app *app, struct err *e)
{
    const struct items_options *o = app->values;
    struct job j = {.app = app,
                    .o = o,
                    .path = app->args.v[0],
                    .prompt = o->prompt,
                    .reference = o->reference,
                    .faults = {app->err, app->args.v[0], 0},
                    .out = BUF_MAX(OUTPUT_MAX)};
    enum status st;

    if (o->from)
        return from(app, o, e);
    if (app->args.n == 2 && strcmp(app->args.v[0], "analyse") == 0)
        return analyse(app, o, e);
    if (app->args.n > 1 || strcmp(j.path, "analyse") == 0)
        return err_set(e, E_USAGE, "one file, or: items analyse RUN");
    map_init(&j.groups, app->arena);
    map_init(&j.ids, app->arena);
    import_situations_init(&j.situations, app->arena);
    st = read_file(&j, e);
    if (st == OK && j.items == 0)
        st = none_in(&j, e);
    if (st == OK)
        st = write_out(&j, e);
    buf_done(&j.out);
    import_situations_done(&j.situations);
    if (st != OK)
        return st;
    record_faults_close(&j.faults);
    print_counts(&j);
    if (j.faults.n)
        app->exit = EXIT_LEFT;
    return OK;
}

#define AT(member) offsetof(struct items_options, member)

const struct command cmd_items_command = {
    .name = "items",
    .need = NO_STORE,
    .args = "FILE [-o OUT.jsonl | -o SUITE.yaml] | --from NAME FILE... -o DIR | analyse RUN",
    .summary = "turn a file of prompts and reference answers into items",
    /* clang-format off */
    .opts = OPTS(
        {"output",        'o', OPT_TEXT, AT(output),    "FILE", "where to write the items [standard output]", 0, 0},
        {"prompt-key",    0,   OPT_TEXT, AT(prompt),    "NAME", "key of the prompt [prompt, input, question, instruction, query]", 0, 0},
        {"reference-key", 0,   OPT_TEXT, AT(reference), "NAME", "key of the reference answer [reference, target, answer, output, response]", 0, 0},
        {"group",         0,   OPT_TEXT, AT(group),     "TEXT", "only items whose heading or group contains this [all]", 0, 0},
        {"from",          0,   OPT_TEXT, AT(from),      "NAME", "turn the files of a benchmark into a suite in -o DIR: charactereval, coser, pingpong, rmtbench, rpbench-auto, role-play-bench", 0, 0},
        {"examples",      0,   OPT_FLAG, AT(examples),  NULL,   "not the items but the worked examples in a Markdown file's tables, for a suite's `examples`", 0, 0},
        {"judge",         0,   OPT_TEXT, AT(judge),     "NAME", "analyse: by whose marks: a judge, a panel (a+b) or people (campaign:NAME) [the first judges]", 0, 0},
        {"limit",         0,   OPT_COUNT, AT(limit),    "N",    "analyse: how many items to show; 0: all [20]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct items_options),
    .tasks = true,
    .defaults = &(const struct items_options){.limit = 20},
    .nargs = {1, FILES_MAX},
    .run = items,
};
