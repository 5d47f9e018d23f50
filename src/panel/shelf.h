/* shelf.h - campaigns at hand.
 *
 * What a campaign is about is frozen: suite and campaign file never change after it was made, and
 * reading them is most of what a save would cost. The shelf reads them once for each campaign and
 * keeps them; state and times come from the store every time. Safe from any thread: one lock, held
 * to find or place a pointer. What is on the shelf is only read. */
#ifndef PANEL_SHELF_H
#define PANEL_SHELF_H

#include "panel/campaign.h"

struct shelf;

struct shelf *shelf_new(void);
void shelf_free(struct shelf *f); /* NULL is fine; no campaign got from it may be used afterwards */

/* As campaign_by_id(). Lives in arena a or on the shelf, whichever ends first. */
CHECKED enum status shelf_get(struct shelf *f, struct arena *a, struct store *s, int64_t id,
                              struct campaign *out, struct err *e);

#endif
