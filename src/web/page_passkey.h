/* page_passkey.h - signing in and confirming with a passkey, making and removing them.
 *
 * A passkey holds two factors, the authenticator and what unlocks it, so that nothing else is asked
 * for, and a session begun with one is as good as one with a code. Whoever has a passkey does not
 * get in by the password alone any more (second.h). */
#ifndef WEB_PAGE_PASSKEY_H
#define WEB_PAGE_PASSKEY_H

#include "web/page.h"

/* The button; shown by a script where the browser knows passkeys. */
void page_passkey_button(struct page *p, enum word label, const char *next);
/* The part of one's account about them. */
CHECKED enum status page_passkey_part(struct page *p, struct err *e);

#endif
