/* evidence.h - the words that judges quote: do they stand in the turns that they name?
 *
 * A judge of interviews supports each mark with quotations, {"turn": 12, "text": "..."}. Every one
 * is looked for in that turn of the transcript, letter by letter but for white space; what is not
 * there stays, marked as not found. A mark for which nothing is quoted truly that was said by who
 * is judged (the instrument says whose words bear a mark out) is a fault of the reply. Pure. */
#ifndef REPLY_EVIDENCE_H
#define REPLY_EVIDENCE_H

#include "reply/reply.h"

struct evidence_quote {
    int64_t turn; /* 0: none was named */
    struct str text;
    bool found;
};

struct evidence_quotes {
    struct evidence_quote *v;
    size_t n;
};

struct evidence_case {
    struct str transcript;
    const struct suite *suite; /* says who is not judged: vocab_is_other() */
    const struct instrument *instrument;
    const char *language; /* of the fault */
};

/* Look up the quotations of a reply without fault. Their marks' evidence becomes the stored form;
 * or the reply has a fault, and no marks. */
void evidence_check(struct arena *a, const struct evidence_case *c, struct reply *r);

/* The stored form, read: a JSON list of {turn, text, found}. What is no such list has none. */
struct evidence_quotes evidence_read(struct arena *a, struct str stored);

/* Every stretch of white space as one space, none around it: transcripts set the lines of an answer
 * in, and browsers copy what they show. Quotations are compared so. */
struct str evidence_spaced(struct arena *a, struct str s);

#endif
