/* Tables of worked examples in Markdown. */

#include "exchange/import_md.h"

enum { COLUMNS_MAX = 32 };
enum column {
    COLUMN_PROMPT,
    COLUMN_ANSWER,
    COLUMN_SCORE,
    COLUMN_REFERENCE,
    COLUMN_REASON,
    COLUMNS
};

/* What people call the columns. */
static const char *const names[COLUMNS][10] = {
    [COLUMN_PROMPT] = {"prompt", "input", "question", "提示", "提问", "问题", "発話", "質問"},
    [COLUMN_ANSWER] = {"response", "answer", "reply", "output", "回答", "回复", "応答", "返答"},
    [COLUMN_SCORE] = {"score", "mark", "分数", "得分", "评分", "点数", "得点", "採点"},
    [COLUMN_REFERENCE] = {"label", "reference", "target", "参考答案", "标准答案", "参照",
                          "模範解答"},
    [COLUMN_REASON] = {"reason", "reasons", "why", "comment", "理由", "原因", "评语", "講評"},
};

struct reader {
    struct arena *a;
    struct import_md_example *v;
    size_t n, cap;
    struct str heading;
    int64_t line;
    struct str cells[COLUMNS_MAX]; /* of the row before this one, or of this one */
    size_t ncells;
    bool table;         /* its head and the line below it have been read */
    int place[COLUMNS]; /* of each column in it; -1: it has none */
};

/* ---- rows ---- */

/* Up to the next bar that has no backslash before it. */
static size_t cell_end(struct str s)
{
    size_t n = 0;

    while (n < s.n && s.p[n] != '|')
        n += s.p[n] == '\\' && n + 1 < s.n ? 2 : 1;
    return n;
}

/* The words of a cell: escaped bars and line breaks as they are meant. */
static struct str cell_text(struct arena *a, struct str s)
{
    const struct {
        struct str from, to;
    } meant[] = {{STR("\\|"), STR("|")}, {STR("<br>"), STR("\n")}, {STR("<br/>"), STR("\n")}};
    AUTO(buf_done) struct buf b = BUF_MAX(s.n);

    while (s.n) {
        size_t i = 0;
        while (i < COUNT(meant) && !str_starts(s, meant[i].from))
            i++;
        buf_add(&b, i < COUNT(meant) ? meant[i].to : (struct str){s.p, 1});
        s = str_from(s, i < COUNT(meant) ? meant[i].from.n : 1);
    }
    return arena_str(a, str_trim(buf_str(&b)));
}

/* "| a | b |": what stands between the bars; cells beyond the last that fits are dropped. */
static void split_row(struct reader *r, struct str s)
{
    s = str_from(s, 1);
    r->ncells = 0;
    while (s.n && r->ncells < COLUMNS_MAX) {
        size_t n = cell_end(s);
        r->cells[r->ncells++] = str_trim((struct str){s.p, n});
        s = str_from(s, n < s.n ? n + 1 : n);
    }
}

/* "| --- | :-: |" */
static bool is_rule(struct str s)
{
    size_t dashes = 0;

    for (size_t i = 0; i < s.n; i++) {
        dashes += s.p[i] == '-';
        if (!memchr("|-: \t", s.p[i], 5))
            return false;
    }
    return dashes > 0;
}

/* ---- tables ---- */

/* The row before was the head. */
static void begin_table(struct reader *r)
{
    r->table = true;
    for (int c = 0; c < COLUMNS; c++) {
        r->place[c] = -1;
        for (size_t i = r->ncells; i-- > 0;)
            if (str_any(r->cells[i], str_eq_nocase, names[c]))
                r->place[c] = (int)i;
    }
}

static bool has_examples(const struct reader *r)
{
    return r->place[COLUMN_PROMPT] >= 0 && r->place[COLUMN_ANSWER] >= 0 &&
           r->place[COLUMN_SCORE] >= 0;
}

static struct str cell_of(const struct reader *r, enum column c)
{
    int at = r->place[c];

    return at >= 0 && (size_t)at < r->ncells ? cell_text(r->a, r->cells[at]) : STR("");
}

static enum status add_example(struct reader *r, struct err *e)
{
    struct str score = cell_of(r, COLUMN_SCORE);
    struct import_md_example one = {.prompt = cell_of(r, COLUMN_PROMPT),
                                    .answer = cell_of(r, COLUMN_ANSWER),
                                    .reference = cell_of(r, COLUMN_REFERENCE),
                                    .reason = cell_of(r, COLUMN_REASON),
                                    .heading = r->heading,
                                    .line = r->line};

    if (one.prompt.n == 0 || one.answer.n == 0)
        return err_set(e, E_INPUT, "line %lld: an example without its %s", (long long)r->line,
                       one.prompt.n ? "answer" : "prompt");
    if (!str_double(score, &one.score))
        return err_set(e, E_INPUT, "line %lld: '%.*s' is not a score: expected a number",
                       (long long)r->line, STR_ARG(utf8_head(score, 40)));
    r->v = arena_grow(r->a, r->v, &r->cap, r->n + 1, sizeof *r->v);
    r->v[r->n++] = one;
    return OK;
}

static enum status read_line(struct reader *r, struct str line, struct err *e)
{
    if (import_md_heading(line, &r->heading))
        r->heading = arena_str(r->a, r->heading);
    if (line.n == 0 || line.p[0] != '|') {
        r->table = false;
        r->ncells = 0;
        return OK;
    }
    if (!r->table && r->ncells && is_rule(line)) {
        begin_table(r);
        return OK;
    }
    split_row(r, line);
    return r->table && has_examples(r) ? add_example(r, e) : OK;
}

static enum status read_all(struct reader *r, struct str text, struct err *e)
{
    struct str line;

    text = str_unmarked(text);
    if (utf8_check(text) != text.n)
        return err_set(e, E_INPUT, "not valid UTF-8; save the file as UTF-8");
    while (str_line(&text, &line)) {
        r->line++;
        if (read_line(r, str_trim(line), e) != OK)
            return e->code;
    }
    return r->n ? OK
                : err_set(e, E_INPUT,
                          "it contains no table with the columns Prompt, Response and Score");
}

enum status import_md_examples(struct arena *a, struct str text, struct import_md_examples *out,
                               struct err *e)
{
    struct reader r = {.a = a, .heading = STR("")};

    if (read_all(&r, text, e) != OK)
        return e->code;
    *out = (struct import_md_examples){r.v, r.n};
    return OK;
}
