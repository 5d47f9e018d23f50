/* A run as one file that anybody can verify: `archive` makes it, `restore` reads it back, `submit`
 * checks it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "audit/audit.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/term.h"
#include "eval/derive.h"
#include "eval/verify.h"
#include "report/show.h"
#include "store/store_archive.h"
#include "store/store_compare.h"
#include "store/store_pack.h"
#include "store/store_remove.h"
#include "suite/suite.h"
#include "text/rune.h"

enum { ARCHIVE_MAX = 1 << 30 };

struct archive_values {
    const char *output;
};

/* ---- verifying ---- */

/* Bring the run up to date, compute all of it again, and count the differences. */
static enum status verify(struct app *app, struct store *s, struct run_row *run,
                          struct verify_counts *c, struct err *e)
{
    struct term_differences shown = {.app = app};
    struct verify_look look = {.fn = term_difference, .user = &shown};
    int64_t audits;

    if ((run->stale && derive_refresh(s, run, e) != OK) ||
        verify_run(app->arena, s, run, &look, c, e) != OK ||
        audit_verify_run(app->arena, s, run, term_difference, &shown, &audits, e) != OK)
        return e->code;
    c->differences = shown.n;
    return OK;
}

static enum status must_verify(struct app *app, struct store *s, struct run_row *run, struct err *e)
{
    struct verify_counts c = {0};

    if (verify(app, s, run, &c, e) != OK)
        return e->code;
    return c.differences ? err_set(e, E_INPUT, "run %s does not verify: %lld difference%s",
                                   run->name, (long long)c.differences, message_s(c.differences))
                         : OK;
}

/* ---- archive ---- */

static enum status copy_out(struct app *app, struct run_row *run, struct store *to, struct err *e)
{
    int64_t id;

    if (store_remove_idle(app->store, run, e) != OK || must_verify(app, app->store, run, e) != OK ||
        store_archive_copy(app->store, run, to, &id, e) != OK || pack_finished(to, e) != OK ||
        db_vacuum(to->db, e) != OK || store_run_by_id(app->arena, to, id, run, e) != OK)
        return e->code;
    return must_verify(app, to, run, e);
}

/* The two files that SQLite keeps beside a database in use. */
static void remove_beside(struct arena *a, const char *path)
{
    (void)unlink(arena_printf(a, "%s-wal", path));
    (void)unlink(arena_printf(a, "%s-shm", path));
}

static void remove_all(struct arena *a, const char *path)
{
    (void)unlink(path);
    remove_beside(a, path);
}

/* The archive is written to `part`, by one process at a time: a second one finds it locked, or the
 * archive finished. What an interrupted process left in `part` is overwritten. */
