#include "panel/study.h"

#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "exchange/import_records.h"
#include "gen/queries.h"
#include "panel/assign.h"
#include "store/store_exchange.h"
#include "store/store_work.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"

enum {
    LINES = 10,
    PASSAGES = 5,
    TRUE_TEXT = 1, /* the system that stands for the human author */
    TABLE_MAX = 50000000,
};

#define CLIENT "import"

/* The marks, in the order of enum import_records_dimension. */
static const char *const ids[IMPORT_RECORDS_DIMENSIONS] = {"overall", "humour", "fluent",
                                                           "discriminatory"};

static const struct dimension *make_dimensions(struct arena *a)
{
    struct dimension *v = NEW_N(a, struct dimension, COUNT(ids));

    for (size_t i = 0; i < COUNT(ids); i++)
        v[i] = (struct dimension){
            .id = ids[i],
            .title = str_of(ids[i]),
            .weight = 1,
            .max = i == IMPORT_RECORDS_OVERALL || i == IMPORT_RECORDS_HUMOUR ? 5 : 1,
            .whole = true,
            .lower_is_better = i == IMPORT_RECORDS_DISCRIMINATORY,
        };
    return v;
}

static struct suite make_suite(struct arena *a)
{
    return (struct suite){
        .id = "comic-dialogue-records",
        .title = STR("Comic dialogues (imported)"),
        .language = "zh",
        .elicit = {.kind = ELICIT_CONTINUE,
                   .repeats = 1,
                   .template = {.name = "prompt", .user = STR("{{prompt}}")},
                   .take = TAKE_LINES,
                   .lines = LINES,
                   .sampling = "{}"},
        .instrument = {.dimensions = make_dimensions(a), .ndimensions = COUNT(ids)},
        .judge = {.name = "none", .user = STR("{{answer}}")},
        .judge_sampling = "{}",
        .score = {.kind = SCORE_TOTALS, .times = 1, .divide = 1},
        .seed = 1,
    };
}

/* The import, and the ids of its rows. */
struct import {
    struct arena *a;
    struct store *s;
    struct import_records r;
    struct run_row run;
    const char *who;
    int64_t campaign;
    int64_t *models;        /* [systems] 0: the human author */
    int64_t *items;         /* [passages] */
    int64_t *samples;       /* [passages * systems] 0: none, or the human text */
    struct str *references; /* [passages] the human text */
    int64_t *raters;
};

static bool is_true(const struct import *m, uint32_t system)
{
    return m->r.systems[system].id == TRUE_TEXT;
}

/* ---- the run ---- */

static enum status add_items(struct import *m, struct err *e)
{
    bool found;

