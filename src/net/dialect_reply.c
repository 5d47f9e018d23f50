/* Converts replies in other dialects to chat completions. What a reply does not say is left out. */
#include "net/dialect.h"

#include "base/doc.h"
#include "net/form.h"

/* What is taken from a reply in any dialect. */
struct taken {
    struct buf text, thinking, refusal;
    const char *finish;               /* in the words of a chat completion; NULL: not said */
    const struct node *error;         /* borrowed */
    int64_t in, out, cached, thought; /* tokens; -1: not said */
    bool piece;                       /* a piece of a stream */
    bool ended;                       /* ... the last one */
};

/* Adds a copy of n under a key, which lists ignore. */
static struct node *put(struct arena *a, struct node *into, const char *key, struct node n)
{
    struct node *both = NEW_N(a, struct node, 2), **tail = &into->first;

    while (*tail)
        tail = &(*tail)->next;
    both[0] = (struct node){.quoted = true, .text = str_of(key)};
    n.key = &both[0];
    n.next = NULL;
    both[1] = n;
    into->n++;
    return *tail = &both[1];
}

static void put_text(struct arena *a, struct node *map, const char *key, struct str text)
{
    (void)put(a, map, key, (struct node){.quoted = true, .text = arena_str(a, text)});
}

static void put_count(struct arena *a, struct node *map, const char *key, int64_t n)
{
    struct str text = str_of(arena_int(a, n));

    if (n >= 0)
        (void)put(a, map, key, (struct node){.text = text});
}

static void put_usage(struct arena *a, struct node *root, const struct taken *t)
{
    struct node map = {.kind = NODE_MAP}, *usage = put(a, root, "usage", map);

    put_count(a, usage, "prompt_tokens", t->in);
    put_count(a, usage, "completion_tokens", t->out);
    if (t->cached >= 0)
        put_count(a, put(a, usage, "prompt_tokens_details", map), "cached_tokens", t->cached);
    if (t->thought >= 0)
        put_count(a, put(a, usage, "completion_tokens_details", map), "reasoning_tokens",
                  t->thought);
}

static struct node *completion_of(struct arena *a, const struct taken *t)
{
    struct node map = {.kind = NODE_MAP}, list = {.kind = NODE_LIST};
    struct node *root = node_new(a, NODE_MAP, (struct place){0});
    struct node *choice = put(a, put(a, root, "choices", list), "", map);
    struct node *message = put(a, choice, t->piece ? "delta" : "message", map);

    put_text(a, message, "content", buf_str(&t->text));
    if (t->thinking.n)
        put_text(a, message, "reasoning_content", buf_str(&t->thinking));
    if (t->refusal.n)
        put_text(a, message, "refusal", buf_str(&t->refusal));
    if (t->finish)
        put_text(a, choice, "finish_reason", str_of(t->finish));
    if (t->in >= 0 || t->out >= 0)
        put_usage(a, root, t);
    if (t->error)
        (void)put(a, root, "error", *t->error);
    return root;
}

/* The word of chat completions for it; "other" if it is unknown. */
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

/* Limited, so that sums cannot overflow; such a sum is obviously not a count. */
static int64_t tokens_at(const struct node *usage, const char *key, int64_t otherwise)
{
    int64_t n = node_int_at(usage, key, otherwise);

    return n < INT64_MAX / 4 ? n : INT64_MAX / 4;
}

/* true or false, without quotes. */
static bool is_word(const struct node *n, const char *word)
{
    return n && n->kind == NODE_SCALAR && !n->quoted && str_is(n->text, word);
}

/* ---- Anthropic ---- */

static void anthropic_usage(struct taken *t, const struct node *u)
{
    int64_t in = tokens_at(u, "input_tokens", -1);
    int64_t made = tokens_at(u, "cache_creation_input_tokens", 0);

    t->cached = tokens_at(u, "cache_read_input_tokens", -1);
    if (in >= 0) /* tokens read from and written to the cache are counted separately */
        t->in = in + made + (t->cached > 0 ? t->cached : 0);
    t->out = tokens_at(u, "output_tokens", -1);
    t->thought = tokens_at(node_get(u, "output_tokens_details"), "thinking_tokens", -1);
}

static void anthropic_block(struct taken *t, const struct node *block)
{
    const struct node *input = node_get(block, "input");

    buf_add(&t->text, node_str_at(block, "text", STR("")));
    buf_add(&t->thinking, node_str_at(block, "thinking", STR("")));
    /* Of a stream, where the input of content_block_start is empty. */
    buf_add(&t->text, node_str_at(block, "partial_json", STR("")));
    if (input && input->n && str_is(node_str_at(block, "type", STR("")), "tool_use") &&
        str_is(node_str_at(block, "name", STR("")), FORM_NAME)) {
        AUTO(arena_freep) struct arena *a = arena_new();
        AUTO(json_freep) json_t *form = doc_to_json(input);
        buf_text(&t->text, json_text(a, form));
    }
}

static void anthropic_stop(struct taken *t, const struct node *j)
{
    struct str said = node_str_at(node_get(j, "stop_details"), "explanation", STR(""));

    t->finish = finish_of(node_str_at(j, "stop_reason", STR("")));
    if (t->finish && strcmp(t->finish, "refusal") == 0)
        buf_add(&t->refusal, said.n ? said : STR("(refused)"));
}

