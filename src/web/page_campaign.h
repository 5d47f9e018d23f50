/* page_campaign.h - campaigns for those who run them: making, watching, inviting, results.
 *
 * A coordinator sees how it goes and invites; nothing here but the results names a system, and
 * those only when the campaign was unmasked. */
#ifndef WEB_PAGE_CAMPAIGN_H
#define WEB_PAGE_CAMPAIGN_H

#include "web/route.h"

/* For these pages alone: the campaign that the address names, in the request's arena. */
struct campaign;
/* Make one of a campaign file; *faults says what is wrong with the file, and nothing was made. */
CHECKED enum status page_campaign_make(struct request *q, const char *run, struct str file,
                                       struct campaign *c, const char **faults, struct err *e);
CHECKED enum status page_campaign_of(struct request *q, struct campaign *c, struct err *e);
/* Turn it to the state of this name, bring up to date what is shown from then on, and write it
 * down. Unless it was turned, the response asks for the password first. */
CHECKED enum status page_campaign_to(struct request *q, struct response *r, struct campaign *c,
                                     struct str name, bool *turned, struct err *e);
/* Something was done: it goes into the log, and one comes back to this tab ("", "/raters"). */
CHECKED enum status page_campaign_done(struct request *q, struct response *r,
                                       const struct campaign *c, const char *tab, const char *what,
                                       const char *detail, struct err *e);

#endif
