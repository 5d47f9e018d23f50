/* fuzz_chat.c - arbitrary bodies and statuses through chat_read(). The first two bytes choose the
 * status. Whatever comes, the reply keeps its promises: a fault has a reason of one line, a good
 * reply has text, and all of it is valid UTF-8. */
#include <stdlib.h>

#include "net/chat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_line(const char *text, size_t points)
{
    struct str s = str_of(text);

    require(utf8_check(s) == s.n && utf8_count(s) <= points);
    for (size_t i = 0; i < s.n; i++)
        require((unsigned char)s.p[i] >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int statuses[] = {200, 200, 200, 200, 400, 401, 429, 500, 502, 302};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct http_reply raw = {.end = HTTP_DONE, .why = ""};
    struct chat_reply r;

    if (size < 2)
        return 0;
    raw.status = statuses[data[0] % COUNT(statuses)];
    raw.content_type = data[1] & 1 ? "text/html" : "application/json";
    raw.body = (struct str){(const char *)data + 2, size - 2};
    chat_read(a, &raw, &r);
    require((r.fault == CHAT_OK) == (r.text.n > 0));
    require((r.fault == CHAT_OK) == (r.why[0] == '\0'));
    require(raw.status == 200 || r.fault != CHAT_OK);
    require(utf8_check(r.text) == r.text.n && utf8_check(r.thinking) == r.thinking.n);
    require_line(r.why, 400);
    require_line(r.finish, 400);
    require(r.tokens_in >= -1 && r.tokens_out >= -1);
    require(chat_tokens_guess(raw.body) <= (int64_t)raw.body.n);
    return 0;
}
