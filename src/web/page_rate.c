#include "web/pages.h"

#include "base/json.h"
#include "base/message.h"
#include "panel/practice.h"
#include "panel/quote.h"
#include "web/invitation.h"
#include "web/page_room.h"
#include "web/rate_form.h"
#include "web/widget.h"

/* ---- finding the task ---- */

struct task {
    struct visit g;
    struct assignment as;
    struct ballot b;
    struct ballot_marks marks;
    struct rate_refusal *refused; /* quotations of the form that are not in the text */
    size_t nrefused;
};

static enum status open_ballot(struct request *q, struct task *x, struct err *e)
{
    if (ballot_open(q->arena, q->store, &x->g.campaign, &x->as, &x->b, e) != OK)
        return e->code;
    return ballot_marks(q->arena, q->store, x->as.id, &x->marks, e);
}

/* The assignment that the address names, whatever became of it. Another rater's does not exist. */
static enum status find(struct request *q, struct task *x, struct err *e)
{
    if (page_rater_of(q, &x->g, e) != OK)
        return e->code;
    return assign_get(q->arena, q->store, &x->g.rater, page_rater_asked(q), &x->as, e);
}

static enum status load(struct request *q, struct task *x, struct err *e)
{
    if (find(q, x, e) != OK)
        return e->code;
    return x->as.gone ? err_set(e, E_ABSENT, "this was skipped, or left to someone else")
                      : open_ballot(q, x, e);
}

static size_t slot_at(const struct ballot *b, const struct slot *slot)
{
    return slot ? (size_t)(slot - b->slots) : 0;
}

static bool is_complete(const struct task *x, const struct slot *slot)
{
    for (size_t d = 0; d < rate_form_dimensions(&x->g.campaign); d++) {
        const struct ballot_mark *m =
            ballot_mark_of(&x->marks, &slot->is, rate_form_dimension(&x->g.campaign, d));
        if (!m || m->unmarked)
            return false;
    }
    return true;
}

/* The text that the address asks for, or the first that is not done yet. */
static size_t wanted_text(const struct request *q, const struct task *x)
{
    int64_t asked = request_int(request_query(q, "text"), 0);

    if (asked >= 1 && (uint64_t)asked <= x->b.n)
        return (size_t)asked - 1;
    for (size_t i = 0; i < x->b.n; i++)
        if (!is_complete(x, &x->b.slots[i]))
            return i;
    return 0;
}

static enum status show(struct request *q, struct response *r, const struct task *x, size_t at,
                        const char *notice)
{
    struct rate_form f = {.g = &x->g, .b = &x->b, .marks = &x->marks, .at = at, .notice = notice};

    return rate_form_page(q, r, &f);
}

/* ---- beginning ---- */

/* The instructions below a notice; WORDS: no notice. */
static enum status begin_page(struct request *q, struct response *r, const struct visit *g,
                              enum word notice)
{
    bool idle = notice == PHRASE_NOTHING_LEFT;
    struct page p;

    page_frame(&p, q, r,
               words_of(q->language, idle                            ? PHRASE_RATING
                                     : notice == PHRASE_PRACTICE_DUE ? PHRASE_PRACTICE
                                                                     : PHRASE_INSTRUCTIONS));
    if (!idle)
        invitation_steps(&p, &g->campaign, STEP_PRACTICE);
    widget_head(&p, p.title, NULL);
    if (notice != WORDS)
        page_say(&p, "p", "notice", notice);
    if (!idle)
        page_lines(&p, NULL, spec_wording(&g->campaign.spec.instructions, q->language));
    page_form(&p, "/rate/next");
    page_button(&p, PHRASE_CONTINUE, NULL, NULL);
    html_close(&p.h);
    page_rater_leaving(&p);
    return page_close(&p);
}

/* The page for the stage that the rater has reached. Changes nothing. */
enum status page_rate_show(struct request *q, struct response *r, struct err *e)
{
    struct task x = {0};
    bool found, due;

