#include "report/panels.h"

#include <math.h>

#include "gauge/kin.h"
#include "panel/export.h"
#include "report/show.h"
#include "store/store_read.h"

/* ---- columns ---- */

static struct report_panel panel_of(struct arena *a, const struct report *r, const struct jury *j,
                                    const struct score_list *l)
{
    const struct score_row *alpha = score_find(l, "run/juries", "agreement");
    struct report_panel p = {
        .name = j->name,
        .people = j->campaign != 0,
        .masked = j->masked,
        .agreement = alpha ? alpha->value : NAN,
        .scores = NEW_N(a, const struct score_row *, r->nmodels + 1),
    };

    for (size_t i = 0; i < r->nmodels && !j->masked; i++)
        p.scores[i] = score_find(l, arena_printf(a, "model/%s", r->models[i].name), "score");
    return p;
}

enum status panels_take(struct arena *a, struct store *s, struct report *r, struct err *e)
{
    struct jury_list l;

    if (jury_list(a, s, r->run.id, &l, e) != OK)
        return e->code;
    r->panels = NEW_N(a, struct report_panel, l.n);
    for (size_t i = 0; i < l.n; i++) {
        struct score_list rows;
        if (l.v[i].members.n == 0)
            continue;
        if (store_score_list(a, s, r->run.id, l.v[i].key, &rows, e) != OK)
            return e->code;
        r->panels[r->npanels++] = panel_of(a, r, &l.v[i], &rows);
    }
    return OK;
}

/* ---- judges of their own kin ---- */

static enum status kin_names(struct arena *a, struct store *s, int64_t run,
                             const struct party *judge, const struct party_list *models,
                             const char **out, struct err *e)
{
    for (size_t m = 0; m < models->n; m++) {
        const struct party *model = &models->v[m];
        bool met = false;
        if (kin_of(a, judge, model) == KIN_NONE)
            continue;
        if (store_judge_met(s, run, judge->id, model->id, &met, e) != OK)
            return e->code;
        if (met)
            *out = *out ? arena_printf(a, "%s, %s", *out, model->name) : model->name;
    }
    return OK;
}

enum status panels_kin(struct arena *a, struct store *s, const struct party_list *models,
                       struct report *r, struct err *e)
{
    struct party_list judges;

    if (store_party_list(a, s, PARTY_JUDGE, r->run.id, &judges, e) != OK)
        return e->code;
    for (size_t i = 0; i < r->njudges; i++) {
        const struct party *judge = store_party_named(&judges, r->judges[i].name);
        if (judge && kin_names(a, s, r->run.id, judge, models, &r->judges[i].kin, e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- masks ---- */

/* Would scores reveal who is who? Rules and missing answers make a score differ from the mean of
 * the marks that the campaign shows, and the flags of a model on another board explain the
 * difference. */
static bool would_tell(const struct report *r, const struct score_list *scores)
{
    bool ruled = false;

    for (int k = 0; k < RULE_KINDS; k++)
        ruled |= r->suite.rules.of[k].on && r->suite.rules.of[k].effect != EFFECT_NOTE;
    for (size_t i = 0; i < scores->n && ruled; i++)
        if (str_starts(str_of(scores->v[i].metric), STR("flag:")) && scores->v[i].value > 0)
            return true;
    for (size_t i = 0; i < r->nmodels; i++)
        if (r->models[i].failed || r->models[i].left_out)
            return true;
    return false;
}

enum status panels_mask(struct arena *a, struct store *s, const struct score_list *scores,
                        struct report *r, struct err *e)
{
    const struct report_battles nothing = {0};
    const struct score_row **none;
    struct campaign c;

    if (!r->jury.masked)
        return OK;
    r->hushed = would_tell(r, scores);
    if (campaign_by_id(a, s, r->jury.campaign, &c, e) != OK)
        return e->code;
    none = NEW_N(a, const struct score_row *, r->suite.instrument.ndimensions + 1);
    for (size_t i = 0; i < r->nmodels; i++) {
        struct report_model *m = &r->models[i];
        m->battles.controlled = NULL; /* computed from length and style, which the run shows */
        r->models[i] = (struct report_model){.name = export_system(a, &c, m->name),
                                             .score = r->hushed ? NULL : m->score,
                                             .unrounded = r->hushed ? NULL : m->unrounded,
                                             .marks = m->marks,
                                             .totals = r->hushed && m->totals ? none : m->totals,
                                             .rates = m->rates,
                                             .cost = NAN,
                                             .battles = r->hushed ? nothing : m->battles};
    }
    r->nclassifiers = 0;
    return OK;
}

/* ---- the table ---- */

static void add_notes(struct table *t, const struct report *r, const char *language)
{
    char text[SHOW_MAX];

    for (size_t i = 0; i < r->npanels; i++) {
        const struct report_panel *p = &r->panels[i];
        if (p->masked)
            table_note(t, words_with(t->a, language, WORD_PANEL_MASKED, p->name));
        else if (isfinite(p->agreement))
            table_note(t, words_two(t->a, language, WORD_LABELLED, p->name,
                                    words_with(t->a, language, WORD_PANEL_ALPHA,
                                               show_number(text, p->agreement, 2, "-"))));
    }
}

struct table *panels_table(struct arena *a, const struct report *r, const char *language)
{
    struct table *t = table_new(a, language, r->nmodels);
    struct table_cell *names = table_add(t, .key = "name", .word = WORD_MODEL, .kind = TABLE_TEXT);

    t->title = words_of(language, WORD_PANELS);
    for (size_t i = 0; i < r->nmodels; i++)
        names[i] = table_text(r->models[i].name);
    (void)table_add(t, .in = "by_judge"); /* even if there are none */
    for (size_t p = 0; p < r->npanels; p++) {
        struct table_cell *cells =
            table_add(t, .key = r->panels[p].name, .in = "by_judge", .head = r->panels[p].name,
                      .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = show_headline(r),
                      .flags = TABLE_NAMED);
        const char *metric = arena_printf(a, "score:%s", r->panels[p].name);
        for (size_t i = 0; i < r->nmodels; i++) {
            cells[i] = table_score(r->panels[p].scores[i]);
            cells[i].metric = metric;
        }
    }
    add_notes(t, r, language);
    return t;
}
