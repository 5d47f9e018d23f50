/* queue.h - tasks in a row, linked through themselves. A task is in at most one queue. */
#ifndef EVAL_QUEUE_H
#define EVAL_QUEUE_H

#include "base/base.h"

struct task;

struct queue {
    struct task *first, **last;
    size_t n;
};

void queue_init(struct queue *q);
void queue_push(struct queue *q, struct task *t);
void queue_push_front(struct queue *q, struct task *t);
struct task *queue_pop(struct queue *q); /* NULL when empty */

#endif
