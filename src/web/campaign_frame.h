/* campaign_frame.h - what the pages of one campaign have in common: where one is, its state, its
 * tabs. A tab is there for whoever may open its page. */
#ifndef WEB_CAMPAIGN_FRAME_H
#define WEB_CAMPAIGN_FRAME_H

#include "panel/campaign.h"
#include "web/page.h"

enum campaign_tab {
    TAB_PROGRESS,
    TAB_RATERS,
    TAB_INVITES,
    TAB_HELD,
    TAB_RESULTS,
    TAB_LOG,
    TAB_PEOPLE
};

/* Opens the page; page_close() ends it. */
void campaign_frame_open(struct page *p, struct request *q, struct response *r,
                         const struct campaign *c, enum campaign_tab here);
/* /campaigns/NAME and the rest of a path: campaign_frame_path(q, c, "/held/%s", name). */
#define campaign_frame_path(q, c, ...)                                                             \
    campaign_frame_below((q), (c), arena_printf((q)->arena, __VA_ARGS__))
const char *campaign_frame_below(struct request *q, const struct campaign *c, const char *rest);
bool campaign_frame_may(const struct request *q, unsigned roles);
/* Says that the numbers below are older than the ratings, where they are. */
void campaign_frame_outdated(struct page *p, const struct campaign *c);
/* What can be computed again, from a page of that tab: a sentence, and the button. */
void campaign_frame_compute(struct page *p, const struct campaign *c, enum word note,
                            const char *kind, const char *tab);
/* Its pill. */
void campaign_frame_pill(struct page *p, const struct campaign *c);

#endif
