#include "web/pages.h"

#include "base/clock.h"
#include "web/explore.h"

enum { AROUND = 120 }; /* bytes before and after what was found */
enum { TAKE_MS = 300, TAKE_MOST = 100 };

/* The first beginning of a character at or after `at`. */
static size_t letter(struct str s, size_t at)
{
    while (at < s.n && ((unsigned char)s.p[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static void excerpt(struct page *p, const char *language, struct str text, struct str words)
{
    size_t at = str_find_nocase(text, words), from, to; /* as the store searches */

    if (at == SIZE_MAX) {
        html_foreign(&p->h, language,
                     (struct str){text.p, letter(text, text.n < 240 ? text.n : 240)});
        return;
    }
    from = at > AROUND ? letter(text, at - AROUND) : 0;
    to = at + words.n + AROUND < text.n ? letter(text, at + words.n + AROUND) : text.n;
    html_text(&p->h, from ? "… " : "");
    html_foreign(&p->h, language, (struct str){text.p + from, at - from});
    html_open(&p->h, "mark", NULL);
    html_foreign(&p->h, language, (struct str){text.p + at, words.n});
    html_close(&p->h);
    html_foreign(&p->h, language, (struct str){text.p + at + words.n, to - at - words.n});
    html_text(&p->h, to < text.n ? " …" : "");
}

/* The run of the last hit, kept because hits of one run follow each other. */
struct context {
    int64_t id;
    struct run_row run;
    struct suite suite;
};

static enum status context(struct request *q, int64_t run, struct context *c, struct err *e)
{
    if (c->id == run)
        return OK;
    if (store_run_by_id(q->arena, q->store, run, &c->run, e) != OK)
        return e->code;
    (void)explore_suite(q, &c->run, &c->suite);
    c->id = run;
    return OK;
}

static enum status hits(struct page *p, const struct explore_hits *l, struct str words,
                        struct err *e)
{
    struct context c = {0};

    html_open(&p->h, "ul", "class", "list");
    for (size_t i = 0; i < l->n; i++) {
        const struct explore_hit *x = &l->v[i];
        if (context(p->q, x->run, &c, e) != OK)
            return e->code;
        if (c.suite.sensitive)
            continue;
        html_open(&p->h, "li", NULL);
        html_open(&p->h, "p", NULL);
        page_link(p, explore_sample_to(p->q, c.run.name, x->sample),
                  page_printf(p, "%s · %s", x->who, x->item));
        html_element(&p->h, "span", "soft t14",
                     page_printf(p, " %s · %s", explore_title(p->q, &c.run), c.run.name));
        html_close(&p->h);
        html_open(&p->h, "p", NULL);
        excerpt(p, c.suite.language, x->words, words);
        html_close_n(&p->h, 2);
    }
    html_close(&p->h);
    return OK;
}

/* Index runs that nobody has looked at yet, for as long as a reader is willing to wait. */
static enum status take_words(struct request *q, struct err *e)
{
    int64_t until = clock_mono_ms() + TAKE_MS, *runs;
    struct suite suite;
    struct run_row run;
    size_t n;

    if (store_unworded(q->arena, q->store, TAKE_MOST, &runs, &n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n && clock_mono_ms() < until; i++)
        if (store_run_by_id(q->arena, q->store, runs[i], &run, e) != OK ||
            (explore_suite(q, &run, &suite) && values_refresh(q->store, &run, e) != OK))
            return e->code;
    return OK;
}

enum status page_search_show(struct request *q, struct response *r, struct err *e)
{
    struct str words = str_trim(request_query(q, "words"));
    bool judges = str_is(request_query(q, "in"), "judges");
    struct explore_hits l;
    struct page p;

    if (words.n && take_words(q, e) != OK)
        return e->code;
    if (store_search(q->arena, q->store, words.n ? arena_text(q->arena, words) : "", judges,
                     request_int(request_query(q, "after"), 0), EXPLORE_PAGE, &l, e) != OK)
        return e->code;
    explore_frame(&p, q, r, words_of(q->language, SEE_SEARCH),
                  words_of(q->language, SEE_SEARCH_NOTE));
    const struct widget_option where[] = {{"", page_phrase(&p, SEE_SEARCH_ANSWERS)},
                                          {"judges", page_phrase(&p, SEE_SEARCH_VERDICTS)}};
    widget_filters(&p, "/search", SEE_SEARCH);
    widget_input(&p, "words", SEE_ANSWER_WORDS, "search");
    widget_select(&p, "in", SEE_SEARCH_IN, where, COUNT(where));
    html_open(&p.h, "div", "class", "row");
    widget_button(&p, "filled", SEE_SEARCH, NULL, NULL);
    html_close_n(&p.h, 2);
    if (l.n && hits(&p, &l, words, e) != OK)
        return e->code;
    if (words.n && !l.n)
        widget_empty(&p, l.to > 0 ? SEE_SEARCH_NONE : SEE_SEARCH_NOTHING);
    if (words.n && l.to > 0)
        widget_go(&p, "", explore_after(q, arena_int(q->arena, l.to)), SEE_FURTHER);
    return page_close(&p);
}