static bool anthropic_read(struct taken *t, const struct node *root)
{
    struct str type = node_str_at(root, "type", STR(""));
    const struct node *block;

    t->piece = true;
    if (str_is(type, "message")) {
        t->piece = false;
        for (block = node_first(node_get(root, "content")); block; block = block->next)
            anthropic_block(t, block);
        anthropic_stop(t, root);
        anthropic_usage(t, node_get(root, "usage"));
    } else if (str_is(type, "message_start")) {
        anthropic_usage(t, node_get(node_get(root, "message"), "usage"));
    } else if (str_is(type, "content_block_start")) {
        anthropic_block(t, node_get(root, "content_block"));
    } else if (str_is(type, "content_block_delta")) {
        anthropic_block(t, node_get(root, "delta"));
    } else if (str_is(type, "message_delta")) {
        anthropic_stop(t, node_get(root, "delta"));
        anthropic_usage(t, node_get(root, "usage"));
    } else {
        t->ended = str_is(type, "message_stop");
        return t->ended || str_is(type, "ping") || str_is(type, "content_block_stop");
    }
    return true;
}

/* ---- Responses ---- */

static void responses_item(struct taken *t, const struct node *item)
{
    const struct node *part;

    for (part = node_first(node_get(item, "summary")); part; part = part->next)
        buf_add(&t->thinking, node_str_at(part, "text", STR("")));
    for (part = node_first(node_get(item, "content")); part; part = part->next) {
        bool said = str_is(node_str_at(part, "type", STR("")), "output_text");
        buf_add(said ? &t->text : &t->thinking, node_str_at(part, "text", STR("")));
        buf_add(&t->refusal, node_str_at(part, "refusal", STR("")));
    }
}

static void responses_end(struct taken *t, const struct node *r)
{
    const struct node *u = node_get(r, "usage");
    struct str status = node_str_at(r, "status", STR(""));

    if (str_is(status, "incomplete"))
        status = node_str_at(node_get(r, "incomplete_details"), "reason", STR("other"));
    t->finish = finish_of(status);
    t->error = node_get(r, "error");
    t->in = tokens_at(u, "input_tokens", -1);
    t->out = tokens_at(u, "output_tokens", -1);
    t->cached = tokens_at(node_get(u, "input_tokens_details"), "cached_tokens", -1);
    t->thought = tokens_at(node_get(u, "output_tokens_details"), "reasoning_tokens", -1);
}

static bool responses_read(struct taken *t, const struct node *root)
{
    struct str type = node_str_at(root, "type", STR("")),
               delta = node_str_at(root, "delta", STR(""));
    const struct node *item, *output = node_get(root, "output");

    if (output && output->kind == NODE_LIST) {
        for (item = node_first(output); item; item = item->next)
            responses_item(t, item);
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
        responses_end(t, node_get(root, "response"));
    return true;
}

/* ---- Gemini ---- */

static bool gemini_read(struct taken *t, const struct node *root)
{
    const struct node *first = node_first(node_get(root, "candidates")), *part;
    const struct node *u = node_get(root, "usageMetadata");
    const struct node *feedback = node_get(root, "promptFeedback");
    struct str blocked = node_str_at(feedback, "blockReason", STR(""));
    int64_t said = tokens_at(u, "candidatesTokenCount", -1);

    if (!first && !u && !feedback)
        return false;
    for (part = node_first(node_get(node_get(first, "content"), "parts")); part;
         part = part->next) {
        bool thought = is_word(node_get(part, "thought"), "true");
        buf_add(thought ? &t->thinking : &t->text, node_str_at(part, "text", STR("")));
    }
    t->finish =
        blocked.n ? "content_filter" : finish_of(node_str_at(first, "finishReason", STR("")));
    t->in = tokens_at(u, "promptTokenCount", -1);
    t->cached = tokens_at(u, "cachedContentTokenCount", -1);
    t->thought = tokens_at(u, "thoughtsTokenCount", -1);
    if (said >= 0 || t->thought >= 0) /* thoughts are counted separately */
        t->out = (said > 0 ? said : 0) + (t->thought > 0 ? t->thought : 0);
    return true;
}

/* ---- Ollama ---- */

static bool ollama_read(struct taken *t, const struct node *root)
{
    const struct node *message = node_get(root, "message"), *done = node_get(root, "done");

    if (!is_word(done, "true") && !is_word(done, "false"))
        return false;
    buf_add(&t->text, node_str_at(message, "content", STR("")));
    buf_add(&t->thinking, node_str_at(message, "thinking", STR("")));
    t->ended = is_word(done, "true");
    if (t->ended) { /* zeros are omitted */
        t->finish = finish_of(node_str_at(root, "done_reason", STR("stop")));
        t->in = tokens_at(root, "prompt_eval_count", 0);
        t->out = tokens_at(root, "eval_count", 0);
    }
    return true;
}

struct node *dialect_completion(struct arena *a, const struct node *root, bool *ended)
{
    static bool (*const readers[])(struct taken *, const struct node *) = {
        anthropic_read, responses_read, gemini_read, ollama_read};
    struct node *out = NULL;

    *ended = false;
    if (root->kind != NODE_MAP || node_get(root, "choices"))
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
            out = completion_of(a, &t);
        *ended = t.ended;
        buf_done(&t.text);
        buf_done(&t.thinking);
        buf_done(&t.refusal);
    }
    return out;
}
