/* Models that are files: which of their servers run, and which have to wait.
 *
 * A server is started when there is something to ask it, so that a run whose replies are all stored
 * starts none. Servers run side by side while their files fill no more than most of the memory;
 * otherwise one after the other, each until it has nothing to do. One that fails beside others is
 * tried once more alone: what a graphics card holds, only it knows. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "eval/work.h"
#include "net/llama.h"

enum {
    LOOK_MS = 100,       /* a server that is starting is looked at this often */
    WAIT_MS = 600000,    /* a large model takes minutes to load */
    MEMORY_PERCENT = 80, /* that files may fill together */
};

struct local {
    struct local *next;
    struct llama *server; /* NULL: it does not run */
    struct llama_how how;
    int64_t bytes;
    bool alone;                         /* it failed beside others */
    const char *starts, *loads, *waits; /* how to say so */
};

static bool is_for(const struct local *l, const struct endpoint *ep)
{
    bool same = strcmp(l->how.file, ep->file) == 0 && strcmp(l->how.program, ep->server) == 0 &&
                l->how.narguments == ep->narguments;

    for (size_t i = 0; same && i < ep->narguments; i++)
        same = str_eq(l->how.arguments[i], ep->arguments[i]);
    return same;
}

const char *local_open(struct work *w, struct channel *c)
{
    const struct endpoint *ep = &c->ep;
    struct local *l = w->locals;
    struct stat is = {0};

    while (l && !is_for(l, ep))
        l = l->next;
    c->local = l;
    if (l)
        return l->how.key;
    (void)stat(ep->file, &is);
    c->local = l = NEW(w->arena, struct local);
    *l = (struct local){
        .next = w->locals,
        .how =
            models_server(w->arena, ep, w->o->endpoint_wait_ms ? w->o->endpoint_wait_ms : WAIT_MS),
        .bytes = is.st_size,
        .starts = arena_printf(w->arena, N_("%s: llama-server is starting"), ep->name),
        .loads = arena_printf(w->arena, N_("%s: llama-server is loading the model"), ep->name),
        .waits = arena_printf(w->arena, N_("%s does not fit into memory beside the other model"),
                              ep->name),
    };
    w->locals = l;
    return l->how.key;
}

static void halt_all(struct work *w, const struct local *l, const char *why)
{
    for (size_t i = 0; i < w->nchannels; i++) {
        struct channel *c = &w->channels[i];
        if (c->local == l && !c->halted) {
            c->halted = arena_printf(w->arena, "%s: %s", c->ep.name, why);
            c->away = false;
        }
    }
}

/* ---- room ---- */

static bool has_work(const struct work *w, const struct local *l)
{
    for (size_t i = 0; i < w->nlanes; i++) {
        const struct lane *lane = &w->lanes[i];
        if (lane->channel->local == l && (lane->ready.n || lane->asleep || lane_wants(lane) > 0))
            return true;
    }
    for (const struct task *t = w->live; t; t = t->live_next)
        if (t->via->channel->local == l)
            return true;
    return w->finished.n || w->released.n; /* perhaps of its own */
}

/* Another that runs and leaves no room for this one; NULL: there is none. */
static struct local *in_the_way(const struct work *w, const struct local *l)
{
    int64_t most = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 100 * MEMORY_PERCENT;
    int64_t all = l->bytes;
    bool alone = l->alone;
    struct local *other = NULL;

    for (struct local *o = w->locals; o; o = o->next) {
        if (o == l || !o->server)
            continue;
        all += o->bytes;
        alone |= o->alone;
        if (!other || !has_work(w, o))
            other = o;
    }
    return alone || all > most ? other : NULL;
}

static bool make_room(struct work *w, const struct local *l)
{
    struct local *other;

    while ((other = in_the_way(w, l))) {
        if (has_work(w, other))
            return false;
        llama_stop(other->server);
        other->server = NULL;
    }
    return true;
}

/* ---- state ---- */

static bool runs_beside(const struct work *w, const struct local *l)
{
    for (const struct local *o = w->locals; o; o = o->next)
        if (o != l && o->server)
            return true;
    return false;
}

static void take_failure(struct work *w, struct local *l, bool was_ready)
{
    if (!was_ready && !l->alone && runs_beside(w, l))
        l->alone = true;
    else
        halt_all(w, l, llama_why(l->server));
    llama_stop(l->server);
    l->server = NULL;
}

/* The state of the channel's server, after starting it or making room for it if needed. */
static enum llama_state look(struct work *w, struct channel *c)
{
    struct local *l = c->local;
    struct err e = {0};

    if (!l->server && !make_room(w, l)) {
        c->absence = l->waits;
        return LLAMA_STARTS;
    }
    c->absence = l->starts;
    if (!l->server && llama_start(&l->server, &l->how, w->http, &e) != OK) {
        halt_all(w, l, e.msg);
        return LLAMA_STARTS;
    }
    return llama_look(l->server);
}

bool local_ready(struct work *w, struct channel *c)
{
    struct local *l = c->local;
    enum llama_state state;

    if (w->limit_wait_ms > LOOK_MS)
        w->limit_wait_ms = LOOK_MS;
    state = look(w, c);
    c->away = state != LLAMA_READY && !c->halted;
    if (state == LLAMA_LOADS)
        c->absence = l->loads;
    if (state == LLAMA_FAILED)
        take_failure(w, l, false);
    if (state == LLAMA_READY && c->port != llama_port(l->server)) {
        c->port = llama_port(l->server);
        c->url = llama_url(w->arena, c->port, c->ep.url);
    }
    return state == LLAMA_READY;
}

bool local_failed(struct work *w, struct channel *c)
{
    if (c->local->server && llama_look(c->local->server) == LLAMA_FAILED)
        take_failure(w, c->local, true);
    return c->halted;
}

void local_close_all(struct work *w)
{
    for (struct local *l = w->locals; l; l = l->next)
        llama_stop(l->server);
}
