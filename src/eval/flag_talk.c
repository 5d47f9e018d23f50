/* Facts about conversations: a user who was no user, a character who knows what it cannot know.
 * They are read off the transcript, as any answer is looked at. */
#include "eval/flag_find.h"
#include "reply/about.h"
#include "suite/slip.h"
#include "text/assistant.h"

/* turn NULL: it is about the whole. */
static struct flag_found *add(struct flag_search *s, const struct flag_answer *now,
                              enum rule_kind kind, const struct flag_evidence *about,
                              const struct transcript_turn *turn)
{
    struct flag_evidence v = *about;

    v.this = turn ? turn->text : STR("");
    if (turn)
        v.where =
            arena_printf(s->scratch, "[%lld] %.*s", (long long)turn->number, STR_ARG(turn->who));
    return flag_add(&s->found, s->keep, now->row->id, kind, &v);
}

/* ---- users ---- */

/* What the end of a dialogue says of its user; NULL: nothing. */
static const char *user_end(const char *finish)
{
    static const char *const ends[][2] = {
        {"user-both", "both"}, {"user-repeats", "repeats"}, {"user-silent", "silent"}};

    for (size_t i = 0; finish && i < COUNT(ends); i++)
        if (strcmp(finish, ends[i][0]) == 0)
            return ends[i][1];
    return NULL;
}

/* About the user's own last line, or what should have come after the last turn. */
static void add_end(struct flag_search *s, const struct flag_answer *now, const char *why,
                    const struct transcript *said)
{
    const struct transcript_turn *last = said->n ? &said->v[said->n - 1] : NULL;
    struct flag_evidence v = {.why = why};
    bool own = strcmp(why, "repeats") == 0;
    struct flag_found *formerly = NULL;

    (void)flag_add(&formerly, s->keep, now->row->id, RULE_USER, &v);
    if (last && !own)
        v.where = arena_printf(s->scratch, "[%lld]", (long long)last->number);
    add(s, now, RULE_USER, &v, own ? last : NULL)->formerly = formerly->evidence;
}

/* A line that gives the player away: as a program, or as somebody who serves. */
static const char *betrays(struct flag_search *s, const struct assistant *served, struct str text,
                           struct str *words)
{
    struct runes folded = fold_text(s->scratch, text);
    struct identity_text t = {.text = text, .folded = folded};
    struct identity_fault f = identity_find(s->identity, &t);

    *words = f.part;
    if (f.why)
        return "program";
    *words = assistant_serves(served, text, folded);
    return words->n ? "serves" : NULL;
}

/* What judges found; every thing that a user keeps to is asked by itself. */
static void judged_user(struct flag_search *s, const struct flag_answer *now,
                        const struct transcript *said)
{
    const struct instrument *in = about_instrument(s->scratch, s->suite, "user", now->row->answer);

    for (size_t i = 0; i < in->ndimensions; i++) {
        const char *id = in->dimensions[i].id;
        struct flag_ruling r = flag_ruling(s, now->row->id, RULE_USER, id, 0);
        if (2 * r.ayes <= r.n)
            continue;
        r.word = "found";
        (void)add(s, now, RULE_USER,
                  &(struct flag_evidence){.why = id, .shared.this = r.quote.text, .ruling = &r},
                  transcript_find(said, r.quote.turn));
        return;
    }
}

void flag_user(struct flag_search *s, const struct flag_answer *now)
{
    const struct dialogue *d = &s->suite->elicit.dialogue;
    struct str name = vocab_other(s->suite, &s->item.item), words = STR("");
    const char *why = user_end(now->row->finish);
    const struct assistant *served;
    struct transcript said;

    if (s->suite->elicit.kind != ELICIT_DIALOGUE || d->cast.nmembers || d->by != USER_MODEL)
        return;
    said = transcript_parse(s->scratch, now->row->answer);
    if (why) {
        add_end(s, now, why, &said);
        return;
    }
    served = assistant_new(s->scratch);
    for (size_t i = 0; i < said.n; i++)
        if (str_eq(said.v[i].who, name) && (why = betrays(s, served, said.v[i].text, &words))) {
            (void)add(s, now, RULE_USER, &(struct flag_evidence){.why = why, .shared.this = words},
                      &said.v[i]);
            return;
        }
    judged_user(s, now, &said);
}

/* ---- what characters know ---- */

/* Where judges are asked, what they confirm goes before what is open, and that before what they
 * say is none. */
static int standing(const struct flag_ruling *r)
{
    return 2 * r->ayes > r->n ? 2 : 2 * r->ayes == r->n;
}

void flag_knowledge(struct flag_search *s, const struct flag_answer *now)
{
    bool asked = s->suite->rules.of[RULE_KNOWLEDGE].judge != NULL;
    struct slip_list slips = slip_find(s->scratch, s->suite, now->row->answer);
    struct flag_ruling best = {0};
    const struct slip *one = NULL;

    for (size_t i = 0; i < slips.n; i++) {
        struct flag_ruling r = flag_ruling(s, now->row->id, RULE_KNOWLEDGE, slips.v[i].fact->id, 1);
        if (!one || standing(&r) > standing(&best)) {
            one = &slips.v[i];
            best = r;
        }
    }
    if (one)
        (void)add(s, now, RULE_KNOWLEDGE,
                  &(struct flag_evidence){.why = one->fact->id,
                                          .shared.this = one->words,
                                          .ruling = asked ? &best : NULL},
                  &one->turn);
}
