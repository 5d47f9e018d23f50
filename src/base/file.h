/* file.h - reading and writing files, with limits.
 *
 * Errors name the file. Whole files are for what a person wrote (suites, templates);
 * data of any size is read line by line. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/mem.h"

/* The whole file, NUL-terminated, in arena a. More than max bytes: E_INPUT. "-" is stdin. */
CHECKED enum status file_read(struct arena *a, const char *path, size_t max, struct str *out,
                              struct err *e);

/* Replace path by text as one step; see output.h. */
CHECKED enum status file_write(const char *path, struct str text, struct err *e);

/* Every folder above the file that is not there yet. */
CHECKED enum status file_folders(struct arena *a, const char *path, struct err *e);

bool file_exists(const char *path);
/* The first byte of a file that is no white space or byte order mark. EOF: there is none, or it
 * is no file that can be read twice. */
int file_begins(const char *path);
const char *file_temporary(void); /* the folder for what does not stay: $TMPDIR, or /tmp */

/* `rel` as seen from the directory of file `from`; absolute paths stay as they are. */
const char *file_beside(struct arena *a, const char *from, const char *rel);

/* A file read line by line in constant memory. "-" is stdin. */
struct lines {
    FILE *in;
    const char *path;
    char *text; /* what was read and not yet handed out: [at, n) */
    size_t at, n, cap, max;
    int64_t number;     /* of the line last returned, from 1 */
    int64_t begin, end; /* its place in the file, in bytes, the line break included */
    bool ended;
};

CHECKED enum status lines_open(struct lines *l, const char *path, size_t max_line, struct err *e);
/* *more is false at the end. A line longer than max_line or an unreadable file is an error.
 * The line has no LF or CRLF, a BOM on line 1 is dropped, and it is valid until the next call. */
CHECKED enum status lines_next(struct lines *l, struct str *line, bool *more, struct err *e);
/* The line that was returned last is the next one. */
void lines_again(struct lines *l);
/* More of the file behind what was not handed out, text[at, n), which moves to the front; `ended`:
 * there is no more. For readers of what are no lines. */
CHECKED enum status lines_fill(struct lines *l, struct err *e);
/* For what may go over several lines: where the line ends that begins at `from`, behind its LF or
 * with the file; both are counted from what is handed out next, at text + at. Looks hardly further
 * than a line may be long. */
CHECKED enum status lines_end(struct lines *l, size_t from, size_t *out, struct err *e);
void lines_close(struct lines *l);

#endif
