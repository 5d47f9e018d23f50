/* shape.h - describes structs that users write in files or that runs store.
 *
 * A table declares each key once: its name, the struct member, the valid values and the default.
 * From the table keys are read (from a file with locations, or from the store), checked, written to
 * the store and documented: shape_help.h. What a table cannot express, such as a scale written as
 * "0..5" or [0, 5], is read by hand and written by a function; it still has a row here.
 *
 * A key added later has `since`. Stored runs without the key keep their meaning: its absence in the
 * store means `before`. At its default it is left out of a run's key, so that the same command
 * still finds the same run. Keys are stored in the order of the table, which must never change. */
#ifndef SUITE_SHAPE_H
#define SUITE_SHAPE_H

#include "base/doc.h"

enum shape_type {
    SHAPE_OWN,     /* anything: read by hand, written by `write` */
    SHAPE_ID,      /* const char *: see field_id() */
    SHAPE_NAME,    /* const char *: an id in any script, see field_name() */
    SHAPE_WORD,    /* const char *: any text */
    SHAPE_TEXT,    /* struct str: a text, or one of several languages */
    SHAPE_PLAIN,   /* struct str: a text in one language */
    SHAPE_TEXTS,   /* const struct str *, number of texts at `count` */
    SHAPE_FIXED,   /* struct str[max] */
    SHAPE_SAID,    /* struct shape_said; with `count`, const struct shape_said *; files only */
    SHAPE_INT,     /* int */
    SHAPE_LONG,    /* int64_t, uint64_t, size_t */
    SHAPE_REAL,    /* double; NaN is absent */
    SHAPE_SECONDS, /* int64_t in milliseconds; written in seconds; files only */
    SHAPE_BOOL,    /* bool */
    SHAPE_CHOICE,  /* an enum, by its words */
    SHAPE_EITHER,  /* bool: true for the second of two words */
    SHAPE_JSON,    /* const char *: a map to merge into requests */
    SHAPE_MAP,     /* a struct described by `of` */
    SHAPE_LIST,    /* array of structs, number at `count` */
};

enum shape_is {
    SHAPE_NEEDED = 1, /* required */
    SHAPE_FILE = 2,   /* in files only */
    SHAPE_STORE = 4,  /* in the store only */
    SHAPE_HAND = 8,   /* read by hand; written according to its type */
    SHAPE_SPARE = 16, /* not stored at its default, or if empty */
    SHAPE_TRIM = 32,  /* texts: strip surrounding spaces */
};

struct shape;
struct shape_key;

/* A trimmed text with its location, for later checks. */
struct shape_said {
    struct str text;
    struct place at;
};

/* Where to write a value, and its key. `whole` is the struct passed to the outermost call. */
struct shape_writing {
    struct arena *a;
    struct buf *b;
    const void *whole;
    const struct shape_key *key;
};

/* Writes the value of w->key in *in as JSON. Returns false if there is nothing to write. */
typedef bool shape_write_fn(const struct shape_writing *w, const void *in);

struct shape_key {
    const char *name;
    enum shape_type type;
    unsigned is; /* flags of enum shape_is */
    size_t at, count;
    double min, max;          /* range of a number; length of a list; also of an OWN key */
    double otherwise, before; /* default; value if absent in the store (with `since`) */
    const char *const *words; /* see SHAPE_WORDS */
    size_t nwords;
    const struct shape *of; /* MAP and LIST; for OWN, the contents, for documentation */
    unsigned kinds;         /* bit set of the kinds that have this key; 0: all */
    const char *since;      /* version that added it; NULL: always there */
    const char *usual;      /* OWN with `since`: its default as stored */
    shape_write_fn *write;
};

#define SHAPE_WORDS(list) .words = (list), .nwords = COUNT(list)
#define SHAPE_KIND(kind)  (1U << (kind))

struct shape {
    const char *name; /* "dimension": used in errors and documentation */
    const struct shape_key *keys;
    size_t n, size;
    const char *by; /* the CHOICE key that selects the kind; NULL if none */
};

#define SHAPE_OF(title, table, type)                                                               \
    .name = (title), .keys = (table), .n = COUNT(table), .size = sizeof(type)

struct shape_reading {
    struct arena *a;
    struct diags *d;
    const char *language; /* for texts with translations */
    bool stored;          /* reading from the store: an absent key means `before` */
};

/* Checks that a map has only the keys of the shape and its kind, and reads all that are not read by
 * hand. n may be NULL: everything gets its default. Absent texts keep their value in *out, or
 * become empty. Returns false if n is not a map. A kind that is read by hand must be set before. */
bool shape_read(const struct shape_reading *r, const struct shape *s, const struct node *n,
                void *out);
/* Reads a single key, for when the order of reading matters. */
void shape_read_key(const struct shape_reading *r, const struct shape *s, const char *name,
                    const struct node *map, void *out);

/* Reads n, an integer of a key that is read by hand, in the key's range. */
int64_t shape_int(const struct shape *s, const char *name, const struct node *n, int64_t otherwise,
                  struct diags *d);

/* Appends *in as JSON. */
void shape_write(const struct shape_writing *w, const struct shape *s, const void *in);
/* Same, as a string. */
const char *shape_text(struct arena *a, const struct shape *s, const void *in);
/* Reads such a string. E_INPUT messages begin with `what`: "stored model". */
CHECKED enum status shape_thaw(struct arena *a, const struct shape *s, struct str frozen,
                               const char *what, void *out, struct err *e);

/* The part of a stored string that goes into a run's key: all but later keys at their defaults. */
const char *shape_hashed(struct arena *a, const struct shape *s, const char *frozen);

/* Helpers for write functions. */
void shape_put_text(struct buf *b, struct str s);
void shape_put_real(struct buf *b, double v);

#endif
