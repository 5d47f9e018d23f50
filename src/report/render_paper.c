#include "report/render_paper.h"

#include "base/asset.h"
#include "report/html.h"
#include "suite/turn.h"

enum tongue { ENGLISH, CHINESE, JAPANESE, TONGUES };

enum word {
    WORD_ROLE,
    WORD_SURROUNDINGS,
    WORD_PART1,
    WORD_PART2,
    WORD_PART3,
    WORD_FOLLOW_UPS,
    WORD_SCRIPTED, /* how the follow-ups are used */
    WORD_PREPARED,
    WORDS,
};

static const char *const words[WORDS][TONGUES] = {
    [WORD_ROLE] = {"Role card", "角色卡", "役のカード"},
    [WORD_SURROUNDINGS] = {"Surroundings", "情境", "その場の様子"},
    [WORD_PART1] = {"Part 1", "第一部分", "第一部"},
    [WORD_PART2] = {"Part 2: task card", "第二部分：任务卡", "第二部：課題カード"},
    [WORD_PART3] = {"Part 3", "第三部分", "第三部"},
    [WORD_FOLLOW_UPS] = {"Follow-up questions", "追问", "追加の質問"},
    [WORD_SCRIPTED] = {"Asked as they stand, in this order.", "按此顺序照原文发问。",
                       "この順に、書かれたまま尋ねる。"},
    [WORD_PREPARED] = {"Prepared, for when the examiner finds nothing to take up in the answer.",
                       "备用：考官未能从回答中引出追问时使用。",
                       "控え：面接官が答えの中に糸口を見つけられなかったときに使う。"},
};

/* What kinds of questions are called. */
static const struct {
    const char *kind;
    const char *name[TONGUES];
} kinds[] = {
    {"identity", {"identity", "身份", "自分のこと"}},
    {"surroundings", {"surroundings", "环境", "身のまわり"}},
    {"habits", {"habits and likes", "习惯与喜好", "習慣と好み"}},
    {"recent", {"something recent", "近况", "最近のこと"}},
    {"compare", {"compare", "比较", "比べる"}},
    {"predict", {"predict", "预测", "見通す"}},
    {"argue", {"argue", "论辩", "論じる"}},
    {"value", {"value judgement", "价值判断", "価値を問う"}},
    {TURN_FACT, {"a fact of the card", "卡上的事实", "カードの事実"}},
};

struct page {
    struct html *h;
    const struct suite *suite;
    enum tongue tongue;
};

static const char *word(const struct page *p, enum word w)
{
    return words[w][p->tongue];
}

static enum tongue tongue_of(const char *language)
{
    if (strncmp(language, "zh", 2) == 0)
        return CHINESE;
    return strncmp(language, "ja", 2) == 0 ? JAPANESE : ENGLISH;
}

const char *render_paper_kind(const char *language, const char *kind)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].name[tongue_of(language)];
    return kind;
}

static void text(const struct page *p, const char *tag, const char *cls, struct str s)
{
    html_open(p->h, tag, "class", cls);
    html_str(p->h, s);
    html_close(p->h);
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
    html_close(p->h);
    html_close(p->h);
    html_element(p->h, "h3", NULL, word(p, WORD_FOLLOW_UPS));
    html_element(p->h, "p", "meta",
                 word(p, how->examiner == EXAMINER_SCRIPT ? WORD_SCRIPTED : WORD_PREPARED));
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
    html_fmt(p->h,
             p->tongue == CHINESE    ? " · 第 %lld 场"
             : p->tongue == JAPANESE ? " · 第%lld回"
                                     : " · Sitting %lld",
             (long long)paper->number);
    if (paper->era.n)
        html_fmt(p->h, " · %.*s", STR_ARG(paper->era));
    html_close(p->h);
    html_element(p->h, "h2", NULL, word(p, WORD_ROLE));
    text(p, "p", NULL, s->who->text);
    html_element(p->h, "h3", NULL, word(p, WORD_SURROUNDINGS));
    text(p, "p", NULL, paper->surroundings);
    html_element(p->h, "h2", NULL, word(p, WORD_PART1));
    text(p, "p", "says", paper->instruction[0]);
    questions(p, &paper->part1);
    html_element(p->h, "h2", NULL, word(p, WORD_PART2));
    text(p, "p", "says", paper->instruction[1]);
    task(p, paper);
    html_element(p->h, "h2", NULL, word(p, WORD_PART3));
    text(p, "p", "says", paper->instruction[2]);
    questions(p, &paper->part3);
    html_close(p->h);
}

static void head(const struct page *p)
{
    const struct asset *css = asset_find("share/report/paper.css");
    struct html *h = p->h;

    html_open(h, "head", NULL);
    html_leaf(h, "meta", "charset", "utf-8");
    html_leaf(h, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
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
    const struct page p = {&h, s, tongue_of(s->language)};

    html_doctype(&h);
    html_open(&h, "html", "lang", s->language);
    head(&p);
    html_open(&h, "body", NULL);
    for (size_t i = 0; i < n; i++)
        sheet(&p, &sheets[i]);
    html_close(&h);
    html_close(&h);
}
