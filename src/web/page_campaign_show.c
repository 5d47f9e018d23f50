/* The progress of a campaign: what to do next, what needs attention, how far it is. */
#include <stdlib.h>

#include "base/clock.h"
#include "panel/ballot.h"
#include "panel/outcome.h"
#include "panel/pulse.h"
#include "panel/seat.h"
#include "report/wording.h"
#include "web/campaign_frame.h"
#include "web/page_campaign.h"
#include "web/pages.h"
#include "web/widget.h"

enum { CHART_HEIGHT = 120, CHART_ROOM = 20 };

/* Everything that the page shows. */
struct overview {
    struct campaign c;
    struct coverage_list coverage;
    struct pulse pulse;
    struct mute_list silent;
    int64_t wanted, have;            /* ratings of passages */
    int64_t held, reported, unusual; /* texts to decide on, reports, signs of raters */
};

static const char *says(struct page *p, enum word w, int64_t n)
{
    return page_with(p, w, page_number(p, n));
}

/* ---- what comes next: the one filled button ---- */

struct action {
    const char *title, *note;
    const char *href; /* a link; NULL: `to` is set */
    enum word label;
    const char *to; /* the state to which a button turns it at once */
};

/* A passage is not assigned while one of its texts awaits a decision. */
static struct action decide_action(struct page *p, const struct overview *o)
{
    return (struct action){says(p, PHRASE_DO_DECIDE, o->held), page_phrase(p, PHRASE_WITHHELD_LEAD),
                           campaign_frame_path(p->q, &o->c, "/held"), PHRASE_DO_DECIDE_GO, NULL};
}

static struct action draft_action(struct page *p, const struct overview *o)
{
    if (o->held)
        return decide_action(p, o);
    return (struct action){page_phrase(p, PHRASE_DO_OPEN), page_phrase(p, PHRASE_DO_OPEN_NOTE),
                           NULL, PHRASE_OPEN_IT, campaign_state_name(CAMPAIGN_OPEN)};
}

/* Nobody can rate any more, though the campaign is open. */
static bool is_late(const struct page *p, const struct overview *o)
{
    return o->c.state == CAMPAIGN_OPEN && !campaign_takes(&o->c, p->q->now_ms);
}

static struct action open_action(struct page *p, const struct overview *o)
{
    int64_t coming = o->pulse.waiting + pulse_under_way(&o->pulse);
    bool late = is_late(p, o);

    if (late || o->coverage.short_of == 0)
        return (struct action){page_phrase(p, late ? PHRASE_LOOK_LATE : PHRASE_DO_CLOSE),
                               o->coverage.short_of ? says(p, PHRASE_WANTED, o->coverage.short_of)
                                                    : page_phrase(p, PHRASE_WANTED_NONE),
                               campaign_frame_path(p->q, &o->c, "/state?to=closed"),
                               PHRASE_CLOSE_IT, NULL};
    if (o->held)
        return decide_action(p, o);
    if (o->coverage.top_up > coming)
        return (struct action){says(p, PHRASE_DO_INVITE, o->coverage.top_up - coming),
                               says(p, PHRASE_WANTED, o->coverage.short_of),
                               campaign_frame_path(p->q, &o->c, "/invitations"), PHRASE_INVITE_NEW,
                               NULL};
    return (struct action){says(p, PHRASE_DO_WAIT, coming),
                           says(p, PHRASE_WANTED, o->coverage.short_of),
                           campaign_frame_path(p->q, &o->c, "/raters"), PHRASE_DO_WAIT_GO, NULL};
}

static struct action next_action(struct page *p, const struct overview *o)
{
    if (o->c.state == CAMPAIGN_DRAFT)
        return draft_action(p, o);
    if (o->c.state == CAMPAIGN_OPEN)
        return open_action(p, o);
    if (o->c.state == CAMPAIGN_CLOSED)
        return (struct action){page_phrase(p, PHRASE_DO_UNMASK), page_phrase(p, PHRASE_UNMASK_LEAD),
                               campaign_frame_path(p->q, &o->c, "/state?to=unmasked"),
                               PHRASE_UNMASK_IT, NULL};
    return (struct action){page_phrase(p, PHRASE_DO_READ), page_phrase(p, PHRASE_RESULTS_LEAD),
                           campaign_frame_path(p->q, &o->c, "/results"), PHRASE_RESULTS, NULL};
}

