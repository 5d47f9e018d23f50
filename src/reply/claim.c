#include "reply/claim.h"

#include "base/json.h"
#include "reply/evidence.h"
#include "reply/reply_json.h"
#include "suite/sitting.h"

enum { CLAIMS_MAX = 50, WORDS_LEAST = 2 };

/* The last whole object that has some. */
static json_t *last_claims(struct str reply)
{
    struct reply_object o;
    json_t *found = NULL;

    for (size_t at = 0; reply_json_next(reply, &at, &o);) {
        AUTO(buf_done) struct buf strict = BUF_MAX(4 * reply.n + 64);
        AUTO(json_freep) json_t *j = NULL;
        struct err ignored = {0};
        if (o.state != OBJECT_WHOLE)
            continue;
        reply_json_write(reply, &o, &strict);
        if (strict.full || json_read(buf_str(&strict), &j, &ignored) != OK ||
            !json_is_array(json_object_get(j, "contradictions")))
            continue;
        json_decref(found);
        found = json_incref(json_object_get(j, "contradictions"));
    }
    return found;
}

/* Letter by letter, in a turn of somebody who is judged. */
static bool was_said(struct arena *a, const struct suite *s, struct str transcript, int64_t turn,
                     struct str text)
{
    struct sitting_said said;

    return utf8_count(text) >= WORDS_LEAST && sitting_said(transcript, turn, &said) &&
           !vocab_is_other(s, said.who) &&
           str_find(evidence_spaced(a, said.text), evidence_spaced(a, text)) != SIZE_MAX;
}

static bool same(const struct claim *a, int i, const struct claim *b, int k)
{
    return a->turn[i] == b->turn[k] && str_eq(a->text[i], b->text[k]);
}

/* It says nothing that was not said before. */
static bool is_spare(const struct claim_list *l, const struct claim *c)
{
    for (size_t i = 0; i < l->n; i++)
        if ((same(&l->v[i], 0, c, 0) && same(&l->v[i], 1, c, 1)) ||
            (same(&l->v[i], 0, c, 1) && same(&l->v[i], 1, c, 0)))
            return true;
    return same(c, 0, c, 1);
}

struct claim_list claim_read(struct arena *a, const struct suite *s, struct str reply,
                             struct str transcript)
{
    AUTO(json_freep) json_t *list = last_claims(reply);
    size_t n = json_array_size(list);
    struct claim_list out = {NEW_N(a, struct claim, CLAIMS_MAX), 0, list != NULL};

    for (size_t i = 0; i < n && out.n < CLAIMS_MAX; i++) {
        const json_t *j = json_array_get(list, i);
        struct claim c = {
            .turn = {json_int_at(j, "turn", 0), json_int_at(j, "other_turn", 0)},
            .text = {arena_str(a, str_trim(json_str_at(j, "text", STR("")))),
                     arena_str(a, str_trim(json_str_at(j, "other", STR(""))))},
        };
        if (is_spare(&out, &c))
            continue;
        c.true_words = was_said(a, s, transcript, c.turn[0], c.text[0]) &&
                       was_said(a, s, transcript, c.turn[1], c.text[1]);
        out.v[out.n++] = c;
    }
    return out;
}

size_t claim_count(const struct claim_list *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        n += l->v[i].true_words;
    return n;
}
