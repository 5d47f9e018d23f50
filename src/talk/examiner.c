#include "talk/examiner.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/words.h"
#include "reply/reply_json.h"

enum {
    REPLY_MAX = 64 << 10,
    QUOTE_LEAST = 2, /* code points: a single letter is found anywhere */
    QUOTE_MOST = 400,
    QUESTION_MOST = 600,
    FENCE_DIGITS = 16,
};

/* ---- what it is told ---- */

/* Part 2 as it went. */
static struct str dialogue(struct arena *a, const struct examiner_case *c)
{
    const struct sitting_names names = {c->suite->elicit.interview.template.examiner,
                                        paper_address(c->paper, c->who->name)};
    struct turn_list part = {NEW_N(a, struct turn, c->turns->n), 0};

    for (size_t i = 0; i < c->turns->n; i++)
        if (c->turns->v[i].part == 2 && strcmp(c->turns->v[i].kind, TURN_INSTRUCTION) != 0)
            part.v[part.n++] = c->turns->v[i];
    return sitting_transcript(a, &names, &part);
}

/* A word that the dialogue cannot hold, because it is a hash of it; see judge_prompt.h. */
static const char *fence(struct arena *a, uint64_t seed, struct str text)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    hash_str(&h, STR("examiner"));
    hash_int(&h, (int64_t)seed);
    hash_str(&h, text);
    hash_hex(&h, hex);
    return arena_text(a, (struct str){hex, FENCE_DIGITS});
}

struct prompt_vars examiner_vars(struct arena *a, const struct examiner_case *c)
{
    /* An examiner knows nobody by a name that was not given. */
    struct str said = dialogue(a, c), address = paper_address(c->paper, c->who->name);
    const char *word = fence(a, c->suite->seed, said), *points = "";

    for (size_t i = 0; i < TASK_POINTS; i++)
        points = arena_printf(a, "%s%s- %.*s", points, i ? "\n" : "", STR_ARG(c->paper->points[i]));
    const struct prompt_var vars[] = {
        {"fence", str_of(word)},
        {"character_name", address},
        {"address", address},
        {"surroundings", c->paper->surroundings},
        {"theme", c->paper->theme},
        {"points", str_of(points)},
        {"dialogue", str_of(arena_printf(a, "<<<%s\n%.*s\n%s>>>", word, STR_ARG(said), word))},
        {"language", str_of(c->suite->language)},
    };
    return (struct prompt_vars){arena_copy(a, vars, COUNT(vars), sizeof vars[0]), COUNT(vars)};
}

/* ---- what it says ---- */

/* The last whole object of the reply. */
static json_t *last_object(struct str reply)
{
    AUTO(buf_done) struct buf strict = BUF_MAX(4 * (size_t)REPLY_MAX);
    struct reply_object o, last = {0};
    struct err ignored = {0};
    json_t *j = NULL;
    bool found = false;

    for (size_t at = 0; reply_json_next(reply, &at, &o);)
        if (o.state == OBJECT_WHOLE) {
            last = o;
            found = true;
        }
    if (!found)
        return NULL;
    reply_json_write(reply, &last, &strict);
    if (strict.full || json_read(buf_str(&strict), &j, &ignored) != OK)
        return NULL;
    return j;
}

/* Letter by letter, in something that the model said in part 2. */
static bool was_said(const struct turn_list *turns, struct str quote)
{
    for (size_t i = 0; i < turns->n; i++)
        if (turns->v[i].part == 2 && turns->v[i].speaker == SPEAKER_MODEL &&
            str_find(turns->v[i].text, quote) != SIZE_MAX)
            return true;
    return false;
}

static bool was_asked(const struct turn_list *turns, struct str question)
{
    for (size_t i = 0; i < turns->n; i++)
        if (turns->v[i].speaker == SPEAKER_EXAMINER && str_eq(turns->v[i].text, question))
            return true;
    return false;
}

static const char *check_quote(struct arena *a, const struct examiner_case *c, struct str quote)
{
    if (quote.n == 0)
        return words_of(c->suite->language, TOLD_NO_QUOTE);
    if (utf8_count(quote) < QUOTE_LEAST)
        return words_of(c->suite->language, TOLD_QUOTE_SHORT);
    if (utf8_count(quote) > QUOTE_MOST)
        return words_of(c->suite->language, TOLD_QUOTE_LONG);
    if (was_said(c->turns, quote))
        return NULL;
    return words_with(a, c->suite->language, TOLD_MISQUOTED, arena_text(a, utf8_head(quote, 40)));
}

static const char *check_question(const struct examiner_case *c, struct str question)
{
    if (question.n == 0)
        return words_of(c->suite->language, TOLD_NO_QUESTION);
    if (utf8_count(question) > QUESTION_MOST)
        return words_of(c->suite->language, TOLD_QUESTION_LONG);
    if (was_asked(c->turns, question))
        return words_of(c->suite->language, TOLD_ASKED_BEFORE);
    return NULL;
}

const char *examiner_read(struct arena *a, const struct examiner_case *c, struct str reply,
                          struct examiner_follow_up *out)
{
    AUTO(json_freep) json_t *j = reply.n <= REPLY_MAX ? last_object(reply) : NULL;
    struct examiner_follow_up f;
    const char *fault;

    if (!j)
        return words_of(c->suite->language, TOLD_NO_JSON);
    f.quote = arena_str(a, str_trim(json_str_at(j, "quote", STR(""))));
    f.question = arena_str(a, str_trim(json_str_at(j, "question", STR(""))));
    fault = check_quote(a, c, f.quote);
    if (!fault)
        fault = check_question(c, f.question);
    if (!fault)
        *out = f;
    return fault;
}