static bool may_press(const struct page *p, const struct overview *o, const struct action *a)
{
    bool admins = a->to || o->c.state == CAMPAIGN_CLOSED ||
                  (o->c.state == CAMPAIGN_OPEN && (is_late(p, o) || o->coverage.short_of == 0));

    if (o->c.state == CAMPAIGN_UNMASKED)
        return session_may(p->q, ROLE_ANALYST | ROLE_ADMIN);
    return session_may(p->q, admins ? ROLE_ADMIN : ROLE_ADMIN | ROLE_COORDINATOR);
}

static void state_form(struct page *p, const struct campaign *c, const char *kind, enum word label,
                       const char *to)
{
    widget_form(p, campaign_frame_path(p->q, c, "/state"));
    widget_button(p, kind, label, "to", to);
    html_close(&p->h);
}

static void action_part(struct page *p, const struct overview *o)
{
    struct action a = next_action(p, o);
    struct html *h = &p->h;

    html_open(h, "section", "class", "card todo spread", "aria-labelledby", "next-title");
    html_open(h, "div", NULL);
    html_say(h, "h2", a.title, "id", "next-title");
    html_element(h, "p", "note", a.note);
    html_close(h);
    if (may_press(p, o, &a) && a.to)
        state_form(p, &o->c, "filled big", a.label, a.to);
    else if (may_press(p, o, &a))
        widget_go(p, "filled big", a.href, a.label);
    html_close(h);
}

/* ---- numbers ---- */

static void tiles(struct page *p, const struct overview *o)
{
    bool over = o->c.state == CAMPAIGN_UNMASKED; /* nothing more is wanted */
    int64_t week = 0;

    for (size_t i = PULSE_DAYS - 7; i < PULSE_DAYS; i++)
        week += o->pulse.days[i];
    html_open(&p->h, "div", "class", "tiles");
    html_open(&p->h, "div", "class", "tile");
    page_say(p, "p", "k", PHRASE_TILE_RATINGS);
    html_open(&p->h, "p", "class", "v");
    html_fmt(&p->h, "%lld ", (long long)o->have);
    html_element(&p->h, "small", NULL, page_printf(p, "/ %lld", (long long)o->wanted));
    html_close(&p->h);
    widget_progress(p, PHRASE_TILE_RATINGS, o->have, o->wanted);
    html_close(&p->h);
    widget_tile(p, PHRASE_TILE_WEEK, page_number(p, week), NULL,
                over                   ? NULL
                : o->coverage.short_of ? says(p, PHRASE_WANTED, o->coverage.short_of)
                                       : page_phrase(p, PHRASE_WANTED_NONE));
    widget_tile(p, PHRASE_TILE_RATERS,
                page_number(p, pulse_under_way(&o->pulse) + o->pulse.raters[RATER_FINISHED]), NULL,
                o->coverage.short_of && !over ? says(p, PHRASE_WANTED_RATERS, o->coverage.top_up)
                                              : NULL);
    widget_tile(
        p, PHRASE_TILE_LOOK,
        page_number(p, o->held + o->reported + o->unusual + o->pulse.raters[RATER_REJECTED]), NULL,
        page_phrase(p, PHRASE_TILE_LOOK_NOTE));
    html_close(&p->h);
}

/* ---- what needs attention ---- */

