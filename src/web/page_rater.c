#include "web/page_rater.h"

#include "panel/erase.h"
#include "panel/own.h"
#include "web/account.h"
#include "web/invitation.h"
#include "web/pages.h"
#include "web/widget.h"

/* ---- shared by the pages of raters ---- */

enum status page_rater_of(struct request *q, struct visit *out, struct err *e)
{
    if (!q->session || q->session->kind != SESSION_RATER)
        return err_set(e, E_ABSENT, "nobody is rating");
    if (rater_get(q->arena, q->store, q->session->who, &out->rater, e) != OK)
        return e->code;
    return shelf_get(q->site->shelf, q->arena, q->store, out->rater.campaign, &out->campaign, e);
}

const char *page_rater_address(struct request *q, const struct visit *g, int64_t assignment,
                               const char *rest)
{
    char name[BALLOT_NAME];

    ballot_page(g->campaign.secret, g->rater.id, assignment, name);
    return arena_printf(q->arena, "/rate/%s%s", name, rest);
}

int64_t page_rater_asked(const struct request *q)
{
    const struct session *s = q->session;

    return s->secret ? ballot_page_of(s->secret, s->who, request_param(q, "id")) : 0;
}

void page_rater_leaving(struct page *p)
{
    struct html *h = &p->h;

    html_open(h, "details", "class", "help leave");
    page_say(p, "summary", NULL, PHRASE_WITHDRAW);
    page_say(p, "p", NULL, PHRASE_WITHDRAW_LEAD);
    page_form(p, "/rate/withdraw");
    widget_button(p, "danger", PHRASE_WITHDRAW_KEEP, "ratings", "keep");
    widget_button(p, "danger", PHRASE_WITHDRAW_FORGET, "ratings", "forget");
    html_close(h);
    if (!p->q->session->pass)
        page_way(p, "/rate/my-data.json", PHRASE_OWN_DATA);
    html_close(h);
}

static struct str title_of(const struct request *q, const struct campaign *c)
{
    return spec_wording(&c->spec.title, q->language);
}

/* ---- coming in ---- */

/* Only wrong tokens and words count against a network: a room full of raters has one address. */
static void was_right(struct request *q)
{
    throttle_give_back(q->site->throttle, THROTTLE_TOKEN, str_of(q->network));
}

/* The rater's network and panel number, which is in the link at first, and then in the form. */
static struct rater_from origin_of(const struct request *q, const struct campaign *c)
{
    struct rater_from from = {.network = q->network};

    if (c->spec.panel) {
        from.panel = request_form(q, "panel");
        if (!from.panel.p)
            from.panel = request_query(q, c->spec.panel);
    }
    if (from.panel.n > RATER_PANEL_MAX)
        from.panel.n = 0;
    return from;
}

static void panel_field(struct page *p, const struct campaign *c)
{
    struct rater_from from = origin_of(p->q, c);

    if (from.panel.n)
        page_hidden(p, "panel", arena_text(p->q->arena, from.panel));
}

static enum status invited_page(struct request *q, struct response *r, const struct campaign *c,
                                const char *action, struct err *e)
{
    struct page p;

    page_frame(&p, q, r, words_of(q->language, PHRASE_INVITED));
    invitation_steps(&p, c, STEP_INVITATION);
    widget_head(&p, arena_text(q->arena, title_of(q, c)), p.title);
    if (invitation_show(&p, c, e) != OK)
        return e->code;
    page_form(&p, action);
    panel_field(&p, c);
    widget_button(&p, "filled big", PHRASE_ACCEPT, NULL, NULL);
    return page_close(&p);
}

static void message_page(struct request *q, struct response *r, enum word title, enum word message)
{
    struct page p;

    page_open(&p, q, r, words_of(q->language, title));
    page_say(&p, "p", NULL, message);
    if (message == PHRASE_CLOSED)
        page_rater_leaving(&p);
    if (message == PHRASE_PANEL_KNOWN || message == PHRASE_INVITE_UNUSABLE)
        page_way(&p, "/return", PHRASE_RETURN);
    page_close(&p);
}

