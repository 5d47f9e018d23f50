#include "report/size_table.h"

#include <math.h>

static double variance_of(const struct noise *x, enum noise_source s)
{
    return x->variance[s] ? x->variance[s]->value : (double)NAN;
}

static int64_t levels_of(const struct noise *x, enum noise_source s, int64_t otherwise)
{
    return x->variance[s] ? x->variance[s]->n : otherwise;
}

/* The number of levels of each source per model. If judges read only some of the answers, as
 * raters do, density is their share. */
static void find_design(const struct noise *x, struct size_question *q)
{
    int64_t items = levels_of(x, NOISE_ITEMS, 1), all = levels_of(x, NOISE_ANSWERS, items);
    double readings;

    q->now.items = items;
    q->now.answers = all > items ? llround((double)all / (double)items) : 1;
    q->now.judges = levels_of(x, NOISE_JUDGES, 1);
    readings = (double)levels_of(x, NOISE_REST, all) / (double)(all * q->now.judges);
    q->now.readings = readings > 1.5 ? llround(readings) : 1;
    q->density = readings < 1 ? readings : 1;
}

static void find_prices(const struct report *r, struct size_question *q)
{
    double answers = 0, readings = 0;
    int64_t answered = 0, read = 0;

    for (size_t i = 0; i < r->nmodels; i++) {
        answers += r->models[i].cost;
        answered += r->models[i].done;
    }
    for (size_t i = 0; i < r->njudges; i++) {
        readings += r->judges[i].cost;
        read += r->judges[i].done;
    }
    q->answer_usd = answered ? answers / (double)answered : (double)NAN;
    q->reading_usd = read ? readings / (double)read : (double)NAN;
}

static void find_widest(const struct report *r, struct size_asked *out)
{
    out->now = NAN;
    for (size_t i = 0; i < r->nmodels; i++) {
        const struct report_model *m = &r->models[i];
        const struct score_row *s = m->unrounded ? m->unrounded : m->score;
        double half = s ? (s->hi - s->lo) / 2 : (double)NAN;
        out->q.models += s != NULL;
        if (isfinite(half) && !(half <= out->now)) {
            out->now = half;
            out->widest = m->name;
        }
    }
}

bool size_table_ask(const struct report *r, double half, struct size_asked *out)
{
    const struct noise *x = &r->noise;
    double foreseen;

    *out = (struct size_asked){.q = {.half = half, .scale = 1}};
    if (x->n == 0)
        return false;
    out->q.noise = (struct size_noise){
        .items = variance_of(x, NOISE_ITEMS),
        .judges = variance_of(x, NOISE_JUDGES),
        .answers = variance_of(x, NOISE_ANSWERS),
        .cross = variance_of(x, NOISE_CROSS),
        .rest = variance_of(x, NOISE_REST),
        .drawn = r->jury.campaign != 0,
    };
    find_design(x, &out->q);
    find_prices(r, &out->q);
    find_widest(r, out);
    foreseen = size_half(&out->q, &out->q.now);
    if (isfinite(out->now) && isfinite(foreseen) && foreseen > 0)
        out->q.scale = out->now / foreseen;
    else if (r->nmodels && r->models[0].score)
        out->q.scale = score_factor(&r->suite, r->models[0].score->n, r->items);
    return true;
}

static const char *lever_name(enum size_lever l, bool people, const char *language)
{
    static const char *const names[] = {"items", "answers", "judges", "readings", "mixed"};
    static const enum word words[] = {WORD_SIZE_ITEMS, WORD_SIZE_ANSWERS, WORD_SIZE_JUDGES,
                                      WORD_SIZE_READINGS, WORD_SIZE_MIXED};

    if (!language)
        return names[l];
    return words_of(language, people && l == SIZE_JUDGES ? WORD_SIZE_RATERS : words[l]);
}

struct table *size_table(struct arena *a, const struct size_asked *q,
                         const struct size_option *options, size_t n, const char *language)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "items", .word = WORD_NOISE_ITEMS, .kind = TABLE_COUNT}, TABLE_OF(struct size_option, to.items)},
        {{.key = "answers", .word = WORD_SIZE_ANSWERED, .kind = TABLE_COUNT}, TABLE_OF(struct size_option, to.answers)},
        {{.key = "judges", .word = WORD_NOISE_JUDGES, .kind = TABLE_COUNT}, TABLE_OF(struct size_option, to.judges)},
        {{.key = "readings", .word = WORD_SIZE_EACH, .kind = TABLE_COUNT, .flags = TABLE_VARIED}, TABLE_OF(struct size_option, to.readings)},
        {{.key = "more_answers", .word = WORD_SIZE_MORE_ANSWERS, .kind = TABLE_COUNT}, TABLE_OF(struct size_option, answers)},
        {{.key = "more_verdicts", .word = WORD_SIZE_MORE_VERDICTS, .kind = TABLE_COUNT}, TABLE_OF(struct size_option, readings)},
        {{.key = "more_usd", .word = WORD_SIZE_MORE_USD, .kind = TABLE_MONEY, .flags = TABLE_SPARSE}, TABLE_OF(struct size_option, usd)},
        {{.key = "half_width", .word = WORD_SIZE_HALF, .kind = TABLE_SCORE, .decimals = 3}, TABLE_OF(struct size_option, half)},
    };
    /* clang-format on */
    struct table *t = table_new(a, language, n);
    struct table_cell *names =
        table_add(t, .key = "more", .word = WORD_SIZE_LEVER, .kind = TABLE_LINK);
    struct table_cell *reached;

    for (size_t i = 0; i < n; i++)
        names[i] = table_text(lever_name(options[i].lever, q->q.noise.drawn, language));
    table_fields(t, fields, COUNT(fields), options, sizeof *options);
    reached = table_add(t, .key = "reached", .kind = TABLE_COUNT);
    for (size_t i = 0; i < n; i++) {
        reached[i] = table_count(options[i].reached);
        if (!options[i].reached) { /* this option only shows a limit */
            for (size_t c = 1; c + 2 < t->ncolumns; c++)
                t->cells[c][i] = (struct table_cell){0};
            t->cells[t->ncolumns - 2][i].text =
                arena_printf(a, " (%s)", words_of(language, WORD_SIZE_LIMIT));
            t->dim[i] = true;
        }
    }
    return t;
}
