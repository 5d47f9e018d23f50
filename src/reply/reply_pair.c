#include "reply/reply_pair.h"

#include "base/json.h"
#include "reply/reply.h"
#include "reply/reply_fault.h"
#include "reply/reply_json.h"
#include "text/rune.h"

/* clang-format off */
/* Headings under which a verdict stands, compared without case and decoration. */
static const char *const verdict_heads[] = {
    "winner", "the winner", "better answer", "better response", "better line", "better reply",
    "verdict", "final verdict",
    "优胜", "胜者", "更好的回答", "更好的台词", "更好的回复", "更优的回答", "更优的台词",
    "更优的回复", "最终选择", "结论", "優れているセリフ", "優れている回答", "優れている返答",
    "より良いセリフ", "より良い回答", "より良い返答", "優れたセリフ", "優れた回答",
    "優れた返答", "勝者", "判定", "結論", NULL,
};
/* clang-format on */

/* Headings that end it. */
static const char *const comment_heads[] = {
    "comment",  "comments",     "reason", "reasons", "reasoning", "analysis", "explanation",
    "评语",     "评价",         "评论",   "理由",    "分析",      "说明",     "评审意见",
    "コメント", "評価コメント", "評価",   "説明",    "講評",      NULL};

static const char *const winners[] = {"winner", "better", "verdict",  "优胜",
                                      "胜者",   "勝者",   "優れた方", NULL};
static const char *const analyses[] = {"analysis", "reason", "comment", "分析",
                                       "理由",     "评语",   "講評",    NULL};

/* What may stand before the letter, and after it when the answer is a sentence. */
static const char *const nouns[] = {"answer", "response", "reply", "line", "option",
                                    "回答",   "回复",     "台词",  "选项", "セリフ",
                                    "返答",   "選択肢",   NULL};
static const char *const claims[] = {"is better",
                                     "wins",
                                     "更好",
                                     "更优",
                                     "胜出",
                                     "が優れている",
                                     "が優れています",
                                     "の方が優れています",
                                     "の方が優れている",
                                     "です",
                                     NULL};

static const char *const ties[] = {"tie", "draw", "平局", "平手", "引き分け", "同点", NULL};

/* Words of an instruction with a condition: an echo of what the judge was told. */
static const char *const conditions[] = {"場合", "如果", "则输出", "if ", NULL};

struct reading {
    struct arena *a;
    const struct pair_ask *ask;
    const char *language;
    struct pair_reply *out;
    enum pair_choice choice; /* found so far */
};

const char *reply_pair_word(enum pair_choice c)
{
    static const char *const words[] = {"", "A", "B", "tie"};

    return words[c];
}

enum pair_choice reply_pair_choice(struct str word)
{
    for (int c = PAIR_A; c <= PAIR_TIE; c++)
        if (str_is(word, reply_pair_word((enum pair_choice)c)))
            return (enum pair_choice)c;
    return PAIR_NONE;
}

/* ---- faults ---- */

static void fault(struct reading *r, enum fault kind, struct str found)
{
    static const struct str with[] = {{"A", 1}, {"B", 1}, {"tie", 3}};
    struct fault_words w = {.dimension = r->ask->character, .found = found};

    if (r->out->fault)
        return;
    w.allowed = kind == FAULT_LONG
                    ? str_of(arena_int(r->a, REPLY_MAX))
                    : reply_fault_list(r->a, with, r->ask->ties ? 3 : 2, r->language);
    r->out->fault = reply_fault_text(r->a, kind, w, r->language);
    r->out->kind = reply_fault_kind(kind);
}

/* A further verdict in the same reply must be the same. */
static void note(struct reading *r, enum pair_choice c)
{
    if (r->choice != PAIR_NONE && r->choice != c)
        fault(r, FAULT_VERDICTS, STR(""));
    r->choice = c;
}

/* ---- words ---- */

/* Marks that decorate a letter or a heading: white space, emphasis, quotes, brackets, stops. */
static bool is_dress(uint32_t c)
{
    static const char plain[] = " \t\r\n#*_`\"'()[]<>.,:;!-";
    static const uint32_t wide[] = {0x3000, 0x3001, 0x3002, 0xFF1A, 0xFF0E, 0xFF0C, 0xFF01, 0xFF08,
                                    0xFF09, 0x2018, 0x2019, 0x201C, 0x201D, 0xFF3B, 0xFF3D};

    if (c < 0x80)
        return c && strchr(plain, (int)c);
    return rune_among(c, wide, COUNT(wide)) || (c >= 0x3008 && c <= 0x3011) ||
           (c >= 0x3014 && c <= 0x301B);
}

static struct str undress(struct str s)
{
    struct str rest = s;
    size_t keep = 0;

