#include "eval/queue.h"

#include "eval/task.h"

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
