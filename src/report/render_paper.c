#include "report/render_paper.h"

#include "base/asset.h"
#include "base/words.h"
#include "report/html.h"
#include "report/wording.h"

struct page {
    struct html *h;
    const struct suite *suite;
};

static const char *word(const struct page *p, enum word w)
{
    return words_of(p->suite->language, w);
}

const char *render_paper_kind(const char *language, const char *kind)
{
    return wording_named(language, "PAPER_KIND_", kind);
}

static void text(const struct page *p, const char *tag, const char *cls, struct str s)
{
    html_quote(p->h, tag, s, "class", cls);
}

static void questions(const struct page *p, const struct paper_questions *q)
{
    html_open(p->h, "ol", NULL);
    for (size_t i = 0; i < q->n; i++) {
        html_open(p->h, "li", NULL);
        html_str(p->h, q->v[i].text);
        html_element(p->h, "span", "kind", render_paper_kind(p->suite->language, q->v[i].kind));
        html_close(p->h);
    }
    html_close(p->h);
}

static void task(const struct page *p, const struct paper *paper)
{
    const struct interview *how = &p->suite->elicit.interview;
    size_t n = how->examiner == EXAMINER_SCRIPT ? paper->follow_ups : paper->nprepared;

    html_open(p->h, "div", "class", "card");
    text(p, "h3", NULL, paper->theme);
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < TASK_POINTS; i++)
        text(p, "li", NULL, paper->points[i]);
    html_close_n(p->h, 2);
    html_element(p->h, "h3", NULL, word(p, PAPER_FOLLOW_UPS));
    html_element(p->h, "p", "meta",
                 word(p, how->examiner == EXAMINER_SCRIPT ? PAPER_SCRIPTED : PAPER_PREPARED));
    html_open(p->h, "ol", NULL);
    for (size_t i = 0; i < n; i++)
        text(p, "li", NULL, paper->prepared[i]);
    html_close(p->h);
}

static void sheet(const struct page *p, const struct paper_sheet *s)
{
    const struct paper *paper = s->paper;

    html_open(p->h, "article", "class", "sheet");
    text(p, "h1", NULL, s->who->name);
    html_open(p->h, "p", "class", "meta");
    html_str(p->h, p->suite->title);
    html_fmt(p->h, " · %s",
             words_with(p->h->scratch, p->suite->language, PAPER_SITTING,
                        arena_int(p->h->scratch, paper->number)));
    if (paper->era.n)
        html_fmt(p->h, " · %.*s", STR_ARG(paper->era));
    html_close(p->h);
    html_element(p->h, "h2", NULL, word(p, PAPER_ROLE));
    text(p, "p", NULL, s->who->text);
    html_element(p->h, "h3", NULL, word(p, PAPER_SURROUNDINGS));
    text(p, "p", NULL, paper->surroundings);
    html_element(p->h, "h2", NULL, word(p, PAPER_PART1));
    text(p, "p", "says", paper->instruction[0]);
    questions(p, &paper->part1);
    html_element(p->h, "h2", NULL, word(p, PAPER_PART2));
    text(p, "p", "says", paper->instruction[1]);
    task(p, paper);
    html_element(p->h, "h2", NULL, word(p, PAPER_PART3));
    text(p, "p", "says", paper->instruction[2]);
    questions(p, &paper->part3);
    html_close(p->h);
}

static void head(const struct page *p)
{
    const struct asset *css = asset_find("share/report/paper.css");
    struct html *h = p->h;

    html_head(h, p->suite->language);
    html_leaf(h, "meta", "http-equiv", "Content-Security-Policy", "content",
              "default-src 'none'; style-src 'unsafe-inline'");
    text(p, "title", NULL, p->suite->title);
    html_style(h, css ? css->bytes : STR(""));
    html_close(h);
}

void render_paper(const struct suite *s, const struct paper_sheet *sheets, size_t n,
                  struct buf *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct html h = {.out = out, .scratch = scratch};
    const struct page p = {&h, s};

    head(&p);
    html_open(&h, "body", NULL);
    for (size_t i = 0; i < n; i++)
        sheet(&p, &sheets[i]);
    html_close_n(&h, 2);
}
