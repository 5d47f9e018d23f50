#include "cmd/items_from.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/doc.h"
#include "base/file.h"
#include "base/message.h"
#include "cmd/records.h"
#include "cmd/suite_args.h"
#include "exchange/import_bench.h"

struct job {
    struct app *app;
    struct import_bench bench;
    struct record_faults faults;
    int64_t skipped, records; /* of all files */
};

static void add(struct job *j, int64_t line, const json_t *record)
{
    const char *fault = import_bench_add(&j->bench, record, ++j->records);

    if (fault)
        record_fault(&j->faults, line, fault);
}

static enum status add_record(void *user, struct arena *scratch, const struct record *r,
                              struct err *e)
{
    struct job *j = user;

    (void)scratch;
    (void)e;
    if (r->fault || !r->object)
        record_fault(&j->faults, r->line, r->fault ? r->fault : N_("not an object"));
    else
        add(j, r->line, r->object);
    return OK;
}

static enum status read_book(struct job *j, const char *path, struct err *e)
{
    const struct node *root, *records = NULL;
    const char *fault;
    struct diags d;
    int64_t line;

    diags_init(&d, j->app->arena);
    root = doc_load(j->app->arena, path, (struct place){0}, &d);
    if (suite_args_faults(j->app, &d, path, e) != OK)
        return e->code;
    fault = import_bench_book(&j->bench, root, &records, &line);
    if (fault)
        return err_set(e, E_INPUT, "%s:%lld: %s", path, (long long)line, fault);
    for (const struct node *n = records ? records->first : NULL; n; n = n->next) {
        AUTO(json_freep) json_t *one = doc_to_json(n);
        add(j, n->at.line, one);
    }
    return OK;
}

/* Some benchmarks have files that are one object ("books"), about all records. They are read first,
 * whatever the order of the files. */
static enum status read_all(struct job *j, const struct opt_args *files, struct err *e)
{
    for (int books = 1; books >= 0; books--)
        for (size_t i = 0; i < files->n; i++) {
            const char *path = files->v[i];
            bool is_book = import_bench_has_books(&j->bench) && file_begins(path) == '{';
            if (is_book != books)
                continue;
            j->faults = (struct record_faults){j->app->err, path, 0};
            if ((books ? read_book(j, path, e) : records_read(path, add_record, j, e)) != OK)
                return e->code;
            record_faults_close(&j->faults);
            j->skipped += j->faults.n;
        }
    return j->bench.nitems ? OK : err_set(e, E_INPUT, "%s contains no items", files->v[0]);
}

static enum status write_all(const struct job *j, const char *output, const char *path,
                             struct err *e)
{
    AUTO(buf_done) struct buf suite = BUF_MAX(DOC_MAX);
    const struct import_bench *b = &j->bench;

    import_bench_suite(b, &suite);
    if (suite.full || b->items.full)
        return err_set(e, E_INPUT, "%s: over the limit for a suite", path);
    if (mkdir(output, 0777) != 0 && errno != EEXIST)
        return err_set(e, E_SYSTEM, "%s: %s", output, strerror(errno));
    if (file_write(arena_printf(j->app->arena, "%s/items.jsonl", output), buf_str(&b->items), e) !=
        OK)
        return e->code;
    return file_write(path, buf_str(&suite), e);
}

static void print_counts(const struct job *j, const char *path)
{
    const struct import_bench *b = &j->bench;

    fprintf(j->app->out,
            j->app->common.json
                ? "{\"items\":%zu,\"characters\":%zu,\"users\":%zu,\"skipped\":%lld}\n"
                : _("items: %zu, characters: %zu, users: %zu, records skipped: %lld\n"),
            b->nitems, json_array_size(b->characters), json_array_size(b->users),
            (long long)j->skipped);
    if (!j->app->common.json)
        fprintf(j->app->out, "%s\n", path);
    if (j->skipped)
        j->app->exit = EXIT_LEFT;
}

enum status items_from(struct app *app, const char *name, const struct opt_args *files,
                       const char *output, struct err *e)
{
    struct job j = {.app = app};
    const char *path = arena_printf(app->arena, "%s/suite.yaml", output ? output : "");

    if (!output)
        return err_set(e, E_USAGE, "--from makes a suite: name its folder with -o DIR");
    if (file_exists(path))
        return err_set(e, E_USAGE, "%s already exists; name another folder", path);
    if (!import_bench_init(&j.bench, app->arena, name))
        return err_set(e, E_USAGE, "no benchmark '%s'; available: %s", name,
                       import_bench_names(app->arena));
    if (read_all(&j, files, e) == OK && write_all(&j, output, path, e) == OK)
        print_counts(&j, path);
    import_bench_done(&j.bench);
    return e->code;
}
