#include "eval/judge_prompt.h"

#include <math.h>

#include "base/hash.h"
#include "base/words.h"
#include "suite/item.h"
#include "suite/role.h"
#include "talk/voice.h"

/* As large as its parts, which are bounded: a judge must not miss any of them. */
#define SECTION_MAX (SIZE_MAX / 2)

void judge_fence(const struct judge_case *c, char out[JUDGE_FENCE])
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    hash_str(&h, STR("fence"));
    hash_int(&h, (int64_t)c->suite->seed);
    hash_str(&h, c->item->prompt);
    hash_str(&h, c->answer);
    if (c->suite->instrument.kind == INSTRUMENT_PAIR)
        hash_str(&h, c->other);
    hash_hex(&h, hex);
    memcpy(out, hex, JUDGE_FENCE - 1);
    out[JUDGE_FENCE - 1] = '\0';
}

static struct str fenced(struct arena *a, const char *fence, struct str text)
{
    const struct str parts[] = {STR("<<<"), str_of(fence), STR("\n"), text,
                                STR("\n"),  str_of(fence), STR(">>>")};

    return arena_join(a, parts, COUNT(parts));
}

/* What the suite's author wrote has a fence of its own, from nothing but its text: it is the same
 * in every request of a run, so that providers can cache what begins them. */
static struct str fenced_alone(struct arena *a, struct str text)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    hash_str(&h, STR("fence"));
    hash_str(&h, text);
    hash_hex(&h, hex);
    hex[JUDGE_FENCE - 1] = '\0';
    return fenced(a, hex, text);
}

/* With a fence of its own where `fence` is NULL. */
static struct str fenced_or_none(struct arena *a, const struct judge_case *c, const char *fence,
                                 struct str text)
{
    if (text.n)
        return fence ? fenced(a, fence, text) : fenced_alone(a, text);
    return str_of(words_of(c->suite->language, TOLD_NONE));
}

static void add_number(struct buf *b, double v)
{
    buf_fmt(b, "%.15g", v);
}

/* "0, 0.25, 0.5" or "0..10". */
static const char *allowed(struct arena *a, const struct dimension *d)
{
    const char *all = "";

    if (d->nlevels == 0)
        return arena_printf(a, "%.15g..%.15g", d->min, d->max);
    for (size_t i = 0; i < d->nlevels; i++)
        all = arena_printf(a, "%s%s%.15g", all, i ? ", " : "", d->levels[i].value);
    return all;
}

static struct str finish(struct arena *a, struct buf *b)
{
    struct str s = arena_str(a, buf_str(b));

    buf_done(b);
    return s;
}

/* Each dimension with its levels, best first. */
static struct str dimensions_text(struct arena *a, const struct suite *s,
                                  const struct instrument *in)
{
    struct buf b = BUF_MAX(SECTION_MAX);

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        buf_fmt(&b, "%s%s", i ? "\n" : "", d->id);
        if (!str_is(d->title, d->id))
            buf_fmt(&b, " (%.*s)", STR_ARG(d->title));
        buf_text(&b, words_with(a, s->language, TOLD_ALLOWED, allowed(a, d)));
        if (d->description.n)
            buf_fmt(&b, "\n%.*s", STR_ARG(d->description));
        for (size_t k = d->nlevels; k-- > 0;) {
            buf_text(&b, "\n- ");
            add_number(&b, d->levels[k].value);
            buf_fmt(&b, ": %.*s", STR_ARG(d->levels[k].text));
        }
        buf_char(&b, '\n');
    }
    if (in->contradictions)
        buf_fmt(&b, "\n%s\n", words_of(s->language, TOLD_CONTRADICTIONS));
    return finish(a, &b);
}

/* "1. Title: description", by falling weight, as scene templates want it. */
static struct str metric_text(struct arena *a, const struct instrument *in)
{
    struct buf b = BUF_MAX(SECTION_MAX);

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        buf_fmt(&b, "%s%zu. %.*s (%s): %.*s", i ? "\n" : "", i + 1, STR_ARG(d->title), d->id,
                STR_ARG(d->description));
    }
    return finish(a, &b);
}

