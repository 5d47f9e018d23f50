/* phrase.h - made-up role-play prose in three languages, put together from fragments.
 *
 * The same generator state gives the same prose. Nothing here holds a quotation mark, a
 * backslash or a control character, so that it may stand inside a JSON string as it is. */
#ifndef MOCK_PHRASE_H
#define MOCK_PHRASE_H

#include "base/rng.h"
#include "base/str.h"

enum language { LANGUAGE_EN, LANGUAGE_ZH, LANGUAGE_JA };

/* By script: kana says Japanese, Han without kana Chinese, anything else English. */
enum language phrase_language(struct str text);

/* Add whole sentences of a scene until there are about `bytes` of them; never none. */
void phrase_scene(struct buf *out, enum language lang, struct rng *r, size_t bytes);

/* Add one sentence of a critic's remark. */
void phrase_remark(struct buf *out, enum language lang, struct rng *r);

/* Add a sentence in which the speaker says which model it is. */
void phrase_confession(struct buf *out, enum language lang, struct str model);

#endif
