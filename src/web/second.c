#include "web/second.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/totp.h"
#include "store/store_sign_in.h"
#include "web/device.h"
#include "web/site.h"

/* Capitals, blanks and dashes do not matter. */
static void hash_code(struct str code, char out[HASH_HEX])
{
    char plain[SECOND_CODE];
    size_t n = 0;

    for (size_t i = 0; i < code.n && n < sizeof plain; i++) {
        if (str_alnum(code.p[i]))
            plain[n++] = str_lower(code.p[i]);
    }
    hash_hex_of((struct str){plain, n}, out);
}

enum status second_has(struct request *q, const struct account_row *account, bool *out,
                       struct err *e)
{
    struct passkey_list keys;

    if (store_passkey_list(q->arena, q->store, account->id, &keys, e) != OK)
        return e->code;
    *out = account->totp || keys.n;
    return OK;
}

enum status second_check(struct request *q, const struct account_row *account, struct str code,
                         bool *ok, bool *strong, struct err *e)
{
    char hash[HASH_HEX];
    struct str who;
    int64_t step;
    bool known, needed = false;

    *strong = false;
    if (second_has(q, account, &needed, e) != OK)
        return e->code;
    *ok = !needed;
    if (*ok || !code.n)
        return OK;
    /* Counted wherever they come from: a code has six digits, and who guesses has the password. */
    if (device_tries(q, str_of(account->name), "", &who, &known, e) != OK)
        return e->code;
    /* To say so would tell that the password is right. */
    if (throttle_take(q->site->throttle, THROTTLE_SECOND, who, clock_mono_ms()))
        return OK;
    step = account->totp ? totp_step(account->totp, code, q->now_ms) : 0;
    hash_code(code, hash);
    if ((step ? store_people_totp_use(q->store, account->id, step, ok, e)
              : store_people_recover(q->store, account->id, hash, ok, e)) != OK)
        return e->code;
    *strong = *ok;
    if (*ok)
        throttle_give_back(q->site->throttle, THROTTLE_SECOND, who);
    return OK;
}

enum status second_codes(struct request *q, int64_t account,
                         char codes[SECOND_RECOVERY][SECOND_CODE], struct err *e)
{
    char hash[HASH_HEX];

    if (store_people_forget_codes(q->store, account, e) != OK)
        return e->code;
    for (size_t i = 0; i < SECOND_RECOVERY; i++) {
        /* 60 random bits are enough: guesses are limited as those at passwords are. */
        session_code(codes[i], SECOND_CODE, "abcdefghijkmnpqrstuvwxyz23456789");
        hash_code(str_of(codes[i]), hash);
        if (store_people_recovery(q->store, account, hash, e) != OK)
            return e->code;
    }
    return OK;
}
