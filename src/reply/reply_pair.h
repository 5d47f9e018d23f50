/* reply_pair.h - which of two answers a judge prefers. Sure or silent.
 *
 * Pure. Read is our own form, a JSON object with a "winner", wherever it stands; else the answer
 * under its heading ("Winner", "更好的回答", "優れているセリフ", ...), which is a letter alone or
 * with its text ("A", "**B**", "Ｂ", "A: she nods"); else a reply that is nothing but the letter.
 * A letter that merely occurs is no verdict. Refused are an echoed instruction, a refusal, two
 * verdicts that differ, verdicts on several characters, and a reply about a character who was not
 * asked about. */
#ifndef REPLY_REPLY_PAIR_H
#define REPLY_REPLY_PAIR_H

#include "suite/vocab.h"

enum pair_choice { PAIR_NONE, PAIR_A, PAIR_B, PAIR_TIE };

const char *reply_pair_word(enum pair_choice c); /* "A", "B", "tie" as stored; "" for none */
enum pair_choice reply_pair_choice(struct str word);

/* What the judge was asked. */
struct pair_ask {
    bool ties;            /* a tie is allowed */
    struct str character; /* whose answers they are; may be empty */
    const struct str *others;
    size_t nothers; /* characters of the suite that the case does not mention */
};

struct pair_reply {
    enum pair_choice choice; /* PAIR_NONE: there is a fault */
    struct str reason;       /* the judge's analysis, where it is told apart */
    const char *fault;       /* NULL: good. Else what is wrong, for repair and for the report */
    const char *kind;        /* of the fault, for counting */
};

/* Of this item: characters of the suite that it speaks of may be spoken of by the judge too. */
struct pair_ask reply_pair_ask(struct arena *a, const struct suite *suite, const struct item *item);

/* Everything in *out lives in arena a or in the text. `language` is that of `fault`. */
void reply_pair_read(struct arena *a, struct str text, const struct pair_ask *ask,
                     const char *language, struct pair_reply *out);

#endif