static enum status unusable(struct request *q, struct response *r)
{
    r->status = 410;
    message_page(q, r, PHRASE_INVITED, PHRASE_INVITE_UNUSABLE);
    return OK;
}

/* Turn away whoever comes when the campaign is not open; `waits` is said if it may still open. */
static bool comes_untimely(struct request *q, struct response *r, const struct campaign *c,
                           enum word waits)
{
    bool late = c->spec.deadline_ms && c->spec.deadline_ms < q->now_ms;

    if (campaign_takes(c, q->now_ms))
        return false;
    message_page(q, r, PHRASE_INVITED,
                 late || c->state == CAMPAIGN_UNMASKED ? PHRASE_STUDY_OVER : waits);
    return true;
}

/* Turn away whoever has taken part already, and networks from which too many come. */
static enum status comes_again(struct request *q, struct response *r, const struct campaign *c,
                               bool *told, struct err *e)
{
    struct rater_from from = origin_of(q, c);
    bool known, crowded;

    if (rater_look(q->arena, q->store, c, &from, &known, &crowded, e) != OK)
        return e->code;
    *told = known || crowded;
    if (*told) {
        message_page(q, r, PHRASE_INVITED, known ? PHRASE_PANEL_KNOWN : PHRASE_JOIN_CROWDED);
        r->status = known ? 409 : 429;
    }
    return OK;
}

/* A GET changes nothing: programs that look at mail open every link in it. */
enum status page_rater_invite(struct request *q, struct response *r, struct err *e)
{
    struct str token = request_param(q, "token");
    struct campaign c;
    struct invite i;
    enum status st;

    if (site_throttle(q, r, THROTTLE_TOKEN, str_of(q->network)))
        return OK;
    st = invite_look(q->arena, q->store, token, &i, e);
    if (st == E_ABSENT || st == E_USAGE)
        return unusable(q, r);
    if (st != OK || campaign_by_id(q->arena, q->store, i.campaign, &c, e) != OK)
        return e->code;
    was_right(q);
    if (comes_untimely(q, r, &c, PHRASE_INVITE_WAITS))
        return OK;
    return invited_page(q, r, &c, arena_printf(q->arena, "/invite/%.*s", STR_ARG(token)), e);
}

/* The words with which the rater can return, shown once. */
static enum status words_page(struct request *q, struct response *r, const char *words)
{
    struct page p;

    page_open(&p, q, r, words_of(q->language, PHRASE_KEEP_WORDS));
    page_say(&p, "p", NULL, PHRASE_KEEP_WORDS_LEAD);
    html_open(&p.h, "p", "class", "words", "translate", "no");
    html_element(&p.h, "code", NULL, words);
    html_close(&p.h);
    html_open(&p.h, "p", NULL);
    html_text(&p.h, page_phrase(&p, PHRASE_KEEP_WORDS_WHERE));
    html_text(&p.h, " ");
    page_link(&p, "/return", arena_printf(q->arena, "%s/return", page_origin(q)));
    html_close(&p.h);
    if (q->session->pass) {
        page_onward(&p);
    } else {
        html_open(&p.h, "p", NULL);
        html_open(&p.h, "a", "class", "button", "href", "/rate");
        html_text(&p.h, page_phrase(&p, PHRASE_CONTINUE));
    }
    return page_close(&p);
}

/* Browsers without cookies take part by passes, where the arena is open to anybody. */
static enum session_kind kind_for(const struct request *q)
{
    return session_bare(q) ? SESSION_PASS : SESSION_RATER;
}

static bool may_not(struct request *q, struct response *r, const struct campaign *c)
{
    if (!session_bare(q) || c->spec.open)
        return false;
    page_error(q, r, 403, words_of(q->language, PHRASE_FORM_OLD));
    return true;
}

