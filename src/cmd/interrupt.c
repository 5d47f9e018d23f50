#include "cmd/interrupt.h"

#include <string.h>
#include <unistd.h>

/* Globals, because a signal handler can reach nothing else. */
static volatile sig_atomic_t stop_asked;
static const char *last_words;

static void on_signal(int number)
{
    (void)number;
    if (stop_asked < 2)
        stop_asked++;
}

/* Without SA_RESTART, so that a signal ends a wait. */
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

static void on_end(int number)
{
    (void)!write(STDERR_FILENO, last_words, strlen(last_words));
    (void)raise(number); /* ends the program: SA_RESETHAND removed this handler */
}

/* A signal that our caller has us ignore stays ignored: shells do that for background jobs. */
static void say_at(int number)
{
    struct sigaction was, mine = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};

    (void)sigemptyset(&mine.sa_mask);
    if (sigaction(number, NULL, &was) == 0 && was.sa_handler == SIG_DFL)
        (void)sigaction(number, &mine, NULL);
}

void interrupt_say(const char *words)
{
    last_words = words;
    say_at(SIGINT);
    say_at(SIGTERM);
}

void interrupt_unwatch(const struct interrupt *i)
{
    (void)sigaction(SIGINT, &i->interrupt, NULL);
    (void)sigaction(SIGTERM, &i->terminate, NULL);
    (void)sigaction(SIGHUP, &i->hangup, NULL);
}
