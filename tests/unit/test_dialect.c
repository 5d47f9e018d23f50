/* What each dialect sends and what its replies mean, as tables: the shapes are those that the
 * providers document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/chat_stream.h"
#include "net/form.h"

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

/* ---- asking ---- */

static const struct chat_turn turns[] = {{.role = "system", .text = {"Be Rin.", 7}},
                                         {.role = "user", .text = {"hi", 2}},
                                         {.role = "assistant", .text = {"yo", 2}},
                                         {.role = "user", .text = {"bye", 3}}};

static const char parameters[] =
    "{\"temperature\":0.5,\"max_tokens\":64,\"seed\":7,\"stop\":[\"x\"],\"effort\":\"low\","
    "\"extra\":1}";

static void bodies(void **state)
{
    /* clang-format off */
    static const char *const expected[DIALECTS] = {
        [DIALECT_OPENAI] =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Be Rin.\"},{\"role\":\"user\",\"content\":\"hi\"},"
            "{\"role\":\"assistant\",\"content\":\"yo\"},{\"role\":\"user\",\"content\":\"bye\"}],"
            "\"temperature\":0.5,\"max_tokens\":64,\"seed\":7,\"stop\":[\"x\"],\"reasoning_effort\":\"low\",\"extra\":1}",
        [DIALECT_RESPONSES] =
            "{\"model\":\"m\",\"instructions\":\"Be Rin.\",\"input\":[{\"role\":\"user\",\"content\":\"hi\"},"
            "{\"role\":\"assistant\",\"content\":\"yo\"},{\"role\":\"user\",\"content\":\"bye\"}],"
            "\"temperature\":0.5,\"max_output_tokens\":64,\"reasoning\":{\"effort\":\"low\"},\"extra\":1,\"store\":false}",
        [DIALECT_COMPLETIONS] =
            "{\"model\":\"m\",\"prompt\":\"Be Rin.\\n\\nhi\\n\\nyo\\n\\nbye\",\"temperature\":0.5,\"max_tokens\":64,\"seed\":7,"
            "\"stop\":[\"x\"],\"extra\":1}",
        [DIALECT_ANTHROPIC] =
            "{\"model\":\"m\",\"system\":[{\"type\":\"text\",\"text\":\"Be Rin.\",\"cache_control\":{\"type\":\"ephemeral\"}}],"
            "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":\"yo\"},"
            "{\"role\":\"user\",\"content\":\"bye\"}],\"temperature\":0.5,\"max_tokens\":64,\"stop_sequences\":[\"x\"],"
            "\"output_config\":{\"effort\":\"low\"},\"extra\":1}",
        [DIALECT_GEMINI] =
            "{\"systemInstruction\":{\"parts\":[{\"text\":\"Be Rin.\"}]},\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"hi\"}]},"
            "{\"role\":\"model\",\"parts\":[{\"text\":\"yo\"}]},{\"role\":\"user\",\"parts\":[{\"text\":\"bye\"}]}],"
            "\"generationConfig\":{\"temperature\":0.5,\"maxOutputTokens\":64,\"seed\":7,\"stopSequences\":[\"x\"],"
            "\"thinkingConfig\":{\"thinkingLevel\":\"LOW\"}},\"extra\":1}",
        [DIALECT_OLLAMA] =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"Be Rin.\"},{\"role\":\"user\",\"content\":\"hi\"},"
            "{\"role\":\"assistant\",\"content\":\"yo\"},{\"role\":\"user\",\"content\":\"bye\"}],"
            "\"options\":{\"temperature\":0.5,\"num_predict\":64,\"seed\":7,\"stop\":[\"x\"]},\"think\":\"low\",\"extra\":1,"
            "\"stream\":false,\"truncate\":false}",
    };
    /* clang-format on */
    AUTO(json_freep) json_t *p = json_loads(parameters, 0, NULL);

    for (enum dialect d = 0; d < DIALECTS; d++) {
        struct chat_request req = {
            .model = "m", .turns = turns, .nturns = COUNT(turns), .parameters = p, .dialect = d};
        assert_string_equal(chat_body(*state, &req).p, expected[d]);
    }
}

