#include "eval/task.h"

#include <math.h>

struct task *task_new(const struct leased *row)
{
    struct arena *a = arena_new();
    struct task *t = NEW(a, struct task);

    t->arena = a;
    t->scratch = arena_new();
    t->id = row->id;
    t->repeat = row->repeat;
    t->round = row->round;
    t->spent = task_unspent();
    return t;
}

struct spent task_unspent(void)
{
    return (struct spent){.tokens_in = -1, .tokens_out = -1, .cost = NAN};
}

void task_free(struct task *t)
{
    if (!t)
        return;
    arena_free(t->scratch);
    arena_free(t->arena);
}

void task_free_list(struct task *first)
{
    for (struct task *next; first; first = next) {
        next = first->next;
        task_free(first);
    }
}

void queue_init(struct queue *q)
{
    *q = (struct queue){.last = &q->first};
}

void queue_push(struct queue *q, struct task *t)
{
    t->next = NULL;
    *q->last = t;
    q->last = &t->next;
    q->n++;
}

void queue_push_front(struct queue *q, struct task *t)
{
    t->next = q->first;
    if (!q->first)
        q->last = &t->next;
    q->first = t;
    q->n++;
}

struct task *queue_pop(struct queue *q)
{
    struct task *t = q->first;

    if (!t)
        return NULL;
    q->first = t->next;
    if (!q->first)
        q->last = &q->first;
    q->n--;
    t->next = NULL;
    return t;
}
