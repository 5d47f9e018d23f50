#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/chat_stream.h"

enum { MAX = 1 << 20 };

/* What a stream becomes when it is fed in pieces of `step` bytes. */
static struct chat_reply fed(struct arena *a, const char *text, size_t step, struct str *body)
{
    AUTO(chat_stream_freep) struct chat_stream *s = chat_stream_new(MAX);
    struct str whole = str_of(text);
    struct http_reply raw = {
        .end = HTTP_DONE, .status = 200, .body = whole, .content_type = "text/event-stream"};
    struct chat_reply r;

    for (struct str rest = whole; rest.n;) {
        struct str piece = {rest.p, rest.n < step ? rest.n : step};
        chat_stream_feed(s, piece);
        rest = str_from(rest, piece.n);
    }
    chat_stream_read(a, s, &raw, &r, body);
    return r;
}

#define DELTA(json) "data: {\"choices\":[{\"index\":0,\"delta\":" json "}]}\n\n"
#define STOP        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"

static void pieces_become_a_completion(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    static const char text[] =
        ": hello\n\nevent: x\nid: 7\n" DELTA("{\"role\":\"assistant\",\"content\":\"\"}")
            DELTA("{\"content\":\"猫は\"}") DELTA("{\"content\":null,\"reasoning_content\":\"hm\"}")
                DELTA("{\"content\":[{\"type\":\"text\",\"text\":\"いる\"}]}") STOP
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3},"
        "\"system_fingerprint\":\"f\"}\n\ndata: [DONE]\n\n" DELTA("{\"content\":\"late\"}");

    (void)state;
    for (size_t step = 1; step < sizeof text; step++) {
        struct str body;
        struct chat_reply r = fed(a, text, step, &body), again;
        assert_int_equal(r.fault, CHAT_OK);
        assert_string_equal(r.text.p, "猫はいる");
        assert_string_equal(r.thinking.p, "hm");
        assert_string_equal(r.finish, "stop");
        assert_int_equal(r.tokens_in, 7);
        assert_int_equal(r.tokens_out, 3);
        /* What is kept reads the same as what was heard. */
        chat_read_body(a, body, &again);
        assert_string_equal(again.text.p, r.text.p);
        assert_int_equal(again.tokens_out, 3);
    }
}

static void odd_streams(void **state)
{
    static const struct {
        const char *stream;
        enum chat_fault fault;
        const char *text;
    } cases[] = {
        /* line ends of every kind, no blank after the last, no [DONE] */
        {"data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\n"
         "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}",
         CHAT_OK, "a"},
        /* one event on two lines */
        {"data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"},"
         "\"finish_reason\":\"stop\"}]}\n\n",
         CHAT_OK, "a"},
        /* other choices than the first are not ours */
        {"data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"b\"}}]}\n\n" DELTA(
             "{\"content\":\"a\"}") STOP,
         CHAT_OK, "a"},
        /* all in one event, as a server may that cannot stream this model */
        {"data: {\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n",
         CHAT_OK, "a"},
        /* half a surrogate pair */
        {DELTA("{\"content\":\"a\\ud83d\"}") STOP, CHAT_OK, "a\xEF\xBF\xBD"},
        /* bytes that are no UTF-8, as in a whole reply */
        {DELTA("{\"content\":\"\xE7\x8C\xFF\"}") DELTA("{\"content\":\"a\"}") STOP, CHAT_GARBLED,
         ""},
        /* cut: nothing says that this is all */
        {DELTA("{\"content\":\"a\"}"), CHAT_NETWORK, ""},
        {DELTA("{\"content\":\"a\"}") "data: {\"choices\":[{\"de", CHAT_GARBLED, ""},
        {"data: nonsense\n\n", CHAT_GARBLED, ""},
        {"data: [1]\n\n", CHAT_GARBLED, ""},
        /* nothing was said */
        {STOP "data: [DONE]\n\n", CHAT_EMPTY, ""},
        {DELTA("{\"content\":\"<think>hm\"}") STOP, CHAT_EMPTY, ""},
        /* an error in the middle */
        {DELTA("{\"content\":\"a\"}") "data: {\"error\":{\"message\":\"too much\","
                                      "\"code\":429}}\n\n",
         CHAT_RATE_LIMIT, ""},
        /* a string of it, as Ollama has them */
        {"{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"error\":\"too much\"}\n",
         CHAT_SERVER, ""},
        /* a call of our tool is what was said; another's is nothing */
        {DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"verdict\","
               "\"arguments\":\"\"}}]}")
             DELTA("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"a\\\"\"}}]}")
                 DELTA("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\":1}\"}}]}")
                     STOP,
         CHAT_OK, "{\"a\":1}"},
        {DELTA("{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"search\","
               "\"arguments\":\"{}\"}}]}") STOP,
         CHAT_EMPTY, ""},
        {"data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\","
         "\"name\":\"verdict\",\"input\":{}}}\n\n"
         "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
         "\"partial_json\":\"\"}}\n\n"
         "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
         "\"partial_json\":\"{\\\"a\\\": 1}\"}}\n\n"
         "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n"
         "data: {\"type\":\"message_stop\"}\n\n",
         CHAT_OK, "{\"a\": 1}"},
        /* no stream at all */
        {"{\"choices\":[{\"message\":{\"content\":\"whole\"},\"finish_reason\":\"stop\"}]}",
         CHAT_OK, "whole"},
        {"", CHAT_GARBLED, ""},
        {"\n\n\n", CHAT_GARBLED, ""},
    };
    AUTO(arena_freep) struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t step = 1; step < 100; step += 7) {
            struct str body;
            struct chat_reply r = fed(a, cases[i].stream, step, &body);
            assert_int_equal(r.fault, cases[i].fault);
            assert_true(str_is(r.text, cases[i].text));
        }
}

