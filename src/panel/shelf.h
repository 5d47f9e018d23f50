/* shelf.h - a cache of campaigns.
 *
 * Suite and campaign file never change after a campaign was created, and reading them would be
 * most of the cost of a save. They are read once per campaign; state and times are read from the
 * store every time. Thread-safe: one lock, held only to find or add an entry. Entries are
 * read-only. */
#ifndef PANEL_SHELF_H
#define PANEL_SHELF_H

#include "panel/campaign.h"

struct shelf;

struct shelf *shelf_new(void);
void shelf_free(struct shelf *f); /* may be NULL; campaigns from it must not be used afterwards */

/* Like campaign_by_id(). Valid until arena a or the shelf is freed. */
CHECKED enum status shelf_get(struct shelf *f, struct arena *a, struct store *s, int64_t id,
                              struct campaign *out, struct err *e);

#endif
