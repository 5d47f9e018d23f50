#include "panel/intake.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/message.h"
#include "exchange/campaign_file.h"
#include "gen/queries.h"
#include "panel/ballot.h"
#include "panel/export.h"
#include "store/store_exchange.h"
#include "suite/mark.h"

enum {
    PLACES_MAX = 100000, /* of one passage, however large the run is */
    REPEAT_MAX = 1000000,
    COUNT_MAX = 1 << 30,
};

struct person {
    int64_t id, assignments;
};

/* A passage of a rater. */
struct sheet {
    int64_t id;
    struct shown *shown; /* by place */
    size_t n, cap;
    bool placed; /* the file states the places */
    struct sheet *next;
};

/* An import in progress. */
struct taking {
    struct arena *a;
    struct store *s;
    const struct intake *in;
    struct spec spec;
    struct party_list models;
    struct map people, sheets; /* by name; by rater, phase and passage */
    struct map items, texts;   /* by number or id, as text; by item, system and repeat */
    struct sheet *first;
    int64_t campaign, now, ratings;
    const char *secret;     /* of the campaign */
    struct campaign_line l; /* current line */
    struct arena *line;     /* reset for every line */
};

/* ---- faults ---- */

PRINTF(2, 3)
static void fault(const struct taking *t, const char *fmt, ...)
{
    struct source *source = NEW(t->a, struct source);
    char text[512];
    va_list ap;

    *source = (struct source){t->in->path, STR(""), (int)t->l.number};
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    diags_error(t->in->faults, (struct place){.source = source, .line = (int)t->l.number}, "%s",
                text);
}

/* Reads a whole number from min to max; `otherwise` if the field is empty. */
static bool read_count(const struct taking *t, enum campaign_field f, int64_t min, int64_t max,
                       int64_t otherwise, int64_t *out)
{
    struct str text = str_trim(t->l.v[f]);

    *out = otherwise;
    if (text.n == 0)
        return true;
    if (str_int(text, out) && *out >= min && *out <= max)
        return true;
    fault(t, N_("%s: expected a whole number from %lld to %lld"), campaign_file_column(f),
          (long long)min, (long long)max);
    return false;
}

static bool read_time(const struct taking *t, enum campaign_field f, int64_t *out)
{
    *out = t->now;
    if (t->l.v[f].n == 0 || clock_read(t->l.v[f], out))
        return true;
    fault(t, N_("%s: expected a time such as 2026-12-01T09:00:00Z"), campaign_file_column(f));
    return false;
}

static const char *copy(const struct taking *t, enum campaign_field f)
{
    return arena_text(t->line, str_trim(t->l.v[f]));
}

/* ---- who ---- */

static enum status add_person(struct taking *t, struct person **out, struct err *e)
{
    const char *name = copy(t, COLUMN_RATER), *excluded = copy(t, COLUMN_EXCLUDED);
    enum rater_state state = RATER_FINISHED;
    struct person *p = NEW(t->a, struct person);

    *out = NULL;
    if (t->l.v[COLUMN_RATER_STATE].n && !rater_state_read(t->l.v[COLUMN_RATER_STATE], &state)) {
        fault(t, N_("rater_state: there is no state '%.*s'"), STR_ARG(t->l.v[COLUMN_RATER_STATE]));
        return OK;
    }
    if (db_int(t->s->db, Q_RATER_IMPORT,
               ARGS(V_INT(t->campaign), V_TEXT(name), V_TEXT(rater_state_name(state)),
                    V_TEXT(copy(t, COLUMN_STRATUM)),
                    /* not a hash, so nobody can come back with it */
                    V_TEXT(arena_printf(t->line, "import/%lld/%s", (long long)t->campaign, name)),
                    V_INT(t->now), V_TEXT(*excluded ? "import" : NULL),
                    V_TEXT(*excluded ? excluded : NULL)),
               &p->id, NULL, e) != OK)
        return e->code;
    (void)map_put(&t->people, str_of(name), p);
    *out = p;
    return OK;
}

