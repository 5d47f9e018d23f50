#include "web/pages.h"

#include "store/store_sign_in.h"
#include "web/account.h"
#include "web/audit_words.h"
#include "web/explore.h"
#include "web/page.h"
#include "web/page_me.h"
#include "web/widget.h"

enum { AUDIT_ROWS = 100 };

static const struct page_choice roles[] = {
    {"admin", PHRASE_ROLE_ADMIN},
    {"coordinator", PHRASE_ROLE_COORDINATOR},
    {"analyst", PHRASE_ROLE_ANALYST},
    {"member", PHRASE_ROLE_MEMBER},
};

/* ---- accounts ---- */

static const char *role_words(const struct page *p, const char *role)
{
    for (size_t i = 0; i < COUNT(roles); i++)
        if (strcmp(roles[i].value, role) == 0)
            return page_phrase(p, roles[i].label);
    return role;
}

static void account_line(struct page *p, const struct account_row *a)
{
    page_row_of(p, page_printf(p, "/accounts/%lld", (long long)a->id), a->name);
    page_cell(p, role_words(p, a->role));
    page_cell(p, page_phrase(p, a->disabled_ms ? PHRASE_DISABLED : PHRASE_ENABLED));
    page_cell_time(p, a->created_ms);
    html_close(&p->h);
}

struct add_faults {
    bool name, password;
};

static void add_form(struct page *p, struct add_faults bad)
{
    page_say(p, "h2", NULL, PHRASE_ACCOUNT_NEW);
    page_form(p, "/accounts");
    page_ask(p, .label = PHRASE_NAME, .name = "name", .value = request_form(p->q, "name").p,
             .error = bad.name ? page_phrase(p, PHRASE_NAME_BAD) : NULL);
    page_new_password(p, "password", PHRASE_PASSWORD, bad.password);
    page_choices(p, PHRASE_ROLE, "role", roles, COUNT(roles), "analyst");
    page_button(p, PHRASE_ADD, NULL, NULL);
    html_close(&p->h);
}

static enum status accounts_page(struct request *q, struct response *r, struct add_faults bad,
                                 struct err *e)
{
    struct account_list accounts;
    struct page p;

    if (store_account_list(q->arena, q->store, &accounts, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_ACCOUNTS));
    page_table(&p, PHRASE_NAME, PHRASE_ROLE, PHRASE_STATE, PHRASE_CREATED);
    for (size_t i = 0; i < accounts.n; i++)
        account_line(&p, &accounts.v[i]);
    page_table_end(&p);
    add_form(&p, bad);
    return page_close(&p);
}

enum status page_staff_accounts(struct request *q, struct response *r, struct err *e)
{
    return accounts_page(q, r, (struct add_faults){0}, e);
}

static enum status name_taken(struct request *q, struct str name, bool *taken, struct err *e)
{
    const char *text = arena_text(q->arena, name);
    struct account_row row;

    if (store_account_get(q->arena, q->store, 0, text, &row, taken, e) != OK)
        return e->code;
    return *taken ? OK : store_people_is_team(q->store, text, taken, e);
}

enum status page_staff_add(struct request *q, struct response *r, struct err *e)
{
    struct str role = request_form(q, "role");
    struct account_new n = {.name = request_form(q, "name"),
                            .password = request_form(q, "password"),
                            .role = role.p ? role.p : ""};
    struct add_faults bad = {.name = !account_name_ok(n.name),
                             .password = !account_password_ok(n.password, n.name)};
    struct account_row account;
    bool taken = false;

    if (!page_me_is_confirmed(q, r, "/accounts"))
        return OK;
    if (!session_role(n.role))
        return err_set(e, E_INPUT, "role: admin, coordinator, analyst or member");
    if (!bad.name && name_taken(q, n.name, &taken, e) != OK)
        return e->code;
    bad.name = bad.name || taken;
    if (bad.name || bad.password) {
        r->status = 400;
        return accounts_page(q, r, bad, e);
    }
    if (account_add(q, &n, &account, e) != OK)
        return e->code;
    return response_done(r, "/accounts");
}

/* ---- one account ---- */

static enum status account_of(struct request *q, struct account_row *out, struct err *e)
{
    int64_t id = request_int(request_param(q, "id"), 0);
    bool found = false;

    if (id > 0 && store_account_get(q->arena, q->store, id, NULL, out, &found, e) != OK)
        return e->code;
    return found ? OK : err_set(e, E_ABSENT, "no such account");
}

static enum status account_page(struct request *q, struct response *r,
                                const struct account_row *account, struct err *e)
{
    bool second = false, off = account->disabled_ms != 0;
    const char *action = arena_printf(q->arena, "/accounts/%lld", (long long)account->id);
    struct page p;

    if (second_has(q, account, &second, e) != OK)
        return e->code;
    widget_open_below(&p, q, r, "/accounts", PHRASE_ACCOUNTS, account->name);
    page_form(&p, action);
    page_choices(&p, PHRASE_ROLE, "role", roles, COUNT(roles), account->role);
    page_button(&p, PHRASE_SAVE, "act", "role");
    html_close(&p.h);
    page_form(&p, action);
    page_new_password(&p, "password", PHRASE_PASSWORD_NEW, q->method == METHOD_POST);
    page_button(&p, PHRASE_PASSWORD_CHANGE, "act", "password");
    html_close(&p.h);
    page_form(&p, action);
    page_say(&p, "p", NULL, off ? PHRASE_DISABLED : PHRASE_ENABLED);
    page_button(&p, off ? PHRASE_ENABLE : PHRASE_DISABLE, "act", off ? "enable" : "disable");
    if (second)
        page_button(&p, PHRASE_SECOND_OFF, "act", "second");
    return page_close(&p);
}

