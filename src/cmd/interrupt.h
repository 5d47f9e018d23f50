/* interrupt.h - Ctrl-C, SIGTERM and a terminal that goes away (SIGHUP), while work can be ended in
 * order.
 *
 * The first signal asks to drain and save, the second to leave at once. Between watch and unwatch
 * nobody else handles these signals; there is one watch at a time. */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include <signal.h>

struct interrupt {
    struct sigaction interrupt, terminate, hangup; /* the handlers of before */
};

/* Returns a pointer to: 0 go on, 1 drain, 2 leave now. It begins at 0. */
const volatile sig_atomic_t *interrupt_watch(struct interrupt *i);
void interrupt_unwatch(const struct interrupt *i);

/* From now on, Ctrl-C or SIGTERM without a watch prints these words to standard error before it
 * ends the program. `words` is kept by reference. */
void interrupt_say(const char *words);

#endif
