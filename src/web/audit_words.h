/* audit_words.h - the audit log in words: who did what to what, in the reader's language. The words
 * of an act are AUDIT_ and its name. */
#ifndef WEB_AUDIT_WORDS_H
#define WEB_AUDIT_WORDS_H

#include "store/store_web.h"
#include "web/page.h"

/* The table, and the way to older entries; NULL: there are none. */
void audit_words_table(struct page *p, const struct audit_list *log, const char *older);

#endif
