/* llama.h - llama-server, started for one file and ended with us.
 *
 * The server is a child in a process group of its own: Ctrl-C does not reach it, so that what it is
 * asked can be waited for. The system kills it when the thread that started it ends, however that
 * ends; otherwise llama_stop() does. Single-threaded: what is found out between two looks comes
 * through the loop of `http`. */
#ifndef NET_LLAMA_H
#define NET_LLAMA_H

#include "net/http.h"

struct llama;

struct llama_how {
    const char *program; /* a path, or a name that is looked for on PATH */
    const char *file;    /* GGUF */
    const struct str *arguments;
    size_t narguments;
    int64_t wait_ms; /* how long it may take until it answers */
    const char *key; /* whoever asks it must know this; others use this machine too */
};

enum llama_state {
    LLAMA_STARTS, /* nobody listens yet */
    LLAMA_LOADS,  /* it listens, and says that the model is not there yet */
    LLAMA_READY,
    LLAMA_FAILED, /* see llama_why() */
};

/* All of `how` is borrowed until llama_stop(). E_ABSENT: there is no such program. */
CHECKED enum status llama_start(struct llama **out, const struct llama_how *how, struct http *http,
                                struct err *e);
/* Is there such a program? */
bool llama_is_there(const char *program);
void llama_stop(struct llama *l); /* NULL is fine; waits until it is gone */

/* How it stands now; to be called a few times a second until it is ready. */
enum llama_state llama_look(struct llama *l);
/* Why it failed, with the last lines of what it printed. Lives as long as l. */
const char *llama_why(const struct llama *l);
int llama_port(const struct llama *l);
/* "http://127.0.0.1/v1/chat/completions" with this port, in arena a. */
const char *llama_url(struct arena *a, int port, const char *url);

#endif
