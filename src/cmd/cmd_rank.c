/* Ratings from a file of battles; no database. */
#include <math.h>

#include "base/message.h"
#include "cmd/cmd.h"
#include "cmd/term.h"
#include "report/rank_table.h"

/* Options as typed; NULL, 0 or, of k, NaN: not given. */
struct rank_values {
    const char *system, *period, *update, *volatility, *ties, *cluster, *anchor, *start;
    int64_t seed;
    double k;
    bool style;
};

/* ---- options ---- */

static const char *const system_words[] = {RATING_SYSTEMS(RATING_NAME)};
static const char *const tie_words[] = {"half", "davidson", "drop"};
static const char *const period_words[] = {"battle", "run", "all"};
static const char *const update_words[] = {"sequential", "simultaneous"};
static const char *const volatility_words[] = {"glickman", "deepy"};

/* The first word is the default. */
static enum status choose(const struct opt_words *w, const char *word, size_t *out, struct err *e)
{
    *out = 0;
    return word ? opt_choose(w, word, out, e) : OK;
}

/* An option of another system would have no effect: better to refuse it. */
static enum status check_systems(const struct rank_values *v, enum rating_system s, struct err *e)
{
    const struct {
        const char *option;
        bool given;
        enum rating_system of;
    } rows[] = {
        {"period", v->period != NULL, RATING_GLICKO},
        {"update", v->update != NULL, RATING_GLICKO},
        {"volatility", v->volatility != NULL, RATING_GLICKO},
        {"start", v->start != NULL, RATING_GLICKO},
        {"ties", v->ties != NULL, RATING_BT},
        {"k", !isnan(v->k), RATING_ELO},
        {"cluster", v->cluster != NULL, RATING_BT},
        {"style", v->style, RATING_BT},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].given && rows[i].of != s)
            return err_set(e, E_USAGE, "--%s requires --system %s", rows[i].option,
                           system_words[rows[i].of]);
    return OK;
}

static enum status read_glicko(struct arena *a, const struct rank_values *v, struct rating_how *out,
                               struct err *e)
{
    size_t period, update, volatility;

    if (choose(&OPT_WORDS("--period", period_words), v->period, &period, e) != OK ||
        choose(&OPT_WORDS("--update", update_words), v->update, &update, e) != OK ||
        choose(&OPT_WORDS("--volatility", volatility_words), v->volatility, &volatility, e) != OK)
        return e->code;
    if (period && v->update && !update)
        return err_set(e, E_USAGE, "--period %s updates everyone at once, never in sequence",
                       v->period);
    if (v->start) {
        struct start_list *start = NEW(a, struct start_list);
        if (start_read(a, v->start, start, e) != OK)
            return e->code;
        out->start = start;
    }
    out->by_run = period == 1;
    out->glicko = (struct glicko_how){
        .tau = GLICKO_TAU,
        .volatility = volatility ? GLICKO_DEEPY : GLICKO_GLICKMAN,
        .period = period   ? GLICKO_ALL
                  : update ? GLICKO_SIMULTANEOUS
                           : GLICKO_SEQUENTIAL,
    };
    return OK;
}

/* "MODEL=RATING", split at the last equals sign: names may contain one. */
static enum status read_anchor(struct arena *a, const char *text, struct rating_how *out,
                               struct err *e)
{
    const char *sign = text ? strrchr(text, '=') : NULL;

    if (!text)
        return OK;
    if (!sign || sign == text || !str_double(str_of(sign + 1), &out->anchored))
        return err_set(e, E_USAGE, "--anchor: \"%s\" is not MODEL=RATING", text);
    out->anchor = arena_text(a, (struct str){text, (size_t)(sign - text)});
    return OK;
}

static enum status read_options(struct app *app, const struct rank_values *v,
                                struct rating_how *out, struct err *e)
{
    size_t system, tie;