static double highest(const struct instrument *in)
{
    double max = -INFINITY;

    for (size_t i = 0; i < in->ndimensions; i++)
        max = fmax(max, in->dimensions[i].max);
    return max;
}

const char *judge_format(struct arena *a, const struct instrument *in, bool whole)
{
    struct buf b = BUF_MAX(SECTION_MAX);

    if (in->kind == INSTRUMENT_PAIR)
        return arena_printf(a, "{\n  \"analysis\": \"...\",\n  \"winner\": <\"A\" | \"B\"%s>\n}",
                            in->ties ? " | \"tie\"" : "");
    buf_text(&b, "{");
    for (size_t i = 0; i < in->ndimensions; i++) {
        buf_fmt(&b, "%s\n  \"%s\": {%s\"analysis\": \"...\", %s\"score\": <", i ? "," : "",
                in->dimensions[i].id,
                in->quotes ? "\"quotes\": [{\"turn\": <number>, \"text\": \"...\"}], " : "",
                in->quotes && in->quoted == QUOTED_MODEL ? "\"advice\": \"...\", " : "");
        buf_text(&b, allowed(a, &in->dimensions[i]));
        buf_text(&b, ">}");
    }
    if (in->contradictions)
        buf_text(&b, ",\n  \"contradictions\": [{\"turn\": <number>, \"text\": \"...\", "
                     "\"other_turn\": <number>, \"other\": \"...\"}]");
    if (whole)
        buf_fmt(&b, ",\n  \"reason\": \"...\",\n  \"overall\": <0..%.15g>", highest(in));
    buf_text(&b, "\n}");
    return finish(a, &b).p;
}

/* "1. fits the character" */
static struct str criteria_text(struct arena *a, const struct instrument *in)
{
    struct buf b = BUF_MAX(SECTION_MAX);

    for (size_t i = 0; i < in->ncriteria; i++)
        buf_fmt(&b, "%s%zu. %.*s", i ? "\n" : "", i + 1, STR_ARG(in->criteria[i]));
    return finish(a, &b);
}

/* What a model said, after `lead`, at most as long as the suite allows: the middle of more is left
 * out, since a role is taken up at the beginning and held, or not, at the end. That this was done
 * stands outside the fence, where no answer can say so. */
static struct str said(struct arena *a, const struct judge_case *c, const char *fence,
                       struct str lead, struct str text)
{
    const struct suite *s = c->suite;
    size_t limit = s->judge_answer_limit, last = limit / 2, left, out;
    bool fits = !limit || text.n <= limit; /* it has no more characters than bytes */
    struct str head = fits ? text : utf8_head(text, limit - last);
    struct str tail = str_from(text, head.n);

    left = utf8_count(tail);
    if (left <= last)
        return fenced(a, fence, arena_join(a, (const struct str[]){lead, text}, 2));
    out = left - last;
    tail = str_from(tail, utf8_head(tail, out).n);
    head = arena_join(a, (const struct str[]){lead, head}, 2);
    return str_of(
        arena_printf(a, "%.*s\n%s\n%.*s", STR_ARG(fenced(a, fence, head)),
                     words_with(a, s->language, TOLD_LEFT_OUT, arena_int(a, (int64_t)out)),
                     STR_ARG(fenced(a, fence, tail))));
}

/* The question as the model met it: the dialogue so far, then the prompt. */
static struct str question(struct arena *a, const struct judge_case *c)
{
    const struct item *item = c->item;
    struct buf b = BUF_MAX(SECTION_MAX);

    for (size_t i = 0; i < item->nturns; i++)
        buf_fmt(&b, "%s: %.*s\n", item->turns[i].role, STR_ARG(item->turns[i].text));
    buf_add(&b, item->prompt);
    if (c->before.n)
        buf_text(&b, "\n\n");
    return finish(a, &b);
}

static void add_example(struct arena *a, const struct suite *s, const struct example *one,
                        struct buf *b)
{
    const struct instrument *in = &s->instrument;

