#include "net/dialect.h"

#include <ctype.h>

#include "net/chat.h"
#include "net/form.h"

enum { LIMIT_DEFAULT = 4096 }; /* tokens, if a dialect requires a limit and none was given */

static const struct {
    const char *name;
    const char *version, *end; /* of the path; "%s" is the model */
    const char *host;          /* a host that uses this dialect */
    const char *variable;      /* where its key is usually kept */
    const char *key;           /* header, up to the key */
    const char *more[2];       /* other headers */
} table[DIALECTS] = {
    /* clang-format off */
    [DIALECT_OPENAI]      = {"openai",      "/v1",     "/chat/completions", NULL, "OPENAI_API_KEY", "Authorization: Bearer ", {0}},
    [DIALECT_RESPONSES]   = {"responses",   "/v1",     "/responses",        NULL, "OPENAI_API_KEY", "Authorization: Bearer ", {0}},
    [DIALECT_COMPLETIONS] = {"completions", "/v1",     "/completions",      NULL, "OPENAI_API_KEY", "Authorization: Bearer ", {0}},
    [DIALECT_ANTHROPIC]   = {"anthropic",   "/v1",     "/messages",         "api.anthropic.com", "ANTHROPIC_API_KEY", "x-api-key: ",
                             {"anthropic-version: 2023-06-01"}},
    [DIALECT_GEMINI]      = {"gemini",      "/v1beta", "/models/%s:generateContent",
                             "generativelanguage.googleapis.com", "GEMINI_API_KEY", "x-goog-api-key: ", {0}},
    [DIALECT_OLLAMA]      = {"ollama",      "/api",    "/chat",             ":11434", "OLLAMA_API_KEY", "Authorization: Bearer ", {0}},
    /* clang-format on */
};

const char *dialect_name(enum dialect d)
{
    return table[d].name;
}

static struct str without_query(struct str url)
{
    const char *end = memchr(url.p, '?', url.n);

    url.n = end ? (size_t)(end - url.p) : url.n;
    while (url.n && url.p[url.n - 1] == '/')
        url.n--;
    return url;
}

enum dialect dialect_guess(struct str base_url)
{
    struct str url = without_query(str_trim(base_url));

    /* "/chat/completions" also ends in "/completions", so it is tried first. */
    for (size_t i = 0; i < DIALECTS; i++)
        if (i != DIALECT_OLLAMA && str_ends(url, str_of(table[i].end)))
            return (enum dialect)i;
    if (str_holds(url, STR(":generateContent")))
        return DIALECT_GEMINI;
    if (str_ends(url, STR("/api/chat")))
        return DIALECT_OLLAMA;
    if (str_ends(url, STR("/openai"))) /* besides the host's own dialect */
        return DIALECT_OPENAI;
    if (str_ends(url, STR("/anthropic")) || str_ends(url, STR("/anthropic/v1")))
        return DIALECT_ANTHROPIC;
    for (size_t i = 0; i < DIALECTS; i++) {
        bool there = table[i].host && str_holds(url, str_of(table[i].host));
        /* Under /v1, an Ollama server speaks OpenAI's dialect. */
        if (there && !(i == DIALECT_OLLAMA && str_ends(url, STR("/v1"))))
            return (enum dialect)i;
    }
    return DIALECT_OPENAI;
}

/* "/v1", "/v1beta/openai": in OpenAI's dialects any path contains the version, in others only if it
 * is written there. */
static bool is_versioned(enum dialect d, struct str url)
{
    size_t host = str_find(url, STR("://"));

    if (!table[d].host)
        return true;
    if (d == DIALECT_OLLAMA)
        return str_ends(url, STR("/api"));
    for (url = str_from(url, host == SIZE_MAX ? 0 : host + 3); url.n > 2; url = str_from(url, 1))
        if (url.p[0] == '/' && url.p[1] == 'v' && isdigit((unsigned char)url.p[2]))
            return true;
    return false;
}