static void what_is_refused_is_left_out(void **state)
{
    static const struct {
        enum dialect d;
        unsigned avoid;
        const char *body;
    } cases[] = {
        {DIALECT_OPENAI, AVOID_MAX_TOKENS,
         "{\"model\":\"m\",\"messages\":[],\"temperature\":1,\"max_completion_tokens\":9}"},
        {DIALECT_OPENAI, AVOID_SAMPLING, "{\"model\":\"m\",\"messages\":[],\"max_tokens\":9}"},
        {DIALECT_ANTHROPIC, AVOID_SAMPLING | AVOID_MAX_TOKENS,
         "{\"model\":\"m\",\"messages\":[],\"max_tokens\":9}"},
    };
    AUTO(json_freep) json_t *p = json_loads("{\"temperature\":1,\"max_tokens\":9}", 0, NULL);

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct chat_request req = {
            .model = "m", .parameters = p, .dialect = cases[i].d, .avoid = cases[i].avoid};
        assert_string_equal(chat_body(*state, &req).p, cases[i].body);
    }
    assert_int_equal(dialect_refused(STR("Unsupported parameter: 'max_tokens' is not supported "
                                         "with this model. code: unsupported_parameter")),
                     AVOID_MAX_TOKENS);
    assert_int_equal(dialect_refused(STR("`temperature` is deprecated for this model.")),
                     AVOID_SAMPLING);
    assert_int_equal(dialect_refused(STR("This response_format type is not supported")),
                     AVOID_SCHEMA);
    assert_int_equal(
        dialect_refused(STR("Unrecognized request argument supplied: response_format")),
        AVOID_SCHEMA);
    assert_int_equal(dialect_refused(STR("top_k: Extra inputs are not permitted")), AVOID_SAMPLING);
    assert_int_equal(dialect_refused(STR("max_tokens must be at least 1")), 0);
}

/* Nobody's parameters stand where the messages do. */
static void messages_are_the_programs(void **state)
{
    AUTO(json_freep)
    json_t *p = json_loads("{\"messages\":1,\"input\":1,\"prompt\":1,\"contents\":1}", 0, NULL);

    for (enum dialect d = 0; d < DIALECTS; d++) {
        struct chat_request req = {
            .model = "m", .turns = turns, .nturns = COUNT(turns), .parameters = p, .dialect = d};
        assert_non_null(strstr(chat_body(*state, &req).p, "hi"));
    }
}

static void schemas(void **state)
{
    static const char *const expected[DIALECTS] = {
        [DIALECT_OPENAI] = "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{"
                           "\"name\":\"v\",\"strict\":true,\"schema\":{\"type\":\"object\"}}}",
        [DIALECT_RESPONSES] = "\"text\":{\"format\":{\"name\":\"v\",\"strict\":true,\"schema\":{"
                              "\"type\":\"object\"},\"type\":\"json_schema\"}}",
        [DIALECT_COMPLETIONS] = "\"response_format\"",
        [DIALECT_ANTHROPIC] = "\"output_config\":{\"format\":{\"type\":\"json_schema\",\"schema\":{"
                              "\"type\":\"object\"}}}",
        [DIALECT_GEMINI] = "\"responseMimeType\":\"application/json\",\"responseJsonSchema\":{"
                           "\"type\":\"object\"}",
        [DIALECT_OLLAMA] = "\"format\":{\"type\":\"object\"}",
    };
    AUTO(json_freep)
    json_t *p = json_loads("{\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{"
                           "\"name\":\"v\",\"strict\":true,\"schema\":{\"type\":\"object\"}}}}",
                           0, NULL);

    for (enum dialect d = 0; d < DIALECTS; d++) {
        struct chat_request req = {.model = "m", .parameters = p, .dialect = d};
        assert_non_null(strstr(chat_body(*state, &req).p, expected[d]));
        req.avoid = AVOID_SCHEMA;
        assert_null(strstr(chat_body(*state, &req).p, "schema"));
    }
}