static enum status come_in(struct request *q, struct response *r, const struct campaign *c,
                           const struct rater *who, const char *words, struct err *e)
{
    struct rater_from from = origin_of(q, c);

    if (rater_came(q->arena, q->store, c, who->id, &from, e) != OK ||
        session_begin(q, r, kind_for(q), who->id, false, e) != OK ||
        account_audit(q, "rater.join", who->pseudonym, "", e) != OK)
        return e->code;
    return words_page(q, r, words);
}

enum status page_rater_accept(struct request *q, struct response *r, struct err *e)
{
    struct str token = request_param(q, "token");
    char words[RATER_TOKEN];
    struct campaign c;
    struct rater who;
    struct invite i;
    enum status st;
    bool told = false;

    if (site_throttle(q, r, THROTTLE_TOKEN, str_of(q->network)))
        return OK;
    st = invite_look(q->arena, q->store, token, &i, e);
    if (st == OK && campaign_by_id(q->arena, q->store, i.campaign, &c, e) != OK)
        return e->code;
    if (st == OK && comes_untimely(q, r, &c, PHRASE_INVITE_WAITS))
        return OK;
    if (st == OK && (comes_again(q, r, &c, &told, e) != OK || told))
        return e->code;
    if (st == OK)
        st = rater_accept(q->arena, q->store, token, q->language, &who, words, e);
    if (st == E_ABSENT || st == E_USAGE)
        return unusable(q, r);
    if (st != OK)
        return st;
    was_right(q);
    return come_in(q, r, &c, &who, words, e);
}

/* ---- open registration ---- */

static enum status join_page(struct request *q, struct response *r, const struct campaign *c,
                             struct err *e)
{
    struct page p;

    page_frame(&p, q, r, words_of(q->language, PHRASE_JOIN));
    invitation_steps(&p, c, STEP_INVITATION);
    widget_head(&p, arena_text(q->arena, title_of(q, c)), p.title);
    if (q->method == METHOD_POST)
        page_alert(&p, page_phrase(&p, PHRASE_JOIN_WRONG));
    if (invitation_show(&p, c, e) != OK)
        return e->code;
    page_form(&p, arena_printf(q->arena, "/join/%s", c->name));
    panel_field(&p, c);
    if (c->spec.code)
        page_ask(&p, .label = PHRASE_JOIN_CODE, .name = "code", .value = request_form(q, "code").p);
    else
        page_say(&p, "p", NULL, PHRASE_JOIN_OPEN_LEAD);
    widget_button(&p, "filled big", c->spec.code ? PHRASE_JOIN : PHRASE_JOIN_OPEN, NULL, NULL);
    return page_close(&p);
}

static enum status joinable(struct request *q, struct campaign *c, struct err *e)
{
    if (campaign_get(q->arena, q->store, request_param(q, "campaign").p, c, e) != OK)
        return e->code;
    return c->spec.code || c->spec.open
               ? OK
               : err_set(e, E_ABSENT, "campaign '%s' is by invitation only", c->name);
}

enum status page_rater_join(struct request *q, struct response *r, struct err *e)
{
    struct campaign c;

    if (joinable(q, &c, e) != OK)
        return e->code;
    return comes_untimely(q, r, &c, PHRASE_JOIN_WAITS) ? OK : join_page(q, r, &c, e);
}

/* Guesses at a code are counted by campaign too; a right one does not clear the wrong ones. */
static bool guesses_too_often(struct request *q, struct response *r, const struct campaign *c)
{
    struct str here = str_of(arena_printf(q->arena, "%s %s", c->name, q->network));

    if (site_throttle(q, r, THROTTLE_JOIN, str_of(q->network)))
        return true;
    return c->spec.code && (site_throttle(q, r, THROTTLE_CODE, here) ||
                            site_throttle(q, r, THROTTLE_CODE_ALL, str_of(c->name)));
}

static void guessed_right(struct request *q, const struct campaign *c)
{
    struct str here = str_of(arena_printf(q->arena, "%s %s", c->name, q->network));

    throttle_give_back(q->site->throttle, THROTTLE_CODE, here);
    throttle_give_back(q->site->throttle, THROTTLE_CODE_ALL, str_of(c->name));
}

