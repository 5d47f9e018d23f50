#include "mock/shape.h"

#define USAGE "\"usage\":{\"prompt_tokens\":%i,\"completion_tokens\":%o%d}"
#define DETAILS                                                                                    \
    ",\"prompt_tokens_details\":{\"cached_tokens\":%c},\"completion_tokens_details\":{"            \
    "\"reasoning_tokens\":%t}"
#define STOPS                                                                                      \
    {                                                                                              \
        "stop", "length", "content_filter", "stop"                                                 \
    }
#define RESPONSE                                                                                   \
    "\"status\":\"%w\",\"usage\":{\"input_tokens\":%i,\"output_tokens\":%o%d},\"error\":null,"     \
    "\"incomplete_details\":%s}"
#define MESSAGE_USAGE "\"usage\":{\"input_tokens\":%u,\"output_tokens\":%o%d}}"
#define METADATA      "\"usageMetadata\":{\"promptTokenCount\":%i,\"candidatesTokenCount\":%a%d}}"
#define COUNTS        "\"done\":true,\"done_reason\":\"%s\",\"prompt_eval_count\":%i,\"eval_count\":%o}\n"
#define ERROR         "{\"error\":{\"message\":\"%s\",\"type\":\"%s\",\"code\":%d}}\n"

/* "/chat/completions" ends like "/completions", and stands first. */
/* clang-format off */
static const struct shape shapes[] = {
    {.path = "/chat/completions", .stop = STOPS, .details = DETAILS,
     .head = "{\"object\":\"chat.completion\",\"system_fingerprint\":\"mock-1\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\"",
     .thinking = {",\"reasoning_content\":\"", "\""}, .text = {",\"content\":\"", "\""},
     .called = {",\"content\":null,\"tool_calls\":[{\"id\":\"call-1\",\"type\":\"function\",\"function\":{\"name\":\"verdict\",\"arguments\":\"", "\"}}]"},
     .calling = {"data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"verdict\",\"arguments\":\"", "\"}}]}}]}\n\n"},
     .refused = {",\"content\":null,\"refusal\":\"", "\""},
     .tail = "},\"finish_reason\":\"%s\"}]," USAGE "}\n",
     .piece = {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"", "\"},\"finish_reason\":null}]}\n\n"},
     .thought = {"data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"", "\"},\"finish_reason\":null}]}\n\n"},
     .no = {"data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"", "\"},\"finish_reason\":null}]}\n\n"},
     .end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"%s\"}]}\n\ndata: {\"choices\":[]," USAGE "}\n\ndata: [DONE]\n\n",
     .error = ERROR},
    {.path = "/completions", .stop = STOPS, .details = DETAILS,
     .head = "{\"object\":\"text_completion\",\"choices\":[{\"index\":0",
     .thinking = {",\"reasoning\":\"", "\""}, .text = {",\"text\":\"", "\""},
     .tail = ",\"finish_reason\":\"%s\"}]," USAGE "}\n",
     .piece = {"data: {\"choices\":[{\"index\":0,\"text\":\"", "\",\"finish_reason\":null}]}\n\n"},
     .thought = {": ", "\n"},
     .end = "data: {\"choices\":[{\"index\":0,\"text\":\"\",\"finish_reason\":\"%s\"}]," USAGE "}\n\ndata: [DONE]\n\n",
     .error = ERROR},
    {.path = "/responses",
     .stop = {"null", "{\"reason\":\"max_output_tokens\"}", "{\"reason\":\"content_filter\"}", "null"},
     .details = ",\"input_tokens_details\":{\"cached_tokens\":%c},\"output_tokens_details\":{\"reasoning_tokens\":%t}",
     .head = "{\"object\":\"response\",\"output\":[",
     .thinking = {"{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"", "\"}]},"},
     .text = {"{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"", "\"}]}"},
     .refused = {"{\"type\":\"message\",\"content\":[{\"type\":\"refusal\",\"refusal\":\"", "\"}]}"},
     .tail = "]," RESPONSE "\n",
     .piece = {"event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"", "\"}\n\n"},
     .thought = {"data: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"", "\"}\n\n"},
     .no = {"data: {\"type\":\"response.refusal.delta\",\"delta\":\"", "\"}\n\n"},
     .end = "data: {\"type\":\"response.%w\",\"response\":{\"output\":[]," RESPONSE "}\n\n",
     .error = ERROR},
    {.path = "/messages", .bare_key = true, .stop = {"end_turn", "max_tokens", "refusal", "refusal"},
     .details = ",\"cache_read_input_tokens\":%c,\"cache_creation_input_tokens\":0,\"output_tokens_details\":{\"thinking_tokens\":%t}",
     .head = "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[",
     .thinking = {"{\"type\":\"thinking\",\"signature\":\"s\",\"thinking\":\"", "\"},"},
     .text = {"{\"type\":\"text\",\"text\":\"", "\"}"},
     .tail = "],\"stop_reason\":\"%s\"," MESSAGE_USAGE "\n",
     .piece = {"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"", "\"}}\n\n"},
     .thought = {"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"", "\"}}\n\n"},
     .end = "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"},"
            MESSAGE_USAGE "\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
     .error = "{\"type\":\"error\",\"error\":{\"message\":\"%s\",\"type\":\"%s\"},\"request_id\":\"%d\"}\n"},
    {.path = "enerateContent", .bare_key = true, .stop = {"STOP", "MAX_TOKENS", "SAFETY", "STOP"},
     .details = ",\"cachedContentTokenCount\":%c,\"thoughtsTokenCount\":%t",
     .head = "{\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[",
     .thinking = {"{\"thought\":true,\"text\":\"", "\"},"}, .text = {"{\"text\":\"", "\"}"},
     .tail = "]},\"finishReason\":\"%s\"}]," METADATA "\n",
     .piece = {"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"", "\"}]}}]}\n\n"},
     .thought = {"data: {\"candidates\":[{\"content\":{\"parts\":[{\"thought\":true,\"text\":\"", "\"}]}}]}\n\n"},
     .end = "data: {\"candidates\":[{\"finishReason\":\"%s\"}]," METADATA "\n\n",
     .error = "{\"error\":{\"message\":\"%s\",\"status\":\"%s\",\"code\":%d,\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"0.05s\"}]}}\n"},
    {.path = "/api/chat", .stop = {"stop", "length", "stop", "stop"}, .details = "",
     .head = "{\"message\":{\"role\":\"assistant\"",
     .thinking = {",\"thinking\":\"", "\""}, .text = {",\"content\":\"", "\""},
     .tail = "}," COUNTS,
     .piece = {"{\"message\":{\"role\":\"assistant\",\"content\":\"", "\"},\"done\":false}\n"},
     .thought = {"{\"message\":{\"role\":\"assistant\",\"thinking\":\"", "\"},\"done\":false}\n"},
     .end = "{\"message\":{\"content\":\"\"}," COUNTS,
     .error = "{\"error\":\"%s (%s, %d)\"}\n"},
};
/* clang-format on */

