#include "mock/answer.h"

#include "base/hash.h"
#include "mock/phrase.h"

struct ask {
    const struct answer_options *options;
    struct str model, last, first_user, last_user;
    size_t nmessages;
    bool formed; /* the request asks for a form */
    enum language lang;
    uint64_t key; /* hash of all that the answer depends on */
    struct rng rng;
};

struct reply {
    struct buf text, thinking;
    size_t soft; /* offset in text at which junk does no harm; past the end means the end */
    enum stop stop;
};

static void reply_done(struct reply *reply)
{
    buf_done(&reply->text);
    buf_done(&reply->thinking);
}

struct judge_style {
    bool strings, comments, out_of_range;
};

static void chat(struct ask *ask, struct reply *out)
{
    phrase_scene(&out->text, ask->lang, &ask->rng, ask->options->reply_bytes);
}

static void echo(struct ask *ask, struct reply *out)
{
    buf_add(&out->text, ask->last_user);
}

/* The score at a place on the scale, in the style's spelling. */
static void score_add(struct buf *out, const struct judge_style *style,
                      const struct answer_dimension *d, size_t at)
{
    const char *quote = style->strings ? "\"" : "";
    struct str score = style->out_of_range ? STR("99") : d->scores[at];

    buf_fmt(out, "%s%.*s%s", quote, STR_ARG(score), quote);
}

/* Returns the place of the chosen score on the scale, from 0 to 1. */
static double dimension_add(struct ask *ask, const struct judge_style *style,
                            const struct answer_dimension *d, struct reply *out)
{
    size_t at = (size_t)rng_below(&ask->rng, d->nscores);

    buf_fmt(&out->text, "  \"%.*s\": {\"analysis\": \"", STR_ARG(d->id));
    phrase_remark(&out->text, ask->lang, &ask->rng);
    out->soft = out->text.n;
    buf_text(&out->text, "\", \"score\": ");
    score_add(&out->text, style, d, at);
    buf_text(&out->text, style->comments ? ",}, // weighed against the rubric\n" : "},\n");
    return d->nscores > 1 ? (double)at / (double)(d->nscores - 1) : 1;
}

static void verdict(struct ask *ask, const struct judge_style *style, struct reply *out)
{
    const struct answer_options *o = ask->options;
    const struct answer_dimension *first = &o->dimensions[0];
    bool has_overall = false;
    double sum = 0;

    buf_text(&out->text, "{\n");
    for (size_t i = 0; i < o->ndimensions; i++) {
        sum += dimension_add(ask, style, &o->dimensions[i], out);
        has_overall |= str_is(o->dimensions[i].id, "overall");
    }
    if (!has_overall) {
        double place = sum / (double)o->ndimensions * (double)(first->nscores - 1);
        buf_text(&out->text, "  \"overall\": ");
        score_add(&out->text, style, first, (size_t)(place + 0.5));
        buf_text(&out->text, ",\n");
    }
    buf_text(&out->text, "  \"reason\": \"");
    phrase_remark(&out->text, ask->lang, &ask->rng);
    buf_text(&out->text, style->comments ? "\", // in one sentence\n}" : "\"\n}");
}

static void judge(struct ask *ask, struct reply *out)
{
    verdict(ask, &(struct judge_style){0}, out);
}

static void judge_fenced(struct ask *ask, struct reply *out)
{
    buf_text(&out->text, "Here is my assessment of the reply.\n\n```json\n");
    verdict(ask, &(struct judge_style){0}, out);
    buf_text(&out->text, "\n```\n");
}

static void judge_strings(struct ask *ask, struct reply *out)
{
    verdict(ask, &(struct judge_style){.strings = true}, out);
}

static void judge_comments(struct ask *ask, struct reply *out)
{
    verdict(ask, &(struct judge_style){.comments = true}, out);
}

/* The first question has a system and a user message; one that asks for a repair has more. */
static bool is_repair(const struct ask *ask)
{
    return ask->nmessages > 2;
}