/* Models that do not answer in rooms, with the reason: raters learn only that no answer came. */
static void silent_models(struct page *p, const struct overview *o)
{
    for (size_t i = 0; i < o->silent.n; i++) {
        const struct mute *x = &o->silent.v[i];
        char since[CLOCK_TEXT];

        clock_text(x->since_ms, since);
        since[10] = ' ';
        html_open(&p->h, "li", NULL);
        html_fmt(&p->h, "%lld × %s ", (long long)x->times, x->model);
        widget_pill(p, "bad", page_phrase(p, PHRASE_LOOK_SILENT));
        html_text(&p->h,
                  page_printf(p, " %s",
                              page_with(p, PHRASE_LOOK_SINCE, page_printf(p, "%.16s UTC", since))));
        html_element(&p->h, "div", "why",
                     wording_why(p->h.scratch, p->q->language, x->why, x->fault));
        html_element(
            &p->h, "div", "advice",
            page_printf(p, "→ %s", wording_advice(p->q->language, x->fault, STATE_FAILED)));
        html_close(&p->h);
    }
}

static void attention(struct page *p, const struct overview *o)
{
    const struct {
        int64_t n;
        enum word says;
        unsigned allow;
        const char *rest;
    } all[] = {
        {o->held, PHRASE_LOOK_HELD, ROLE_COORDINATOR | ROLE_ADMIN, "/held"},
        {o->reported, PHRASE_LOOK_REPORTED, ROLE_COORDINATOR | ROLE_ADMIN, "/held"},
        {o->unusual, PHRASE_LOOK_UNUSUAL, ROLE_STAFF, "/raters"},
        {o->pulse.raters[RATER_REJECTED], PHRASE_LOOK_REJECTED, ROLE_STAFF, "/raters"},
    };
    bool any = o->silent.n, late = is_late(p, o);

    widget_section(p, "look", page_phrase(p, PHRASE_LOOK), NULL);
    html_open(&p->h, "ul", "class", "list");
    silent_models(p, o);
    for (size_t i = 0; i < COUNT(all); i++) {
        if (!all[i].n)
            continue;
        any = true;
        html_open(&p->h, "li", NULL);
        if (session_may(p->q, all[i].allow))
            page_link(p, campaign_frame_below(p->q, &o->c, all[i].rest),
                      says(p, all[i].says, all[i].n));
        else
            html_text(&p->h, says(p, all[i].says, all[i].n));
        html_close(&p->h);
    }
    if (late)
        page_say(p, "li", NULL, PHRASE_LOOK_LATE);
    if (o->have && !o->coverage.connected)
        page_say(p, "li", NULL, PHRASE_NOT_CONNECTED);
    if (!any && !late && (!o->have || o->coverage.connected))
        page_say(p, "li", NULL, o->have ? PHRASE_CONNECTED : PHRASE_LOOK_NOTHING);
    html_close_n(&p->h, 2);
}

/* ---- raters, and days ---- */

static void stacked(struct page *p, const struct overview *o)
{
    const int64_t *n = o->pulse.raters;
    const struct {
        int64_t n;
        enum word says;
    } all[] = {
        {o->pulse.waiting + n[RATER_INVITED] + n[RATER_CONSENTED], PHRASE_STACK_INVITED},
        {n[RATER_PRACTISING], PHRASE_STACK_PRACTISING},
        {n[RATER_RATING], PHRASE_STACK_RATING},
        {n[RATER_FINISHED], PHRASE_STACK_FINISHED},
        {n[RATER_REJECTED] + n[RATER_WITHDRAWN], PHRASE_STACK_STOPPED},
    };
    struct html *h = &p->h;
    int64_t sum = 0, before = 0;

    for (size_t i = 0; i < COUNT(all); i++)
        sum += all[i].n;
    widget_section(p, "raters", page_phrase(p, PHRASE_RATERS), NULL);
    if (sum) {
        html_open(h, "svg", "class", "stack", "width", "100%", "height", "28", "aria-hidden",
                  "true");
        for (size_t i = 0; i < COUNT(all); before += all[i++].n)
            if (all[i].n)
                html_leaf(h, "rect", "class", page_printf(p, "s%zu", i + 1), "x",
                          page_printf(p, "%.2f%%", 100.0 * (double)before / (double)sum), "width",
                          page_printf(p, "%.2f%%", 100.0 * (double)all[i].n / (double)sum),
                          "height", "28");
        html_close(h);
    }
    html_open(h, "ul", "class", "legend");
    for (size_t i = 0; i < COUNT(all); i++) {
        html_open(h, "li", NULL);
        html_open(h, "svg", "class", "stack", "width", "12", "height", "12", "aria-hidden", "true");
        html_leaf(h, "rect", "class", page_printf(p, "s%zu", i + 1), "width", "12", "height", "12",
                  "rx", "2");
        html_close(h);
        html_text(h, says(p, all[i].says, all[i].n));
        html_close(h);
    }
    html_close_n(h, 2);
}

