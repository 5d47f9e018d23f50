/* Macros of character cards.
 *
 * One pass with a stack of open braces: at each closing pair, the text since the last opening pair
 * is a macro whose inner macros are already expanded. So the time is linear in the length of the
 * text however deep the nesting is, and expansions are never parsed as macros. */
#include <inttypes.h>

#include "base/hash.h"
#include "base/rng.h"
#include "suite/card.h"

enum {
    DEPTH_MAX = 16,
    CHOICES_MAX = 1000,
    DICE_MAX = 100,
    SIDES_MAX = 1000000,
    GROWTH = 4,        /* a text may become this many times longer, */
    GROWTH_FREE = 4096 /* plus this many bytes */
};

struct expansion {
    struct arena *a;
    const struct card_cast *cast;
    struct str source;
    int64_t source_key; /* hash of `source`, set by the first random draw */
    struct buf out;
    size_t open[DEPTH_MAX]; /* offsets in `out` of open braces */
    size_t depth;
    int64_t drawn; /* random choices so far */
    struct str *unknown;
};

static int64_t key_of(struct str text)
{
    return (int64_t)(hash_u64_of(text) >> 1);
}

static struct rng draw(struct expansion *x)
{
    int64_t ids[] = {x->drawn ? x->source_key : key_of(x->source), x->drawn};

    x->source_key = ids[0];
    x->drawn++;
    return rng_keyed(x->cast->seed, "card random", ids, COUNT(ids));
}

static struct str unescape(struct arena *a, struct str s)
{
    char *to = arena_alloc(a, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '\\' || i + 1 == s.n || s.p[i + 1] != ',')
            to[n++] = s.p[i];
    return (struct str){to, n};
}

/* End of the next choice: at "::" if there is any, else at an unescaped comma. */
static size_t choice_end(struct str s, bool colons)
{
    for (size_t i = 0; i < s.n; i++) {
        if (colons && s.p[i] == ':' && i + 1 < s.n && s.p[i + 1] == ':')
            return i;
        if (!colons && s.p[i] == ',' && (i == 0 || s.p[i - 1] != '\\'))
            return i;
    }
    return s.n;
}

static struct str choose(struct expansion *x, struct str values, struct rng rng)
{
    bool colons = str_find(values, STR("::")) != SIZE_MAX;
    struct str choices[CHOICES_MAX];
    size_t n = 0;

    while (n < CHOICES_MAX) {
        size_t end = choice_end(values, colons);
        choices[n++] = str_trim((struct str){values.p, end});
        if (end == values.n)
            break;
        values = str_from(values, end + (colons ? 2 : 1));
    }
    return unescape(x->a, choices[rng_below(&rng, n)]);
}

static bool number_in(struct str s, int64_t most, int64_t *out)
{
    return str_int(s, out) && *out >= 1 && *out <= most;
}

/* "6", "d6" or "2d6". */
static bool roll(struct expansion *x, struct str dice, struct str *out)
{
    int64_t n = 1, sides, sum = 0;
    struct str count, rest = dice;
    struct rng rng;

    for (size_t i = 0; i < dice.n; i++)
        if (dice.p[i] == 'd' || dice.p[i] == 'D') {
            count = (struct str){dice.p, i};
            rest = str_from(dice, i + 1);
            if (i && !number_in(count, DICE_MAX, &n))
                return false;
            break;
        }
    if (!number_in(rest, SIDES_MAX, &sides))
        return false;
    rng = draw(x);
    for (int64_t i = 0; i < n; i++)
        sum += 1 + (int64_t)rng_below(&rng, (uint64_t)sides);
    *out = str_of(arena_printf(x->a, "%" PRId64, sum));
    return true;
}

static struct str reverse(struct arena *a, struct str s)
{
    char *to = arena_alloc(a, s.n + 1), *end = to + s.n;

    for (struct str rest = s; rest.n;) {
        const char *from = rest.p;
        (void)utf8_next(&rest);
        end -= rest.p - from;
        memcpy(end, from, (size_t)(rest.p - from));
    }
    return (struct str){to, s.n};
}

static struct str pick(struct expansion *x, struct str values)
{
    int64_t id = key_of(values);

    return choose(x, values, rng_keyed(x->cast->seed, "card pick", &id, 1));
}

/* A macro of the form name:value or name::value. */
static bool with_value(struct expansion *x, struct str name, struct str value, struct str *out)
{
    if (str_is_nocase(name, "random"))
        *out = choose(x, value, draw(x));
    else if (str_is_nocase(name, "pick"))
        *out = pick(x, value);
    else if (str_is_nocase(name, "roll"))
        return roll(x, str_trim(value), out);
    else if (str_is_nocase(name, "reverse"))
        *out = reverse(x->a, value);
    else if (str_is_nocase(name, "comment"))
        *out = STR("");
    else
        return str_is_nocase(name, "hidden_key") && !x->cast->keep_hidden;
    return true;
}

static bool evaluate(struct expansion *x, struct str body, struct str *out)
{
    struct str inner = str_trim(body), name, value;

    *out = STR("");
    if (str_is_nocase(inner, "char"))
        *out = x->cast->character;
    else if (str_is_nocase(inner, "user"))
        *out = x->cast->user;
    else if (str_is_nocase(inner, "original"))
        *out = x->cast->original;
    else if (str_starts(inner, STR("//")))
        return true;
    else if (!str_cut(inner, ':', &name, &value))
        return false;
    else
        return with_value(x, str_trim(name),
                          str_starts(value, STR(":")) ? str_from(value, 1) : value, out);
    return true;
}