static void a_failed_transfer_is_a_fault(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(chat_stream_freep) struct chat_stream *s = chat_stream_new(MAX);
    struct http_reply raw = {.end = HTTP_CUT, .why = "gone", .content_type = ""};
    struct chat_reply r;
    struct str body;

    (void)state;
    chat_stream_feed(s, STR(DELTA("{\"content\":\"a\"}") STOP));
    chat_stream_read(a, s, &raw, &r, &body);
    assert_int_equal(r.fault, CHAT_NETWORK);
    assert_string_equal(r.why, "gone");
}

static void bounded(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(chat_stream_freep) struct chat_stream *s = chat_stream_new(1000);
    struct http_reply raw = {.end = HTTP_DONE, .status = 200, .content_type = ""};
    struct chat_reply r;
    struct str body;

    (void)state;
    chat_stream_feed(s, STR("data: "));
    for (int i = 0; i < 10000; i++)
        chat_stream_feed(s, STR("[[[[["));
    chat_stream_feed(s, STR("\n\n"));
    chat_stream_read(a, s, &raw, &r, &body);
    assert_int_equal(r.fault, CHAT_GARBLED);
}

static void reasoning_is_not_said_aloud(void **state)
{
    static const struct {
        const char *content, *said;
    } cases[] = {
        {"", ""},
        {"<", ""},
        {"<thin", ""},
        {"<think>I wonder", ""},
        {"<think>I wonder</think>", ""},
        {"<think>I wonder</think>\n\nGood", "Good"},
        {"I wonder</think> Good", "Good"},
        {"<b>bold</b>", "<b>bold</b>"},
        {"a < b", "a < b"},
        {" Good day ", "Good day"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_true(str_is(chat_said(str_of(cases[i].content)), cases[i].said));
}

static void what_was_said_grows(void **state)
{
    AUTO(chat_stream_freep) struct chat_stream *s = chat_stream_new(MAX);

    (void)state;
    assert_true(str_is(chat_stream_said(s), ""));
    chat_stream_feed(s, STR(DELTA("{\"content\":\"<think>no\"}")));
    assert_true(str_is(chat_stream_said(s), ""));
    chat_stream_feed(s, STR(DELTA("{\"content\":\"</think>One\"}")));
    assert_true(str_is(chat_stream_said(s), "One"));
    chat_stream_feed(s, STR(DELTA("{\"content\":\" two\"}")));
    assert_true(str_is(chat_stream_said(s), "One two"));
}

static void a_request_can_ask_for_pieces(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *parameters = json_pack("{s:b,s:i}", "stream", 0, "seed", 1);
    struct chat_request req = {.model = "m", .parameters = parameters, .stream = true};

    (void)state;
    assert_string_equal(chat_body(a, &req).p,
                        "{\"model\":\"m\",\"messages\":[],\"stream\":true,\"seed\":1,"
                        "\"stream_options\":{\"include_usage\":true}}");
    req.parameters = NULL;
    assert_string_equal(chat_body(a, &req).p, "{\"model\":\"m\",\"messages\":[],\"stream\":true,"
                                              "\"stream_options\":{\"include_usage\":true}}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_become_a_completion),   cmocka_unit_test(odd_streams),
        cmocka_unit_test(a_failed_transfer_is_a_fault), cmocka_unit_test(bounded),
        cmocka_unit_test(reasoning_is_not_said_aloud),  cmocka_unit_test(what_was_said_grows),
        cmocka_unit_test(a_request_can_ask_for_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