static const char *day_text(struct page *p, int64_t day)
{
    char text[CLOCK_TEXT];

    clock_text(day * CLOCK_DAY_MS, text);
    return page_printf(p, "%.5s", text + 5);
}

static void day_bar(struct page *p, const struct overview *o, size_t i, int64_t most)
{
    double x = 100.0 * ((double)i + .12) / PULSE_DAYS, w = 76.0 / PULSE_DAYS;
    double height = most ? CHART_HEIGHT * (double)o->pulse.days[i] / (double)most : 0;
    struct html *h = &p->h;

    html_leaf(h, "rect", "class", "fill", "x", page_printf(p, "%.2f%%", x), "width",
              page_printf(p, "%.2f%%", w), "y",
              page_printf(p, "%.1f", CHART_ROOM + CHART_HEIGHT - height), "height",
              page_printf(p, "%.1f", height), "rx", "2");
    if (!o->pulse.days[i])
        return;
    html_say(h, "text", page_number(p, o->pulse.days[i]), "x", page_printf(p, "%.2f%%", x + w / 2),
             "y", page_printf(p, "%.1f", CHART_ROOM + CHART_HEIGHT - height - 5), "text-anchor",
             "middle");
}

/* A chart of ratings by day, and its table. */
static void days(struct page *p, const struct overview *o)
{
    struct html *h = &p->h;
    int64_t most = 0;

    for (size_t i = 0; i < PULSE_DAYS; i++)
        most = o->pulse.days[i] > most ? o->pulse.days[i] : most;
    widget_section(p, "days", page_phrase(p, PHRASE_DAYS), NULL);
    html_open(h, "svg", "class", "days", "width", "100%", "height", "145", "aria-hidden", "true");
    for (size_t i = 0; i < PULSE_DAYS; i++)
        day_bar(p, o, i, most);
    html_leaf(h, "line", "x1", "0", "x2", "100%", "y1", "140", "y2", "140");
    html_close(h);
    html_open(h, "p", "class", "spread small soft");
    html_element(h, "span", NULL, day_text(p, o->pulse.first_day));
    html_element(h, "span", NULL, day_text(p, o->pulse.first_day + PULSE_DAYS - 1));
    html_close(h);
    page_fold(p, PHRASE_AS_TABLE);
    page_table(p, PHRASE_DAY, PHRASE_TILE_RATINGS);
    for (size_t i = 0; i < PULSE_DAYS; i++) {
        page_row(p);
        page_cell(p, day_text(p, o->pulse.first_day + (int64_t)i));
        page_cell_fmt(p, "%lld", (long long)o->pulse.days[i]);
        html_close(h);
    }
    page_table_end(p);
    html_close_n(h, 2);
}

static int least_rated_first(const void *x, const void *y)
{
    const struct coverage *a = x, *b = y;

    return (a->done > b->done) - (a->done < b->done);
}

