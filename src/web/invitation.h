/* invitation.h - what raters are told before they agree to anything: the purpose, how much work it
 * is, how long it takes, whom they can ask. And the four steps from the invitation to rating. */
#ifndef WEB_INVITATION_H
#define WEB_INVITATION_H

#include "panel/campaign.h"
#include "web/page.h"

enum invitation_step { STEP_INVITATION, STEP_CONSENT, STEP_PRACTICE, STEP_RATING };

/* The four steps, and which of them the page belongs to. */
void invitation_steps(struct page *p, const struct campaign *c, enum invitation_step at);

/* The whole of it, below the steps. The caller adds the form. */
CHECKED enum status invitation_show(struct page *p, const struct campaign *c, struct err *e);

#endif
