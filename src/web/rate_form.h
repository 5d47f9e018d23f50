/* rate_form.h - the page of an assignment: one of its texts, the passage beside it, and the scales
 * (rate_scale.h).
 *
 * It shows one text at a time: ten texts with four scales make ten short pages instead of one of
 * twenty screens. Going from one to the next submits the form: nothing depends on scripts. */
#ifndef WEB_RATE_FORM_H
#define WEB_RATE_FORM_H

#include "web/page_rater.h"

/* A line that a rater gave as a quotation and that is not in the text. */
struct rate_refusal {
    const struct slot *slot;
    const char *dimension, *line;
};

struct rate_form {
    const struct visit *g;
    const struct ballot *b;
    const struct ballot_marks *marks;
    const struct slot *missing; /* the first text with a mark missing; NULL: not checked */
    const char *missing_dimension;
    size_t nmissing;
    const struct rate_refusal *refused;
    size_t nrefused;
    size_t at;          /* which text is shown, from 0 */
    const char *notice; /* shown at the top; NULL: none */
};

enum status rate_form_page(struct request *q, struct response *r, const struct rate_form *f);

/* Dimensions of the instrument; a pair has one. */
size_t rate_form_dimensions(const struct campaign *c);
const char *rate_form_dimension(const struct campaign *c, size_t i);

/* ---- shared with the rooms ---- */

/* The character that is played, or all of a cast, in folds. */
void rate_form_role(struct page *p, const struct suite *suite, const struct item *item);
/* A transcript: numbered turns, those of an interview part by part. */
void rate_form_turns(struct page *p, const struct suite *suite, const struct item *item,
                     const struct turn_list *turns);
/* A text in a fold; nothing where it is empty. language NULL: the reader's. */
void rate_form_fold(struct page *p, enum word title, const char *language, struct str text,
                    bool open);
/* Open the page of a room, in which raters talk with models. */
void rate_form_room(struct page *p, struct request *q, struct response *r, const struct visit *g,
                    const char *notice);
/* The line in which the script says that it is waiting for an answer. */
void rate_form_status(struct page *p);

#endif
