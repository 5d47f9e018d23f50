/* device.h - browsers in which an account has signed in before.
 *
 * They hold a token for a year, of which the store has the hash. Tries from such a browser are
 * counted by themselves, so that strangers who guess at a password do not lock its owner out. A
 * changed password forgets all of them. */
#ifndef WEB_DEVICE_H
#define WEB_DEVICE_H

#include "store/store_web.h"
#include "web/request.h"

struct response;

/* Whose tries for the account of this name are counted together: those of such a browser (*known)
 * by themselves, all others by where they come from ("": wherever that is). */
CHECKED enum status device_tries(struct request *q, struct str name, const char *from,
                                 struct str *out, bool *known, struct err *e);
/* From now on this is such a browser, if it was not. */
CHECKED enum status device_remember(struct request *q, struct response *r,
                                    const struct account_row *account, struct err *e);

#endif
