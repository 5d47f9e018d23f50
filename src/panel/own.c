#include "panel/own.h"

#include <math.h>

#include "base/clock.h"
#include "base/json.h"
#include "gen/queries.h"

static void put_time(json_t *j, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT];

    if (!ms)
        return;
    clock_text(ms, text);
    json_put_text(j, key, text);
}

static void put_mark(json_t *j, const char *text, const struct ballot_mark *m)
{
    json_put_text(j, "text", text);
    json_put_text(j, "dimension", m->dimension);
    json_put_real(j, "value", m->cannot || m->unmarked ? (double)NAN : m->value);
    json_put_bool(j, "marked", !m->unmarked);
    json_put_str(j, "comment", m->comment);
    json_put_str(j, "quotes", m->quotes);
    put_time(j, "saved", m->saved_ms);
}

/* Lists texts in the order in which they were shown. Rows are ordered by sample, which would
 * reveal the reference and group texts by author. */
static enum status page_json(struct arena *a, struct store *s, const struct campaign *c,
                             const struct assignment *as, json_t *pages, struct err *e)
{
    struct ballot b = ballot_outline(a, c, as);
    json_t *j = json_add_object(pages), *marks;
    struct ballot_marks m;

    put_time(j, "begun", as->started_ms);
    put_time(j, "handed_in", as->submitted_ms);
    json_put_int(j, "active_seconds", as->active_ms / 1000);
    marks = json_put_list(j, "marks");
    if (ballot_marks(a, s, as->id, &m, e) != OK)
        return e->code;
    for (size_t i = 0; i < b.n; i++)
        for (size_t k = 0; k < m.n; k++)
            if (assign_same(&m.v[k].is, &b.slots[i].is))
                put_mark(json_add_object(marks), b.slots[i].name, &m.v[k]);
    return OK;
}

static enum status list_texts(struct store *s, int query, int64_t rater, json_t *out, struct err *e)
{
    struct rows *r = db_query(s->db, query, ARGS(V_INT(rater)), e);

    while (rows_next(r)) {
        json_t *j = json_add_object(out);
        json_put_str(j, "text", row_str(r, C_OWN_TEXT_TEXT));
        put_time(j, "at", row_int(r, C_OWN_TEXT_AT_MS));
    }
    return rows_end(r, e);
}

static enum status list_practice(struct store *s, int64_t rater, json_t *out, struct err *e)
{
    struct rows *r = db_query(s->db, Q_OWN_PRACTICE, ARGS(V_INT(rater)), e);

    while (rows_next(r)) {
        json_t *j = json_add_object(out);
        json_put_int(j, "attempt", row_int(r, C_OWN_PRACTICE_ATTEMPT) + 1);
        json_put_text(j, "dimension", row_text(r, C_OWN_PRACTICE_DIMENSION));
        json_put_bool(j, "passed", row_int(r, C_OWN_PRACTICE_PASSED) != 0);
        json_put_int(j, "marks", row_int(r, C_OWN_PRACTICE_N));
        json_put_real(j, "exact", row_real(r, C_OWN_PRACTICE_EXACT));
        json_put_real(j, "within", row_real(r, C_OWN_PRACTICE_NEAR));
        json_put_real(j, "bias", row_real(r, C_OWN_PRACTICE_BIAS));
        json_put_real(j, "kappa", row_real(r, C_OWN_PRACTICE_KAPPA));
        put_time(j, "at", row_int(r, C_OWN_PRACTICE_AT_MS));
    }
    return rows_end(r, e);
}

static enum status put_consent(struct store *s, const struct rater *r, json_t *j, struct err *e)
{
    json_t *consent = json_put_object(j, "consent");
    struct rows *rows;

    json_put_text(consent, "version", r->consent);
    put_time(consent, "at", r->consent_ms);
    rows = db_query(s->db, Q_OWN_CONSENT, ARGS(V_INT(r->id)), e);
    if (rows_next(rows)) {
        json_put_text(consent, "language", row_text(rows, C_OWN_CONSENT_CONSENT_LANGUAGE));
        json_put_text(consent, "text", row_text(rows, C_OWN_CONSENT_CONSENT_TEXT));
    }
    return rows_end(rows, e);
}

static void put_about(const struct rater *r, json_t *j)
{
    json_t *about = NULL;
    struct err e;

    if (r->about && json_read(str_of(r->about), &about, &e) == OK)
        json_put(j, "about", about);
}

enum status own_data(struct arena *a, struct store *s, const struct campaign *c,
                     const struct rater *r, const char **out, struct err *e)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *pages = json_put_list(j, "pages");
    struct assignment_list had;

    json_put_text(j, "campaign", c->name);
    json_put_text(j, "pseudonym", r->pseudonym);
    json_put_text(j, "panel", r->panel);
    json_put_text(j, "state", rater_state_name(r->state));
    json_put_text(j, "language", r->language);
    put_time(j, "joined", r->created_ms);
    put_time(j, "finished", r->finished_ms);
    json_put_text(j, "completion_code", r->code);
    json_put_text(j, "network", r->network);
    json_put_text(j, "excluded", r->excluded_why);
    put_about(r, j);
    if (put_consent(s, r, j, e) != OK || assign_list(a, s, r->id, &had, e) != OK)
        return e->code;
    for (size_t i = 0; i < had.n; i++)
        if (page_json(a, s, c, &had.v[i], pages, e) != OK)
            return e->code;
    if (list_texts(s, Q_OWN_NOTES, r->id, json_put_list(j, "notes"), e) != OK ||
        list_practice(s, r->id, json_put_list(j, "practice"), e) != OK ||
        list_texts(s, Q_OWN_REPORTS, r->id, json_put_list(j, "reports"), e) != OK ||
        list_texts(s, Q_OWN_WORDS, r->id, json_put_list(j, "words"), e) != OK)
        return e->code;
    *out = json_text(a, j);
    return OK;
}
