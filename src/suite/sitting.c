#include "suite/sitting.h"

#include "text/fold.h"
#include "text/similar.h"

enum {
    TRANSCRIPT_MAX = 16 << 20,
    OPENING = 1, /* turns before the first question of a part */
    ROUND = 2,   /* turns of a question and its answer */
};

static const double alike = 0.8; /* similarity from which an answer repeats the question */

/* ---- what comes next ---- */

static size_t part_length(const struct paper *p, int part)
{
    size_t questions = part == 1 ? p->part1.n : part == 2 ? 1 + p->follow_ups : p->part3.n;

    return OPENING + ROUND * questions;
}

size_t sitting_length(const struct paper *p)
{
    return part_length(p, 1) + part_length(p, 2) + part_length(p, 3);
}

size_t sitting_answers(const struct paper *p)
{
    return p->part1.n + 1 + p->follow_ups + p->part3.n;
}

struct turn sitting_turn(enum speaker speaker, const char *kind, struct str text,
                         const char *source, int64_t part)
{
    return (struct turn){.part = part,
                         .speaker = speaker,
                         .kind = kind,
                         .text = text,
                         .fact = "",
                         .source = source,
                         .quote = STR(""),
                         .why = "",
                         .thinking = STR(""),
                         .finish = "",
                         .tokens_in = -1,
                         .tokens_out = -1};
}

static struct turn question_turn(int part, const struct paper_question *q)
{
    struct turn t = sitting_turn(SPEAKER_EXAMINER, q->kind, q->text, q->source, part);

    t.fact = q->fact;
    return t;
}

/* Turn `at` of part 2, from 0. */
static enum sitting_move task_turn(const struct paper *p, size_t at, struct turn *out)
{
    size_t round = (at - OPENING) / ROUND;

    if (round == 0) {
        *out = sitting_turn(SPEAKER_EXAMINER, TURN_TASK, p->task, p->task_source, 2);
        return SITTING_SAY;
    }
    *out = sitting_turn(SPEAKER_EXAMINER, TURN_FOLLOW_UP, p->prepared[round - 1], TURN_PREPARED, 2);
    return SITTING_FOLLOW_UP;
}

static const struct paper_questions *questions_of(const struct paper *p, int64_t part)
{
    return part == 1 ? &p->part1 : &p->part3;
}

static enum sitting_move turn_at(const struct paper *p, int part, size_t at, struct turn *out)
{
    if (at < OPENING) {
        *out = sitting_turn(SPEAKER_EXAMINER, TURN_INSTRUCTION, p->instruction[part - 1], TURN_BANK,
                            part);
        return SITTING_SAY;
    }
    if ((at - OPENING) % ROUND == 1) {
        *out = sitting_turn(SPEAKER_MODEL, TURN_ANSWER, STR(""), "", part);
        return SITTING_ANSWER;
    }
    if (part == 2)
        return task_turn(p, at, out);
    *out = question_turn(part, &questions_of(p, part)->v[(at - OPENING) / ROUND]);
    return SITTING_SAY;
}

enum sitting_move sitting_next(const struct paper *p, size_t n, struct turn *out)
{
    enum sitting_move move = SITTING_DONE;
    size_t at = n;

    for (int part = 1; part <= 3; part++) {
        if (at < part_length(p, part)) {
            move = turn_at(p, part, at, out);
            out->position = (int64_t)n + 1;
            break;
        }
        at -= part_length(p, part);
    }
    return move;
}

static bool was_asked(const struct turn_list *turns, int64_t part, struct str question)
{
    for (size_t i = 0; i < turns->n; i++)
        if (turns->v[i].part == part && turns->v[i].speaker == SPEAKER_EXAMINER &&
            str_eq(turns->v[i].text, question))
            return true;
    return false;
}

/* True if the next turn is a question of the paper, not an instruction or the task. */
static bool is_choice(enum sitting_move move, const struct turn *next)
{
    return move == SITTING_SAY && next->part != 2 && strcmp(next->kind, TURN_INSTRUCTION) != 0;
}

bool sitting_question(const struct paper *p, const struct turn_list *turns, size_t i,
                      struct turn *out)
{
    struct turn next;
    const struct paper_questions *q;

