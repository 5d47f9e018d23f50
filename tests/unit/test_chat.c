#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/chat.h"

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

/* --- asking --- */

static void bodies(void **state)
{
    static const struct chat_turn turns[] = {
        {.role = "system", .text = {"你是\"玲\"\n", 12}},
        {.role = "user", .text = {"hi", 2}},
    };
    static const struct {
        const char *parameters, *tail;
    } cases[] = {
        {"null", ""},
        {"{}", ""},
        {"{\"temperature\":0.5,\"max_tokens\":64}", ",\"temperature\":0.5,\"max_tokens\":64"},
        {"{\"model\":\"other\",\"messages\":[],\"seed\":1}", ",\"seed\":1"},
        {"{\"stream\":true,\"stream_options\":{},\"x\":{\"b\":1,\"a\":[2]}}",
         ",\"x\":{\"b\":1,\"a\":[2]}"},
        {"{\"stream\":false}", ",\"stream\":false"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(json_freep)
        json_t *parameters = json_loads(cases[i].parameters, JSON_DECODE_ANY, NULL);
        struct chat_request req = {
            .model = "m-1", .turns = turns, .nturns = COUNT(turns), .parameters = parameters};
        const char *expected = arena_printf(*state,
                                            "{\"model\":\"m-1\",\"messages\":[{\"role\":\"system\","
                                            "\"content\":\"你是\\\"玲\\\"\\n\"},"
                                            "{\"role\":\"user\",\"content\":\"hi\"}]%s}",
                                            cases[i].tail);
        assert_string_equal(chat_body(*state, &req).p, expected);
        req.written = chat_parameters(*state, parameters);
        assert_string_equal(chat_body(*state, &req).p, expected);
    }
}

static uint64_t hash_of_request(struct arena *a, const struct chat_request *req)
{
    struct hash h;

    hash_init(&h);
    chat_hash(a, req, &h);
    return hash_u64(&h);
}

/* A word, a role and a parameter tell requests apart. */
static void requests_are_told_apart(void **state)
{
    AUTO(json_freep) json_t *cold = json_pack("{sf}", "temperature", 0.0);
    struct chat_turn turns[] = {{.role = "system", .text = STR("You are 玲.")},
                                {.role = "user", .text = STR("hi")}};
    struct chat_request req = {.model = "m-1", .turns = turns, .nturns = COUNT(turns)};
    uint64_t plain = hash_of_request(*state, &req);

    assert_in_range(chat_request_tokens(&req), 4, chat_tokens_guess(chat_body(*state, &req)));
    turns[1].text = STR("ho");
    assert_true(hash_of_request(*state, &req) != plain);
    turns[1] = (struct chat_turn){"assistant", STR("hi")};
    assert_true(hash_of_request(*state, &req) != plain);
    turns[1].role = "user";
    assert_true(hash_of_request(*state, &req) == plain);
    req.parameters = cold;
    assert_true(hash_of_request(*state, &req) != plain);
}

/* Requests of a conversation, made out of what was told before, and the same without: the first
 * message may change, and the last as long as none follows it; and the server may refuse something
 * on the way. */
static void told_once(struct arena *a, enum dialect dialect, bool interrupted)
{
    const struct chat_turn said[] = {{"system", {"You are 玲.", 12}},
                                     {"assistant", {"The \"gate\" is shut.", 19}},
                                     {"user", {"Why?", 4}},
                                     {"assistant", {"The level.\n", 11}},
                                     {interrupted ? "system" : "user", {"And\tnow?", 8}},
                                     {"assistant", {"Wait.", 5}}};
    struct chat_turn turns[COUNT(said)];
    struct chat_request anew = {.model = "m-1", .turns = turns, .dialect = dialect}, told = anew;

    told.told = chat_told_new(a);
    for (size_t n = 0; n <= COUNT(said); n++)
        for (int change = 0; change < 5; change++) {
            struct str body;
            memcpy(turns, said, sizeof turns);
            if (n > 1 && change == 1)
                turns[n - 1].text = STR("Why? (Be brief.)");
            if (n > 1 && change == 2)
                turns[0].text = STR("You are 玲, and tired.");
            if (n > 1 && change == 3)
                turns[0].text = STR("You are 珊.");
            told.nturns = anew.nturns = n;
            told.avoid = anew.avoid = change == 4 ? AVOID_SAMPLING : 0;
            assert_true(hash_of_request(a, &told) == hash_of_request(a, &anew));
            body = chat_body(a, &anew);
            assert_true(str_eq(chat_body(a, &told), body));
            if (dialect == DIALECT_OPENAI)
                assert_in_range(chat_request_tokens(&told), n, chat_tokens_guess(body));
        }
}

static void conversation_is_told_once(void **state)
{
    for (size_t d = 0; d < DIALECTS; d++) {
        told_once(*state, (enum dialect)d, false);
        told_once(*state, (enum dialect)d, true);
    }
}

/* An ensemble of which one is played by another model, that of another server. */
static void conversation_in_two_dialects(void **state)
{
    const struct chat_turn turns[] = {{"system", STR("You are all.")}, {"assistant", STR("One.")},
                                      {"assistant", STR("Two.")},      {"assistant", STR("Three.")},
                                      {"assistant", STR("Four.")},     {"user", STR("Your turn.")}};
    struct chat_request anew = {.model = "m-1", .turns = turns}, told = anew;

    told.told = chat_told_new(*state);
    for (size_t n = 1; n <= COUNT(turns); n++) {
        told.nturns = anew.nturns = n;
        told.dialect = anew.dialect = n % 2 ? DIALECT_OPENAI : DIALECT_GEMINI;
        assert_true(hash_of_request(*state, &told) == hash_of_request(*state, &anew));
        assert_true(str_eq(chat_body(*state, &told), chat_body(*state, &anew)));
    }
}

static void body_without_parameters(void **state)
{
    struct chat_request req = {.model = "m"};

    assert_string_equal(chat_body(*state, &req).p, "{\"model\":\"m\",\"messages\":[]}");
}

static void urls(void **state)
{
    static const struct {
        const char *base, *full;
    } cases[] = {
        {"http://host:8000", "http://host:8000/v1/chat/completions"},
        {"http://host:8000/", "http://host:8000/v1/chat/completions"},
        {" HTTPS://host ", "HTTPS://host/v1/chat/completions"},
        {"https://host/v1", "https://host/v1/chat/completions"},
        {"https://host/v1//", "https://host/v1/chat/completions"},
        {"https://host/api/openai", "https://host/api/openai/chat/completions"},
        {"https://host/v1/chat/completions", "https://host/v1/chat/completions"},
        {"https://host/v1/chat/completions/", "https://host/v1/chat/completions"},
        {"https://h/openai/deployments/d?api-version=1",
         "https://h/openai/deployments/d/chat/completions?api-version=1"},
        {"https://h?k=/chat/completions", "https://h/v1/chat/completions?k=/chat/completions"},
        {"http://[::1]:80", "http://[::1]:80/v1/chat/completions"},
        {"http://host/?a=x@y", "http://host/v1/chat/completions?a=x@y"},
        {"", NULL},
        {"host:8000", NULL},
        {"ftp://host", NULL},
        {"http://", NULL},
        {"http:///v1", NULL},
        {"http://?x", NULL},
        {"http://a b", NULL},
        {"http://a\r\nX: y", NULL},
        {"http://me:secret@host", NULL},
        {"http://host/#part", NULL},
        {"https://host/v1?api-key=abc", NULL},
        {"https://host/v1?API-KEY=abc", NULL},
        {"https://host/v1?v=1&access_token=abc", NULL},
        {"https://host/v1?api-version=1", "https://host/v1/chat/completions?api-version=1"},
    };
    static const struct chat_path completions = {"/v1", "/chat/completions"};

    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *why = NULL, *url = chat_url_to(*state, cases[i].base, &completions, &why);
        if (cases[i].full) {
            assert_non_null(url);
            assert_string_equal(url, cases[i].full);
        } else {
            assert_null(url);
            assert_non_null(why);
        }
    }
}

