/* Arbitrary bodies and statuses through classify_read(). The first two bytes choose dialect and
 * status. A good reply has a finite logit, any other a reason of one line of valid UTF-8. */
#include <math.h>
#include <stdlib.h>

#include "net/classify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_line(struct str s)
{
    require(s.n > 0 && utf8_check(s) == s.n);
    for (size_t i = 0; i < s.n; i++)
        require((unsigned char)s.p[i] >= 0x20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int statuses[] = {200, 200, 200, 200, 400, 401, 413, 424, 429, 503};
    AUTO(arena_freep) struct arena *a = arena_new();
    struct http_reply raw = {.end = HTTP_DONE, .content_type = "application/json", .why = ""};
    struct classify_reply r;

    if (size < 2)
        return 0;
    raw.status = statuses[data[1] % COUNT(statuses)];
    raw.body = (struct str){(const char *)data + 2, size - 2};
    classify_read(a, &raw, data[0] & 1 ? CLASSIFY_MODERATION : CLASSIFY_PREDICT, "x", &r);
    require((r.fault == CHAT_OK) == (isfinite(r.logit) != 0));
    require(raw.status == 200 || r.fault != CHAT_OK);
    if (r.fault != CHAT_OK)
        require_line(str_of(r.why));
    return 0;
}
