/* campaign_frame.h - what the pages of one campaign have in common: path, state and tabs. A tab is
 * shown to whoever may open its page. */
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
/* A notice where the results are older than the ratings. */
void campaign_frame_outdated(struct page *p, const struct campaign *c);
/* A sentence, and the button that computes the results again and leads back to that tab. */
void campaign_frame_compute(struct page *p, const struct campaign *c, enum word note,
                            const char *kind, const char *tab);
/* The state of the campaign as a pill. */
void campaign_frame_pill(struct page *p, const struct campaign *c);

#endif
