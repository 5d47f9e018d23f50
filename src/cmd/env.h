/* env.h - variables from a .env file.
 *
 *     # a comment
 *     OPENAI_API_KEY=sk-...
 *     export OPENAI_BASE_URL="http://localhost:8000"   # quotes as a shell has them
 *
 * Variables that are set already win; of two lines the later one does, as in a shell. Values are
 * never expanded, printed or logged. Call before threads start: this writes the environment. */
#ifndef CMD_ENV_H
#define CMD_ENV_H

#include "base/err.h"

enum { ENV_BYTES_MAX = 256 << 10, ENV_LINES_MAX = 2000 };

/* Lines that are not KEY=VALUE are skipped; *bad is the number of the first of them, or 0. A
 * missing file is no error, nor is a directory: Python projects have one of that name. */
CHECKED enum status env_load(const char *path, int *bad, struct err *e);

#endif