    buf_fmt(b, "%s\n%.*s\n", words_of(s->language, TOLD_PROMPT),
            STR_ARG(fenced_alone(a, one->prompt)));
    if (one->reference.n)
        buf_fmt(b, "%s\n%.*s\n", words_of(s->language, TOLD_REFERENCE),
                STR_ARG(fenced_alone(a, one->reference)));
    buf_fmt(b, "%s\n%.*s", words_of(s->language, TOLD_ANSWER),
            STR_ARG(fenced_alone(a, one->answer)));
    for (size_t i = 0; i < in->ndimensions; i++) {
        buf_fmt(b, "\n%s%s", in->dimensions[i].id, vocab_in(s->language, ": ", "：", "："));
        add_number(b, one->scores[i]);
    }
    if (one->reason.n)
        buf_fmt(b, "\n%s", words_with(a, s->language, TOLD_REASON, arena_text(a, one->reason)));
}

/* The suite's worked examples, where judges are to see them. */
static struct str examples_text(struct arena *a, const struct suite *s)
{
    struct buf b = BUF_MAX(SECTION_MAX);

    if (!s->judge_examples)
        return STR("");
    buf_text(&b, words_of(s->language, TOLD_EXAMPLES));
    for (size_t i = 0; i < s->nexamples; i++) {
        buf_fmt(&b, "\n\n%s %zu\n", words_of(s->language, TOLD_EXAMPLE), i + 1);
        add_example(a, s, &s->examples[i], &b);
    }
    return finish(a, &b);
}

/* The reference, and what a good answer keeps. */
static struct str reference(struct arena *a, const struct judge_case *c)
{
    const struct item *item = c->item;

    if (item->keeps.n == 0)
        return item->reference;
    return str_of(arena_printf(a, "%.*s%s%s %.*s", STR_ARG(item->reference),
                               item->reference.n ? "\n\n" : "",
                               words_of(c->suite->language, JUDGE_KEEPS), STR_ARG(item->keeps)));
}

/* Who plays the other side of a dialogue, and what they want. */
static struct str user_text(struct arena *a, const struct judge_case *c)
{
    const struct user *u = vocab_user(c->suite, c->item);

    if (!u)
        return STR("");
    return str_of(arena_printf(a, "%.*s\n%.*s\n%.*s\n%.*s", STR_ARG(u->name), STR_ARG(u->who),
                               STR_ARG(u->wants), STR_ARG(voice_style(a, u, c->suite->language))));
}

struct prompt_vars judge_vars(struct arena *a, const struct judge_case *c)
{
    const struct instrument *in = c->instrument ? c->instrument : &c->suite->instrument;
    const struct suite *s = c->suite;
    const struct character *who = vocab_character(s, c->item);
    struct str played =
        s->elicit.dialogue.cast.nmembers ? role_cast(a, s, c->item) : role_text(a, who, c->item);
    char *fence = arena_alloc(a, JUDGE_FENCE);

    judge_fence(c, fence);
    const struct str asked = said(a, c, fence, question(a, c), c->before);
    const struct str answer = said(a, c, fence, STR(""), c->answer);
    const struct prompt_var v[] = {
        {"evaluation_scene", in->scene},
        {"scene_desc", in->scene_description},
        {"evaluation_metric", metric_text(a, in)},
        {"max_score", str_of(arena_printf(a, "%.15g", highest(in)))},
        {"score_details", in->score_details},
        {"steps", in->steps},
        {"dimensions", dimensions_text(a, s, in)},
        {"format", str_of(judge_format(a, in, false))},
        {"format_whole", str_of(judge_format(a, in, true))},
        {"criteria", criteria_text(a, in)},
        {"title", s->title},
        {"language", str_of(s->language)},
        {"character_name", who->name},
        {"fence", {fence, JUDGE_FENCE - 1}},
        {"examples", examples_text(a, s)},
        {"character", fenced_or_none(a, c, NULL, played)},
        {"question", asked},
        {"context", asked},
        {"ref_answer", fenced_or_none(a, c, fence, reference(a, c))},
        {"answer", answer},
        {"answer_a", answer},
        {"answer_b", said(a, c, fence, STR(""), c->other)},
        {"probes", fenced_or_none(a, c, fence, c->probes)},
        {"user", fenced_or_none(a, c, NULL, user_text(a, c))},
    };
    return (struct prompt_vars){arena_copy(a, v, COUNT(v), sizeof *v), COUNT(v)};
}
