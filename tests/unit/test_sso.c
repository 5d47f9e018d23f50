/* Single sign-on without a provider: which addresses are usable, what claims mean, and which of
 * them are believed. Signatures and the way there and back: tests/cli/11-sso.sh. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include "text/base64.h"
#include "web/jwt.h"
#include "web/oidc.h"

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

static void addresses_are_safe(void **state)
{
    static const char *const good[] = {"https://login.example.org", "https://a/b?c=d",
                                       "http://127.0.0.1:4000/x", "http://[::1]:4000/",
                                       "http://localhost/x"},
                             *const bad[] = {"http://login.example.org",
                                             "http://localhost.example.org",
                                             "http://127.0.0.1@elsewhere.example",
                                             "http://127.0.0.1.elsewhere.example",
                                             "ftp://127.0.0.1",
                                             "https://",
                                             "https://a b",
                                             "https://a\r\nX: y",
                                             "javascript:alert(1)",
                                             ""};

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(sso_url_ok(str_of(good[i])));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(sso_url_ok(str_of(bad[i])));
}

static void bytes_as_letters(void **state)
{
    static const char *const pairs[][3] = {{"", "", ""},
                                           {"f", "Zg==", "Zg"},
                                           {"fo", "Zm8=", "Zm8"},
                                           {"foo", "Zm9v", "Zm9v"},
                                           {"\xfb\xff\xfe", "+//+", "-__-"}};
    struct arena *a = *state;
    struct str back;
    struct err e;

    for (size_t i = 0; i < COUNT(pairs); i++) {
        assert_string_equal(base64_write(a, str_of(pairs[i][0])), pairs[i][1]);
        assert_string_equal(base64_url(a, str_of(pairs[i][0])), pairs[i][2]);
        assert_int_equal(base64_read(a, str_of(pairs[i][2]), &back, &e), OK);
        assert_true(str_is(back, pairs[i][0]));
    }
}

/* RFC 7636, appendix B. */
static void a_published_challenge(void **state)
{
    assert_string_equal(oidc_challenge(*state, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
                        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

static void claims_give_roles(void **state)
{
    struct sso_rule rules[] = {{"realm.roles", "boss", "", SSO_ADMIN},
                               {"https://example.org/g", "reader", "", SSO_MEMBER},
                               {"groups", "out", "", SSO_NOBODY},
                               {"verified", "true", "", SSO_MEMBER},
                               {"level", "7", "", SSO_ADMIN}};
    const struct sso s = {.rules = rules, .nrules = COUNT(rules), .otherwise = SSO_ANALYST};
    static const struct {
        const char *claims;
        enum sso_role role;
    } cases[] = {
        {"{\"realm\":{\"roles\":[\"x\",\"boss\"]}}", SSO_ADMIN},
        {"{\"realm.roles\":\"boss\"}", SSO_ADMIN},
        {"{\"realm\":{\"roles\":\"bos\"}}", SSO_ANALYST},
        {"{\"realm\":\"boss\"}", SSO_ANALYST},
        {"{\"realm\":{\"roles\":[[\"boss\"]]}}", SSO_ANALYST},
        {"{\"https://example.org/g\":[\"reader\"]}", SSO_MEMBER},
        {"{\"groups\":[\"out\"]}", SSO_NOBODY},
        {"{\"verified\":true}", SSO_MEMBER},
        {"{\"verified\":false}", SSO_ANALYST},
        {"{\"level\":7}", SSO_ADMIN},
        {"{\"level\":70}", SSO_ANALYST},
        {"{}", SSO_ANALYST},
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(json_freep) json_t *j = NULL;
        assert_int_equal(json_read(str_of(cases[i].claims), &j, &e), OK);
        assert_int_equal(sso_role_of(&s, j), cases[i].role);
    }
}

/* Good ones, and then each thing that may be wrong with them. */
static void claims_are_for_us_and_now(void **state)
{
    const struct sso s = {.issuer = "https://i", .client_id = "c"};
    const struct oidc_step step = {.nonce = "n", .begun_ms = 1000 * 1000},
                           again = {.nonce = "n", .begun_ms = 1000 * 1000, .again = true};
    static const char *const changes[] = {
        "{\"iss\":\"https://i/\"}", "{\"aud\":\"d\"}",
        "{\"aud\":[\"c\",\"d\"]}",  "{\"aud\":[\"c\",\"d\"],\"azp\":\"d\"}",
        "{\"azp\":\"d\"}",          "{\"exp\":900}",
        "{\"exp\":\"2000\"}",       "{\"iat\":2000}",
        "{\"nbf\":2000}",           "{\"nonce\":\"m\"}",
        "{\"nonce\":\"\"}",         "{\"nonce\":null}",
        "{\"sub\":\"\"}",           "{\"sub\":7}",
    };
    AUTO(json_freep) json_t *good = NULL, *more = NULL;
    struct err e;

    (void)state;
    assert_int_equal(json_read(STR("{\"iss\":\"https://i\",\"aud\":\"c\",\"exp\":1300,\"iat\":"
                                   "1000,\"nonce\":\"n\",\"sub\":\"s\"}"),
                               &good, &e),
                     OK);
    assert_int_equal(oidc_check(&s, &step, good, 1000 * 1000, &e), OK);
    assert_int_equal(oidc_check(&s, &again, good, 1000 * 1000, &e), E_INPUT);
    json_put_int(good, "auth_time", 1000);
    assert_int_equal(oidc_check(&s, &again, good, 1000 * 1000, &e), OK);
    json_put_int(good, "auth_time", 100);
    assert_int_equal(oidc_check(&s, &again, good, 1000 * 1000, &e), E_INPUT);
    assert_int_equal(json_read(STR("{\"aud\":[\"c\",\"d\"],\"azp\":\"c\"}"), &more, &e), OK);
    assert_int_equal(json_object_update_missing(more, good), 0);
    assert_int_equal(oidc_check(&s, &step, more, 1000 * 1000, &e), OK);
    for (size_t i = 0; i < COUNT(changes); i++) {
        AUTO(json_freep) json_t *all = json_copy(good), *change = NULL;
        assert_int_equal(json_read(str_of(changes[i]), &change, &e), OK);
        assert_int_equal(json_object_update(all, change), 0);
        assert_int_equal(oidc_check(&s, &step, all, 1000 * 1000, &e), E_INPUT);
    }
}

static void tokens_that_are_none(void **state)
{
    static const char *const bad[] = {
        "", ".", "..", "a.b", "a.b.c.d", "e30.e30.", "bnVsbA.e30.AA", "eyJhbGciOiJub25lIn0.e30."};
    AUTO(json_freep) json_t *keys = json_object();
    json_t *claims;
    struct err e;

    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_int_not_equal(jwt_read(*state, str_of(bad[i]), keys, &claims, &e), OK);
        assert_null(claims);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_safe),        cmocka_unit_test(bytes_as_letters),
        cmocka_unit_test(a_published_challenge),     cmocka_unit_test(claims_give_roles),
        cmocka_unit_test(claims_are_for_us_and_now), cmocka_unit_test(tokens_that_are_none),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
