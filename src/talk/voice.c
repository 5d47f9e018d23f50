#include "talk/voice.h"

#include "suite/sitting.h"
#include "text/fold.h"
#include "text/similar.h"

static const double alike = 0.9; /* from here on two lines are one */
enum {
    ROWS = 2048,    /* numbers of rows of a few runes */
    STRETCHES = 32, /* of a line */
    SPARSE = 3,     /* runes of a row; of a former line only those side by side are looked at */
};

/* In which stretches of a line the rows of a number stand: a bit for each. */
struct places {
    uint32_t of[ROWS];
    size_t each; /* runes of a stretch */
};

/* A line that is held against former ones. */
struct line {
    struct runes folded;
    const struct places *rows, *pairs; /* pairs: NULL as long as nobody asks */
};

/* ---- lines ---- */

/* Where the first line begins that is spoken as `name`; SIZE_MAX: nowhere. */
static size_t other_begins(struct str text, struct str name)
{
    struct str rest = text, line, ignored;

    while (str_line(&rest, &line))
        if (sitting_speaks_as(line, name, &ignored))
            return (size_t)(line.p - text.p);
    return SIZE_MAX;
}

void voice_read(struct arena *a, struct str user, struct str character, struct str mark,
                struct str reply, struct voice_line *out)
{
    struct str text = str_trim(reply), rest, kept;
    size_t at;

    *out = (struct voice_line){.why = ""};
    if (sitting_speaks_as(text, user, &rest))
        text = rest;
    at = mark.n ? str_find(text, mark) : SIZE_MAX;
    if (at != SIZE_MAX) {
        out->leaves = true;
        text.n = at;
    }
    at = other_begins(text, character);
    if (at != SIZE_MAX) {
        out->why = VOICE_BOTH;
        out->leaves = false; /* who speaks for both ends nothing */
        text.n = at;
    }
    kept = utf8_head(str_trim(text), VOICE_LINE_MAX);
    if (kept.n < str_trim(text).n)
        out->why = arena_printf(a, "cut: of %zu characters the first %d count",
                                utf8_count(str_trim(text)), VOICE_LINE_MAX);
    out->text = arena_str(a, str_trim(kept));
}

static struct voice_rows rows_of(struct arena *a, struct runes f, size_t width, size_t step)
{
    struct voice_rows r = {.v = NEW_N(a, uint16_t, f.n / step + 1), .step = step};

    for (size_t i = width - 1; i < f.n; i += step) {
        uint32_t row = 0;
        for (size_t k = 0; k < width; k++)
            row = row * 31 + f.p[i - k];
        r.v[r.n++] = (uint16_t)(row * UINT32_C(2654435761) >> 16) % ROWS;
    }
    return r;
}

static struct voice_words words_of(struct arena *a, struct str text)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct runes f = fold_text(scratch, text);

    f.p = arena_copy(a, f.p, f.n, sizeof *f.p);
    f.at = NULL;
    return (struct voice_words){text, f, rows_of(a, f, SPARSE, SPARSE)};
}

static const struct places *places_of(struct arena *a, struct runes f, size_t width)
{
    struct places *p = NEW(a, struct places);
    struct voice_rows all = rows_of(a, f, width, 1);

    p->each = (all.n / STRETCHES / SPARSE + 1) * SPARSE;
    for (size_t i = 0; i < all.n; i++)
        p->of[all.v[i]] |= UINT32_C(1) << i / p->each;
    return p;
}

/* Whether all but `spare` of x's rows may stand in the other line too, at most so far back or
 * ahead; by whole stretches. */
static bool in_place(const struct voice_rows *x, const struct places *other, size_t spare,
                     size_t back, size_t ahead)
{
    size_t missed = 0, i = 0, rows = other->each / x->step;
    uint64_t near;

    back = back / other->each + 1;
    ahead = ahead / other->each + 1;
    near = (UINT64_C(1) << (back + ahead + 1)) - 1;
    for (; i < x->n && missed <= spare; near <<= 1) {
        size_t end = x->n - i < rows ? x->n : i + rows;
        uint32_t within = (uint32_t)(near >> back);
        for (; i < end; i++)
            missed += !(other->of[x->v[i]] & within);
    }
    return missed <= spare;
}

/* Nearly the same words. What cannot be is seen at once: no more can be in common than the shorter
 * one has, and what is in common has moved by no more than what was left out. Of rows side by side
 * a rune that is not in common breaks one; of all pairs of neighbours, one of a breaks two and one
 * of b one. */
static bool are_alike(struct arena *scratch, const struct voice_words *a, struct line *b)
{
    double n = (double)a->folded.n, m = (double)b->folded.n, least = alike * (n + m) / 2;
    double lost = n - least, added = m - least;
    struct voice_rows pairs;

    if (lost < 0 || added < 0 ||
        !in_place(&a->rows, b->rows, (size_t)(lost + added), (size_t)lost, (size_t)added))
        return false;
    if (!b->pairs)
        b->pairs = places_of(scratch, b->folded, 2);
    pairs = rows_of(scratch, a->folded, 2, 1);
    return in_place(&pairs, b->pairs, (size_t)(2 * lost + added), (size_t)lost, (size_t)added) &&
           (double)similar_lcs(scratch, a->folded, b->folded) >= least;
}

