#include "report/campaign_table.h"

#include <math.h>

#include "base/clock.h"
#include "base/message.h"
#include "panel/export.h"
#include "report/grid.h"
#include "report/noise_table.h"
#include "report/table.h"

enum { DECIMALS = 2, NAME_COLUMNS = 40 };

/* ---- systems ---- */

static double count_of(const struct campaign_view *v, const char *metric)
{
    const struct score_row *r = score_find(v->rows, "campaign", metric);

    return r ? r->value : 0;
}

/* A column of a table of systems: its heading and its metric, for one dimension or for pairs. */
struct facet {
    const char *metric;
    enum word word;
    enum table_kind kind;
    enum { VALUE, MARKS, UNITS } shows; /* itself, or the number of marks or passages behind it */
    enum word note;                     /* what it means; WORDS: needs no explanation */
};

static const struct facet of_dimension[] = {
    {"total", PHRASE_TOTAL, TABLE_SCORE, VALUE, WORDS},
    {"mean", PHRASE_MEAN, TABLE_INTERVAL, VALUE, WORDS},
    {"mean", PHRASE_N_MARKS, TABLE_COUNT, MARKS, WORDS},
    {"mean", PHRASE_FACT_PASSAGES, TABLE_COUNT, UNITS, WORDS},
    {"above", PHRASE_BETTER_THAN, TABLE_SHARE, VALUE, PHRASE_BETTER_NOTE},
    {"all:mean", PHRASE_EVERYONE, TABLE_INTERVAL, VALUE, PHRASE_EVERYONE_NOTE},
    {"adjusted", PHRASE_ADJUSTED, TABLE_INTERVAL, VALUE, PHRASE_ADJUSTED_NOTE},
    {"ppi", PHRASE_WITH_JUDGES, TABLE_INTERVAL, VALUE, PHRASE_JUDGES_NOTE},
};
static const struct facet of_pairs[] = {
    {"rating", PHRASE_RATING_NUMBER, TABLE_INTERVAL, VALUE, WORDS},
    {"rating", PHRASE_BATTLES, TABLE_COUNT, MARKS, WORDS},
    {"rating:turns", PHRASE_RATING_TURNS, TABLE_INTERVAL, VALUE, PHRASE_TURNS_NOTE},
    {"both-bad", PHRASE_BOTH_BAD, TABLE_SCORE, VALUE, PHRASE_BAD_NOTE},
};

/* Does the metric involve AI judges? */
static bool of_machines(const char *metric)
{
    return str_starts(str_of(metric), STR("ppi")) || str_starts(str_of(metric), STR("ai:"));
}

/* Do some systems have this metric and others not? */
static bool tells_apart(const struct campaign_view *v, const char *metric)
{
    const char *last = NULL;
    bool with = false, without = false;

    if (strchr(metric, '\t'))
        return false;
    for (size_t i = 0; i < v->rows->n; i++) { /* rows of a system are adjacent */
        const char *subject = v->rows->v[i].subject;
        if (!str_starts(str_of(subject), STR("system/")) || (last && strcmp(last, subject) == 0))
            continue;
        last = subject;
        if (score_find(v->rows, subject, metric))
            with = true;
        else
            without = true;
    }
    return with && without;
}

/* Is this row hidden until unmasking? The run shows, by name, what AI judges gave to every text:
 * their estimate for a system would reveal its model. How well they agree with people depends on
 * which name belongs to which system, so anyone who has the ratings could try all assignments. */
static bool waits(const struct campaign_view *v, const char *subject, const char *metric)
{
    if (v->campaign->state == CAMPAIGN_UNMASKED)
        return false;
    return of_machines(metric) ||
           (str_starts(str_of(subject), STR("system/")) && tells_apart(v, metric));
}

