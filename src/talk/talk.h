/* talk.h - a conversation on its way: who speaks next, what they are told, when it is over.
 *
 * A talk is a list of turns that grows. Its course (an interview, a dialogue, a scene) knows what
 * comes after the turns that are there: words that are fixed, which it adds by itself, or somebody
 * who has to be asked. Everything follows from the item and the turns, so that a talk that was cut
 * off is opened with its stored turns and goes on.
 *
 * No database and no network: whoever drives a talk asks, stores and hands back (eval/elicit_talk.c
 * in a run). Everything lives in the talk's arena. */
#ifndef TALK_TALK_H
#define TALK_TALK_H

#include "net/chat.h"
#include "store/store_work.h"
#include "suite/item.h"
#include "suite/suite.h"
#include "suite/turn.h"

/* A person has to speak next, who is told nothing: there is no request. */
#define TALK_PERSON (-1)

struct talk_course;

struct talk {
    struct arena *a;
    const struct suite *suite;
    struct item item;
    int64_t repeat;
    const struct character *who;
    const struct talk_course *course;
    void *own;                    /* the course's */
    const struct timeline *signs; /* where a role that slips ends it; otherwise NULL */

    struct turn_list turns; /* room for all that there can be */
    struct turn *replied;   /* the turn that the last reply became; NULL: none */
    struct spent sought;    /* what requests for the turn that came to nothing have used */
    int64_t elapsed_ms;     /* of the request whose reply is being taken */

    /* the next request */
    struct chat_turn *ask;
    size_t nask;
    struct chat_told *told; /* of the view that is asked; NULL: only a part of one is asked */
    int to;          /* 0: the model under test; else who of the run's others, or TALK_PERSON */
    int again;       /* it is the same question once more: so often */
    int64_t apart;   /* tells talks apart that are otherwise the same */
    bool referenced; /* the request can be made again from the turns: its body is not kept */

    /* how it ended */
    const char *finish; /* "leave", "limit", ...; of an interview what the last reply ended with */
    struct str transcript;
};

struct talk_course {
    /* Read the item; make room for the turns. */
    enum status (*open)(struct talk *t, struct err *e);
    /* Whether these turns are the beginning of this talk. */
    bool (*fits)(const struct talk *t, const struct turn_list *turns);
    /* A turn was added, by talk_add() or out of the store. */
    void (*heard)(struct talk *t, const struct turn *turn);
    /* Say what needs nobody's answer. True: a request stands; false: it is over. */
    bool (*next)(struct talk *t);
    /* A reply has come. True: a request stands, for the same turn. */
    bool (*take)(struct talk *t, const struct chat_reply *reply);
    /* No reply could be had. True: the talk goes on without it. */
    bool (*miss)(struct talk *t, const char *fault, const char *why);
};

extern const struct talk_course interview_course, dialogue_course, scene_course;

/* The conversation as one side sees it, in the messages of its requests; a system message begins
 * it. */
struct view {
    struct chat_turn *v;
    size_t n;
    struct chat_told *told;
};
struct view view_new(struct arena *a, size_t most); /* the system message is still to be told */
void view_push(struct arena *a, struct view *v, const char *role, struct str text);

/* `item` and `repeat` are set; the old turns are taken over. */
CHECKED enum status talk_open(struct talk *t, const struct turn_list *old, struct err *e);

/* What was just answered ends a dialogue or a scene, as `until` says. */
bool talk_ends_by_rule(const struct talk *t, const struct turn *answer);

/* The next turn. */
struct turn *talk_add(struct talk *t, const struct turn *turn);
/* The same, with what it took. */
void talk_add_reply(struct talk *t, struct turn *turn, const struct chat_reply *reply);
/* A reply that becomes no turn: what it took counts for the one that is sought. */
void talk_count(struct talk *t, const struct chat_reply *reply);

#endif