    *out = (struct rating_how){.seed = (uint64_t)v->seed, .elo_k = isnan(v->k) ? 0 : v->k};
    if (v->k == 0)
        return err_set(e, E_USAGE, "--k must be above 0");
    if (choose(&OPT_WORDS("--system", system_words), v->system, &system, e) != OK ||
        choose(&OPT_WORDS("--ties", tie_words), v->ties, &tie, e) != OK ||
        read_glicko(app->arena, v, out, e) != OK ||
        read_anchor(app->arena, v->anchor, out, e) != OK)
        return e->code;
    out->system = (enum rating_system)system;
    out->ties = (enum bt_ties)tie;
    if (v->style && out->ties == BT_DAVIDSON)
        return err_set(e, E_USAGE, "--style requires --ties half or drop");
    return check_systems(v, out->system, e);
}

/* ---- the command ---- */

static void note_repeats(struct arena *a, const struct battle_set *set, struct rating_table *t)
{
    size_t n = battle_repeats(set);

    if (n)
        rating_note(
            a, t,
            arena_printf(a,
                         N_("%zu battle%s seen before (same models, %s and winner), counted again"),
                         n, message_s(n), set->cluster));
}

static enum status rank(struct app *app, struct err *e)
{
    const struct rank_values *v = app->values;
    AUTO(battle_done) struct battle_set set = {0};
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    struct render_terminal look = term_board(app, true);
    struct rating_how how;
    struct rating_table ratings;
    struct control control;
    struct rank_table table = {app->args.v[0], &set, &how, &ratings, v->style ? &control : NULL};

    if (read_options(app, v, &how, e) != OK ||
        battle_read(app->arena, app->args.v[0],
                    &(struct battle_want){v->cluster, v->style, how.by_run}, &set, e) != OK)
        return e->code;
    if (rating_compute(app->arena, &set, &how, &ratings, e) != OK ||
        (v->style && control_compute(app->arena, &set,
                                     &(struct control_how){
                                         .drop_ties = how.ties == BT_DROP,
                                         .widen = 1,
                                         .anchor = how.anchor,
                                         .anchored = how.anchored,
                                     },
                                     &control, e) != OK))
        return err_wrap(e, "%s", app->args.v[0]);
    note_repeats(app->arena, &set, &ratings);
    if (app->common.json)
        rank_table_json(&table, &out);
    else
        rank_table_terminal(&table, &look, &out);
    return term_put(app, &out, e);
}

#define AT(member) offsetof(struct rank_values, member)

const struct command cmd_rank_command = {
    .name = "rank",
    .need = NO_STORE,
    .args = "FILE",
    .summary = "rate models from a file of battles",
    /* clang-format off */
    .opts = OPTS(
        {"system",     0, OPT_TEXT,  AT(system),     "NAME",         "bradley-terry, glicko2 or elo [bradley-terry]", 0, 0},
        {"ties",       0, OPT_TEXT,  AT(ties),       "HOW",          "half, davidson or drop [half]", 0, 0},
        {"cluster",    0, OPT_TEXT,  AT(cluster),    "COLUMN",       "battles with the same value in this column resemble each other [prompt, question_id, situation_id or instruction, if present]", 0, 0},
        {"style",      0, OPT_FLAG,  AT(style),      NULL,           "also rate with length and style controlled for, where the file gives them", 0, 0},
        {"period",     0, OPT_TEXT,  AT(period),     "WHAT",         "Glicko-2 rating period: battle, run (a column of the file) or all [battle]", 0, 0},
        {"update",     0, OPT_TEXT,  AT(update),     "HOW",          "Glicko-2: sequential or simultaneous [sequential]", 0, 0},
        {"volatility", 0, OPT_TEXT,  AT(volatility), "FORM",         "Glicko-2: glickman, or deepy for tables made with that library [glickman]", 0, 0},
        {"start",      0, OPT_TEXT,  AT(start),      "FILE",         "Glicko-2: starting values of models: CSV with model, rating, and rd and volatility if known [1500, 350, 0.06]", 0, 0},
        {"anchor",     0, OPT_TEXT,  AT(anchor),     "MODEL=RATING", "shift all ratings so that MODEL has RATING", 0, 0},
        {"k",          0, OPT_NUMBER, AT(k),         "NUMBER",       "Elo: how far one battle moves a rating [4]", 0, 0},
        {"seed",       0, OPT_COUNT, AT(seed),       "N",            "seed of the shuffling [0]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct rank_values),
    .nargs = {1, 1},
    .defaults = &(const struct rank_values){.k = (double)NAN},
    .run = rank,
};
