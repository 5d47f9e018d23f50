#include "gauge/kin.h"

#include "base/json.h"

/* The model id of an endpoint of kind chat; "" for others. */
static const char *model_id(struct arena *a, struct str config)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err ignored = {0};

    if (json_read(config, &j, &ignored) != OK ||
        !str_is(json_str_at(j, "kind", STR("chat")), "chat"))
        return "";
    return arena_text(a, json_str_at(j, "model", STR("")));
}

enum kin kin_of(struct arena *a, const struct party *judge, const struct party *model)
{
    const char *x = model_id(a, judge->config), *y = model_id(a, model->config);

    if (*x && strcmp(x, y) == 0)
        return KIN_SELF;
    return *judge->family && strcmp(judge->family, model->family) == 0 ? KIN_FAMILY : KIN_NONE;
}
