/* printer.h - pages as PDF and drawings as PNG, by a browser of this machine without a window.
 *
 * A browser sets Chinese and Japanese as it does on the screen and follows our style sheet to the
 * letter; see docs/internals/decisions.md. The page loads nothing and runs no script. */
#ifndef CMD_PRINTER_H
#define CMD_PRINTER_H

#include "base/err.h"
#include "base/mem.h"

/* Is it a file that only a printer can write: .pdf or .png? */
bool printer_is_for(const char *path);
/* `page`: a whole HTML or SVG document; of a drawing, its size in pixels. What is too high for one
 * picture becomes several: r-1.png, r-2.png. *wrote names what was written. E_ABSENT: there is no
 * browser. */
CHECKED enum status printer_write(struct arena *a, struct str page, const char *path,
                                  const char **wrote, struct err *e);

#endif
