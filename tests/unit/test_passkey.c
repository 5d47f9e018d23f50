/* What an authenticator says: made and used as it should be, and then each thing that may be wrong.
 * The authenticator is played here, with keys of GnuTLS; a browser plays it in cli/14-passkey.sh.
 */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <gnutls/abstract.h>
#include <stdlib.h>

#include "text/base64.h"
#include "web/passkey.h"

struct world {
    struct arena *a;
    gnutls_privkey_t private_key;
    struct signature_key key;
};

static struct str spki_of(struct arena *a, gnutls_privkey_t private_key)
{
    gnutls_datum_t der = {0};
    gnutls_pubkey_t public_key;
    struct str out;

    assert_true(gnutls_pubkey_init(&public_key) >= 0);
    assert_true(gnutls_pubkey_import_privkey(public_key, private_key, 0, 0) >= 0);
    assert_true(gnutls_pubkey_export2(public_key, GNUTLS_X509_FMT_DER, &der) >= 0);
    out = arena_str(a, (struct str){(const char *)der.data, der.size});
    gnutls_free(der.data);
    gnutls_pubkey_deinit(public_key);
    return out;
}

static gnutls_privkey_t make_key(gnutls_pk_algorithm_t kind, unsigned bits)
{
    gnutls_privkey_t k;

    assert_true(gnutls_privkey_init(&k) >= 0);
    assert_true(gnutls_privkey_generate(k, kind, bits, 0) >= 0);
    return k;
}

static int setup(void **state)
{
    struct world *w = mem_new(sizeof *w);

    w->a = arena_new();
    w->private_key = make_key(GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1));
    w->key = (struct signature_key){SIGNATURE_ES256, .spki = spki_of(w->a, w->private_key)};
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    gnutls_privkey_deinit(w->private_key);
    arena_free(w->a);
    free(w);
    return 0;
}

static const struct passkey_asked asked = {"abc", "https://rate.example.org", "rate.example.org"};

/* What an authenticator is like; the defaults are good. */
struct played {
    const char *type, *challenge, *origin, *cross, *host;
    unsigned flags, counter;
};
static const struct played good = {.type = "webauthn.get",
                                   .challenge = "abc",
                                   .origin = "https://rate.example.org",
                                   .cross = "false",
                                   .host = "rate.example.org",
                                   .flags = 5,
                                   .counter = 258};

static struct passkey_said say(struct world *w, const struct played *p)
{
    char *data = arena_alloc(w->a, 37);
    unsigned char host[SIGNATURE_SHA256], client[SIGNATURE_SHA256];
    struct passkey_said said = {.authenticator = {data, 37}};
    gnutls_datum_t both, signature;

    said.client = str_of(arena_printf(
        w->a, "{\"type\":\"%s\",\"challenge\":\"%s\",\"origin\":\"%s\",\"crossOrigin\":%s}",
        p->type, base64_url(w->a, str_of(p->challenge)), p->origin, p->cross));
    signature_sha256(str_of(p->host), host);
    memcpy(data, host, sizeof host);
    data[32] = (char)p->flags;
    data[35] = (char)(p->counter >> 8);
    data[36] = (char)(p->counter & 255);
    signature_sha256(said.client, client);
    both = (gnutls_datum_t){arena_alloc(w->a, 69), 69};
    memcpy(both.data, data, 37);
    memcpy(both.data + 37, client, 32);
    assert_true(gnutls_privkey_sign_data2(w->private_key, GNUTLS_SIGN_ECDSA_SHA256, 0, &both,
                                          &signature) >= 0);
    said.signature = arena_str(w->a, (struct str){(const char *)signature.data, signature.size});
    gnutls_free(signature.data);
    return said;
}

static enum status use(struct world *w, struct played p, int64_t *counter)
{
    struct passkey_said said = say(w, &p);
    struct err e;

    return passkey_used(w->a, &asked, &said, &w->key, counter, &e);
}

static void used_as_asked(void **state)
{
    struct world *w = *state;
    struct played p = good;
    int64_t counter = 0;

    assert_int_equal(use(w, good, &counter), OK);
    assert_int_equal(counter, 258);
    p.flags = 1 | 4 | 8 | 16 | 128; /* backed up, with extensions */
    assert_int_equal(use(w, p, &counter), OK);
}

