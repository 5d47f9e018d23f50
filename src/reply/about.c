#include "reply/about.h"

#include "base/words.h"
#include "suite/slip.h"

enum { DESCRIPTION_MAX = 1 << 16 };

const enum rule_kind about_kinds[ABOUT_KINDS] = {RULE_USER, RULE_KNOWLEDGE};

/* What a user keeps to; the flag says which of them was not kept. */
static const char *const user_marks[] = {"user", "motive", "steering", "flattery", "program"};

const char *about_is(struct str shown)
{
    for (size_t i = 0; i < ABOUT_KINDS; i++)
        if (str_is(shown, suite_rule_name(about_kinds[i])))
            return suite_rule_name(about_kinds[i]);
    return "";
}

const struct rule *about_rule(const struct suite *s, const char *shown)
{
    enum rule_kind kind;

    return *about_is(str_of(shown)) && suite_rule_find(shown, &kind) ? &s->rules.of[kind] : NULL;
}

static struct dimension yes_or_no(const char *id, struct level levels[2])
{
    levels[1].value = 1;
    return (struct dimension){.id = id,
                              .title = str_of(id),
                              .weight = 1,
                              .max = 1,
                              .whole = true,
                              .levels = levels,
                              .nlevels = 2};
}

/* ---- leaks ---- */

static void add_line(struct buf *b, const struct suite *s, enum word label, struct str text)
{
    buf_fmt(b, "%s%s %.*s", b->n ? "\n" : "", words_of(s->language, label), STR_ARG(text));
}

static struct str known_to(struct arena *a, const struct suite *s, const struct cast_fact *f)
{
    const char *all = "";

    for (size_t i = 0; i < f->nwitnesses; i++) {
        const struct character *c = vocab_character_by(s, arena_text(a, f->witnesses[i]));
        all = arena_printf(a, "%s%s%.*s", all, *all ? ", " : "",
                           STR_ARG(c ? c->name : f->witnesses[i]));
    }
    return str_of(all);
}

static struct str missed(struct arena *a, const struct slip *slip)
{
    const char *all = "";

    for (size_t i = 0; i < slip->nmissed; i++)
        all = arena_printf(a, "%s%s%lld", all, i ? ", " : "", (long long)slip->missed[i]);
    return str_of(*all ? all : "-");
}

/* The line itself stands in the transcript, behind its fence: here only where. */
static struct str slip_text(struct arena *a, const struct suite *s, const struct slip *slip)
{
    AUTO(buf_done) struct buf b = BUF_MAX(DESCRIPTION_MAX);

    add_line(&b, s, JUDGE_SLIP_FACT, slip->fact->fact);
    add_line(&b, s, JUDGE_SLIP_KNOWN, known_to(a, s, slip->fact));
    add_line(&b, s, JUDGE_SLIP_TURN,
             str_of(arena_printf(a, "[%lld] %.*s (%.*s)", (long long)slip->turn.number,
                                 STR_ARG(slip->turn.who), STR_ARG(slip->words))));
    add_line(&b, s, JUDGE_SLIP_MISSED, missed(a, slip));
    return arena_str(a, buf_str(&b));
}

/* ---- instruments ---- */

static struct dimension user_mark(struct arena *a, const char *id)
{
    return yes_or_no(id, NEW_N(a, struct level, 2)); /* what they mean is the template's to say */
}

static struct dimension slip_mark(struct arena *a, const struct suite *s, const struct slip *slip)
{
    struct level *levels = NEW_N(a, struct level, 2);
    struct dimension d = yes_or_no(slip->fact->id, levels);

    levels[0].text = str_of(words_of(s->language, JUDGE_SLIP_NO));
    levels[1].text = str_of(words_of(s->language, JUDGE_SLIP_YES));
    d.description = slip_text(a, s, slip);
    return d;
}

const struct instrument *about_instrument(struct arena *a, const struct suite *s, const char *shown,
                                          struct str transcript)
{
    struct instrument *in = NEW(a, struct instrument);
    bool user = strcmp(shown, "user") == 0;
    struct slip_list slips = {0};
    struct dimension *d;

    if (!about_rule(s, shown))
        return &s->instrument;
    if (!user)
        slips = slip_find(a, s, transcript);
    *in = (struct instrument){.kind = INSTRUMENT_DIMENSIONS,
                              .quotes = true,
                              .quoted = user ? QUOTED_USER : QUOTED_ALL,
                              .ndimensions = user ? COUNT(user_marks) : slips.n};
    d = NEW_N(a, struct dimension, in->ndimensions);
    for (size_t i = 0; i < in->ndimensions; i++)
        d[i] = user ? user_mark(a, user_marks[i]) : slip_mark(a, s, &slips.v[i]);
    in->dimensions = d;
    return in;
}

bool about_asks(const struct suite *s, enum rule_kind kind, struct str transcript)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct dialogue *d = &s->elicit.dialogue;

    if (s->elicit.kind != ELICIT_DIALOGUE || !s->rules.of[kind].on || !s->rules.of[kind].judge)
        return false;
    if (kind == RULE_USER)
        return d->cast.nmembers == 0 && d->by == USER_MODEL;
    return slip_find(a, s, transcript).n > 0;
}
