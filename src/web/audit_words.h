/* audit_words.h - shows the audit log in the reader's language. The phrase for an act is AUDIT_ and
 * its name. */
#ifndef WEB_AUDIT_WORDS_H
#define WEB_AUDIT_WORDS_H

#include "store/store_web.h"
#include "web/page.h"

/* The table, and a link to older entries unless that is NULL. */
void audit_words_table(struct page *p, const struct audit_list *log, const char *older);

#endif
