#include "exchange/import_md.h"

enum { TEXT_MAX = 1 << 20 }; /* bytes of one prompt or answer */

/* Which text the next line may go on with. */
enum part { PART_NONE, PART_PROMPT, PART_REFERENCE };

struct reader {
    struct arena *a;
    struct import_md_pair *v;
    size_t n, cap;
    struct str heading;
    struct buf prompt, reference; /* of the pair at hand */
    int64_t line, begun;          /* now, and where the pair began; 0: there is none */
    bool answered;                /* it has had its target line */
    bool blank;                   /* the line before this one was blank */
    enum part part;
};

/* ---- lines ---- */

/* "12." "12)" "12、" or "-" at the beginning of a list item. */
static struct str without_marker(struct str s)
{
    struct str rest = s;

    if (str_drop(&rest, STR("- ")) || str_drop(&rest, STR("* ")))
        return str_trim(rest);
    while (rest.n && rest.p[0] >= '0' && rest.p[0] <= '9')
        rest = str_from(rest, 1);
    if (rest.n < s.n &&
        (str_drop(&rest, STR(".")) || str_drop(&rest, STR(")")) || str_drop(&rest, STR("、"))))
        return str_trim(rest);
    return s;
}

/* "input: words": the words. */
static bool is_labelled(struct str s, struct str label, struct str *words)
{
    if (!str_starts_nocase(s, label))
        return false;
    s = str_trim(str_from(s, label.n));
    if (!str_drop(&s, STR(":")) && !str_drop(&s, STR("：")))
        return false;
    *words = str_trim(s);
    return true;
}

bool import_md_heading(struct str s, struct str *words)
{
    size_t n = 0;

    while (n < s.n && s.p[n] == '#')
        n++;
    if (n == 0 || n > 6 || n == s.n || s.p[n] != ' ')
        return false;
    s = str_trim(str_from(s, n));
    while (s.n && s.p[s.n - 1] == '#')
        s.n--;
    *words = str_trim(s);
    return true;
}

/* ---- pairs ---- */

/* "prompt | answer", when no target line came: a prompt may have bars of its own. */
static void split_at_bar(struct str *prompt, struct str *reference)
{
    struct str wide = STR("｜");
    size_t ascii = str_find(*prompt, STR("|")), full = str_find(*prompt, wide);
    size_t at = ascii < full ? ascii : full;

    if (at == SIZE_MAX)
        return;
    *reference = str_trim(str_from(*prompt, at + (at == full ? wide.n : 1)));
    (void)is_labelled(*reference, STR("target"), reference);
    *prompt = str_trim((struct str){prompt->p, at});
}

static enum status finish_pair(struct reader *r, struct err *e)
{
    struct str prompt = str_trim(buf_str(&r->prompt)), reference = str_trim(buf_str(&r->reference));

    if (r->begun == 0)
        return OK;
    if (r->prompt.full || r->reference.full)
        return err_set(e, E_INPUT, "line %lld: a text of more than %d bytes", (long long)r->begun,
                       TEXT_MAX);
    if (!r->answered)
        split_at_bar(&prompt, &reference);
    if (prompt.n == 0)
        return err_set(e, E_INPUT, "line %lld: 'input:' is empty", (long long)r->begun);
    r->v = arena_grow(r->a, r->v, &r->cap, r->n + 1, sizeof *r->v);
    r->v[r->n++] = (struct import_md_pair){.prompt = arena_str(r->a, prompt),
                                           .reference = arena_str(r->a, reference),
                                           .heading = r->heading,
                                           .line = r->begun};
    r->begun = 0;
    r->part = PART_NONE;
    return OK;
}

static enum status begin_pair(struct reader *r, struct str words, struct err *e)
{
    if (finish_pair(r, e) != OK)
        return e->code;
    buf_clear(&r->prompt);
    buf_clear(&r->reference);
    buf_add(&r->prompt, words);
    r->begun = r->line;
    r->answered = false;
    r->part = PART_PROMPT;
    return OK;
}

static enum status begin_target(struct reader *r, struct str words, struct err *e)
{
    if (r->begun == 0 || r->answered)
        return err_set(e, E_INPUT, "line %lld: a 'target:' without its 'input:'",
                       (long long)r->line);
    buf_add(&r->reference, words);
    r->answered = true;
    r->part = PART_REFERENCE;
    return OK;
}

/* A line that may belong to the text before it. */
static void go_on(struct reader *r, struct str raw, struct str words)
{
    struct buf *text = r->part == PART_PROMPT ? &r->prompt : &r->reference;

    if (r->blank && raw.p[0] != ' ' && raw.p[0] != '\t')
        r->part = PART_NONE;
    if (r->part == PART_NONE)
        return;
    buf_text(text, r->blank ? "\n\n" : "\n");
    buf_add(text, words);
}

static enum status read_line(struct reader *r, struct str raw, struct err *e)
{
    struct str line = str_trim(raw), words;
    struct str item = without_marker(line);
    enum status st = OK;

    if (line.n == 0) {
        r->blank = true;
        return OK;
    }
    if (import_md_heading(line, &words)) {
        st = finish_pair(r, e);
        r->heading = arena_str(r->a, words);
    } else if (is_labelled(item, STR("input"), &words)) {
        st = begin_pair(r, words, e);
    } else if (is_labelled(item, STR("target"), &words)) {
        st = begin_target(r, words, e);
    } else {
        go_on(r, raw, line);
    }
    r->blank = false;
    return st;
}

static enum status read_all(struct reader *r, struct str text, struct err *e)
{
    struct str line;

    text = str_unmarked(text);
    if (utf8_check(text) != text.n)
        return err_set(e, E_INPUT, "not valid UTF-8; save the file as UTF-8");
    while (str_line(&text, &line)) {
        r->line++;
        if (read_line(r, line, e) != OK)
            return e->code;
    }
    if (finish_pair(r, e) != OK)
        return e->code;
    return r->n ? OK : err_set(e, E_INPUT, "it contains no 'input:' line");
}

enum status import_md_read(struct arena *a, struct str text, struct import_md_pairs *out,
                           struct err *e)
{
    struct reader r = {
        .a = a, .heading = STR(""), .prompt = BUF_MAX(TEXT_MAX), .reference = BUF_MAX(TEXT_MAX)};
    enum status st = read_all(&r, text, e);

    if (st == OK)
        *out = (struct import_md_pairs){r.v, r.n};
    buf_done(&r.prompt);
    buf_done(&r.reference);
    return st;
}