static void add_facet(struct table *t, const struct campaign_view *v, const struct facet *f,
                      const struct dimension *d, const struct outcome_order *systems)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    const char *metric = d ? arena_printf(t->a, "%s:%s", f->metric, d->id) : f->metric;
    unsigned roomy = d && f->shows != VALUE ? TABLE_ROOMY : 0;
    bool counts = f->kind == TABLE_COUNT || f->kind == TABLE_SHARE;
    struct table_cell *cells;

    if (waits(v, "system/", metric))
        return;
    cells = table_add(t,
                      .key = f->shows == MARKS   ? "marks"
                             : f->shows == UNITS ? "passages"
                                                 : f->metric,
                      .word = f->word, .kind = f->kind, .decimals = DECIMALS,
                      .flags = counts ? TABLE_SPARSE | roomy : TABLE_ZERO);
    for (size_t i = 0; i < systems->n; i++) {
        const struct score_row *r =
            score_find(v->rows, arena_printf(t->a, "system/%s", systems->v[i]), metric);
        cells[i] = f->shows == MARKS   ? table_count(r ? r->n : 0)
                   : f->shows == UNITS ? table_count(r ? r->clusters : 0)
                                       : table_score(r);
        cells[i].whole = f->kind == TABLE_SCORE && cells[i].value == floor(cells[i].value);
    }
    /* once, below the last table */
    if (f->note != WORDS && (!d || d == &in->dimensions[in->ndimensions - 1]) &&
        table_seen(t, &(struct table_style){0}, t->ncolumns - 1))
        table_note(t, words_of(t->language, f->note));
}

static void add_waiting(struct table *t, const struct campaign_view *v)
{
    bool any = false;

    for (size_t i = 0; i < v->rows->n && !any; i++)
        any = of_machines(v->rows->v[i].metric) && strcmp(v->rows->v[i].subject, "campaign") != 0;
    if (any && v->campaign->state != CAMPAIGN_UNMASKED)
        table_note(t, words_of(t->language, PHRASE_JUDGES_WAIT));
}

/* Sources of noise in one sentence; the numbers themselves are in JSON. */
static void add_noise(struct table *t, const struct campaign_view *v, const struct dimension *d)
{
    struct noise x = noise_of(t->a, v->rows, arena_printf(t->a, "dimension/%s", d->id));
    const char *sentence = noise_table_line(t->a, &x, true, t->language);

    table_note(t, sentence);
    table_note(t, sentence ? words_of(t->language, WORD_READ_NOISE_SHARES) : NULL);
}

struct table *campaign_table_systems(struct arena *a, const char *language,
                                     const struct campaign_view *v, const struct dimension *d)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    struct outcome_order systems =
        d ? outcome_order(a, v->campaign, v->rows, arena_printf(a, "mean:%s", d->id),
                          d->lower_is_better)
          : outcome_order(a, v->campaign, v->rows, "rating", false);
    bool all = count_of(v, "ratings") > count_of(v, "ratings:counted");
    struct table *t = table_new(a, language, systems.n);
    struct table_cell *cells =
        table_add(t, .key = "system", .word = PHRASE_SYSTEM, .kind = TABLE_LINK);

    for (size_t i = 0; i < systems.n; i++)
        cells[i] = table_text(export_system(a, v->campaign, systems.v[i]));
    for (size_t k = 0; !d && k < COUNT(of_pairs); k++)
        add_facet(t, v, &of_pairs[k], NULL, &systems);
    for (size_t k = 0; d && k < COUNT(of_dimension); k++)
        if (of_dimension[k].word != PHRASE_EVERYONE || all)
            add_facet(t, v, &of_dimension[k], d, &systems);
    if (d)
        add_noise(t, v, d);
    if (!d || d == &in->dimensions[in->ndimensions - 1]) /* once */
        add_waiting(t, v);
    return t;
}

/* ---- agreement ---- */

