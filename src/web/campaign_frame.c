#include "web/campaign_frame.h"

#include "web/widget.h"

const char *campaign_frame_below(struct request *q, const struct campaign *c, const char *rest)
{
    return arena_printf(q->arena, "/campaigns/%s%s", c->name, rest);
}

void campaign_frame_pill(struct page *p, const struct campaign *c)
{
    static const struct {
        const char *kind;
        enum word word;
    } pills[] = {
        [CAMPAIGN_DRAFT] = {"warn", PHRASE_DRAFT},
        [CAMPAIGN_OPEN] = {"info", PHRASE_OPEN},
        [CAMPAIGN_CLOSED] = {"", PHRASE_CLOSED_STATE},
        [CAMPAIGN_UNMASKED] = {"good", PHRASE_UNMASKED},
    };

    widget_state(p, pills[c->state].kind, page_phrase(p, pills[c->state].word));
}

void campaign_frame_outdated(struct page *p, const struct campaign *c)
{
    if (c->stale)
        widget_notice(p, "warn", page_phrase(p, PHRASE_OUTDATED));
}

static void tabs(struct page *p, const struct campaign *c, enum campaign_tab here)
{
    static const struct {
        const char *rest;
        enum word label;
        unsigned allow;
    } all[] = {
        [TAB_PROGRESS] = {"", PHRASE_TAB_PROGRESS, ROLE_STAFF},
        [TAB_RATERS] = {"/raters", PHRASE_RATERS, ROLE_STAFF},
        [TAB_INVITES] = {"/invitations", PHRASE_INVITES, ROLE_COORDINATOR | ROLE_ADMIN},
        [TAB_HELD] = {"/held", PHRASE_TAB_HELD, ROLE_COORDINATOR | ROLE_ADMIN},
        [TAB_RESULTS] = {"/results", PHRASE_RESULTS, ROLE_ANALYST | ROLE_ADMIN},
        [TAB_LOG] = {"/log", PHRASE_TAB_LOG, ROLE_COORDINATOR | ROLE_ADMIN},
        [TAB_PEOPLE] = {"/people", PHRASE_PEOPLE, ROLE_ADMIN},
    };
    struct widget_tab shown[COUNT(all)];

    for (size_t i = 0; i < COUNT(all); i++)
        shown[i] = (struct widget_tab){
            session_may(p->q, all[i].allow) ? campaign_frame_below(p->q, c, all[i].rest) : NULL,
            page_phrase(p, all[i].label), -1, i == (size_t)here};
    widget_tabs(p, page_phrase(p, PHRASE_CAMPAIGN), shown, COUNT(all));
}

static void about(struct page *p, const struct campaign *c)
{
    struct html *h = &p->h;

    html_open(h, "p", "class", "meta");
    campaign_frame_pill(p, c);
    html_fmt(h, " %s ", page_phrase(p, PHRASE_RUN));
    if (p->q->session && (p->q->session->own & (ROLE_ANALYST | ROLE_ADMIN)))
        page_link(p, page_printf(p, "/runs/%s", c->run.name), c->run.name);
    else
        html_text(h, c->run.name);
    if (c->spec.deadline_ms) {
        html_fmt(h, " · %s ", page_phrase(p, PHRASE_DEADLINE));
        page_time(p, c->spec.deadline_ms);
        html_text(h, " UTC");
    }
    html_close(h);
}

void campaign_frame_open(struct page *p, struct request *q, struct response *r,
                         const struct campaign *c, enum campaign_tab here)
{
    const char *title = arena_text(q->arena, spec_wording(&c->spec.title, q->language));
    const struct widget_step path[] = {{"/campaigns", words_of(q->language, PHRASE_CAMPAIGNS)},
                                       {NULL, title}};

    page_frame(p, q, r, title);
    widget_crumbs(p, path, COUNT(path));
    html_open(&p->h, "div", "class", "head");
    html_element(&p->h, "h1", NULL, title);
    about(p, c);
    html_close(&p->h);
    tabs(p, c, here);
    page_saved(p);
}

void campaign_frame_compute(struct page *p, const struct campaign *c, enum word note,
                            const char *kind, const char *tab)
{
    html_open(&p->h, "div", "class", "spread");
    page_say(p, "p", "note", note);
    widget_form(p, campaign_frame_path(p->q, c, "/compute"));
    page_hidden(p, "tab", tab);
    widget_button(p, kind, PHRASE_COMPUTE, NULL, NULL);
    html_close_n(&p->h, 2);
}
