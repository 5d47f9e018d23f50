/* help.h - what the program says about itself, all of it from command_table. Pure. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/cmd.h"

enum { HELP_MAX = 1 << 20 }; /* bytes of any of these texts */

/* NULL when there is no such command. */
const struct command *help_find(const char *name);
/* E_USAGE for a command that is not there, with the one that may have been meant. */
enum status help_unknown(const char *name, struct err *e);

void help_overview(struct buf *out);
void help_command(const struct command *c, struct buf *out);
/* The manual page as mdoc(7). */
void help_man(struct buf *out);

#endif
