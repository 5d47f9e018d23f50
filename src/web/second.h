/* second.h - the second factor of an account: codes of an authenticator app (base/totp.h), each
 * good once, and codes to recover with when the phone is lost, each good once too. Whoever has
 * passkeys (page_passkey.h) and no app needs a code to recover with beside the password. */
#ifndef WEB_SECOND_H
#define WEB_SECOND_H

#include "store/store_people.h"
#include "store/store_web.h"
#include "web/request.h"

enum { SECOND_RECOVERY = 10, SECOND_CODE = 15 }; /* how many; "abcd-efgh-jkmn" and NUL */

/* Is this a code of the account, of either kind? It is used up then. Without a second factor: yes,
 * and nothing was shown by it (*strong). */
CHECKED enum status second_check(struct request *q, const struct account_row *account,
                                 struct str code, bool *ok, bool *strong, struct err *e);
/* New codes to recover with in place of those there were. In a transaction of the caller's. */
CHECKED enum status second_codes(struct request *q, int64_t account,
                                 char codes[SECOND_RECOVERY][SECOND_CODE], struct err *e);
/* Begin with this secret; makes the codes to recover with. In a transaction of the caller's. */
CHECKED enum status second_begin(struct request *q, int64_t account, const char *secret,
                                 char codes[SECOND_RECOVERY][SECOND_CODE], struct err *e);

#endif