const char *dialect_url(struct arena *a, enum dialect d, const char *base_url, const char *model,
                        const char **why)
{
    struct chat_path to = {table[d].version, table[d].end};
    struct str url = without_query(str_trim(str_of(base_url)));

    if (d == DIALECT_GEMINI)
        to.end = str_holds(url, STR(":generateContent"))
                     ? ""
                     : arena_printf(a, "/models/%s:generateContent",
                                    model + (strncmp(model, "models/", 7) == 0 ? 7 : 0));
    if (!is_versioned(d, url) && !str_ends(url, str_of(to.end)))
        to = (struct chat_path){"", arena_printf(a, "%s%s", to.version, to.end)};
    return chat_url_to(a, base_url, &to, why);
}

/* `url` with `from` replaced by `to`, or as it is. */
static const char *replaced(struct arena *a, const char *url, const char *from, const char *to)
{
    const char *at = strstr(url, from);

    return at ? arena_printf(a, "%.*s%s%s", (int)(at - url), url, to, at + strlen(from)) : url;
}

const char *dialect_url_streamed(struct arena *a, enum dialect d, const char *url)
{
    if (d != DIALECT_GEMINI)
        return url;
    url = replaced(a, url, ":generateContent?", ":streamGenerateContent?alt=sse&");
    return replaced(a, url, ":generateContent", ":streamGenerateContent?alt=sse");
}

const char *dialect_url_models(struct arena *a, enum dialect d, const char *url)
{
    if (d == DIALECT_GEMINI) {
        const char *at = strstr(url, "/models/");
        return at ? arena_printf(a, "%.*s/models", (int)(at - url), url) : url;
    }
    return replaced(a, url, table[d].end, d == DIALECT_OLLAMA ? "/tags" : "/models");
}

const char *dialect_key_variable(enum dialect d)
{
    return table[d].variable;
}

const char *dialect_key_header(struct arena *a, enum dialect d, const char *key)
{
    return arena_printf(a, "%s%s", table[d].key, key);
}

const char *const *dialect_headers(enum dialect d)
{
    return table[d].more;
}

/* ---- what was refused ---- */

unsigned dialect_avoids(struct str url)
{
    return str_starts(url, STR("https://api.openai.com/")) ? AVOID_MAX_TOKENS : 0;
}

unsigned dialect_refused(struct str error)
{
    static const struct {
        const char *word;
        unsigned avoid;
    } words[] = {
        {"max_tokens", AVOID_MAX_TOKENS},
        {"temperature", AVOID_SAMPLING},
        {"top_p", AVOID_SAMPLING},
        {"top_k", AVOID_SAMPLING},
        {"response_format", AVOID_SCHEMA},
        {"json_schema", AVOID_SCHEMA},
        {"output_config", AVOID_SCHEMA},
        {"tool_choice", AVOID_TOOL},
        {"tools", AVOID_TOOL},
        {"grammar", AVOID_GRAMMAR},
    };
    /* Without first letters, which may be capitals. */
    static const char *const complaints[] = {"nsupported",  "not support", "not allowed",
                                             "eprecated",   "nknown",      "nrecognized",
                                             "xtra inputs", "may only be", NULL};

    if (!str_any(error, str_holds, complaints))
        return 0;
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_holds(error, str_of(words[i].word)))
            return words[i].avoid;
    return 0;
}

/* ---- parameters ---- */

/* Our name of each parameter, and its path in each body: "a.b" is a member of a member. "": the
 * dialect cannot express it. */
