/* shape.h - a struct that people write in files or that runs store, declared once.
 *
 * A table says of each key what it is called, where it is kept, what it may be and what it is when
 * nobody says so. From it the same key is read (from a file with places, or from the store),
 * checked, written for the store, and explained: shape_help.h. What no table can say, such as a
 * scale that is "0..5" or [0, 5], is read by hand and written by a function; its row is here all
 * the same.
 *
 * A key that is added later has `since`. Stored runs that do not know it stay as they were: its
 * absence in the store means `before`, and at its default it is not part of a run's key, so that
 * the same command finds the same run. The order of rows is the order in which they are stored;
 * it never changes. */
#ifndef SUITE_SHAPE_H
#define SUITE_SHAPE_H

#include "base/doc.h"

enum shape_type {
    SHAPE_OWN,     /* anything: read by hand, written by `write` */
    SHAPE_ID,      /* const char *: see field_id() */
    SHAPE_NAME,    /* const char *: an id in any script, see field_name() */
    SHAPE_WORD,    /* const char *: any text */
    SHAPE_TEXT,    /* struct str: a text, or one of several languages */
    SHAPE_PLAIN,   /* struct str: a text */
    SHAPE_TEXTS,   /* const struct str *, and how many at `count` */
    SHAPE_FIXED,   /* struct str[max] */
    SHAPE_SAID,    /* struct shape_said; with `count`, const struct shape_said *; in files alone */
    SHAPE_INT,     /* int */
    SHAPE_LONG,    /* int64_t, uint64_t, size_t */
    SHAPE_REAL,    /* double; NaN is absent */
    SHAPE_SECONDS, /* int64_t of milliseconds; written in seconds, in files alone */
    SHAPE_BOOL,    /* bool */
    SHAPE_CHOICE,  /* an enum, by its words */
    SHAPE_EITHER,  /* bool: the second of two words */
    SHAPE_JSON,    /* const char *: a map that is merged into requests */
    SHAPE_MAP,     /* a struct: `of` */
    SHAPE_LIST,    /* structs in an array, and how many at `count` */
};

enum shape_is {
    SHAPE_NEEDED = 1, /* its absence is a fault */
    SHAPE_FILE = 2,   /* in files alone */
    SHAPE_STORE = 4,  /* in the store alone */
    SHAPE_HAND = 8,   /* read by hand; written as its type says */
    SHAPE_SPARE = 16, /* not stored while it is its default, or empty */
    SHAPE_TRIM = 32,  /* of texts: without the spaces around them */
};

struct shape;
struct shape_key;

/* A text whose place later checks will name; trimmed. */
struct shape_said {
    struct str text;
    struct place at;
};

/* Where a value is written, and which. `whole` is what the caller has asked to write. */
struct shape_writing {
    struct arena *a;
    struct buf *b;
    const void *whole;
    const struct shape_key *key;
};

/* Write the value of the key of *in as JSON. False: there is nothing to write. */
typedef bool shape_write_fn(const struct shape_writing *w, const void *in);

struct shape_key {
    const char *name;
    enum shape_type type;
    unsigned is; /* enum shape_is */
    size_t at, count;
    double min, max;          /* of a number; of lists, how many there may be */
    double otherwise, before; /* by default; where the store does not know it (with `since`) */
    const char *const *words; /* see SHAPE_WORDS */
    size_t nwords;
    const struct shape *of; /* MAP and LIST; of OWN, what is inside, for those who explain */
    unsigned kinds;         /* bits of the kinds that know it; 0: all of them */
    const char *since;      /* version; NULL: it was always there */
    const char *usual;      /* of OWN with `since`: its default as it is stored */
    shape_write_fn *write;
};

#define SHAPE_WORDS(list) .words = (list), .nwords = COUNT(list)
#define SHAPE_KIND(kind)  (1U << (kind))

struct shape {
    const char *name; /* "dimension": for faults, and where it is explained */
    const struct shape_key *keys;
    size_t n, size;
    const char *by; /* the choice that decides which `kinds` of keys there are; NULL: none */
};

#define SHAPE_OF(title, table, type)                                                               \
    .name = (title), .keys = (table), .n = COUNT(table), .size = sizeof(type)

struct shape_reading {
    struct arena *a;
    struct diags *d;
    const char *language; /* of texts */
    bool stored;          /* from the store, where absent means as it was then */
};

/* The keys of a map are those of the shape, of its kind; and every value that is not read by hand.
 * n may be NULL: all is default. Texts that are absent stay what they are in *out, or become
 * empty. False when n is no map. A kind that is read by hand is set before. */
bool shape_read(const struct shape_reading *r, const struct shape *s, const struct node *n,
                void *out);
/* One of the keys, where the order of reading matters. */
void shape_read_key(const struct shape_reading *r, const struct shape *s, const char *name,
                    const struct node *map, void *out);

/* Append *in as JSON. */
void shape_write(const struct shape_writing *w, const struct shape *s, const void *in);
/* The same as a text. */
const char *shape_text(struct arena *a, const struct shape *s, const void *in);
/* Read such a text. E_INPUT names `what` it was: "stored model". */
CHECKED enum status shape_thaw(struct arena *a, const struct shape *s, struct str frozen,
                               const char *what, void *out, struct err *e);

/* What of a stored text goes into a run's key: all but later keys at their defaults. */
const char *shape_hashed(struct arena *a, const struct shape *s, const char *frozen);

/* Parts for those who write by hand. */
void shape_put_text(struct buf *b, struct str s);
void shape_put_real(struct buf *b, double v);

#endif