static enum status claim(struct app *app, const char *path, const char *part, int *fd,
                         struct err *e)
{
    *fd = open(part, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (*fd < 0)
        return err_system(e, path);
    if (flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return err_set(e, E_USAGE, "%s is being written by another process", path);
    if (file_exists(path)) {
        (void)unlink(part);
        return err_set(e, E_USAGE, "%s exists already: choose another name with -o", path);
    }
    remove_beside(app->arena, part);
    return ftruncate(*fd, 0) == 0 ? OK : err_system(e, part);
}

static enum status write_out(struct app *app, struct run_row *run, const char *path,
                             const char *part, struct err *e)
{
    struct store *to = NULL;
    enum status st = store_open(&to, arena_printf(app->arena, "sqlite:%s", part), DB_WRITE, e);

    if (st == OK)
        st = copy_out(app, run, to, e);
    store_close(to);
    if (st == OK && rename(part, path) != 0)
        st = err_system(e, path);
    if (st != OK)
        remove_all(app->arena, part);
    return st;
}

static enum status archive(struct app *app, struct err *e)
{
    const struct archive_values *v = app->values;
    struct run_row run;
    const char *path, *part;
    enum status st;
    int fd;

    if (store_run_get(app->arena, app->store, app->args.v[0], &run, e) != OK)
        return e->code;
    path = v->output ? v->output : arena_printf(app->arena, "%s-%s.audition", run.suite, run.name);
    part = arena_printf(app->arena, "%s.part", path);
    st = claim(app, path, part, &fd, e);
    if (st == OK)
        st = write_out(app, &run, path, part, e);
    if (fd >= 0)
        (void)close(fd); /* and with it the lock */
    return st == OK ? term_wrote(app, path) : st;
}

/* ---- reading archives ---- */

/* Damaged pages would otherwise show only when their rows are read, halfway through. Views and
 * triggers are refused because they would run. */
static enum status check_whole(struct app *app, const char *path, struct err *e)
{
    const char *fault = NULL, *strange = NULL;
    struct db *db = NULL;
    enum status st = db_open(&db, path, DB_READ, e);

    if (st == OK)
        st = db_check(db, app->arena, &fault, e);
    if (st == OK && !fault)
        st = db_schema_strange(db, app->arena, &strange, e);
    db_close(db);
    if (strange)
        return err_set(e, E_STORE,
                       "%s is not an archived run: it contains the view or trigger '%s'", path,
                       rune_clean(app->arena, str_of(strange)).p);
    if (st != E_STORE && !fault)
        return st;
    return err_set(e, E_STORE,
                   "%s is damaged; copy or download it again, or make it again with `audition "
                   "archive`",
                   path);
}

/* Open a copy, which may be migrated to today's schema; the user's file is never changed. The copy
 * is unlinked while it is open, so that it vanishes however we end. */
static enum status open_copy(struct app *app, struct str bytes, char name[PATH_MAX],
                             struct store **out, struct err *e)
{
    int n = snprintf(name, PATH_MAX, "%s/audition-archive.XXXXXX", file_temporary());
    int fd = n < PATH_MAX ? mkstemp(name) : -1;
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    bool written = to && fwrite(bytes.p, 1, bytes.n, to) == bytes.n;
    enum status st;

    if (to ? fclose(to) != 0 : fd >= 0 && close(fd) != 0)
        written = false;
    st = written ? check_whole(app, name, e) : err_system(e, name);
    if (st == OK)
        st = store_open(out, name, DB_CHANGE, e);
    if (fd >= 0)
        remove_all(app->arena, name);
    if (st == OK)
        db_nameless((*out)->db);
    return st;
}

/* A fault of the copy is one of the user's file, and names that; one of copying is not. */
static enum status blame(struct app *app, const char *path, const char *copy, struct err *e)
{
    struct str said = str_of(arena_dup(app->arena, e->msg));

    if (e->code != E_STORE || !str_starts(said, str_of(copy)))
        return err_wrap(e, "%s", path);
    return err_set(e, e->code, "%s%s", path, said.p + strlen(copy));
}

static uint32_t number_at(struct str bytes, size_t at, size_t n)
{
    uint32_t v = 0;

    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)bytes.p[at + i];
    return v;
}

/* The header of an SQLite file says how long it is (https://www.sqlite.org/fileformat.html, 1.3),
 * so that a truncated file can be told from a changed one. */
static enum status check_length(const char *path, struct str bytes, struct err *e)
{
    enum { HEADER = 100, PAGE_SIZE = 16, PAGES = 28 };
    int64_t page, all;

    if (!str_starts(bytes, STR("SQLite format 3")))
        return err_set(e, E_INPUT, "%s is not an archived run", path);
    page = bytes.n < HEADER ? 0 : number_at(bytes, PAGE_SIZE, 2);
    all = bytes.n < HEADER ? HEADER : number_at(bytes, PAGES, 4) * (page == 1 ? 1 << 16 : page);
    if ((int64_t)bytes.n >= all)
        return OK;
    return err_set(e, E_INPUT,
                   "%s is incomplete: its end is missing; copy or download it again, or make it "
                   "again with `audition archive`",
                   path);
}

static enum status open_archive(struct app *app, const char *path, struct store **out,
                                struct run_list *runs, struct err *e)
{
    char copy[PATH_MAX];
    struct str bytes;