enum status page_rater_joined(struct request *q, struct response *r, struct err *e)
{
    char words[RATER_TOKEN];
    struct campaign c;
    struct rater who;
    enum status st;
    bool told = false;

    if (joinable(q, &c, e) != OK)
        return e->code;
    if (comes_untimely(q, r, &c, PHRASE_JOIN_WAITS) || may_not(q, r, &c) ||
        guesses_too_often(q, r, &c))
        return OK;
    if (comes_again(q, r, &c, &told, e) != OK || told)
        return e->code;
    st = rater_join(q->arena, q->store, &c, request_form(q, "code"), q->language, &who, words, e);
    if (st == E_USAGE) {
        r->status = 422;
        return join_page(q, r, &c, e);
    }
    if (st != OK)
        return st;
    if (c.spec.code)
        guessed_right(q, &c);
    return come_in(q, r, &c, &who, words, e);
}

/* ---- coming back ---- */

enum status page_rater_return(struct request *q, struct response *r, struct err *e)
{
    struct page p;

    (void)e;
    page_open(&p, q, r, words_of(q->language, PHRASE_RETURN));
    if (q->method == METHOD_POST)
        page_alert(&p, page_phrase(&p, PHRASE_RETURN_WRONG));
    page_say(&p, "p", NULL, PHRASE_RETURN_LEAD);
    page_form(&p, "/return");
    page_ask(&p, .label = PHRASE_RETURN_WORDS, .name = "words", .autocomplete = "off");
    page_button(&p, PHRASE_CONTINUE, NULL, NULL);
    return page_close(&p);
}

enum status page_rater_back(struct request *q, struct response *r, struct err *e)
{
    struct campaign c;
    struct rater who;
    enum status st;

    if (site_throttle(q, r, THROTTLE_TOKEN, str_of(q->network)))
        return OK;
    st = rater_back(q->arena, q->store, request_form(q, "words"), &who, e);
    if (st == E_ABSENT) {
        r->status = 422;
        return page_rater_return(q, r, e);
    }
    if (st != OK || shelf_get(q->site->shelf, q->arena, q->store, who.campaign, &c, e) != OK)
        return e->code;
    was_right(q);
    if (may_not(q, r, &c))
        return OK;
    if (session_begin(q, r, kind_for(q), who.id, false, e) != OK)
        return e->code;
    return response_redirect(r, "/rate");
}

/* New words for a rater who has lost theirs and is still signed in. */
enum status page_rater_words(struct request *q, struct response *r, struct err *e)
{
    char words[RATER_TOKEN];

    if (rater_new_words(q->store, q->session->who, words, e) != OK)
        return e->code;
    return words_page(q, r, words);
}

/* ---- before rating ---- */

static void consent_page(struct request *q, struct response *r, const struct visit *g)
{
    struct page p;

    page_frame(&p, q, r, words_of(q->language, PHRASE_CONSENT));
    invitation_steps(&p, &g->campaign, STEP_CONSENT);
    widget_head(&p, p.title, arena_text(q->arena, title_of(q, &g->campaign)));
    html_open(&p.h, "div", "class", "prose");
    page_lines(&p, NULL, spec_wording(&g->campaign.spec.consent, q->language));
    html_close(&p.h);
    page_form(&p, "/rate/consent");
    page_hidden(&p, "version", g->campaign.spec.consent_version);
    page_hidden(&p, "language", q->language);
    html_open(&p.h, "label", "class", "choice");
    html_leaf(&p.h, "input", "type", "checkbox", "name", "agree", "value", "yes", "required", "");
    html_element(&p.h, "span", NULL, page_phrase(&p, PHRASE_CONSENT_AGREE));
    html_close(&p.h);
    page_button(&p, PHRASE_CONTINUE, NULL, NULL);
    html_close(&p.h);
    page_rater_leaving(&p);
    page_close(&p);
}

