/* Invitations: each is made with a note; links are shown once; invitations can be revoked. */
#include "base/clock.h"
#include "base/csv.h"
#include "panel/rater.h"
#include "web/account.h"
#include "web/campaign_frame.h"
#include "web/page_campaign.h"
#include "web/pages.h"
#include "web/qr.h"
#include "web/widget.h"

enum {
    PAGE_ROWS = 100,
    QR_UP_TO = 24, /* for more, people print the CSV */
};

/* ---- those there are ---- */

static void invite_cell(struct page *p, const struct campaign *c, const struct invite *i)
{
    struct html *h = &p->h;

    page_cell_open(p, NULL);
    if (i->used_ms) {
        widget_state(p, "good", page_phrase(p, PHRASE_INVITE_USED));
        html_fmt(h, " %s", i->rater ? i->rater : "");
    } else if (i->revoked_ms) {
        widget_state(p, "bad", page_phrase(p, PHRASE_REVOKED));
    } else if (i->expires_ms < p->q->now_ms) {
        widget_state(p, "", page_phrase(p, PHRASE_INVITE_EXPIRED));
    } else {
        widget_state(p, "info", page_phrase(p, PHRASE_INVITE_UNUSED));
        widget_form(p, campaign_frame_path(p->q, c, "/invites/%lld", (long long)i->id));
        widget_button(p, "danger small", PHRASE_REVOKE, NULL, NULL);
        html_close(h);
    }
    html_close(h);
}

static void invite_table(struct page *p, const struct campaign *c, const struct invite_list *l)
{
    page_table(p, PHRASE_INVITE_NOTE, PHRASE_CREATED, PHRASE_INVITE_EXPIRES, PHRASE_STATE);
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_cell(p, l->v[i].label);
        page_cell_time(p, l->v[i].created_ms);
        page_cell_time(p, l->v[i].expires_ms);
        invite_cell(p, c, &l->v[i]);
        html_close(&p->h);
    }
    page_table_end(p);
    if (l->n == PAGE_ROWS)
        page_way(
            p,
            campaign_frame_path(p->q, c, "/invitations?after=%lld", (long long)l->v[l->n - 1].id),
            PHRASE_MORE);
}

/* ---- new ones ---- */

/* The address at which people with the code register. */
static void join_link(struct page *p, const struct campaign *c)
{
    if (!c->spec.code)
        return;
    html_open(&p->h, "p", NULL);
    html_text(&p->h, page_with(p, PHRASE_JOIN_AT, c->spec.code));
    html_text(&p->h, " ");
    html_element(&p->h, "code", NULL, page_printf(p, "%s/join/%s", page_origin(p->q), c->name));
    html_close(&p->h);
}

static void notes_field(struct page *p)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "field");
    html_say(h, "label", page_phrase(p, PHRASE_INVITE_NOTES), "for", "notes");
    html_open(h, "textarea", "id", "notes", "name", "notes", "rows", "3", "aria-describedby",
              "notes-hint");
    html_close(h);
    html_say(h, "small", page_phrase(p, PHRASE_INVITE_NOTES_HINT), "id", "notes-hint");
    html_close(h);
}

/* Suggests as many as are still wanted. */
static void invite_form(struct page *p, const struct campaign *c, int64_t wanted)
{
    int64_t count = wanted < 1 ? 1 : wanted > PAGE_INVITES_MAX ? PAGE_INVITES_MAX : wanted;
    struct html *h = &p->h;

    widget_section(p, "new", page_phrase(p, PHRASE_INVITE_NEW), NULL);
    join_link(p, c);
    page_form(p, campaign_frame_path(p->q, c, "/invites"));
    page_ask(p, .label = PHRASE_INVITE_COUNT, .name = "count", .type = "number",
             .value = page_number(p, count));
    notes_field(p);
    page_ask(p, .label = PHRASE_INVITE_DAYS, .name = "days", .type = "number", .value = "14");
    html_open(h, "div", "class", "row");
    widget_button(p, "filled", PHRASE_INVITE_NEW, "as", "page");
    widget_button(p, "", PHRASE_INVITE_CSV, "as", "csv");
    html_close_n(h, 3);
}

enum status page_campaign_invitations(struct request *q, struct response *r, struct err *e)
{
    struct coverage_list coverage;
    struct invite_list l;
    struct campaign c;
    struct page p;

    if (page_campaign_of(q, &c, e) != OK ||
        campaign_coverage(q->arena, q->store, &c, &coverage, e) != OK ||
        invite_page(q->arena, q->store, c.id, request_int(request_query(q, "after"), 0), PAGE_ROWS,
                    &l, e) != OK)
        return e->code;
    campaign_frame_open(&p, q, r, &c, TAB_INVITES);
    if (c.state == CAMPAIGN_DRAFT || c.state == CAMPAIGN_OPEN)
        invite_form(&p, &c, coverage.top_up);
    if (l.n)
        invite_table(&p, &c, &l);
    else
        widget_empty(&p, PHRASE_NO_INVITES);
    return page_close(&p);
}

/* ---- their links, told once ---- */

/* One note a line; without any, as many as were asked for, under one note or none. */
static enum status read_notes(struct request *q, const char ***out, size_t *n, struct err *e)
{
    struct str notes = request_form(q, "notes"), label = request_form(q, "label"), line;
    int64_t count = request_int(request_form(q, "count"), 1);
    const char **v = NEW_N(q->arena, const char *, PAGE_INVITES_MAX + 1);
    size_t k = 0;