    if (page_rater_of(q, &x.g, e) != OK)
        return e->code;
    if (page_rater_elsewhere(q, r, &x.g))
        return OK;
    if (assign_practice_due(q->arena, q->store, &x.g.campaign, &x.g.rater, &due, e) != OK)
        return e->code;
    if (due)
        return begin_page(q, r, &x.g, PHRASE_PRACTICE_DUE);
    if (assign_begun(q->arena, q->store, &x.g.rater, &x.as, &found, e) != OK)
        return e->code;
    if (!found)
        return begin_page(q, r, &x.g, WORDS);
    if (campaign_examines(&x.g.campaign.suite) && x.as.phase == PHASE_MAIN) {
        if (page_room_show(q, r, &x.g, &x.as, &found, e) != OK || found)
            return e->code;
    }
    if (open_ballot(q, &x, e) != OK)
        return e->code;
    return show(q, r, &x, wanted_text(q, &x), NULL);
}

enum status page_rate_next(struct request *q, struct response *r, struct err *e)
{
    struct assignment as;
    struct visit g;
    bool found;

    if (page_rater_of(q, &g, e) != OK ||
        assign_next(q->arena, q->store, &g.campaign, &g.rater, &as, &found, e) != OK)
        return e->code;
    if (found || (g.rater.state != RATER_PRACTISING && g.rater.state != RATER_RATING))
        response_redirect(r, "/rate");
    else
        begin_page(q, r, &g, PHRASE_NOTHING_LEFT);
    return OK;
}

/* ---- marks ---- */

/* "x", or a number; empty where the rater gave only words. */
static bool read_value(struct str text, struct ballot_mark *m)
{
    m->unmarked = text.n == 0;
    m->cannot = str_is(text, "x");
    return m->unmarked || m->cannot || str_double(text, &m->value);
}

/* ---- saving from the script ---- */

/* The stored mark, and the quotations of the request that are not in the text. */
static json_t *mark_json(const struct ballot_mark *m, const struct quotes *quotes)
{
    json_t *j = json_object(), *refused;

    json_put_int(j, "version", m->version);
    json_put_int(j, "saved_ms", m->saved_ms);
    json_put(j, "value",
             m->unmarked ? json_null()
             : m->cannot ? json_string("x")
                         : json_real(m->value));
    json_put_text(j, "client", m->client);
    refused = json_put_list(j, "refused");
    for (size_t i = 0; i < quotes->nrefused; i++)
        (void)json_array_append_new(refused, json_string(quotes->refused[i]));
    return j;
}

/* A save in progress. */
struct marking {
    struct ballot_vote v;
    json_t *j;
    struct quotes quotes;
};

/* The texts are loaded only to look for quotations, or where a conversation may not be over yet. */
static enum status read_save(struct request *q, struct marking *m, struct err *e)
{
    struct ballot_vote *v = &m->v;
    const struct assignment of = v->ballot.of;
    const struct slot *slot;
    struct str quotes;

    if (json_read(q->body, &m->j, e) != OK)
        return e->code;
    quotes = json_str_at(m->j, "quotes", STR(""));
    v->ballot = ballot_outline(q->arena, v->campaign, &of);
    if ((quotes.n || campaign_examines(&v->campaign->suite)) &&
        ballot_open(q->arena, q->store, v->campaign, &of, &v->ballot, e) != OK)
        return e->code;
    slot = ballot_slot(&v->ballot, json_str_at(m->j, "slot", STR("")));
    if (!slot)
        return err_set(e, E_INPUT, "no such text");
    m->quotes = quote_read(q->arena, quotes, slot->text, &slot->turns);
    v->save = (struct ballot_save){
        .m = {.is = slot->is,
              .dimension = arena_text(q->arena, json_str_at(m->j, "dimension", STR(""))),
              .comment = json_str_at(m->j, "comment", STR("")),
              .quotes = m->quotes.json,
              .version = json_int_at(m->j, "version", 0)},
        .client = arena_text(q->arena, json_str_at(m->j, "client", STR(""))),
        .active_ms = json_int_at(m->j, "active_ms", 0),
    };
    return read_value(json_str_at(m->j, "value", STR("")), &v->save.m)
               ? OK
               : err_set(e, E_INPUT, "no value");
}

static enum status answer_mark(struct request *q, struct response *r, const struct marking *m,
                               struct err *e)
{
    if (json_is_true(json_object_get(m->j, "read_to_end")) &&
        ballot_read(q->store, &m->v.ballot, e) != OK)
        return e->code;
    r->status = m->v.result == BALLOT_STALE ? 409 : 200;
    return response_json(r, mark_json(&m->v.now, &m->quotes));
}

/* Refuse a mark that is at fault (422), too late (410) or not accepted just now (400); any other
 * error becomes the error of its request. */