enum status page_rater_consent(struct request *q, struct response *r, struct err *e)
{
    struct str version = request_form(q, "version");
    const char *read = request_accept_language(request_form(q, "language"));
    struct visit g = {0};

    if (page_rater_of(q, &g, e) != OK)
        return e->code;
    if (str_is(request_form(q, "agree"), "yes") && version.p) {
        if (rater_consent(q->store, &g.campaign, &g.rater, version.p, read ? read : q->language,
                          e) != OK)
            return e->code;
        /* A campaign without questions has no page for them. */
        if (g.campaign.spec.nabout == 0 &&
            rater_about(q->store, &g.campaign, &g.rater, NULL, e) != OK)
            return e->code;
    }
    return response_redirect(r, "/rate");
}

static void option(struct page *p, const char *name, const char *value, const char *text,
                   bool chosen)
{
    html_open(&p->h, "label", "class", "choice");
    html_leaf(&p->h, "input", "type", "radio", "name", name, "value", value, "checked",
              chosen ? "" : NULL);
    html_element(&p->h, "span", NULL, text);
    html_close(&p->h);
}

static void about_page(struct request *q, struct response *r, const struct visit *g)
{
    const struct spec *spec = &g->campaign.spec;
    struct page p;

    page_frame(&p, q, r, words_of(q->language, PHRASE_ABOUT_YOU));
    invitation_steps(&p, &g->campaign, STEP_CONSENT);
    widget_head(&p, p.title, NULL);
    page_say(&p, "p", NULL, PHRASE_ABOUT_LEAD);
    page_form(&p, "/rate/about");
    for (size_t i = 0; i < spec->nabout; i++) {
        const struct question *ask = &spec->about[i];
        html_open(&p.h, "fieldset", NULL);
        html_quote(&p.h, "legend", spec_wording(&ask->text, q->language), NULL);
        for (size_t k = 0; k < ask->noptions; k++)
            option(&p, ask->id, arena_printf(q->arena, "%zu", k),
                   arena_text(q->arena, spec_wording(&ask->options[k], q->language)), false);
        option(&p, ask->id, "-1", page_phrase(&p, PHRASE_NOT_SAID), true);
        html_close(&p.h);
    }
    page_button(&p, PHRASE_CONTINUE, NULL, NULL);
    html_close(&p.h);
    page_rater_leaving(&p);
    page_close(&p);
}

enum status page_rater_about(struct request *q, struct response *r, struct err *e)
{
    struct visit g = {0};
    int *answers;

    if (page_rater_of(q, &g, e) != OK)
        return e->code;
    answers = NEW_N(q->arena, int, g.campaign.spec.nabout + 1);
    for (size_t i = 0; i < g.campaign.spec.nabout; i++) {
        int64_t v = request_int(request_form(q, g.campaign.spec.about[i].id), -1);
        answers[i] = v >= 0 && v < 1000 ? (int)v : -1;
    }
    if (rater_about(q->store, &g.campaign, &g.rater, answers, e) != OK)
        return e->code;
    return response_redirect(r, "/rate");
}

/* ---- ends ---- */

/* The text with each such part replaced, as addresses have it. */
static const char *filled(struct arena *a, const char *text, const char *part, const char *with)
{
    AUTO(buf_done) struct buf b = BUF_MAX(REQUEST_TARGET_MAX);
    struct str rest = str_of(text);

    for (size_t at; (at = str_find(rest, str_of(part))) != SIZE_MAX;) {
        buf_add(&b, (struct str){rest.p, at});
        for (const char *c = with; *c; c++)
            if (str_alnum(*c) || strchr("-_.", *c))
                buf_char(&b, *c);
            else
                buf_fmt(&b, "%%%02X", (unsigned char)*c);
        rest = str_from(rest, at + strlen(part));
    }
    buf_add(&b, rest);
    return arena_text(a, buf_str(&b));
}

