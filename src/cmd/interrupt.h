/* interrupt.h - Ctrl-C, SIGTERM and a terminal that goes away (SIGHUP), heard while work can be
 * brought to an end.
 *
 * The first asks to drain and save, the second to leave. Between watch and unwatch nobody else
 * handles these signals; one at a time. */
#ifndef CMD_INTERRUPT_H
#define CMD_INTERRUPT_H

#include <signal.h>

struct interrupt {
    struct sigaction interrupt, terminate, hangup; /* what was there before */
};

/* What is pointed to: 0 go on, 1 drain, 2 leave now. It begins at 0. */
const volatile sig_atomic_t *interrupt_watch(struct interrupt *i);
void interrupt_unwatch(const struct interrupt *i);

/* Whoever is ended by Ctrl-C or SIGTERM while nobody watches says these words first. They stay
 * where they are, and are said to standard error. */
void interrupt_say(const char *words);

#endif
