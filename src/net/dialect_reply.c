/* Replies in other dialects as chat completions. What a reply does not say stays away. */
#include "net/dialect.h"

#include "net/form.h"

/* What is taken over, whichever dialect it comes from. */
struct taken {
    struct buf text, thinking, refusal;
    const char *finish;               /* as a chat completion says it; NULL: not said */
    json_t *error;                    /* borrowed */
    int64_t in, out, cached, thought; /* tokens; -1: not said */
    bool piece;                       /* of a stream */
    bool ended;                       /* ... and the last one */
};

/* NULL where there is nothing, which json_pack() leaves out under "o*". */
static json_t *text_or_none(const struct buf *b)
{
    return b->n ? json_from_str(buf_str(b)) : NULL;
}

static json_t *count_or_none(int64_t n)
{
    return n >= 0 ? json_integer(n) : NULL;
}

static json_t *within(const char *key, json_t *value)
{
    return value ? json_pack("{s:o}", key, value) : NULL;
}

static json_t *usage_of(const struct taken *t)
{
    if (t->in < 0 && t->out < 0)
        return NULL;
    return json_pack("{s:o*, s:o*, s:o*, s:o*}", "prompt_tokens", count_or_none(t->in),
                     "completion_tokens", count_or_none(t->out), "prompt_tokens_details",
                     within("cached_tokens", count_or_none(t->cached)), "completion_tokens_details",
                     within("reasoning_tokens", count_or_none(t->thought)));
}

static json_t *completion_of(const struct taken *t)
{
    json_t *message = json_pack("{s:o, s:o*, s:o*}", "content", json_from_str(buf_str(&t->text)),
                                "reasoning_content", text_or_none(&t->thinking), "refusal",
                                text_or_none(&t->refusal));

    return json_pack("{s:[{s:o, s:s*}], s:o*, s:O*}", "choices", t->piece ? "delta" : "message",
                     message, "finish_reason", t->finish, "usage", usage_of(t), "error", t->error);
}

/* The word that a chat completion has for it; what is not known stays as it is. */
static const char *finish_of(struct str theirs)
{
    static const struct {
        const char *theirs, *ours;
    } words[] = {
        {"end_turn", "stop"},
        {"stop_sequence", "stop"},
        {"tool_use", "stop"},
        {"completed", "stop"},
        {"STOP", "stop"},
        {"max_tokens", "length"},
        {"max_output_tokens", "length"},
        {"MAX_TOKENS", "length"},
        {"model_context_window_exceeded", "length"},
        {"refusal", "refusal"},
        {"content_filter", "content_filter"},
        {"SAFETY", "content_filter"},
        {"RECITATION", "content_filter"},
        {"BLOCKLIST", "content_filter"},
        {"PROHIBITED_CONTENT", "content_filter"},
        {"SPII", "content_filter"},
        {"JAILBREAK", "content_filter"},
        {"LANGUAGE", "content_filter"},
        {"load", "load"},
        {"stop", "stop"},
        {"length", "length"},
        {"unload", "load"},
    };

    for (size_t i = 0; i < COUNT(words); i++)
        if (str_is(theirs, words[i].theirs))
            return words[i].ours;
    return theirs.n ? "other" : NULL;
}

/* ---- Anthropic ---- */

static void anthropic_usage(struct taken *t, const json_t *u)
{
    int64_t in = json_int_at(u, "input_tokens", -1);
    int64_t made = json_int_at(u, "cache_creation_input_tokens", 0);

    t->cached = json_int_at(u, "cache_read_input_tokens", -1);
    if (in >= 0) /* what is read from the cache and written to it is counted beside the rest */
        t->in = in + made + (t->cached > 0 ? t->cached : 0);
    t->out = json_int_at(u, "output_tokens", -1);
    t->thought = json_int_at(json_object_get(u, "output_tokens_details"), "thinking_tokens", -1);
}

static void anthropic_block(struct taken *t, const json_t *block)
{
    buf_add(&t->text, json_str_at(block, "text", STR("")));
    buf_add(&t->thinking, json_str_at(block, "thinking", STR("")));
    if (str_is(json_str_at(block, "type", STR("")), "tool_use") &&
        str_is(json_str_at(block, "name", STR("")), FORM_NAME)) {
        AUTO(arena_freep) struct arena *a = arena_new();
        buf_text(&t->text, json_text(a, json_object_get(block, "input")));
    }
}

static void anthropic_stop(struct taken *t, const json_t *j)
{
    struct str said = json_str_at(json_object_get(j, "stop_details"), "explanation", STR(""));

    t->finish = finish_of(json_str_at(j, "stop_reason", STR("")));
    if (t->finish && strcmp(t->finish, "refusal") == 0)
        buf_add(&t->refusal, said.n ? said : STR("(refused)"));
}

static bool anthropic_read(struct taken *t, const json_t *root)
{
    struct str type = json_str_at(root, "type", STR(""));
    const json_t *block;
    size_t i;

    t->piece = true;
    if (str_is(type, "message")) {
        t->piece = false;
        json_array_foreach(json_object_get(root, "content"), i, block)
        {
            anthropic_block(t, block);
        }
        anthropic_stop(t, root);
        anthropic_usage(t, json_object_get(root, "usage"));
    } else if (str_is(type, "message_start")) {
        anthropic_usage(t, json_object_get(json_object_get(root, "message"), "usage"));
    } else if (str_is(type, "content_block_start")) {
        anthropic_block(t, json_object_get(root, "content_block"));
    } else if (str_is(type, "content_block_delta")) {
        anthropic_block(t, json_object_get(root, "delta"));
    } else if (str_is(type, "message_delta")) {
        anthropic_stop(t, json_object_get(root, "delta"));
        anthropic_usage(t, json_object_get(root, "usage"));
    } else {
        t->ended = str_is(type, "message_stop");
        return t->ended || str_is(type, "ping") || str_is(type, "content_block_stop");
    }
    return true;
}