/* NULL after a fault. */
static enum status find_person(struct taking *t, struct person **out, struct err *e)
{
    struct str name = str_trim(t->l.v[COLUMN_RATER]);

    *out = map_get(&t->people, name);
    if (*out || name.n)
        return *out ? OK : add_person(t, out, e);
    fault(t, N_("rater: the line does not say who rated"));
    return OK;
}

/* ---- what ---- */

/* Finds an item of the run by name; 0 after a fault. */
static enum status find_item(struct taking *t, int64_t *out, struct err *e)
{
    const char *name = copy(t, COLUMN_PASSAGE);
    int64_t *known = map_get(&t->items, str_of(name));
    bool found = false;

    if (!known) {
        known = NEW(t->a, int64_t);
        if (store_item_find(t->s, t->in->run->id, name, known, &found, e) != OK)
            return e->code;
        *known = found ? *known : 0;
        (void)map_put(&t->items, str_of(name), known);
    }
    *out = *known;
    if (!*known)
        fault(t, N_("passage: run %s has no item '%s'"), t->in->run->name, name);
    return OK;
}

static void unknown_system(const struct taking *t, const char *name)
{
    bool masked = str_starts(str_of(name), STR("system-"));

    fault(t, N_("system: run %s has no model '%s'%s"), t->in->run->name, name,
          masked ? N_("; export the ratings again after their campaign was unmasked") : "");
}

/* The sample of a system; 0: the reference, -1: fault. */
static enum status find_text(struct taking *t, enum campaign_field f, int64_t item, int64_t *out,
                             struct err *e)
{
    const char *name = copy(t, f), *key;
    const struct party *model;
    int64_t repeat, *known;
    struct found_row row = {0};

    *out = -1;
    if (strcmp(name, CAMPAIGN_REFERENCE) == 0 &&
        (t->spec.reference || !store_party_named(&t->models, name))) {
        *out = 0;
        return OK;
    }
    if (!read_count(t, COLUMN_REPEAT, 0, REPEAT_MAX, 0, &repeat))
        return OK;
    key = arena_printf(t->line, "%lld/%lld/%s", (long long)item, (long long)repeat, name);
    known = map_get(&t->texts, str_of(key));
    if (!known) {
        model = store_party_named(&t->models, name);
        if (!model) {
            unknown_system(t, name);
            return OK;
        }
        if (store_sample_find(t->line, t->s, model->id, item, repeat, &row, e) != OK)
            return e->code;
        known = NEW(t->a, int64_t);
        *known = row.id && row.state == STATE_DONE ? row.id : -1;
        (void)map_put(&t->texts, str_of(key), known);
    }
    *out = *known;
    if (*known < 0)
        fault(t, N_("system: '%s' has no answer to '%s'"), name, copy(t, COLUMN_PASSAGE));
    return OK;
}

/* What a line is about. */
struct about {
    enum phase phase;
    int64_t item, anchor;
    struct shown is;
    bool good;
};

static void find_anchor(const struct taking *t, struct about *out)
{
    struct str name = str_trim(t->l.v[COLUMN_PASSAGE]), number = name;
    int64_t n = 0;

    *out = (struct about){.phase = PHASE_ANCHOR, .is = {0, -1}};
    out->good = str_drop(&number, STR("anchor-")) && str_int(number, &n) && n >= 1 &&
                n <= (int64_t)t->spec.nanchors;
    if (out->good)
        out->anchor = n - 1;
    else
        fault(t, N_("passage: the campaign file has no anchor text '%.*s' (there are %zu)"),
              STR_ARG(name), t->spec.nanchors);
}

static enum status find_about(struct taking *t, struct about *out, struct err *e)
{
    bool pair = t->in->suite->instrument.kind == INSTRUMENT_PAIR;
    struct about x = {.phase = PHASE_MAIN, .anchor = -1, .is = {-1, -1}};