    if (file_read(app->arena, path, ARCHIVE_MAX, &bytes, e) != OK)
        return e->code;
    if (check_length(path, bytes, e) != OK)
        return e->code;
    if (open_copy(app, bytes, copy, out, e) != OK ||
        store_run_list(app->arena, *out, runs, e) != OK)
        return blame(app, path, copy, e);
    return runs->n ? OK : err_set(e, E_INPUT, "%s contains no run", path);
}

static enum status restore_run(struct app *app, struct store *from, int64_t id, struct err *e)
{
    struct run_left left;
    struct run_row run;
    bool unfinished;

    if (store_run_by_id(app->arena, from, id, &run, e) != OK ||
        must_verify(app, from, &run, e) != OK ||
        store_archive_copy(from, &run, app->store, &id, e) != OK ||
        store_run_by_id(app->arena, app->store, id, &run, e) != OK ||
        must_verify(app, app->store, &run, e) != OK ||
        store_run_left(app->store, run.id, &left, e) != OK)
        return e->code;
    unfinished = left.samples || left.verdicts;
    if (app->common.json)
        (void)term_json(app, json_pack("{s:s, s:s, s:b}", "run", run.name, "state", "restored",
                                       "unfinished", unfinished));
    else
        fprintf(app->out, _("restored run %s\n"), run.name);
    if (unfinished)
        fprintf(app->common.json ? app->err : app->out,
                _("it is unfinished: `%s run --resume %s` would ask the endpoints that the file "
                  "names, with your keys; do so only if you trust whoever made it\n"),
                app->self, arena_printf(app->arena, "%s%s%s", run.name, app->who, app->where));
    return OK;
}

static enum status restore(struct app *app, struct err *e)
{
    AUTO(store_closep) struct store *from = NULL;
    struct run_list l = {0};

