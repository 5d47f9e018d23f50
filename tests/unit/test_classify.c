#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "net/classify.h"

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

static void bodies(void **state)
{
    static const struct {
        enum classify_dialect dialect;
        const char *model, *text, *expected;
    } cases[] = {
        {CLASSIFY_PREDICT, "ignored", "お茶\"です\"\n",
         "{\"inputs\":\"お茶\\\"です\\\"\\n\",\"truncate\":true}"},
        {CLASSIFY_MODERATION, "omni", "hi", "{\"model\":\"omni\",\"input\":\"hi\"}"},
        {CLASSIFY_MODERATION, "", "", "{\"input\":\"\"}"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct classify_request req = {cases[i].dialect, cases[i].model, str_of(cases[i].text)};
        assert_string_equal(classify_body(*state, &req).p, cases[i].expected);
    }
}

static void urls(void **state)
{
    static const struct {
        enum classify_dialect dialect;
        const char *base, *url;
    } cases[] = {
        {CLASSIFY_PREDICT, "http://h:8080", "http://h:8080/predict"},
        {CLASSIFY_PREDICT, "http://h/tei/", "http://h/tei/predict"},
        {CLASSIFY_PREDICT, "http://h/predict?x=1", "http://h/predict?x=1"},
        {CLASSIFY_MODERATION, "https://api.example", "https://api.example/v1/moderations"},
        {CLASSIFY_MODERATION, "https://api.example/v1", "https://api.example/v1/moderations"},
        {CLASSIFY_MODERATION, "ftp://h", NULL},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *why = NULL, *url = classify_url(*state, cases[i].dialect, cases[i].base, &why);
        if (cases[i].url)
            assert_string_equal(url, cases[i].url);
        else
            assert_true(!url && why);
    }
}

#define SCORES(inside) "{\"results\":[{\"category_scores\":" inside "}]}"

/* p < 0: a fault is expected. */
static void replies(void **state)
{
    static const struct {
        enum classify_dialect dialect;
        const char *body;
        double p;
        enum chat_fault fault;
        const char *why;
    } cases[] = {
        {CLASSIFY_PREDICT, "[{\"score\":0.25,\"label\":\"x\"}]", 0.25, CHAT_OK, ""},
        {CLASSIFY_PREDICT, "[[{\"label\":\"y\",\"score\":0.5},{\"label\":\"x\",\"score\":0.5}]]",
         0.5, CHAT_OK, ""},
        {CLASSIFY_PREDICT, "[{\"label\":\"x\",\"score\":1}]", 1, CHAT_OK, ""},
        {CLASSIFY_PREDICT, "[{\"label\":\"x\",\"score\":0}]", 0, CHAT_OK, ""},
        {CLASSIFY_PREDICT, "[{\"label\":\"a\",\"score\":1},{\"label\":\"b\",\"score\":0}]", -1,
         CHAT_REJECTED, "no label \"x\"; it has \"a\", \"b\""},
        {CLASSIFY_PREDICT, "[{\"label\":\"x\",\"score\":3.5}]", -1, CHAT_GARBLED, "no probability"},
        {CLASSIFY_PREDICT, "[{\"label\":\"x\"}]", -1, CHAT_GARBLED, "no score"},
        {CLASSIFY_PREDICT, "[]", -1, CHAT_GARBLED, "no list"},
        {CLASSIFY_PREDICT, "{\"score\":1}", -1, CHAT_GARBLED, "no list"},
        {CLASSIFY_PREDICT, "<html>", -1, CHAT_GARBLED, "not JSON"},
        {CLASSIFY_PREDICT, "", -1, CHAT_GARBLED, "not JSON"},
        {CLASSIFY_MODERATION, SCORES("{\"y\":0.1,\"x\":0.75}"), 0.75, CHAT_OK, ""},
        {CLASSIFY_MODERATION, SCORES("{\"y\":0.1}"), -1, CHAT_REJECTED, "it has \"y\""},
        {CLASSIFY_MODERATION, SCORES("{}"), -1, CHAT_REJECTED, "it has none"},
        {CLASSIFY_MODERATION, SCORES("{\"x\":\"0.5\"}"), -1, CHAT_GARBLED, "no score"},
        {CLASSIFY_MODERATION, SCORES("{\"x\":-0.1}"), -1, CHAT_GARBLED, "no probability"},
        {CLASSIFY_MODERATION, "{\"results\":[]}", -1, CHAT_GARBLED, "category_scores"},
        {CLASSIFY_MODERATION, "[]", -1, CHAT_GARBLED, "category_scores"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply raw = {.end = HTTP_DONE, .status = 200, .body = str_of(cases[i].body)};
        struct classify_reply r;
        classify_read(*state, &raw, cases[i].dialect, "x", &r);
        assert_int_equal(r.fault, cases[i].fault);
        assert_non_null(strstr(r.why, cases[i].why));
        if (cases[i].p > 0 && cases[i].p < 1)
            assert_true(fabs(1 / (1 + exp(-r.logit)) - cases[i].p) < 1e-12);
        else if (cases[i].p >= 0)
            assert_true(isfinite(r.logit) && (r.logit > 20) == (cases[i].p > 0.5));
        else
            assert_true(isnan(r.logit));
    }
}

/* The rate counts what exceeds 0: a probability of exactly one half does not. */
static void half_is_not_above(void **state)
{
    struct http_reply raw = {
        .end = HTTP_DONE, .status = 200, .body = STR("[{\"label\":\"x\",\"score\":0.5}]")};
    struct classify_reply r;

    classify_read(*state, &raw, CLASSIFY_PREDICT, "x", &r);
    assert_true(r.logit == 0);
}

static void failures(void **state)
{
    static const struct {
        enum http_end end;
        int status;
        const char *body;
        enum chat_fault fault;
    } cases[] = {
        {HTTP_DONE, 429, "{\"error\":\"Model is overloaded\",\"error_type\":\"overloaded\"}",
         CHAT_RATE_LIMIT},
        {HTTP_DONE, 413, "{\"error\":\"batch size 2 > 1\"}", CHAT_REJECTED},
        {HTTP_DONE, 424, "{\"error\":\"Inference failed\"}", CHAT_REJECTED},
        {HTTP_DONE, 401, "{\"error\":{\"message\":\"no key\"}}", CHAT_AUTH},
        {HTTP_DONE, 503, "", CHAT_OVERLOAD},
        {HTTP_REFUSED, 0, "", CHAT_NETWORK},
        {HTTP_TOO_LARGE, 0, "", CHAT_TOO_LARGE},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply raw = {.end = cases[i].end,
                                 .status = cases[i].status,
                                 .body = str_of(cases[i].body),
                                 .content_type = "application/json",
                                 .why = "why"};
        struct classify_reply r;
        classify_read(*state, &raw, CLASSIFY_PREDICT, "x", &r);
        assert_int_equal(r.fault, cases[i].fault);
        assert_true(r.why[0] != '\0' && isnan(r.logit));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies),   cmocka_unit_test(urls),
        cmocka_unit_test(replies),  cmocka_unit_test(half_is_not_above),
        cmocka_unit_test(failures),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
