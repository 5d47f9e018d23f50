#include "web/audit_words.h"

/* campaign.new: AUDIT_CAMPAIGN_NEW */
static const char *words_for(const struct page *p, const char *what)
{
    struct str name = str_of(what), group, act;

    if (str_cut(name, '.', &group, &act))
        what = arena_printf(p->q->arena, "%.*s-%.*s", STR_ARG(group), STR_ARG(act));
    return words_find(p->q->language, "AUDIT_", what);
}

/* "created campaign comic"; an act that has no words is shown by its name. */
static const char *say(const struct page *p, const struct audit_row *row)
{
    const char *text = words_for(p, row->what);

    if (!text)
        return arena_printf(p->q->arena, "%s %s", row->what, row->subject);
    return words_fill(p->q->arena, text, row->subject);
}

/* Which text was shown or hidden is a number that goes by model: it stays in the log alone. */
static const char *detail_of(const struct audit_row *row)
{
    static const char *const silent[] = {"campaign.show", "campaign.hide", "campaign.revoke"};

    for (size_t i = 0; i < COUNT(silent); i++)
        if (strcmp(row->what, silent[i]) == 0)
            return "";
    return row->detail;
}

void audit_words_table(struct page *p, const struct audit_list *log, const char *older)
{
    page_table(p, PHRASE_WHEN, PHRASE_WHO, PHRASE_WHAT, PHRASE_DETAIL);
    for (size_t i = 0; i < log->n; i++) {
        page_row(p);
        page_cell_time(p, log->v[i].at_ms);
        page_cell(p, log->v[i].who);
        page_cell(p, say(p, &log->v[i]));
        page_cell(p, detail_of(&log->v[i]));
        html_close(&p->h);
    }
    page_table_end(p);
    if (older)
        page_way(p, older, PHRASE_OLDER);
}