static void token_guesses(void **state)
{
    (void)state;
    assert_int_equal(chat_tokens_guess(STR("")), 0);
    assert_int_equal(chat_tokens_guess(STR("abcdefgh")), 2);
    assert_int_equal(chat_tokens_guess(STR("abcdefghi")), 3);
    assert_int_equal(chat_tokens_guess(STR("你好，世界")), 5);
    assert_int_equal(chat_tokens_guess(STR("ありがとう ok")), 6);
    assert_int_equal(chat_tokens_guess(STR("\xFF\xFE")), 1);
}

/* --- good and odd completions --- */

#define SAYS(content)                                                                              \
    "{\"choices\":[{\"message\":{\"content\":" content "},\"finish_reason\":\"stop\"}]}"

static const struct completion {
    const char *body;
    enum chat_fault fault;
    const char *text, *thinking, *finish, *why; /* NULL: not looked at */
} completions[] = {
    {SAYS("\"hi\""), CHAT_OK, "hi", "", "stop", ""},
    {SAYS("\"  kept \\n\""), CHAT_OK, "  kept \n", "", "stop", ""},
    {SAYS("[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"text\":\"no\"},{\"text\":"
          "\"b\"},7]"),
     CHAT_OK, "ab", "", NULL, NULL},
    {"{\"choices\":[{\"text\":\"old style\"}]}", CHAT_OK, "old style", "", "", NULL},
    {"{\"error\":null,\"choices\":[{\"message\":{\"content\":\"x\"}}]}", CHAT_OK, "x", "", "",
     NULL},
    {"{\"error\":{},\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":null}]}",
     CHAT_OK, "x", "", "", NULL},
    {"{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"I will not\"}}]}", CHAT_OK,
     "I will not", "", "refusal", NULL},
    {"{\"choices\":[{\"message\":{\"content\":\"yes\",\"refusal\":\"\"},\"finish_reason\":"
     "\"length\"}]}",
     CHAT_OK, "yes", "", "length", NULL},

    {"{\"choices\":[{\"message\":{\"content\":\"x\",\"reasoning_content\":\"r\"}}]}", CHAT_OK, "x",
     "r", NULL, NULL},
    {"{\"choices\":[{\"message\":{\"content\":\"x\",\"reasoning\":\"r\"}}]}", CHAT_OK, "x", "r",
     NULL, NULL},
    {"{\"choices\":[{\"message\":{\"content\":\"<think>b</think>x\",\"thinking\":\"a\"}}]}",
     CHAT_OK, "x", "a\nb", NULL, NULL},
    {SAYS("\"<think>\\nlong\\n</think>\\n\\nanswer\""), CHAT_OK, "answer", "long", NULL, NULL},
    {SAYS("\" \\n<THINKING>r</Thinking>answer\""), CHAT_OK, "answer", "r", NULL, NULL},
    {SAYS("\"<reasoning></reasoning>a\""), CHAT_OK, "a", "", NULL, NULL},
    {SAYS("\"a <think>b</think> c\""), CHAT_OK, "a <think>b</think> c", "", NULL, NULL},
    {SAYS("\"hm, well\\n</think>\\nanswer\""), CHAT_OK, "answer", "hm, well", NULL, NULL},
    {SAYS("\"<thinker>b\""), CHAT_OK, "<thinker>b", "", NULL, NULL},
    {"{\"choices\":[{\"message\":{\"content\":\"<think>on and "
     "on\"},\"finish_reason\":\"length\"}]}",
     CHAT_THOUGHT, "", "on and on", "length",
     "reasoning used up the limit before the answer began: raise `limit`, or lower `effort`"},
    {SAYS("\"<think>a</reasoning>b\""), CHAT_EMPTY, "", "a</reasoning>b", NULL, NULL},
    {SAYS("\"<think>all of it</think> \\n\""), CHAT_EMPTY, "", "all of it", NULL,
     "the reply contains no text (finish: stop)"},

    {SAYS("\"\""), CHAT_EMPTY, "", "", "stop", "the reply contains no text (finish: stop)"},
    {SAYS("\" \\n\\t\\u3000\\u00a0\\u200b\\ufeff\""), CHAT_EMPTY, "", "", NULL, NULL},
    {SAYS("null"), CHAT_EMPTY, "", "", NULL, NULL},
    {SAYS("[]"), CHAT_EMPTY, "", "", NULL, NULL},
    {SAYS("7"), CHAT_EMPTY, "", "", NULL, NULL},
    {"{\"choices\":[{}]}", CHAT_EMPTY, "", "", "", "the reply contains no text (finish: none)"},
    {"{\"choices\":[{\"message\":{\"tool_calls\":[{}]},\"finish_reason\":\"tool_calls\"}]}",
     CHAT_EMPTY, "", "", "tool_calls", NULL},

    {"", CHAT_GARBLED, "", "", "", "the reply has no body"},
    {" \n", CHAT_GARBLED, "", "", "", NULL},
    {"{", CHAT_GARBLED, "", "", "", NULL},
    {"{\"choices\":[{\"message\":{\"content\":\"cut of", CHAT_GARBLED, "", "", "", NULL},
    {"data: {\"choices\":[]}", CHAT_GARBLED, "", "", "", NULL},
    {"[]", CHAT_GARBLED, "", "", "", NULL},
    {"null", CHAT_GARBLED, "", "", "", NULL},
    {"\"text\"", CHAT_GARBLED, "", "", "", NULL},
    {"{}", CHAT_GARBLED, "", "", "", NULL},
    {"{\"choices\":[]}", CHAT_GARBLED, "", "", "", NULL},
    {"{\"choices\":{}}", CHAT_GARBLED, "", "", "", NULL},
    {"{\"choices\":[null]}", CHAT_GARBLED, "", "", "", NULL},
    {" <!DOCTYPE html><title>hi</title>", CHAT_GARBLED, "", "", "",
     "the server sent an HTML page (status 200)"},

    {"{\"error\":\"no luck\"}", CHAT_SERVER, "", "", "", "no luck (status 200)"},
    {"{\"error\":{\"message\":\"slow down\",\"code\":429}}", CHAT_RATE_LIMIT, "", "", "",
     "slow down (status 200)"},
    {"{\"error\":{\"message\":\"m\",\"code\":\"503\"}}", CHAT_OVERLOAD, "", "", "", NULL},
    {"{\"error\":{\"message\":\"m\",\"code\":\"insufficient_quota\"}}", CHAT_QUOTA, "", "", "",
     NULL},
    {"{\"error\":{\"message\":\"m\",\"type\":\"invalid_request_error\"}}", CHAT_REJECTED, "", "",
     "", NULL},
    {"{\"error\":{\"message\":\"m\",\"code\":\"odd\"}}", CHAT_SERVER, "", "", "", NULL},
    {"{\"object\":\"error\",\"message\":\"too long\",\"code\":400}", CHAT_REJECTED, "", "", "",
     "too long (status 200)"},
    {"{\"choices\":[{\"error\":{\"message\":\"upstream\",\"code\":502}}]}", CHAT_OVERLOAD, "", "",
     "", "upstream (status 200)"},
};

