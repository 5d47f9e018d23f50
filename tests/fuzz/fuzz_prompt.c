/* fuzz_prompt.c - any text as a template. What is found by prompt_next() is what prompt_fill()
 * replaces: cutting the names out by hand gives the same text. */
#include <stdlib.h>

#include "suite/prompt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { NAMES_MAX = 64 };
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf want = BUF_MAX(PROMPT_MAX);
    struct str text = arena_str(a, (struct str){(const char *)data, size}), name, out = {0};
    struct prompt_var v[NAMES_MAX];
    struct prompt_vars vars = {v, 0};
    size_t at = 0, done = 0, begin = 0;
    struct err e = {0};

    while (prompt_next(text, &at, &name, &begin)) {
        require(begin >= done && at >= begin + 5 && at <= text.n && name.n > 0);
        if (vars.n == NAMES_MAX)
            return 0;
        v[vars.n++] = (struct prompt_var){arena_text(a, name), STR("{{x}}")};
        buf_add(&want, (struct str){text.p + done, begin - done});
        buf_text(&want, "{{x}}");
        done = at;
    }
    buf_add(&want, str_from(text, done));
    require(prompt_fill(a, text, vars, &out, &e) == OK);
    require(str_eq(out, buf_str(&want)));
    if (vars.n > 0)
        require(prompt_fill(a, text, (struct prompt_vars){v, 0}, &out, &e) == E_INPUT);
    return 0;
}