    while (rest.n && is_dress(utf8_next(&rest)))
        s = rest;
    for (rest = s; rest.n;)
        if (!is_dress(utf8_next(&rest)))
            keep = (size_t)(rest.p - s.p);
    return (struct str){s.p, keep};
}

/* Take the letter A or B off the head of *s. */
static enum pair_choice take_letter(struct str *s)
{
    struct str rest = *s;
    uint32_t c = rest.n ? utf8_next(&rest) : 0;
    enum pair_choice found = c == 'A' || c == 'a' || c == 0xFF21 || c == 0xFF41   ? PAIR_A
                             : c == 'B' || c == 'b' || c == 0xFF22 || c == 0xFF42 ? PAIR_B
                                                                                  : PAIR_NONE;
    if (found != PAIR_NONE)
        *s = rest;
    return found;
}

/* A letter alone, also as "answer A" or "A is better", or a tie. */
static enum pair_choice whole(const struct reading *r, struct str s)
{
    enum pair_choice c;

    s = undress(s);
    if (r->ask->ties && str_any(s, str_eq_nocase, ties))
        return PAIR_TIE;
    for (const char *const *noun = nouns; *noun; noun++)
        if (str_starts_nocase(s, str_of(*noun))) {
            s = undress(str_from(s, strlen(*noun)));
            break;
        }
    c = take_letter(&s);
    s = undress(s);
    return s.n == 0 || str_any(s, str_eq_nocase, claims) ? c : PAIR_NONE;
}

static bool take_colon(struct str *s)
{
    while (s->n) {
        uint32_t c = utf8_next(s);
        if (c == ':' || c == 0xFF1A)
            return true;
        if (!is_dress(c))
            return false;
    }
    return false;
}

/* "A: the text of the answer". A letter after the colon is a verdict on something called A. */
static enum pair_choice with_text(const struct reading *r, struct str s)
{
    enum pair_choice c;

    s = undress(s);
    c = take_letter(&s);
    if (c == PAIR_NONE || !take_colon(&s) || whole(r, s) != PAIR_NONE)
        return PAIR_NONE;
    return c;
}

static enum pair_choice answer(const struct reading *r, struct str line)
{
    enum pair_choice c = whole(r, line);

    return c == PAIR_NONE ? with_text(r, line) : c;
}

static bool is_echo(struct str line)
{
    return str_any(line, str_holds, conditions) && str_holds(line, STR("A")) &&
           str_holds(line, STR("B"));
}

/* ---- under a heading ---- */

/* A heading alone on its line, or followed by a colon and the answer. */
static bool is_heading(struct str line, struct str *after)
{
    line = undress(line);
    *after = STR("");
    for (const char *const *head = verdict_heads; *head; head++) {
        struct str rest;
        if (!str_starts_nocase(line, str_of(*head)))
            continue;
        rest = str_from(line, strlen(*head));
        if (rest.n == 0)
            return true;
        if (take_colon(&rest)) {
            *after = rest;
            return true;
        }
    }
    return false;
}

/* The lines of one verdict: the first says it; those up to the comment may only go on with its
 * text. *rest is what was not looked at. */
static void section(struct reading *r, struct str first, struct str *rest)
{
    enum pair_choice c = answer(r, first);
    struct str line, after, from = *rest;

    while (str_line(rest, &line)) {
        enum pair_choice other = answer(r, line);
        if (is_heading(line, &after)) {
            *rest = from;
            break;
        }
        from = *rest;
        if (str_any(undress(line), str_eq_nocase, comment_heads))
            break;
        if (undress(line).n == 0)
            continue;
        if (c == PAIR_NONE && other == PAIR_NONE && undress(first).n == 0 && is_echo(line))
            continue;
        if (c == PAIR_NONE && undress(first).n == 0) {
            first = line;
            c = other;
        } else if (other != PAIR_NONE) {
            note(r, other);
        }
    }
    if (c == PAIR_NONE)
        fault(r, FAULT_NO_VERDICT, STR(""));
    else
        note(r, c);
}

/* Every verdict heading of the text; true when there is one. */
static bool read_headings(struct reading *r, struct str text)
{
    struct str line, after;
    bool any = false;

    while (str_line(&text, &line)) {
        if (!is_heading(line, &after))
            continue;
        any = true;
        section(r, after, &text);
    }
    return any;
}

/* ---- our own form ---- */

static const json_t *member(json_t *object, const char *const *list)
{
    const char *key;
    json_t *v;

    json_object_foreach(object, key, v)
    {
        if (str_any(str_trim(str_of(key)), str_eq_nocase, list))
            return v;
    }
    return NULL;
}

