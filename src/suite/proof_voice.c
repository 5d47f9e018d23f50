#include "base/asset.h"
#include "base/message.h"
#include "suite/bank.h"
#include "suite/proof_parts.h"
#include "text/pattern.h"

enum { TALK_MAX = 1 << 20 };

/* What one person says to another. */
struct voice {
    const struct proof_suite *suite;
    const char *id;  /* of the item, the user or the interviewed character */
    struct str card; /* of the speaker */
    struct str text;
};

static bool finds(struct proof *p, struct str pattern, struct str text, struct str *match)
{
    bool found = false;

    return !pattern_search(p->a, (struct pattern){pattern, PATTERN_ANY_CASE | PATTERN_LINES}, text,
                           &found, match) &&
           found;
}

/* Lines of share/tone: a pattern, a tab, what is wrong with it. */
static void check_tone(struct proof *p, const struct voice *v)
{
    const char *language = v->suite->suite->language;
    const struct asset *asset = asset_find(arena_printf(p->a, "share/tone/%.2s.txt", language));
    struct str rest = asset ? asset->bytes : STR(""), line, pattern, why, match;

    while (str_line(&rest, &line))
        if (!str_starts(line, STR("#")) && str_cut(line, '\t', &pattern, &why) &&
            finds(p, pattern, v->text, &match))
            proof_about(p, v->suite, v->id, N_("%.*s: %.*s"), STR_ARG(why),
                        STR_ARG(utf8_head(match, 40)));
}

/* ---- register ---- */

/* The text without quotations. */
static struct str own_words(struct arena *a, struct str text)
{
    static const char *const marks[][2] = {{"「", "」"}, {"『", "』"}, {"“", "”"}, {"\"", "\""}};
    AUTO(buf_done) struct buf b = BUF_MAX(TALK_MAX);

    while (text.n) {
        size_t skip = 0;
        for (size_t i = 0; i < COUNT(marks) && !skip; i++)
            if (str_starts(text, str_of(marks[i][0]))) {
                size_t open = strlen(marks[i][0]);
                size_t end = str_find(str_from(text, open), str_of(marks[i][1]));
                skip = end == SIZE_MAX ? 0 : open + end + strlen(marks[i][1]);
            }
        if (!skip)
            buf_char(&b, text.p[0]);
        text = str_from(text, skip ? skip : 1);
    }
    return arena_str(a, buf_str(&b));
}

/* Lines of share/tone/register.txt. */
static void check_register(struct proof *p, const struct voice *v)
{
    struct str rest = asset_find("share/tone/register.txt")->bytes, line;
    struct str words = own_words(p->a, v->text);

    while (str_line(&rest, &line)) {
        struct str language, card, one, other, found[2] = {STR(""), STR("")};
        if (str_starts(line, STR("#")) || !str_cut(line, '\t', &language, &line) ||
            !str_cut(line, '\t', &card, &line) || !str_cut(line, '\t', &one, &other) ||
            !str_starts(str_of(v->suite->suite->language), language))
            continue;
        if ((str_is(card, "-") || finds(p, card, v->card, &found[0])) &&
            (str_is(one, "-") || finds(p, one, words, &found[0])) &&
            finds(p, other, words, &found[1]))
            proof_about(p, v->suite, v->id, N_("one speaker mixes two registers: %.*s and %.*s"),
                        STR_ARG(utf8_head(found[0], 40)), STR_ARG(utf8_head(found[1], 40)));
    }
}

/* ---- speakers ---- */

static void say(struct buf *b, struct str text)
{
    buf_add(b, text);
    buf_char(b, '\n');
}

static void check_voice(struct proof *p, struct voice v, const struct buf *said)
{
    v.text = buf_str(said);
    check_tone(p, &v);
    check_register(p, &v);
}

static void check_user(struct proof *p, const struct proof_suite *s, const struct user *u)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TALK_MAX);

    for (size_t i = 0; i < u->nlines; i++)
        say(&b, u->lines[i]);
    for (size_t i = 0; i < u->nbrings; i++)
        say(&b, u->brings[i].say);
    for (size_t i = 0; i < u->nfacts; i++) {
        say(&b, u->facts[i].tell);
        say(&b, u->facts[i].ask);
    }
    say(&b, u->leaves.words);
    check_voice(p, (struct voice){.suite = s, .id = u->id, .card = u->who}, &b);
}

/* The interviewer's questions to one character. */
static void check_interviewer(struct proof *p, const struct proof_suite *s,
                              const struct bank_character *c)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TALK_MAX);

    say(&b, c->opening.text);
    for (int k = 0; k < QUESTION_KINDS; k++)
        for (size_t i = 0; i < c->questions.of[k].n; i++)
            say(&b, c->questions.of[k].v[i].text);
    for (size_t i = 0; i < c->questions.ntasks; i++)
        for (size_t k = 0; k < c->questions.tasks[i].follow_ups.n; k++)
            say(&b, c->questions.tasks[i].follow_ups.v[k].text);
    for (size_t i = 0; i < c->nfacts; i++) {
        say(&b, c->facts[i].ask.text);
        say(&b, c->facts[i].again.text);
    }
    check_voice(p, (struct voice){.suite = s, .id = c->id, .card = STR("")}, &b);
}

static bool has_skill(const struct item *item, const char *skill)
{
    for (size_t i = 0; i < item->card.nskills; i++)
        if (str_is(item->card.skills[i], skill))
            return true;
    return false;
}

static void check_item(struct proof *p, const struct proof_suite *s, const struct item *item)
{
    struct voice v = {.suite = s, .id = item->id, .text = item->prompt};

    check_tone(p, &v);
    v.text = item->reference;
    v.card = vocab_character(s->suite, item)->text;
    check_tone(p, &v);
    if (!has_skill(item, "register"))
        check_register(p, &v);
}

void proof_voice(struct proof *p)
{
    for (size_t i = 0; i < p->nsuites; i++) {
        const struct proof_suite *s = &p->suites[i];
        for (size_t k = 0; k < s->nitems; k++)
            check_item(p, s, &s->items[k]);
        for (size_t k = 0; s->suite && k < s->suite->elicit.dialogue.nusers; k++)
            check_user(p, s, &s->suite->elicit.dialogue.users[k]);
        for (size_t k = 0; s->bank && k < s->bank->n; k++)
            check_interviewer(p, s, &s->bank->v[k]);
    }
}