/* The completion code for the panel, and the link back to it. */
static void code_part(struct page *p, const struct visit *g, const char *code)
{
    struct html *h = &p->h;

    if (code) {
        html_open(h, "div", "class", "card todo words", "translate", "no");
        page_say(p, "p", NULL, PHRASE_COMPLETION_CODE);
        html_element(h, "code", NULL, code);
        html_close(h);
    }
    if (g->campaign.spec.return_url) {
        struct arena *a = p->q->arena;
        const char *to = filled(a, g->campaign.spec.return_url, "{code}", code ? code : "");
        to = filled(a, to, "{panel}", g->rater.panel ? g->rater.panel : "");
        html_open(h, "p", NULL);
        widget_go(p, "filled", to, PHRASE_RETURN_LINK);
        html_close(h);
        if (strcmp(to, g->campaign.spec.return_url) != 0) {
            page_say(p, "p", "soft", PHRASE_RETURN_SOON);
            response_header(p->r, "Refresh", arena_printf(a, "8; url=%s", to));
        }
    }
}

/* For raters who have finished, and for those whose practice failed: they spent time too, and get a
 * code if the campaign has one for them. */
static void end_page(struct request *q, struct response *r, const struct visit *g)
{
    bool finished = g->rater.state == RATER_FINISHED;
    const char *code = finished ? g->rater.code : g->campaign.spec.rejected_code;
    struct page p;

    page_open(&p, q, r, words_of(q->language, finished ? PHRASE_FINISHED : PHRASE_PRACTICE));
    page_say(&p, "p", "finding",
             finished          ? PHRASE_FINISHED_LEAD
             : g->rater.rounds ? PHRASE_REJECTED_LATER
                               : PHRASE_REJECTED);
    if (finished || code)
        code_part(&p, g, code);
    page_rater_leaving(&p);
    page_close(&p);
}

bool page_rater_practises(const struct request *q, const struct visit *g)
{
    return g->rater.state == RATER_PRACTISING ||
           rater_must_practise(&g->campaign, &g->rater, q->now_ms);
}

bool page_rater_elsewhere(struct request *q, struct response *r, const struct visit *g)
{
    if (g->rater.state == RATER_FINISHED || g->rater.state == RATER_REJECTED)
        end_page(q, r, g);
    else if (g->rater.state == RATER_WITHDRAWN)
        message_page(q, r, PHRASE_WITHDREW, PHRASE_WITHDRAWN);
    else if (!campaign_takes(&g->campaign, q->now_ms))
        message_page(q, r, PHRASE_RATING, PHRASE_CLOSED);
    else if (g->rater.state == RATER_INVITED)
        consent_page(q, r, g);
    else if (g->rater.state == RATER_CONSENTED)
        about_page(q, r, g);
    else
        return false;
    return true;
}

enum status page_rater_withdraw(struct request *q, struct response *r, struct err *e)
{
    bool forget = str_is(request_form(q, "ratings"), "forget");
    struct visit g = {0};

    if (page_rater_of(q, &g, e) != OK ||
        store_atomically(q->store, e,
                         erase_rater(q->store, &g.rater, forget, e) == OK
                             ? account_audit(q, "rater.withdraw", g.rater.pseudonym,
                                             forget ? "ratings deleted" : "", e)
                             : e->code) != OK ||
        session_end(q, r, true, e) != OK)
        return e->code;
    message_page(q, r, PHRASE_WITHDREW, forget ? PHRASE_WITHDRAWN_ALL : PHRASE_WITHDRAWN);
    return OK;
}

enum status page_rater_data(struct request *q, struct response *r, struct err *e)
{
    struct visit g = {0};
    const char *text;

    if (page_rater_of(q, &g, e) != OK ||
        own_data(q->arena, q->store, &g.campaign, &g.rater, &text, e) != OK)
        return e->code;
    r->type = "application/json";
    response_header(r, "Content-Disposition", "attachment; filename=\"my-data.json\"");
    buf_text(&r->body, text);
    return OK;
}
