#include "eval/task.h"

#include <math.h>

struct task *task_new(const struct leased *row)
{
    struct arena *a = arena_new();
    struct task *t = NEW(a, struct task);

    t->arena = a;
    t->id = row->id;
    t->repeat = row->repeat;
    t->round = row->round;
    t->spent = (struct spent){.tokens_in = -1, .tokens_out = -1, .cost = NAN};
    return t;
}

void task_free(struct task *t)
{
    if (t)
        arena_free(t->arena);
}

void task_free_list(struct task *first)
{
    for (struct task *next; first; first = next) {
        next = first->next;
        task_free(first);
    }
}