/* What is called as ours is asked for in another way. */
static void forms(void **state)
{
    /* clang-format off */
    static const struct {
        enum dialect d;
        unsigned avoid;
        const char *part; /* NULL: no trace of it */
        unsigned next;
    } cases[] = {
        {DIALECT_OPENAI, 0, "\"response_format\":{\"type\":\"json_schema\"", AVOID_SCHEMA},
        {DIALECT_OPENAI, AVOID_SCHEMA, "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"verdict\",\"parameters\":{"
         "\"type\":\"object\"", AVOID_TOOL},
        {DIALECT_OPENAI, AVOID_SCHEMA, "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"verdict\"}}", AVOID_TOOL},
        {DIALECT_OPENAI, AVOID_SCHEMA | AVOID_TOOL, "\"grammar\":\"root ::= ", AVOID_GRAMMAR},
        {DIALECT_OPENAI, AVOID_FORM, NULL, 0},
        {DIALECT_COMPLETIONS, AVOID_SCHEMA, "\"grammar\":\"root ::= ", AVOID_GRAMMAR},
        {DIALECT_ANTHROPIC, AVOID_SCHEMA, "\"tools\":[{\"name\":\"verdict\",\"input_schema\":{", AVOID_TOOL},
        {DIALECT_ANTHROPIC, AVOID_SCHEMA, "\"tool_choice\":{\"type\":\"tool\",\"name\":\"verdict\"}", AVOID_TOOL},
        {DIALECT_ANTHROPIC, AVOID_SCHEMA | AVOID_TOOL, NULL, 0},
        {DIALECT_GEMINI, AVOID_SCHEMA, NULL, 0},
        {DIALECT_OLLAMA, AVOID_SCHEMA, NULL, 0},
        {DIALECT_RESPONSES, AVOID_SCHEMA, NULL, 0},
    };
    /* clang-format on */
    AUTO(json_freep)
    json_t *p =
        json_loads("{\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{"
                   "\"name\":\"verdict\",\"schema\":{\"type\":\"object\","
                   "\"properties\":{\"a\":{\"type\":\"string\"},\"n\":{\"enum\":[0,0.5,1]}}}}}}",
                   0, NULL);
    const json_t *schema;
    struct str grammar, line;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct chat_request req = {
            .model = "m", .parameters = p, .dialect = cases[i].d, .avoid = cases[i].avoid};
        const char *body = chat_body(*state, &req).p;
        if (cases[i].part ? !strstr(body, cases[i].part) : strstr(body, "enum") != NULL)
            fail_msg("case %zu: %s", i, body);
        assert_int_equal(form_next(cases[i].d, cases[i].avoid), cases[i].next);
    }
    schema = json_object_get(p, "response_format");
    schema = json_object_get(json_object_get(schema, "json_schema"), "schema");
    grammar = str_of(form_grammar(*state, schema));
    assert_true(str_line(&grammar, &line));
    assert_string_equal(arena_text(*state, line),
                        "root ::= \"{\" ws \"\\\"a\\\"\" ws \":\" ws string ws \",\" ws "
                        "\"\\\"n\\\"\" ws \":\" ws (\"0\" | "
                        "\"0.5\" | \"1\") ws \"}\"");
    assert_int_equal(dialect_refused(STR("tools are not supported")), AVOID_TOOL);
    assert_int_equal(dialect_refused(STR("Unknown field: grammar")), AVOID_GRAMMAR);
}

/* A call of our tool is what was said; another's is nothing. */
static void called(void **state)
{
    static const char *const said[] = {
        "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"function\":{\"name\":"
        "\"verdict\",\"arguments\":\"{\\\"a\\\":1}\"}}]}}]}",
        "{\"type\":\"message\",\"stop_reason\":\"tool_use\",\"content\":[{\"type\":\"tool_use\","
        "\"name\":\"verdict\",\"input\":{\"a\":1}}]}",
    };
    struct chat_reply r;

    for (size_t i = 0; i < COUNT(said); i++) {
        chat_read_body(*state, str_of(said[i]), &r);
        assert_int_equal(r.fault, CHAT_OK);
        assert_string_equal(r.text.p, "{\"a\":1}");
    }
    chat_read_body(
        *state,
        STR("{\"choices\":[{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{"
            "\"name\":\"search\",\"arguments\":\"{}\"}}]}}]}"),
        &r);
    assert_int_equal(r.fault, CHAT_EMPTY);
}