    if (!is_choice(sitting_next(p, turns->n, &next), &next))
        return false;
    q = questions_of(p, next.part);
    if (i >= q->n || was_asked(turns, next.part, q->v[i].text))
        return false;
    *out = question_turn((int)next.part, &q->v[i]);
    out->position = next.position;
    return true;
}

static bool has_kind(const struct paper_questions *q, const char *kind)
{
    for (size_t i = 0; i < q->n; i++)
        if (strcmp(q->v[i].kind, kind) == 0)
            return true;
    return false;
}

bool sitting_fits(const struct paper *p, const struct turn_list *turns)
{
    for (size_t i = 0; i < turns->n; i++) {
        const struct turn *t = &turns->v[i];
        struct turn want;
        enum sitting_move move = sitting_next(p, i, &want);
        if (move == SITTING_DONE || t->position != want.position || t->part != want.part ||
            t->speaker != want.speaker)
            return false;
        if (is_choice(move, &want) ? !has_kind(questions_of(p, t->part), t->kind)
                                   : strcmp(t->kind, want.kind) != 0)
            return false;
    }
    return true;
}

/* ---- answers ---- */

/* The line without these at its beginning. */
static struct str without(struct str line, const char *signs)
{
    while (line.n && strchr(signs, line.p[0]))
        line = str_from(line, 1);
    return line;
}

/* "Name:" at the start of a line, with markup or numbering before it and some of `between` before
 * the colon. */
static bool begins_as(struct str line, struct str name, const char *between, struct str *rest)
{
    line = str_trim(line);
    while (line.n && !str_starts(line, name) && strchr("*#>[]. 0123456789", line.p[0]))
        line = str_from(line, 1);
    if (name.n == 0 || !str_drop(&line, name))
        return false;
    line = without(line, between);
    if (!str_drop(&line, STR(":")) && !str_drop(&line, STR("：")))
        return false;
    *rest = without(line, "* ");
    return true;
}

/* "Examiner:", "User 2:" and similar. Includes the roles of chat formats, which models write when
 * they continue the dialogue by themselves. */
static bool speaks_as_examiner(struct str line)
{
    static const char *const names[] = {"Examiner", "Interviewer", "User",    "Question", "考官",
                                        "面试官",   "提问者",      "用户",    "面接官",   "試験官",
                                        "質問者",   "聞き手",      "ユーザー"};
    struct str ignored;

    for (size_t i = 0; i < COUNT(names); i++)
        if (begins_as(line, str_of(names[i]), "*] 0123456789", &ignored))
            return true;
    return false;
}

/* Words of a name by which nobody is called alone. */
static bool is_title(struct str word)
{
    static const char *const are[] = {"The",     "Mr",     "Mrs",     "Ms",   "Miss",
                                      "Dr",      "Sir",    "Lady",    "Lord", "Sister",
                                      "Brother", "Father", "Uncle",   "Aunt", "Old",
                                      "Young",   "Little", "Captain", NULL};

    return str_any(word, str_eq, are) || utf8_count(word) < 2 || word.p[word.n - 1] == '.' ||
           (*word.p >= 'a' && *word.p <= 'z');
}

/* Length of the first word, up to a space or the dot between parts of foreign names. */
static size_t word_end(struct str name, size_t *gap)
{
    static const char *const gaps[] = {" ", "　", "·", "・"};
    size_t end = name.n;

    *gap = 0;
    for (size_t i = 0; i < COUNT(gaps); i++) {
        size_t at = str_find(name, str_of(gaps[i]));
        if (at < end) {
            end = at;
            *gap = strlen(gaps[i]);
        }
    }
    return end;
}

bool sitting_called(struct str *name, struct str *out)
{
    while (name->n) {
        size_t gap, end = word_end(*name, &gap);
        *out = (struct str){name->p, end};
        *name = str_from(*name, end + gap);
        if (out->n && !is_title(*out))
            return true;
    }
    return false;
}

