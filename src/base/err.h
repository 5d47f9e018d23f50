/* err.h - why an operation failed, in words fit for the person at the terminal.
 *
 * A function that can fail returns enum status and takes a struct err * last,
 * which is never NULL. The place that detects the failure calls err_set(); each
 * caller that knows something the callee did not (a file, a model, a task) calls
 * err_wrap(). Only cmd/ and web/ print. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/base.h"

enum status {
    OK = 0,
    E_USAGE,  /* the caller asked for something meaningless */
    E_INPUT,  /* a file or reply is malformed */
    E_ABSENT, /* the named thing does not exist */
    E_BUSY,   /* try again later: lock, rate limit, overload */
    E_NET,    /* the other side failed or went away */
    E_STORE,  /* the database refused */
    E_FULL,   /* no room: disk full, quota reached */
    E_SYSTEM, /* the operating system refused; see errno text */
    E_STOP,   /* interrupted on request; what was done is kept */
};

struct err {
    enum status code;
    char msg[1024];
};

/* Records a failure. Returns code, so that callers can write return err_set(). */
enum status err_set(struct err *e, enum status code, const char *fmt, ...) PRINTF(3, 4);

/* Records that the operating system refused, as errno says: "what: why". */
enum status err_system(struct err *e, const char *what);

/* Prefixes the recorded message with context ("context: message"). Returns the recorded code. */
enum status err_wrap(struct err *e, const char *fmt, ...) PRINTF(2, 3);

#endif