/* A budget leaves room for an answer, none is none, and who knows of none hears of none. */
static void thinking(void **state)
{
    static const struct {
        const char *parameters;
        enum dialect d;
        const char *part;
    } cases[] = {
        {"{\"thinking_budget\":2048,\"max_tokens\":4000}", DIALECT_ANTHROPIC,
         "\"thinking\":{\"budget_tokens\":2048,\"type\":\"enabled\"}"},
        {"{\"thinking_budget\":2048}", DIALECT_GEMINI,
         "\"thinkingConfig\":{\"thinkingBudget\":2048}"},
        {"{\"thinking_budget\":2048}", DIALECT_OPENAI, NULL},
        {"{\"thinking_budget\":8000}", DIALECT_ANTHROPIC, "\"max_tokens\":12096"},
        {"{\"thinking_budget\":0}", DIALECT_ANTHROPIC, "\"thinking\":{\"type\":\"disabled\"}"},
        {"{\"effort\":\"none\"}", DIALECT_ANTHROPIC, "\"thinking\":{\"type\":\"disabled\"}"},
        {"{\"effort\":\"none\"}", DIALECT_GEMINI, "\"thinkingConfig\":{\"thinkingBudget\":0}"},
        {"{\"effort\":\"none\"}", DIALECT_OLLAMA, "\"think\":false"},
        {"{\"effort\":\"none\"}", DIALECT_OPENAI, "\"reasoning_effort\":\"none\""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        AUTO(json_freep) json_t *p = json_loads(cases[i].parameters, 0, NULL);
        struct chat_request req = {.model = "m", .parameters = p, .dialect = cases[i].d};
        const char *body = chat_body(*state, &req).p;
        if (cases[i].part ? !strstr(body, cases[i].part) : strstr(body, "thinking") != NULL)
            fail_msg("case %zu: %s", i, body);
    }
}

static void addresses(void **state)
{
    static const struct {
        const char *base;
        enum dialect d;
        const char *url, *models;
    } cases[] = {
        {"http://h:8000", DIALECT_OPENAI, "http://h:8000/v1/chat/completions",
         "http://h:8000/v1/models"},
        {"http://h/v1/completions", DIALECT_COMPLETIONS, "http://h/v1/completions",
         "http://h/v1/models"},
        {"http://h/v1/responses/", DIALECT_RESPONSES, "http://h/v1/responses",
         "http://h/v1/models"},
        {"https://api.anthropic.com", DIALECT_ANTHROPIC, "https://api.anthropic.com/v1/messages",
         "https://api.anthropic.com/v1/models"},
        {"http://proxy/v1/messages", DIALECT_ANTHROPIC, "http://proxy/v1/messages",
         "http://proxy/v1/models"},
        {"https://generativelanguage.googleapis.com", DIALECT_GEMINI,
         "https://generativelanguage.googleapis.com/v1beta/models/m-1:generateContent",
         "https://generativelanguage.googleapis.com/v1beta/models"},
        {"http://h/v1beta/models/other:generateContent", DIALECT_GEMINI,
         "http://h/v1beta/models/other:generateContent", "http://h/v1beta/models"},
        {"http://localhost:11434", DIALECT_OLLAMA, "http://localhost:11434/api/chat",
         "http://localhost:11434/api/tags"},
        {"http://localhost:11434/api", DIALECT_OLLAMA, "http://localhost:11434/api/chat",
         "http://localhost:11434/api/tags"},
        {"http://localhost:11434/v1", DIALECT_OPENAI, "http://localhost:11434/v1/chat/completions",
         "http://localhost:11434/v1/models"},
        /* Google's own chat completions; Anthropic's messages elsewhere. */
        {"https://generativelanguage.googleapis.com/v1beta/openai/", DIALECT_OPENAI,
         "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
         "https://generativelanguage.googleapis.com/v1beta/openai/models"},
        {"https://h/api/anthropic", DIALECT_ANTHROPIC, "https://h/api/anthropic/v1/messages",
         "https://h/api/anthropic/v1/models"},
        {"https://h/anthropic/v1", DIALECT_ANTHROPIC, "https://h/anthropic/v1/messages",
         "https://h/anthropic/v1/models"},
    };
    /* Dialects that are named: the address tells them from then on. */
    static const struct {
        const char *base;
        enum dialect d;
        const char *url;
    } named[] = {
        {"http://v1.h", DIALECT_ANTHROPIC, "http://v1.h/v1/messages"},
        {"http://h/gw?x=1", DIALECT_ANTHROPIC, "http://h/gw/v1/messages?x=1"},
        {"http://h/gw", DIALECT_GEMINI, "http://h/gw/v1beta/models/m-1:generateContent"},
        {"http://h/v1/publishers/google", DIALECT_GEMINI,
         "http://h/v1/publishers/google/models/m-1:generateContent"},
        {"http://h/ollama/", DIALECT_OLLAMA, "http://h/ollama/api/chat"},
        {"http://h/ollama/api/chat", DIALECT_OLLAMA, "http://h/ollama/api/chat"},
        {"http://h/gw/v4", DIALECT_OPENAI, "http://h/gw/v4/chat/completions"},
    };
    const char *no = "";

    for (size_t i = 0; i < COUNT(cases); i++) {
        enum dialect d = dialect_guess(str_of(cases[i].base));
        const char *why = "", *url = dialect_url(*state, d, cases[i].base, "m-1", &why);
        assert_int_equal(d, cases[i].d);
        assert_string_equal(url, cases[i].url);
        assert_string_equal(dialect_url_models(*state, d, url), cases[i].models);
    }
    for (size_t i = 0; i < COUNT(named); i++) {
        const char *why = "", *url = dialect_url(*state, named[i].d, named[i].base, "m-1", &why);
        assert_string_equal(url, named[i].url);
        assert_int_equal(dialect_guess(str_of(url)), named[i].d);
    }
    /* as Gemini lists them */
    assert_string_equal(dialect_url(*state, DIALECT_GEMINI, "http://h", "models/m-1", &no),
                        "http://h/v1beta/models/m-1:generateContent");
    assert_string_equal(dialect_url_streamed(*state, DIALECT_GEMINI, "http://h/m:generateContent"),
                        "http://h/m:streamGenerateContent?alt=sse");
    assert_string_equal(
        dialect_url_streamed(*state, DIALECT_GEMINI, "http://h/m:generateContent?x=1"),
        "http://h/m:streamGenerateContent?alt=sse&x=1");
}

/* ---- replies ---- */

struct meaning {
    const char *body, *text, *thinking, *finish;
    enum chat_fault fault;
    int64_t in, out, cached, thought;
};

static void assert_meaning(const struct chat_reply *r, const struct meaning *m)
{
    assert_int_equal(r->fault, m->fault);
    assert_string_equal(r->finish, m->finish);
    assert_true(str_is(r->text, m->text));
    assert_true(str_is(r->thinking, m->thinking));
    assert_int_equal(r->tokens_in, m->in);
    assert_int_equal(r->tokens_out, m->out);
    assert_int_equal(r->cached, m->cached);
    assert_int_equal(r->thought, m->thought);
}

/* clang-format off */
static const struct meaning wholes[] = {
    {"{\"choices\":[{\"message\":{\"content\":\"ok\",\"reasoning\":\"hm\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":5,"
     "\"completion_tokens\":7,\"prompt_tokens_details\":{\"cached_tokens\":4},\"completion_tokens_details\":{\"reasoning_tokens\":3}}}",
     "ok", "hm", "stop", CHAT_OK, 5, 7, 4, 3},
    {"{\"choices\":[{\"text\":\"…」\",\"finish_reason\":\"stop\"}]}", "…」", "", "stop", CHAT_OK, -1, -1, -1, -1},
    {"{\"id\":\"r\",\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"hm\"}]},"
     "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"o\"},{\"type\":\"output_text\",\"text\":\"k\"}]}],"
     "\"usage\":{\"input_tokens\":5,\"input_tokens_details\":{\"cached_tokens\":4},\"output_tokens\":7,\"output_tokens_details\":{\"reasoning_tokens\":3}},"
     "\"error\":null,\"incomplete_details\":null}", "ok", "hm", "stop", CHAT_OK, 5, 7, 4, 3},
    {"{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"output\":[{\"type\":\"reasoning\",\"summary\":[]}],"
     "\"usage\":{\"input_tokens\":5,\"output_tokens\":7,\"output_tokens_details\":{\"reasoning_tokens\":7}}}", "", "", "length", CHAT_THOUGHT, 5, 7, -1, 7},
    {"{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"No.\"}]}]}",
     "No.", "", "refusal", CHAT_OK, -1, -1, -1, -1},
    {"{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"},{\"type\":\"text\",\"text\":\"ok\"}],"
     "\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":1,\"cache_creation_input_tokens\":2,\"cache_read_input_tokens\":4,\"output_tokens\":7}}",
     "ok", "hm", "stop", CHAT_OK, 7, 7, 4, -1},
    {"{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],\"usage\":{\"input_tokens\":9223372036854775807,"
     "\"cache_creation_input_tokens\":9223372036854775807,\"cache_read_input_tokens\":4,\"output_tokens\":7}}", "ok", "", "", CHAT_OK, -1, 7, 4, -1},
    {"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"ok\"}]}}],\"usageMetadata\":{\"promptTokenCount\":5,"
     "\"candidatesTokenCount\":9223372036854775807,\"thoughtsTokenCount\":9223372036854775807}}", "ok", "", "", CHAT_OK, 5, -1, -1, -1},
    {"{\"type\":\"message\",\"content\":[],\"stop_reason\":\"refusal\",\"stop_details\":{\"explanation\":\"No.\"},\"usage\":{\"input_tokens\":1,\"output_tokens\":0}}",
     "No.", "", "refusal", CHAT_OK, 1, 0, -1, -1},
    {"{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"}],\"stop_reason\":\"max_tokens\"}", "", "hm", "length", CHAT_THOUGHT, -1, -1, -1, -1},
    {"{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[{\"text\":\"hm\",\"thought\":true},{\"text\":\"ok\"}]},\"finishReason\":\"STOP\"}],"
     "\"usageMetadata\":{\"promptTokenCount\":5,\"cachedContentTokenCount\":4,\"candidatesTokenCount\":4,\"thoughtsTokenCount\":3}}", "ok", "hm", "stop", CHAT_OK, 5, 7, 4, 3},
    {"{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}", "", "", "content_filter", CHAT_FILTERED, -1, -1, -1, -1},
    {"{\"candidates\":[{\"finishReason\":\"PROHIBITED_CONTENT\"}]}", "", "", "content_filter", CHAT_FILTERED, -1, -1, -1, -1},
    {"{\"candidates\":[{\"content\":{},\"finishReason\":\"MAX_TOKENS\"}],\"usageMetadata\":{\"promptTokenCount\":5,\"thoughtsTokenCount\":64}}",
     "", "", "length", CHAT_THOUGHT, 5, 64, -1, 64},
    {"{\"message\":{\"content\":\"ok\"},\"done\":true,\"prompt_eval_count\":5,\"eval_count\":9223372036854775807}", "ok", "", "stop", CHAT_OK, 5, -1, -1, -1},
    {"{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"ok\",\"thinking\":\"hm\"},\"done\":true,\"done_reason\":\"stop\","
     "\"prompt_eval_count\":5,\"eval_count\":7}", "ok", "hm", "stop", CHAT_OK, 5, 7, -1, -1},
};
/* clang-format on */