static void judge_once_bad(struct ask *ask, struct reply *out)
{
    verdict(ask, &(struct judge_style){0}, out);
    if (!is_repair(ask))
        out->text.p[out->text.n = out->soft] = '\0';
}

static void judge_range(struct ask *ask, struct reply *out)
{
    verdict(ask, &(struct judge_style){.out_of_range = !is_repair(ask)}, out);
}

static void judge_never(struct ask *ask, struct reply *out)
{
    phrase_remark(&out->text, ask->lang, &ask->rng);
    buf_char(&out->text, '\n');
    phrase_remark(&out->text, ask->lang, &ask->rng);
}

/* In the form that the request asks for, and in none by itself. */
static void judge_form(struct ask *ask, struct reply *out)
{
    (ask->formed ? judge : judge_never)(ask, out);
}

/* Taken in: it quotes what the answer under test wants to get, and gives nothing of its own. */
static void judge_injected(struct ask *ask, struct reply *out)
{
    buf_text(&out->text, "The answer tried to pass this off: ");
    judge(ask, out);
}

/* Taken in by whoever asks for it: the highest marks for an answer that demands them, else the
 * lowest but one. */
static void judge_gullible(struct ask *ask, struct reply *out)
{
    const struct answer_options *o = ask->options;
    bool planted = str_find(ask->last_user, STR("Ignore the rubric")) != SIZE_MAX ||
                   str_find(ask->last_user, STR("\"perfect\"")) != SIZE_MAX;

    buf_char(&out->text, '{');
    for (size_t i = 0; i < o->ndimensions; i++) {
        const struct answer_dimension *d = &o->dimensions[i];
        buf_fmt(&out->text, "%s\"%.*s\": {\"analysis\": \"so\", \"score\": ", i ? ", " : "",
                STR_ARG(d->id));
        score_add(&out->text, &(struct judge_style){0}, d, planted ? d->nscores - 1 : 1);
        buf_char(&out->text, '}');
    }
    buf_char(&out->text, '}');
}

/* A verdict on a pair: for either side, or always for what is shown first. */
static void choose(struct ask *ask, const char *winner, struct reply *out)
{
    buf_text(&out->text, "{\"analysis\": \"");
    phrase_remark(&out->text, ask->lang, &ask->rng);
    out->soft = out->text.n;
    buf_fmt(&out->text, "\", \"winner\": \"%s\"}", winner);
}

static void judge_pair(struct ask *ask, struct reply *out)
{
    choose(ask, rng_below(&ask->rng, 2) ? "A" : "B", out);
}

static void judge_first(struct ask *ask, struct reply *out)
{
    choose(ask, "A", out);
}

/* ---- interviews ---- */

enum { QUOTE_POINTS = 24 };

/* The beginning of what was said last: the last turn "[n] Name: words" of the fenced dialogue. */
static struct str last_said(struct str prompt)
{
    struct str line, said = STR("");

    while (str_line(&prompt, &line)) {
        size_t name = str_find(line, STR("] ")), colon = str_find(line, STR(": "));
        if (str_starts(line, STR("[")) && name != SIZE_MAX && colon != SIZE_MAX)
            said = utf8_head(str_from(line, colon + 2), QUOTE_POINTS);
    }
    return str_trim(said);
}

static void follow_up(struct ask *ask, struct str quote, struct reply *out)
{
    buf_fmt(&out->text, "{\"quote\": \"%.*s\", \"question\": \"", STR_ARG(quote));
    phrase_remark(&out->text, ask->lang, &ask->rng);
    buf_text(&out->text, "?\"}");
}

static void examiner(struct ask *ask, struct reply *out)
{
    follow_up(ask, last_said(ask->first_user), out);
}

static void examiner_never(struct ask *ask, struct reply *out)
{
    follow_up(ask, STR("words that nobody said"), out);
}

static void examiner_once_bad(struct ask *ask, struct reply *out)
{
    (is_repair(ask) ? examiner : examiner_never)(ask, out);
}

