/* fuzz_chat_stream.c - arbitrary bytes as a stream of events. Wherever they are cut, the same comes
 * of them; a fault has a reason, a good reply has text, what is kept reads as what was heard. */
#include <stdlib.h>

#include "net/chat_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Fed in pieces of `step` bytes. */
static struct chat_reply fed(struct arena *a, struct str whole, size_t step, struct str *body)
{
    AUTO(chat_stream_freep) struct chat_stream *s = chat_stream_new(1 << 20);
    struct http_reply raw = {
        .end = HTTP_DONE, .status = 200, .body = whole, .content_type = "", .why = ""};
    struct chat_reply r;

    for (struct str rest = whole; rest.n;) {
        struct str piece = {rest.p, rest.n < step ? rest.n : step}, said;
        chat_stream_feed(s, piece);
        said = chat_stream_said(s);
        require(utf8_check(said) == said.n);
        rest = str_from(rest, piece.n);
    }
    chat_stream_read(a, s, &raw, &r, body);
    return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str whole, body, other;
    struct chat_reply one, two, again;

    if (size < 1)
        return 0;
    whole = (struct str){(const char *)data + 1, size - 1};
    one = fed(a, whole, whole.n + 1, &body);
    two = fed(a, whole, (size_t)data[0] % 16 + 1, &other);
    require(one.fault == two.fault && str_eq(one.text, two.text) && str_eq(body, other));
    require((one.fault == CHAT_OK) == (one.text.n > 0));
    require((one.fault == CHAT_OK) == (one.why[0] == '\0'));
    require(utf8_check(one.text) == one.text.n && utf8_check(one.thinking) == one.thinking.n);
    chat_read_body(a, body, &again);
    require(one.fault != CHAT_OK || str_eq(again.text, one.text));
    return 0;
}
