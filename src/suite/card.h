/* card.h - character cards, in the formats that role-play front ends exchange.
 *
 * Versions 1, 2 and 3 from JSON, PNG and CHARX files become one struct card. The macros in its
 * texts are then expanded once, from a seed, and its lorebook selects the entries that apply to a
 * conversation. Oddities and unsupported features are warnings; a card that cannot be read at all
 * is an error. All texts are valid UTF-8 and live in the arena that was passed. Cards are immutable
 * once built, and no function keeps state. Sources: character card specifications V1, V2 and V3. */
#ifndef SUITE_CARD_H
#define SUITE_CARD_H

#include "base/diag.h"
#include "base/err.h"
#include "base/json.h"

enum {
    CARD_FILE_MAX = 256 << 20, /* bytes; CHARX files contain images and sounds */
    CARD_JSON_MAX = 16 << 20,
    CARD_TEXT_MAX = 1 << 20, /* bytes of one text */
    CARD_LIST_MAX = 1000,    /* per list: greetings, tags, assets, keys of one entry */
    CARD_ENTRIES_MAX = 5000,
    CARD_KEYS_MAX = 50000, /* in all entries of a book */
    CARD_NAME_MAX = 100,   /* characters; longer names are cut */
};

struct card_list {
    struct str *v;
    size_t n;
};

enum card_place { CARD_BEFORE, CARD_AFTER }; /* relative to the character's description */

/* One entry of a lorebook. The members after `place` are parsed from `source`. */
struct card_entry {
    struct str name;
    struct card_list keys, secondary;
    struct str source; /* the raw content, including decorators and hidden keys */
    bool enabled, constant, selective, case_sensitive, regex;
    bool ranked; /* has a priority */
    double order, priority;
    enum card_place place;

    struct str content;              /* the text that goes into the prompt */
    struct card_list hidden;         /* extra keys visible to recursive scans only */
    struct card_list also, except;   /* at least one of `also` must match; none of `except` may */
    bool always, never, stays, once; /* any keys: always, never; after a match: always, never */
    bool first_out;                  /* dropped before all others if over budget */
    int64_t after, every;            /* in replies of the character; 0: no condition */
    int64_t scan_depth, greeting;    /* -1: not set */
};

struct card_book {
    struct str name;
    int64_t scan_depth, token_budget; /* -1: not set */
    bool recursive;
    struct card_entry *v;
    size_t n;
};

struct card {
    int version; /* 1, 2 or 3 */
    struct str name, nickname;
    struct str description, personality, scenario, first_message, examples;
    struct str system, post_history;
    struct str creator, creator_notes, character_version; /* for people; never in a prompt */
    struct card_list greetings;                           /* alternate greetings */
    struct card_list group_greetings, tags;
    struct card_list assets;      /* "icon: main.png"; listed, never loaded */
    const struct card_book *book; /* NULL if none */
};

/* Context for reading a card: results live in the arena, warnings go to d at this location. */
struct card_desk {
    struct arena *a;
    struct place at;
    struct diags *d;
};

/* ---- reading ---- */

/* Reads a card from the bytes of a file. The format is detected from the content, not the file
 * name. A card without a name is accepted; its name is empty. */
CHECKED enum status card_read(const struct card_desk *desk, struct str file, struct card *out,
                              struct err *e);
/* Same, from JSON. */
CHECKED enum status card_from_json(const struct card_desk *desk, const json_t *j, struct card *out,
                                   struct err *e);
/* Reads a lorebook in the format of a card's `character_book`. */
CHECKED enum status card_book_from_json(const struct card_desk *desk, const json_t *j,
                                        struct card_book *out, struct err *e);
/* The inverse. The caller owns the result. */
json_t *card_book_json(const struct card_book *book);

/* Parses `source` into the members of the entry that depend on it. */
void card_entry_read(const struct card_desk *desk, struct card_entry *entry);

/* ---- macros ---- */

struct card_cast {
    struct str character; /* {{char}} and <BOT> */
    struct str user;      /* {{user}} and <USER> */
    struct str original;  /* {{original}}: the default prompt that the card's own prompt replaces */
    uint64_t seed;
    bool keep_hidden; /* leave {{hidden_key:...}} unexpanded */
};

/* Expands the macros in a text, innermost first. Expansions are not scanned again. {{random}} and
 * {{roll}} depend on the seed, the text and how many came before them in it; {{pick}} depends on
 * the seed and its choices only. Unknown macros are left as they are; *unknown is set to the first
 * one if it was empty. */
struct str card_expand(struct arena *a, struct str text, const struct card_cast *cast,
                       struct str *unknown);

/* Returns a copy of the card with all texts expanded for this user and seed. */
struct card card_play(const struct card_desk *desk, const struct card *card, struct str user,
                      uint64_t seed);

/* ---- lorebooks ---- */

/* The conversation so far. */
struct card_scene {
    const struct str *texts; /* its messages, oldest first */
    size_t n;
    int64_t replies;  /* number of the character's messages in the whole conversation */
    int64_t greeting; /* index of the greeting that began it, 0 for the first message; -1: none */
    const bool *matched; /* whether each entry has matched before; NULL: unknown */
};

struct card_lore {
    const struct card_entry **v;
    size_t n;
};

/* The entries that apply to the scene, within the book's token budget, in insertion order. */
struct card_lore card_lore_find(struct arena *a, const struct card_book *book,
                                const struct card_scene *scene);

/* The character's description with those entries inserted before and after it. */
struct str card_lore_text(struct arena *a, struct str text, struct card_lore lore);

/* ---- character files ---- */

/* Writes a card as a character file (YAML). `language` selects the headings between its sections.
 * The card must be expanded by card_play(). Warns about everything that the file format cannot
 * hold. E_INPUT if the file would be too large for doc_load(). */
CHECKED enum status card_character(const struct card_desk *desk, const struct card *card,
                                   const char *language, struct str *out, struct err *e);

#endif
