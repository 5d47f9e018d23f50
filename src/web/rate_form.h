/* rate_form.h - the page of an assignment: one of its texts, what it is about beside it, and what
 * can be said about it (rate_scale.h).
 *
 * One text at a time: a passage of ten texts and four scales is ten short pages, and not one of
 * twenty screens. Going from one to the next sends the form, so that nothing depends on a script.
 */
#ifndef WEB_RATE_FORM_H
#define WEB_RATE_FORM_H

#include "web/page_rater.h"

/* A line that a rater gave as a quotation and that does not stand in the text. */
struct rate_refusal {
    const struct slot *slot;
    const char *dimension, *line;
};

struct rate_form {
    const struct visit *g;
    const struct ballot *b;
    const struct ballot_marks *marks;
    const struct slot *missing; /* the first that is not complete; NULL: not looked for */
    const char *missing_dimension;
    size_t nmissing;
    const struct rate_refusal *refused;
    size_t nrefused;
    size_t at;          /* which text is shown, from 0 */
    const char *notice; /* said at the top; NULL */
};

enum status rate_form_page(struct request *q, struct response *r, const struct rate_form *f);

/* Dimensions of the instrument; a pair has one. */
size_t rate_form_dimensions(const struct campaign *c);
const char *rate_form_dimension(const struct campaign *c, size_t i);

/* ---- what the interview room has too ---- */

/* Who is played, or everybody in a cast, folded up. */
void rate_form_role(struct page *p, const struct suite *suite, const struct item *item);
/* What was said: numbered turns, those of an interview part by part. */
void rate_form_turns(struct page *p, const struct suite *suite, const struct item *item,
                     const struct turn_list *turns);
/* A text folded up; nothing where there is none. Its language may be NULL: the reader's. */
void rate_form_fold(struct page *p, enum word title, const char *language, struct str text,
                    bool open);
/* A room, where somebody is talked to: opened up to its title. */
void rate_form_room(struct page *p, struct request *q, struct response *r, const struct visit *g,
                    const char *notice);
/* Where the script says that an answer is waited for. */
void rate_form_status(struct page *p);

#endif
