#include "reply/evidence.h"

#include <math.h>

#include "base/json.h"
#include "reply/reply_fault.h"
#include "suite/mark.h"
#include "suite/sitting.h"

enum {
    QUOTES_MAX = 32, /* of a mark */
    QUOTE_LEAST = 2, /* code points: a single letter is found anywhere */
};

/* ---- what a judge wrote ---- */

/* 12, "12", "[12]" or "turn 12". */
static int64_t turn_in(struct str text)
{
    int64_t n = 0;

    while (text.n && (text.p[0] < '0' || text.p[0] > '9'))
        text = str_from(text, 1);
    for (; text.n && text.p[0] >= '0' && text.p[0] <= '9' && n < 1000000; text = str_from(text, 1))
        n = 10 * n + (text.p[0] - '0');
    return n;
}

static int64_t turn_of(const json_t *v)
{
    if (json_is_integer(v))
        return json_integer_value(v);
    if (json_is_real(v) && fabs(json_real_value(v)) < 1e6)
        return (int64_t)json_real_value(v);
    return json_is_string(v) ? turn_in(str_of(json_string_value(v))) : 0;
}

/* {"turn": 12, "text": "..."}, or "[12] ..." */
static struct evidence_quote quote_of(struct arena *a, const json_t *j)
{
    struct evidence_quote q = {.text = STR("")};
    struct str text;
    size_t end;

    if (json_is_object(j)) {
        text = json_str_at(j, "text", json_str_at(j, "quote", STR("")));
        q.turn = turn_of(json_object_get(j, "turn"));
    } else {
        text = json_is_string(j) ? str_of(json_string_value(j)) : STR("");
        end = str_find(text, STR("]"));
        if (str_starts(text, STR("[")) && end != SIZE_MAX) {
            q.turn = turn_in((struct str){text.p, end});
            text = str_from(text, end + 1);
        }
    }
    q.text = arena_str(a, str_trim(text));
    return q;
}

struct evidence_quotes evidence_read(struct arena *a, struct str stored)
{
    AUTO(json_freep) json_t *j = NULL;
    struct evidence_quotes l = {0};
    struct err ignored = {0};
    size_t n;

    if (stored.n == 0 || json_read(stored, &j, &ignored) != OK)
        return l;
    n = json_array_size(j);
    n = n < QUOTES_MAX ? n : QUOTES_MAX;
    l.v = NEW_N(a, struct evidence_quote, n);
    for (size_t i = 0; i < n; i++) {
        struct evidence_quote q = quote_of(a, json_array_get(j, i));
        q.found = json_is_true(json_object_get(json_array_get(j, i), "found"));
        if (q.text.n)
            l.v[l.n++] = q;
    }
    return l;
}

static struct str evidence_write(struct arena *a, const struct evidence_quotes *l)
{
    AUTO(json_freep) json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        json_t *j = json_object();
        (void)json_object_set_new(j, "turn", json_integer(l->v[i].turn));
        (void)json_object_set_new(j, "text", json_from_str(l->v[i].text));
        (void)json_object_set_new(j, "found", json_boolean(l->v[i].found));
        (void)json_array_append_new(list, j);
    }
    return str_of(json_text(a, list));
}

/* ---- what was said ---- */

struct str evidence_spaced(struct arena *a, struct str s)
{
    AUTO(buf_done) struct buf b = BUF_MAX(s.n);
    bool gap = false;

    for (s = str_trim(s); s.n; s = str_from(s, 1)) {
        bool white = memchr(" \t\r\n", s.p[0], 4) != NULL;
        if (!white && gap)
            buf_char(&b, ' ');
        if (!white)
            buf_char(&b, s.p[0]);
        gap = white;
    }
    return arena_str(a, buf_str(&b));
}

/* Without one pair of quotation marks around it. */
static struct str unquoted(struct str s)
{
    static const char *const marks[][2] = {{"\"", "\""}, {"'", "'"},   {"“", "”"},
                                           {"‘", "’"},   {"「", "」"}, {"『", "』"}};

    for (size_t i = 0; i < COUNT(marks); i++) {
        struct str open = str_of(marks[i][0]), close = str_of(marks[i][1]);
        if (s.n > open.n + close.n && str_starts(s, open) && str_ends(s, close))
            return str_trim((struct str){s.p + open.n, s.n - open.n - close.n});
    }
    return s;
}

/* Whether this speaker's words can support the mark. */
static bool bears_out(const struct evidence_case *c, struct str who)
{
    switch (c->instrument->quoted) {
    case QUOTED_MODEL:
        return !vocab_is_other(c->suite, who);
    case QUOTED_USER:
        return vocab_is_other(c->suite, who);
    case QUOTED_ALL:
        break;
    }
    return true;
}

/* Look one up. True: it is there, and said by who is judged. */
static bool look_up(struct arena *a, const struct evidence_case *c, struct evidence_quote *q)
{
    struct str quote = evidence_spaced(a, q->text), bare = unquoted(quote), said;
    struct sitting_said turn;

    q->found = false;
    if (utf8_count(bare) < QUOTE_LEAST || !sitting_said(c->transcript, q->turn, &turn))
        return false;
    said = evidence_spaced(a, turn.text);
    q->found = str_find(said, quote) != SIZE_MAX || str_find(said, bare) != SIZE_MAX;
    return q->found && bears_out(c, turn.who);
}

static void set_fault(struct arena *a, const struct evidence_case *c, struct reply *r,
                      enum fault kind, struct fault_words w)
{
    *r = (struct reply){.overall = NAN,
                        .fault = reply_fault_text(a, kind, w, c->language),
                        .kind = reply_fault_kind(kind)};
}

void evidence_check(struct arena *a, const struct evidence_case *c, struct reply *r)
{
    for (size_t i = 0; !r->fault && i < c->instrument->ndimensions; i++) {
        struct mark *m = &r->marks[i];
        struct evidence_quotes l = evidence_read(a, m->evidence);
        struct str missing = STR("");
        bool good = false;
        for (size_t k = 0; k < l.n; k++) {
            good |= look_up(a, c, &l.v[k]);
            if (!l.v[k].found && missing.n == 0)
                missing = l.v[k].text;
        }
        m->evidence = evidence_write(a, &l);
        if (!good)
            set_fault(
                a, c, r, missing.n ? FAULT_MISQUOTED : FAULT_UNQUOTED,
                (struct fault_words){.dimension = vocab_label(a, &c->instrument->dimensions[i]),
                                     .found = missing});
    }
}
