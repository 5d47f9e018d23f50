#include "db/db_sqlstate.h"

#include "base/base.h"

static bool is_among(const char *state, const char *const *codes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(state, codes[i], strlen(codes[i])) == 0)
            return true;
    return false;
}

bool db_sqlstate_passes(const char *state)
{
    /* the connection, shutdown x3, serialization failure, deadlock, lock timeout, too many
     * connections, idle in a transaction for too long */
    static const char *const codes[] = {"08",    "57P01", "57P02", "57P03", "40001",
                                        "40P01", "55P03", "53300", "25P03"};

    /* Class 08, but not a call with the wrong number of parameters. */
    return is_among(state, codes, COUNT(codes)) && strcmp(state, "08P01") != 0;
}

bool db_sqlstate_bars(const char *state)
{
    /* authorization, no such database, no right to it, a feature that is not there */
    static const char *const classes[] = {"28", "3D", "42", "0A"};

    return *state == '\0' || is_among(state, classes, COUNT(classes));
}

const char *db_sqlstate_at_end(struct str message, char out[6])
{
    struct str m = str_trim(message);

    (void)snprintf(out, 6, "%.*s", STR_ARG(str_from(m, m.n < 5 ? 0 : m.n - 5)));
    return strspn(out, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 ? out : "";
}
