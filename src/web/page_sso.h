/* page_sso.h - signing in with a provider of single sign-on (oidc.h): there, and back.
 *
 * Three things can be done so: enter, confirm that it is oneself before something that matters, and
 * tie one's account to the provider. What was begun in a browser ends there, once, within ten
 * minutes. */
#ifndef WEB_PAGE_SSO_H
#define WEB_PAGE_SSO_H

#include "web/page.h"

/* A form with one button, where there is a provider; `what`: enter, confirm, link. */
void page_sso_button(struct page *p, const char *what, const char *next);

#endif