static void completions_are_read(void **state)
{
    for (size_t i = 0; i < COUNT(completions); i++) {
        const struct completion *c = &completions[i];
        struct chat_reply r;
        chat_read_body(*state, str_of(c->body), &r);
        if (r.fault != c->fault)
            fail_msg("%s: %s (%s)", c->body, chat_fault_name(r.fault), r.why);
        assert_string_equal(r.text.p, c->text);
        assert_int_equal(r.text.n, strlen(c->text));
        assert_string_equal(r.thinking.p, c->thinking);
        assert_string_equal(r.finish, c->finish ? c->finish : r.finish);
        assert_string_equal(r.why, c->why ? c->why : r.why);
        assert_int_equal(r.fault == CHAT_OK, r.why[0] == '\0');
        assert_false(r.mended);
    }
}

static void broken_text_is_mended(void **state)
{
    static const struct {
        const char *body, *text;
    } cases[] = {
        {SAYS("\"a\\ud83dz\""), "a\uFFFDz"},
        {SAYS("\"a\\u0000z\""), "a\uFFFDz"},
        {SAYS("\"\\udc00\\ud83d\""), "\uFFFD\uFFFD"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct chat_reply r;
        chat_read_body(*state, str_of(cases[i].body), &r);
        assert_int_equal(r.fault, CHAT_OK);
        assert_true(r.mended);
        assert_int_equal(utf8_check(r.text), r.text.n);
        if (cases[i].text)
            assert_string_equal(r.text.p, cases[i].text);
    }
}

/* Bytes that were damaged on their way are asked for again. */
static void damaged_text_is_a_fault(void **state)
{
    static const char *const bodies[] = {SAYS("\"a\xFFz\""), SAYS("\"\xED\xA0\x80z\"")};

    for (size_t i = 0; i < COUNT(bodies); i++) {
        struct chat_reply r;
        chat_read_body(*state, str_of(bodies[i]), &r);
        assert_int_equal(r.fault, CHAT_GARBLED);
    }
}

static void usage(void **state)
{
    static const struct {
        const char *usage;
        int64_t in, out;
    } cases[] = {
        {"{\"prompt_tokens\":3,\"completion_tokens\":4}", 3, 4},
        {"{\"input_tokens\":3,\"output_tokens\":4}", 3, 4},
        {"{\"prompt_tokens\":\"3\",\"completion_tokens\":4.0}", 3, 4},
        {"{\"prompt_tokens\":null,\"completion_tokens\":-4}", -1, -1},
        {"{\"prompt_tokens\":\"x\",\"completion_tokens\":1e300}", -1, -1},
        {"{\"prompt_tokens\":0,\"completion_tokens\":[]}", 0, -1},
        {"null", -1, -1},
        {"[]", -1, -1},
        {"7", -1, -1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct chat_reply r;
        const char *body =
            arena_printf(*state, "{\"choices\":[{\"text\":\"x\"}],\"usage\":%s}", cases[i].usage);
        chat_read_body(*state, str_of(body), &r);
        assert_int_equal(r.fault, CHAT_OK);
        assert_int_equal(r.tokens_in, cases[i].in);
        assert_int_equal(r.tokens_out, cases[i].out);
    }
}

/* --- refusals by status --- */

static const struct refusal {
    int status;
    const char *type, *body;
    enum chat_fault fault;
    const char *why;
} refusals[] = {
    {400, "", "{\"error\":{\"message\":\"bad field\"}}", CHAT_REJECTED, "bad field (status 400)"},
    {401, "", "{\"error\":{\"message\":\"Incorrect API key provided: sk-proj-abc_DEF123.\"}}",
     CHAT_AUTH, "Incorrect API key provided: [key] (status 401)"},
    {403, "", "key 'a1b2c3d4e5f6a7b8c9d0e1f2' is not known", CHAT_AUTH,
     "key '[key]' is not known (status 403)"},
    {402, "", "", CHAT_QUOTA, "status 402 without a message"},
    {404, "", "{\"detail\":\"Not Found\"}", CHAT_REJECTED, "Not Found (status 404)"},
    {404, "", "{\"error\":\"model 'gpt-4o-mini-2024-07-18' not found\"}", CHAT_REJECTED,
     "model 'gpt-4o-mini-2024-07-18' not found (status 404)"},
    {422, "", "{\"detail\":[{\"msg\":\"field required\"}]}", CHAT_REJECTED,
     "field required (status 422)"},
    {408, "", "", CHAT_TIMEOUT, NULL},
    {409, "", "", CHAT_SERVER, NULL},
    {429, "", "{\"message\":\"slow\\nsecond line\"}", CHAT_RATE_LIMIT, "slow (status 429)"},
    {429, "", "{\"error\":{\"message\":\"pay\",\"code\":\"insufficient_quota\"}}", CHAT_QUOTA,
     "pay (status 429)"},
    {429, "", "{\"error\":{\"message\":\"pay\",\"type\":\"insufficient_quota\"}}", CHAT_QUOTA,
     NULL},
    {429, "", "{\"error\":{\"message\":\"x\",\"type\":\"tokens\",\"code\":null}}", CHAT_RATE_LIMIT,
     NULL},
    {500, "", "{\"error\":{\"message\":\"a\\u0007b\\u001b[31mc\\u202ed\"}}", CHAT_SERVER,
     "ab[31mcd (status 500)"},
    {500, "", "oh\xFFno", CHAT_SERVER, "oh\uFFFDno (status 500)"},
    {502, "text/html; charset=utf-8", "<center>Bad Gateway</center>", CHAT_OVERLOAD,
     "the server sent an HTML page (status 502)"},
    {502, "", "\r\n<html><body>", CHAT_OVERLOAD, "the server sent an HTML page (status 502)"},
    {503, "text/html", "{\"error\":\"busy\"}", CHAT_OVERLOAD, "busy (status 503)"},
    {504, "", "", CHAT_OVERLOAD, NULL},
    {529, "", "{\"error\":{}}", CHAT_OVERLOAD, "status 529 without a message"},
    {501, "", "[1,2]", CHAT_SERVER, NULL},
    {301, "", "", CHAT_REJECTED, NULL},
    {400, "", "{\"error\":{\"message\":\"policy\",\"code\":\"content_filter\"}}", CHAT_FILTERED,
     "policy (status 400)"},
};

static void refusals_are_read(void **state)
{
    for (size_t i = 0; i < COUNT(refusals); i++) {
        const struct refusal *c = &refusals[i];
        struct http_reply raw = {.end = HTTP_DONE,
                                 .status = c->status,
                                 .body = str_of(c->body),
                                 .content_type = c->type,
                                 .why = ""};
        struct chat_reply r;
        chat_read(*state, &raw, &r);
        if (r.fault != c->fault)
            fail_msg("%d %s: %s (%s)", c->status, c->body, chat_fault_name(r.fault), r.why);
        assert_string_equal(r.why, c->why ? c->why : r.why);
        assert_true(r.why[0] != '\0');
        assert_int_equal(r.text.n, 0);
    }
}

static void redirections_say_where_to(void **state)
{
    struct http_reply raw = {.end = HTTP_DONE,
                             .status = 301,
                             .body = STR("<html>moved</html>"),
                             .content_type = "text/html",
                             .elsewhere = "https://models.example.net/v1/chat/completions",
                             .why = ""};
    struct chat_reply r;

    chat_read(*state, &raw, &r);
    assert_int_equal(r.fault, CHAT_REJECTED);
    assert_string_equal(r.why, "the server redirects to "
                               "https://models.example.net/v1/chat/completions (status 301): "
                               "write that address as `base_url`");
}

static void long_messages_are_cut(void **state)
{
    AUTO(buf_done) struct buf b = BUF_MAX(10000);
    struct http_reply raw = {.end = HTTP_DONE, .status = 500, .content_type = ""};
    struct chat_reply r;

    for (int i = 0; i < 300; i++)
        buf_text(&b, "世");
    raw.body = buf_str(&b);
    chat_read(*state, &raw, &r);
    assert_int_equal(utf8_count(str_of(r.why)), 200 + strlen(" (status 500)"));
}

static void transfers_that_ended_badly(void **state)
{
    static const struct {
        enum http_end end;
        enum chat_fault fault;
    } cases[] = {
        {HTTP_TIMEOUT, CHAT_TIMEOUT},     {HTTP_STALLED, CHAT_TIMEOUT},
        {HTTP_REFUSED, CHAT_NETWORK},     {HTTP_CUT, CHAT_NETWORK},
        {HTTP_TOO_LARGE, CHAT_TOO_LARGE}, {HTTP_CANCELLED, CHAT_NETWORK},
        {HTTP_UNTRUSTED, CHAT_AUTH},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply raw = {
            .end = cases[i].end, .body = STR(SAYS("\"x\"")), .why = "it broke"};
        struct chat_reply r;
        chat_read(*state, &raw, &r);
        assert_int_equal(r.fault, cases[i].fault);
        assert_string_equal(r.why, "it broke");
        assert_int_equal(r.text.n, 0);
    }
}

static void faults_have_names(void **state)
{
    (void)state;
    for (enum chat_fault f = CHAT_OK; f <= CHAT_TOO_LARGE; f++) {
        assert_non_null(chat_fault_name(f));
        for (enum chat_fault g = CHAT_OK; g < f; g++)
            assert_string_not_equal(chat_fault_name(f), chat_fault_name(g));
    }
    assert_string_equal(chat_fault_name(CHAT_RATE_LIMIT), "rate-limit");
    assert_true(chat_fault_passes(CHAT_RATE_LIMIT));
    assert_true(chat_fault_passes(CHAT_EMPTY));
    assert_false(chat_fault_passes(CHAT_OK));
    assert_false(chat_fault_passes(CHAT_AUTH));
    assert_false(chat_fault_passes(CHAT_TOO_LARGE));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bodies),
        TEST(requests_are_told_apart),
        TEST(conversation_is_told_once),
        TEST(conversation_in_two_dialects),
        TEST(body_without_parameters),
        TEST(urls),
        TEST(token_guesses),
        TEST(completions_are_read),
        TEST(broken_text_is_mended),
        TEST(damaged_text_is_a_fault),
        TEST(usage),
        TEST(refusals_are_read),
        TEST(redirections_say_where_to),
        TEST(long_messages_are_cut),
        TEST(transfers_that_ended_badly),
        TEST(faults_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