/* Shown in this order; a measure that was not computed is left out. */
static const struct measure {
    const char *metric, *name; /* the same in every language */
    enum word phrase;          /* instead of the name, or before it: who is compared */
} measures[] = {
    {"alpha", "Krippendorff α", WORDS},
    {"agreement", NULL, PHRASE_SAME_MARK},
    {"fleiss", "Fleiss κ", WORDS},
    {"ac1", "Gwet AC1", WORDS},
    {"icc:1,1", "ICC(1,1)", WORDS},
    {"icc:1,k", "ICC(1,k)", WORDS},
    {"icc:2,1", "ICC(2,1)", WORDS},
    {"icc:2,k", "ICC(2,k)", WORDS},
    {"icc:3,1", "ICC(3,1)", WORDS},
    {"icc:3,k", "ICC(3,k)", WORDS},
    {"ai:bias", NULL, PHRASE_JUDGES_BIAS},
    {"ai:alpha", "Krippendorff α", PHRASE_PEOPLE_AND_JUDGES},
    {"ai:spearman", "Spearman ρ", PHRASE_PEOPLE_AND_JUDGES},
    {"ai:tau", "Kendall τ", PHRASE_PEOPLE_AND_JUDGES},
    {"ai:pearson", "Pearson r", PHRASE_PEOPLE_AND_JUDGES},
    {"ai:pearson-length", "Pearson r", PHRASE_LENGTH_OUT},
    {"ai:accuracy", NULL, PHRASE_JUDGES_MAJORITY},
    {"ai:ceiling", NULL, PHRASE_ONE_MAJORITY},
};

static const char *measure_name(const struct table *t, const struct measure *m)
{
    const char *of = m->phrase == WORDS ? NULL : words_of(t->language, m->phrase);

    if (of && m->name)
        return words_two(t->a, t->language, WORD_LABELLED, of, m->name);
    return of ? of : m->name;
}

/* As stored, except for a difference, which has a plainer description. */
static const char *method_name(const struct table *t, const struct score_row *r)
{
    return strcmp(r->metric, "ai:bias") == 0 ? words_of(t->language, PHRASE_BIAS_METHOD)
                                             : message_show(t->a, t->language, r->method);
}

/* One column per dimension, under its own title. */
static struct table_cell *add_dimension(struct table *t, const struct dimension *d, unsigned flags)
{
    return table_add(t, .key = d->id, .head = arena_text(t->a, d->title), .kind = TABLE_INTERVAL,
                     .decimals = DECIMALS, .flags = TABLE_NAMED | flags);
}

struct table *campaign_table_agreement(struct arena *a, const char *language,
                                       const struct campaign_view *v)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    struct table *t = table_new(a, language, COUNT(measures));
    struct table_cell *names =
                          table_add(t, .key = "measure", .word = PHRASE_METRIC, .kind = TABLE_LINK),
                      *methods = table_add(t, .word = PHRASE_METHOD, .flags = TABLE_ROOMY), *cells;
    bool any = false;

    t->sparse_rows = true;
    t->name = NAME_COLUMNS;
    for (size_t i = 0; i < COUNT(measures); i++)
        names[i] = table_text(measure_name(t, &measures[i]));
    for (size_t d = 0; d < in->ndimensions; d++) {
        cells = add_dimension(t, &in->dimensions[d], TABLE_ZERO);
        for (size_t i = 0; i < COUNT(measures); i++) {
            const char *of = arena_printf(a, "dimension/%s", in->dimensions[d].id);
            const struct score_row *r = waits(v, of, measures[i].metric)
                                            ? NULL
                                            : score_find(v->rows, of, measures[i].metric);
            cells[i] = table_score(r);
            methods[i] = r ? table_text(method_name(t, r)) : methods[i];
            any = any || r;
        }
    }
    return any ? t : NULL;
}

