/* Any bytes as a classifier's file: refused with a reason, or sound and the same when read again.
 */
#include <math.h>
#include <stdlib.h>

#include "exchange/classifier.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = {(const char *)data, size};
    struct classifier c = {.lines = -7};
    struct err e = {0};
    char hash[HASH_HEX];

    if (classifier_parse(a, text, "fuzz", &c, &e) != OK) {
        require(e.msg[0] && c.lines == -7);
        return 0;
    }
    require(c.labels[0][0] && c.labels[1][0] && strcmp(c.labels[0], c.labels[1]) != 0);
    classifier_seal(&c, hash);
    require(strcmp(hash, c.hash) == 0);
    require(isfinite(classifier_logit(&c, STR("a text"))));
    return 0;
}
