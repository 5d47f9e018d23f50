#include "web/page_runs.h"

#include "report/report.h"
#include "suite/mark.h"
#include "web/page.h"

enum { SAMPLES = 300 }; /* on a page; the report file takes more */

static void run_line(struct page *p, const struct run_row *run, const struct run_counts *c)
{
    page_row(p);
    page_row_head(p);
    page_link(p, arena_printf(p->q->arena, "/runs/%s", run->name), run->name);
    html_close(&p->h);
    page_cell(p, run->suite);
    page_cell_time(p, run->created_ms);
    page_cell_fmt(p, "%lld / %lld", (long long)c->samples.by[STATE_DONE],
                  (long long)c->samples.total);
    page_cell_fmt(p, "%lld / %lld", (long long)c->verdicts.by[STATE_DONE],
                  (long long)c->verdicts.total);
    html_close(&p->h);
}

enum status page_runs_list(struct request *q, struct response *r, struct err *e)
{
    static const enum word heads[] = {PHRASE_RUN, PHRASE_SUITE, PHRASE_CREATED, PHRASE_ANSWERS,
                                      PHRASE_VERDICTS};
    struct run_counts *counts;
    struct run_list runs;
    struct page p;

    if (store_run_list(q->arena, q->store, &runs, e) != OK)
        return e->code;
    counts = NEW_N(q->arena, struct run_counts, runs.n);
    if (store_run_counts(q->store, runs.v, runs.n, NULL, counts, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_RUNS));
    if (!runs.n) {
        page_say(&p, "p", NULL, PHRASE_NO_RUNS);
        page_close(&p);
        return OK;
    }
    page_table(&p, heads, COUNT(heads));
    for (size_t i = 0; i < runs.n; i++)
        run_line(&p, &runs.v[i], &counts[i]);
    page_close(&p);
    return OK;
}

/* The report as it is written to a file, inside our frame. Items and answers of a sensitive suite
 * stay where they are. */
enum status page_runs_show(struct request *q, struct response *r, struct err *e)
{
    struct report_take take = {.samples = SAMPLES};
    struct report report;
    struct run_row run;
    struct page p;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK ||
        report_build(q->arena, q->store, &run, take, &report, e) != OK)
        return e->code;
    page_frame(&p, q, r, arena_printf(q->arena, "%s %s", run.suite, run.name));
    html_open(&p.h, "p", NULL);
    page_link(&p, arena_printf(q->arena, "/runs/%s/flags", run.name),
              page_phrase(&p, PHRASE_FLAGS));
    html_close(&p.h);
    html_open(&p.h, "div", "class", "report", "lang", report.suite.language);
    render_html_parts(&report, &p.h);
    page_close(&p);
    return OK;
}