struct table *campaign_table_severity(struct arena *a, const char *language,
                                      const struct campaign_view *v)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    const char **raters = NEW_N(a, const char *, v->rows->n + 1);
    struct table_cell *cells;
    struct table *t;
    bool any = false;
    size_t n = 0;

    for (size_t i = 0; i < v->rows->n; i++) /* rows of a rater are adjacent */
        if (str_starts(str_of(v->rows->v[i].metric), STR("severity:")) &&
            (n == 0 || strcmp(raters[n - 1], v->rows->v[i].subject) != 0))
            raters[n++] = v->rows->v[i].subject;
    t = table_new(a, language, n);
    cells = table_add(t, .key = "rater", .word = PHRASE_RATER, .kind = TABLE_LINK);
    for (size_t i = 0; i < n; i++)
        cells[i] = table_text(raters[i] + strlen("rater/"));
    for (size_t d = 0; d < in->ndimensions; d++) {
        cells = add_dimension(t, &in->dimensions[d], TABLE_SIGNED | TABLE_SPARSE);
        for (size_t i = 0; i < n; i++)
            cells[i] = table_score(score_find(
                v->rows, raters[i], arena_printf(a, "severity:%s", in->dimensions[d].id)));
        any = any || table_seen(t, &(struct table_style){0}, t->ncolumns - 1);
    }
    return any ? t : NULL; /* no two raters read the same text */
}

bool campaign_table_rated(const struct campaign_view *v)
{
    return count_of(v, "ratings") > 0;
}

enum { HEAD_MAX = 16 << 10 };

/* Prints a line above the tables, wrapped to the window. */
static void head_line(const struct render_terminal *how, struct buf *line, struct buf *out)
{
    size_t columns = how->window && how->columns > 20 ? (size_t)how->columns : SIZE_MAX;

    grid_headline(out, str_trim(buf_str(line)), "·", columns);
    buf_clear(line);
}

void campaign_table_results(struct arena *a, const struct campaign_view *v,
                            const struct render_terminal *how, struct buf *out)
{
    const struct campaign *c = v->campaign;
    const struct instrument *in = &c->suite.instrument;
    AUTO(buf_done) struct buf b = BUF_MAX(HEAD_MAX);
    const char *language = message_language();
    struct table *t;

    buf_fmt(&b, _("campaign %s · run %s · %s · %.0f rater%s, %.0f began, %.0f finished\n"), c->name,
            c->run.name, _(campaign_state_name(c->state)), count_of(v, "raters"),
            message_s(count_of(v, "raters")), count_of(v, "began"), count_of(v, "finished"));
    head_line(how, &b, out);
    buf_fmt(&b, "%s%s%s\n",
            c->spec.completers ? _("raters who finished and are not excluded")
                               : _("all raters who are not excluded"),
            _("; "),
            in->kind == INSTRUMENT_PAIR
                ? _("Bradley-Terry ratings with 95 % intervals over passages")
                : _("totals, then means with 95 % intervals over raters and passages"));
    head_line(how, &b, out);
    if (in->kind == INSTRUMENT_PAIR) {
        buf_char(out, '\n');
        (void)table_terminal(campaign_table_systems(a, language, v, NULL), how, out);
        return;
    }
    for (size_t d = 0; d < in->ndimensions; d++) {
        t = campaign_table_systems(a, language, v, &in->dimensions[d]);
        t->title = arena_text(a, in->dimensions[d].title);
        (void)table_terminal(t, how, out);
    }
    t = campaign_table_agreement(a, language, v);
    if (!t)
        return;
    t->title = words_of(language, PHRASE_AGREEMENT);
    table_note(t, words_of(language, PHRASE_AGREEMENT_LEAD));
    (void)table_terminal(t, how, out);
}

/* ---- how it stands ---- */

const struct campaign_sign campaign_signs[CAMPAIGN_SIGNS] = {
    {"sign:fast", PHRASE_SIGN_FAST, DECIMALS, false},
    {"sign:same", PHRASE_SIGN_SAME, DECIMALS, false},
    {"sign:agree", PHRASE_SIGN_AGREE, DECIMALS, false},
    {"sign:anchor", PHRASE_SIGN_ANCHOR, DECIMALS, false},
    {"sign:drift", PHRASE_SIGN_DRIFT, DECIMALS, false},
    {"sign:self", PHRASE_SIGN_SELF, DECIMALS, false},
    {"sign:infit", PHRASE_SIGN_INFIT, DECIMALS, false},
    {"sign:outfit", PHRASE_SIGN_OUTFIT, DECIMALS, false},
    {"sign:network", PHRASE_SIGN_NETWORK, 0, true}, /* a number of raters */
    {"sign:crowd", PHRASE_SIGN_CROWD, DECIMALS, true},
};

