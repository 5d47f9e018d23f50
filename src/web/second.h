/* second.h - the second factor of an account: codes of an authenticator app (base/totp.h), and
 * recovery codes for when the phone is lost; each is valid once. Whoever has passkeys
 * (page_passkey.h) and no app needs a recovery code beside the password. */
#ifndef WEB_SECOND_H
#define WEB_SECOND_H

#include "store/store_people.h"
#include "store/store_web.h"
#include "web/request.h"

enum { SECOND_RECOVERY = 10, SECOND_CODE = 15 }; /* how many; "abcd-efgh-jkmn" and NUL */

/* Does the account have a second factor: an app, or passkeys? */
CHECKED enum status second_has(struct request *q, const struct account_row *account, bool *out,
                               struct err *e);
/* Is this a code of the account, of either kind? It is used up then. An account without a second
 * factor passes with any code, but *strong stays false. */
CHECKED enum status second_check(struct request *q, const struct account_row *account,
                                 struct str code, bool *ok, bool *strong, struct err *e);
/* Replace the recovery codes. In a transaction of the caller's. */
CHECKED enum status second_codes(struct request *q, int64_t account,
                                 char codes[SECOND_RECOVERY][SECOND_CODE], struct err *e);

#endif
