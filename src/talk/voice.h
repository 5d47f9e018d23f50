/* voice.h - what somebody who talks with a character said, and in whose voice.
 *
 * Models that play one side like to write the other's lines too, to repeat themselves, or never to
 * come to an end. Each of these is found by rule and named. Pure. */
#ifndef TALK_VOICE_H
#define TALK_VOICE_H

#include "suite/turn.h"
#include "suite/user.h"
#include "suite/vocab.h"
#include "text/rune.h"

enum {
    VOICE_LINE_MAX = 2000,    /* code points of what a user says at once */
    VOICE_ANSWER_MAX = 10000, /* ... and of an answer */
};

/* What is odd about a turn, as it is stored. */
#define VOICE_REPEATS "repeats itself"
#define VOICE_BOTH    "speaks for the character too"
#define VOICE_USER    "speaks for the user too"
#define VOICE_OTHERS  "speaks for others too"

struct voice_line {
    struct str text; /* what the user says; may be empty */
    const char *why; /* what is odd about it, or "" */
    bool leaves;
};

/* The words of a model that plays the user, up to the first line that is the character's or the
 * mark with which the user leaves. */
void voice_read(struct arena *a, struct str user, struct str character, struct str mark,
                struct str reply, struct voice_line *out);
/* What a user has said so far, folded once: every line is held against all that went before. */
enum { VOICE_KINDS = 64 }; /* of runes */
struct voice_words {
    struct str text;
    struct runes folded;
    uint16_t *rows;             /* numbers of three runes in a row, and the next three, ... */
    uint8_t times[VOICE_KINDS]; /* how often a kind stands in it, 255 at most */
};
struct voice_lines {
    struct voice_words *v;
    size_t n, most;
    size_t heard;            /* turns that were looked at */
    struct voice_words last; /* what was looked for; mostly it becomes a turn */
};
/* Has the user said nearly the same before? What is remembered of the turns lives in the arena. */
bool voice_repeats(struct arena *a, struct voice_lines *said, const struct turn_list *turns,
                   struct str text);
/* The user has done so twice in a row: the talk leads nowhere. */
bool voice_is_stuck(const struct turn_list *turns);

/* An answer as it counts; *why says what is odd about it, or "". */
struct str voice_answer(struct arena *a, struct str user, struct str reply, const char **why);

/* The line of one of several characters: without its own name in front of it, and up to the first
 * line that is another's. */
struct voice_cast {
    struct str *v; /* names of the others */
    size_t n;
};
struct str voice_line_of(struct arena *a, struct str name, const struct voice_cast *others,
                         struct str reply, const char **why);

/* What transcripts call whoever speaks. */
struct str voice_name(const struct suite *s, const struct item *item, const struct turn *t);
/* It was said to somebody: no summary, no direction. */
bool voice_is_said(const struct turn *t);
void voice_keep_said(struct turn_list *turns); /* the others are left out */
/* "[1] Name: words" of all that was said. */
struct str voice_transcript(struct arena *a, const struct suite *s, const struct item *item,
                            const struct turn_list *turns);

/* The same of a stretch of a dialogue. */
struct str voice_stretch(struct arena *a, const struct suite *s, const struct item *item,
                         const struct turn_list *turns, struct turn_span span);

/* How the user writes, and when they leave, as a model that plays them is told. */
struct str voice_style(struct arena *a, const struct user *u, const char *language);
struct str voice_leaves(struct arena *a, const struct user *u, const char *language);

#endif
