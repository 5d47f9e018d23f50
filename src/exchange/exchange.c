#include "exchange/exchange.h"

#include <math.h>

#include "exchange/exchange_line.h"
#include "reply/about.h"
#include "reply/reply.h"
#include "store/seal.h"
#include "store/store_exchange.h"
#include "store/store_pair.h"
#include "store/store_work.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/models.h"
#include "suite/suite.h"
#include "suite/template.h"

/* ---- what a file holds ---- */

enum { MODELS_MAX = 1000 };

struct survey {
    struct arena *arena;
    const char *model, *path;
    struct map counter;
    struct map seen;
    struct exchange_survey out;
};

static enum status survey_line(void *user, const json_t *line, int64_t number, struct err *e)
{
    struct survey *v = user;
    struct exchange_survey *out = &v->out;
    struct exchange_line x;

    (void)number;
    if (exchange_line_read(line, v->model, &v->counter, &x, e) != OK)
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
    out->from[out->nmodels] = v->path;
    (void)map_put(&v->seen, x.model, &out->models[out->nmodels++]);
    return OK;
}

static enum status survey_file(struct survey *v, const char *path, struct err *e)
{
    int64_t before = v->out.samples + v->out.verdicts;

    if (strcmp(path, "-") == 0)
        return err_set(e, E_USAGE, "the file is read twice, so it cannot be standard input");
    v->path = path;
    if (exchange_line_each(path, survey_line, v, e) != OK)
        return e->code;
    if (v->out.samples + v->out.verdicts == before)
        return err_set(e, E_INPUT, "%s contains neither samples nor verdicts", path);
    return OK;
}

enum status exchange_survey(struct arena *a, const struct exchange_files *f,
                            struct exchange_survey *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct survey v = {.arena = a, .model = f->model};

    v.out.models = NEW_N(a, const char *, MODELS_MAX);
    v.out.from = NEW_N(a, const char *, MODELS_MAX);
    map_init(&v.seen, scratch);
    map_init(&v.counter, scratch);
    for (size_t i = 0; i < f->n; i++)
        if (survey_file(&v, f->paths[i], e) != OK)
            return e->code;
    *out = v.out;
    return OK;
}

/* ---- in ---- */

struct import {
    struct store *store;
    const struct run_row *run;
    const struct suite *suite;
    const struct exchange_files *files;
    const char *path;    /* the one at hand */
    struct arena *arena; /* of the whole import */
    struct arena *scratch;
    struct map counter, reviews;
    struct map models, judges, items; /* name -> int64_t id */
    struct exchange_counts *counts;
    bool judged; /* the run had judges: those of the files have panels of their own */
};

static void remember(struct map *m, struct str name, int64_t id)
{
    int64_t *known = map_room(m, name, sizeof *known);

    *known = id;
}

/* A party that was imported is never asked: it is recorded, without a file of replies. */
static enum status add_party(struct import *im, enum party_kind kind, const char *name, int64_t *id,
                             struct err *e)
{
    AUTO(json_freep) json_t *j = json_pack("{s:s, s:s}", "name", name, "kind", "recorded");
    struct endpoint ep;
    struct party p = {.name = name, .family = "", .panel = im->judged ? name : ""};

    if (models_thaw(im->scratch, str_of(json_text(im->scratch, j)), &ep, e) != OK)
        return e->code;
    p.config = str_of(models_freeze(im->scratch, &ep));
    if (kind == PARTY_JUDGE)
        p.template = str_of(template_freeze(im->scratch, &im->suite->judge));
    if (store_party_put(im->store, kind, im->run->id, &p, e) != OK)
        return e->code;
    *id = p.id;
    return OK;
}

static bool is_from(const struct party *p, const struct exchange_files *f)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct endpoint ep;
    struct err ignored = {0};

    if (models_thaw(a, p->config, &ep, &ignored) != OK || ep.kind != ENDPOINT_RECORDED)
        return false;
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(ep.file, f->paths[i]) == 0)
            return true;
    return false;
}

static enum status know_parties(struct import *im, enum party_kind kind, struct map *m,
                                struct err *e)
{
    struct party_list list;

    if (store_party_list(im->arena, im->store, kind, im->run->id, &list, e) != OK)
        return e->code;
    for (size_t i = 0; i < list.n; i++) {
        /* The run was planned for these very files: its models came from them and are not to be
         * asked. */
        if (kind == PARTY_MODEL && is_from(&list.v[i], im->files) &&
            add_party(im, kind, list.v[i].name, &list.v[i].id, e) != OK)
            return e->code;
        remember(m, str_of(list.v[i].name), list.v[i].id);
    }
    return OK;
}