/* Raters and their signs; an unusual sign is marked "!". */
static struct table *raters_of(struct arena *a, const struct campaign_view *v)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "id", .kind = TABLE_COUNT}, TABLE_OF(struct rater, id)},
        {{.key = "rater", .word = COLUMN_RATER, .kind = TABLE_LINK}, TABLE_OF(struct rater, pseudonym)},
        {{.key = "handed_in", .word = COLUMN_DONE, .kind = TABLE_COUNT}, TABLE_OF(struct rater, done)},
        {{.key = "excluded"}, TABLE_OF(struct rater, excluded_why)},
        {{.key = "panel"}, TABLE_OF(struct rater, panel)},
    };
    /* clang-format on */
    struct table *t = table_new(a, NULL, v->raters->n);
    struct table_cell *states, *cells;

    table_fields(t, fields, COUNT(fields), v->raters->v, sizeof *v->raters->v);
    cells = table_add(t, .word = COLUMN_STATE);
    states = table_add(t, .key = "state");
    for (size_t i = 0; i < t->nrows; i++) {
        const struct rater *r = &v->raters->v[i];
        states[i] = table_text(rater_state_name(r->state));
        cells[i] = table_text(r->excluded_by ? words_of(t->language, COLUMN_EXCLUDED)
                                             : _(rater_state_name(r->state)));
        t->dim[i] = r->excluded_by != NULL;
    }
    for (size_t k = 0; k < CAMPAIGN_SIGNS; k++) {
        const struct campaign_sign *sign = &campaign_signs[k];
        cells = table_add(t, .key = sign->metric + strlen("sign:"), .word = sign->word,
                          .kind = TABLE_SCORE, .decimals = sign->decimals,
                          .flags = sign->arena ? TABLE_SPARSE : 0);
        for (size_t i = 0; i < t->nrows; i++) {
            const struct score_row *r = score_find(
                v->rows, arena_printf(a, "rater/%s", v->raters->v[i].pseudonym), sign->metric);
            cells[i] = table_number(r ? r->value : (double)NAN);
            cells[i].text = r && outcome_unusual(v->campaign, r) ? "!" : NULL;
        }
    }
    return t;
}

void campaign_table_state(struct arena *a, const struct campaign_view *v,
                          const struct render_terminal *how, struct buf *out)
{
    const struct coverage_list *l = v->coverage;
    int64_t least = l->n ? INT64_MAX : 0, most = 0, waits = 0, counted = least;
    const char *times;

    for (size_t i = 0; i < l->n; i++) {
        least = l->v[i].done < least ? l->v[i].done : least;
        most = l->v[i].done > most ? l->v[i].done : most;
        counted = l->v[i].counted < counted ? l->v[i].counted : counted;
        waits += l->v[i].waits;
    }
    times = arena_printf(a, least < most ? "%lld–%lld" : "%lld", (long long)least, (long long)most);
    buf_fmt(out, _("campaign %s · run %s · %s\n"), v->campaign->name, v->campaign->run.name,
            _(campaign_state_name(v->campaign->state)));
    if (most)
        buf_fmt(out,
                _("%zu passage%s, ratings of each: %s; %lld counted rating%s wanted, the "
                  "least-rated has %lld\n"),
                l->n, message_s(l->n), times, (long long)v->campaign->spec.overlap,
                v->campaign->spec.overlap == 1 ? " is" : "s are", (long long)counted);
    else
        buf_fmt(out, _("%zu passage%s, none rated yet; each needs %lld rating%s\n"), l->n,
                message_s(l->n), (long long)v->campaign->spec.overlap,
                v->campaign->spec.overlap == 1 ? " that counts" : "s that count");
    if (waits)
        buf_fmt(out, _("%lld waiting for a decision: the text may give its author away\n"),
                (long long)waits);
    if (l->short_of)
        buf_fmt(out, _("%lld rating%s of passages still wanted: about %lld more rater%s\n"),
                (long long)l->short_of, message_s(l->short_of), (long long)l->top_up,
                message_s(l->top_up));
    if (most)
        buf_text(out, l->connected ? _("raters and passages are connected\n")
                                   : _("raters and passages are not connected yet: severities "
                                       "cannot be compared\n"));
    if (v->raters->n == 0)
        return;
    buf_char(out, '\n');
    (void)table_terminal(raters_of(a, v), how, out);
}

