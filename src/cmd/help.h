/* help.h - what the program says about itself, made from command_table and share/help and set in
 * lines of so many columns. Pure. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd/cmd.h"

enum { HELP_MAX = 1 << 20 }; /* bytes of any of these texts */

/* NULL: there is no such command. */
const struct command *help_find(const char *name);
/* E_USAGE for an unknown command, suggesting a command or (files) a file with keys that may have
 * been meant. */
enum status help_unknown(const char *name, bool files, struct err *e);

/* Paragraphs about a command, separated by blank lines; lines that begin with a space are examples
 * and keep their form. May be empty. */
struct str help_details(const struct command *c);

enum { HELP_COLUMNS = 80 }; /* at most, however wide the window */
void help_overview(size_t columns, struct buf *out);
void help_command(const struct command *c, size_t columns, struct buf *out);

/* The keys of a kind of file, such as "suite"; false: there is no such kind. */
struct shape_book;
bool help_keys_open(struct arena *a, const char *name, struct shape_book *out);
/* The names of these kinds. Returns how many there are. */
size_t help_keys_files(const char **names, size_t max);
/* Describe a key, a section, or (NULL) all of them; false: there is no such key. */
bool help_keys_say(struct arena *a, const struct shape_book *b, const char *name, size_t columns,
                   struct buf *out);
const char *help_keys_nearest(const struct shape_book *b, const char *name);

/* The manual page as mdoc(7). */
void help_man(struct buf *out);

#endif
