#include "web/pages.h"

#include "panel/campaign.h"
#include "store/store_people.h"
#include "web/account.h"
#include "web/campaign_frame.h"
#include "web/page.h"
#include "web/page_campaign.h"
#include "web/page_me.h"

static const struct page_choice roles[] = {
    {"coordinator", PHRASE_ROLE_COORDINATOR},
    {"analyst", PHRASE_ROLE_ANALYST},
};

static void pairs(struct page *p, const struct word_pairs *l, enum word second_head,
                  const char *action, const char *first, const char *second)
{
    if (!l->n)
        return;
    page_table(p, strcmp(first, "team") == 0 ? PHRASE_TEAM : PHRASE_PEOPLE_NAME, second_head,
               PHRASE_REMOVE);
    for (size_t i = 0; i < l->n; i++) {
        const char *role = second_head == PHRASE_ROLE
                               ? words_find(p->q->language, "ROLE_NAME_", l->v[i].word)
                               : NULL;
        page_row(p);
        page_cell(p, l->v[i].name);
        page_cell(p, role ? role : l->v[i].word);
        page_cell_open(p, NULL);
        if (*l->v[i].word) {
            page_form(p, action);
            page_hidden(p, first, l->v[i].name);
            page_hidden(p, second, l->v[i].word);
            page_button(p, PHRASE_REMOVE, "act", "remove");
            html_close(&p->h);
        }
        html_close_n(&p->h, 2);
    }
    page_table_end(p);
}

/* ---- teams ---- */

/* The list has a row for each member of a team; there is one button for each team. */
static void delete_forms(struct page *p, const struct word_pairs *teams)
{
    if (teams->n)
        page_say(p, "h2", NULL, PHRASE_TEAM_DELETE);
    for (size_t i = 0; i < teams->n; i++) {
        if (i && strcmp(teams->v[i].name, teams->v[i - 1].name) == 0)
            continue;
        page_form(p, "/teams");
        page_hidden(p, "team", teams->v[i].name);
        html_say(&p->h, "button", teams->v[i].name, "type", "submit", "name", "act", "value",
                 "delete", "class", "danger");
        html_close(&p->h);
    }
}

enum status page_team_list(struct request *q, struct response *r, struct err *e)
{
    struct word_pairs teams;
    struct page p;

    if (store_people_teams(q->arena, q->store, &teams, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_TEAMS));
    page_say(&p, "p", "note", PHRASE_TEAMS_LEAD);
    pairs(&p, &teams, PHRASE_ACCOUNT, "/teams", "team", "account");
    page_form(&p, "/teams");
    page_ask(&p, .label = PHRASE_TEAM, .name = "team");
    page_ask(&p, .label = PHRASE_ACCOUNT, .name = "account", .optional = true);
    page_button(&p, PHRASE_ADD, "act", "add");
    html_close(&p.h);
    delete_forms(&p, &teams);
    return page_close(&p);
}

/* In a transaction of the caller's; act: add (the team, and the account where one is named), remove
 * (the account), delete (the team). */
static enum status set_team(struct request *q, struct str team, struct str account, struct str act,
                            struct err *e)
{
    bool add = str_is(act, "add"), taken = false;
    struct account_row other;

    if (str_is(act, "delete"))
        return store_people_team_drop(q->store, team.p, e) == OK
                   ? account_audit(q, "team-delete", team.p, "", e)
                   : e->code;
    if (add && store_account_get(q->arena, q->store, 0, team.p, &other, &taken, e) != OK)
        return e->code;
    if (taken)
        return err_set(e, E_INPUT, "'%s' is the name of an account; give the team another", team.p);
    if (add && store_people_team_add(q->store, team.p, e) != OK)
        return e->code;
    if (account.n && store_people_team_member(q->store, team.p, account.p, add, e) != OK)
        return e->code;
    return account_audit(q, add ? "team-add" : "team-remove", team.p, account.n ? account.p : "",
                         e);
}

enum status page_team_change(struct request *q, struct response *r, struct err *e)
{
    struct str team = request_form(q, "team"), account = request_form(q, "account"),
               act = request_form(q, "act");

    if (!page_me_is_confirmed(q, r, "/teams"))
        return OK;
    if (!account_name_ok(team))
        return err_set(e, E_INPUT, "a team needs a name of letters, digits and . _ - @");
    if (!str_is(act, "add") && !str_is(act, "remove") && !str_is(act, "delete"))
        return err_set(e, E_INPUT, "act: add, remove or delete");
    if (store_atomically(q->store, e, set_team(q, team, account, act, e)) != OK)
        return e->code;
    return response_done(r, "/teams");
}

/* ---- roles in a campaign ---- */

enum status page_team_grants(struct request *q, struct response *r, struct err *e)
{
    struct word_pairs grants;
    struct campaign c;
    struct page p;

    if (page_campaign_of(q, &c, e) != OK ||
        store_people_grants(q->arena, q->store, c.id, &grants, e) != OK)
        return e->code;
    campaign_frame_open(&p, q, r, &c, TAB_PEOPLE);
    page_say(&p, "p", "note", PHRASE_PEOPLE_LEAD);
    pairs(&p, &grants, PHRASE_ROLE, campaign_frame_path(q, &c, "/people"), "name", "role");
    page_form(&p, campaign_frame_path(q, &c, "/people"));
    page_ask(&p, .label = PHRASE_PEOPLE_NAME, .name = "name");
    page_choices(&p, PHRASE_ROLE, "role", roles, COUNT(roles), "coordinator");
    page_button(&p, PHRASE_ADD, "act", "add");
    return page_close(&p);
}

enum status page_team_grant(struct request *q, struct response *r, struct err *e)
{
    struct str name = request_form(q, "name"), role = request_form(q, "role"),
               act = request_form(q, "act");
    bool remove = str_is(act, "remove");
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    if (!page_me_is_confirmed(q, r, campaign_frame_path(q, &c, "/people")))
        return OK;
    if (!name.p || !(str_is(role, "coordinator") || str_is(role, "analyst")))
        return err_set(e, E_INPUT, "name: an account or a team; role: coordinator or analyst");
    if (!remove && !str_is(act, "add"))
        return err_set(e, E_INPUT, "act: add or remove");
    if (store_atomically(q->store, e,
                         store_people_grant(q->store, c.id, name.p, remove ? NULL : role.p, e) == OK
                             ? account_audit(q, remove ? "campaign.ungrant" : "campaign.grant",
                                             c.name,
                                             arena_printf(q->arena, "%s: %s", name.p, role.p), e)
                             : e->code) != OK)
        return e->code;
    return response_done(r, campaign_frame_path(q, &c, "/people"));
}