static const struct {
    const char *ours, *as[DIALECTS];
    unsigned avoid;
} names[] = {
    /* clang-format off */
    /*                        openai                   responses            completions   anthropic             gemini                            ollama */
    {"max_tokens",            {"max_tokens",            "max_output_tokens", "max_tokens", "max_tokens",         "generationConfig.maxOutputTokens", "options.num_predict"}, AVOID_MAX_TOKENS},
    {"max_completion_tokens", {"max_completion_tokens", "max_output_tokens", "max_tokens", "max_tokens",         "generationConfig.maxOutputTokens", "options.num_predict"}, 0},
    {"temperature",           {"temperature",           "temperature",       "temperature", "temperature",       "generationConfig.temperature",   "options.temperature"}, AVOID_SAMPLING},
    {"top_p",                 {"top_p",                 "top_p",             "top_p",      "top_p",              "generationConfig.topP",          "options.top_p"}, AVOID_SAMPLING},
    {"top_k",                 {"top_k",                 "",                  "top_k",      "top_k",              "generationConfig.topK",          "options.top_k"}, AVOID_SAMPLING},
    {"seed",                  {"seed",                  "",                  "seed",       "",                   "generationConfig.seed",          "options.seed"}, 0},
    {"stop",                  {"stop",                  "",                  "stop",       "stop_sequences",     "generationConfig.stopSequences", "options.stop"}, 0},
    {"presence_penalty",      {"presence_penalty",      "",                  "presence_penalty", "",             "generationConfig.presencePenalty", "options.presence_penalty"}, 0},
    {"frequency_penalty",     {"frequency_penalty",     "",                  "frequency_penalty", "",            "generationConfig.frequencyPenalty", "options.frequency_penalty"}, 0},
    {"effort",                {"reasoning_effort",      "reasoning.effort",  "",           "output_config.effort", "generationConfig.thinkingConfig.thinkingLevel", "think"}, 0},
    {"thinking_budget",       {"",                      "",                  "",           "thinking.budget_tokens", "generationConfig.thinkingConfig.thinkingBudget", ""}, 0},
    /* clang-format on */
};

bool dialect_knows(enum dialect d, const char *parameter)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(parameter, names[i].ours) == 0)
            return names[i].as[d][0];
    return true;
}

int64_t dialect_limit(const json_t *parameters)
{
    static const char *const keys[] = {"limit", "max_completion_tokens", "max_tokens"};
    int64_t n = 0;

    for (size_t i = 0; i < COUNT(keys) && n <= 0; i++)
        n = json_int_at(parameters, keys[i], 0);
    return n;
}

/* Sets "a.b.c", creating objects as needed. Takes the reference. */
static void set_at(json_t *root, const char *path, json_t *value)
{
    struct str head, rest = str_of(path);
    char key[40];

    while (str_cut(rest, '.', &head, &rest)) {
        json_t *inner;
        (void)snprintf(key, sizeof key, "%.*s", STR_ARG(head));
        inner = json_object_get(root, key);
        root = json_is_object(inner) ? inner : json_put_object(root, key);
    }
    (void)snprintf(key, sizeof key, "%.*s", STR_ARG(rest));
    json_put(root, key, value);
}

static bool is_none(const char *ours, const json_t *value)
{
    return strcmp(ours, "effort") == 0 && json_is_string(value) &&
           strcmp(json_string_value(value), "none") == 0;
}

