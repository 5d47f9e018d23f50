/* slot.h - parallel forms of an item: the same task with other names, places, numbers and facts.
 *
 *     prompt: '{{who}} brings {{n}} {{beasts}}. "What do I owe you?"'
 *     reference: 'That is {{owed}} pence.'
 *     slots:
 *       who: [Nan Pyke, Wat Dyer, Joan Reeve]
 *       "n, beasts": [[7, sheep], [9, pigs], [6, calves]]
 *       owed: "= n * 2"
 *     holds: ["owed < 20"]
 *
 * The first row of each table is the published form, number 0. Any other form draws from the
 * remaining rows, depending only on form, item and table, so that none of its values was ever
 * published. A form is built from the nodes of a file, before the item is parsed. */
#ifndef SUITE_SLOT_H
#define SUITE_SLOT_H

#include "base/node.h"

/* Returns the item in this form: without `slots` and `holds` and with every {{slot}} filled,
 * allocated in the arena; the node itself if it has no slots. Whatever would be wrong in any form
 * (an unknown name, an unused slot, a condition that does not hold) is an error. NULL on errors. */
const struct node *slot_fill(struct arena *a, const struct node *item, int64_t form,
                             struct diags *d);
/* True if the item has other forms. */
bool slot_varies(const struct node *item);

#endif
