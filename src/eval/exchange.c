#include "eval/exchange.h"

#include <math.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "eval/models.h"
#include "eval/reply.h"
#include "eval/store_exchange.h"
#include "eval/store_work.h"
#include "eval/suite.h"
#include "eval/template.h"

/* ---- lines of a file ---- */

enum { LINE_BYTES_MAX = 16 << 20, LIST_BYTES_MAX = 256 << 20, NAME_BYTES_MAX = 200 };
enum { REPEAT_MAX = 100000 };

typedef enum status line_fn(void *user, const json_t *line, struct err *e);

static bool is_list(const char *path)
{
    FILE *in = fopen(path, "rbe");
    int c = ' ';

    if (!in)
        return false;
    while (c == ' ' || (c >= '\t' && c <= '\r') || c == 0xEF || c == 0xBB || c == 0xBF)
        c = getc(in);
    (void)fclose(in);
    return c == '[';
}

static enum status each_of_list(const char *path, line_fn *fn, void *user, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *list = NULL;
    struct str text;

    if (file_read(a, path, LIST_BYTES_MAX, &text, e) != OK)
        return e->code;
    if (str_starts(text, STR("\xEF\xBB\xBF")))
        text = str_from(text, 3);
    if (json_read(text, &list, e) != OK)
        return err_wrap(e, "%s", path);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (fn(user, json_array_get(list, i), e) != OK)
            return err_wrap(e, "%s: entry %zu", path, i + 1);
    return OK;
}

static enum status one_line(struct str text, line_fn *fn, void *user, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;

    return json_read(text, &j, e) == OK ? fn(user, j, e) : e->code;
}

static enum status each_of_lines(const char *path, line_fn *fn, void *user, struct err *e)
{
    AUTO(lines_close) struct lines l = {0};
    struct str text;
    bool more = true;

    if (lines_open(&l, path, LINE_BYTES_MAX, e) != OK)
        return e->code;
    while (lines_next(&l, &text, &more, e) == OK && more)
        if (str_trim(text).n && one_line(text, fn, user, e) != OK)
            return err_wrap(e, "%s:%lld", path, (long long)l.number);
    return more ? e->code : OK;
}

static enum status each_line(const char *path, line_fn *fn, void *user, struct err *e)
{
    return is_list(path) ? each_of_list(path, fn, user, e) : each_of_lines(path, fn, user, e);
}

/* A line, and what it is about. Texts are borrowed from the JSON value. */
struct entry {
    const json_t *json;
    bool is_verdict;
    struct str judge, model, item, answer;
    int64_t repeat, judge_repeat;
    enum state state;
};

/* Counts the answers of each model to each item, for lines that do not say which repeat they are.
 */
struct counter {
    struct arena *arena;
    struct map next; /* model TAB item -> int64_t */
};

static int64_t *counter_at(struct counter *c, const struct entry *x)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct str key =
        str_of(arena_printf(scratch, "%.*s\t%.*s", STR_ARG(x->model), STR_ARG(x->item)));
    int64_t *n = map_get(&c->next, key);

    if (!n) {
        n = NEW(c->arena, int64_t);
        (void)map_put(&c->next, key, n);
    }
    return n;
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7F)
            return false;
    return s.n > 0 && s.n <= NAME_BYTES_MAX;
}

static enum status read_name(struct arena *a, const json_t *j, const char *key,
                             struct str otherwise, struct str *out, struct err *e)
{
    struct str name = json_object_get(j, key) ? json_name_at(a, j, key) : otherwise;

    if (!is_name(name))
        return err_set(
            e, E_INPUT,
            name.n ? "expected \"%s\" to be a name without white space, of at most 200 bytes"
                   : "expected \"%s\" with a name",
            key);
    *out = name;
    return OK;
}

static enum status read_repeat(const json_t *j, const char *key, int64_t otherwise, int64_t *out,
                               struct err *e)
{
    const json_t *v = json_object_get(j, key);

    *out = otherwise;
    if (!v || json_is_null(v))
        return OK;
    *out = json_is_integer(v) ? json_integer_value(v) : -1;
    if (*out < 0 || *out >= REPEAT_MAX)
        return err_set(e, E_INPUT, "expected \"%s\" to be a whole number from 0", key);
    return OK;
}

static enum status read_state(const json_t *j, bool is_verdict, enum state *out, struct err *e)
{
    struct str word = json_str_at(j, "state", STR("done"));

