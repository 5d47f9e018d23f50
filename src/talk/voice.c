#include "talk/voice.h"

#include <math.h>
#include <stdlib.h>

#include "base/words.h"
#include "suite/sitting.h"
#include "text/fold.h"
#include "text/similar.h"

static const double alike = 0.9; /* from here on two lines are one */
enum {
    ROW = 3,        /* runes */
    ROWS = 2048,    /* numbers of rows */
    STRETCHES = 32, /* of a line */
};

/* A line that is held against former ones. */
struct line {
    struct voice_words words;
    uint32_t *places; /* of rows, by number: a bit for each stretch where it begins; or NULL */
    int stretch;      /* has so many runes, as a power of two */
    struct similar_text known;
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
    at = mark.n ? str_find_nocase(text, mark) : SIZE_MAX;
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

static uint32_t number_of(const uint32_t *runes, size_t n, uint32_t numbers)
{
    uint32_t row = 0;

    for (size_t i = 0; i < n; i++)
        row = row * 31 + runes[i];
    return (row * UINT32_C(2654435761) >> 16) % numbers;
}

static struct voice_words in_words(struct arena *a, struct str text)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct runes f = fold_text(scratch, text);
    struct voice_words w = {.text = text,
                            .folded = {arena_copy(a, f.p, f.n, sizeof *f.p), NULL, f.n},
                            .rows = NEW_N(a, uint16_t, f.n / ROW)};

    for (size_t i = 0; i < f.n; i++) {
        uint8_t *times = &w.times[number_of(f.p + i, 1, VOICE_KINDS)];
        *times = (uint8_t)(*times + (*times < UINT8_MAX));
    }
    for (size_t i = 0; i < f.n / ROW; i++)
        w.rows[i] = (uint16_t)number_of(f.p + i * ROW, ROW, ROWS);
    return w;
}

/* Needed only where a former line is not seen to differ at once. */
static void look_closer(struct arena *a, struct line *b)
{
    struct runes f = b->words.folded;

    b->places = NEW_N(a, uint32_t, ROWS);
    for (b->stretch = 3; f.n >> b->stretch >= STRETCHES;)
        b->stretch++;
    for (size_t i = 0; i + ROW <= f.n; i++)
        b->places[number_of(f.p + i, ROW, ROWS)] |= UINT32_C(1) << (i >> b->stretch);
    similar_text_init(&b->known, a, f);
}

/* No early end and no branch, so that compilers make a few vector instructions of it. */
static size_t kinds_apart(const struct voice_words *a, const struct voice_words *b)
{
    unsigned apart = 0;

    for (size_t i = 0; i < VOICE_KINDS; i++)
        apart += (unsigned)abs(a->times[i] - b->times[i]);
    return apart;
}

/* Whether all but so many of a's rows may stand in b, too. Places are compared by whole stretches:
 * a row has not moved back by more runes than were lost, nor ahead by more than were added. */
static bool in_place(const struct voice_words *a, const struct line *b, size_t lost, size_t added)
{
    size_t n = a->folded.n / ROW, missed = 0, back = (lost >> b->stretch) + 1;
    uint64_t near = (UINT64_C(2) << (back + (added >> b->stretch) + 1)) - 1;

    for (size_t i = 0, begun = 1; i < n && missed <= lost + added; begun++, near <<= 1) {
        size_t end = ((begun << b->stretch) + ROW - 1) / ROW;
        uint32_t within = (uint32_t)(near >> back);
        for (end = end < n ? end : n; i < end; i++)
            missed += !(b->places[a->rows[i]] & within);
    }
    return missed <= lost + added;
}

/* Nearly the same words. Most lines are seen to differ at once: two lines have no more in common
 * than the shorter one has, and what they have in common has moved by no more than what was left
 * out or added. A rune that was changes the count of one kind and breaks one row. */
static bool are_alike(struct arena *scratch, const struct voice_words *a, struct line *b)
{
    size_t n = a->folded.n, m = b->words.folded.n;
    size_t least = (size_t)ceil(alike * (double)(n + m) / 2);

    if (n < least || m < least || kinds_apart(a, &b->words) > n + m - 2 * least)
        return false;
    if (!b->places)
        look_closer(scratch, b);
    return in_place(a, b, n - least, m - least) &&
           similar_text_shares(scratch, &b->known, a->folded, least);
}

bool voice_repeats(struct arena *a, struct voice_lines *said, const struct turn_list *turns,
                   struct str text)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct line now = {.words = in_words(a, text)};
    bool found = false;

    if (!said->v)
        said->v = NEW_N(a, struct voice_words, said->most);
    for (; said->heard < turns->n; said->heard++) {
        struct str old = turns->v[said->heard].text;
        if (turns->v[said->heard].speaker == SPEAKER_MODEL || said->n == said->most)
            continue;
        said->v[said->n++] = old.p == said->last.text.p ? said->last : in_words(a, old);
    }
    for (size_t i = said->n; i-- > 0 && !found;)
        found = are_alike(scratch, &said->v[i], &now);
    said->last = now.words;
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

void voice_keep_said(struct turn_list *turns)
{
    size_t n = 0;

    for (size_t i = 0; i < turns->n; i++)
        if (voice_is_said(&turns->v[i]))
            turns->v[n++] = turns->v[i];
    turns->n = n;
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

struct str voice_style(struct arena *a, const struct user *u, const char *language)
{
    const struct {
        enum word label;
        struct str text;
    } lines[] = {
        {TOLD_LENGTH, u->writes.length},
        {TOLD_TYPOS, u->writes.typos},
        {TOLD_MOOD, u->writes.mood},
    };
    const char *all = "";

    for (size_t i = 0; i < COUNT(lines); i++)
        if (lines[i].text.n)
            all =
                arena_printf(a, "%s%s- %s", all, *all ? "\n" : "",
                             words_with(a, language, lines[i].label, arena_text(a, lines[i].text)));
    return str_of(*all ? all : words_of(language, TOLD_ANY_STYLE));
}

struct str voice_leaves(struct arena *a, const struct user *u, const char *language)
{
    if (u->leaves.when.n == 0)
        return str_of(words_of(language, TOLD_LEAVES));
    return arena_str(a, u->leaves.when);
}