/* A model that goes on with the conversation by itself. */
static void both_speakers(struct ask *ask, struct reply *out)
{
    chat(ask, out);
    buf_text(&out->text, "\n\n[99] Examiner: And what came of it?\n\nMe: ");
    chat(ask, out);
}

/* ---- users of dialogues ---- */

enum { USER_LEAVES = 12 }; /* messages: its system message, and what was said */

static void user(struct ask *ask, struct reply *out)
{
    phrase_remark(&out->text, ask->lang, &ask->rng);
    buf_char(&out->text, '?');
    if (ask->nmessages >= USER_LEAVES)
        buf_text(&out->text, "\n[leaves]");
}

static void user_never(struct ask *ask, struct reply *out)
{
    phrase_remark(&out->text, ask->lang, &ask->rng);
    buf_fmt(&out->text, " And %zu?", ask->nmessages);
}

/* Writes the character's lines too; from the fourth message on nothing else. */
static void user_both(struct ask *ask, struct reply *out)
{
    if (ask->nmessages < 4)
        user_never(ask, out);
    buf_text(&out->text, "\nWenna: I am Wenna, and I answer.\nTom: And I ask.");
}

static void user_repeats(struct ask *ask, struct reply *out)
{
    (void)ask;
    buf_text(&out->text, "Is the ferry running tonight, in this weather?");
}

static void user_mute(struct ask *ask, struct reply *out)
{
    if (ask->nmessages < 6)
        user_never(ask, out);
}

/* A model that writes what the user says. */
static void writes_user(struct ask *ask, struct reply *out)
{
    chat(ask, out);
    buf_text(&out->text, "\nTom: Thank you, Wenna.");
}

static void think(struct ask *ask, struct reply *out)
{
    buf_text(&out->text, "<think>\n");
    phrase_scene(&out->text, ask->lang, &ask->rng, ask->options->reply_bytes / 2);
    buf_text(&out->text, "\n</think>\n\n");
    chat(ask, out);
}

static void reasoning(struct ask *ask, struct reply *out)
{
    phrase_scene(&out->thinking, ask->lang, &ask->rng, ask->options->reply_bytes / 2);
    chat(ask, out);
}

/* The limit is used up before the answer begins. */
static void eaten(struct ask *ask, struct reply *out)
{
    phrase_scene(&out->thinking, ask->lang, &ask->rng, ask->options->reply_bytes / 2);
    out->stop = STOP_LENGTH;
}

static void filtered(struct ask *ask, struct reply *out)
{
    (void)ask;
    out->stop = STOP_FILTER;
}

static void refusal(struct ask *ask, struct reply *out)
{
    (void)ask;
    buf_text(&out->text, "I can't help with that.");
    out->stop = STOP_REFUSAL;
}

static void nothing(struct ask *ask, struct reply *out)
{
    (void)ask;
    (void)out;
}

static void identity_leak(struct ask *ask, struct reply *out)
{
    phrase_scene(&out->text, ask->lang, &ask->rng, ask->options->reply_bytes / 2);
    buf_char(&out->text, ' ');
    phrase_confession(&out->text, ask->lang, ask->model);
}

/* The first prefix of the model id that fits decides. */
static const struct kind {
    const char *prefix;
    void (*write)(struct ask *ask, struct reply *out);
} kinds[] = {
    /* clang-format off */
    {"chat",           chat},
    {"echo",           echo},
    {"judge-fenced",   judge_fenced},
    {"judge-strings",  judge_strings},
    {"judge-comments", judge_comments},
    {"judge-once-bad", judge_once_bad},
    {"judge-range",    judge_range},
    {"judge-never",    judge_never},
    {"judge-form",     judge_form},
    {"judge-injected", judge_injected},
    {"judge-gullible", judge_gullible},
    {"judge-pair",     judge_pair},
    {"judge-first",    judge_first},
    {"judge",          judge},
    {"think",          think},
    {"reasoning",      reasoning},
    {"eaten",          eaten},
    {"filtered",       filtered},
    {"refusal",        refusal},
    {"empty",          nothing},
    {"identity-leak",  identity_leak},
    {"examiner-once-bad", examiner_once_bad},
    {"examiner-never", examiner_never},
    {"examiner",       examiner},
    {"both-speakers",  both_speakers},
    {"user-never",     user_never},
    {"user-both",      user_both},
    {"user-repeats",   user_repeats},
    {"user-mute",      user_mute},
    {"user",           user},
    {"writes-user",    writes_user},
    /* clang-format on */
};

