/* Runs of pairs: wins and ranks, Glicko-2, style, judges and their biases. */
#include <math.h>

#include "base/message.h"
#include "report/tables.h"

struct builder {
    struct arena *a;
    const struct report *r;
    const struct tables_how *how;
    struct tables *out;
};

static const char *word(const struct builder *b, enum word w)
{
    return words_of(b->how->language, w);
}

#define MODEL(member) TABLE_OF(struct report_model, member)
#define JUDGE(member) TABLE_OF(struct report_judge, member)

/* ---- models ---- */

/* The names, and the group, so that two groups are not read as one list. */
static struct table *models(const struct builder *b, enum word title)
{
    static const struct table_field first[] = {
        {{.key = "name", .word = WORD_MODEL, .kind = TABLE_LINK}, MODEL(name)},
        {{.key = "group",
          .in = "battles",
          .word = WORD_IN_GROUP,
          .kind = TABLE_COUNT,
          .flags = TABLE_SPARSE | TABLE_ASIDE},
         MODEL(battles.group)},
    };
    struct table *t = table_new(b->a, b->how->language, b->r->nmodels);

    t->title = word(b, title);
    t->sparse_rows = true;
    table_fields(t, first, COUNT(first), b->r->models, sizeof *b->r->models);
    return t;
}

static void records(const struct builder *b)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "rank", .in = "battles", .word = WORD_RANK, .kind = TABLE_INTERVAL, .look = TABLE_RANGE}, MODEL(battles.rank)},
        {{.key = "wins", .in = "battles", .word = WORD_WON, .kind = TABLE_COUNT}, MODEL(battles.wins)},
        {{.key = "losses", .in = "battles", .word = WORD_LOST, .kind = TABLE_COUNT}, MODEL(battles.losses)},
        {{.key = "ties", .in = "battles", .word = WORD_TIED, .kind = TABLE_COUNT}, MODEL(battles.ties)},
    };
    /* clang-format on */
    struct table *t = models(b, WORD_BATTLES);

    table_fields(t, fields, COUNT(fields), b->r->models, sizeof *b->r->models);
    for (size_t i = 0; i < b->r->nnotes; i++)
        table_note(t, message_show(b->a, b->how->language, b->r->notes[i]));
    tables_add(b->out, ABOUT_MODELS, "battles", t);
}

static void glicko(const struct builder *b)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "glicko2", .in = "battles", .word = WORD_RATING, .kind = TABLE_INTERVAL, .look = TABLE_SPLIT}, MODEL(battles.glicko)},
        {{.key = "glicko2_rd", .in = "battles", .kind = TABLE_INTERVAL}, MODEL(battles.glicko_rd)},
        {{.key = "glicko2_order", .in = "battles", .word = WORD_SHUFFLED, .kind = TABLE_INTERVAL, .look = TABLE_RANGE, .flags = TABLE_SPARSE}, MODEL(battles.glicko_order)},
    };
    /* clang-format on */
    const char *about = strcmp(b->how->dash, "-") == 0 ? "+-" : "±"; /* a plain terminal */
    struct table *t = models(b, WORD_GLICKO);
    size_t rating = t->ncolumns;

    table_fields(t, fields, COUNT(fields), b->r->models, sizeof *b->r->models);
    for (size_t i = 0; i < b->r->nmodels; i++) {
        const struct score_row *rd = b->r->models[i].battles.glicko_rd;
        if (rd)
            t->cells[rating][i].text = arena_printf(b->a, " %s %.0f", about, rd->value);
    }
    table_note(t, word(b, b->r->suite.score.one_period ? WORD_READ_GLICKO_RUN : WORD_READ_GLICKO));
    tables_add(b->out, ABOUT_MODELS, b->r->suite.score.glicko ? "glicko" : NULL, t);
}

/* ---- style ---- */

static bool styled(const struct report *r)
{
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        if (r->style[f])
            return true;
    return false;
}

static void controlled(const struct builder *b)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.word = WORD_RAW, .kind = TABLE_INTERVAL, .look = TABLE_BRIEF, .flags = TABLE_ASIDE}, MODEL(score)},
        {{.key = "controlled", .in = "battles", .word = WORD_CONTROLLED, .kind = TABLE_INTERVAL, .look = TABLE_SPLIT}, MODEL(battles.controlled)},
    };
    /* clang-format on */
    struct table *t = models(b, WORD_STYLE);

    table_fields(t, fields, COUNT(fields), b->r->models, sizeof *b->r->models);
    table_note(t, word(b, WORD_READ_STYLE));
    tables_add(b->out, ABOUT_MODELS, styled(b->r) ? "style" : NULL, t);
}

