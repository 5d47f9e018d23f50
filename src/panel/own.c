#include "panel/own.h"

#include "base/clock.h"
#include "base/json.h"
#include "gen/queries.h"

static void put_time(json_t *j, const char *key, int64_t ms)
{
    char text[CLOCK_TEXT];

    if (!ms)
        return;
    clock_text(ms, text);
    (void)json_object_set_new(j, key, json_string(text));
}

static void put_text(json_t *j, const char *key, const char *text)
{
    (void)json_object_set_new(j, key, text ? json_string(text) : json_null());
}

static json_t *mark_json(const struct ballot *b, const struct ballot_mark *m)
{
    json_t *j = json_object();

    for (size_t i = 0; i < b->n; i++)
        if (b->slots[i].is.sample == m->is.sample && b->slots[i].is.other == m->is.other)
            put_text(j, "text", b->slots[i].name);
    put_text(j, "dimension", m->dimension);
    (void)json_object_set_new(j, "value",
                              m->cannot || m->unmarked ? json_null() : json_real(m->value));
    (void)json_object_set_new(j, "marked", json_boolean(!m->unmarked));
    (void)json_object_set_new(j, "comment", json_from_str(m->comment));
    (void)json_object_set_new(j, "quotes", json_from_str(m->quotes));
    put_time(j, "saved", m->saved_ms);
    return j;
}

static enum status page_json(struct arena *a, struct store *s, const struct campaign *c,
                             const struct assignment *as, json_t *pages, struct err *e)
{
    struct ballot b = ballot_outline(a, c, as);
    json_t *j = json_object(), *marks = json_array();
    struct ballot_marks m;

    (void)json_array_append_new(pages, j);
    put_time(j, "begun", as->started_ms);
    put_time(j, "handed_in", as->submitted_ms);
    (void)json_object_set_new(j, "active_seconds", json_integer(as->active_ms / 1000));
    (void)json_object_set_new(j, "marks", marks);
    if (ballot_marks(a, s, as->id, &m, e) != OK)
        return e->code;
    for (size_t i = 0; i < m.n; i++)
        (void)json_array_append_new(marks, mark_json(&b, &m.v[i]));
    return OK;
}

static enum status list_texts(struct store *s, int query, int64_t rater, json_t *out, struct err *e)
{
    struct rows *r;

    if (db_query(s->db, query, ARGS(V_INT(rater)), &r, e) != OK)
        return e->code;
    while (rows_next(r)) {
        json_t *j = json_object();
        (void)json_object_set_new(j, "text", json_from_str(row_str(r, C_OWN_TEXT_TEXT)));
        put_time(j, "at", row_int(r, C_OWN_TEXT_AT_MS));
        (void)json_array_append_new(out, j);
    }
    return rows_end(r, e);
}

static json_t *list_in(json_t *j, const char *key)
{
    json_t *list = json_array();

    (void)json_object_set_new(j, key, list);
    return list;
}

static enum status put_consent(struct store *s, const struct rater *r, json_t *j, struct err *e)
{
    json_t *consent = json_object();
    struct rows *rows;

    (void)json_object_set_new(j, "consent", consent);
    put_text(consent, "version", r->consent);
    put_time(consent, "at", r->consent_ms);
    if (db_query(s->db, Q_OWN_CONSENT, ARGS(V_INT(r->id)), &rows, e) != OK)
        return e->code;
    if (rows_next(rows)) {
        put_text(consent, "language", row_text(rows, C_OWN_CONSENT_CONSENT_LANGUAGE));
        put_text(consent, "text", row_text(rows, C_OWN_CONSENT_CONSENT_TEXT));
    }
    return rows_end(rows, e);
}

static void put_about(const struct rater *r, json_t *j)
{
    json_t *about = NULL;
    struct err e;

    if (r->about && json_read(str_of(r->about), &about, &e) == OK)
        (void)json_object_set_new(j, "about", about);
}

enum status own_data(struct arena *a, struct store *s, const struct campaign *c,
                     const struct rater *r, const char **out, struct err *e)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *pages = list_in(j, "pages");
    struct assignment_list had;

    put_text(j, "campaign", c->name);
    put_text(j, "pseudonym", r->pseudonym);
    put_text(j, "panel", r->panel);
    put_text(j, "state", rater_state_name(r->state));
    put_text(j, "language", r->language);
    put_time(j, "joined", r->created_ms);
    put_time(j, "finished", r->finished_ms);
    put_text(j, "completion_code", r->code);
    put_about(r, j);
    if (put_consent(s, r, j, e) != OK || assign_list(a, s, r->id, &had, e) != OK)
        return e->code;
    for (size_t i = 0; i < had.n; i++)
        if (page_json(a, s, c, &had.v[i], pages, e) != OK)
            return e->code;
    if (list_texts(s, Q_OWN_REPORTS, r->id, list_in(j, "reports"), e) != OK ||
        list_texts(s, Q_OWN_WORDS, r->id, list_in(j, "words"), e) != OK)
        return e->code;
    *out = json_text(a, j);
    return OK;
}