    if (open_archive(app, app->args.v[0], &from, &l, e) != OK ||
        store_open(&app->store, app->common.db, DB_WRITE, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        if (restore_run(app, from, l.v[i].id, e) != OK)
            return err_wrap(e, "%s", app->args.v[0]);
    return OK;
}

/* ---- submissions ---- */

static const char published[] = "suites/bench";

/* What submit says about one run. */
struct submission {
    struct app *app;
    struct store *store;
    struct run_row *run;
    json_t *notes; /* in English */
};

static void note(const struct submission *sub, const char *english)
{
    struct app *app = sub->app;

    (void)json_array_append_new(sub->notes, json_from_str(str_of(english)));
    if (!app->common.json)
        fprintf(app->out, "  %s\n", message_show(app->arena, NULL, english));
}

/* The path of a suite in that collection. NULL: there is none, which is noted, or see e. */
static const char *published_suite(const struct submission *sub, struct err *e)
{
    const char *arg = published, *id = sub->run->suite;
    struct app *app = sub->app;
    struct collect c;

    if (!folder_is(published)) {
        note(sub, arena_printf(app->arena,
                               N_("not compared with the published suite: there is no %s here"),
                               published));
        return NULL;
    }
    if (collect_suites(app, &(struct opt_args){.v = &arg, .n = 1}, 0, &c, e) != OK)
        return NULL;
    for (size_t i = 0; i < c.of->nsuites; i++)
        if (c.of->suites[i].suite && strcmp(c.of->suites[i].suite, id) == 0)
            return c.of->suites[i].path;
    note(sub, arena_printf(app->arena,
                           N_("not compared with the published suite: %s does not contain %s"),
                           published, id));
    return NULL;
}

/* Items of the published suite: how many there are, how many of them the run has, and how many
 * items of the run are not as published. */
struct asked {
    int64_t all, found, others;
};

static enum status compare_items(const struct submission *sub, struct item_reader *files,
                                 struct asked *out, struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_items(sub->store, sub->run->id, e);
    struct arena *a = sub->app->arena;
    struct item_fact f;
    struct item item;
    struct map hashes;

    map_init(&hashes, a);
    for (; item_reader_next(files, &item); out->all++)
        hash_hex_of(str_of(item_asked(a, &item)), map_room(&hashes, str_of(item.id), HASH_HEX));
    while (store_item_next(&c, &f)) {
        const char *theirs = map_get(&hashes, str_of(f.name));
        char hash[HASH_HEX];
        if (item_thaw(a, f.body, &item, e) != OK)
            return err_wrap(e, "item %s", f.name);
        hash_hex_of(str_of(item_asked(a, &item)), hash);
        out->found += theirs != NULL;
        out->others += !theirs || strcmp(theirs, hash) != 0;
    }
    return cursor_end(&c);
}

/* What a submission may choose: seed, repeats, and the kind of examiner and user. */
static void ask_alike(struct suite *s, const struct suite *as)
{
    s->seed = as->seed;
    s->elicit.repeats = as->elicit.repeats;
    s->elicit.interview.examiner = as->elicit.interview.examiner;
    s->elicit.dialogue.by = as->elicit.dialogue.by;
}

/* Note how the run differs from the published suite: part of the items, easier ones or milder
 * rules would be another benchmark. Returns the number of complaints. */
static int64_t lacks_published(const struct submission *sub, const struct suite *frozen,
                               struct err *e)
{
    struct app *app = sub->app;
    const char *path = published_suite(sub, e);
    struct item_source *items = NULL;
    struct item_reader *files;
    struct asked is = {0};
    struct suite *suite, stored;
    enum status st = OK;
    struct diags d;
    int64_t n = 0;

    diags_init(&d, app->arena);
    suite = path ? suite_load(app->arena, path, &items, &d) : NULL;
    if (suite && !d.errors) {
        ask_alike(suite, frozen);
        files = item_reader_new(suite, items, &d);
        st = compare_items(sub, files, &is, e);
        item_reader_free(files);
        if (st == OK) /* compared as a run stores it */
            st = suite_thaw(app->arena, str_of(suite_freeze(app->arena, suite)), &stored, e);
    }
    term_faults(app, &d);
    if (!suite || d.errors || st != OK)
        return path != NULL;
    if (is.found < is.all && ++n)
        note(sub, arena_printf(app->arena, N_("%lld of %lld published item%s not asked"),
                               (long long)(is.all - is.found), (long long)is.all,
                               message_were(is.all - is.found, is.all)));
    if (is.others && ++n)
        note(sub, arena_printf(app->arena, N_("%lld item%s not as published"), (long long)is.others,
                               message_s(is.others)));
    if (strcmp(suite_hashed(app->arena, &stored), suite_hashed(app->arena, frozen)) != 0 && ++n)
        note(sub, N_("the suite differs from the published one"));
    return n;
}

/* A submission must not only verify, but be complete, judged, and of the published form. Notes
 * what is missing, and returns the number of complaints. */
static int64_t lacks(const struct submission *sub, const struct report *r, struct err *e)
{
    const struct run_row *run = sub->run;
    struct arena *a = sub->app->arena;
    struct run_counts c;
    int64_t n = 0, bad, all;

    if (store_run_counts(sub->store, run, 1, NULL, &c, e) != OK ||
        store_item_count(sub->store, run->id, &all, e) != OK)
        return 1;
    all *= run->repeats * (int64_t)r->nmodels; /* including those that --until holds back */
    bad = c.verdicts.by[STATE_UNSCORED] + c.verdicts.by[STATE_FAILED];
    if (c.samples.by[STATE_DONE] < all && ++n)
        note(sub, arena_printf(a, N_("answers missing: %lld of %lld"),
                               (long long)(all - c.samples.by[STATE_DONE]), (long long)all));
    if (c.verdicts.by[STATE_DONE] == 0 && ++n)
        note(sub, N_("nobody has judged it"));
    if (bad && ++n)
        note(sub, arena_printf(a, N_("%lld verdict%s unscored or failed"), (long long)bad,
                               message_s(bad)));
    if (r->suite.form && ++n)
        note(sub, arena_printf(a, N_("it asked form %lld, not the published one"),
                               (long long)r->suite.form));
    else
        n += lacks_published(sub, &r->suite, e);
    return n;
}

static enum status print_submission(const struct submission *sub, const struct verify_counts *c,
                                    const struct report *r, bool fit)
{
    json_t *o = json_object(), *models;

    json_put_text(o, "run", sub->run->name);
    json_put_text(o, "suite", sub->run->suite);
    json_put_int(o, "scores", c->scores);
    json_put_int(o, "verdicts", c->verdicts);
    json_put_int(o, "differences", c->differences);
    models = json_put_list(o, "models");
    for (size_t i = 0; i < r->nmodels; i++) {
        json_t *model = json_add_object(models);
        json_put_text(model, "model", r->models[i].name);
        json_put_real(model, "score", r->models[i].score ? r->models[i].score->value : NAN);
    }
    (void)json_object_set(o, "notes", sub->notes);
    json_put_bool(o, "fit", fit);
    return term_json(sub->app, o);
}

static enum status check_run(struct app *app, struct store *s, struct run_row *run, struct err *e)
{
    AUTO(json_freep) json_t *notes = json_array();
    const struct submission sub = {app, s, run, notes};
    struct verify_counts c = {0};
    struct report r;
    bool fit;

    if (verify(app, s, run, &c, e) != OK ||
        report_build(app->arena, s, run, (struct report_take){0}, &r, e) != OK)
        return e->code;
    if (!app->common.json)
        fprintf(app->out, _("run %s of %s: %lld score%s, %lld verdict%s, %lld difference%s\n"),
                run->name, run->suite, (long long)c.scores, message_s(c.scores),
                (long long)c.verdicts, message_s(c.verdicts), (long long)c.differences,
                message_s(c.differences));
    fit = c.differences == 0 && lacks(&sub, &r, e) == 0;
    if (!fit)
        app->exit = EXIT_FAILED;
    if (app->common.json)
        return e->code == OK ? print_submission(&sub, &c, &r, fit) : e->code;
    for (size_t i = 0; i < r.nmodels; i++)
        fprintf(app->out, "  %s  %s\n", rune_clean(app->arena, str_of(r.models[i].name)).p,
                show_score(app->arena, r.models[i].score, show_headline(&r), "-"));
    return e->code;
}

static enum status submit(struct app *app, struct err *e)
{
    static const char *const tasks[] = {"check"};
    size_t row;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &row, e) != OK)
        return e->code;
    for (size_t f = 1; f < app->args.n; f++) {
        AUTO(store_closep) struct store *from = NULL;
        struct run_list l = {0};
        if (open_archive(app, app->args.v[f], &from, &l, e) != OK)
            return e->code;
        for (size_t i = 0; i < l.n; i++) {
            struct run_row run;
            if (store_run_by_id(app->arena, from, l.v[i].id, &run, e) != OK ||
                check_run(app, from, &run, e) != OK)
                return e->code;
        }
    }
    if (!app->common.json)
        fprintf(app->out, app->exit ? _("not fit for submission\n") : _("fit for submission\n"));
    return OK;
}

const struct command cmd_archive_command = {
    .name = "archive",
    .need = STORE_CHANGE,
    .args = "RUN [-o FILE]",
    .summary = "write a run to one file that anybody can verify",
    /* clang-format off */
    .opts = OPTS(
        {"output", 'o', OPT_TEXT, offsetof(struct archive_values, output), "FILE",
         "write FILE [SUITE-RUN.audition]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct archive_values),
    .nargs = {1, 1},
    .run = archive,
};

const struct command cmd_restore_command = {
    .name = "restore",
    .need = NO_STORE, /* opened once the archive is known to be one */
    .args = "FILE",
    .summary = "restore an archived run",
    .nargs = {1, 1},
    .run = restore,
};

const struct command cmd_submit_command = {
    .name = "submit",
    .need = NO_STORE,
    .args = "check FILE...",
    .summary = "check whether archived runs are fit for submission",
    .nargs = {2, 1000},
    .run = submit,
};