    for (int s = 0; s < STATES; s++) {
        if (!str_is(word, vocab_state_name((enum state)s)) || (s == STATE_UNSCORED && !is_verdict))
            continue;
        *out = (enum state)s;
        return OK;
    }
    return err_set(e, E_INPUT, "expected \"state\" to be done, failed%s or planned",
                   is_verdict ? ", unscored" : "");
}

static enum status read_answer(const json_t *j, struct str *out, struct err *e)
{
    static const char *const words[] = {"answer", "text", "reply", "output", "response"};

    for (size_t i = 0; i < COUNT(words) && out->n == 0; i++)
        *out = str_trim(json_str_at(j, words[i], STR("")));
    return out->n ? OK : err_set(e, E_INPUT, "expected \"answer\" with what the model said");
}

static enum status read_kind(const json_t *j, bool *is_verdict, struct err *e)
{
    struct str kind = json_str_at(j, "kind", STR(""));

    if (!json_is_object(j))
        return err_set(e, E_INPUT,
                       "expected an object such as {\"model\": ..., \"item\": ..., "
                       "\"answer\": ...}");
    *is_verdict = kind.n ? str_is(kind, "verdict") : json_object_get(j, "judge") != NULL;
    if (kind.n && !*is_verdict && !str_is(kind, "sample"))
        return err_set(e, E_INPUT, "expected \"kind\" to be sample or verdict");
    return OK;
}

static enum status entry_read(const json_t *j, const char *model, struct counter *c,
                              struct entry *out, struct err *e)
{
    struct entry x = {.json = j};

    if (read_kind(j, &x.is_verdict, e) != OK || read_state(j, x.is_verdict, &x.state, e) != OK ||
        read_name(c->arena, j, "model", str_of(model), &x.model, e) != OK ||
        read_name(c->arena, j, "item", STR(""), &x.item, e) != OK)
        return e->code;
    if (x.is_verdict) {
        if (read_name(c->arena, j, "judge", STR(""), &x.judge, e) != OK ||
            read_repeat(j, "repeat", 0, &x.repeat, e) != OK ||
            read_repeat(j, "judge_repeat", 0, &x.judge_repeat, e) != OK)
            return e->code;
    } else {
        int64_t *next = counter_at(c, &x);
        if (read_repeat(j, "repeat", *next, &x.repeat, e) != OK ||
            (x.state == STATE_DONE && read_answer(j, &x.answer, e) != OK))
            return e->code;
        if (x.repeat >= *next)
            *next = x.repeat + 1;
    }
    *out = x;
    return OK;
}

/* ---- what a file holds ---- */

enum { MODELS_MAX = 1000 };

struct survey {
    struct arena *arena;
    const char *model;
    struct counter counter;
    struct map seen;
    struct exchange_survey out;
};

static enum status survey_line(void *user, const json_t *line, struct err *e)
{
    struct survey *v = user;
    struct exchange_survey *out = &v->out;
    struct entry x;

    if (entry_read(line, v->model, &v->counter, &x, e) != OK)
        return e->code;
    if (x.is_verdict) {
        out->verdicts++;
        return OK;
    }
    out->samples++;
    if (x.repeat >= out->repeats)
        out->repeats = x.repeat + 1;
    if (map_get(&v->seen, x.model))
        return OK;
    if (out->nmodels == MODELS_MAX)
        return err_set(e, E_INPUT, "more than %d models", MODELS_MAX);
    out->models[out->nmodels] = arena_text(v->arena, x.model);
    (void)map_put(&v->seen, x.model, &out->models[out->nmodels++]);
    return OK;
}

enum status exchange_survey(struct arena *a, const struct exchange_file *f,
                            struct exchange_survey *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct survey v = {.arena = a, .model = f->model, .counter.arena = scratch};

    if (strcmp(f->path, "-") == 0)
        return err_set(e, E_USAGE, "the file is read twice, so that it cannot be stdin");
    v.out.models = NEW_N(a, const char *, MODELS_MAX);
    map_init(&v.seen, scratch);
    map_init(&v.counter.next, scratch);
    if (each_line(f->path, survey_line, &v, e) != OK)
        return e->code;
    if (v.out.samples + v.out.verdicts == 0)
        return err_set(e, E_INPUT, "%s: holds no sample and no verdict", f->path);
    *out = v.out;
    return OK;
}

/* ---- in ---- */

