/* file.h - reads and writes files, with limits.
 *
 * Errors name the file. Whole files are for what people write (suites, templates); data of any size
 * is read line by line. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/err.h"
#include "base/mem.h"

/* Reads the whole file, NUL-terminated, into arena a. More than max bytes: E_INPUT. "-" is
 * stdin. */
CHECKED enum status file_read(struct arena *a, const char *path, size_t max, struct str *out,
                              struct err *e);

/* Replaces the file atomically; see output.h. */
CHECKED enum status file_write(const char *path, struct str text, struct err *e);

/* Creates every missing folder above the file. */
CHECKED enum status file_folders(struct arena *a, const char *path, struct err *e);

bool file_exists(const char *path);
/* The first byte of a file that is neither white space nor part of a byte order mark. EOF: there is
 * none, or the file cannot be read twice. */
int file_begins(const char *path);
const char *file_temporary(void); /* the folder for temporary files: $TMPDIR, or /tmp */

/* `rel` relative to the directory of file `from`; absolute paths are unchanged. */
const char *file_beside(struct arena *a, const char *from, const char *rel);

/* A file read line by line in constant memory. "-" is stdin. */
struct lines {
    FILE *in;
    const char *path;
    char *text; /* read, but not yet returned: [at, n) */
    size_t at, n, cap, max;
    int64_t number;     /* number of the last line returned */
    int64_t begin, end; /* its range in the file in bytes, including the line break */
    bool ended;
};

CHECKED enum status lines_open(struct lines *l, const char *path, size_t max_line, struct err *e);
/* *more is false at the end. A line longer than max_line or an unreadable file is an error. The
 * line is returned without LF or CRLF, and without a BOM on line 1; it is valid until the next
 * call. */
CHECKED enum status lines_next(struct lines *l, struct str *line, bool *more, struct err *e);
/* The last line will be returned again. */
void lines_again(struct lines *l);
/* Reads more of the file after what was not returned yet, text[at, n), which moves to the front;
 * `ended`: there is no more. For data that is not made of lines. */
CHECKED enum status lines_fill(struct lines *l, struct err *e);
/* For records of several lines: the end of the line that begins at `from`, after its LF or at the
 * end of the file. Both are relative to text + at. Does not look much further than max_line. */
CHECKED enum status lines_end(struct lines *l, size_t from, size_t *out, struct err *e);
void lines_close(struct lines *l);

#endif
