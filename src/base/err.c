#include "base/err.h"

#include <errno.h>
#include <stdarg.h>

#include "base/message.h"

/* A truncated message must not end inside a character: it is put into JSON and HTML. */
static void drop_half_rune(struct err *e)
{
    size_t n = strlen(e->msg), lead = n;

    if (n + 1 < sizeof e->msg)
        return;
    while (lead > 0 && n - lead < 4 && ((unsigned char)e->msg[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead > 0 && (unsigned char)e->msg[lead - 1] >= 0xC0)
        e->msg[lead - 1] = '\0';
}

enum status err_set(struct err *e, enum status code, const char *fmt, ...)
{
    va_list ap;

    e->code = code;
    va_start(ap, fmt);
    (void)vsnprintf(e->msg, sizeof e->msg, fmt, ap);
    va_end(ap);
    drop_half_rune(e);
    return code;
}

/* Frequent ones in our own words, which the catalogue contains. */
static const char *system_text(int number)
{
    return number == ENOENT    ? N_("No such file or directory")
           : number == EACCES  ? N_("Permission denied")
           : number == ENOSPC  ? N_("No space left on device")
           : number == EISDIR  ? N_("Is a directory")
           : number == ENOTDIR ? N_("Not a directory")
                               : strerror(number);
}

enum status err_system(struct err *e, const char *what)
{
    enum status code = errno == ENOENT                      ? E_ABSENT
                       : errno == ENOSPC || errno == EDQUOT ? E_FULL
                                                            : E_SYSTEM;

    return err_set(e, code, "%s: %s", what, system_text(errno));
}

enum status err_wrap(struct err *e, const char *fmt, ...)
{
    char was[sizeof e->msg];
    size_t at, room;
    va_list ap;

    memcpy(was, e->msg, sizeof was);
    va_start(ap, fmt);
    (void)vsnprintf(e->msg, sizeof e->msg, fmt, ap);
    va_end(ap);
    at = strlen(e->msg);
    room = sizeof e->msg - 1 - at;
    if (room > 2) {
        size_t n = strnlen(was, room - 2);
        memcpy(e->msg + at, ": ", 2);
        memcpy(e->msg + at + 2, was, n);
        e->msg[at + 2 + n] = '\0';
    }
    drop_half_rune(e);
    return e->code;
}
