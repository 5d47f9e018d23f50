#include "cmd/interrupt.h"

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t stop_asked;

static void on_signal(int number)
{
    (void)number;
    if (stop_asked < 2)
        stop_asked++;
}

/* Without SA_RESTART: waiting ends when a signal comes. */
const volatile sig_atomic_t *interrupt_watch(struct interrupt *i)
{
    struct sigaction mine = {.sa_handler = on_signal};

    stop_asked = 0;
    (void)sigemptyset(&mine.sa_mask);
    (void)sigaction(SIGINT, &mine, &i->interrupt);
    (void)sigaction(SIGTERM, &mine, &i->terminate);
    (void)sigaction(SIGHUP, &mine, &i->hangup);
    if (i->hangup.sa_handler == SIG_IGN) /* nohup */
        (void)sigaction(SIGHUP, &i->hangup, NULL);
    return &stop_asked;
}

void interrupt_unwatch(const struct interrupt *i)
{
    (void)sigaction(SIGINT, &i->interrupt, NULL);
    (void)sigaction(SIGTERM, &i->terminate, NULL);
    (void)sigaction(SIGHUP, &i->hangup, NULL);
}
