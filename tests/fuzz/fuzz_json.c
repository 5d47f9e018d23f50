/* Our reader of JSON against jansson's: the same texts are taken, with the same values. */
#include <stdlib.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* jansson allows deeper nesting, and real numbers that overflow the other way. */
static bool beyond_both(struct str text)
{
    size_t depth = 0, deepest = 0;

    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '[' || text.p[i] == '{')
            depth++;
        else if ((text.p[i] == ']' || text.p[i] == '}') && depth)
            depth--;
        if (depth > deepest)
            deepest = depth;
        if (text.p[i] == '\0')
            return true;
    }
    return deepest > 200 || text.n > 60; /* numbers longer than str_double() takes */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct err e = {0};
    json_t *ours = NULL, *theirs;

    (void)!json_read(text, &ours, &e);
    theirs = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (!beyond_both(text) && ((ours == NULL) != (theirs == NULL) || !json_equal(ours, theirs)) &&
        (ours || theirs))
        abort();
    json_decref(ours);
    json_decref(theirs);
    return 0;
}