/* ---- JSON ---- */

static const char *shown_subject(struct arena *a, const struct campaign_view *v,
                                 const char *subject)
{
    if (!str_starts(str_of(subject), STR("system/")))
        return subject;
    return arena_printf(a, "system/%s", export_system(a, v->campaign, subject + strlen("system/")));
}

/* A metric that compares two systems has the name of the other one after a tab. */
static const char *shown_metric(struct arena *a, const struct campaign_view *v, const char *metric)
{
    const char *other = strchr(metric, '\t');

    if (!other)
        return metric;
    return arena_printf(a, "%.*s\t%s", (int)(other - metric), metric,
                        export_system(a, v->campaign, other + 1));
}

/* Is neither of the two systems better? Then they were stored in the order of the run. */
static bool is_level(struct arena *a, const struct campaign_view *v, const struct score_row *r)
{
    const char *dimension = strchr(r->metric, ':');
    const struct score_row *gap =
        dimension ? score_find(v->rows, r->subject, arena_printf(a, "over%s", dimension)) : NULL;

    return gap && gap->value == 0;
}

/* While masked, two systems that are level are shown in the order of their masks, since the
 * stored order would reveal theirs. */
static struct score_row shown_row(struct arena *a, const struct campaign_view *v,
                                  const struct score_row *row)
{
    const char *other = strchr(row->metric, '\t'), *theirs;
    struct score_row r = *row;

    r.subject = shown_subject(a, v, row->subject);
    r.metric = shown_metric(a, v, row->metric);
    if (v->campaign->state == CAMPAIGN_UNMASKED || !other || !is_level(a, v, row))
        return r;
    theirs = shown_subject(a, v, arena_printf(a, "system/%s", other + 1));
    if (strcmp(theirs, r.subject) > 0)
        return r;
    r.metric = arena_printf(a, "%.*s\t%s", (int)(other - row->metric), row->metric,
                            r.subject + strlen("system/"));
    r.subject = theirs;
    r.lo = 0 - row->hi; /* 0 and never -0, which would reveal the swap */
    r.hi = 0 - row->lo;
    return r;
}

static void add_row(json_t *list, const struct score_row *r)
{
    json_t *j = json_add_object(list);
    const char *other = strchr(r->metric, '\t');

    json_put_text(j, "subject", r->subject);
    json_put(j, "metric", json_stringn(r->metric, strcspn(r->metric, "\t")));
    if (other) /* the system it is compared with */
        json_put_text(j, "other", other + 1);
    json_put_real(j, "value", r->value);
    json_put_real(j, "lo", r->lo);
    json_put_real(j, "hi", r->hi);
    table_json_why(j, r->value, r->lo, r->why);
    json_put_int(j, "n", r->n);
    json_put_int(j, "clusters", r->clusters);
    json_put_text(j, "method", r->method);
}

static json_t *head_json(const struct campaign *c)
{
    json_t *j = json_object();

    json_put_text(j, "campaign", c->name);
    json_put_text(j, "run", c->run.name);
    json_put_text(j, "state", campaign_state_name(c->state));
    return j;
}

static void set_coverage(json_t *j, const struct coverage_list *l)
{
    json_put_int(j, "passages", (int64_t)l->n);
    json_put_int(j, "wanted", l->short_of);
    json_put_int(j, "more_raters", l->top_up);
    json_put_bool(j, "connected", l->connected);
}