bool sitting_speaks_as(struct str line, struct str name, struct str *rest)
{
    struct str word, words = name;

    if (begins_as(line, name, "*] ", rest))
        return true;
    while (sitting_called(&words, &word))
        if (begins_as(line, word, "*] ", rest))
            return true;
    return false;
}

struct str sitting_other_voice(struct str answer)
{
    struct str line;

    while (str_line(&answer, &line))
        if (speaks_as_examiner(line))
            return str_trim(line);
    return STR("");
}

/* Similar length, and nearly all of it in the same order. */
static bool is_alike(struct arena *scratch, struct runes a, struct str other)
{
    struct runes b = fold_text(scratch, other);
    size_t common;

    if (a.n > 2 * b.n || b.n > 2 * a.n)
        return false;
    common = similar_lcs(scratch, a, b);
    return 2 * (double)common >= alike * (double)(a.n + b.n);
}

static bool is_question(struct arena *scratch, const struct paper *p, struct str text)
{
    struct runes folded = fold_text(scratch, text);

    for (size_t i = 0; i < p->part1.n; i++)
        if (is_alike(scratch, folded, p->part1.v[i].text))
            return true;
    for (size_t i = 0; i < p->part3.n; i++)
        if (is_alike(scratch, folded, p->part3.v[i].text))
            return true;
    for (size_t i = 0; i < p->nprepared; i++)
        if (is_alike(scratch, folded, p->prepared[i]))
            return true;
    return false;
}

struct str sitting_answer(struct arena *a, const struct paper *p, struct str reply,
                          const char **why)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct str text = str_trim(reply), kept = utf8_head(text, SITTING_ANSWER_MAX);
    const char *oddity = "";

    if (sitting_other_voice(kept).n)
        oddity = "speaks for the examiner too";
    else if (is_question(scratch, p, kept))
        oddity = "is a question of the examiner's instead of an answer";
    *why = oddity;
    if (kept.n < text.n)
        *why = arena_printf(a, "cut: of %zu characters the first %d count%s%s", utf8_count(text),
                            SITTING_ANSWER_MAX, oddity[0] ? "; " : "", oddity);
    return arena_str(a, str_trim(kept));
}

/* ---- transcripts ---- */

void sitting_add(struct buf *b, struct str who, const struct turn *t)
{
    struct str rest = t->text, line;

    buf_fmt(b, "%s[%lld] %.*s:", b->n ? "\n" : "", (long long)t->position, STR_ARG(who));
    for (bool first = true; str_line(&rest, &line); first = false) {
        if (first || str_trim(line).n)
            buf_text(b, first ? " " : "    ");
        buf_add(b, line);
        buf_char(b, '\n');
    }
}

struct str sitting_transcript(struct arena *a, const struct sitting_names *names,
                              const struct turn_list *turns)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TRANSCRIPT_MAX);

    for (size_t i = 0; i < turns->n; i++) {
        const struct turn *t = &turns->v[i];
        sitting_add(&b, t->speaker == SPEAKER_MODEL ? names->model : names->examiner, t);
    }
    return arena_str(a, str_trim(buf_str(&b)));
}

/* Parses "[12] " at the start of a line and moves past it; 0 if the line does not begin a turn. */
static int64_t turn_number(struct str *line)
{
    struct str rest = *line, number;
    int64_t n;

    if (!str_drop(&rest, STR("[")) || str_starts(rest, STR("+")) ||
        !str_cut(rest, ']', &number, &rest) || !str_int(number, &n) || n <= 0 ||
        !str_drop(&rest, STR(" ")))
        return 0;
    *line = rest;
    return n;
}

bool sitting_said(struct str transcript, int64_t n, struct sitting_said *out)
{
    struct str rest = transcript, said = {0}, line, head;

    while (str_line(&rest, &line)) {
        const char *begin = line.p;
        int64_t number = turn_number(&line);
        if (number && said.p) { /* the next turn ends the requested one */
            said.n = (size_t)(begin - said.p);
            break;
        }
        if (number && number == n)
            said = (struct str){line.p, (size_t)(transcript.p + transcript.n - line.p)};
    }
    if (!said.p || !str_cut(said, ':', &head, &said))
        return false;
    *out = (struct sitting_said){head, str_trim(said)};
    return true;
}
