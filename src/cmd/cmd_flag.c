/* Lists flags, shows them with their evidence, and overrules them. */
#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/message.h"
#include "cmd/refresh.h"
#include "cmd/suite_args.h"
#include "cmd/term.h"
#include "eval/derive.h"
#include "report/grid.h"
#include "store/store_read.h"
#include "text/rune.h"

enum { WORDS_COLUMNS = 36 };

struct flag_values {
    const char *kind, *model, *by, *why;
    bool overrule, restore, log, sensitive;
};

struct job {
    struct app *app;
    const struct flag_values *v;
    struct run_row run;
    struct flag_list flags;
    const char *more; /* ends a text that was cut */
};

/* ---- evidence ---- */

static json_t *evidence_json(const struct flag_row *f)
{
    struct err e = {0};
    json_t *j = NULL;

    return f->evidence.n && json_read(f->evidence, &j, &e) == OK ? j : json_object();
}

static struct str text_at(const json_t *j, const char *key)
{
    return json_str_at(j, key, STR(""));
}

/* The shared part in bold, or between brackets. */
static void print_marked(const struct job *j, const char *title, struct str text, struct str part)
{
    struct arena *a = j->app->arena;
    bool colour = !j->app->common.plain && isatty(fileno(j->app->out));
    size_t at = part.n ? str_find(text, part) : SIZE_MAX;
    struct str before = text, behind = {0};

    if (at == SIZE_MAX)
        part.n = 0;
    else {
        before = (struct str){text.p, at};
        behind = str_from(text, at + part.n);
    }
    fprintf(j->app->out, "  %s%*s", title, rune_gap(title, 15), "");
    fprintf(j->app->out, "%.*s", STR_ARG(grid_text(a, before, SIZE_MAX, "")));
    if (part.n)
        fprintf(j->app->out, "%s%.*s%s", colour ? "\033[1m" : "[",
                STR_ARG(grid_text(a, part, SIZE_MAX, "")), colour ? "\033[0m" : "]");
    fprintf(j->app->out, "%.*s\n", STR_ARG(grid_text(a, behind, SIZE_MAX, "")));
}

static const char *clean(const struct job *j, const char *text)
{
    return grid_text(j->app->arena, str_of(text), SIZE_MAX, "").p;
}

static void print_one(const struct job *j, const struct flag_row *f)
{
    AUTO(json_freep) json_t *ev = evidence_json(f);
    FILE *out = j->app->out;
    struct str shared = text_at(ev, "shared"), why = text_at(ev, "why");
    const char *judged = wording_flag_judged(j->app->arena, message_language(), f, ev);

    fprintf(out, _("flag %lld  %s  %s  %s  repeat %lld"), (long long)f->id, f->kind,
            clean(j, f->model_name), clean(j, f->item_name), (long long)f->repeat + 1);
    if (isfinite(f->value))
        fprintf(out, "  %s %.2f", wording_flag_value(message_language(), f->kind), f->value);
    fprintf(out, "\n");
    if (why.n)
        fprintf(out, "  %s%*s%s\n", _("why"), rune_gap(_("why"), 15), "",
                wording_flag_why(message_language(), arena_text(j->app->arena, why)));
    if (judged)
        fprintf(out, "  %s%*s%s\n", _("judges"), rune_gap(_("judges"), 15), "", clean(j, judged));
    print_marked(j, _("answer"), text_at(ev, "this"), shared);
    if (json_object_get(ev, "other"))
        print_marked(j, wording_flag_other(message_language(), f->kind), text_at(ev, "other"),
                     json_str_at(ev, "shared_other", shared));
    if (json_object_get(ev, "where"))
        print_marked(j, _("where"), text_at(ev, "where"), STR(""));
    if (f->overruled_by)
        fprintf(out, _("  overruled by %s: %s\n"), clean(j, f->overruled_by),
                clean(j, f->overruled_why ? f->overruled_why : ""));
}

/* ---- listing ---- */

/* A flag as a row of the list. */
struct line {
    const char *item, *words, *overruled;
    int64_t repeat; /* as people count */
    struct flag_row flag;
};

#define OF(member) TABLE_OF(struct line, member)

/* clang-format off */
static const struct table_field fields[] = {
    {{.word = COLUMN_ID, .kind = TABLE_COUNT}, OF(flag.id)},
    {{.key = "id", .kind = TABLE_COUNT}, OF(flag.id)},
    {{.key = "sample", .kind = TABLE_COUNT}, OF(flag.sample)},
    {{.key = "kind", .word = COLUMN_KIND}, OF(flag.kind)},
    {{.key = "model", .word = WORD_MODEL}, OF(flag.model_name)},
    {{.key = "item"}, OF(flag.item_name)},
    {{.word = WORD_ITEM}, OF(item)},
    {{.key = "repeat", .kind = TABLE_COUNT}, OF(flag.repeat)},
    {{.word = COLUMN_REPEAT, .kind = TABLE_COUNT}, OF(repeat)},
    {{.key = "value", .word = COLUMN_VALUE, .kind = TABLE_SCORE, .decimals = 2}, OF(flag.value)},
    {{.word = COLUMN_WORDS}, OF(words)},
    {{.key = "overruled_by"}, OF(flag.overruled_by)},
    {{.key = "overruled_why"}, OF(flag.overruled_why)},
    {{.head = "", .flags = TABLE_SPARSE}, OF(overruled)},
};
/* clang-format on */

