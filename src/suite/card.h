/* card.h - character cards, as the front ends of role-play keep and trade them.
 *
 * Versions 1, 2 and 3 from JSON, PNG and CHARX become one struct card. Then the macros in its
 * texts are expanded, once and from a seed, and its lorebook tells which entries a conversation
 * calls for. What is odd in a card, or not used here, is a warning; what cannot be read at all is
 * an error. All texts are valid UTF-8, live in the arena that was passed, and share its lifetime.
 * Nothing here is changed after it was made, and no function keeps state.
 * Sources: character card specifications V1, V2 and V3. */
#ifndef SUITE_CARD_H
#define SUITE_CARD_H

#include "base/diag.h"
#include "base/err.h"
#include "base/json.h"

enum {
    CARD_FILE_MAX = 256 << 20, /* bytes; CHARX files carry pictures and sounds */
    CARD_JSON_MAX = 16 << 20,
    CARD_TEXT_MAX = 1 << 20, /* of one text */
    CARD_LIST_MAX = 1000,    /* greetings, tags, assets; keys of one entry */
    CARD_ENTRIES_MAX = 5000,
    CARD_KEYS_MAX = 50000, /* of all entries of a book */
    CARD_NAME_MAX = 100,   /* characters of a name; the rest is cut off */
};

struct card_list {
    struct str *v;
    size_t n;
};

enum card_place { CARD_BEFORE, CARD_AFTER }; /* the text that describes the character */

/* One entry of a lorebook. The members below `source` are read out of it. */
struct card_entry {
    struct str name;
    struct card_list keys, secondary;
    struct str source; /* the content as written, decorators and hidden keys included */
    bool enabled, constant, selective, case_sensitive, regex;
    bool ranked; /* it has a priority */
    double order, priority;
    enum card_place place;

    struct str content;            /* what goes into a prompt */
    struct card_list hidden;       /* what recursive scans see beside it */
    struct card_list also, except; /* one of these is needed as well; none of those may be there */
    bool always, never, stays, once; /* in any case; in none; after a first match: always, never */
    bool first_out;                  /* given up before all others when room is short */
    int64_t after, every;            /* replies of the character; 0: not asked for */
    int64_t scan_depth, greeting;    /* -1: not asked for */
};

struct card_book {
    struct str name;
    int64_t scan_depth, token_budget; /* -1: the card does not say */
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
    struct card_list greetings;                           /* alternate ones */
    struct card_list group_greetings, tags;
    struct card_list assets;      /* "icon: main.png"; listed, never loaded */
    const struct card_book *book; /* NULL: none */
};

/* Where a card is worked on: what is made lives in the arena, warnings go to d with the place. */
struct card_desk {
    struct arena *a;
    struct place at;
    struct diags *d;
};

/* ---- reading ---- */

/* A card from the bytes of a file, of whatever form: the content tells, not the name. A card
 * without a name is read; its name is empty. */
CHECKED enum status card_read(const struct card_desk *desk, struct str file, struct card *out,
                              struct err *e);
/* The same from JSON. */
CHECKED enum status card_from_json(const struct card_desk *desk, const json_t *j, struct card *out,
                                   struct err *e);
/* A lorebook alone, as `character_book` of a card has it. */
CHECKED enum status card_book_from_json(const struct card_desk *desk, const json_t *j,
                                        struct card_book *out, struct err *e);
/* And back; the caller owns the value. */
json_t *card_book_json(const struct card_book *book);

/* Fill the members of an entry that are read out of `source`. */
void card_entry_read(const struct card_desk *desk, struct card_entry *entry);

/* ---- macros ---- */

struct card_cast {
    struct str character; /* {{char}} and <BOT> */
    struct str user;      /* {{user}} and <USER> */
    struct str original;  /* {{original}}: the prompt that the card's own would replace */
    uint64_t seed;
    bool keep_hidden; /* leave {{hidden_key:...}} where it is */
};

/* Expand the macros of a text, the inner ones first. What they stand for is not looked at again.
 * {{random}} and {{roll}} depend on the seed, the text and their place in it, {{pick}} on the seed
 * and its choices alone. An unknown macro stays as it is; *unknown, where it is empty, becomes the
 * first such. */
struct str card_expand(struct arena *a, struct str text, const struct card_cast *cast,
                       struct str *unknown);

/* The card with all of its texts expanded for this user and seed. */
struct card card_play(const struct card_desk *desk, const struct card *card, struct str user,
                      uint64_t seed);

/* ---- lorebooks ---- */

/* A conversation as far as it has got. */
struct card_scene {
    const struct str *texts; /* its messages, the oldest first */
    size_t n;
    int64_t replies;     /* how many messages of the whole conversation were the character's */
    int64_t greeting;    /* which one began it: 0 is the first message; -1: none */
    const bool *matched; /* for each entry whether it matched before; NULL: not known */
};

struct card_lore {
    const struct card_entry **v;
    size_t n;
};

/* The entries that the scene calls for, within the book's budget, in the order of insertion. */
struct card_lore card_lore_find(struct arena *a, const struct card_book *book,
                                const struct card_scene *scene);

/* The text that describes a character with those entries before and after it. */
struct str card_lore_text(struct arena *a, struct str text, struct card_lore lore);

/* ---- character files ---- */

/* The card as a character file (YAML). `language` decides which headings stand between its parts.
 * Warns of everything that the file has no place for. The card has been through card_play().
 * E_INPUT: the file would be larger than doc_load() takes. */
CHECKED enum status card_character(const struct card_desk *desk, const struct card *card,
                                   const char *language, struct str *out, struct err *e);

#endif