static enum status has_judges(struct import *im, struct err *e)
{
    struct jury_list l;

    if (jury_panels(im->arena, im->store, im->run->id, &l, e) != OK)
        return e->code;
    im->judged = l.v[0].members.n > 0;
    return OK;
}

/* Plan samples of new models for every item, so that it shows what the file lacks. */
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

/* A count from a file; one that cannot be true is taken as not known. */
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
               : err_set(e, E_BUSY,
                         kind == PARTY_MODEL
                             ? "someone is working on this sample; import it when they are done"
                             : "someone is working on this verdict; import it when they are done");
}

static enum status import_sample(struct import *im, const struct exchange_line *x, struct err *e)
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
        return err_set(e, E_INPUT, "the file changed while it was being read");
    if (item_id(im, x->item, &key.about, e) != OK ||
        store_sample_find(im->scratch, im->store, key.who, key.about, key.repeat, &old, e) != OK)
        return e->code;
    if (old.id && old.state == x->state && str_eq(old.text, x->answer)) {
        im->counts->same++;
        return OK;
    }
    if (old.id && old.state == STATE_DONE)
        return err_set(e, E_INPUT,
                       "the run has a different answer by '%.*s' to item '%.*s', repeat %lld; "
                       "import this one under another model name",
                       STR_ARG(x->model), STR_ARG(x->item), (long long)x->repeat);
    if (take(im, PARTY_MODEL, &key, &r.id, e) != OK || store_sample_end(im->store, &r, e) != OK)
        return e->code;
    im->counts->samples++;
    return OK;
}

/* The marks of a line, held against the suite as a judge's reply would be. */
static enum status read_marks(struct import *im, const struct exchange_line *x,
                              const struct instrument *in, struct reply *out, struct err *e)
{
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

static bool same_marks(const struct mark_list *old, const struct mark *now, size_t n)
{
    size_t same = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < old->n; k++)
            same += strcmp(now[i].dimension, old->v[k].dimension) == 0 &&
                    now[i].value == old->v[k].value && str_eq(now[i].analysis, old->v[k].analysis);
    return same == n && old->n == n;
}

/* Whether the store already says the same: a pair in the same words, others with the same marks. */
static enum status is_known(struct import *im, const struct exchange_line *x,
                            const struct found_row *old, const struct verdict_result *now,
                            bool *same, struct err *e)
{
    struct mark_list marks = {0};

    *same = old->id && old->state == now->state;
    if (*same && x->other.n)
        *same = str_eq(old->text, now->reply);
    if (!*same || x->other.n || old->state != STATE_DONE)
        return OK;
    if (store_mark_list(im->scratch, im->store, old->id, 0, &marks, e) != OK)
        return e->code;
    *same = same_marks(&marks, now->marks, now->nmarks);
    return OK;
}

/* Write a verdict that the store does not have; E_INPUT when it has another opinion. */
static enum status write_verdict(struct import *im, const struct exchange_line *x,
                                 const struct row_key *key, struct verdict_result *r, struct err *e)
{
    struct found_row old = {0};
    bool same = false;

    if (store_verdict_find(im->scratch, im->store, key, &old, e) != OK ||
        is_known(im, x, &old, r, &same, e) != OK)
        return e->code;
    if (same) {
        im->counts->same++;
        return OK;
    }
    if (old.id && old.state == STATE_DONE && x->other.n)
        return err_set(e, E_INPUT,
                       "the run has a different verdict by '%.*s' on '%.*s' and '%.*s', item "
                       "'%.*s'; import this one under another judge name",
                       STR_ARG(x->judge), STR_ARG(x->model), STR_ARG(x->other), STR_ARG(x->item));
    if (old.id && old.state == STATE_DONE)
        return err_set(e, E_INPUT,
                       "the run has a different verdict by '%.*s' on '%.*s', item '%.*s', repeat "
                       "%lld; import this one under another judge name",
                       STR_ARG(x->judge), STR_ARG(x->model), STR_ARG(x->item),
                       (long long)x->repeat);
    if (old.id && seal_unscored_drop(im->store, key->run, old.id, e) != OK)
        return e->code;
    if (take(im, PARTY_JUDGE, key, &r->id, e) != OK || store_verdict_end(im->store, r, e) != OK)
        return e->code;
    im->counts->verdicts++;
    im->counts->unscored += r->state == STATE_UNSCORED;
    return OK;
}

/* An answer that a verdict is about. */
struct judged {
    int64_t sample, model, item;
    struct str answer;
};