struct import {
    struct store *store;
    const struct run_row *run;
    const struct suite *suite;
    const struct exchange_file *file;
    struct arena *arena; /* of the whole import */
    struct arena *scratch;
    struct counter counter;
    struct map models, judges, items; /* name -> int64_t id */
    struct exchange_counts *counts;
};

static const char *imported_config(struct arena *a, const char *name)
{
    AUTO(json_freep) json_t *j = json_pack("{s:s, s:s}", "name", name, "kind", "recorded");

    return json_text(a, j);
}

static void remember(struct map *m, struct str name, int64_t id)
{
    int64_t *p = NEW(m->arena, int64_t);

    *p = id;
    (void)map_put(m, name, p);
}

/* Nobody is asked on behalf of a party that was imported: it has no file of replies. */
static enum status add_party(struct import *im, enum party_kind kind, const char *name, int64_t *id,
                             struct err *e)
{
    struct endpoint ep;
    struct party p = {.name = name, .family = ""};

    if (models_thaw(im->scratch, str_of(imported_config(im->scratch, name)), &ep, e) != OK)
        return e->code;
    p.config = str_of(models_freeze(im->scratch, &ep));
    if (kind == PARTY_JUDGE)
        p.template = str_of(template_freeze(im->scratch, &im->suite->judge));
    if (store_party_put(im->store, kind, im->run->id, &p, e) != OK)
        return e->code;
    *id = p.id;
    return OK;
}

static bool is_from(const struct party *p, const char *path)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct endpoint ep;
    struct err ignored = {0};

    return models_thaw(a, p->config, &ep, &ignored) == OK && ep.kind == ENDPOINT_RECORDED &&
           strcmp(ep.file, path) == 0;
}

static enum status know_parties(struct import *im, enum party_kind kind, struct map *m,
                                struct err *e)
{
    struct party_list list;

    if (store_party_list(im->arena, im->store, kind, im->run->id, &list, e) != OK)
        return e->code;
    for (size_t i = 0; i < list.n; i++) {
        /* A run planned for this very file: its models are known by their file, but not to be
         * asked. */
        if (kind == PARTY_MODEL && is_from(&list.v[i], im->file->path) &&
            add_party(im, kind, list.v[i].name, &list.v[i].id, e) != OK)
            return e->code;
        remember(m, str_of(list.v[i].name), list.v[i].id);
    }
    return OK;
}

/* Models that are new here get a place for every item, so that what the file lacks is seen. */
static enum status add_models(struct import *im, const struct exchange_survey *survey,
                              struct err *e)
{
    for (size_t i = 0; i < survey->nmodels; i++) {
        int64_t id = 0;
        if (map_get(&im->models, str_of(survey->models[i])))
            continue;
        if (add_party(im, PARTY_MODEL, survey->models[i], &id, e) != OK)
            return e->code;
        for (int64_t repeat = 0; repeat < survey->repeats; repeat++)
            if (store_plan_samples(im->store, im->run->id, id, repeat, e) != OK)
                return e->code;
        remember(&im->models, str_of(survey->models[i]), id);
        im->counts->models++;
    }
    return OK;
}

static enum status item_id(struct import *im, struct str name, int64_t *out, struct err *e)
{
    const int64_t *known = map_get(&im->items, name);
    bool found = true;

    if (known) {
        *out = *known;
        return OK;
    }
    if (store_item_find(im->store, im->run->id, arena_text(im->scratch, name), out, &found, e) !=
        OK)
        return e->code;
    if (!found)
        return err_set(e, E_INPUT, "the run has no item '%.*s'", STR_ARG(name));
    remember(&im->items, name, *out);
    return OK;
}

static enum status judge_id(struct import *im, struct str name, int64_t *out, struct err *e)
{
    const int64_t *known = map_get(&im->judges, name);

    if (known) {
        *out = *known;
        return OK;
    }
    if (add_party(im, PARTY_JUDGE, arena_text(im->scratch, name), out, e) != OK)
        return e->code;
    remember(&im->judges, name, *out);
    im->counts->judges++;
    return OK;
}

#define COUNT_MAX INT64_C(1000000000000)

/* A count that somebody wrote into a file: what cannot be is not known. */
static int64_t count_at(const json_t *j, const char *key, int64_t otherwise)
{
    int64_t n = json_int_at(j, key, otherwise);

    return n >= 0 && n <= COUNT_MAX ? n : otherwise;
}

