/* help.h - what the program says about itself, from command_table and share/help. Pure. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/cmd.h"

enum { HELP_MAX = 1 << 20 }; /* bytes of any of these texts */

/* NULL when there is no such command. */
const struct command *help_find(const char *name);
/* E_USAGE for a command that is not there, with the one that may have been meant. */
enum status help_unknown(const char *name, struct err *e);

/* Paragraphs about a command, a blank line between them; lines that begin with a space are examples
 * and keep their form. Empty: there are none. */
struct str help_details(const struct command *c);

void help_overview(struct buf *out);
void help_command(const struct command *c, struct buf *out);
/* Append text, broken so that it fits to the right of column `at`, where the cursor is. */
void help_wrapped(struct buf *out, struct str text, size_t at);

/* The keys of suite, models and campaign files; false when the file is none of them. */
struct shape_book;
bool help_keys_open(struct arena *a, const char *name, struct shape_book *out);
/* A key, a section, or (NULL) all; false when there is no such key. */
bool help_keys_say(struct arena *a, const struct shape_book *b, const char *name, struct buf *out);
const char *help_keys_nearest(const struct shape_book *b, const char *name);

/* The manual page as mdoc(7). */
void help_man(struct buf *out);

#endif
