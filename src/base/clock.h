/* clock.h - what time it is. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/str.h"

int64_t clock_utc_ms(void);  /* since 1970, for storage */
int64_t clock_mono_ms(void); /* never goes back, for waiting and measuring */

#define CLOCK_DAY_MS INT64_C(86400000)

enum { CLOCK_TEXT = 25 };
/* "2026-11-15T01:30:04Z" */
void clock_text(int64_t utc_ms, char out[CLOCK_TEXT]);
/* The reverse, as people write it: a date, a time or none (the end of that day), a zone or none
 * (UTC): "2026-12-01", "2026-12-01 18:00 +09:00", "2026-12-01T18:00:00Z". */
bool clock_read(struct str text, int64_t *utc_ms);

#endif
