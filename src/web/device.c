#include "web/device.h"

#include "web/response.h"

static const char cookie[] = "device";

/* Is the browser known for this account? *device is the hash of its token; "": it has none. */
static enum status device_known(struct request *q, struct str name, const char **device,
                                bool *known, struct err *e)
{
    struct str held = request_cookie(q, response_cookie_name(q, cookie));

    *known = false;
    *device = "";
    if (held.n != SESSION_TOKEN - 1 || !name.p)
        return OK;
    *device = session_hash(q->arena, held);
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
    char token[SESSION_TOKEN];
    const char *device;
    bool known;

    if (device_known(q, str_of(account->name), &device, &known, e) != OK)
        return e->code;
    if (known)
        return OK;
    session_random(token);
    response_cookie(q, r, cookie, token, COOKIE_STRICT | COOKIE_LONG);
    return store_device_add(q->store, session_hash(q->arena, str_of(token)), account->id, q->now_ms,
                            e);
}