bool voice_repeats(struct arena *a, struct voice_lines *said, const struct turn_list *turns,
                   struct str text)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct voice_words words = words_of(a, text);
    struct line now = {words.folded, places_of(scratch, words.folded, SPARSE), NULL};
    bool found = false;

    if (!said->v)
        said->v = NEW_N(a, struct voice_words, said->most);
    for (; said->heard < turns->n; said->heard++) {
        struct str old = turns->v[said->heard].text;
        if (turns->v[said->heard].speaker == SPEAKER_MODEL || said->n == said->most)
            continue;
        said->v[said->n++] = old.p == said->last.text.p ? said->last : words_of(a, old);
    }
    for (size_t i = said->n; i-- > 0 && !found;)
        found = are_alike(scratch, &said->v[i], &now);
    said->last = words;
    return found;
}

bool voice_is_stuck(const struct turn_list *turns)
{
    int times = 0;

    for (size_t i = turns->n; i-- > 0;) {
        if (turns->v[i].speaker == SPEAKER_MODEL)
            continue;
        if (strcmp(turns->v[i].why, VOICE_REPEATS) != 0)
            return false;
        if (++times == 2)
            return true;
    }
    return false;
}

struct str voice_answer(struct arena *a, struct str user, struct str reply, const char **why)
{
    struct str text = str_trim(reply), kept = utf8_head(text, VOICE_ANSWER_MAX);
    const char *oddity = "";

    if (other_begins(kept, user) != SIZE_MAX || sitting_other_voice(kept).n)
        oddity = VOICE_USER;
    *why = oddity;
    if (kept.n < text.n)
        *why = arena_printf(a, "cut: of %zu characters the first %d count%s%s", utf8_count(text),
                            VOICE_ANSWER_MAX, oddity[0] ? "; " : "", oddity);
    return arena_str(a, str_trim(kept));
}

struct str voice_line_of(struct arena *a, struct str name, const struct voice_cast *others,
                         struct str reply, const char **why)
{
    struct str text = str_trim(reply), rest, kept;

    *why = "";
    if (sitting_speaks_as(text, name, &rest))
        text = rest;
    for (size_t i = 0; i < others->n; i++) {
        size_t at = other_begins(text, others->v[i]);
        if (at != SIZE_MAX) {
            *why = VOICE_OTHERS;
            text.n = at;
        }
    }
    kept = utf8_head(str_trim(text), VOICE_ANSWER_MAX);
    return arena_str(a, kept.n ? str_trim(kept) : STR("…"));
}

struct str voice_name(const struct suite *s, const struct item *item, const struct turn *t)
{
    const struct character *c;

    if (strcmp(t->kind, TURN_EVENT) == 0)
        return STR(TURN_NARRATOR);
    if (!s->elicit.dialogue.cast.nmembers)
        return t->speaker == SPEAKER_MODEL ? vocab_character(s, item)->name : vocab_other(s, item);
    c = vocab_character_by(s, t->source);
    return c ? c->name : STR("");
}

bool voice_is_said(const struct turn *t)
{
    return strcmp(t->kind, TURN_SUMMARY) != 0 && strcmp(t->kind, TURN_DIRECTION) != 0;
}

struct str voice_transcript(struct arena *a, const struct suite *s, const struct item *item,
                            const struct turn_list *turns)
{
    AUTO(buf_done) struct buf b = BUF_MAX(16 << 20);

    for (size_t i = 0; i < turns->n; i++)
        if (voice_is_said(&turns->v[i]))
            sitting_add(&b, voice_name(s, item, &turns->v[i]), &turns->v[i]);
    return arena_str(a, str_trim(buf_str(&b)));
}

struct str voice_stretch(struct arena *a, const struct suite *s, const struct item *item,
                         const struct turn_list *turns, struct turn_span span)
{
    struct turn_list some = {NEW_N(a, struct turn, turns->n), 0};

    for (size_t i = 0; i < turns->n; i++)
        if (turns->v[i].part >= span.first && turns->v[i].part <= span.last)
            some.v[some.n++] = turns->v[i];
    return voice_transcript(a, s, item, &some);
}

/* ---- what a player is told ---- */

static const char *word(const char *language, const char *en, const char *zh, const char *ja)
{
    if (strncmp(language, "zh", 2) == 0)
        return zh;
    return strncmp(language, "ja", 2) == 0 ? ja : en;
}

struct str voice_style(struct arena *a, const struct user *u, const char *language)
{
    const struct {
        const char *label;
        struct str text;
    } lines[] = {
        {word(language, "Length: ", "长短：", "長さ："), u->writes.length},
        {word(language, "Slips of the pen: ", "错别字：", "打ち間違い："), u->writes.typos},
        {word(language, "Mood: ", "心情：", "気分："), u->writes.mood},
    };
    const char *all = "";

    for (size_t i = 0; i < COUNT(lines); i++)
        if (lines[i].text.n)
            all = arena_printf(a, "%s%s- %s%.*s", all, *all ? "\n" : "", lines[i].label,
                               STR_ARG(lines[i].text));
    return str_of(*all ? all : word(language, "- As they please.", "- 随意。", "- 自由に。"));
}

struct str voice_leaves(struct arena *a, const struct user *u, const char *language)
{
    if (u->leaves.when.n == 0)
        return str_of(word(language,
                           "when they have what they came for, or see that they will not get it",
                           "得到想要的，或者发现得不到的时候",
                           "求めるものを得たとき、または得られないとわかったとき"));
    return arena_str(a, u->leaves.when);
}
