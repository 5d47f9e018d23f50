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
 * The first row of each table is the published form, number 0. Any other form draws its rows from
 * the rest, by form, item and table alone, so that nothing of it was ever published as it stands.
 * A form is made of the nodes of a file, before anybody reads an item from them. */
#ifndef SUITE_SLOT_H
#define SUITE_SLOT_H

#include "base/node.h"

/* The item as this form has it: `slots` and `holds` are gone and every {{slot}} is filled, in
 * memory of the arena; the node itself where it has no slots. Everything that would be wrong in any
 * form (an unknown name, a slot that nothing uses, what does not hold) is a fault. NULL when there
 * is no form to speak of. */
const struct node *slot_fill(struct arena *a, const struct node *item, int64_t form,
                             struct diags *d);
/* It has other forms. */
bool slot_varies(const struct node *item);

#endif