/* Passages with their ratings; of many, those with the fewest. */
static void coverage_part(struct page *p, const struct overview *o)
{
    enum { SHOWN = 200 };
    const struct coverage_list *l = &o->coverage;
    size_t n = l->n < SHOWN ? l->n : SHOWN;

    if (n < l->n)
        qsort(l->v, l->n, sizeof *l->v, least_rated_first);
    page_fold(p, PHRASE_BY_PASSAGE);
    page_table(p, PHRASE_PASSAGE, PHRASE_RATED, PHRASE_BEING_RATED);
    for (size_t i = 0; i < n; i++) {
        page_row_of(p, NULL, l->v[i].item_name);
        page_cell_fmt(p, "%lld / %lld", (long long)l->v[i].done, (long long)o->c.spec.overlap);
        page_cell_fmt(p, "%lld", (long long)l->v[i].live);
        html_close(&p->h);
    }
    page_table_end(p);
    if (n < l->n)
        html_element(
            &p->h, "p", "soft",
            page_two(p, SEE_SHOWN, page_number(p, (int64_t)n), page_number(p, (int64_t)l->n)));
    html_close(&p->h);
}

/* Other actions, without filled buttons. */
static void other_actions(struct page *p, const struct campaign *c)
{
    if (!session_may(p->q, ROLE_ADMIN) ||
        (c->state != CAMPAIGN_CLOSED && c->state != CAMPAIGN_OPEN))
        return;
    html_open(&p->h, "section", "class", "row wide", "aria-label",
              page_phrase(p, PHRASE_OTHER_ACTIONS));
    if (c->state == CAMPAIGN_CLOSED)
        state_form(p, c, "", PHRASE_OPEN_AGAIN, campaign_state_name(CAMPAIGN_OPEN));
    if (c->state == CAMPAIGN_OPEN)
        widget_go(p, "danger", campaign_frame_path(p->q, c, "/state?to=closed"), PHRASE_CLOSE_IT);
    html_close(&p->h);
}

/* ---- the page ---- */

static void add_up(struct overview *o)
{
    o->wanted = (int64_t)o->coverage.n * o->c.spec.overlap;
    o->have = 0;
    for (size_t i = 0; i < o->coverage.n; i++)
        o->have += o->coverage.v[i].counted < o->c.spec.overlap ? o->coverage.v[i].counted
                                                                : o->c.spec.overlap;
}

static enum status read_attention(struct request *q, struct overview *o, struct err *e)
{
    struct complaint_list complaints;
    struct withheld_list withheld;
    struct score_list rows;

    if (campaign_withheld(q->arena, q->store, &o->c, &withheld, e) != OK ||
        ballot_complaints(q->arena, q->store, &o->c, &complaints, e) != OK ||
        seat_mutes(q->arena, q->store, &o->c, &o->silent, e) != OK ||
        outcome_stored(q->arena, q->store, &o->c, &rows, e) != OK)
        return e->code;
    for (size_t i = 0; i < withheld.n; i++)
        o->held += !withheld.v[i].decision;
    o->reported = (int64_t)complaints.n;
    for (size_t i = 0; i < rows.n; i++)
        o->unusual += str_starts(str_of(rows.v[i].metric), STR("sign:")) &&
                      outcome_unusual(&o->c, &rows.v[i]);
    return OK;
}

enum status page_campaign_show(struct request *q, struct response *r, struct err *e)
{
    struct overview o = {0};
    struct page p;

    if (page_campaign_of(q, &o.c, e) != OK ||
        campaign_coverage(q->arena, q->store, &o.c, &o.coverage, e) != OK ||
        pulse_take(q->store, &o.c, q->now_ms, &o.pulse, e) != OK || read_attention(q, &o, e) != OK)
        return e->code;
    add_up(&o);
    campaign_frame_open(&p, q, r, &o.c, TAB_PROGRESS);
    /* The script replaces this part from time to time: it must have no fields to type into. */
    page_script(&p, "live.js");
    html_open(&p.h, "div", "id", "live");
    action_part(&p, &o);
    html_open(&p.h, "div", "class", "dash");
    tiles(&p, &o);
    html_close(&p.h);
    html_open(&p.h, "div", "class", "columns two dash");
    stacked(&p, &o);
    days(&p, &o);
    html_close(&p.h);
    attention(&p, &o);
    coverage_part(&p, &o);
    html_close(&p.h);
    other_actions(&p, &o.c);
    return page_close(&p);
}