static enum status find_judged(struct import *im, const struct exchange_line *x, struct str name,
                               struct judged *out, struct err *e)
{
    const int64_t *model = map_get(&im->models, name);
    struct found_row row = {0};
    int64_t item;

    if (!model)
        return err_set(e, E_INPUT, "the run has no model '%.*s'; import its answers first",
                       STR_ARG(name));
    if (item_id(im, x->item, &item, e) != OK ||
        store_sample_find(im->scratch, im->store, *model, item, x->repeat, &row, e) != OK)
        return e->code;
    if (!row.id || row.state != STATE_DONE)
        return err_set(e, E_INPUT, "the run has no answer by '%.*s' to item '%.*s', repeat %lld",
                       STR_ARG(name), STR_ARG(x->item), (long long)x->repeat);
    *out = (struct judged){row.id, *model, item, row.text};
    return OK;
}

static struct verdict_result verdict_of(struct import *im, const struct exchange_line *x,
                                        const struct instrument *in, const struct reply *read)
{
    return (struct verdict_result){
        .state = x->state,
        .reply = x->reply,
        .reason = json_str_at(x->json, "reason", STR("")),
        .overall = json_num_at(x->json, "overall", NAN),
        .repairs = (int)json_int_at(x->json, "repairs", 0),
        .fault = text_or_null(im->scratch, x->json, "fault"),
        .why = text_or_null(im->scratch, x->json, "why"),
        .marks = read->marks,
        .nmarks = read->marks ? in->ndimensions : 0,
        .spent = spent_of(x->json),
    };
}

static enum status import_verdict(struct import *im, const struct exchange_line *x, struct err *e)
{
    struct row_key key = {
        .run = im->run->id,
        .shown = arena_text(im->scratch,
                            json_str_at(x->json, "about", json_str_at(x->json, "turns", STR("")))),
        .repeat = x->judge_repeat < 0 ? 0 : x->judge_repeat};
    struct judged judged = {0};
    const struct instrument *in;
    struct reply read;
    struct verdict_result r;

    if (x->other.n)
        return err_set(e, E_INPUT, "a verdict on two models, but the suite does not compare pairs");
    if (find_judged(im, x, x->model, &judged, e) != OK)
        return e->code;
    in = about_instrument(im->scratch, im->suite, key.shown, judged.answer);
    if (read_marks(im, x, in, &read, e) != OK || judge_id(im, x->judge, &key.who, e) != OK)
        return e->code;
    key.about = judged.sample;
    r = verdict_of(im, x, in, &read);
    return write_verdict(im, x, &key, &r, e);
}

/* ---- verdicts on pairs ---- */

/* Both answers that were shown, in the order shown. */
static enum status find_pair(struct import *im, const struct exchange_line *x,
                             struct judged pair[2], struct err *e)
{
    static const char *const shown[] = {"response_A", "response_B"};
    const struct str names[] = {x->model, x->other};

    if (x->other.n == 0)
        return err_set(e, E_INPUT,
                       "expected \"other\" with the second model: the suite compares pairs");
    if (str_eq(x->model, x->other))
        return err_set(e, E_INPUT, "'%.*s' is paired with itself", STR_ARG(x->model));
    for (size_t i = 0; i < 2; i++) {
        struct str was = str_trim(json_str_at(x->json, shown[i], STR("")));
        if (find_judged(im, x, names[i], &pair[i], e) != OK)
            return e->code;
        if (was.n && !str_eq(was, pair[i].answer))
            return err_set(e, E_INPUT,
                           "\"%s\" is not the answer by '%.*s' to item '%.*s' in this run; import "
                           "the answers that were judged",
                           shown[i], STR_ARG(names[i]), STR_ARG(x->item));
    }
    return OK;
}

/* The number of this judge's opinion on this pair. Opinions are counted in the order of the file;
 * in a suite of one order, the other way round is one more of the same pair. */
static int64_t review_number(struct import *im, const struct exchange_line *x,
                             const struct row_key *key)
{
    const char *order = im->suite->instrument.both_orders ? key->shown : "";
    int64_t *next;

    if (x->judge_repeat >= 0)
        return x->judge_repeat;
    next = map_room(&im->reviews,
                    str_of(arena_printf(im->scratch, "%lld\t%lld\t%lld\t%s", (long long)key->who,
                                        (long long)key->about, (long long)key->other, order)),
                    sizeof *next);
    return (*next)++;
}