static void whole_replies(void **state)
{
    for (size_t i = 0; i < COUNT(wholes); i++) {
        struct chat_reply r;
        chat_read_body(*state, str_of(wholes[i].body), &r);
        assert_meaning(&r, &wholes[i]);
    }
}

static void refused_requests(void **state)
{
    static const struct {
        int status;
        const char *body, *why;
        enum chat_fault fault;
        unsigned avoid;
        int64_t wait;
    } cases[] = {
        {400,
         "{\"error\":{\"message\":\"Unsupported parameter: "
         "'max_tokens'\",\"code\":\"unsupported_parameter\"}}",
         "Unsupported parameter: 'max_tokens' (status 400)", CHAT_REJECTED, AVOID_MAX_TOKENS, -1},
        {529,
         "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}"
         "}",
         "Overloaded (status 529)", CHAT_OVERLOAD, 0, -1},
        {429,
         "{\"error\":{\"code\":429,\"message\":\"Slow\",\"status\":\"RESOURCE_EXHAUSTED\","
         "\"details\":[{"
         "\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"34.4s\"}]}}",
         "Slow (status 429)", CHAT_RATE_LIMIT, 0, 34400},
        {503, "{\"error\":\"busy\"}", "busy (status 503)", CHAT_OVERLOAD, 0, -1},
        /* a day's worth is gone: no use in waiting a minute */
        {429,
         "{\"error\":{\"code\":429,\"message\":\"Quota\",\"status\":\"RESOURCE_EXHAUSTED\","
         "\"details\":[{\"violations\":[{\"quotaId\":\"GenerateRequestsPerDayPerProject\"}]},"
         "{\"retryDelay\":\"7s\"}]}}",
         "Quota (status 429)", CHAT_QUOTA, 0, 7000},
        {400,
         "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
         "\"Your credit balance is too low to access the API.\"}}",
         "Your credit balance is too low to access the API. (status 400)", CHAT_QUOTA, 0, -1},
        {400,
         "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
         "\"`temperature` may only be set to 1 when thinking is enabled.\"}}",
         "`temperature` may only be set to 1 when thinking is enabled. (status 400)", CHAT_REJECTED,
         AVOID_SAMPLING, -1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct http_reply raw = {.end = HTTP_DONE,
                                 .status = cases[i].status,
                                 .body = str_of(cases[i].body),
                                 .content_type = "application/json"};
        struct chat_reply r;
        chat_read(*state, &raw, &r);
        assert_int_equal(r.fault, cases[i].fault);
        assert_string_equal(r.why, cases[i].why);
        assert_int_equal(r.avoid, cases[i].avoid);
        assert_int_equal(r.retry_after_ms, cases[i].wait);
    }
}

/* clang-format off */
static const struct meaning streams[] = {
    {"event: response.created\ndata: {\"type\":\"response.created\",\"response\":{}}\n\n"
     "data: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"hm\"}\n\n"
     "data: {\"type\":\"response.output_text.delta\",\"delta\":\"o\"}\n\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"k\"}\n\n"
     "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[],\"usage\":{\"input_tokens\":5,\"output_tokens\":7}}}\n\n",
     "ok", "hm", "stop", CHAT_OK, 5, 7, -1, -1},
    {"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n"
     "event: ping\ndata: {\"type\":\"ping\"}\n\n"
     "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n"
     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n"
     "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"o\"}}\n\n"
     "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"k\"}}\n\n"
     "data: {\"type\":\"content_block_stop\",\"index\":1}\n\n"
     "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":7}}\n\n"
     "data: {\"type\":\"message_stop\"}\n\n", "ok", "hm", "stop", CHAT_OK, 5, 7, -1, -1},
    {"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"o\"}]}}],\"usageMetadata\":{\"promptTokenCount\":5}}\n\n"
     "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"k\"}]},\"finishReason\":\"STOP\"}],"
     "\"usageMetadata\":{\"promptTokenCount\":5,\"candidatesTokenCount\":7}}\n\n", "ok", "", "stop", CHAT_OK, 5, 7, -1, -1},
    {"{\"message\":{\"content\":\"o\"},\"done\":false}\n{\"message\":{\"content\":\"k\"},\"done\":false}\n"
     "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":5,\"eval_count\":7}\n", "ok", "", "stop", CHAT_OK, 5, 7, -1, -1},
    {"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"o\"}}\n\n", "", "", "", CHAT_NETWORK, -1, -1, -1, -1},
    {"{\"message\":{\"content\":\"o\"},\"done\":false}\n", "", "", "", CHAT_NETWORK, -1, -1, -1, -1},
    {"data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"o\"}}\n\n"
     "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", "", "", "", CHAT_OVERLOAD, -1, -1, -1, -1},
};
/* clang-format on */

