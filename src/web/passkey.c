#include "web/passkey.h"

#include "base/hash.h"
#include "base/json.h"
#include "text/base64.h"

/* The authenticator's data: hash of the host, flags, counter; and of a new key 16 bytes about its
 * make, the length of its name, the name, the key itself. */
enum {
    AT_FLAGS = SIGNATURE_SHA256,
    AT_COUNTER = AT_FLAGS + 1,
    FIXED = AT_COUNTER + 4,
    AT_LENGTH = FIXED + 16,
    AT_ID = AT_LENGTH + 2,
};
enum { PRESENT = 1, VERIFIED = 4, HAS_KEY = 64 }; /* flags */

static enum status check_client(struct arena *a, const struct passkey_asked *asked,
                                struct str client, const char *type, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;

    if (json_read(client, &j, e) != OK)
        return err_wrap(e, "passkey");
    if (!str_is(json_str_at(j, "type", STR("")), type))
        return err_set(e, E_INPUT, "the passkey was asked for something else");
    if (!hash_same(json_str_at(j, "challenge", STR("")),
                   str_of(base64_url(a, str_of(asked->challenge)))))
        return err_set(e, E_INPUT, "the passkey answers another question");
    if (!str_is(json_str_at(j, "origin", STR("")), asked->origin) ||
        json_is_true(json_object_get(j, "crossOrigin")))
        return err_set(e, E_INPUT, "the passkey was used on another site");
    return OK;
}

static unsigned byte_at(struct str s, size_t i)
{
    return (unsigned char)s.p[i];
}

static enum status check_authenticator(const struct passkey_asked *asked, struct str data,
                                       int64_t *counter, struct err *e)
{
    const unsigned need = PRESENT | VERIFIED;
    unsigned char host[SIGNATURE_SHA256];

    if (data.n < FIXED)
        return err_set(e, E_INPUT, "the passkey's answer is too short");
    signature_sha256(str_of(asked->host), host);
    if (memcmp(data.p, host, sizeof host) != 0)
        return err_set(e, E_INPUT, "the passkey was used on another site");
    if ((byte_at(data, AT_FLAGS) & need) != need)
        return err_set(e, E_INPUT, "the authenticator did not ask who you are");
    *counter = 0;
    for (size_t i = 0; i < 4; i++)
        *counter = *counter << 8 | byte_at(data, AT_COUNTER + i);
    return OK;
}

enum status passkey_made(struct arena *a, const struct passkey_asked *asked,
                         const struct passkey_said *said, struct str *id, int64_t *counter,
                         struct err *e)
{
    struct str data = said->authenticator;
    size_t n;

    if (check_client(a, asked, said->client, "webauthn.create", e) != OK ||
        check_authenticator(asked, data, counter, e) != OK)
        return e->code;
    n = data.n > AT_ID ? byte_at(data, AT_LENGTH) << 8 | byte_at(data, AT_LENGTH + 1) : 0;
    if (!(byte_at(data, AT_FLAGS) & HAS_KEY) || !n || n > PASSKEY_ID_MAX || data.n < AT_ID + n)
        return err_set(e, E_INPUT, "the passkey's answer is too short");
    *id = (struct str){data.p + AT_ID, n};
    return OK;
}

enum status passkey_used(struct arena *a, const struct passkey_asked *asked,
                         const struct passkey_said *said, const struct signature_key *key,
                         int64_t *counter, struct err *e)
{
    unsigned char client[SIGNATURE_SHA256];
    size_t n = said->authenticator.n;
    char *text;

    if (check_client(a, asked, said->client, "webauthn.get", e) != OK ||
        check_authenticator(asked, said->authenticator, counter, e) != OK)
        return e->code;
    signature_sha256(said->client, client);
    text = arena_alloc(a, n + sizeof client);
    memcpy(text, said->authenticator.p, n);
    memcpy(text + n, client, sizeof client);
    return signature_fits(key, (struct str){text, n + sizeof client}, said->signature)
               ? OK
               : err_set(e, E_INPUT, "the passkey's signature is wrong");
}
