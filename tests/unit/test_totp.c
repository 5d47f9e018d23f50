/* Codes of authenticator apps: the vectors of RFC 6238, appendix B (SHA-1; the last six digits). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/totp.h"

#define SECRET "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" /* "12345678901234567890" */

static void published_codes(void **state)
{
    static const struct {
        int64_t seconds;
        int code;
    } cases[] = {{59, 287082},       {1111111109, 81804},  {1111111111, 50471},
                 {1234567890, 5924}, {2000000000, 279037}, {20000000000, 353130}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(totp_code(SECRET, cases[i].seconds / TOTP_STEP_S), cases[i].code);
    assert_int_equal(totp_code("GEZ1", 1), -1);
    assert_int_equal(totp_code("", 1), -1);
}

static void a_step_early_or_late(void **state)
{
    (void)state;
    assert_int_equal(totp_step(SECRET, STR("287082"), 59000), 1);
    assert_int_equal(totp_step(SECRET, STR(" 287082 "), 60000), 1);
    assert_int_equal(totp_step(SECRET, STR("287082"), 29000), 1);
    assert_int_equal(totp_step(SECRET, STR("287082"), 119000), 0);
    assert_int_equal(totp_step(SECRET, STR("28708"), 59000), 0);
    assert_int_equal(totp_step(SECRET, STR(""), 59000), 0);
}

static void secrets_differ(void **state)
{
    char a[TOTP_TEXT], b[TOTP_TEXT];

    (void)state;
    totp_secret(a);
    totp_secret(b);
    assert_string_not_equal(a, b);
    assert_true(totp_code(a, 1) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_codes),
                                       cmocka_unit_test(a_step_early_or_late),
                                       cmocka_unit_test(secrets_differ)};

    return cmocka_run_group_tests_name("totp", tests, NULL, NULL);
}