static struct spent spent_of(const json_t *j)
{
    double cost = json_num_at(j, "cost", NAN);

    return (struct spent){
        .tokens_in = count_at(j, "tokens_in", -1),
        .tokens_out = count_at(j, "tokens_out", -1),
        .cost = cost >= 0 && cost < 1e6 ? cost : NAN,
        .tries = count_at(j, "tries", 0),
        .elapsed_ms = count_at(j, "elapsed_ms", 0),
    };
}

static const char *text_or_null(struct arena *a, const json_t *j, const char *key)
{
    struct str text = json_str_at(j, key, STR(""));

    return text.n ? arena_text(a, text) : NULL;
}

/* Lease the row that the line speaks of; E_INPUT when that cannot be. */
static enum status take(struct import *im, enum party_kind kind, const struct row_key *key,
                        int64_t *id, struct err *e)
{
    bool taken;

    if (store_take(im->store, kind, key, id, &taken, e) != OK)
        return e->code;
    return taken
               ? OK
               : err_set(e, E_BUSY, "somebody is working on this %s; import it when they are done",
                         kind == PARTY_MODEL ? "sample" : "verdict");
}

static enum status import_sample(struct import *im, const struct entry *x, struct err *e)
{
    const int64_t *model = map_get(&im->models, x->model);
    struct row_key key = {.run = im->run->id, .who = model ? *model : 0, .repeat = x->repeat};
    struct sample_result r = {
        .state = x->state,
        .answer = x->answer,
        .thinking = json_str_at(x->json, "thinking", STR("")),
        .finish = text_or_null(im->scratch, x->json, "finish"),
        .fault = text_or_null(im->scratch, x->json, "fault"),
        .why = text_or_null(im->scratch, x->json, "why"),
        .spent = spent_of(x->json),
    };
    struct found_row old;

    if (!model)
        return err_set(e, E_INPUT, "the file changed while it was read");
    if (item_id(im, x->item, &key.about, e) != OK ||
        store_sample_find(im->scratch, im->store, key.who, key.about, key.repeat, &old, e) != OK)
        return e->code;
    if (old.id && old.state == x->state && str_eq(old.answer, x->answer)) {
        im->counts->same++;
        return OK;
    }
    if (old.id && old.state == STATE_DONE)
        return err_set(
            e, E_INPUT,
            "the run has another answer of '%.*s' to item '%.*s', repeat %lld; import this "
            "one under another model name",
            STR_ARG(x->model), STR_ARG(x->item), (long long)x->repeat);
    if (take(im, PARTY_MODEL, &key, &r.id, e) != OK || store_sample_end(im->store, &r, e) != OK)
        return e->code;
    im->counts->samples++;
    return OK;
}

/* The marks of a line, held against the suite as a judge's reply would be. */
static enum status read_marks(struct import *im, const struct entry *x, struct reply *out,
                              struct err *e)
{
    const struct instrument *in = &im->suite->instrument;
    const json_t *marks = json_object_get(x->json, "marks");

    *out = (struct reply){0};
    if (x->state != STATE_DONE)
        return OK;
    for (size_t i = 0; i < in->ndimensions; i++)
        if (!json_object_get(marks, in->dimensions[i].id))
            return err_set(e, E_INPUT, "expected \"marks\" with a mark for '%s'",
                           in->dimensions[i].id);
    reply_read(im->scratch, str_of(json_text(im->scratch, marks)), in, "en", out);
    return out->fault ? err_set(e, E_INPUT, "\"marks\": %s", out->fault) : OK;
}

static bool same_marks(const struct mark_list *old, const struct mark *new, size_t n)
{
    size_t same = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < old->n; k++)
            same += strcmp(new[i].dimension, old->v[k].dimension) == 0 &&
                    new[i].value == old->v[k].value &&str_eq(new[i].analysis, old->v[k].analysis);
    return same == n && old->n == n;
}

/* Whether the store says the same already; E_INPUT when it has another opinion. */
static enum status compare_verdict(struct import *im, const struct entry *x,
                                   const struct found_row *old, const struct verdict_result *new,
                                   bool *same, struct err *e)
{
    struct mark_list marks = {0};

    *same = false;
    if (!old->id)
        return OK;
    if (old->state == STATE_DONE &&
        store_mark_list(im->scratch, im->store, old->id, &marks, e) != OK)
        return e->code;
    *same = old->state == new->state &&same_marks(&marks, new->marks, new->nmarks);
    if (*same || old->state != STATE_DONE)
        return OK;
    return err_set(
        e, E_INPUT,
        "the run has another verdict of '%.*s' on '%.*s', item '%.*s', repeat %lld; import "
        "this one under another judge name",
        STR_ARG(x->judge), STR_ARG(x->model), STR_ARG(x->item), (long long)x->repeat);
}

