#include "web/pages.h"

#include "report/workers_table.h"
#include "store/store_work.h"
#include "web/account.h"
#include "web/explore.h"

enum { REFRESH_S = 10 };

/* Links to runs; and for administrators a column that leads to evicting a worker. */
static void lead(struct page *p, struct table *t, const struct worker_list *l)
{
    const struct table_column act = {.head = page_phrase(p, WORKERS_EVICT), .kind = TABLE_LINK};
    struct table_cell *cells = session_may(p->q, ROLE_ADMIN) ? table_column(t, &act) : NULL;
    enum { RUN = 2 };

    for (size_t i = 0; i < l->n; i++) {
        if (*l->v[i].run)
            t->cells[RUN][i].href = page_printf(p, "/runs/%s", l->v[i].run);
        if (!cells)
            continue;
        cells[i] = table_text(page_phrase(p, WORKERS_EVICT));
        cells[i].href = explore_to(p->q, "/workers", "evict", l->v[i].name, NULL);
    }
}

static enum status sure(struct request *q, struct response *r, const char *name)
{
    return widget_sure(q, r,
                       &(struct widget_sure){
                           .title = words_with(q->arena, q->language, WORKERS_EVICT_TITLE, name),
                           .sentence = WORKERS_EVICT_WHAT,
                           .action = "/workers",
                           .label = WORKERS_EVICT,
                           .name = "evict",
                           .value = name,
                           .back = "/workers",
                       });
}

enum status page_workers_show(struct request *q, struct response *r, struct err *e)
{
    const char *asked = request_asked(q, "evict");
    struct worker_list l;
    struct table *t;
    struct page p;

    if (*asked)
        return sure(q, r, asked);
    if (workers_shown(q->arena, q->store, &l, e) != OK)
        return e->code;
    response_header(r, "Refresh", arena_int(q->arena, REFRESH_S));
    page_open(&p, q, r, words_of(q->language, WORKERS_TITLE));
    if (l.n) {
        t = workers_table(q->arena, &l, q->language);
        lead(&p, t, &l);
        html_open(&p.h, "div", "class", "card flush");
        table_html(t, &p.h);
    } else {
        widget_empty(&p, WORKERS_NONE);
    }
    return page_close(&p);
}

enum status page_workers_evict(struct request *q, struct response *r, struct err *e)
{
    const char *name = arena_text(q->arena, request_form(q, "evict"));
    struct worker_list l;
    bool found = false;

    if (workers_shown(q->arena, q->store, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        if (strcmp(l.v[i].name, name) != 0)
            continue;
        found = true;
        if (store_worker_evict(q->store, l.v[i].id, e) != OK)
            return e->code;
    }
    if (!found)
        return err_set(e, E_ABSENT, "there is no worker %s", name);
    if (account_audit(q, "worker.evict", name, "", e) != OK)
        return e->code;
    return response_done(r, "/workers");
}
