/* llama.h - runs llama-server for one file, and ends it with us.
 *
 * The server is a child in its own process group: Ctrl-C does not reach it, so its replies can be
 * waited for. The kernel kills it when the thread that started it ends, however that happens;
 * otherwise llama_stop() does. Single-threaded: events between two looks arrive through the loop of
 * `http`. */
#ifndef NET_LLAMA_H
#define NET_LLAMA_H

#include "net/http.h"

struct llama;

struct llama_how {
    const char *program; /* a path, or a name to look up in PATH */
    const char *file;    /* GGUF */
    const struct str *arguments;
    size_t narguments;
    int64_t wait_ms; /* maximum time until it is ready */
    const char *key; /* required for requests: others use this machine too */
};

enum llama_state {
    LLAMA_STARTS, /* nobody listens yet */
    LLAMA_LOADS,  /* it listens, but the model is not loaded yet */
    LLAMA_READY,
    LLAMA_FAILED, /* see llama_why() */
};

/* All of `how` is borrowed until llama_stop(). E_ABSENT: the program does not exist. */
CHECKED enum status llama_start(struct llama **out, const struct llama_how *how, struct http *http,
                                struct err *e);
/* Whether the program exists. */
bool llama_is_there(const char *program);
void llama_stop(struct llama *l); /* NULL is fine; waits until it is gone */

/* The current state; call it a few times a second until it is ready. */
enum llama_state llama_look(struct llama *l);
/* Why it failed, with the last lines of what it printed. Lives as long as l. */
const char *llama_why(const struct llama *l);
int llama_port(const struct llama *l);
/* "http://127.0.0.1/v1/chat/completions" with this port, in arena a. */
const char *llama_url(struct arena *a, int port, const char *url);

#endif
