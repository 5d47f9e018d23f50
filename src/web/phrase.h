/* phrase.h - what pages say, in the languages they speak: one table, complete in each. Pure. */
#ifndef WEB_PHRASE_H
#define WEB_PHRASE_H

#include "base/mem.h"

enum phrase {
    /* every page */
    PHRASE_SKIP,
    PHRASE_LANGUAGE,
    PHRASE_HELP,
    PHRASE_MENU,
    PHRASE_BACK,
    PHRASE_SAVE,
    PHRASE_OLDER,
    PHRASE_NOTHING,
    PHRASE_DONE,
    /* errors */
    PHRASE_BAD_REQUEST,
    PHRASE_NOT_SIGNED_IN,
    PHRASE_FORBIDDEN,
    PHRASE_NOT_FOUND,
    PHRASE_BAD_METHOD,
    PHRASE_TOO_LARGE,
    PHRASE_BAD_TYPE,
    PHRASE_TOO_MANY, /* seconds: %s */
    PHRASE_SERVER_FAULT,
    PHRASE_UNAVAILABLE,
    PHRASE_FORM_OLD,
    PHRASE_FORM_ORIGIN, /* expected and got: %s */
    /* signing in: page_login.c */
    PHRASE_SIGN_IN,
    PHRASE_SIGN_OUT,
    PHRASE_SIGN_OUT_EVERYWHERE,
    PHRASE_NAME,
    PHRASE_PASSWORD,
    PHRASE_PASSWORD_RULE,
    PHRASE_WRONG_LOGIN,
    PHRASE_SETUP,
    PHRASE_SETUP_LEAD,
    PHRASE_SETUP_CODE,
    PHRASE_SETUP_WRONG,
    PHRASE_STAY,
    PHRASE_SESSION_ENDS,
    /* staff: page_staff.c */
    PHRASE_ACCOUNTS,
    PHRASE_ACCOUNT_NEW,
    PHRASE_ROLE,
    PHRASE_ROLE_ADMIN,
    PHRASE_ROLE_COORDINATOR,
    PHRASE_ROLE_ANALYST,
    PHRASE_STATE,
    PHRASE_ENABLED,
    PHRASE_DISABLED,
    PHRASE_ENABLE,
    PHRASE_DISABLE,
    PHRASE_CREATED,
    PHRASE_ADD,
    PHRASE_MY_ACCOUNT,
    PHRASE_PASSWORD_OLD,
    PHRASE_PASSWORD_NEW,
    PHRASE_PASSWORD_CHANGE,
    PHRASE_PASSWORD_WRONG,
    PHRASE_PASSWORD_SHORT,
    PHRASE_NAME_BAD,
    PHRASE_LAST_ADMIN,
    PHRASE_AUDIT,
    PHRASE_WHEN,
    PHRASE_WHO,
    PHRASE_WHAT,
    PHRASE_SUBJECT,
    PHRASE_DETAIL,
    /* runs: page_runs.c */
    PHRASE_RUNS,
    PHRASE_RUN,
    PHRASE_SUITE,
    PHRASE_MODELS,
    PHRASE_ANSWERS,
    PHRASE_VERDICTS,
    PHRASE_NO_RUNS,
    PHRASES,
};

/* `language`: "zh", "ja", else English. */
const char *phrase_of(const char *language, enum phrase p);
/* The same, in arena a, with `value` in place of its %s. */
const char *phrase_with(struct arena *a, const char *language, enum phrase p, const char *value);

#endif