static void streams_cut_anywhere(void **state)
{
    for (size_t i = 0; i < COUNT(streams); i++) {
        struct str all = str_of(streams[i].body);
        for (size_t cut = 0; cut <= all.n; cut += 7) {
            struct http_reply raw = {
                .end = HTTP_DONE, .status = 200, .body = all, .content_type = "text/event-stream"};
            AUTO(chat_stream_freep) struct chat_stream *s = chat_stream_new(1 << 20);
            struct chat_reply r;
            struct str body;
            chat_stream_feed(s, (struct str){all.p, cut});
            chat_stream_feed(s, str_from(all, cut));
            chat_stream_read(*state, s, &raw, &r, &body);
            assert_meaning(&r, &streams[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bodies, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_refused_is_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(messages_are_the_programs, setup, teardown),
        cmocka_unit_test_setup_teardown(schemas, setup, teardown),
        cmocka_unit_test_setup_teardown(forms, setup, teardown),
        cmocka_unit_test_setup_teardown(called, setup, teardown),
        cmocka_unit_test_setup_teardown(thinking, setup, teardown),
        cmocka_unit_test_setup_teardown(addresses, setup, teardown),
        cmocka_unit_test_setup_teardown(whole_replies, setup, teardown),
        cmocka_unit_test_setup_teardown(refused_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(streams_cut_anywhere, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