/* The judge's words are read again, whatever the file says that they mean. */
static enum status read_words(struct import *im, const struct exchange_line *x,
                              const struct judged pair[2], struct verdict_result *r, struct err *e)
{
    const int64_t shown[] = {pair[0].model, pair[1].model};
    struct pair_reply read;
    struct pair_ask ask;
    struct item item;
    struct str body;

    if (x->state == STATE_FAILED)
        return OK;
    if (str_trim(x->reply).n == 0)
        return err_set(e, E_INPUT, "expected \"reply\" or \"review\" with the judge's text");
    if (store_item_body(im->scratch, im->store, pair[0].item, &body, e) != OK ||
        item_thaw(im->scratch, body, &item, e) != OK)
        return e->code;
    ask = reply_pair_ask(im->scratch, im->suite, &item);
    reply_pair_read(im->scratch, r->reply, &ask, im->suite->language, &read);
    store_pair_verdict(&read, shown, r);
    return OK;
}

/* *differs: the file names another winner than the judge's words. */
static enum status check_winner(const struct exchange_line *x, const struct judged pair[2],
                                const struct verdict_result *r, bool *differs, struct err *e)
{
    struct str name = json_str_at(x->json, "winner", STR(""));

    *differs = false;
    if (name.n == 0)
        return OK;
    if (!str_eq(name, x->model) && !str_eq(name, x->other))
        return err_set(e, E_INPUT, "expected \"winner\" to be '%.*s' or '%.*s', found '%.*s'",
                       STR_ARG(x->model), STR_ARG(x->other), STR_ARG(utf8_head(name, 60)));
    *differs = r->state == STATE_DONE && r->winner != pair[str_eq(name, x->model) ? 0 : 1].model;
    return OK;
}

static void note_difference(struct import *im, int64_t line)
{
    struct exchange_counts *c = im->counts;

    if (c->differ < EXCHANGE_LINES_SHOWN)
        c->differ_at[c->differ] = (struct exchange_place){im->path, line};
    c->differ++;
}

static enum status import_pair(struct import *im, const struct exchange_line *x, int64_t number,
                               struct err *e)
{
    struct row_key key = {.run = im->run->id};
    struct judged pair[2] = {{0}};
    struct verdict_result r = verdict_of(im, x, &im->suite->instrument, &(struct reply){0});
    bool swapped, differs;

    if (find_pair(im, x, pair, e) != OK || read_words(im, x, pair, &r, e) != OK ||
        check_winner(x, pair, &r, &differs, e) != OK || judge_id(im, x->judge, &key.who, e) != OK)
        return e->code;
    swapped = pair[0].model > pair[1].model; /* rows are about the earlier model's sample */
    key.about = pair[swapped].sample;
    key.other = pair[!swapped].sample;
    key.shown = swapped ? "ba" : "ab";
    key.repeat = review_number(im, x, &key);
    if (differs)
        note_difference(im, number);
    return write_verdict(im, x, &key, &r, e);
}

static enum status import_line(void *user, const json_t *line, int64_t number, struct err *e)
{
    struct import *im = user;
    struct exchange_line x = {0};

    arena_reset(im->scratch);
    if (exchange_line_read(line, im->files->model, &im->counter, &x, e) != OK)
        return e->code;
    if (x.state == STATE_PLANNED || x.state == STATE_LEASED) {
        im->counts->empty++;
        return OK;
    }
    if (!x.is_verdict)
        return import_sample(im, &x, e);
    return im->suite->instrument.kind == INSTRUMENT_PAIR && !json_object_get(x.json, "about")
               ? import_pair(im, &x, number, e)
               : import_verdict(im, &x, e);
}

static enum status import_files(struct import *im, struct err *e)
{
    for (size_t i = 0; i < im->files->n; i++) {
        im->path = im->files->paths[i];
        if (exchange_line_each(im->path, import_line, im, e) != OK)
            return e->code;
    }
    return store_run_stale(im->store, im->run->id, e);
}

enum status exchange_import(struct store *s, const struct run_row *run, const struct suite *suite,
                            const struct exchange_files *f, const struct exchange_survey *survey,
                            struct exchange_counts *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct exchange_counts counts = {0};
    struct import im = {.store = s,
                        .run = run,
                        .suite = suite,
                        .files = f,
                        .arena = a,
                        .scratch = scratch,
                        .counts = &counts};

    map_init(&im.counter, a);
    map_init(&im.reviews, a);
    map_init(&im.models, a);
    map_init(&im.judges, a);
    map_init(&im.items, a);
    if (know_parties(&im, PARTY_MODEL, &im.models, e) != OK ||
        know_parties(&im, PARTY_JUDGE, &im.judges, e) != OK || has_judges(&im, e) != OK ||
        add_models(&im, survey, e) != OK || import_files(&im, e) != OK)
        return e->code;
    *out = counts;
    return OK;
}
