/* printer.h - pages as PDF and drawings as PNG, printed by a headless browser of this machine.
 *
 * A browser sets Chinese and Japanese as on the screen and follows our style sheet exactly; see
 * docs/internals/decisions.md. The page loads nothing and runs no script. */
#ifndef CMD_PRINTER_H
#define CMD_PRINTER_H

#include "base/err.h"
#include "base/mem.h"

/* Does the name end in .pdf or .png? */
bool printer_is_for(const char *path);
/* `page`: a whole HTML document, or an SVG that states its size. A page too high for one picture
 * becomes several: r-1.png, r-2.png. *wrote names what was written. E_ABSENT: no browser. */
CHECKED enum status printer_write(struct arena *a, struct str page, const char *path,
                                  const char **wrote, struct err *e);

#endif