static void effects(const struct builder *b)
{
    struct table *t = table_new(b->a, b->how->language, STYLE_FEATURES);
    struct table_cell *names = table_add(t, .word = WORD_PROPERTY, .kind = TABLE_LINK);
    struct table_cell *logits = table_add(t, .word = WORD_LOGITS, .kind = TABLE_INTERVAL,
                                          .decimals = 2, .flags = TABLE_SIGNED);

    t->title = word(b, WORD_EFFECTS);
    t->sparse_rows = true;
    for (size_t f = 0; f < STYLE_FEATURES; f++) {
        names[f] = table_text(word(b, (enum word)(WORD_LENGTH + f)));
        logits[f] = table_score(b->r->style[f]);
    }
    table_note(t, word(b, WORD_READ_EFFECTS));
    tables_add(b->out, ABOUT_STYLE, styled(b->r) ? "effects" : NULL, t);
}

/* ---- judges ---- */

static void positions(const struct builder *b)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "name", .word = WORD_JUDGE, .kind = TABLE_LINK}, JUDGE(name)},
        {{.word = WORD_VERDICTS, .kind = TABLE_COUNT}, JUDGE(done)},
        {{.key = "first_shown", .word = WORD_FIRST_SHOWN, .kind = TABLE_INTERVAL, .decimals = 2}, JUDGE(first_shown)},
        {{.key = "swap_consistency", .word = WORD_CONSISTENT, .kind = TABLE_INTERVAL, .decimals = 2}, JUDGE(consistency)},
        {{.key = "inconsistent", .word = WORD_TURNED, .kind = TABLE_COUNT}, JUDGE(inconsistent)},
        {{.key = "position_bias", .word = WORD_BIAS, .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_SIGNED}, JUDGE(bias)},
        {{.key = "position_bias_p", .kind = TABLE_SCORE}, JUDGE(bias_p)},
    };
    /* clang-format on */
    struct table *t = table_new(b->a, b->how->language, b->r->njudges);
    bool both = b->r->suite.instrument.both_orders;

    t->title = word(b, WORD_POSITION);
    table_fields(t, fields, COUNT(fields), b->r->judges, sizeof *b->r->judges);
    for (size_t i = 0; i < b->r->njudges; i++)
        if (b->r->judges[i].bias_p)
            t->cells[5][i].text = arena_printf(b->a, " (p = %.3f)", b->r->judges[i].bias_p->value);
    for (size_t c = t->ncolumns; !both && c-- > 3;)
        t->columns[c].word = 0;
    table_note(t, word(b, WORD_READ_FIRST));
    table_note(t, both ? word(b, WORD_READ_BIAS) : NULL);
    tables_add(b->out, ABOUT_JUDGES, b->r->njudges ? "position" : NULL, t);
}

static void likings(const struct builder *b)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "name", .word = WORD_JUDGE, .kind = TABLE_LINK}, JUDGE(name)},
        {{.key = "length", .word = WORD_LIKES_LENGTH, .kind = TABLE_INTERVAL, .decimals = 2, .flags = TABLE_SIGNED}, JUDGE(length)},
        {{.key = "own_family", .word = WORD_LIKES_OWN, .kind = TABLE_INTERVAL, .decimals = 2, .flags = TABLE_SIGNED}, JUDGE(own_family)},
    };
    /* clang-format on */
    struct table *t = table_new(b->a, b->how->language, b->r->njudges);
    bool any = false;

    t->title = word(b, WORD_LIKINGS);
    table_fields(t, fields, COUNT(fields), b->r->judges, sizeof *b->r->judges);
    for (size_t i = 0; i < b->r->njudges; i++) {
        any = any || t->cells[1][i].there || t->cells[2][i].there;
        t->cells[2][i].text = isnan(t->cells[2][i].value) ? word(b, WORD_NOT_MEASURED) : NULL;
    }
    table_note(t, word(b, WORD_READ_LIKINGS));
    tables_add(b->out, ABOUT_JUDGES, any ? "likings" : NULL, t);
}

void tables_pair(struct arena *a, const struct report *r, const struct tables_how *how,
                 struct tables *out)
{
    const struct builder b = {a, r, how, out};

    if (!show_pair(r))
        return;
    records(&b);
    glicko(&b);
    controlled(&b);
    effects(&b);
    positions(&b);
    likings(&b);
}