static enum status find_judged(struct import *im, const struct entry *x, int64_t *sample,
                               struct err *e)
{
    const int64_t *model = map_get(&im->models, x->model);
    struct found_row row = {0};
    int64_t item;

    if (item_id(im, x->item, &item, e) != OK ||
        (model &&
         store_sample_find(im->scratch, im->store, *model, item, x->repeat, &row, e) != OK))
        return e->code;
    if (!row.id || row.state != STATE_DONE)
        return err_set(e, E_INPUT, "the run has no answer of '%.*s' to item '%.*s', repeat %lld",
                       STR_ARG(x->model), STR_ARG(x->item), (long long)x->repeat);
    *sample = row.id;
    return OK;
}

static struct verdict_result verdict_of(struct import *im, const struct entry *x,
                                        const struct reply *read)
{
    return (struct verdict_result){
        .state = x->state,
        .reply = json_str_at(x->json, "reply", STR("")),
        .reason = json_str_at(x->json, "reason", STR("")),
        .overall = json_num_at(x->json, "overall", NAN),
        .repairs = (int)json_int_at(x->json, "repairs", 0),
        .fault = text_or_null(im->scratch, x->json, "fault"),
        .why = text_or_null(im->scratch, x->json, "why"),
        .marks = read->marks,
        .nmarks = read->marks ? im->suite->instrument.ndimensions : 0,
        .spent = spent_of(x->json),
    };
}

static enum status import_verdict(struct import *im, const struct entry *x, struct err *e)
{
    struct row_key key = {.run = im->run->id, .repeat = x->judge_repeat};
    struct reply read;
    struct verdict_result r;
    struct found_row old;
    bool same;

    if (im->suite->instrument.kind == INSTRUMENT_PAIR)
        return err_set(e, E_INPUT,
                       "verdicts on pairs are not imported; let a recorded judge "
                       "repeat them (kind: recorded in models.yaml)");
    if (find_judged(im, x, &key.about, e) != OK || read_marks(im, x, &read, e) != OK ||
        judge_id(im, x->judge, &key.who, e) != OK ||
        store_verdict_find(im->store, key.who, key.about, key.repeat, &old, e) != OK)
        return e->code;
    r = verdict_of(im, x, &read);
    if (compare_verdict(im, x, &old, &r, &same, e) != OK)
        return e->code;
    if (same) {
        im->counts->same++;
        return OK;
    }
    if (take(im, PARTY_JUDGE, &key, &r.id, e) != OK || store_verdict_end(im->store, &r, e) != OK)
        return e->code;
    im->counts->verdicts++;
    return OK;
}

static enum status import_line(void *user, const json_t *line, struct err *e)
{
    struct import *im = user;
    struct entry x = {0};

    arena_reset(im->scratch);
    if (entry_read(line, im->file->model, &im->counter, &x, e) != OK)
        return e->code;
    if (x.state == STATE_PLANNED || x.state == STATE_LEASED) {
        im->counts->empty++;
        return OK;
    }
    return x.is_verdict ? import_verdict(im, &x, e) : import_sample(im, &x, e);
}

enum status exchange_import(struct store *s, const struct run_row *run, const struct suite *suite,
                            const struct exchange_file *f, const struct exchange_survey *survey,
                            struct exchange_counts *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct exchange_counts counts = {0};
    struct import im = {.store = s,
                        .run = run,
                        .suite = suite,
                        .file = f,
                        .arena = a,
                        .scratch = scratch,
                        .counter.arena = a,
                        .counts = &counts};

    map_init(&im.counter.next, a);
    map_init(&im.models, a);
    map_init(&im.judges, a);
    map_init(&im.items, a);
    if (know_parties(&im, PARTY_MODEL, &im.models, e) != OK ||
        know_parties(&im, PARTY_JUDGE, &im.judges, e) != OK || add_models(&im, survey, e) != OK ||
        each_line(f->path, import_line, &im, e) != OK || store_run_stale(s, run->id, true, e) != OK)
        return e->code;
    *out = counts;
    return OK;
}