/* ---- Responses ---- */

static void responses_item(struct taken *t, const json_t *item)
{
    const json_t *part;
    size_t i;

    json_array_foreach(json_object_get(item, "summary"), i, part)
    {
        buf_add(&t->thinking, json_str_at(part, "text", STR("")));
    }
    json_array_foreach(json_object_get(item, "content"), i, part)
    {
        bool said = str_is(json_str_at(part, "type", STR("")), "output_text");
        buf_add(said ? &t->text : &t->thinking, json_str_at(part, "text", STR("")));
        buf_add(&t->refusal, json_str_at(part, "refusal", STR("")));
    }
}

static void responses_end(struct taken *t, const json_t *r)
{
    const json_t *u = json_object_get(r, "usage");
    struct str status = json_str_at(r, "status", STR(""));

    if (str_is(status, "incomplete"))
        status = json_str_at(json_object_get(r, "incomplete_details"), "reason", STR("other"));
    t->finish = finish_of(status);
    t->error = json_object_get(r, "error");
    t->in = json_int_at(u, "input_tokens", -1);
    t->out = json_int_at(u, "output_tokens", -1);
    t->cached = json_int_at(json_object_get(u, "input_tokens_details"), "cached_tokens", -1);
    t->thought = json_int_at(json_object_get(u, "output_tokens_details"), "reasoning_tokens", -1);
}

static bool responses_read(struct taken *t, const json_t *root)
{
    struct str type = json_str_at(root, "type", STR("")),
               delta = json_str_at(root, "delta", STR(""));
    const json_t *item, *whole = json_object_get(root, "response");
    size_t i;

    if (json_is_array(json_object_get(root, "output"))) {
        json_array_foreach(json_object_get(root, "output"), i, item)
        {
            responses_item(t, item);
        }
        responses_end(t, root);
        return true;
    }
    t->piece = true;
    if (!str_starts(type, STR("response.")))
        return false;
    if (str_is(type, "response.output_text.delta"))
        buf_add(&t->text, delta);
    else if (str_is(type, "response.refusal.delta"))
        buf_add(&t->refusal, delta);
    else if (str_starts(type, STR("response.reasoning")) && str_ends(type, STR("text.delta")))
        buf_add(&t->thinking, delta);
    t->ended = str_is(type, "response.completed") || str_is(type, "response.incomplete") ||
               str_is(type, "response.failed");
    if (t->ended)
        responses_end(t, whole);
    return true;
}

/* ---- Gemini ---- */

static bool gemini_read(struct taken *t, const json_t *root)
{
    const json_t *first = json_array_get(json_object_get(root, "candidates"), 0), *part;
    const json_t *u = json_object_get(root, "usageMetadata");
    const json_t *feedback = json_object_get(root, "promptFeedback");
    struct str blocked = json_str_at(feedback, "blockReason", STR(""));
    int64_t said = json_int_at(u, "candidatesTokenCount", -1);
    size_t i;

    if (!first && !u && !feedback)
        return false;
    json_array_foreach(json_object_get(json_object_get(first, "content"), "parts"), i, part)
    {
        bool thought = json_is_true(json_object_get(part, "thought"));
        buf_add(thought ? &t->thinking : &t->text, json_str_at(part, "text", STR("")));
    }
    t->finish =
        blocked.n ? "content_filter" : finish_of(json_str_at(first, "finishReason", STR("")));
    t->in = json_int_at(u, "promptTokenCount", -1);
    t->cached = json_int_at(u, "cachedContentTokenCount", -1);
    t->thought = json_int_at(u, "thoughtsTokenCount", -1);
    if (said >= 0 || t->thought >= 0) /* thoughts are counted beside what was said */
        t->out = (said > 0 ? said : 0) + (t->thought > 0 ? t->thought : 0);
    return true;
}

/* ---- Ollama ---- */

static bool ollama_read(struct taken *t, const json_t *root)
{
    const json_t *message = json_object_get(root, "message"), *done = json_object_get(root, "done");

    if (!json_is_boolean(done))
        return false;
    buf_add(&t->text, json_str_at(message, "content", STR("")));
    buf_add(&t->thinking, json_str_at(message, "thinking", STR("")));
    t->ended = json_is_true(done);
    if (t->ended) { /* zeros are left out */
        t->finish = finish_of(json_str_at(root, "done_reason", STR("stop")));
        t->in = json_int_at(root, "prompt_eval_count", 0);
        t->out = json_int_at(root, "eval_count", 0);
    }
    return true;
}

json_t *dialect_completion(const json_t *root, bool *ended)
{
    static bool (*const readers[])(struct taken *, const json_t *) = {
        anthropic_read, responses_read, gemini_read, ollama_read};
    json_t *out = NULL;

    *ended = false;
    if (!json_is_object(root) || json_object_get(root, "choices"))
        return NULL;
    for (size_t i = 0; i < COUNT(readers) && !out; i++) {
        struct taken t = {.text = BUF_MAX(SIZE_MAX / 2), /* no longer than what came */
                          .thinking = BUF_MAX(SIZE_MAX / 2),
                          .refusal = BUF_MAX(SIZE_MAX / 2),
                          .in = -1,
                          .out = -1,
                          .cached = -1,
                          .thought = -1};
        if (readers[i](&t, root))
            out = completion_of(&t);
        *ended = t.ended;
        buf_done(&t.text);
        buf_done(&t.thinking);
        buf_done(&t.refusal);
    }
    return out;
}
