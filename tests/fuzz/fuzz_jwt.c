/* Any bytes as a signed statement, and as the keys that should have signed it: nothing is believed
 * that these keys did not sign, and no fuzzer can sign. */
#include <stdlib.h>

#include "web/jwt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char keys[] = "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"e\","
                           "\"x\":\"p-jpkA4CT5jUE8zAl2t1mclrrkSiyDpDGU23G09lfUg\","
                           "\"y\":\"fdvjxPlYeo_MQ2Vlk9bTc5jSm-MakcmPI3mH534Bp9w\"}]}";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct str text = {(const char *)data, size}, token = text, set = text;
    AUTO(json_freep) json_t *own = NULL, *given = NULL, *claims = NULL, *more = NULL;
    struct err e;

    (void)str_cut(text, '\n', &token, &set);
    if (json_read(str_of(keys), &own, &e) != OK || jwt_read(a, token, own, &claims, &e) == OK)
        abort();
    if (json_read(set, &given, &e) == OK)
        (void)!jwt_read(a, token, given, &more, &e);
    arena_free(a);
    return 0;
}