/* Some dialects want a list where others take one word, and Gemini wants capitals. */
static json_t *value_for(enum dialect d, const char *ours, json_t *value)
{
    char word[32];

    if (d == DIALECT_OLLAMA && is_none(ours, value))
        return json_false();
    if (strcmp(ours, "stop") == 0 && json_is_string(value) && d != DIALECT_OPENAI)
        return json_pack("[O]", value);
    if (strcmp(ours, "effort") == 0 && d == DIALECT_GEMINI && json_is_string(value)) {
        (void)snprintf(word, sizeof word, "%s", json_string_value(value));
        for (char *c = word; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        return json_string(word);
    }
    return json_incref(value);
}

/* Sets {"type":"json_schema","json_schema":{"name","schema"}} in the form of each dialect. */
static void set_schema(json_t *body, enum dialect d, json_t *format)
{
    json_t *inner = json_object_get(format, "json_schema"), *schema, *form;

    schema = json_object_get(inner, "schema");
    if (d == DIALECT_OPENAI || d == DIALECT_COMPLETIONS || !schema) {
        (void)json_object_set(body, "response_format", format);
    } else if (d == DIALECT_GEMINI) {
        set_at(body, "generationConfig.responseMimeType", json_string("application/json"));
        set_at(body, "generationConfig.responseJsonSchema", json_incref(schema));
    } else if (d == DIALECT_OLLAMA) {
        (void)json_object_set(body, "format", schema);
    } else {
        form = d == DIALECT_RESPONSES ? json_copy(inner) : json_object();
        json_put_text(form, "type", "json_schema");
        (void)json_object_set(form, "schema", schema);
        set_at(body, d == DIALECT_RESPONSES ? "text.format" : "output_config.format", form);
    }
}

/* Members of the body: the messages, and the system prompt if it is separate. */
static const char *const turns_key[DIALECTS] = {"messages", "input",    "prompt",
                                                "messages", "contents", "messages"};
static const char *const system_key[DIALECTS] = {[DIALECT_RESPONSES] = "instructions",
                                                 [DIALECT_ANTHROPIC] = "system",
                                                 [DIALECT_GEMINI] = "systemInstruction"};

/* True if it is a known parameter. */
static bool set_known(json_t *body, const struct chat_request *req, enum dialect d, const char *key,
                      json_t *value)
{
    if ((d == DIALECT_ANTHROPIC || d == DIALECT_GEMINI) && is_none(key, value)) {
        AUTO(json_freep) json_t *zero = json_integer(0);
        return set_known(body, req, d, "thinking_budget", zero);
    }
    for (size_t i = 0; i < COUNT(names); i++) {
        const char *as = names[i].as[d];
        if (strcmp(strcmp(key, "limit") == 0 ? "max_tokens" : key, names[i].ours) != 0)
            continue;
        if (names[i].avoid & req->avoid & AVOID_MAX_TOKENS)
            as = d == DIALECT_OPENAI ? "max_completion_tokens" : as;
        else if (names[i].avoid & req->avoid)
            as = "";
        if (*as)
            set_at(body, as, value_for(d, key, value));
        return true;
    }
    if (strcmp(key, "response_format") == 0) {
        if (!(req->avoid & AVOID_SCHEMA))
            set_schema(body, d, value);
        else
            form_put(body, d, value, req->avoid);
        return true;
    }
    return strcmp(key, "model") == 0 || strcmp(key, "messages") == 0 ||
           strcmp(key, turns_key[d]) == 0 || strncmp(key, "stream", strlen("stream")) == 0;
}

static void set_parameters(json_t *body, enum dialect d, const struct chat_request *req)
{
    const char *key;
    json_t *value, *p = json_deep_copy(req->parameters);

    json_object_foreach(p, key, value)
    {
        if (!set_known(body, req, d, key, value))
            (void)json_object_set(body, key, value);
    }
    json_decref(p);
}

/* ---- turns ---- */

/* The texts of all turns with a role, or with any other, separated by blank lines. */
static json_t *joined(const struct chat_request *req, const char *role, bool wanted)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2);

    for (size_t i = 0; i < req->nturns; i++) {
        if ((strcmp(req->turns[i].role, role) == 0) != wanted)
            continue;
        buf_text(&b, b.n ? "\n\n" : "");
        buf_add(&b, req->turns[i].text);
    }
    return json_from_str(buf_str(&b));
}

/* {"role","content"}, or Gemini's {"role","parts":[{"text"}]} with the role "model". */
static json_t *turn_of(enum dialect d, const struct chat_turn *t)
{
    json_t *text = json_from_str(t->text);

    if (d != DIALECT_GEMINI)
        return json_pack("{s:s, s:o}", "role", t->role, "content", text);
    return json_pack("{s:s, s:[{s:o}]}", "role",
                     strcmp(t->role, "assistant") == 0 ? "model" : "user", "parts", "text", text);
}

static json_t *turns_of(enum dialect d, const struct chat_request *req, bool with_system)
{
    json_t *list = json_array();

    for (size_t i = 0; i < req->nturns; i++)
        if (with_system || strcmp(req->turns[i].role, "system") != 0)
            (void)json_array_append_new(list, turn_of(d, &req->turns[i]));
    return list;
}

