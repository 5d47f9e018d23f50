/* page_passkey.h - signing in and confirming with a passkey; making and removing passkeys.
 *
 * A passkey combines two factors, the authenticator and what unlocks it. So nothing else is asked
 * for, and the session counts as strong. An account with a passkey no longer gets in by the
 * password alone (second.h). */
#ifndef WEB_PAGE_PASSKEY_H
#define WEB_PAGE_PASSKEY_H

#include "web/page.h"

/* A button that a script shows where the browser supports passkeys. */
void page_passkey_button(struct page *p, enum word label, const char *next);
/* The part of the account's page about them. */
CHECKED enum status page_passkey_part(struct page *p, struct err *e);

#endif