static const struct kind *kind_of(struct str model)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (str_starts(model, str_of(kinds[i].prefix)))
            return &kinds[i];
    return &kinds[0];
}

/* Plain text, or the first text part of a list of parts. */
static struct str message_text(const json_t *message)
{
    const json_t *content = json_object_get(message, "content"), *part;
    size_t i;

    json_array_foreach(content, i, part)
    {
        if (json_is_string(json_object_get(part, "text")))
            return json_str_at(part, "text", STR(""));
    }
    return json_str_at(message, "content", STR(""));
}

static void ask_init(struct ask *ask, const struct answer_options *o, const json_t *request)
{
    const json_t *messages = json_object_get(request, "messages"), *message;
    struct hash h;
    size_t i;

    *ask = (struct ask){.options = o, .nmessages = json_array_size(messages)};
    ask->model = json_str_at(request, "model", STR(""));
    ask->formed = json_object_get(request, "response_format") ||
                  json_object_get(request, "tools") || json_object_get(request, "grammar");
    hash_init(&h);
    hash_int(&h, (int64_t)o->seed);
    hash_int(&h, json_int_at(request, "seed", 0));
    hash_str(&h, ask->model);
    json_array_foreach(messages, i, message)
    {
        struct str role = json_str_at(message, "role", STR(""));
        ask->last = message_text(message);
        if (str_is(role, "user"))
            ask->last_user = ask->last;
        if (str_is(role, "user") && !ask->first_user.p)
            ask->first_user = ask->last;
        hash_str(&h, role);
        hash_str(&h, ask->last);
    }
    ask->key = hash_u64(&h);
    ask->lang = phrase_language(ask->last);
    ask->rng = rng_keyed(o->seed, "answer", (int64_t[]){(int64_t)ask->key}, 1);
}

static void escape_add(struct buf *out, struct str text)
{
    size_t from = 0;

    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        buf_add(out, (struct str){text.p + from, i - from});
        if (c == '\n')
            buf_text(out, "\\n");
        else if (c < 0x20)
            buf_fmt(out, "\\u%04x", c);
        else
            buf_fmt(out, "\\%c", c);
        from = i + 1;
    }
    buf_add(out, str_from(text, from));
}

static void blemish_add(struct buf *out, enum answer_blemish blemish)
{
    if (blemish == ANSWER_BAD_UTF8)
        buf_text(out, "\xE7\x8C\xFF"); /* a character cut short, and a byte that never occurs */
    else if (blemish == ANSWER_BAD_SURROGATE)
        buf_text(out, "\\ud83d");
}

static void content_add(struct buf *out, const struct reply *reply, enum answer_blemish blemish)
{
    struct str text = buf_str(&reply->text);
    size_t soft = reply->soft < text.n ? reply->soft : text.n;

    escape_add(out, (struct str){text.p, soft});
    blemish_add(out, blemish);
    escape_add(out, str_from(text, soft));
}

/* As tokenizers do, roughly: four bytes of ASCII, or one character of anything else. */
static size_t tokens(struct str text)
{
    size_t ascii = 0;

    for (size_t i = 0; i < text.n; i++)
        ascii += (unsigned char)text.p[i] < 0x80;
    return (ascii + 3) / 4 + utf8_count(text) - ascii;
}

static size_t prompt_tokens(const json_t *request)
{
    const json_t *messages = json_object_get(request, "messages"), *message;
    size_t i, n = 3;

    json_array_foreach(messages, i, message)
    {
        n += 4 + tokens(message_text(message));
    }
    return n;
}