    *out = x;
    if (t->l.v[COLUMN_PHASE].n && !assign_phase_read(t->l.v[COLUMN_PHASE], &x.phase)) {
        fault(t, N_("phase: there is no phase '%.*s'"), STR_ARG(t->l.v[COLUMN_PHASE]));
        return OK;
    }
    if (x.phase == PHASE_ANCHOR) {
        find_anchor(t, out);
        return OK;
    }
    if (find_item(t, &x.item, e) != OK)
        return e->code;
    if (!x.item)
        return OK;
    if (find_text(t, COLUMN_SYSTEM, x.item, &x.is.sample, e) != OK ||
        (pair && find_text(t, COLUMN_OTHER_SYSTEM, x.item, &x.is.other, e) != OK))
        return e->code;
    x.good = x.is.sample >= 0 && (!pair || x.is.other >= 0);
    *out = x;
    return OK;
}

/* ---- one passage of one rater ---- */

static enum status add_sheet(struct taking *t, struct person *p, const struct about *x,
                             struct sheet *out, struct err *e)
{
    /* Submitted if there is no such column; not submitted if the field is empty. */
    bool done = !t->l.v[COLUMN_SUBMITTED].p || t->l.v[COLUMN_SUBMITTED].n;
    int64_t created, submitted, active, position;

    if (!read_time(t, COLUMN_CREATED, &created) || !read_time(t, COLUMN_SUBMITTED, &submitted) ||
        !read_count(t, COLUMN_ACTIVE_MS, 0, INT64_MAX, 0, &active) ||
        !read_count(t, COLUMN_POSITION, 1, COUNT_MAX, p->assignments + 1, &position))
        return OK;
    if (db_int(t->s->db, Q_ASSIGNMENT_IMPORT,
               ARGS(V_INT(t->campaign), V_INT(p->id), V_TEXT(assign_phase_name(x->phase)),
                    V_INT(x->item), V_INT(x->anchor), V_INT(position - 1),
                    V_TEXT(done ? "done" : "expired"), V_INT(created),
                    done ? V_INT(submitted) : V_NULL, V_INT(active)),
               &out->id, NULL, e) != OK)
        return e->code;
    p->assignments++;
    if (!done || x->phase != PHASE_MAIN)
        return OK;
    return db_run(t->s->db, Q_PASSAGE_DONE, ARGS(V_INT(t->campaign), V_INT(x->item)), NULL, e);
}

/* The id is 0 after a fault. */
static enum status find_sheet(struct taking *t, struct person *p, const struct about *x,
                              struct sheet **out, struct err *e)
{
    const char *key =
        arena_printf(t->line, "%lld/%s/%lld/%lld", (long long)p->id, assign_phase_name(x->phase),
                     (long long)x->item, (long long)x->anchor);
    struct sheet *sheet = map_get(&t->sheets, str_of(key));

    *out = sheet;
    if (sheet)
        return OK;
    sheet = NEW(t->a, struct sheet);
    *sheet = (struct sheet){.next = t->first};
    if (add_sheet(t, p, x, sheet, e) != OK)
        return e->code;
    t->first = sheet;
    (void)map_put(&t->sheets, str_of(key), sheet);
    *out = sheet;
    return OK;
}

static bool was_shown(const struct sheet *s, const struct shown *is)
{
    for (size_t i = s->n; i-- > 0;)
        if (assign_same(&s->shown[i], is))
            return true;
    return false;
}

/* Places of a passage: texts of the run with the reference, or pairs of them. A line can name any
 * place, and all places before it are stored. */
static int64_t most_places(const struct taking *t)
{
    int64_t n = (int64_t)t->models.n * t->in->run->repeats + 1;

    if (n < PLACES_MAX && t->in->suite->instrument.kind == INSTRUMENT_PAIR)
        n = n * (n - 1) / 2;
    return n < PLACES_MAX ? n : PLACES_MAX;
}

