/* device.h - browsers in which an account has signed in before.
 *
 * They keep a token for a year, and the store has its hash. Tries from a known browser are counted
 * separately, so that strangers who guess at a password cannot lock its owner out. Changing the
 * password forgets all known browsers. */
#ifndef WEB_DEVICE_H
#define WEB_DEVICE_H

#include "store/store_web.h"
#include "web/request.h"

struct response;

/* The name under which tries for this account are counted: that of the browser if it is *known,
 * else one for all that come `from` there ("": from anywhere). */
CHECKED enum status device_tries(struct request *q, struct str name, const char *from,
                                 struct str *out, bool *known, struct err *e);
/* Remember this browser for the account, unless it is known already. */
CHECKED enum status device_remember(struct request *q, struct response *r,
                                    const struct account_row *account, struct err *e);

#endif