/* The end of a reply: `text` of the shape with its % filled in. */
static void tail_add(struct buf *out, const struct shape *shape, const char *text,
                     const struct reply *reply, const json_t *request)
{
    size_t in = prompt_tokens(request), cached = reply->thinking.n ? in / 4 : 0;
    size_t said = tokens(buf_str(&reply->text)), thought = tokens(buf_str(&reply->thinking));
    bool cut = reply->stop == STOP_LENGTH || reply->stop == STOP_FILTER;

    for (; *text; text++) {
        if (*text != '%') {
            buf_char(out, *text);
            continue;
        }
        switch (*++text) {
        case 'i':
            buf_fmt(out, "%zu", in);
            break;
        case 'u':
            buf_fmt(out, "%zu", in - cached);
            break;
        case 'c':
            buf_fmt(out, "%zu", cached);
            break;
        case 'o':
            buf_fmt(out, "%zu", said + thought);
            break;
        case 'a':
            buf_fmt(out, "%zu", said);
            break;
        case 't':
            buf_fmt(out, "%zu", thought);
            break;
        case 's':
            buf_text(out, shape->stop[reply->stop]);
            break;
        case 'w':
            buf_text(out, cut ? "incomplete" : "completed");
            break;
        default:
            if (thought)
                tail_add(out, shape, shape->details, reply, request);
        }
    }
}

/* What a model has to say, whatever shape it takes. */
static void reply_make(struct reply *reply, const struct answer_options *o, const json_t *request,
                       enum answer_blemish blemish)
{
    struct ask ask;

    *reply =
        (struct reply){BUF_MAX(ANSWER_BYTES_MAX), BUF_MAX(ANSWER_BYTES_MAX), SIZE_MAX, STOP_END};
    ask_init(&ask, o, request);
    if (blemish != ANSWER_EMPTY)
        kind_of(ask.model)->write(&ask, reply);
}

void answer_write(const struct answer_options *o, const struct shape *shape, const json_t *request,
                  enum answer_blemish blemish, struct buf *out)
{
    AUTO(reply_done) struct reply reply;
    bool called = shape->called[0] && json_object_get(request, "tools");
    const char *const *around = called ? shape->called : shape->text;

    reply_make(&reply, o, request, blemish);
    if (reply.stop == STOP_REFUSAL && shape->refused[0])
        around = shape->refused;
    buf_text(out, shape->head);
    if (reply.thinking.n) {
        buf_text(out, shape->thinking[0]);
        escape_add(out, buf_str(&reply.thinking));
        buf_text(out, shape->thinking[1]);
    }
    buf_text(out, around[0]);
    content_add(out, &reply, blemish);
    buf_text(out, around[1]);
    tail_add(out, shape, shape->tail, &reply, request);
}

/* ---- in pieces ---- */

enum { PIECE_POINTS = 5 };

bool answer_streams(const json_t *request)
{
    return json_is_true(json_object_get(request, "stream"));
}

static void pieces_add(struct buf *out, const char *const around[2], struct str text)
{
    while (text.n) {
        struct str piece = utf8_head(text, PIECE_POINTS);
        buf_text(out, around[0]);
        escape_add(out, piece);
        buf_text(out, around[1]);
        text = str_from(text, piece.n);
    }
}

void answer_stream(const struct answer_options *o, const struct shape *shape, const json_t *request,
                   enum answer_blemish blemish, struct buf *out)
{
    AUTO(reply_done) struct reply reply;
    bool called = shape->calling[0] && json_object_get(request, "tools");
    const char *const *around = called ? shape->calling : shape->piece;

    reply_make(&reply, o, request, blemish);
    if (reply.stop == STOP_REFUSAL && shape->no[0])
        around = shape->no;
    pieces_add(out, shape->thought, buf_str(&reply.thinking));
    if (blemish == ANSWER_BAD_UTF8 || blemish == ANSWER_BAD_SURROGATE) {
        buf_text(out, around[0]);
        blemish_add(out, blemish);
        buf_text(out, around[1]);
    }
    pieces_add(out, around, buf_str(&reply.text));
    tail_add(out, shape, shape->end, &reply, request);
}

