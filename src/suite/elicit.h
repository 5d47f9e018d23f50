/* elicit.h - how answers are obtained. */
#ifndef SUITE_ELICIT_H
#define SUITE_ELICIT_H

#include "suite/cast.h"
#include "suite/template.h"
#include "suite/user.h"

/* The system message for items whose tag has this kind: see tag.h. */
struct tag_system {
    struct str kind, text;
};

enum elicit_kind { ELICIT_SINGLE, ELICIT_CONTINUE, ELICIT_INTERVIEW, ELICIT_DIALOGUE };
enum take_kind { TAKE_ALL, TAKE_FIRST_LINES, TAKE_LINES };

/* The texts of an interview that do not depend on its characters. */
struct interview_template {
    const char *name;
    struct str system;         /* system message of the model under test */
    struct str part[3];        /* what the examiner says at the start of each part */
    struct str task;           /* the task card as presented */
    struct str examiner;       /* the examiner's name in transcripts */
    struct template follow_up; /* prompt for a model that examines */
};

/* Who asks. A person does so in a browser (panel/room.h): a run plans such sittings but does not
 * conduct them. */
enum examiner_kind { EXAMINER_MODEL, EXAMINER_SCRIPT, EXAMINER_PERSON };
extern const char *const vocab_examiners[3]; /* "model", ... as in files */

struct interview {
    const char *bank; /* directory of characters, as named in the suite */
    int sittings;
    int part1, part3; /* number of questions */
    int follow_ups;
    enum examiner_kind examiner; /* who asks the follow-ups; a script uses the prepared ones */
    struct interview_template template;
};

/* The texts of a dialogue that are neither the character's nor the user's. */
struct dialogue_template {
    const char *name;
    struct str system;  /* system message of the model under test */
    struct str user;    /* system message of a model that plays the user */
    struct str opening; /* asks that model for the user's first words */
    struct str about;   /* asks it to bring up a topic */
    struct str leave;   /* marker with which it says that the user leaves */
    struct str summary; /* asks for a summary of the conversation so far */
    struct str recall;  /* introduces the summary to what follows */
    /* for scenes with several characters; may be empty otherwise */
    struct str member;   /* system message of a model that plays one of them */
    struct str ensemble; /* system message of a model that plays all of them */
    struct str cue;      /* tells it who speaks now */
    struct str director; /* asks who speaks next */
};

/* Who plays the user. A person does so in a browser: a run plans such dialogues but does not
 * conduct them. */
enum user_by { USER_MODEL, USER_SCRIPT, USER_RECORDED, USER_PERSON };
extern const char *const vocab_users[4];

/* How much of the conversation the model is sent. */
enum context_kind { CONTEXT_WHOLE, CONTEXT_LAST, CONTEXT_SUMMARY };

struct dialogue {
    int turns; /* maximum; a turn is what the user says and the reply */
    enum user_by by;
    const struct user *users; /* the first one is the default */
    size_t nusers;
    struct cast cast; /* several characters among themselves, instead of a user */
    enum context_kind context;
    int keep; /* turns to keep, for CONTEXT_LAST and CONTEXT_SUMMARY */
    struct dialogue_until {
        const struct str *words; /* a reply that contains one of these ends the dialogue */
        size_t nwords;
        bool broken; /* the first sign of a broken role ends it: timeline.h */
    } until;
    struct dialogue_template template;
};

struct elicit {
    enum elicit_kind kind;
    int repeats;
    struct template template; /* system.p is NULL if items choose theirs by tag only */
    const struct tag_system *systems;
    size_t nsystems;
    enum take_kind take;        /* the part of the reply that counts */
    int lines;                  /* number, for TAKE_FIRST_LINES and TAKE_LINES; 1 is `first-line` */
    const char *sampling;       /* JSON object; "{}": the model's defaults */
    struct interview interview; /* for ELICIT_INTERVIEW */
    struct dialogue dialogue;   /* for ELICIT_DIALOGUE */
};

#endif
