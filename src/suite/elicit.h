/* elicit.h - how answers are obtained. */
#ifndef SUITE_ELICIT_H
#define SUITE_ELICIT_H

#include "suite/template.h"

/* The system message of items whose tag is of this kind: see tag.h. */
struct tag_system {
    struct str kind, text;
};

enum elicit_kind { ELICIT_SINGLE, ELICIT_CONTINUE, ELICIT_INTERVIEW };
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

struct interview {
    const char *bank; /* directory of characters, as the suite names it */
    int sittings;
    int part1, part3; /* questions */
    int follow_ups;
    enum examiner_kind examiner; /* who follows up; a script uses what is prepared */
    struct interview_template template;
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
};

#endif