static void note_unknown(struct expansion *x, struct str macro)
{
    bool hidden = str_starts_nocase(macro, STR("{{hidden_key:"));

    if (x->unknown->n == 0 && !hidden)
        *x->unknown = arena_str(x->a, utf8_head(macro, 60));
}

static void close_braces(struct expansion *x)
{
    size_t begin = x->open[--x->depth];
    struct str body = arena_str(x->a, str_from(buf_str(&x->out), begin + 2)), value;

    if (evaluate(x, body, &value)) {
        x->out.n = begin;
        buf_add(&x->out, value);
        return;
    }
    buf_text(&x->out, "}}");
    note_unknown(x, str_from(buf_str(&x->out), begin));
}

/* <USER> and <BOT>, the oldest macros. Returns the bytes consumed; 0 if neither. */
static size_t angle(struct expansion *x, struct str rest)
{
    bool user = str_starts_nocase(rest, STR("<user>"));

    if (!user && !str_starts_nocase(rest, STR("<bot>")))
        return 0;
    buf_add(&x->out, user ? x->cast->user : x->cast->character);
    return user ? 6 : 5;
}

/* Handles the next piece of the source, which begins with a brace or '<'. In "{{{" the last two
 * open a macro. Returns the bytes consumed. */
static size_t step(struct expansion *x, struct str rest)
{
    size_t taken = rest.p[0] == '<' ? angle(x, rest) : 0;

    if (taken)
        return taken;
    if (str_starts(rest, STR("{{")) && !str_starts(rest, STR("{{{")) && x->depth < DEPTH_MAX) {
        x->open[x->depth++] = x->out.n;
        buf_text(&x->out, "{{");
        return 2;
    }
    if (str_starts(rest, STR("}}")) && x->depth) {
        close_braces(x);
        return 2;
    }
    buf_char(&x->out, rest.p[0]);
    return 1;
}

struct str card_expand(struct arena *a, struct str text, const struct card_cast *cast,
                       struct str *unknown)
{
    struct expansion x = {.a = a,
                          .cast = cast,
                          .source = text,
                          .out = BUF_MAX(GROWTH * text.n + GROWTH_FREE),
                          .unknown = unknown};
    struct str out;

    while (text.n && !x.out.full) {
        size_t plain = 0;
        while (plain < text.n && !strchr("<{}", text.p[plain]))
            plain++;
        buf_add(&x.out, (struct str){text.p, plain});
        text = str_from(text, plain);
        if (text.n)
            text = str_from(text, step(&x, text));
    }
    /* A card whose text explodes is used unexpanded. */
    if (x.out.full)
        note_unknown(&x, x.source);
    out = x.out.full ? x.source : arena_str(a, buf_str(&x.out));
    buf_done(&x.out);
    return out;
}

/* ---- a whole card ---- */

struct playing {
    const struct card_desk *desk;
    struct card_cast cast;
    struct str unknown;
};

static void expand(struct playing *p, struct str *text)
{
    if (text->n)
        *text = card_expand(p->desk->a, *text, &p->cast, &p->unknown);
}

static void expand_list(struct playing *p, struct card_list *list)
{
    struct str *v = arena_copy(p->desk->a, list->v, list->n, sizeof *v);

    for (size_t i = 0; i < list->n; i++)
        expand(p, &v[i]);
    list->v = v;
}

static const struct card_book *play_book(struct playing *p, const struct card_book *book)
{
    struct card_book *out = arena_copy(p->desk->a, book, 1, sizeof *book);
    struct diags said; /* discarded: decorator warnings were reported when the card was read */
    struct card_desk quiet = {p->desk->a, p->desk->at, &said};

    diags_init(&said, p->desk->a);
    out->v = arena_copy(p->desk->a, book->v, book->n, sizeof *book->v);
    p->cast.keep_hidden = true;
    for (size_t i = 0; i < out->n; i++) {
        expand_list(p, &out->v[i].keys);
        expand_list(p, &out->v[i].secondary);
        expand(p, &out->v[i].source);
        card_entry_read(&quiet, &out->v[i]);
    }
    p->cast.keep_hidden = false;
    return out;
}

struct card card_play(const struct card_desk *desk, const struct card *card, struct str user,
                      uint64_t seed)
{
    struct card out = *card;
    struct playing p = {.desk = desk,
                        .cast = {.character = card->nickname.n ? card->nickname : card->name,
                                 .user = user,
                                 .original = STR(""),
                                 .seed = seed}};
    struct str *const texts[] = {&out.description, &out.personality,   &out.scenario,
                                 &out.examples,    &out.first_message, &out.system,
                                 &out.post_history};

    for (size_t i = 0; i < COUNT(texts); i++)
        expand(&p, texts[i]);
    expand_list(&p, &out.greetings);
    expand_list(&p, &out.group_greetings);
    if (card->book)
        out.book = play_book(&p, card->book);
    if (p.unknown.n)
        diags_warn(desk->d, desk->at, "unknown macros are left as they are, such as '%.*s'",
                   STR_ARG(p.unknown));
    return out;
}
