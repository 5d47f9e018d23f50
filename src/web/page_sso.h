/* page_sso.h - signing in with a provider of single sign-on (oidc.h).
 *
 * It serves to enter, to confirm one's identity before something that matters, and to link one's
 * account to the provider. What a browser began it completes, once, within ten minutes. */
#ifndef WEB_PAGE_SSO_H
#define WEB_PAGE_SSO_H

#include "web/page.h"

/* A form with one button, if there is a provider; `what`: enter, confirm or link. */
void page_sso_button(struct page *p, const char *what, const char *next);

#endif