#undef OF

static bool is_wanted(const struct job *j, const struct flag_row *f)
{
    return (!j->v->kind || strcmp(j->v->kind, f->kind) == 0) &&
           (!j->v->model || strcmp(j->v->model, f->model_name) == 0);
}

static const char *cut(const struct job *j, struct str text)
{
    return arena_text(j->app->arena, grid_text(j->app->arena, text, WORDS_COLUMNS, j->more));
}

static struct line line_of(const struct job *j, const struct flag_row *f, const json_t *ev)
{
    struct str words = text_at(ev, "shared");

    if (!words.n)
        words = text_at(ev, "this");
    if (!words.n)
        words = text_at(ev, "why");
    return (struct line){
        .item = cut(j, str_of(f->item_name)),
        .words = cut(j, words),
        .overruled = f->overruled_by
                         ? arena_printf(j->app->arena, _("overruled by %s"), f->overruled_by)
                         : NULL,
        .repeat = f->repeat + 1,
        .flag = *f,
    };
}

/* The flags that are wanted, as a table and, with their evidence, as a list for programs. */
static struct table *table_of(const struct job *j, const struct flag_row *v, size_t count,
                              json_t *list)
{
    struct line *lines = NEW_N(j->app->arena, struct line, count + 1);
    struct table *t;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        json_t *ev;
        if (!is_wanted(j, &v[i]))
            continue;
        ev = evidence_json(&v[i]);
        lines[n++] = line_of(j, &v[i], ev);
        json_put(json_add_object(list), "evidence", ev);
    }
    t = table_new(j->app->arena, NULL, n);
    table_fields(t, fields, COUNT(fields), lines, sizeof *lines);
    for (size_t i = 0; i < n; i++)
        t->dim[i] = lines[i].overruled != NULL;
    table_json(t, list);
    return t;
}

static enum status print_flags(const struct job *j, struct err *e)
{
    AUTO(json_freep) json_t *list = json_array();
    struct table *t = table_of(j, j->flags.v, j->flags.n, list);

    if (t->nrows && !j->app->common.json)
        return term_draw(j->app, t, true, e);
    if (j->app->common.json)
        fprintf(j->app->out, "%s\n", json_text(j->app->arena, list));
    else
        fprintf(j->app->err, _("run %s has no such flags\n"), j->run.name);
    return OK;
}

/* Bring the flags up to date. A search of training lines that failed is tried again; why it failed
 * is shown. */
static enum status look_again(struct job *j, struct err *e)
{
    struct store *s = j->app->store;
    struct look look;

    if (store_look_get(j->app->arena, s, j->run.id, &look, e) != OK)
        return e->code;
    if (look.note[0] && !look.key[0])
        j->run.stale = true;
    if (refresh_run(j->app, s, &j->run, e) != OK ||
        store_look_get(j->app->arena, s, j->run.id, &look, e) != OK)
        return e->code;
    if (look.note[0])
        fprintf(j->app->err, _("warning: %s\n"), clean(j, look.note));
    return OK;
}

/* ---- the log ---- */

#define OF(member) TABLE_OF(struct flag_log_row, member)

/* clang-format off */
static const struct table_field log_fields[] = {
    {{.key = "act", .word = PHRASE_WHAT}, OF(act)},
    {{.key = "who", .word = PHRASE_WHO}, OF(who)},
    {{.key = "why", .word = PHRASE_WHY}, OF(why)},
    {{.key = "kind", .word = SEE_FLAG}, OF(kind)},
    {{.key = "model", .word = SEE_MODEL}, OF(model_name)},
    {{.key = "item", .word = SEE_ITEM}, OF(item_name)},
    {{.key = "sample", .kind = TABLE_COUNT}, OF(sample)},
    {{.key = "repeat", .kind = TABLE_COUNT}, OF(repeat)},
};
/* clang-format on */

#undef OF

static enum status print_log(const struct job *j, struct err *e)
{
    struct arena *a = j->app->arena;
    struct table_cell *times, *seen, *repeats;
    struct flag_log log;
    struct table *t;

    if (store_flag_log(a, j->app->store, j->run.id, &log, e) != OK)
        return e->code;
    t = table_new(a, NULL, log.n);
    seen = table_add(t, .word = PHRASE_WHEN);
    times = table_add(t, .key = "at");
    table_fields(t, log_fields, COUNT(log_fields), log.v, sizeof *log.v);
    repeats = table_add(t, .word = COLUMN_REPEAT, .kind = TABLE_COUNT);
    for (size_t i = 0; i < log.n; i++) {
        char when[CLOCK_TEXT];
        clock_text(log.v[i].at_ms, when);
        times[i] = table_text(arena_text(a, str_of(when)));
        seen[i] = table_text(show_when(a, log.v[i].at_ms));
        repeats[i] = table_count(log.v[i].repeat + 1);
    }
    return log.n || j->app->common.json ? term_table(j->app, t, true, e) : OK;
}