    while (str_line(&notes, &line) && k <= PAGE_INVITES_MAX)
        if (str_trim(line).n)
            v[k++] = arena_text(q->arena, str_trim(line));
    if (k == 0 && count > 0)
        for (; k < (size_t)count && k <= PAGE_INVITES_MAX; k++)
            v[k] = label.p ? label.p : "";
    if (k < 1 || k > PAGE_INVITES_MAX)
        return err_set(e, E_INPUT, "1 to %d invitations, for 1 to %d days", PAGE_INVITES_MAX,
                       PAGE_INVITE_DAYS_MAX);
    *out = v;
    *n = k;
    return OK;
}

static enum status add_all(struct request *q, const struct campaign *c, const char *const *notes,
                           const char **links, size_t n, int64_t days, struct err *e)
{
    int64_t until = q->now_ms + days * CLOCK_DAY_MS;
    char token[RATER_TOKEN];

    for (size_t i = 0; i < n; i++) {
        if (invite_add(q->store, c, notes[i], until, token, e) != OK)
            return e->code;
        links[i] = arena_printf(q->arena, "%s/invite/%s", page_origin(q), token);
    }
    return account_audit(q, "campaign.invite", c->name, arena_printf(q->arena, "%zu", n), e);
}

enum status page_campaign_add_invites(struct request *q, const struct campaign *c,
                                      const char *const *notes, const char **links, size_t n,
                                      int64_t days, struct err *e)
{
    return store_atomically(q->store, e, add_all(q, c, notes, links, n, days, e));
}

static void link_row(struct page *p, const char *note, const char *link, bool with_qr)
{
    struct html *h = &p->h;

    page_row(p);
    page_cell(p, note);
    page_cell_open(p, "long");
    html_element(h, "code", "link", link);
    html_close(h);
    page_cell_open(p, "long");
    html_say(h, "button", page_phrase(p, PHRASE_COPY), "type", "button", "class", "btn small",
             "data-copy", link, "data-copied", page_phrase(p, PHRASE_COPIED), "hidden", "");
    if (with_qr) {
        page_fold(p, PHRASE_INVITE_QR);
        qr_draw(h, link, link);
        html_close(h);
    }
    html_close_n(h, 2);
}

static void links_page(struct request *q, struct response *r, const struct campaign *c,
                       const char *const *notes, const char *const *links, size_t n)
{
    struct page p;

    campaign_frame_open(&p, q, r, c, TAB_INVITES);
    page_script(&p, "copy.js");
    page_say(&p, "h2", NULL, PHRASE_INVITE_LINKS);
    widget_notice(&p, "warn", page_phrase(&p, PHRASE_INVITE_LINKS_LEAD));
    page_table(&p, PHRASE_INVITE_NOTE, PHRASE_INVITE_LINK, PHRASE_INVITE_HAND);
    for (size_t i = 0; i < n; i++)
        link_row(&p, notes[i], links[i], n <= QR_UP_TO);
    page_table_end(&p);
    widget_go(&p, "", campaign_frame_path(q, c, "/invitations"), PHRASE_BACK);
    page_close(&p);
}

static void links_csv(struct request *q, struct response *r, const struct campaign *c,
                      const char *const *notes, const char *const *links, size_t n)
{
    response_header(r, "Content-Disposition",
                    arena_printf(q->arena, "attachment; filename=\"%s-invitations.csv\"", c->name));
    r->type = "text/csv; charset=utf-8";
    buf_text(&r->body, "note,link\r\n");
    for (size_t i = 0; i < n; i++) {
        csv_put(&r->body, str_of(notes[i]), true);
        csv_put(&r->body, str_of(links[i]), false);
        buf_text(&r->body, "\r\n");
    }
}

/* The links are shown here and nowhere else: only their hashes are stored. */
enum status page_campaign_invite(struct request *q, struct response *r, struct err *e)
{
    int64_t days = request_int(request_form(q, "days"), 14);
    struct campaign c;
    const char **notes = NULL, **links;
    size_t n = 0;

    if (days < 1 || days > PAGE_INVITE_DAYS_MAX)
        return err_set(e, E_INPUT, "1 to %d invitations, for 1 to %d days", PAGE_INVITES_MAX,
                       PAGE_INVITE_DAYS_MAX);
    if (read_notes(q, &notes, &n, e) != OK || page_campaign_of(q, &c, e) != OK)
        return e->code;
    links = NEW_N(q->arena, const char *, n);
    if (page_campaign_add_invites(q, &c, notes, links, n, days, e) != OK)
        return e->code;
    if (str_is(request_form(q, "as"), "csv"))
        links_csv(q, r, &c, notes, links, n);
    else
        links_page(q, r, &c, notes, links, n);
    return OK;
}

enum status page_campaign_revoke(struct request *q, struct response *r, struct err *e)
{
    int64_t id = request_int(request_param(q, "id"), 0);
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || invite_revoke(q->store, &c, id, e) != OK)
        return e->code;
    return page_campaign_done(q, r, &c, "/invitations", "campaign.revoke", arena_int(q->arena, id),
                              e);
}