/* True when the object gives a verdict, good or not. */
static bool read_object(struct reading *r, struct str text, const struct reply_object *o)
{
    AUTO(buf_done) struct buf b = BUF_MAX(6 * (size_t)REPLY_MAX);
    AUTO(json_freep) json_t *j = NULL;
    const json_t *winner, *analysis;
    enum pair_choice c;
    struct err e = {0};

    reply_json_write(text, o, &b);
    if (json_read(buf_str(&b), &j, &e) != OK || !(winner = member(j, winners)))
        return false;
    analysis = member(j, analyses);
    if (json_is_string(analysis))
        r->out->reason = arena_str(r->a, json_str(analysis));
    c = json_is_string(winner) ? whole(r, json_str(winner)) : PAIR_NONE;
    if (c == PAIR_NONE)
        fault(r, FAULT_CHOICE,
              json_is_string(winner) ? arena_str(r->a, json_str(winner))
                                     : str_of(json_text(r->a, winner)));
    else
        note(r, c);
    return true;
}

/* True when some object gives a verdict. *spoilt: what is wrong with one that does not. */
static bool read_objects(struct reading *r, struct str text, size_t *begin,
                         struct reply_object *spoilt)
{
    struct reply_object o;
    size_t at = 0;
    bool any = false;

    while (reply_json_next(text, &at, &o)) {
        if (o.state != OBJECT_WHOLE) {
            *spoilt = o;
        } else if (read_object(r, text, &o)) {
            *begin = any ? *begin : o.begin;
            any = true;
        }
    }
    return any;
}

/* ---- the whole ---- */

/* Scripts that a name may change between: 桜木ひかり is called ひかり. */
static int script_of(uint32_t c)
{
    if (c < 0x80)
        return strchr(" -.'", (int)c) ? 0 : 1;
    if (c == 0x30FB || c == 0xB7 || c == 0x3000) /* middle dots and the wide space */
        return 0;
    return c >= 0x3040 && c <= 0x309F                                     ? 2
           : c >= 0x30A0 && c <= 0x30FF                                   ? 3
           : (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ? 4
                                                                          : 1;
}

/* The first part of a name that is written in one script; *name moves past it. */
static struct str take_part(struct str *name)
{
    struct str part = {name->p, 0}, rest = *name;
    int script = script_of(utf8_next(&rest));

    for (;;) {
        part.n = (size_t)(rest.p - part.p);
        *name = rest;
        if (rest.n == 0 || script_of(utf8_next(&rest)) != script)
            return script ? part : STR("");
    }
}

/* The text names the character, in full or by a part of the name. */
static bool mentions(struct str text, struct str name)
{
    if (str_find(text, name) != SIZE_MAX)
        return true;
    while (name.n) {
        struct str part = take_part(&name);
        if (utf8_count(part) >= 2 && str_find(text, part) != SIZE_MAX)
            return true;
    }
    return false;
}

/* The reply speaks of a character that the case has nothing to do with, and never of the one it was
 * asked about: its letter belongs to another case. */
static void check_character(struct reading *r, struct str text)
{
    if (r->ask->character.n == 0 || mentions(text, r->ask->character))
        return;
    for (size_t i = 0; i < r->ask->nothers; i++)
        if (r->ask->others[i].n && str_find(text, r->ask->others[i]) != SIZE_MAX) {
            fault(r, FAULT_CHARACTER, r->ask->others[i]);
            return;
        }
}

static void read_form(struct reading *r, struct str text)
{
    struct reply_object spoilt = {.state = OBJECT_WHOLE};
    size_t begin = 0;

    if (read_objects(r, text, &begin, &spoilt)) {
        (void)read_headings(r, (struct str){text.p, begin});
        return;
    }
    if (read_headings(r, text))
        return;
    r->choice = whole(r, text);
    if (r->choice != PAIR_NONE)
        return;
    if (spoilt.state == OBJECT_CUT)
        fault(r, FAULT_CUT, STR(""));
    else if (spoilt.state == OBJECT_BROKEN)
        fault(r, FAULT_BROKEN, str_from(text, spoilt.fault));
    else
        fault(r, FAULT_NO_VERDICT, STR(""));
}

void reply_pair_read(struct arena *a, struct str text, const struct pair_ask *ask,
                     const char *language, struct pair_reply *out)
{
    struct reading r = {.a = a, .ask = ask, .language = language, .out = out};

    *out = (struct pair_reply){.choice = PAIR_NONE};
    if (text.n > REPLY_MAX)
        fault(&r, FAULT_LONG, STR(""));
    else if (utf8_check(text) != text.n)
        fault(&r, FAULT_NO_VERDICT, STR(""));
    else if (str_trim(text).n == 0)
        fault(&r, FAULT_EMPTY, STR(""));
    else
        read_form(&r, text);
    if (!out->fault)
        check_character(&r, text);
    if (!out->fault)
        out->choice = r.choice;
}