bool answer_classifies(const json_t *request)
{
    return json_is_string(json_object_get(request, "inputs")) ||
           json_is_string(json_object_get(request, "input"));
}

void answer_classes(const json_t *request, struct buf *out)
{
    bool predict = json_is_string(json_object_get(request, "inputs"));
    struct str text = json_str_at(request, predict ? "inputs" : "input", STR(""));
    double even = text.n % 2 == 0 ? 0.9 : 0.2;

    if (predict)
        buf_fmt(out, "[{\"score\":%g,\"label\":\"even\"},{\"score\":%g,\"label\":\"odd\"}]\n", even,
                1 - even);
    else
        buf_fmt(out,
                "{\"id\":\"modr-1\",\"model\":\"mock\",\"results\":[{\"flagged\":false,"
                "\"categories\":{\"even\":false,\"odd\":false},"
                "\"category_scores\":{\"even\":%g,\"odd\":%g}}]}\n",
                even, 1 - even);
}

void answer_models(struct buf *out)
{
    buf_text(out, "{\"object\":\"list\",\"data\":[");
    for (size_t i = 0; i < COUNT(kinds); i++)
        buf_fmt(out,
                "%s{\"id\":\"%s\",\"object\":\"model\",\"created\":1700000000,"
                "\"owned_by\":\"mockllm\"}",
                i ? "," : "", kinds[i].prefix);
    buf_text(out, "]}\n");
}

enum status answer_check(const json_t *request, struct err *e)
{
    const json_t *messages = json_object_get(request, "messages"), *message;
    size_t i;

    if (answer_classifies(request))
        return OK;
    if (json_str_at(request, "model", STR("")).n == 0)
        return err_set(e, E_INPUT, "you must provide a model parameter");
    if (answer_streams(request) &&
        str_starts(json_str_at(request, "model", STR("")), STR("no-stream")))
        return err_set(e, E_INPUT, "this model cannot stream");
    if (json_array_size(messages) == 0)
        return err_set(e, E_INPUT, "messages must be a list with at least one message");
    json_array_foreach(messages, i, message)
    {
        if (json_str_at(message, "role", STR("")).n == 0)
            return err_set(e, E_INPUT, "messages[%zu] has no role", i);
    }
    return OK;
}

static bool is_plain(struct str id)
{
    for (size_t i = 0; i < id.n; i++)
        if ((unsigned char)id.p[i] <= ' ' || id.p[i] == '"' || id.p[i] == '\\')
            return false;
    return id.n > 0 && utf8_check(id) == id.n;
}

static enum status dimension_read(struct answer_dimension *d, struct str text, struct err *e)
{
    struct str scores, score;

    *d = (struct answer_dimension){0};
    if (!str_cut(text, '=', &d->id, &scores) || !is_plain(d->id))
        return err_set(e, E_USAGE, "\"%.*s\" is not name=score|score...", STR_ARG(text));
    for (bool more = true; more;) {
        double value;
        more = str_cut(scores, '|', &score, &scores);
        if (!more)
            score = scores;
        if (!str_double(score, &value))
            return err_set(e, E_USAGE, "\"%.*s\": \"%.*s\" is not a number", STR_ARG(text),
                           STR_ARG(score));
        if (d->nscores == ANSWER_SCORES_MAX)
            return err_set(e, E_USAGE, "\"%.*s\": too many scores", STR_ARG(text));
        d->scores[d->nscores++] = score;
    }
    return OK;
}

enum status answer_dimensions(struct answer_options *o, struct str text, struct err *e)
{
    struct str one;

    o->ndimensions = 0;
    for (bool more = true; more;) {
        more = str_cut(text, ',', &one, &text);
        if (!more)
            one = text;
        if (o->ndimensions == ANSWER_DIMENSIONS_MAX)
            return err_set(e, E_USAGE, "too many dimensions");
        if (dimension_read(&o->dimensions[o->ndimensions], one, e) != OK)
            return e->code;
        o->ndimensions++;
    }
    return OK;
}
