#include "eval/vocab.h"

const char *vocab_state_name(enum state s)
{
    static const char *const names[STATES] = {
        [STATE_PLANNED] = "planned",   [STATE_LEASED] = "leased", [STATE_DONE] = "done",
        [STATE_UNSCORED] = "unscored", [STATE_FAILED] = "failed",
    };

    return (size_t)s < COUNT(names) ? names[s] : "unknown";
}
