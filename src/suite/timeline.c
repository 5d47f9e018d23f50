#include "suite/timeline.h"

#include "suite/sitting.h"
#include "text/assistant.h"
#include "text/identity.h"
#include "text/language.h"
#include "text/plain.h"
#include "text/word.h"

enum {
    WORDS_MOST = 80, /* code points kept of a sign's words */
    SAID_MAX = 1 << 20,
};

struct timeline {
    const struct identity *identity;
    const struct assistant *assistant;
};

const char *timeline_sign_name(enum sign_kind k)
{
    static const char *const names[SIGN_KINDS] = {
        [SIGN_IDENTITY] = "identity",
        [SIGN_ASSISTANT] = "assistant",
        [SIGN_REFUSAL] = "refusal",
        [SIGN_LANGUAGE] = "language",
        [SIGN_CUT] = "cut",
        [SIGN_BOTH] = "both-speakers",
        [SIGN_ANACHRONISM] = "anachronism",
    };

    return names[k];
}

struct timeline *timeline_new(struct arena *a)
{
    struct timeline *t = NEW(a, struct timeline);

    t->identity = identity_new(a, &(struct identity_words){0});
    t->assistant = assistant_new(a);
    return t;
}

struct timeline_case timeline_case_of(struct arena *a, const struct suite *s,
                                      const struct item *item, const struct paper *paper)
{
    struct timeline_case c = {paper, vocab_character(s, item)->text, s->language,
                              vocab_user(s, item)->name};

    for (size_t i = 0; i < s->ncharacters && s->elicit.dialogue.cast.nmembers; i++)
        c.card =
            str_of(arena_printf(a, "%.*s\n%.*s", STR_ARG(c.card), STR_ARG(s->characters[i].text)));
    return c;
}

/* ---- one answer ---- */

struct search {
    struct arena *a;
    const struct timeline *t;
    const struct timeline_case *c;
    const struct turn *now;
    struct runes folded, card;        /* of the answer; of the card */
    const struct runes *anachronisms; /* folded */
    const struct buf *said;           /* the examiner's turns so far */
    struct sign_list out;
    size_t cap;
};

static void add(struct search *s, enum sign_kind kind, struct str words)
{
    s->out.v = arena_grow(s->a, s->out.v, &s->cap, s->out.n + 1, sizeof *s->out.v);
    s->out.v[s->out.n++] =
        (struct sign){s->now->position, kind, arena_str(s->a, utf8_head(words, WORDS_MOST))};
}

static void add_if(struct search *s, enum sign_kind kind, struct str words)
{
    if (words.n)
        add(s, kind, words);
}

/* A character that is an AI may say so. */
static void look_identity(struct search *s)
{
    struct identity_text t = {s->now->text, s->folded, s->card, {0}};
    struct identity_fault f;

    if (s->c->paper->ai || !identity_find(s->t->identity, &t).why)
        return;
    /* Folding the examiner's turns is deferred to here, which few answers reach. */
    t.said = fold_text(s->a, buf_str(s->said));
    f = identity_find(s->t->identity, &t);
    if (f.why)
        add(s, SIGN_IDENTITY, f.part);
}

static void look_language(struct search *s)
{
    struct language_fault f = language_find(s->now->text, s->c->language);

    if (f.why)
        add(s, SIGN_LANGUAGE, f.part);
}

/* The end of an answer. */
static struct str tail(struct str text)
{
    size_t n = utf8_count(text);
    struct str head = utf8_head(text, n > WORDS_MOST ? n - WORDS_MOST : 0);

    return str_trim(str_from(text, head.n));
}

static void look_cut(struct search *s)
{
    if (strcmp(s->now->finish, "length") == 0 || plain_cut(s->now->text).why)
        add(s, SIGN_CUT, tail(s->now->text));
}

static void look_anachronism(struct search *s)
{
    for (size_t i = 0; i < s->c->paper->nanachronisms; i++)
        add_if(s, SIGN_ANACHRONISM, word_find(s->now->text, s->folded, s->anachronisms[i]));
}

/* The first line that speaks for somebody else. */
static struct str other_voice(const struct search *s, struct str text)
{
    struct str rest = text, line, ignored;

    while (s->c->other.n && str_line(&rest, &line))
        if (sitting_speaks_as(line, s->c->other, &ignored))
            return str_trim(line);
    return sitting_other_voice(text);
}

static void look(struct search *s)
{
    struct str text = s->now->text;

    s->folded = fold_text(s->a, text);
    look_identity(s);
    add_if(s, SIGN_ASSISTANT, assistant_serves(s->t->assistant, text, s->folded));
    add_if(s, SIGN_REFUSAL, assistant_refuses(s->t->assistant, text, s->folded));
    look_language(s);
    look_cut(s);
    add_if(s, SIGN_BOTH, other_voice(s, text));
    look_anachronism(s);
}

/* ---- all answers ---- */

/* True for answers, false for greetings and summaries. */
static bool counts(const struct turn *t)
{
    return t->speaker == SPEAKER_MODEL && strcmp(t->kind, TURN_ANSWER) == 0;
}

struct sign_list timeline_find(struct arena *a, const struct timeline *t,
                               const struct timeline_case *c, const struct turn_list *turns)
{
    AUTO(buf_done) struct buf said = BUF_MAX(SAID_MAX);
    const struct paper *p = c->paper;
    struct runes *words = NEW_N(a, struct runes, p->nanachronisms);
    struct search s = {.a = a,
                       .t = t,
                       .c = c,
                       .card = fold_text(a, c->card),
                       .anachronisms = words,
                       .said = &said};

    for (size_t i = 0; i < p->nanachronisms; i++)
        words[i] = fold_text(a, p->anachronisms[i]);
    for (size_t i = 0; i < turns->n; i++) {
        s.now = &turns->v[i];
        if (counts(s.now)) {
            look(&s);
        } else if (s.now->speaker != SPEAKER_MODEL) {
            buf_char(&said, '\n');
            buf_add(&said, s.now->text);
        }
    }
    return s.out;
}

struct timeline_span timeline_span(const struct turn_list *turns, const struct sign_list *signs)
{
    int64_t first = signs->n ? signs->v[0].turn : INT64_MAX;
    struct timeline_span span = {0};

    for (size_t i = 0; i < turns->n; i++) {
        if (!counts(&turns->v[i]))
            continue;
        span.answers++;
        span.unbroken += turns->v[i].position < first;
    }
    return span;
}
