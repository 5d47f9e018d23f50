#include "panel/shelf.h"

#include <pthread.h>
#include <stdlib.h>

enum { PLACES = 64 }; /* further campaigns are read on every request */

struct kept {
    struct arena *arena;
    struct campaign c;
};

struct shelf {
    pthread_mutex_t lock;
    struct kept kept[PLACES]; /* entries never change */
    size_t n;
};

struct shelf *shelf_new(void)
{
    struct shelf *f = mem_new(sizeof *f);

    (void)pthread_mutex_init(&f->lock, NULL);
    return f;
}

void shelf_free(struct shelf *f)
{
    if (!f)
        return;
    while (f->n)
        arena_free(f->kept[--f->n].arena);
    (void)pthread_mutex_destroy(&f->lock);
    free(f);
}

/* Ids are only unique within a store, so the secret is compared as well. */
static const struct kept *find(const struct shelf *f, const struct campaign *c)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->kept[i].c.id == c->id && strcmp(f->kept[i].c.secret, c->secret) == 0)
            return &f->kept[i];
    return NULL;
}

/* Copies a campaign from the shelf; false: not there. */
static bool look(struct shelf *f, const struct campaign *now, struct campaign *out)
{
    const struct kept *p;

    (void)pthread_mutex_lock(&f->lock);
    p = find(f, now);
    if (p)
        *out = p->c;
    (void)pthread_mutex_unlock(&f->lock);
    return p != NULL;
}

/* Adds a campaign unless it is already there or the shelf is full. */
static bool put(struct shelf *f, struct arena *arena, const struct campaign *c)
{
    bool room;

    (void)pthread_mutex_lock(&f->lock);
    room = f->n < PLACES && !find(f, c);
    if (room)
        f->kept[f->n++] = (struct kept){arena, *c};
    (void)pthread_mutex_unlock(&f->lock);
    return room;
}

static bool is_full(struct shelf *f)
{
    bool full;

    (void)pthread_mutex_lock(&f->lock);
    full = f->n == PLACES;
    (void)pthread_mutex_unlock(&f->lock);
    return full;
}

/* Reads a campaign directly into its place on the shelf. It is only read twice if another thread
 * has just added it. */
static enum status fetch(struct shelf *f, struct arena *a, struct store *s, int64_t id,
                         struct campaign *out, struct err *e)
{
    struct arena *own;

    if (is_full(f))
        return campaign_by_id(a, s, id, out, e);
    own = arena_new();
    if (campaign_by_id(own, s, id, out, e) != OK) {
        arena_free(own);
        return e->code;
    }
    if (put(f, own, out))
        return OK;
    arena_free(own);
    return campaign_by_id(a, s, id, out, e);
}

enum status shelf_get(struct shelf *f, struct arena *a, struct store *s, int64_t id,
                      struct campaign *out, struct err *e)
{
    struct campaign now, c;
    bool found = false;

    if (campaign_now(a, s, id, &now, &found, e) != OK)
        return e->code;
    if (!found || !look(f, &now, &c))
        return fetch(f, a, s, id, out, e);
    c.state = now.state;
    c.stale = now.stale;
    c.closed_ms = now.closed_ms;
    *out = c;
    return OK;
}