    for (size_t i = 0; i < m->r.nanswers; i++)
        if (is_true(m, m->r.answers[i].system))
            m->references[m->r.answers[i].passage] = m->r.answers[i].text;
    for (uint32_t i = 0; i < m->r.npassages; i++) {
        struct item item = {
            .id = arena_printf(m->a, "passage-%lld", (long long)m->r.passages[i].id),
            .prompt = m->r.passages[i].text,
            .reference = m->references[i],
        };
        if (store_item_add(m->s, m->run.id, i, item.id, str_of(item_freeze(m->a, &item)), e) !=
                OK ||
            store_item_find(m->s, m->run.id, item.id, &m->items[i], &found, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status add_models(struct import *m, struct err *e)
{
    for (uint32_t i = 0; i < m->r.nsystems; i++) {
        struct party p = {.name = m->r.systems[i].name, .family = ""};
        AUTO(json_freep) json_t *config = json_object();
        if (is_true(m, i))
            continue;
        (void)json_object_set_new(config, "name", json_string(p.name));
        (void)json_object_set_new(config, "kind", json_string("recorded"));
        (void)json_object_set_new(config, "file", json_string(""));
        p.config = str_of(json_text(m->a, config));
        if (store_party_put(m->s, PARTY_MODEL, m->run.id, &p, e) != OK)
            return e->code;
        m->models[i] = p.id;
    }
    return OK;
}

static enum status add_sample(struct import *m, const struct import_records_answer *x,
                              struct err *e)
{
    struct row_key key = {
        .run = m->run.id, .who = m->models[x->system], .about = m->items[x->passage]};
    struct sample_result r = {.state = STATE_DONE,
                              .answer = x->text,
                              .spent = {.tokens_in = -1, .tokens_out = -1, .cost = NAN}};
    bool taken;

    if (is_true(m, x->system) || str_trim(x->text).n == 0)
        return OK;
    if (store_take(m->s, PARTY_MODEL, &key, &r.id, &taken, e) != OK)
        return e->code;
    m->samples[x->passage * m->r.nsystems + x->system] = r.id;
    return store_sample_end(m->s, &r, e);
}

static enum status make_run(struct import *m, const char *key, struct err *e)
{
    struct suite suite = make_suite(m->a);

    m->run = (struct run_row){.key = key,
                              .suite = suite.id,
                              .frozen = str_of(suite_freeze(m->a, &suite)),
                              .seed = suite.seed,
                              .repeats = 1,
                              .stale = true};
    if (store_run_next(m->s, key, &m->run.generation, e) != OK ||
        store_run_add(m->a, m->s, &m->run, e) != OK || add_items(m, e) != OK ||
        add_models(m, e) != OK)
        return e->code;
    for (size_t i = 0; i < m->r.nanswers; i++)
        if (add_sample(m, &m->r.answers[i], e) != OK)
            return e->code;
    return OK;
}

/* ---- raters and what they said ---- */

/* Did the rater mark every answer of every passage? */
static bool did_all(const struct import *m, size_t rater)
{
    const struct import_records_rater *x = &m->r.raters[rater];
    double asked = ((double)x->last - (double)x->first + 1) * (double)m->r.nsystems;

    return x->ratings > 0 && (double)x->ratings >= asked;
}

static enum status add_raters(struct import *m, struct err *e)
{
    int64_t now = clock_utc_ms();

    for (size_t i = 0; i < m->r.nraters; i++) {
        const char *name = m->r.raters[i].name;
        const char *key = arena_printf(m->a, "import/%lld/%s", (long long)m->campaign, name);
        if (db_int(m->s->db, Q_RATER_ADD,
                   ARGS(V_INT(m->campaign), V_TEXT(name), V_TEXT("zh"), V_TEXT(key), V_INT(now)),
                   &m->raters[i], NULL, e) != OK ||
            db_run(m->s->db, Q_RATER_STATE,
                   ARGS(V_INT(m->raters[i]), V_TEXT(rater_state_name(RATER_INVITED)),
                        V_TEXT(rater_state_name(did_all(m, i)            ? RATER_FINISHED
                                                : m->r.raters[i].ratings ? RATER_RATING
                                                                         : RATER_INVITED))),
                   NULL, e) != OK)
            return e->code;
    }
    return OK;
}

/* The assignment of a rater and a passage; created with its first rating. */
static enum status find_assignment(struct import *m, int64_t *made,
                                   const struct import_records_rating *x, struct err *e)
{
    int64_t *at = &made[x->rater * m->r.npassages + x->passage], now = clock_utc_ms();

    if (*at)
        return OK;
    if (db_int(m->s->db, Q_ASSIGNMENT_ADD,
               ARGS(V_INT(m->campaign), V_INT(m->raters[x->rater]),
                    V_TEXT(assign_phase_name(PHASE_MAIN)), V_INT(m->items[x->passage]), V_INT(-1),
                    V_INT(0), V_TEXT("[]"), V_INT(now), V_INT(now)),
               at, NULL, e) != OK ||
        db_run(m->s->db, Q_ASSIGNMENT_SUBMIT, ARGS(V_INT(*at), V_INT(now)), NULL, e) != OK)
        return e->code;
    return db_run(m->s->db, Q_PASSAGE_DONE, ARGS(V_INT(m->campaign), V_INT(m->items[x->passage])),
                  NULL, e);
}

static enum status add_rating(struct import *m, int64_t assignment,
                              const struct import_records_rating *x, struct err *e)
{
    int64_t sample = m->samples[x->passage * m->r.nsystems + x->system], now = clock_utc_ms();

    if (!sample && !is_true(m, x->system))
        return OK; /* the system had no answer here */
    for (size_t d = 0; d < IMPORT_RECORDS_DIMENSIONS; d++)
        if (!isnan(x->value[d]) && db_run(m->s->db, Q_RATING_ADD,
                                          ARGS(V_INT(assignment), V_INT(sample), V_INT(-1),
                                               V_TEXT(ids[d]), V_REAL(x->value[d]), V_TEXT(""),
                                               V_TEXT(""), V_TEXT(CLIENT), V_INT(now), V_INT(1)),
                                          NULL, e) != OK)
            return e->code;
    return OK;
}

static enum status add_ratings(struct import *m, struct err *e)
{
    int64_t *made = NEW_N(m->a, int64_t, m->r.nraters * m->r.npassages + 1);

    for (size_t i = 0; i < m->r.nratings; i++) {
        const struct import_records_rating *x = &m->r.ratings[i];
        if (find_assignment(m, made, x, e) != OK ||
            add_rating(m, made[x->rater * m->r.npassages + x->passage], x, e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- all of it ---- */

static enum status make_campaign(struct import *m, const char *name, struct err *e)
{
    const char *spec = arena_printf(m->a,
                                    "{\"campaign\":\"%s\",\"passages_per_rater\":%d,\"overlap\":6,"
                                    "\"reference\":\"takes-part\",\"counts\":\"completers\","
                                    "\"consent\":{\"version\":\"imported\",\"text\":\"imported\"}}",
                                    name, PASSAGES);

    const struct campaign_new n = {&m->run, NULL, spec, m->who};

    if (campaign_insert(m->s, &n, name, &m->campaign, e) != OK)
        return e->code != E_USAGE
                   ? e->code
                   : err_set(e, E_USAGE, "this has already been imported as campaign %s", name);
    if (db_run(m->s->db, Q_PASSAGE_PLAN,
               ARGS(V_INT(m->campaign), V_INT(m->run.id), V_INT(0), V_INT(1)), NULL, e) != OK ||
        add_raters(m, e) != OK || add_ratings(m, e) != OK)
        return e->code;
    return db_run(m->s->db, Q_CAMPAIGN_TURN,
                  ARGS(V_INT(m->campaign), V_TEXT(campaign_state_name(CAMPAIGN_DRAFT)),
                       V_TEXT(campaign_state_name(CAMPAIGN_CLOSED)), V_INT(clock_utc_ms())),
                  NULL, e);
}

/* The same data give the same key. */
static const char *key_of(struct arena *a, const struct import_records *r)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    hash_str(&h, STR("records"));
    for (size_t i = 0; i < r->nanswers; i++)
        hash_str(&h, r->answers[i].text);
    for (size_t i = 0; i < r->nratings; i++)
        for (size_t d = 0; d < IMPORT_RECORDS_DIMENSIONS; d++)
            hash_int(&h, isnan(r->ratings[i].value[d]) ? -1 : (int64_t)r->ratings[i].value[d]);
    hash_hex(&h, hex);
    return arena_text(a, str_of(hex));
}

enum status study_import(struct arena *a, struct store *s, const char *folder, const char *who,
                         struct campaign *out, struct err *e)
{
    struct import m = {.a = a, .s = s, .who = who};
    struct campaign old;
    const char *key, *name;

    if (import_records_read(a, folder, &m.r, e) != OK)
        return e->code;
    if ((m.r.nsystems + m.r.nraters + 1) > TABLE_MAX / (m.r.npassages + 1))
        return err_set(e, E_INPUT, "%s: %zu passages by %zu systems and %zu raters are too many",
                       folder, m.r.npassages, m.r.nsystems, m.r.nraters);
    key = key_of(a, &m.r);
    name = arena_printf(a, "records-%.8s", key);
    if (campaign_get(a, s, name, &old, e) == OK)
        return err_set(e, E_USAGE, "%s has already been imported as campaign %s", folder, name);
    if (e->code != E_ABSENT)
        return e->code;
    m.models = NEW_N(a, int64_t, m.r.nsystems + 1);
    m.items = NEW_N(a, int64_t, m.r.npassages + 1);
    m.samples = NEW_N(a, int64_t, m.r.npassages * m.r.nsystems + 1);
    m.references = NEW_N(a, struct str, m.r.npassages + 1);
    m.raters = NEW_N(a, int64_t, m.r.nraters + 1);
    if (store_atomically(s, e, make_run(&m, key, e) == OK ? make_campaign(&m, name, e) : e->code) !=
        OK)
        return e->code;
    return campaign_get(a, s, name, out, e);
}
