#include "base/asset.h"

const struct asset *asset_find(const char *name)
{
    for (const struct asset *a = asset_table; a->name; a++)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

const struct asset *asset_next(const struct asset *previous, const char *prefix)
{
    for (const struct asset *a = previous ? previous + 1 : asset_table; a->name; a++)
        if (strncmp(a->name, prefix, strlen(prefix)) == 0)
            return a;
    return NULL;
}
