#include "exchange/import_records.h"

#include <math.h>

#include "base/file.h"
#include "base/json.h"
#include "base/map.h"

/* The export has no table of them. */
static const char *const known_systems[] = {
    NULL, "真实数据", "rnn",           "GPT", "unilm",  "zhouwenwang",
    "T5", "GPT3",     "GPT3-finetune", "CPM", "PANGU-a"};

static const char *const score_keys[IMPORT_RECORDS_DIMENSIONS] = {
    [IMPORT_RECORDS_OVERALL] = "is_best",
    [IMPORT_RECORDS_HUMOUR] = "h_score",
    [IMPORT_RECORDS_FLUENT] = "f_score",
    [IMPORT_RECORDS_DISCRIMINATORY] = "d_score",
};

struct reader {
    struct arena *a, *scratch;
    struct import_records out;
    struct map systems, passages, raters, answers, ratings; /* places in the arrays of out */
};

/* A file being read, and which record of it. */
struct source {
    const char *path;
    json_t *whole;
    size_t n, at;
    const json_t *record;
};

/* ---- keys ---- */

static bool find_place(const struct map *m, struct str key, uint32_t *out)
{
    const uint32_t *place = map_get(m, key);

    if (place)
        *out = *place;
    return place != NULL;
}

/* False when the key is there already; *out is its place. */
static bool add_place(struct map *m, struct str key, uint32_t *out)
{
    size_t known = m->n;

    *out = map_number(m, key);
    return m->n > known;
}

/* ---- one file ---- */

static enum status source_open(struct reader *r, const char *folder, const char *name,
                               struct source *s, struct err *e)
{
    const char *path = arena_printf(r->a, "%s/%s", folder, name);
    struct str text = {0};
    const json_t *list;

    *s = (struct source){.path = path};
    arena_reset(r->scratch);
    if (file_read(r->scratch, path, IMPORT_RECORDS_BYTES, &text, e) != OK)
        return e->code;
    if (json_read(text, &s->whole, e) != OK)
        return err_wrap(e, "%s", path);
    list = json_object_get(s->whole, "RECORDS");
    if (!json_is_array(list))
        return err_set(e, E_INPUT, "%s: expected {\"RECORDS\": [...]}", path);
    s->n = json_array_size(list);
    if (s->n > IMPORT_RECORDS_MAX)
        return err_set(e, E_INPUT, "%s: more than %d records", path, IMPORT_RECORDS_MAX);
    return OK;
}

static bool source_next(struct source *s)
{
    if (s->at == s->n)
        return false;
    s->record = json_array_get(json_object_get(s->whole, "RECORDS"), s->at++);
    return true;
}

static enum status whole_number(const struct source *s, const char *key, int64_t *out,
                                struct err *e)
{
    const json_t *v = json_object_get(s->record, key);

    if (!json_is_integer(v))
        return err_set(e, E_INPUT, "\"%s\" is not a whole number", key);
    *out = json_integer_value(v);
    return OK;
}

static enum status text_of(struct reader *r, const struct source *s, const char *key,
                           struct str *out, struct err *e)
{
    const json_t *v = json_object_get(s->record, key);

    if (!json_is_string(v) || json_string_length(v) == 0)
        return err_set(e, E_INPUT, "no text \"%s\"", key);
    *out = arena_str(r->a, json_str(v));
    return OK;
}

/* ---- the four ---- */

static enum status add_passage(struct reader *r, const struct source *s, struct err *e)
{
    struct import_records_passage *p = &r->out.passages[r->out.npassages];
    uint32_t before = 0;

    if (whole_number(s, "id", &p->id, e) != OK || text_of(r, s, "prompt", &p->text, e) != OK)
        return e->code;
    if (!add_place(&r->passages, map_id(&p->id), &before))
        return err_set(e, E_INPUT, "id %lld is also the id of record %u", (long long)p->id,
                       before + 1);
    r->out.npassages++;
    return OK;
}

static uint32_t system_number(struct reader *r, int64_t id)
{
    struct import_records_system *x = &r->out.systems[r->out.nsystems];
    uint32_t place = (uint32_t)r->out.nsystems;
    bool known = id > 0 && (size_t)id < COUNT(known_systems);

    if (!add_place(&r->systems, map_id(&id), &place))
        return place;
    x->id = id;
    x->name = known ? known_systems[id] : arena_printf(r->a, "model %lld", (long long)id);
    return (uint32_t)r->out.nsystems++;
}

static enum status find_passage(struct reader *r, const struct source *s, uint32_t *out,
                                struct err *e)
{
    int64_t id = 0;

    if (whole_number(s, "prompt_id", &id, e) != OK)
        return e->code;
    if (!find_place(&r->passages, map_id(&id), out))
        return err_set(e, E_INPUT, "no passage %lld", (long long)id);
    return OK;
}

static enum status add_answer(struct reader *r, const struct source *s, struct err *e)
{
    struct import_records_answer *x = &r->out.answers[r->out.nanswers];
    uint32_t before = 0;
    int64_t system = 0;
    struct str key;