static void used_for_something_else(void **state)
{
    struct world *w = *state;
    struct played p;
    int64_t counter;

#define WRONG(member, value)                                                                       \
    p = good;                                                                                      \
    p.member = (value);                                                                            \
    assert_int_equal(use(w, p, &counter), E_INPUT)
    WRONG(type, "webauthn.create");
    WRONG(challenge, "abd");
    WRONG(challenge, "");
    WRONG(origin, "https://rate.example.org.elsewhere.example");
    WRONG(origin, "http://rate.example.org");
    WRONG(cross, "true");
    WRONG(host, "example.org");
    WRONG(flags, 4); /* nobody was there */
    WRONG(flags, 1); /* and nobody showed who they are */
    WRONG(flags, 0);
#undef WRONG
}

static void signed_by_another(void **state)
{
    struct world *w = *state;
    struct passkey_said said = say(w, &good);
    gnutls_privkey_t other =
        make_key(GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1));
    struct signature_key theirs = {SIGNATURE_ES256, .spki = spki_of(w->a, other)};
    char *changed = arena_alloc(w->a, said.signature.n);
    int64_t counter;
    struct err e;

    assert_int_equal(passkey_used(w->a, &asked, &said, &theirs, &counter, &e), E_INPUT);
    for (size_t i = 0; i < said.signature.n; i++) {
        struct passkey_said forged = said;
        memcpy(changed, said.signature.p, said.signature.n);
        changed[i] = (char)(changed[i] ^ 1);
        forged.signature = (struct str){changed, said.signature.n};
        assert_int_equal(passkey_used(w->a, &asked, &forged, &w->key, &counter, &e), E_INPUT);
        forged = said;
        forged.signature.n = i;
        assert_int_equal(passkey_used(w->a, &asked, &forged, &w->key, &counter, &e), E_INPUT);
    }
    for (size_t n = 0; n < said.authenticator.n; n++) {
        struct passkey_said shorter = said;
        shorter.authenticator.n = n;
        assert_int_equal(passkey_used(w->a, &asked, &shorter, &w->key, &counter, &e), E_INPUT);
    }
    gnutls_privkey_deinit(other);
}

static void made(void **state)
{
    struct world *w = *state;
    struct played p = good;
    struct passkey_said said;
    char data[64] = {0};
    struct str id;
    int64_t counter;
    struct err e;

    p.type = "webauthn.create";
    p.flags = 5 | 64;
    said = say(w, &p);
    memcpy(data, said.authenticator.p, 37);
    data[54] = 4; /* the length of its name */
    memcpy(data + 55, "name", 4);
    said.authenticator = (struct str){data, 60};
    assert_int_equal(passkey_made(w->a, &asked, &said, &id, &counter, &e), OK);
    assert_true(str_is(id, "name"));
    for (size_t n = 0; n < 59; n++) {
        said.authenticator.n = n;
        assert_int_equal(passkey_made(w->a, &asked, &said, &id, &counter, &e), E_INPUT);
    }
    said.authenticator.n = 60;
    data[53] = 4; /* a name of 1028 bytes */
    assert_int_equal(passkey_made(w->a, &asked, &said, &id, &counter, &e), E_INPUT);
    data[53] = data[54] = 0;
    assert_int_equal(passkey_made(w->a, &asked, &said, &id, &counter, &e), E_INPUT);
    data[54] = 4;
    data[32] = 5;
    assert_int_equal(passkey_made(w->a, &asked, &said, &id, &counter, &e), E_INPUT);
}

static void keys_that_are_too_weak(void **state)
{
    struct world *w = *state;
    gnutls_privkey_t short_key = make_key(GNUTLS_PK_RSA, 1024);
    struct signature_key weak = {SIGNATURE_RS256, .spki = spki_of(w->a, short_key)},
                         mixed = {SIGNATURE_RS256, .spki = w->key.spki},
                         none = {SIGNATURE_ES256, .spki = STR("no key")};

    assert_true(signature_key_ok(&w->key));
    assert_false(signature_key_ok(&weak));
    assert_false(signature_key_ok(&mixed));
    assert_false(signature_key_ok(&none));
    gnutls_privkey_deinit(short_key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(used_as_asked),          cmocka_unit_test(used_for_something_else),
        cmocka_unit_test(signed_by_another),      cmocka_unit_test(made),
        cmocka_unit_test(keys_that_are_too_weak),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
