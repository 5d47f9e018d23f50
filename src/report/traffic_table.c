#include "report/traffic_table.h"

#include <math.h>

#include "math/describe.h"
#include "net/chat.h"
#include "store/store_read.h"

enum { PARTIES_MAX = 2000 };

/* Numbers of one party, to be sorted. */
struct series {
    double *v;
    size_t n, cap;
};

struct gathering {
    struct arena *a;
    struct traffic v[PARTIES_MAX];
    size_t n;
    struct series first, speed, total; /* of the current party */
    int64_t in, cached, out, thought;
    bool cache_said, thought_said;
};

static void series_add(struct gathering *g, struct series *s, double x)
{
    s->v = arena_grow(g->a, s->v, &s->cap, s->n + 1, sizeof *s->v);
    s->v[s->n++] = x;
}

/* NaN if there are none. */
static double quantile(struct series *s, double q)
{
    describe_sort(s->v, s->n);
    return s->n ? describe_quantile(s->v, s->n, q) : (double)NAN;
}

static double percent(bool said, int64_t part, int64_t whole)
{
    return said && whole ? 100 * (double)part / (double)whole : (double)NAN;
}

static void end_party(struct gathering *g)
{
    struct traffic *t = &g->v[g->n - 1];

    t->replies = (int64_t)g->total.n;
    t->first = quantile(&g->first, 0.5);
    t->first_slow = quantile(&g->first, 0.9);
    t->speed = quantile(&g->speed, 0.5);
    t->total = quantile(&g->total, 0.5);
    t->total_slow = quantile(&g->total, 0.9);
    t->cached = percent(g->cache_said, g->cached, g->in);
    t->thought = percent(g->thought_said, g->thought, g->out);
    g->first.n = g->speed.n = g->total.n = 0;
    g->in = g->cached = g->out = g->thought = 0;
    g->cache_said = g->thought_said = false;
}

static void begin_party(struct gathering *g, const struct traffic_row *row)
{
    const struct traffic *last = g->n ? &g->v[g->n - 1] : NULL;

    if (last && strcmp(last->kind, row->kind) == 0 && strcmp(last->name, row->name) == 0)
        return;
    if (last)
        end_party(g);
    if (g->n < PARTIES_MAX)
        g->n++;
    g->v[g->n - 1] = (struct traffic){.kind = arena_text(g->a, str_of(row->kind)),
                                      .name = arena_text(g->a, str_of(row->name))};
}

static enum status note(void *user, const struct traffic_row *row, struct err *e)
{
    struct gathering *g = user;
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double total = (double)row->elapsed_ms / 1000, first, writing;
    struct chat_reply reply;

    (void)e;
    begin_party(g, row);
    chat_read_body(scratch, row->response, &reply);
    first = (double)reply.first_ms / 1000;
    writing = first < total ? total - first : total;
    series_add(g, &g->total, total);
    if (reply.first_ms > 0)
        series_add(g, &g->first, first);
    if (reply.tokens_out > 0 && writing > 0)
        series_add(g, &g->speed, (double)reply.tokens_out / writing);
    if (reply.tokens_in > 0 && reply.cached >= 0) {
        g->cache_said = true;
        g->cached += reply.cached;
    }
    if (reply.tokens_out > 0 && reply.thought >= 0) {
        g->thought_said = true;
        g->thought += reply.thought;
    }
    g->in += reply.tokens_in > 0 ? reply.tokens_in : 0;
    g->out += reply.tokens_out > 0 ? reply.tokens_out : 0;
    return OK;
}

enum status traffic_build(struct arena *a, struct store *s, int64_t run, struct traffic **out,
                          size_t *n, struct err *e)
{
    struct gathering *g = NEW(a, struct gathering);

    g->a = a;
    if (store_traffic_each(s, run, note, g, e) != OK)
        return e->code;
    if (g->n)
        end_party(g);
    *out = g->v;
    *n = g->n;
    return OK;
}

struct table *traffic_table(struct arena *a, const struct traffic *v, size_t n,
                            const char *language)
{
#define SECONDS .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_LOWER
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "kind"}, TABLE_OF(struct traffic, kind)},
        {{.key = "replies", .word = WORD_TRAFFIC_REPLIES, .kind = TABLE_COUNT}, TABLE_OF(struct traffic, replies)},
        {{.key = "first_s", .word = WORD_TRAFFIC_FIRST, SECONDS}, TABLE_OF(struct traffic, first)},
        {{.key = "first_s_90", .word = WORD_TRAFFIC_SLOW, SECONDS}, TABLE_OF(struct traffic, first_slow)},
        {{.key = "tokens_per_s", .word = WORD_TRAFFIC_SPEED, .kind = TABLE_SCORE, .decimals = 1}, TABLE_OF(struct traffic, speed)},
        {{.key = "total_s", .word = WORD_TRAFFIC_TOTAL, SECONDS}, TABLE_OF(struct traffic, total)},
        {{.key = "total_s_90", .word = WORD_TRAFFIC_SLOW, SECONDS}, TABLE_OF(struct traffic, total_slow)},
        {{.key = "cached_percent", .word = WORD_TRAFFIC_CACHED, .kind = TABLE_SCORE, .decimals = 0, .flags = TABLE_SPARSE}, TABLE_OF(struct traffic, cached)},
        {{.key = "thinking_percent", .word = WORD_TRAFFIC_THOUGHT, .kind = TABLE_SCORE, .decimals = 0, .flags = TABLE_SPARSE}, TABLE_OF(struct traffic, thought)},
    };
    /* clang-format on */
#undef SECONDS
    struct table *t = table_new(a, language, n);
    struct table_cell *names = table_add(t, .key = "name", .word = WORD_TRAFFIC_WHO);

    t->title = words_of(t->language, WORD_TRAFFIC);
    for (size_t i = 0; i < n; i++)
        names[i] = table_text(v[i].name);
    table_fields(t, fields, COUNT(fields), v, sizeof *v);
    return t;
}