    if (whole_number(s, "type", &system, e) != OK || find_passage(r, s, &x->passage, e) != OK ||
        text_of(r, s, "content", &x->text, e) != OK)
        return e->code;
    x->system = system_number(r, system);
    key = str_of(arena_printf(r->scratch, "%u %u", x->system, x->passage));
    if (!add_place(&r->answers, key, &before))
        return err_set(e, E_INPUT, "record %u has the same system and passage", before + 1);
    r->out.nanswers++;
    return OK;
}

static enum status add_rater(struct reader *r, const struct source *s, struct err *e)
{
    struct import_records_rater *x = &r->out.raters[r->out.nraters];
    uint32_t before = 0;
    struct str name = {0};

    if (text_of(r, s, "user", &name, e) != OK || whole_number(s, "start_idx", &x->first, e) != OK ||
        whole_number(s, "end_idx", &x->last, e) != OK)
        return e->code;
    x->name = name.p;
    if (!add_place(&r->raters, name, &before))
        return err_set(e, E_INPUT, "rater \"%s\" is also in record %u", x->name, before + 1);
    r->out.nraters++;
    return OK;
}

static enum status read_scores(const struct source *s, double *value, struct err *e)
{
    for (size_t d = 0; d < IMPORT_RECORDS_DIMENSIONS; d++) {
        const json_t *v = json_object_get(s->record, score_keys[d]);
        if (v && !json_is_null(v) && !json_is_number(v))
            return err_set(e, E_INPUT, "\"%s\" is neither a number nor null", score_keys[d]);
        value[d] = json_is_number(v) ? json_number_value(v) : (double)NAN;
    }
    return OK;
}

static enum status add_rating(struct reader *r, const struct source *s, struct err *e)
{
    struct import_records_rating *x = &r->out.ratings[r->out.nratings];
    int64_t system = 0;
    uint32_t before = 0;
    struct str name = {0}, key;

    if (text_of(r, s, "user", &name, e) != OK || whole_number(s, "model_id", &system, e) != OK ||
        find_passage(r, s, &x->passage, e) != OK || read_scores(s, x->value, e) != OK)
        return e->code;
    if (!find_place(&r->raters, name, &x->rater))
        return err_set(e, E_INPUT, "no rater \"%s\"", name.p);
    if (!find_place(&r->systems, map_id(&system), &x->system))
        return err_set(e, E_INPUT, "no system %lld", (long long)system);
    key = str_of(arena_printf(r->scratch, "%u %u %u", x->rater, x->system, x->passage));
    if (!add_place(&r->ratings, key, &before))
        return err_set(e, E_INPUT, "record %u has the same rater, system and passage", before + 1);
    r->out.raters[x->rater].ratings++;
    r->out.nratings++;
    return OK;
}

/* ---- all of it ---- */

typedef enum status add_record(struct reader *r, const struct source *s, struct err *e);

enum { PASSAGES, ANSWERS, RATERS, RATINGS, FILES };

/* Each refers to those before it. */
static const struct {
    const char *name;
    add_record *add;
} files[FILES] = {
    [PASSAGES] = {"meta_prompt.json", add_passage},
    [ANSWERS] = {"generate_completions.json", add_answer},
    [RATERS] = {"user_list.json", add_rater},
    [RATINGS] = {"score_records.json", add_rating},
};

static enum status read_all(struct reader *r, struct source *s, struct err *e)
{
    r->out = (struct import_records){
        .systems = NEW_N(r->a, struct import_records_system, s[ANSWERS].n + 1),
        .passages = NEW_N(r->a, struct import_records_passage, s[PASSAGES].n + 1),
        .answers = NEW_N(r->a, struct import_records_answer, s[ANSWERS].n + 1),
        .raters = NEW_N(r->a, struct import_records_rater, s[RATERS].n + 1),
        .ratings = NEW_N(r->a, struct import_records_rating, s[RATINGS].n + 1),
    };
    for (size_t f = 0; f < FILES; f++)
        while (source_next(&s[f])) {
            arena_reset(r->scratch);
            if (files[f].add(r, &s[f], e) != OK)
                return err_wrap(e, "%s: record %zu", s[f].path, s[f].at);
        }
    return OK;
}

enum status import_records_read(struct arena *a, const char *folder, struct import_records *out,
                                struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(arena_freep) struct arena *keys = arena_new();
    struct reader r = {.a = a, .scratch = scratch};
    struct map *maps[] = {&r.systems, &r.passages, &r.raters, &r.answers, &r.ratings};
    struct source s[FILES] = {{0}};
    enum status st = OK;

    for (size_t i = 0; i < COUNT(maps); i++)
        map_init(maps[i], keys);
    for (size_t f = 0; f < FILES && st == OK; f++)
        st = source_open(&r, folder, files[f].name, &s[f], e);
    if (st == OK)
        st = read_all(&r, s, e);
    for (size_t f = 0; f < FILES; f++)
        json_decref(s[f].whole);
    if (st == OK)
        *out = r.out;
    return st;
}