/* At the place given in the line, otherwise after the texts so far. */
static bool note_shown(const struct taking *t, struct sheet *s, const struct shown *is)
{
    int64_t place;

    if (was_shown(s, is))
        return true;
    if (!read_count(t, COLUMN_PLACE, 0, most_places(t), 0, &place))
        return false;
    s->placed |= place > 0;
    if (place == 0)
        place = (int64_t)s->n + 1;
    s->shown = mem_grow(s->shown, &s->cap, (size_t)place, sizeof *s->shown);
    while (s->n < (size_t)place)
        s->shown[s->n++] = (struct shown){-1, -1};
    if (s->shown[place - 1].sample >= 0) {
        fault(t, N_("place: another text of this passage stands there"));
        return false;
    }
    s->shown[place - 1] = *is;
    return true;
}

/* If a file states no places, its order is often that of the models, which would reveal the
 * systems. */
static void mix(struct taking *t, struct sheet *s)
{
    size_t *order = NEW_N(t->line, size_t, s->n + 1);
    struct shown *mixed = mem_new((s->n + 1) * sizeof *mixed);

    assign_order(t->secret, s->id, 0, s->n, order);
    for (size_t i = 0; i < s->n; i++)
        mixed[i] = s->shown[order[i]];
    free(s->shown);
    s->shown = mixed;
}

static enum status write_shown(struct taking *t, struct sheet *s, struct err *e)
{
    if (!s->placed)
        mix(t, s);
    return db_run(t->s->db, Q_ASSIGNMENT_SHOWN,
                  ARGS(V_INT(s->id), V_TEXT(assign_shown(t->line, s->shown, s->n))), NULL, e);
}

/* ---- one mark ---- */

static bool read_mark(const struct taking *t, const struct about *x, struct ballot_mark *out)
{
    struct str value = str_trim(t->l.v[COLUMN_VALUE]);
    struct ballot_mark m = {.is = x->is,
                            .dimension = copy(t, COLUMN_DIMENSION),
                            .cannot = value.n == 0,
                            .comment = t->l.v[COLUMN_COMMENT],
                            .quotes = t->l.v[COLUMN_QUOTES]};
    struct err e;

    if (!m.cannot && !str_double(value, &m.value)) {
        fault(t, N_("value: expected a number, or nothing for \"cannot say\""));
        return false;
    }
    if (ballot_check(&t->in->suite->instrument, &m, &e) != OK) {
        fault(t, "%s", e.msg);
        return false;
    }
    if (utf8_count(m.comment) > BALLOT_COMMENT_MAX || utf8_count(m.quotes) > BALLOT_QUOTES_MAX) {
        fault(t, N_("a comment may have %d characters, quotations %d"), BALLOT_COMMENT_MAX,
              BALLOT_QUOTES_MAX);
        return false;
    }
    *out = m;
    return true;
}

static enum status write_mark(struct taking *t, const struct sheet *sheet,
                              const struct ballot_mark *m, struct err *e)
{
    int64_t created, saved, revisions, changed = 0;

    if (!read_time(t, COLUMN_CREATED, &created) || !read_time(t, COLUMN_SAVED, &saved) ||
        !read_count(t, COLUMN_REVISIONS, 0, COUNT_MAX, 0, &revisions))
        return OK;
    if (db_run(t->s->db, Q_RATING_IMPORT,
               ARGS(V_INT(sheet->id), V_INT(m->is.sample), V_INT(m->is.other), V_TEXT(m->dimension),
                    m->cannot ? V_NULL : V_REAL(m->value), V_STR(m->comment), V_STR(m->quotes),
                    V_INT(revisions + 1), V_INT(created), V_INT(saved)),
               &changed, e) != OK)
        return e->code;
    if (!changed)
        fault(t, N_("this rater has marked '%s' of this text before"), m->dimension);
    t->ratings += changed;
    return OK;
}

