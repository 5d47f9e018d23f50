/* Facts that an answer shows by itself, or beside its item. */
#include "eval/flag_find.h"
#include "text/circle.h"
#include "text/language.h"
#include "text/plain.h"

/* The words that triggered it, and why. */
static struct flag_found *add(struct flag_search *s, const struct flag_answer *now,
                              enum rule_kind kind, const char *why, struct str part)
{
    struct flag_evidence v = {.this = now->row->answer, .shared = {.this = part}, .why = why};

    return flag_add(&s->found, s->keep, now->row->id, kind, &v);
}

enum { RIGHT_CJK = 6, RIGHT_OTHER = 12 }; /* runes: shorter references are simply right */

/* The reference is the one right answer, which everybody who is right gives. */
static bool is_right_answer(struct runes reference)
{
    return reference.n < (similar_is_cjk(reference) ? RIGHT_CJK : RIGHT_OTHER);
}

/* The reference itself, but for particles: the test set may have been learnt. */
void flag_leak(struct flag_search *s, const struct flag_answer *now)
{
    struct folded reference = s->item.reference;
    struct flag_evidence v = {.this = now->row->answer, .other = s->item.item.reference};
    struct flag_texts both = {{v.this, v.other}, {now->folded, reference.text}};
    struct similar sim;

    if (reference.text.n == 0 ||
        !fold_equal(fold_particles(s->scratch, now->row->answer), reference.bare))
        return;
    sim = similar_compare(s->scratch, now->folded, reference.text);
    v.similar = &sim;
    v.why = fold_equal(now->folded, reference.text) ? "exact" : "particles";
    v.shared = flag_shared(s->scratch, &both);
    flag_add(&s->found, s->keep, now->row->id, RULE_LEAK, &v)->past =
        s->objective || is_right_answer(reference.text);
}

static void add_fault(struct flag_search *s, const struct flag_answer *now, enum rule_kind kind,
                      struct plain_fault f)
{
    if (f.why)
        (void)add(s, now, kind, f.why, f.part);
}

void flag_markup(struct flag_search *s, const struct flag_answer *now)
{
    add_fault(s, now, RULE_MARKUP, plain_markup(now->row->answer));
}

void flag_malformed(struct flag_search *s, const struct flag_answer *now)
{
    add_fault(s, now, RULE_MALFORMED, plain_malformed(now->row->answer));
}

/* Asked again and again, the model said nothing, or nothing that counts. Any other failure is one
 * of the asking, and says nothing about the model. */
void flag_empty(struct flag_search *s, const struct flag_answer *now)
{
    const struct sample_row *row = now->row;

    if (row->fault && strcmp(row->fault, "empty") == 0)
        (void)add(s, now, RULE_EMPTY, row->why, STR(""));
}

/* When only the first lines of a reply count, it may be cut off far behind them. */
void flag_truncated(struct flag_search *s, const struct flag_answer *now)
{
    const struct sample_row *row = now->row;
    bool part = s->suite->elicit.take != TAKE_ALL;

    if (row->finish && strcmp(row->finish, "length") == 0 && !(part && plain_ended(row->answer)))
        (void)add(s, now, RULE_TRUNCATED, "length", STR(""));
    else
        add_fault(s, now, RULE_TRUNCATED, plain_cut(row->answer));
}

static const double repeated = 0.80; /* of the answer; as for duplicates: docs/STATISTICS */

/* The answer holds little that the other text has not; *out says how much. A text that is no longer
 * than a sentence is made of its words sooner or later, and one that goes on where the other ended
 * says something. */
static bool is_made_of(struct flag_search *s, struct runes answer, struct runes other,
                       struct similar *out)
{
    size_t enough = similar_enough(similar_is_cjk(answer));

    if (answer.n < (fold_equal(answer, other) ? enough : 2 * enough) || 4 * answer.n > 5 * other.n)
        return false;
    *out = similar_compare(s->scratch, answer, other);
    return out->score >= repeated;
}

/* "<kind: topic>" is nothing that anybody says. */
static bool is_tag(struct str prompt)
{
    return str_starts(prompt, STR("<")) && str_ends(str_trim(prompt), STR(">"));
}

static bool is_same(struct flag_search *s, struct runes answer, struct runes other,
                    struct similar *out)
{
    *out = similar_compare(s->scratch, answer, other);
    return fold_equal(answer, other);
}

void flag_echo(struct flag_search *s, const struct flag_answer *now)
{
    const struct str prompt = s->item.item.prompt;
    struct flag_evidence v = {.this = now->row->answer, .why = "prompt", .other = prompt};
    struct flag_texts both = {{v.this, prompt}, {now->folded, fold_text(s->scratch, prompt)}};
    struct similar sim;

    if (vocab_is_talk(s->suite))
        return;
    if (is_made_of(s, now->folded, both.folded[1], &sim) ||
        (is_tag(prompt) && is_same(s, now->folded, both.folded[1], &sim))) {
        v.shared = flag_shared(s->scratch, &both);
    } else if (is_made_of(s, now->folded, *s->item.card, &sim)) {
        v.why = "card";
        v.other = (struct str){0};
    } else {
        return;
    }
    v.similar = &sim;
    (void)flag_add(&s->found, s->keep, now->row->id, RULE_ECHO, &v);
}

/* One round of it is the evidence. */
void flag_loop(struct flag_search *s, const struct flag_answer *now)
{
    struct circle c = {0};

    if (!vocab_is_talk(s->suite))
        c = circle_find(s->scratch, now->folded);
    if (c.share > 0) {
        struct str one = fold_source(now->row->answer, now->folded, c.first, c.n);
        add(s, now, RULE_LOOP, "round", str_trim(one))->value = c.share;
    }
}

void flag_language(struct flag_search *s, const struct flag_answer *now)
{
    struct language_fault f = language_find(now->row->answer, s->suite->language);

    if (f.why)
        add(s, now, RULE_LANGUAGE, f.why, f.part)->value = f.share;
}

/* What was said to the character: a name that stands there is no leak. */
static struct runes said(struct flag_search *s)
{
    AUTO(buf_done)
    struct buf b = BUF_MAX(SIZE_MAX / 2); /* as large as its parts, which are bounded */
    const struct item *item = &s->item.item;

    buf_add(&b, item->prompt);
    for (size_t i = 0; i < item->nturns; i++) {
        buf_char(&b, '\n');
        buf_add(&b, item->turns[i].text);
    }
    for (size_t i = 0; i < item->nvars; i++) {
        buf_char(&b, '\n');
        buf_add(&b, item->vars[i].value);
    }
    return fold_text(s->scratch, arena_str(s->scratch, buf_str(&b)));
}

void flag_identity(struct flag_search *s, const struct flag_answer *now)
{
    struct identity_text t = {
        .text = now->row->answer, .folded = now->folded, .card = *s->item.card};
    struct identity_fault f = identity_find(s->identity, &t);

    if (!f.why)
        return;
    t.said = said(s); /* folded only now, because hardly any answer comes so far */
    f = identity_find(s->identity, &t);
    if (f.why)
        (void)add(s, now, RULE_IDENTITY, f.why, f.part);
}
