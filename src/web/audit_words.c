#include "web/audit_words.h"

/* campaign.new: AUDIT_CAMPAIGN_NEW */
static const char *words_for(const struct page *p, const char *what)
{
    struct str name = str_of(what), group, act;

    if (str_cut(name, '.', &group, &act))
        what = page_printf(p, "%.*s-%.*s", STR_ARG(group), STR_ARG(act));
    return words_find(p->q->language, "AUDIT_", what);
}

/* "created campaign comic"; an act that has no words is shown by its name. */
static const char *say(const struct page *p, const struct audit_row *row)
{
    const char *text = words_for(p, row->what), *subject = row->subject;

    if (!text)
        return page_printf(p, "%s %s", row->what, subject);
    if (strcmp(row->what, "sign-out") == 0 && strcmp(subject, "everywhere") == 0)
        subject = page_phrase(p, AUDIT_EVERYWHERE);
    return words_fill(p->q->arena, text, subject);
}

/* The detail in words, for acts whose detail is a role, alone or behind a name ("bob: analyst"). */
static const char *role_of(const struct page *p, const struct audit_row *row)
{
    static const char *const roles[] = {"set-up",         "account-add",      "account-role",
                                        "account-enable", "account-disable",  "password",
                                        "campaign.grant", "campaign.ungrant", NULL};
    struct str name, role;
    const char *word;

    if (!str_any(str_of(row->what), str_eq, roles))
        return NULL;
    if (!str_cut(str_of(row->detail), ':', &name, &role)) /* no name has a colon */
        return words_find(p->q->language, "ROLE_NAME_", row->detail);
    word = words_find(p->q->language, "ROLE_NAME_", arena_text(p->q->arena, str_trim(role)));
    return word ? words_two(p->q->arena, p->q->language, WORD_LABELLED,
                            arena_text(p->q->arena, name), word)
                : NULL;
}

/* The details of an act in the reader's language where they are words of the program. Which text
 * was shown or hidden is not told: its number reveals the model. */
static const char *detail_of(const struct page *p, const struct audit_row *row)
{
    static const char *const silent[] = {"campaign.show", "campaign.hide", "campaign.revoke", NULL};
    static const struct {
        const char *what, *detail;
        enum word says;
    } ours[] = {
        {"campaign.state", "open", PHRASE_OPEN},
        {"campaign.state", "closed", PHRASE_CLOSED_STATE},
        {"campaign.state", "unmasked", PHRASE_UNMASKED},
        {"rater.withdraw", "ratings deleted", AUDIT_RATINGS_DELETED},
        {"campaign.retention", "personal", AUDIT_PERSONAL},
        {"campaign.retention", "everything", AUDIT_EVERYTHING},
        {"token-add", "read", PHRASE_TOKEN_READ},
        {"token-add", "write", PHRASE_TOKEN_WRITE},
    };

    const char *role = role_of(p, row);

    if (str_any(str_of(row->what), str_eq, silent))
        return "";
    for (size_t i = 0; i < COUNT(ours); i++)
        if (strcmp(row->what, ours[i].what) == 0 && strcmp(row->detail, ours[i].detail) == 0)
            return page_phrase(p, ours[i].says);
    return role ? role : row->detail;
}

/* An account by its name; a rater, and who typed a command, in words. */
static const char *who_of(const struct page *p, const char *who)
{
    struct str name = str_of(who), typed = STR(" (command line)");

    if (str_is(name, "rater"))
        return page_phrase(p, AUDIT_BY_RATER);
    if (str_is(name, "command line"))
        return page_phrase(p, AUDIT_BY_COMMAND);
    if (!str_ends(name, typed))
        return who;
    name.n -= typed.n;
    return words_fill(p->q->arena, page_phrase(p, AUDIT_BY_COMMAND_OF),
                      arena_text(p->q->arena, name));
}

void audit_words_table(struct page *p, const struct audit_list *log, const char *older)
{
    page_table(p, PHRASE_WHEN, PHRASE_WHO, PHRASE_WHAT, PHRASE_DETAIL);
    for (size_t i = 0; i < log->n; i++) {
        page_row(p);
        page_cell_time(p, log->v[i].at_ms);
        page_cell(p, who_of(p, log->v[i].who));
        page_cell(p, say(p, &log->v[i]));
        page_cell(p, detail_of(p, &log->v[i]));
        html_close(&p->h);
    }
    page_table_end(p);
    if (older)
        page_way(p, older, PHRASE_OLDER);
}