static enum status refuse_mark(struct guest *g, const struct ballot_vote *v)
{
    const struct assignment *of = &v->ballot.of;
    bool over = of->rater == v->who && (of->done || of->gone);
    int status = over ? 410 : v->e.code == E_INPUT ? 422 : v->e.code == E_USAGE ? 400 : 0;
    const char *language = g->q->language;
    json_t *j;

    if (!status) {
        g->e = v->e;
        return OK;
    }
    j = json_object();
    json_put_text(j, "error",
                  status == 400 ? words_of(language, PHRASE_CLOSED_MARK)
                                : message_show(g->q->arena, language, v->e.msg));
    g->r->status = status;
    return response_json(g->r, j);
}

static enum status save_marks(struct guest *const *g, struct marking *m,
                              struct ballot_vote *const *v, size_t n, struct err *e)
{
    if (ballot_find_all(g[0]->q->store, g[0]->q->site->shelf, v, n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (v[i]->e.code == OK)
            (void)!read_save(g[i]->q, &m[i], &v[i]->e);
    if (ballot_save_all(g[0]->q->store, v, n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        if ((v[i]->e.code != OK ? refuse_mark(g[i], v[i])
                                : answer_mark(g[i]->q, g[i]->r, &m[i], e)) != OK)
            return e->code;
    }
    return OK;
}

enum status page_rate_mark_all(struct guest *const *g, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct marking *m = NEW_N(a, struct marking, n + 1);
    struct ballot_vote **v = NEW_N(a, struct ballot_vote *, n + 1);
    enum status st;

    for (size_t i = 0; i < n; i++) {
        v[i] = &m[i].v;
        v[i]->arena = g[i]->q->arena;
        v[i]->who = g[i]->q->session->who;
        v[i]->assignment = page_rater_asked(g[i]->q);
    }
    st = n ? save_marks(g, m, v, n, e) : OK;
    for (size_t i = 0; i < n; i++)
        json_decref(m[i].j);
    return st;
}

enum status page_rate_mark(struct request *q, struct response *r, struct err *e)
{
    struct guest one = {.q = q, .r = r}, *g = &one;

    if (page_rate_mark_all(&g, 1, e) == OK && one.e.code != OK)
        *e = one.e;
    return e->code;
}

/* ---- saving from the form ---- */

static struct str form_field(struct request *q, char kind, const struct slot *slot,
                             const char *dimension)
{
    return request_form(q, arena_printf(q->arena, "%c.%s.%s", kind, slot->name, dimension));
}

static bool is_same(const struct ballot_mark *was, const struct ballot_mark *now)
{
    if (!was)
        return now->unmarked && now->comment.n == 0 && now->quotes.n == 0;
    return str_eq(was->comment, now->comment) && str_eq(was->quotes, now->quotes) &&
           (now->unmarked || (was->unmarked == now->unmarked && was->cannot == now->cannot &&
                              (was->cannot || was->value == now->value)));
}

static void refuse(struct task *x, const struct slot *slot, const char *dimension,
                   const struct quotes *quotes)
{
    if (quotes->nrefused)
        x->refused[x->nrefused++] = (struct rate_refusal){slot, dimension, quotes->refused[0]};
}

/* Fields that are missing in the form belong to another text: their marks stay as they are. */
static enum status save_one(struct request *q, struct task *x, const struct slot *slot,
                            const char *dimension, struct err *e)
{
    struct str version = form_field(q, 'n', slot, dimension),
               value = form_field(q, 'v', slot, dimension);
    struct ballot_save save = {
        .m = {.is = slot->is, .dimension = dimension, .version = request_int(version, 0)}};
    struct quotes quotes;
    char client[SESSION_TOKEN];
    enum ballot_result result;
    struct ballot_mark now;

    if ((!version.p && !value.p) || !read_value(value, &save.m))
        return OK;
    quotes = quote_read(q->arena, form_field(q, 'q', slot, dimension), slot->text, &slot->turns);
    refuse(x, slot, dimension, &quotes);
    save.m.comment = form_field(q, 'c', slot, dimension);
    save.m.quotes = quotes.json;
    if (is_same(ballot_mark_of(&x->marks, &slot->is, dimension), &save.m))
        return OK;
    session_random(client);
    save.client = client;
    return ballot_save(q->arena, q->store, &x->g.campaign, &x->b, &save, &result, &now, e);
}

static enum status save_all(struct request *q, struct task *x, struct err *e)
{
    size_t dimensions = rate_form_dimensions(&x->g.campaign);

    x->refused = NEW_N(q->arena, struct rate_refusal, x->b.n * dimensions + 1);
    x->nrefused = 0;
    for (size_t i = 0; i < x->b.n; i++)
        for (size_t d = 0; d < dimensions; d++)
            if (save_one(q, x, &x->b.slots[i], rate_form_dimension(&x->g.campaign, d), e) != OK)
                return e->code;
    return ballot_marks(q->arena, q->store, x->as.id, &x->marks, e);
}

/* ---- handing in ---- */

/* After the last practice text the attempt is judged. Where practice is due again, the next page
 * says so before it begins. */
static enum status go_on(struct request *q, struct response *r, struct task *x, struct err *e)
{
    struct practice_result result;
    struct assignment as;
    bool found, due;

    if (x->as.phase == PHASE_PRACTICE) {
        if (practice_look(q->arena, q->store, &x->g.campaign, &x->g.rater, &result, e) != OK ||
            practice_settle(q->store, &x->g.rater, &result, e) != OK)
            return e->code;
        return response_redirect(r, page_rater_address(q, &x->g, x->as.id, "/feedback"));
    }
    if (rater_get(q->arena, q->store, x->g.rater.id, &x->g.rater, e) != OK ||
        assign_practice_due(q->arena, q->store, &x->g.campaign, &x->g.rater, &due, e) != OK)
        return e->code;
    if (!due && assign_next(q->arena, q->store, &x->g.campaign, &x->g.rater, &as, &found, e) != OK)
        return e->code;
    return response_redirect(r, "/rate");
}

static void paused(struct request *q, struct response *r)
{
    struct page p;

    page_open(&p, q, r, words_of(q->language, PHRASE_SAVED));
    page_say(&p, "p", NULL, PHRASE_PAUSED);
    html_open(&p.h, "p", NULL);
    page_onward(&p);
    html_close(&p.h);
    page_form(&p, "/logout"); /* for those who share the machine */
    page_button(&p, PHRASE_SIGN_OUT, NULL, NULL);
    page_close(&p);
}

static enum status skip(struct request *q, struct response *r, struct task *x, struct err *e)
{
    struct str why = request_form(q, "skip");

    if (ballot_skip(q->store, &x->g.campaign, &x->b, why.p ? why : STR(""), e) != OK)
        return e->code;
    return go_on(q, r, x, e);
}

/* Hand in, or ask for what is missing. */
static enum status hand_in(struct request *q, struct response *r, struct task *x, struct err *e)
{
    struct rate_form f = {.g = &x->g, .b = &x->b, .marks = &x->marks};

    if (ballot_submit(q->arena, q->store, &x->g.campaign, &x->b, &f.nmissing, &f.missing,
                      &f.missing_dimension, e) != OK)
        return e->code;
    if (f.nmissing == 0)
        return go_on(q, r, x, e);
    f.at = slot_at(&x->b, f.missing);
    r->status = 422;
    return rate_form_page(q, r, &f);
}

/* Show quotations that are not in the text to whoever gave them, before anything else is done. */
static void refused(struct request *q, struct response *r, const struct task *x)
{
    struct rate_form f = {.g = &x->g,
                          .b = &x->b,
                          .marks = &x->marks,
                          .refused = x->refused,
                          .nrefused = x->nrefused,
                          .at = slot_at(&x->b, x->refused[0].slot)};

    r->status = 422;
    rate_form_page(q, r, &f);
}

enum status page_rate_form(struct request *q, struct response *r, struct err *e)
{
    struct str then = request_form(q, "then"), go = request_form(q, "go");
    struct task x = {0};

    if (find(q, &x, e) != OK || (!x.as.gone && open_ballot(q, &x, e) != OK))
        return e->code;
    if (x.as.done || x.as.gone || ballot_waits(&x.b))
        return response_redirect(r, "/rate");
    if (page_rater_elsewhere(q, r, &x.g))
        return OK;
    if (save_all(q, &x, e) != OK)
        return e->code;
    if (x.nrefused && !str_is(then, "skip"))
        refused(q, r, &x);
    else if (go.p)
        response_redirect(r,
                          arena_printf(q->arena, "/rate?text=%lld", (long long)request_int(go, 1)));
    else if (str_is(then, "pause"))
        paused(q, r);
    else if (page_rater_practises(q, &x.g) && x.as.phase != PHASE_PRACTICE)
        response_redirect(r, "/rate"); /* saved, and not lost */
    else
        return str_is(then, "skip") ? skip(q, r, &x, e) : hand_in(q, r, &x, e);
    return OK;
}

/* A text is reported from the same form, so that no mark is lost on the way. */
enum status page_rate_report(struct request *q, struct response *r, struct err *e)
{
    const struct slot *slot;
    struct task x = {0};
    struct str why;

    if (load(q, &x, e) != OK)
        return e->code;
    if (ballot_waits(&x.b))
        return response_redirect(r, "/rate");
    if (page_rater_elsewhere(q, r, &x.g))
        return OK;
    if (save_all(q, &x, e) != OK)
        return e->code;
    slot = ballot_slot(&x.b, request_form(q, "slot"));
    if (!slot)
        return err_set(e, E_INPUT, "no such text");
    why = request_form(q, arena_printf(q->arena, "w.%s", slot->name));
    if (ballot_report(q->store, &x.g.campaign, &x.b, slot, why, e) != OK)
        return e->code;
    return show(q, r, &x, slot_at(&x.b, slot), words_of(q->language, PHRASE_REPORTED));
}

/* ---- practice ---- */

static void feedback_row(struct page *p, const struct dimension *d, const struct ballot_mark *m,
                         double key)
{
    struct html *h = &p->h;

    html_open(h, "tr", NULL);
    html_quote(h, "th", d->title, "scope", "row");
    html_open(h, "td", "class", "num");
    if (m && !m->cannot)
        html_fmt(h, "%g", m->value);
    else
        html_text(h, page_phrase(p, PHRASE_CANNOT_SAY));
    html_close(h);
    html_element(h, "td", "num", arena_printf(h->scratch, "%g", key));
    html_close(h);
}

static void feedback_table(struct page *p, const struct task *x)
{
    static const enum word heads[] = {PHRASE_YOU_SAID, PHRASE_EXPERTS};
    const struct instrument *in = &x->g.campaign.suite.instrument;
    struct html *h = &p->h;

    html_open(h, "table", NULL);
    html_open(h, "thead", NULL);
    html_open(h, "tr", NULL);
    html_element(h, "td", NULL, "");
    for (size_t i = 0; i < COUNT(heads); i++)
        html_say(h, "th", page_phrase(p, heads[i]), "scope", "col");
    html_close_n(h, 2);
    html_open(h, "tbody", NULL);
    for (size_t i = 0; i < in->ndimensions; i++)
        feedback_row(p, &in->dimensions[i],
                     ballot_mark_of(&x->marks, &x->b.slots[0].is, in->dimensions[i].id),
                     x->b.anchor->scores[i]);
    html_close_n(h, 2);
}

/* Some forms are answered by a page at the address of the form; a browser that is opened again asks
 * for that address by GET. */
enum status page_rate_again(struct request *q, struct response *r, struct err *e)
{
    (void)q;
    (void)e;
    return response_redirect(r, "/rate");
}

enum status page_rate_feedback(struct request *q, struct response *r, struct err *e)
{
    struct task x = {0};
    struct page p;

    if (load(q, &x, e) != OK)
        return e->code;
    if (!x.as.done || x.as.phase != PHASE_PRACTICE)
        return err_set(e, E_ABSENT, "no practice text was submitted");
    page_open(&p, q, r, words_of(q->language, PHRASE_PRACTICE));
    if (x.g.rater.state == RATER_RATING)
        page_say(&p, "p", "notice",
                 x.g.rater.rounds > 1 ? PHRASE_PRACTICE_STILL : PHRASE_PRACTICE_PASSED);
    else if (x.g.rater.state == RATER_PRACTISING && x.g.rater.practice > x.as.attempt)
        page_say(&p, "p", "notice", PHRASE_PRACTICE_AGAIN);
    feedback_table(&p, &x);
    if (x.b.anchor->reason.n) {
        page_say(&p, "h2", NULL, PHRASE_WHY);
        page_lines(&p, x.g.campaign.suite.language, x.b.anchor->reason);
    }
    html_open(&p.h, "details", "class", "help");
    page_say(&p, "summary", NULL, PHRASE_TEXT_AGAIN);
    page_lines(&p, x.g.campaign.suite.language, x.b.anchor->answer);
    html_close(&p.h);
    page_form(&p, "/rate/next");
    page_button(&p, PHRASE_CONTINUE, NULL, NULL);
    return page_close(&p);
}
