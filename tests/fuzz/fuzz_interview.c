/* Any bytes are an examiner's reply, a model's answer, and a stored paper: a follow-up is taken
 * only with words that were said, an answer never looks like a turn, and a paper is whole or
 * refused. */
#include <stdlib.h>

#include "talk/examiner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool good)
{
    if (!good)
        abort();
}

static const struct paper paper = {.nprepared = 0};

/* The text is what was said, and then what the examiner makes of it. */
static void check_reply(struct arena *a, struct str text, const char *language)
{
    struct suite s = {.language = language};
    struct character who = {.id = "x", .name = STR("X")};
    struct turn turns[] = {
        {.position = 1, .part = 2, .kind = TURN_TASK, .text = STR("{\"quote\": \"ab\"}")},
        {.position = 2, .part = 2, .speaker = SPEAKER_MODEL, .kind = TURN_ANSWER, .text = text}};
    struct turn_list said = {turns, COUNT(turns)};
    struct examiner_case c = {&s, &who, &paper, &said};
    struct examiner_follow_up f;
    const char *fault = examiner_read(a, &c, text, &f);

    expect(!fault || (fault[0] && utf8_check(str_of(fault)) == strlen(fault)));
    if (!fault)
        expect(f.quote.n >= 2 && f.question.n && str_find(text, f.quote) != SIZE_MAX);
    expect(examiner_vars(a, &c).n > 0);
}

static void check_answer(struct arena *a, struct str text)
{
    const struct sitting_names names = {STR("E"), STR("M")};
    const char *why;
    struct turn turn = {.position = 1, .speaker = SPEAKER_MODEL};
    struct turn_list turns = {&turn, 1};
    struct str line, rest;

    turn.text = sitting_answer(a, &paper, text, &why);
    expect(why && utf8_count(turn.text) <= SITTING_ANSWER_MAX);
    expect(utf8_check(turn.text) == turn.text.n);
    rest = sitting_transcript(a, &names, &turns);
    expect(str_line(&rest, &line) && str_starts(line, STR("[1] M:")));
    while (str_line(&rest, &line))
        expect(!str_starts(line, STR("[")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = {(const char *)data, size};
    struct err e = {0};
    struct paper p;

    if (utf8_check(text) != size || (size && memchr(data, '\0', size)))
        return 0; /* it was checked where it came in */
    check_reply(a, text, "en");
    check_reply(a, text, "ja");
    check_answer(a, text);
    if (paper_thaw(a, text, &p, &e) == OK)
        expect(sitting_length(&p) > 0 && paper_freeze(a, &p));
    return 0;
}