const struct shape *shape_of(struct str path)
{
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (str_ends(path, str_of(shapes[i].path)))
            return &shapes[i];
    return NULL;
}

/* A string, or the texts of a list of parts one after another. */
static json_t *text_of(json_t *v)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 26);
    json_t *part;
    size_t i;

    if (json_is_object(v))
        v = json_object_get(v, "parts");
    if (json_is_string(v))
        return json_incref(v);
    json_array_foreach(v, i, part)
    {
        buf_add(&b, json_str_at(part, "text", STR("")));
    }
    return json_from_str(buf_str(&b));
}

static void say(json_t *messages, const char *role, json_t *text)
{
    (void)json_array_append_new(messages, json_pack("{s:s, s:o}", "role", role, "content", text));
}

/* ".../models/NAME:generateContent" */
static json_t *model_in(struct str path)
{
    struct str name = path, rest;

    for (size_t at; (at = str_find(name, STR("/"))) != SIZE_MAX;)
        name = str_from(name, at + 1);
    (void)str_cut(name, ':', &name, &rest);
    return json_from_str(name);
}

json_t *shape_request(const struct shape *s, struct str path, const json_t *request)
{
    static const char *const system[] = {"instructions", "system", "systemInstruction"};
    static const char *const turns[] = {"messages", "input", "contents", "prompt"};
    json_t *messages = json_array(), *out = json_object(), *list, *turn, *options;
    size_t i, k;

    for (i = 0; i < COUNT(system); i++)
        if (json_object_get(request, system[i]))
            say(messages, "system", text_of(json_object_get(request, system[i])));
    for (k = 0; k < COUNT(turns); k++) {
        list = json_object_get(request, turns[k]);
        if (json_is_string(list))
            say(messages, "user", json_incref(list));
        json_array_foreach(list, i, turn)
        {
            const char *role = json_string_value(json_object_get(turn, "role"));
            json_t *content = json_object_get(turn, "content");
            if (role)
                say(messages, strcmp(role, "model") == 0 ? "assistant" : role,
                    text_of(content ? content : turn));
            else
                (void)json_array_append(messages, turn);
        }
    }
    (void)json_object_update(out, (json_t *)(uintptr_t)request);
    (void)json_object_set_new(out, "messages", messages);
    (void)json_object_del(out, "input");
    if (!json_object_get(out, "model") && str_find(path, STR("/models/")) != SIZE_MAX)
        (void)json_object_set_new(out, "model", model_in(path));
    options = json_object_get(request, s->path[0] == 'e' ? "generationConfig" : "options");
    if (json_object_get(options, "seed"))
        (void)json_object_set(out, "seed", json_object_get(options, "seed"));
    if (str_find(path, STR("streamGenerate")) != SIZE_MAX)
        (void)json_object_set_new(out, "stream", json_true());
    return out;
}