struct table *campaign_table_list(struct arena *a, const struct campaign_list *l)
{
    static const struct table_column columns[] = {
        {.key = "campaign", .word = PHRASE_CAMPAIGN, .kind = TABLE_LINK},
        {.key = "run", .word = PHRASE_RUN},
        {.key = "state"},
        {.word = PHRASE_STATE},
        {.key = "created"},
        {.word = PHRASE_CREATED},
    };
    struct table *t = table_new(a, NULL, l->n);
    struct table_cell *cells[COUNT(columns)];

    for (size_t c = 0; c < COUNT(columns); c++)
        cells[c] = table_column(t, &columns[c]);
    for (size_t i = 0; i < l->n; i++) {
        const char *state = campaign_state_name(l->v[i].state);
        char made[CLOCK_TEXT];
        clock_text(l->v[i].created_ms, made);
        cells[0][i] = table_text(l->v[i].name);
        cells[1][i] = table_text(l->v[i].run.name);
        cells[2][i] = table_text(state);
        cells[3][i] = table_text(_(state));
        cells[4][i] = table_text(arena_text(a, str_of(made)));
        cells[5][i] = table_text(show_when(a, l->v[i].created_ms));
    }
    return t;
}

/* All attempts of this rater at practice texts. */
static json_t *practice_json(const struct practice_list *l, const char *rater)
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        const struct practice_row *r = &l->v[i];
        char when[CLOCK_TEXT];
        json_t *j;
        if (strcmp(r->rater, rater) != 0)
            continue;
        clock_text(r->at_ms, when);
        j = json_pack("{s:I, s:I, s:s, s:I, s:b, s:s, s:I}", "round", (json_int_t)r->round + 1,
                      "attempt", (json_int_t)r->attempt + 1, "at", when, "handed_in",
                      (json_int_t)r->done, "passed", r->passed, "dimension", r->dimension, "marks",
                      (json_int_t)r->is.n);
        json_put_real(j, "exact", r->is.exact);
        json_put_real(j, "within", r->is.near);
        json_put_real(j, "bias", r->is.bias);
        json_put_real(j, "kappa", r->is.kappa);
        (void)json_array_append_new(list, j);
    }
    return list;
}

json_t *campaign_table_state_json(struct arena *a, const struct campaign_view *v)
{
    json_t *j = head_json(v->campaign), *list, *raters;

    set_coverage(j, v->coverage);
    list = json_put_list(j, "coverage");
    for (size_t i = 0; i < v->coverage->n; i++) {
        const struct coverage *c = &v->coverage->v[i];
        (void)json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:b}", "passage", c->item_name, "handed_in",
                            (json_int_t)c->done, "counted", (json_int_t)c->counted, "being_rated",
                            (json_int_t)c->live, "waits", c->waits));
    }
    raters = json_put_list(j, "raters");
    table_json(raters_of(a, v), raters);
    for (size_t i = 0; i < v->raters->n && v->campaign->spec.practice.on; i++)
        json_put(json_array_get(raters, i), "practice",
                 practice_json(v->practice, v->raters->v[i].pseudonym));
    return j;
}

json_t *campaign_table_json(struct arena *a, const struct campaign_view *v)
{
    json_t *j = head_json(v->campaign), *rows;
    struct score_sheet shown = {.arena = a};
    struct score_list l;

    if (v->coverage)
        set_coverage(j, v->coverage);
    for (size_t i = 0; i < v->rows->n; i++) {
        const struct score_row *r = &v->rows->v[i];
        if (!waits(v, r->subject, r->metric))
            score_put(&shown, shown_row(a, v, r));
    }
    /* Sorted by the names shown: masked systems must not come in the order of their real names. */
    l = score_sorted(&shown);
    rows = json_put_list(j, "outcomes");
    for (size_t i = 0; i < l.n; i++)
        add_row(rows, &l.v[i]);
    return j;
}