/* The system prompt; NULL if there is none. Anthropic caches what precedes a mark. */
static json_t *system_of(enum dialect d, const struct chat_request *req)
{
    json_t *text = joined(req, "system", true);

    if (json_string_length(text) == 0) {
        json_decref(text);
        return NULL;
    }
    if (d == DIALECT_ANTHROPIC)
        return json_pack("[{s:s, s:o, s:{s:s}}]", "type", "text", "text", text, "cache_control",
                         "type", "ephemeral");
    return d == DIALECT_GEMINI ? json_pack("{s:[{s:o}]}", "parts", "text", text) : text;
}

static void set_turns(json_t *body, enum dialect d, const struct chat_request *req)
{
    json_t *told = system_key[d] ? system_of(d, req) : NULL;

    if (told)
        json_put(body, system_key[d], told);
    json_put(body, turns_key[d],
             dialect_lists(d) ? turns_of(d, req, !system_key[d]) : joined(req, "", false));
}

/* ---- bodies ---- */

static void set_demanded(json_t *body, enum dialect d, const struct chat_request *req)
{
    json_t *thinking = d == DIALECT_ANTHROPIC ? json_object_get(body, "thinking") : NULL;
    int64_t budget = json_int_at(thinking, "budget_tokens", -1);

    if ((d == DIALECT_ANTHROPIC || d == DIALECT_COMPLETIONS) &&
        !json_object_get(body, "max_tokens"))
        json_put_int(body, "max_tokens", LIMIT_DEFAULT + (budget > 0 ? budget : 0));
    if (budget == 0)
        (void)json_object_del(thinking, "budget_tokens");
    if (budget >= 0)
        json_put_text(thinking, "type", budget ? "enabled" : "disabled");
    if (d == DIALECT_RESPONSES)
        json_put_bool(body, "store", false);
    if (d == DIALECT_OLLAMA) { /* it streams by default, and silently truncates long chats */
        json_put_bool(body, "stream", req->stream);
        json_put_bool(body, "truncate", false);
    } else if (req->stream && d != DIALECT_GEMINI) {
        json_put_bool(body, "stream", true);
        if (d == DIALECT_OPENAI || d == DIALECT_COMPLETIONS)
            set_at(body, "stream_options.include_usage", json_true());
    }
}

json_t *dialect_body(enum dialect d, const struct chat_request *req)
{
    json_t *body = json_object();

    if (d != DIALECT_GEMINI) /* the address has the model */
        json_put(body, "model", json_string(req->model));
    set_turns(body, d, req);
    set_parameters(body, d, req);
    set_demanded(body, d, req);
    return body;
}

bool dialect_lists(enum dialect d)
{
    return d != DIALECT_COMPLETIONS;
}

/* Splits the body at an empty list of messages. No text contains this mark, since quotes in texts
 * are escaped, and parameters come later. */
struct dialect_frame dialect_frame(struct arena *a, enum dialect d, const struct chat_request *req)
{
    struct chat_request bare = *req;
    AUTO(json_freep) json_t *body = NULL;
    struct str mark = str_of(arena_printf(a, "\"%s\":[]", turns_key[d])), text;
    size_t at;

    bare.nturns = system_key[d] && req->nturns ? 1 : 0;
    body = dialect_body(d, &bare);
    text = str_of(json_text(a, body));
    at = str_find(text, mark) + mark.n - 1;
    return (struct dialect_frame){{text.p, at}, str_from(text, at), !system_key[d]};
}

void dialect_message(struct buf *b, enum dialect d, const struct chat_turn *t)
{
    bool gemini = d == DIALECT_GEMINI, model = gemini && strcmp(t->role, "assistant") == 0;

    buf_text(b, "{\"role\":");
    json_quote(b, model ? STR("model") : gemini ? STR("user") : str_of(t->role));
    buf_text(b, gemini ? ",\"parts\":[{\"text\":" : ",\"content\":");
    json_quote(b, t->text);
    buf_text(b, gemini ? "}]}" : "}");
}
