#include "web/device.h"

#include "base/hash.h"
#include "web/response.h"

static const char cookie[] = "device";

/* Is it one of the account of this name? *device is its hash, "" where it has none. */
static enum status device_known(struct request *q, struct str name, const char **device,
                                bool *known, struct err *e)
{
    struct str held = request_cookie(q, response_cookie_name(q, cookie));
    char hash[HASH_HEX];

    *known = false;
    *device = "";
    if (held.n != SESSION_TOKEN - 1 || !name.p)
        return OK;
    hash_hex_of(held, hash);
    *device = arena_text(q->arena, str_of(hash));
    return store_device_known(q->store, *device, name.p, known, e);
}

enum status device_tries(struct request *q, struct str name, const char *from, struct str *out,
                         bool *known, struct err *e)
{
    const char *device;

    if (device_known(q, name, &device, known, e) != OK)
        return e->code;
    *out = str_of(arena_printf(q->arena, "%.*s %s", STR_ARG(name), *known ? device : from));
    return OK;
}

enum status device_remember(struct request *q, struct response *r,
                            const struct account_row *account, struct err *e)
{
    char token[SESSION_TOKEN], hash[HASH_HEX];
    const char *device;
    bool known;

    if (device_known(q, str_of(account->name), &device, &known, e) != OK)
        return e->code;
    if (known)
        return OK;
    session_random(token);
    hash_hex_of(str_of(token), hash);
    response_cookie(q, r, cookie, token, COOKIE_STRICT | COOKIE_LONG);
    return store_device_add(q->store, hash, account->id, q->now_ms, e);
}
