/* Texts that are withheld from raters until somebody decides, and reports by raters about texts.
 * Neither reveals who wrote a text. */
#include "panel/ballot.h"
#include "web/campaign_frame.h"
#include "web/explore.h"
#include "web/page_campaign.h"
#include "web/pages.h"
#include "web/widget.h"

struct held {
    struct campaign c;
    struct withheld_list withheld;
    struct complaint_list complaints;
};

/* The phrase for a kind of leak (leak.h). */
static enum word leak_phrase(const char *why)
{
    static const struct {
        const char *why;
        enum word says;
    } table[] = {{"self", PHRASE_LEAK_SELF},
                 {"name", PHRASE_LEAK_NAME},
                 {"truncated", PHRASE_LEAK_TRUNCATED},
                 {"left-out", PHRASE_LEAK_LEFT_OUT}};

    for (size_t i = 0; i < COUNT(table); i++)
        if (strcmp(table[i].why, why) == 0)
            return table[i].says;
    return PHRASE_LEAK_MALFORMED;
}

/* Shows neither the model nor anything else that would reveal it. */
static void withheld_card(struct page *p, const struct campaign *c, const struct withheld *w)
{
    const char *why = page_phrase(p, leak_phrase(w->why));
    struct html *h = &p->h;

    html_open(h, "div", "class", "card held");
    html_open(h, "blockquote", NULL);
    page_lines(p, c->suite.language, w->text);
    html_close(h);
    html_open(h, "p", "class", "soft");
    html_fmt(h, "%s · ", w->item_name);
    html_text(h, *w->words ? page_two(p, WORD_LABELLED, why, "") : why);
    html_foreign(h, c->suite.language, str_of(w->words));
    html_close(h);
    page_form(p, campaign_frame_path(p->q, c, "/withheld/%s", w->name));
    widget_button(p, "", PHRASE_SHOW_IT, "decision", "show");
    html_text(h, " ");
    widget_button(p, "", PHRASE_HIDE_IT, "decision", "hide");
    html_close_n(h, 2);
}

/* Decided texts drop out of the list, so that there is always a first page while any is left. */
static void withheld_part(struct page *p, const struct campaign *c, const struct withheld_list *l)
{
    size_t after = (size_t)request_int(request_query(p->q, "after"), 0);
    size_t from = after < l->n ? after : 0;
    size_t end = from + EXPLORE_PAGE < l->n ? from + EXPLORE_PAGE : l->n;

    if (!l->n)
        return;
    page_say(p, "h2", NULL, PHRASE_WITHHELD);
    page_say(p, "p", NULL, PHRASE_WITHHELD_LEAD);
    for (size_t i = from; i < end; i++)
        withheld_card(p, c, &l->v[i]);
    explore_pager(p, end - from, (int64_t)l->n,
                  end < l->n ? explore_after(p->q, page_printf(p, "%zu", end)) : NULL);
}

/* The button that hides a reported text from raters, or shows it again. */
static void reported_form(struct page *p, const struct campaign *c, const struct withheld *w)
{
    bool shown = w->decision && strcmp(w->decision, "show") == 0;

    page_form(p, campaign_frame_path(p->q, c, "/withheld/%s", w->name));
    page_button(p, shown ? PHRASE_HIDE_IT : PHRASE_SHOW_IT, "decision", shown ? "hide" : "show");
    html_close(&p->h);
}

/* The reason and the reported text, without its author. */
static void complaint_cell(struct page *p, const struct held *o, const struct complaint *x)
{
    page_cell_open(p, NULL);
    html_text(&p->h, x->sample < 0 ? page_with(p, PHRASE_PASSED_OVER, x->why) : x->why);
    if (x->text.n) {
        page_fold(p, PHRASE_COMPLAINT_TEXT);
        page_lines(p, o->c.suite.language, x->text);
        html_close(&p->h);
    }
    for (size_t i = 0; i < o->withheld.n && x->sample > 0; i++)
        if (o->withheld.v[i].sample == x->sample)
            reported_form(p, &o->c, &o->withheld.v[i]);
    html_close(&p->h);
}

static void complaints_part(struct page *p, const struct held *o)
{
    const struct complaint_list *l = &o->complaints;

    if (l->n == 0)
        return;
    page_say(p, "h2", NULL, PHRASE_COMPLAINTS);
    page_table(p, PHRASE_WHEN, PHRASE_RATER, PHRASE_PASSAGE, PHRASE_WHY);
    for (size_t i = 0; i < l->n; i++) {
        page_row(p);
        page_cell_time(p, l->v[i].at_ms);
        page_cell(p, l->v[i].rater);
        page_cell(p, l->v[i].item_name);
        complaint_cell(p, o, &l->v[i]);
        html_close(&p->h);
    }
    page_table_end(p);
}

/* ---- the page ---- */

/* The texts that await a decision. */
static struct withheld_list open_of(struct arena *a, const struct withheld_list *l)
{
    struct withheld_list open = {.v = NEW_N(a, struct withheld, l->n + 1)};

    for (size_t i = 0; i < l->n; i++)
        if (!l->v[i].decision || withheld_left_out(&l->v[i]))
            open.v[open.n++] = l->v[i];
    return open;
}

enum status page_campaign_held(struct request *q, struct response *r, struct err *e)
{
    struct withheld_list open;
    struct held o;
    struct page p;

    if (page_campaign_of(q, &o.c, e) != OK ||
        campaign_withheld(q->arena, q->store, &o.c, &o.withheld, e) != OK ||
        ballot_complaints(q->arena, q->store, &o.c, &o.complaints, e) != OK)
        return e->code;
    open = open_of(q->arena, &o.withheld);
    campaign_frame_open(&p, q, r, &o.c, TAB_HELD);
    if (!open.n && !o.complaints.n)
        widget_empty(&p, PHRASE_HELD_NONE);
    withheld_part(&p, &o.c, &open);
    complaints_part(&p, &o);
    return page_close(&p);
}

/* The sample to which the page gave this name; 0: none. */
static int64_t find_withheld(const struct withheld_list *l, struct str name)
{
    for (size_t i = 0; i < l->n; i++)
        if (str_is(name, l->v[i].name))
            return l->v[i].sample;
    return 0;
}

enum status page_campaign_decide(struct request *q, struct response *r, struct err *e)
{
    struct withheld_list l;
    int64_t sample;
    bool show = str_is(request_form(q, "decision"), "show");
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK || campaign_withheld(q->arena, q->store, &c, &l, e) != OK)
        return e->code;
    sample = find_withheld(&l, request_param(q, "text"));
    return store_atomically(q->store, e,
                            campaign_decide(q->store, &c, sample, show, q->session->name, e) == OK
                                ? page_campaign_done(q, r, &c, "/held",
                                                     show ? "campaign.show" : "campaign.hide",
                                                     arena_int(q->arena, sample), e)
                                : e->code);
}