/* ---- one flag ---- */

static bool is_blank(const char *text)
{
    return !text || str_trim(str_of(text)).n == 0;
}

static enum status check_act(const struct flag_values *v, struct err *e)
{
    const char *act = v->overrule ? "overrule" : "restore";

    if (v->overrule && v->restore)
        return err_set(e, E_USAGE, "--overrule and --restore exclude each other");
    if (is_blank(v->by))
        return err_set(e, E_USAGE, "--%s needs --by NAME, which is recorded", act);
    if (is_blank(v->why))
        return err_set(e, E_USAGE, "--%s needs --why TEXT, which is recorded", act);
    return OK;
}

static const struct flag_row *find_one(const struct flag_list *flags, int64_t id)
{
    for (size_t i = 0; i < flags->n; i++)
        if (flags->v[i].id == id)
            return &flags->v[i];
    return NULL;
}

static enum status one_flag(struct job *j, const char *word, struct err *e)
{
    struct flag_act act = {.restore = j->v->restore, .who = j->v->by, .why = j->v->why};
    const struct flag_row *f;

    if (!str_int(str_of(word), &act.flag))
        return err_set(e, E_USAGE, "'%s' is not a flag number", word);
    if ((j->v->overrule || j->v->restore) &&
        (check_act(j->v, e) != OK || derive_overrule(j->app->store, &j->run, &act, e) != OK))
        return e->code;
    if (store_flag_list(j->app->arena, j->app->store, j->run.id, &j->flags, e) != OK)
        return e->code;
    f = find_one(&j->flags, act.flag);
    if (!f)
        return err_set(e, E_ABSENT, "run %s has no flag %s; `audition flag %s` lists them",
                       j->run.name, word, j->run.name);
    if (j->app->common.json) {
        AUTO(json_freep) json_t *list = json_array();
        (void)table_of(j, f, 1, list);
        fprintf(j->app->out, "%s\n", json_text(j->app->arena, json_array_get(list, 0)));
    } else {
        print_one(j, f);
    }
    return OK;
}

static enum status check_kind(const char *kind, struct err *e)
{
    const char *names[RULE_KINDS];
    size_t row;

    for (int k = 0; k < RULE_KINDS; k++)
        names[k] = suite_rule_name((enum rule_kind)k);
    return kind ? opt_choose(&OPT_WORDS("--kind", names), kind, &row, e) : OK;
}

static enum status flag(struct app *app, struct err *e)
{
    struct job j = {.app = app, .v = app->values, .more = app->common.plain ? "..." : "…"};
    struct suite suite;

    if (check_kind(j.v->kind, e) != OK)
        return e->code;
    if (app->args.n == 1 && (j.v->overrule || j.v->restore))
        return err_set(e, E_USAGE, "which flag? `audition flag %s` lists them", app->args.v[0]);
    if (store_run_get(app->arena, app->store, app->args.v[0], &j.run, e) != OK ||
        look_again(&j, e) != OK)
        return e->code;
    if (j.v->log)
        return print_log(&j, e);
    if (suite_args_sensitive(app, &j.run, j.v->sensitive, &suite, e) != OK)
        return e->code;
    if (app->args.n == 2)
        return one_flag(&j, app->args.v[1], e);
    if (store_flag_list(app->arena, app->store, j.run.id, &j.flags, e) != OK)
        return e->code;
    return print_flags(&j, e);
}

#define AT(member) offsetof(struct flag_values, member)

const struct command cmd_flag_command = {
    .name = "flag",
    .need = STORE_CHANGE,
    .args = "RUN [ID]",
    .summary = "list what the rules flagged; overrule a flag",
    /* clang-format off */
    .opts = OPTS(
        {"overrule", 0,   OPT_FLAG, AT(overrule), NULL,    "overrule flag ID; scores are updated", 0, 0},
        {"restore",  0,   OPT_FLAG, AT(restore),  NULL,    "restore flag ID", 0, 0},
        {"by",       0,   OPT_TEXT, AT(by),       "NAME",  "who overrules or restores", 0, 0},
        {"why",      0,   OPT_TEXT, AT(why),      "TEXT",  "why", 0, 0},
        {"kind",     0,   OPT_TEXT, AT(kind),     "KIND",  "only flags of this kind", 0, 0},
        {"model",    'm', OPT_TEXT, AT(model),    "MODEL", "only flags of this model's answers", 0, 0},
        {"log",      0,   OPT_FLAG, AT(log),      NULL,    "show who overruled and restored flags, oldest first", 0, 0},
        {"sensitive", 0,  OPT_FLAG, AT(sensitive), NULL,   "even for a sensitive suite", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct flag_values),
    .nargs = {1, 2},
    .run = flag,
};
