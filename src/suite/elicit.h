/* elicit.h - how answers are obtained. */
#ifndef SUITE_ELICIT_H
#define SUITE_ELICIT_H

#include "suite/cast.h"
#include "suite/template.h"
#include "suite/user.h"

/* The system message of items whose tag is of this kind: see tag.h. */
struct tag_system {
    struct str kind, text;
};

enum elicit_kind { ELICIT_SINGLE, ELICIT_CONTINUE, ELICIT_INTERVIEW, ELICIT_DIALOGUE };
enum take_kind { TAKE_ALL, TAKE_FIRST_LINES, TAKE_LINES };

/* The words of an interview that are not its characters' own. */
struct interview_template {
    const char *name;
    struct str system;         /* what the model under test is told */
    struct str part[3];        /* what the examiner opens each part with */
    struct str task;           /* the task card as it is handed over */
    struct str examiner;       /* what transcripts call whoever asks */
    struct template follow_up; /* what an examiner that is a model is told */
};

/* Who asks. A person does so in a browser (panel/room.h): a run plans such sittings and leaves
 * them. */
enum examiner_kind { EXAMINER_MODEL, EXAMINER_SCRIPT, EXAMINER_PERSON };
extern const char *const vocab_examiners[3]; /* "model", ... as in files */

struct interview {
    const char *bank; /* directory of characters, as the suite names it */
    int sittings;
    int part1, part3; /* questions */
    int follow_ups;
    enum examiner_kind examiner; /* who follows up; a script uses what is prepared */
    struct interview_template template;
};

/* The words of a dialogue that are neither the character's nor the user's. */
struct dialogue_template {
    const char *name;
    struct str system;  /* what the model under test is told */
    struct str user;    /* what a model that plays the user is told */
    struct str opening; /* ... to make it say its first words */
    struct str about;   /* ... when it is to bring something up */
    struct str leave;   /* the mark with which it says that the user leaves */
    struct str summary; /* how a summary of what was said so far is asked for */
    struct str recall;  /* how it is put before what follows */
    /* of scenes with several characters; may be empty where there are none */
    struct str member;   /* what a model is told that plays one of them */
    struct str ensemble; /* ... that plays all of them */
    struct str cue;      /* that this one speaks now */
    struct str director; /* how it is asked who speaks next */
};

/* Who plays the user. A person does so in a browser: a run plans such dialogues and leaves them. */
enum user_by { USER_MODEL, USER_SCRIPT, USER_RECORDED, USER_PERSON };
extern const char *const vocab_users[4];

/* How much of what was said the model is sent. */
enum context_kind { CONTEXT_WHOLE, CONTEXT_LAST, CONTEXT_SUMMARY };

struct dialogue {
    int turns; /* at most: of the user's words and what is answered */
    enum user_by by;
    const struct user *users; /* the first one is the default */
    size_t nusers;
    struct cast cast; /* instead of a user: several characters among themselves */
    enum context_kind context;
    int keep; /* of the last two contexts: so many turns */
    struct dialogue_until {
        const struct str *words; /* an answer that holds one of them ends it */
        size_t nwords;
        bool broken; /* the first sign that the role slips ends it: timeline.h */
    } until;
    struct dialogue_template template;
};

struct elicit {
    enum elicit_kind kind;
    int repeats;
    struct template template; /* no system text at all (NULL): items find theirs by tag */
    const struct tag_system *systems;
    size_t nsystems;
    enum take_kind take;        /* which part of the reply counts */
    int lines;                  /* how many, where it is lines; one first line is `first-line` */
    const char *sampling;       /* JSON object; "{}": the model's defaults */
    struct interview interview; /* of ELICIT_INTERVIEW */
    struct dialogue dialogue;   /* of ELICIT_DIALOGUE */
};

#endif
