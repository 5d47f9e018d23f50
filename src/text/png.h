/* png.h - the texts in a PNG file (tEXt, zTXt, iTXt); the picture is ignored.
 *
 * The whole file is read and the length and checksum of every chunk are checked, so that a damaged
 * download is reported as such and not as having no text. Sources: PNG (third edition), 5 and
 * 11.3.3. Views point into the file or live in the arena. Pure. */
#ifndef TEXT_PNG_H
#define TEXT_PNG_H

#include "base/err.h"
#include "base/mem.h"

enum {
    PNG_TEXT_MAX = 24 << 20, /* bytes of one text, as stored and as unpacked */
    PNG_TEXTS_MAX = 1000,
};

struct png_text {
    struct str keyword; /* 1 to 79 bytes */
    struct str packed;  /* as stored; see png_unpack() */
    bool deflated;
    char type[5]; /* "tEXt", "zTXt" or "iTXt" */
    size_t at;    /* where its chunk begins in the file */
};

struct png_texts {
    struct png_text *v;
    size_t n;
};

bool png_is(struct str file); /* it has the signature of a PNG */

/* E_INPUT names the chunk and its byte. A file that ends before IEND is refused. */
CHECKED enum status png_read(struct arena *a, struct str file, struct png_texts *out,
                             struct err *e);

/* The text itself, unpacked if necessary. UTF-8 is not checked. */
CHECKED enum status png_unpack(struct arena *a, const struct png_text *text, struct str *out,
                               struct err *e);

#endif