enum status page_staff_account(struct request *q, struct response *r, struct err *e)
{
    struct account_row account = {0};

    return account_of(q, &account, e) == OK ? account_page(q, r, &account, e) : e->code;
}

static enum status set_role(struct request *q, struct account_row account, struct err *e)
{
    struct str role = request_form(q, "role");

    if (!role.p || !session_role(role.p))
        return err_set(e, E_INPUT, "role: admin, coordinator, analyst or member");
    account.role = role.p;
    return account_change(q, &account, ACCOUNT_ROLE, "account-role", e);
}

static enum status set_state(struct request *q, struct account_row account, bool on, struct err *e)
{
    account.disabled_ms = on ? 0 : q->now_ms;
    return account_change(q, &account, ACCOUNT_DISABLED, on ? "account-enable" : "account-disable",
                          e);
}

static enum status drop_second(struct request *q, const struct account_row *account, struct err *e)
{
    int64_t id = account->id;

    return store_atomically(q->store, e,
                            store_people_totp(q->store, id, NULL, e) == OK &&
                                    store_people_forget_codes(q->store, id, e) == OK &&
                                    store_passkey_drop(q->store, id, NULL, e) == OK &&
                                    store_session_drop_who(q->store, "staff", id, e) == OK &&
                                    store_people_token_revoke(q->store, id, 0, q->now_ms, e) == OK
                                ? account_audit(q, "second-factor-drop", account->name, "", e)
                                : e->code);
}

enum status page_staff_change(struct request *q, struct response *r, struct err *e)
{
    struct str act = request_form(q, "act"), password = request_form(q, "password");
    struct account_row account = {0};
    enum status st;

    if (account_of(q, &account, e) != OK)
        return e->code;
    if (!page_me_is_confirmed(q, r,
                              arena_printf(q->arena, "/accounts/%lld", (long long)account.id)))
        return OK;
    if (str_is(act, "password") && !account_password_ok(password, str_of(account.name))) {
        r->status = 400;
        return account_page(q, r, &account, e);
    }
    if (str_is(act, "password"))
        st = account_set_password(q, account, password, e);
    else if (str_is(act, "role"))
        st = set_role(q, account, e);
    else if (str_is(act, "enable") || str_is(act, "disable"))
        st = set_state(q, account, str_is(act, "enable"), e);
    else if (str_is(act, "second")) /* the phone was lost, and the codes too */
        st = drop_second(q, &account, e);
    else
        st = err_set(e, E_INPUT, "act: role, password, enable, disable or second");
    if (st == OK)
        response_done(r, "/accounts");
    return st;
}

/* ---- the audit log ---- */

/* Kinds of acts, by how their names begin. */
static const struct {
    const char *what;
    enum word label;
} kinds[] = {{"campaign.", PHRASE_CAMPAIGNS}, {"rater.", PHRASE_RATERS},
             {"run.", PHRASE_RUNS},           {"flag.", PHRASE_AUDIT_FLAGS},
             {"account", PHRASE_ACCOUNTS},    {"sign-", PHRASE_SIGN_IN}};

static void audit_filters(struct page *p)
{
    struct widget_option options[COUNT(kinds) + 1] = {{"", page_phrase(p, PHRASE_AUDIT_ANY)}};

    for (size_t i = 0; i < COUNT(kinds); i++)
        options[i + 1] = (struct widget_option){kinds[i].what, page_phrase(p, kinds[i].label)};
    widget_filters(p, "/audit", PHRASE_FILTER);
    widget_select(p, "what", PHRASE_WHAT, options, COUNT(options));
    widget_input(p, "who", PHRASE_WHO, "text");
    widget_input(p, "subject", PHRASE_SUBJECT, "text");
    widget_button(p, "", PHRASE_FILTER, NULL, NULL);
    html_close(&p->h);
}

enum status page_staff_audit(struct request *q, struct response *r, struct err *e)
{
    const struct audit_wanted w = {request_int(request_query(q, "before"), 0), AUDIT_ROWS,
                                   request_asked(q, "who"), request_asked(q, "what"),
                                   request_asked(q, "subject")};
    struct audit_list log;
    struct page p;

    if (store_audit_find(q->arena, q->store, &w, &log, e) != OK)
        return e->code;
    page_open(&p, q, r, words_of(q->language, PHRASE_AUDIT));
    audit_filters(&p);
    if (log.n)
        audit_words_table(&p, &log,
                          log.n == AUDIT_ROWS
                              ? explore_to(q, "/audit", "who", w.who, "what", w.what, "subject",
                                           w.subject, "before",
                                           arena_int(q->arena, log.v[log.n - 1].id), NULL)
                              : NULL);
    else
        widget_empty_go(&p, page_phrase(&p, PHRASE_AUDIT_NONE), "/audit", PHRASE_AUDIT_ANY);
    return page_close(&p);
}