static enum status take_line(struct taking *t, struct err *e)
{
    struct sheet *sheet = NULL;
    struct person *p = NULL;
    struct ballot_mark m;
    struct about x;

    if (t->l.fault) {
        fault(t, "%s", t->l.fault);
        return OK;
    }
    if (str_is(t->l.v[COLUMN_PHASE], assign_phase_name(PHASE_PRACTICE)))
        return OK;
    if (t->l.v[COLUMN_SCHEMA].n && !str_is(t->l.v[COLUMN_SCHEMA], EXPORT_SCHEMA)) {
        fault(t, "schema: expected %s", EXPORT_SCHEMA);
        return OK;
    }
    if (find_person(t, &p, e) != OK || find_about(t, &x, e) != OK)
        return e->code;
    if (!p || !x.good || !read_mark(t, &x, &m))
        return OK;
    if (find_sheet(t, p, &x, &sheet, e) != OK)
        return e->code;
    return sheet->id && note_shown(t, sheet, &x.is) ? write_mark(t, sheet, &m, e) : OK;
}

/* ---- the file ---- */

static enum status take_lines(struct taking *t, struct campaign_file *f, struct err *e)
{
    bool more = true;

    while (t->in->faults->errors < DIAGS_MAX) {
        if (campaign_file_next(f, &t->l, &more, e) != OK)
            return e->code;
        if (!more)
            break;
        arena_reset(t->line);
        if (take_line(t, e) != OK)
            return e->code;
    }
    if (t->in->faults->errors)
        return err_set(e, E_INPUT, "%s: nothing was imported", t->in->path);
    return t->ratings ? OK : err_set(e, E_INPUT, "%s contains no rating", t->in->path);
}

static enum status take_file(struct taking *t, struct err *e)
{
    struct campaign_file f;
    enum status st = campaign_file_open(&f, t->in->path, e);

    if (st == OK)
        st = take_lines(t, &f, e);
    campaign_file_close(&f);
    for (struct sheet *s = t->first; s && st == OK; s = s->next) {
        arena_reset(t->line);
        st = write_shown(t, s, e);
    }
    for (struct sheet *s = t->first; s; s = s->next)
        free(s->shown);
    return st;
}

static enum status take_in(struct taking *t, struct err *e)
{
    const struct campaign_new n = {t->in->run, t->in->suite, t->in->frozen, t->in->who};
    struct campaign c;

    if (campaign_insert(t->s, &n, t->spec.name, &t->campaign, e) != OK ||
        db_run(t->s->db, Q_PASSAGE_PLAN,
               ARGS(V_INT(t->campaign), V_INT(t->in->run->id), V_INT(0), V_INT(1)), NULL,
               e) != OK ||
        campaign_by_id(t->a, t->s, t->campaign, &c, e) != OK)
        return e->code;
    t->secret = c.secret;
    if (take_file(t, e) != OK)
        return e->code;
    return db_run(t->s->db, Q_CAMPAIGN_TURN,
                  ARGS(V_INT(t->campaign), V_TEXT(campaign_state_name(CAMPAIGN_DRAFT)),
                       V_TEXT(campaign_state_name(CAMPAIGN_CLOSED)), V_INT(t->now)),
                  NULL, e);
}

enum status intake_ratings(struct arena *a, struct store *s, const struct intake *in,
                           struct campaign *out, struct err *e)
{
    AUTO(arena_freep) struct arena *line = arena_new();
    struct taking t = {.a = a, .line = line, .s = s, .in = in, .now = clock_utc_ms()};

    map_init(&t.people, a);
    map_init(&t.sheets, a);
    map_init(&t.items, a);
    map_init(&t.texts, a);
    if (spec_thaw(a, str_of(in->frozen), in->suite, &t.spec, e) != OK ||
        store_party_list(a, s, PARTY_MODEL, in->run->id, &t.models, e) != OK ||
        store_atomically(s, e, take_in(&t, e)) != OK)
        return e->code;
    return campaign_get(a, s, t.spec.name, out, e);
}
