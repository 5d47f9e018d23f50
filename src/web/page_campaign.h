/* page_campaign.h - campaigns for those who run them: making, watching, inviting, results.
 *
 * Coordinators watch the progress and invite. Only the results name systems, and only once the
 * campaign is unmasked. */
#ifndef WEB_PAGE_CAMPAIGN_H
#define WEB_PAGE_CAMPAIGN_H

#include "web/route.h"

struct campaign;
/* Make one of a campaign file; *faults says what is wrong with the file, and nothing was made. */
CHECKED enum status page_campaign_make(struct request *q, const char *run, struct str file,
                                       struct campaign *c, const char **faults, struct err *e);
/* The campaign that the address names, in the request's arena. */
CHECKED enum status page_campaign_of(struct request *q, struct campaign *c, struct err *e);
/* Turn it to the state of this name, log it, and compute what is shown from then on. Unless
 * *turned, the response asks for the password first. */
CHECKED enum status page_campaign_to(struct request *q, struct response *r, struct campaign *c,
                                     struct str name, bool *turned, struct err *e);
/* The most invitations made at once, and the longest time for which one is valid. */
enum { PAGE_INVITES_MAX = 500, PAGE_INVITE_DAYS_MAX = 365 };
/* Make n invitations with these notes and log that, all or nothing. Their links are not stored:
 * links[] is the only place where they can be read. */
CHECKED enum status page_campaign_add_invites(struct request *q, const struct campaign *c,
                                              const char *const *notes, const char **links,
                                              size_t n, int64_t days, struct err *e);
/* Log what was done and lead back to this tab ("", "/raters"). */
CHECKED enum status page_campaign_done(struct request *q, struct response *r,
                                       const struct campaign *c, const char *tab, const char *what,
                                       const char *detail, struct err *e);

#endif
