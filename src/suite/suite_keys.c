/* The keys of a suite file, and how a run stores them.
 *
 * A frozen suite has the structure of a suite file with everything written out, so that the same
 * code reads both. The keys are documented in share/keys/suite.yaml. */
#include <float.h>

#include "suite/card.h"
#include "suite/suite_read.h"
#include "suite/template.h"

#define AT(type, member) .at = offsetof(struct type, member)
#define N(type, member)  .count = offsetof(struct type, member)

enum {
    PLAIN = SHAPE_KIND(ELICIT_SINGLE) | SHAPE_KIND(ELICIT_CONTINUE),
    INTERVIEW = SHAPE_KIND(ELICIT_INTERVIEW),
    DIALOGUE = SHAPE_KIND(ELICIT_DIALOGUE),
    MARKED = SHAPE_KIND(INSTRUMENT_DIMENSIONS),
    PAIR = SHAPE_KIND(INSTRUMENT_PAIR),
    MEAN = SHAPE_KIND(SCORE_MEAN_OF_ITEMS) | SHAPE_KIND(SCORE_WEIGHTED_MEAN),
    SUM = SHAPE_KIND(SCORE_SUM),
    RATING = SHAPE_KIND(SCORE_RATING),
    BY_HAND = SHAPE_HAND | SHAPE_FILE,
    LINES_MAX = 10000,
    MARK_MAX = 1000000,
};

static const char *const elicit_words[] = {[ELICIT_SINGLE] = "single",
                                           [ELICIT_CONTINUE] = "continue",
                                           [ELICIT_INTERVIEW] = "interview",
                                           [ELICIT_DIALOGUE] = "dialogue"};
static const char *const instrument_words[] = {
    [INSTRUMENT_DIMENSIONS] = "dimensions", [INSTRUMENT_PAIR] = "pair"};
static const char *const flagged_words[] = {
    [FLAGGED_IGNORE] = "ignore", [FLAGGED_LOSE] = "lose", [FLAGGED_DROP] = "drop"};
static const char *const score_words[] = {[SCORE_MEAN_OF_ITEMS] = "mean-of-items",
                                          [SCORE_SUM] = "sum",
                                          [SCORE_WEIGHTED_MEAN] = "weighted-mean",
                                          [SCORE_TOTALS] = "totals",
                                          [SCORE_BAND] = "band",
                                          [SCORE_RATING] = "rating"};
static const char *const round_words[] = {
    [ROUND_NONE] = "none", [ROUND_NEAREST] = "nearest", [ROUND_DOWN] = "down", [ROUND_UP] = "up"};
static const char *const order_words[] = {"one", "both"},
                         *const better_words[] = {"higher", "lower"},
                         *const period_words[] = {"battle", "run"};

/* ---- characters and templates ---- */

static bool write_lorebook(const struct shape_writing *w, const void *in)
{
    const struct character *who = in;
    AUTO(json_freep) json_t *j = who->lorebook ? card_book_json(who->lorebook) : NULL;

    if (j)
        buf_text(w->b, json_text(w->a, j));
    return j;
}

static const struct shape_key character_keys[] = {
    {"id", SHAPE_ID, AT(character, id)},
    {"name", SHAPE_TEXT, SHAPE_NEEDED, AT(character, name)},
    {"text", SHAPE_TEXT, SHAPE_HAND, AT(character, text)},
    {"description", SHAPE_TEXT, BY_HAND, AT(character, text)},
    {"card", SHAPE_TEXT, BY_HAND, AT(character, text)},
    {"greeting", SHAPE_TEXT, AT(character, greeting)},
    {"language", SHAPE_OWN, .is = SHAPE_FILE},
    {"lorebook", SHAPE_OWN, .write = write_lorebook},
};
const struct shape suite_character_shape = {
    SHAPE_OF("character", character_keys, struct character)};

static const struct shape_key template_keys[] = {
    {"name", SHAPE_WORD, SHAPE_HAND, AT(template, name)},
    {"system", SHAPE_PLAIN, SHAPE_HAND, AT(template, system)},
    {"user", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(template, user)},
    {"repair", SHAPE_PLAIN, SHAPE_HAND, AT(template, repair)},
};
const struct shape suite_template_shape = {SHAPE_OF("template", template_keys, struct template)};

static const struct shape_key follow_up_keys[] = {
    {"system", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(template, system)},
    {"user", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(template, user)},
    {"repair", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(template, repair)},
};
const struct shape suite_follow_up_shape = {SHAPE_OF("follow_up", follow_up_keys, struct template)};

static const struct shape_key words_keys[] = {
    {"name", SHAPE_WORD, AT(interview_template, name)},
    {"examiner", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, examiner)},
    {"system", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, system)},
    {"part1", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, part[0])},
    {"part2", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, part[1])},
    {"part3", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, part[2])},
    {"task", SHAPE_PLAIN, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, task)},
    {"follow_up", SHAPE_MAP, SHAPE_HAND | SHAPE_NEEDED, AT(interview_template, follow_up),
     .of = &suite_follow_up_shape},
};
const struct shape suite_words_shape = {
    SHAPE_OF("interview_template", words_keys, struct interview_template)};

static const struct shape_key dialogue_words_keys[] = {
    {"name", SHAPE_WORD, AT(dialogue_template, name)},
    {"system", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, system)},
    {"user", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, user)},
    {"opening", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, opening)},
    {"about", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, about)},
    {"leave", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, leave)},
    {"summary", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, summary)},
    {"recall", SHAPE_PLAIN, SHAPE_NEEDED, AT(dialogue_template, recall)},
    {"member", SHAPE_PLAIN, SHAPE_SPARE, AT(dialogue_template, member)},
    {"ensemble", SHAPE_PLAIN, SHAPE_SPARE, AT(dialogue_template, ensemble)},
    {"cue", SHAPE_PLAIN, SHAPE_SPARE, AT(dialogue_template, cue)},
    {"director", SHAPE_PLAIN, SHAPE_SPARE, AT(dialogue_template, director)},
};
const struct shape suite_dialogue_words_shape = {
    SHAPE_OF("dialogue_template", dialogue_words_keys, struct dialogue_template)};

/* ---- users ---- */

static const struct shape_key style_keys[] = {
    {"length", SHAPE_TEXT, AT(user_style, length)},
    {"typos", SHAPE_TEXT, AT(user_style, typos)},
    {"mood", SHAPE_TEXT, AT(user_style, mood)},
};
static const struct shape suite_style_shape = {SHAPE_OF("writes", style_keys, struct user_style)};

static const struct shape_key topic_keys[] = {
    {"at", SHAPE_INT, SHAPE_NEEDED, AT(user_topic, at), .min = 1, .max = USER_TURNS_MAX},
    {"until", SHAPE_INT, AT(user_topic, until), .max = USER_TURNS_MAX},
    {"say", SHAPE_TEXT, AT(user_topic, say)},
    {"about", SHAPE_TEXT, AT(user_topic, about)},
};
static const struct shape suite_topic_shape = {SHAPE_OF("topic", topic_keys, struct user_topic)};

static const struct shape_key fact_keys[] = {
    {"id", SHAPE_ID, SHAPE_NEEDED, AT(user_fact, id)},
    {"at", SHAPE_INT, SHAPE_NEEDED, AT(user_fact, at), .min = 1, .max = USER_TURNS_MAX},
    {"tell", SHAPE_TEXT, AT(user_fact, tell)},
    {"ask", SHAPE_TEXT, SHAPE_NEEDED, AT(user_fact, ask)},
    {"expect", SHAPE_TEXTS, SHAPE_NEEDED, AT(user_fact, expect), N(user_fact, nexpect), .min = 1,
     .max = 100},
    {"again", SHAPE_TEXTS, SHAPE_SPARE, AT(user_fact, again), N(user_fact, nagain), .max = 20},
};
static const struct shape suite_told_fact_shape = {SHAPE_OF("fact", fact_keys, struct user_fact)};

static const struct shape_key leave_keys[] = {
    {"after", SHAPE_INT, AT(user_leave, after), .max = USER_TURNS_MAX},
    {"when", SHAPE_TEXT, AT(user_leave, when)},
    {"words", SHAPE_TEXT, AT(user_leave, words)},
};
static const struct shape suite_leave_shape = {SHAPE_OF("leaves", leave_keys, struct user_leave)};

static const struct shape_key user_keys[] = {
    {"user", SHAPE_ID, AT(user, id)},
    {"name", SHAPE_TEXT, SHAPE_NEEDED, AT(user, name)},
    {"language", SHAPE_OWN, .is = SHAPE_FILE},
    {"who", SHAPE_TEXT, SHAPE_NEEDED, AT(user, who)},
    {"wants", SHAPE_TEXT, SHAPE_NEEDED, AT(user, wants)},
    {"writes", SHAPE_MAP, AT(user, writes), .of = &suite_style_shape},
    {"lines", SHAPE_TEXTS, SHAPE_HAND, AT(user, lines), N(user, nlines), .max = USER_TURNS_MAX},
    {"brings", SHAPE_LIST, AT(user, brings), N(user, nbrings), .of = &suite_topic_shape,
     .max = USER_TURNS_MAX},
    {"facts", SHAPE_LIST, AT(user, facts), N(user, nfacts), .of = &suite_told_fact_shape,
     .max = 50},
    {"leaves", SHAPE_MAP, AT(user, leaves), .of = &suite_leave_shape},
};
const struct shape suite_user_shape = {SHAPE_OF("user", user_keys, struct user)};

static const struct shape_key player_keys[] = {
    {"file", SHAPE_OWN, .is = SHAPE_FILE},
    {"by", SHAPE_CHOICE, AT(dialogue, by), SHAPE_WORDS(vocab_users)},
};
static const struct shape suite_player_shape = {SHAPE_OF("player", player_keys, struct dialogue)};

static const struct shape_key until_keys[] = {
    {"words", SHAPE_TEXTS, AT(dialogue_until, words), N(dialogue_until, nwords), .max = 100},
    {"broken", SHAPE_BOOL, AT(dialogue_until, broken)},
};
static const struct shape suite_until_shape = {
    SHAPE_OF("until", until_keys, struct dialogue_until)};

/* ---- casts ---- */

static const char *const takes_words[] = {[TAKES_ROUND] = "round-robin",
                                          [TAKES_NAME] = "by-name",
                                          [TAKES_DIRECTOR] = "director",
                                          [TAKES_SCRIPT] = "script"};
static const char *const plays_words[] = {"all", "each"}, *const other_words[] = {"model", "other"};

static const struct shape_key member_keys[] = {
    {"character", SHAPE_WORD, SHAPE_NEEDED, AT(cast_member, character)},
    {"from", SHAPE_INT, AT(cast_member, from), .max = USER_TURNS_MAX},
    {"to", SHAPE_INT, AT(cast_member, to), .max = USER_TURNS_MAX},
    {"by", SHAPE_EITHER, AT(cast_member, other), SHAPE_WORDS(other_words)},
};
static const struct shape suite_member_shape = {
    SHAPE_OF("member", member_keys, struct cast_member)};

static const struct shape_key event_keys[] = {
    {"at", SHAPE_INT, SHAPE_NEEDED, AT(cast_event, at), .min = 1, .max = USER_TURNS_MAX},
    {"text", SHAPE_TEXT, SHAPE_NEEDED, AT(cast_event, text)},
    {"seen", SHAPE_TEXTS, AT(cast_event, seen), N(cast_event, nseen), .max = 50},
};
static const struct shape suite_event_shape = {SHAPE_OF("event", event_keys, struct cast_event)};

static const struct shape_key known_keys[] = {
    {"id", SHAPE_ID, SHAPE_NEEDED, AT(cast_fact, id)},
    {"fact", SHAPE_TEXT, SHAPE_NEEDED, AT(cast_fact, fact)},
    {"words", SHAPE_TEXTS, SHAPE_NEEDED, AT(cast_fact, words), N(cast_fact, nwords), .min = 1,
     .max = 100},
    {"witnesses", SHAPE_TEXTS, SHAPE_NEEDED, AT(cast_fact, witnesses), N(cast_fact, nwitnesses),
     .max = 50},
    {"from", SHAPE_INT, AT(cast_fact, from), .max = USER_TURNS_MAX},
};
static const struct shape suite_known_shape = {SHAPE_OF("known", known_keys, struct cast_fact)};

static const struct shape_key cast_keys[] = {
    {"cast", SHAPE_ID, AT(cast, id)},
    {"file", SHAPE_OWN, .is = SHAPE_FILE},
    {"plays", SHAPE_EITHER, AT(cast, each), SHAPE_WORDS(plays_words)},
    {"members", SHAPE_LIST, AT(cast, members), N(cast, nmembers), .of = &suite_member_shape,
     .min = 2, .max = 50},
    {"takes", SHAPE_CHOICE, AT(cast, takes), SHAPE_WORDS(takes_words)},
    {"order", SHAPE_TEXTS, AT(cast, order), N(cast, norder), .max = USER_TURNS_MAX},
    {"events", SHAPE_LIST, AT(cast, events), N(cast, nevents), .of = &suite_event_shape,
     .max = USER_TURNS_MAX},
    {"facts", SHAPE_LIST, AT(cast, facts), N(cast, nfacts), .of = &suite_known_shape, .max = 100},
};
const struct shape suite_cast_shape = {SHAPE_OF("cast", cast_keys, struct cast)};

static bool write_cast(const struct shape_writing *w, const void *in)
{
    const struct cast *c = &((const struct elicit *)in)->dialogue.cast;

    if (c->nmembers)
        shape_write(w, &suite_cast_shape, c);
    return c->nmembers > 0;
}

/* ---- elicit ---- */

/* whole, {last: 12} or {summary: 20} */
static bool write_context(const struct shape_writing *w, const void *in)
{
    const struct dialogue *d = &((const struct elicit *)in)->dialogue;

    if (d->context == CONTEXT_WHOLE)
        buf_text(w->b, "\"whole\"");
    else
        buf_fmt(w->b, "{\"%s\":%d}", d->context == CONTEXT_LAST ? "last" : "summary", d->keep);
    return true;
}

static bool write_template(const struct shape_writing *w, const void *in)
{
    const struct elicit *e = in;

    if (e->kind == ELICIT_INTERVIEW)
        shape_write(w, &suite_words_shape, &e->interview.template);
    else if (e->kind == ELICIT_DIALOGUE)
        shape_write(w, &suite_dialogue_words_shape, &e->dialogue.template);
    else
        shape_write(w, &suite_template_shape, &e->template);
    return true;
}

static bool write_systems(const struct shape_writing *w, const void *in)
{
    const struct elicit *e = in;

    for (size_t i = 0; i < e->nsystems; i++) {
        buf_text(w->b, i ? "," : "{");
        shape_put_text(w->b, e->systems[i].kind);
        buf_char(w->b, ':');
        shape_put_text(w->b, e->systems[i].text);
    }
    buf_char(w->b, '}');
    return e->nsystems > 0;
}

/* all, first-line or {first-lines: 3}; `lines` is a separate key */
static bool write_take(const struct shape_writing *w, const void *in)
{
    const struct elicit *e = in;

    if (e->take == TAKE_FIRST_LINES && e->lines > 1)
        buf_fmt(w->b, "{\"first-lines\":%d}", e->lines);
    else
        buf_text(w->b, e->take == TAKE_FIRST_LINES ? "\"first-line\"" : "\"all\"");
    return e->take != TAKE_LINES;
}

static bool write_lines(const struct shape_writing *w, const void *in)
{
    const struct elicit *e = in;

    buf_fmt(w->b, "%d", e->lines);
    return e->take == TAKE_LINES;
}

static const struct shape_key elicit_keys[] = {
    {"kind", SHAPE_CHOICE, AT(elicit, kind), SHAPE_WORDS(elicit_words)},
    {"repeats", SHAPE_INT, AT(elicit, repeats), .min = 1, .max = 1000, .otherwise = 1},
    {"system", SHAPE_OWN, SHAPE_FILE, .kinds = PLAIN},
    {"template", SHAPE_OWN, .write = write_template, .of = &suite_words_shape},
    {"systems", SHAPE_OWN, .min = 1, .max = SYSTEMS_MAX, .write = write_systems, .kinds = PLAIN},
    {"bank", SHAPE_WORD, SHAPE_HAND | SHAPE_NEEDED, AT(elicit, interview.bank), .kinds = INTERVIEW},
    {"sittings", SHAPE_INT, AT(elicit, interview.sittings), .min = 1, .max = 10000, .otherwise = 3,
     .kinds = INTERVIEW},
    {"part1", SHAPE_INT, AT(elicit, interview.part1), .min = PART_KINDS, .max = 100,
     .otherwise = PART_KINDS, .kinds = INTERVIEW},
    {"follow_ups", SHAPE_INT, AT(elicit, interview.follow_ups), .min = 1, .max = FOLLOW_UPS_MAX,
     .otherwise = FOLLOW_UPS_MAX, .kinds = INTERVIEW},
    {"part3", SHAPE_INT, AT(elicit, interview.part3), .min = PART_KINDS, .max = 100,
     .otherwise = PART_KINDS, .kinds = INTERVIEW},
    {"examiner", SHAPE_CHOICE, AT(elicit, interview.examiner), SHAPE_WORDS(vocab_examiners),
     .kinds = INTERVIEW},
    {"turns", SHAPE_INT, AT(elicit, dialogue.turns), .min = 1, .max = USER_TURNS_MAX,
     .otherwise = 24, .kinds = DIALOGUE},
    {"user", SHAPE_MAP, AT(elicit, dialogue), .of = &suite_player_shape, .kinds = DIALOGUE},
    {"users", SHAPE_LIST, SHAPE_HAND, AT(elicit, dialogue.users), N(elicit, dialogue.nusers),
     .of = &suite_user_shape, .min = 1, .max = USERS_MAX, .kinds = DIALOGUE},
    {"cast", SHAPE_OWN, .write = write_cast, .of = &suite_cast_shape, .kinds = DIALOGUE},
    {"context", SHAPE_OWN, .min = 1, .max = USER_TURNS_MAX, .write = write_context,
     .kinds = DIALOGUE},
    {"until", SHAPE_MAP, AT(elicit, dialogue.until), .of = &suite_until_shape, .kinds = DIALOGUE},
    {"take", SHAPE_OWN, .min = 1, .max = LINES_MAX, .write = write_take, .kinds = PLAIN},
    {"lines", SHAPE_OWN, .min = 1, .max = LINES_MAX, .write = write_lines, .kinds = PLAIN},
    {"sampling", SHAPE_JSON, AT(elicit, sampling)},
};
const struct shape suite_elicit_shape = {SHAPE_OF("elicit", elicit_keys, struct elicit),
                                         .by = "kind"};

/* ---- instrument ---- */

static const struct shape_key level_keys[] = {
    {"value", SHAPE_REAL, SHAPE_HAND | SHAPE_NEEDED, AT(level, value)},
    {"text", SHAPE_TEXT, SHAPE_HAND | SHAPE_NEEDED, AT(level, text)},
};
const struct shape suite_level_shape = {SHAPE_OF("level", level_keys, struct level)};

/* Written only without levels, which list every value. */
static bool write_scale(const struct shape_writing *w, const void *in)
{
    const struct dimension *d = in;

    buf_char(w->b, '[');
    shape_put_real(w->b, d->min);
    buf_char(w->b, ',');
    shape_put_real(w->b, d->max);
    buf_char(w->b, ']');
    return d->nlevels == 0;
}

static bool write_step(const struct shape_writing *w, const void *in)
{
    const struct dimension *d = in;

    buf_text(w->b, d->whole ? "\"1\"" : "\"any\"");
    return d->nlevels == 0;
}

static const struct shape_key dimension_keys[] = {
    {"each", SHAPE_OWN, .is = SHAPE_FILE},
    {"id", SHAPE_NAME, SHAPE_NEEDED, AT(dimension, id)},
    {"title", SHAPE_TEXT, AT(dimension, title)},
    {"description", SHAPE_TEXT, AT(dimension, description)},
    {"weight", SHAPE_REAL, AT(dimension, weight), .max = DBL_MAX, .otherwise = 1},
    {"levels", SHAPE_LIST, SHAPE_HAND | SHAPE_SPARE, AT(dimension, levels), N(dimension, nlevels),
     .of = &suite_level_shape, .min = LEVELS_MIN, .max = LEVELS_MAX},
    {"scale", SHAPE_OWN, .write = write_scale},
    {"step", SHAPE_OWN, .write = write_step},
    {"better", SHAPE_EITHER, AT(dimension, lower_is_better), SHAPE_WORDS(better_words)},
};
const struct shape suite_dimension_shape = {
    SHAPE_OF("dimension", dimension_keys, struct dimension)};

/* whole, turn or {window: 6} */
static bool write_over(const struct shape_writing *w, const void *in)
{
    const struct instrument *i = in;

    if (i->window <= 1)
        buf_text(w->b, i->window ? "\"turn\"" : "\"whole\"");
    else
        buf_fmt(w->b, "{\"window\":%d}", i->window);
    return true;
}

static const struct shape_key instrument_keys[] = {
    {"kind", SHAPE_CHOICE, AT(instrument, kind), SHAPE_WORDS(instrument_words)},
    {"use", SHAPE_OWN, SHAPE_FILE, .kinds = MARKED, .of = &suite_used_shape},
    {"weights", SHAPE_OWN, SHAPE_FILE, .kinds = MARKED},
    {"scene", SHAPE_TEXT, SHAPE_HAND, AT(instrument, scene), .kinds = MARKED,
     .of = &suite_scene_shape},
    {"scene_title", SHAPE_TEXT, BY_HAND, .kinds = MARKED},
    {"scene_description", SHAPE_TEXT, SHAPE_HAND, AT(instrument, scene_description),
     .kinds = MARKED},
    {"score_details", SHAPE_TEXT, SHAPE_HAND, AT(instrument, score_details), .kinds = MARKED},
    {"steps", SHAPE_TEXT, SHAPE_HAND, AT(instrument, steps), .kinds = MARKED},
    {"max", SHAPE_INT, BY_HAND, .min = 1, .max = MARK_MAX, .kinds = MARKED},
    {"bands", SHAPE_OWN, SHAPE_FILE, .min = 1, .max = BANDS_MAX, .kinds = MARKED,
     .of = &suite_band_shape},
    {"quotes", SHAPE_BOOL, SHAPE_HAND | SHAPE_SPARE, AT(instrument, quotes), .kinds = MARKED},
    {"dimensions", SHAPE_LIST, SHAPE_HAND, AT(instrument, dimensions), N(instrument, ndimensions),
     .of = &suite_dimension_shape, .min = 1, .max = DIMENSIONS_MAX, .kinds = MARKED},
    {"criteria", SHAPE_TEXTS, SHAPE_NEEDED, AT(instrument, criteria), N(instrument, ncriteria),
     .min = 1, .max = 20, .kinds = PAIR},
    {"ties", SHAPE_BOOL, AT(instrument, ties), .kinds = PAIR},
    {"orders", SHAPE_EITHER, AT(instrument, both_orders), SHAPE_WORDS(order_words), .kinds = PAIR},
    {"flagged", SHAPE_CHOICE, SHAPE_SPARE, AT(instrument, flagged), SHAPE_WORDS(flagged_words),
     .kinds = PAIR},
    {"contradictions", SHAPE_BOOL, SHAPE_SPARE, AT(instrument, contradictions), .kinds = MARKED,
     .since = "0.1"},
    {"over", SHAPE_OWN, .min = 1, .max = USER_TURNS_MAX, .write = write_over, .kinds = MARKED,
     .since = "0.1", .usual = "\"whole\""},
};
const struct shape suite_instrument_shape = {
    SHAPE_OF("instrument", instrument_keys, struct instrument), .by = "kind"};

static const struct shape_key scene_keys[] = {
    {"scene", SHAPE_TEXT, .is = SHAPE_HAND | SHAPE_NEEDED},
    {"description", SHAPE_TEXT, .is = SHAPE_HAND},
    {"score_details", SHAPE_TEXT, .is = SHAPE_HAND},
    {"max", SHAPE_INT, SHAPE_HAND, .min = 1, .max = MARK_MAX},
    {"bands", SHAPE_OWN, .min = 1, .max = BANDS_MAX, .of = &suite_band_shape},
    {"steps", .type = SHAPE_OWN},
    {"dimensions", SHAPE_LIST, SHAPE_HAND | SHAPE_NEEDED, .of = &suite_dimension_shape},
    {"weights", .type = SHAPE_OWN},
};
const struct shape suite_scene_shape = {
    .name = "scene", .keys = scene_keys, .n = COUNT(scene_keys)};

static const struct shape_key used_keys[] = {
    {"dimensions", SHAPE_LIST, SHAPE_HAND | SHAPE_NEEDED, .of = &suite_dimension_shape},
    {"weights", .type = SHAPE_OWN},
    {"quotes", SHAPE_BOOL, .is = SHAPE_HAND},
};
const struct shape suite_used_shape = {
    .name = "dimension_file", .keys = used_keys, .n = COUNT(used_keys)};

/* ---- rules, judge and score ---- */

static const struct shape_key judge_keys[] = {
    {"template", SHAPE_MAP, SHAPE_HAND, AT(suite, judge), .of = &suite_template_shape},
    {"sampling", SHAPE_JSON, AT(suite, judge_sampling)},
    {"examples", SHAPE_BOOL, SHAPE_SPARE, AT(suite, judge_examples)},
    {"answer_limit", SHAPE_LONG, AT(suite, judge_answer_limit), .max = 1e6, .otherwise = 200000,
     .since = "0.2"},
};
const struct shape suite_judge_shape = {SHAPE_OF("judge", judge_keys, struct suite)};

static bool write_headline(const struct shape_writing *w, const void *in)
{
    (void)in;
    buf_text(w->b, "\"bradley-terry\"");
    return true;
}

static bool write_also(const struct shape_writing *w, const void *in)
{
    const struct score_spec *score = in;

    buf_text(w->b, score->glicko ? "[\"glicko2\"]" : "[]");
    return true;
}

static const struct shape_key score_keys[] = {
    {"kind", SHAPE_CHOICE, SHAPE_HAND, AT(score_spec, kind), SHAPE_WORDS(score_words)},
    {"times", SHAPE_REAL, AT(score_spec, times), .max = DBL_MAX, .otherwise = 1, .kinds = MEAN},
    {"divide", SHAPE_REAL, AT(score_spec, divide), .max = DBL_MAX, .otherwise = 1, .kinds = SUM},
    {"headline", SHAPE_OWN, .write = write_headline, .kinds = RATING},
    {"also", SHAPE_OWN, .write = write_also, .kinds = RATING},
    {"period", SHAPE_EITHER, SHAPE_SPARE, AT(score_spec, one_period), SHAPE_WORDS(period_words),
     .kinds = RATING},
    {"round", SHAPE_CHOICE, AT(score_spec, round), SHAPE_WORDS(round_words),
     .kinds = ~(unsigned)RATING},
};
const struct shape suite_score_shape = {SHAPE_OF("score", score_keys, struct score_spec),
                                        .by = "kind"};

/* ---- examples, items, the whole suite ---- */

/* One mark per dimension of the suite being written. */
static bool write_marks(const struct shape_writing *w, const void *in)
{
    const struct example *one = in;
    const struct instrument *by = &((const struct suite *)w->whole)->instrument;

    for (size_t i = 0; i < by->ndimensions; i++) {
        buf_text(w->b, i ? "," : "{");
        shape_put_text(w->b, str_of(by->dimensions[i].id));
        buf_char(w->b, ':');
        shape_put_real(w->b, one->scores[i]);
    }
    buf_char(w->b, '}');
    return true;
}

static const struct shape_key example_keys[] = {
    {"prompt", SHAPE_PLAIN, SHAPE_NEEDED, AT(example, prompt)},
    {"answer", SHAPE_PLAIN, SHAPE_NEEDED, AT(example, answer)},
    {"reference", SHAPE_PLAIN, SHAPE_SPARE, AT(example, reference)},
    {"reason", SHAPE_PLAIN, AT(example, reason)},
    {"score", SHAPE_OWN, SHAPE_NEEDED, .write = write_marks},
};
const struct shape suite_example_shape = {SHAPE_OF("example", example_keys, struct example)};

static bool write_pick(const struct shape_writing *w, const void *in)
{
    const struct suite *s = in;

    for (size_t i = 0; i < s->npicks; i++) {
        buf_text(w->b, i ? "," : "{");
        shape_put_text(w->b, s->picks[i].group);
        buf_fmt(w->b, ":%lld", (long long)s->picks[i].n);
    }
    buf_char(w->b, '}');
    return s->npicks > 0;
}

static const struct shape_key suite_keys[] = {
    {"suite", SHAPE_ID, SHAPE_HAND | SHAPE_NEEDED, AT(suite, id)},
    {"title", SHAPE_TEXT, AT(suite, title)},
    {"description", SHAPE_TEXT, AT(suite, description)},
    {"language", SHAPE_WORD, SHAPE_HAND | SHAPE_NEEDED, AT(suite, language)},
    {"seed", SHAPE_LONG, AT(suite, seed), .max = DBL_MAX, .otherwise = 1},
    {"sensitive", SHAPE_BOOL, SHAPE_SPARE, AT(suite, sensitive)},
    {"character", SHAPE_OWN, SHAPE_FILE, .of = &suite_character_shape},
    {"characters", SHAPE_LIST, SHAPE_HAND | SHAPE_SPARE, AT(suite, characters),
     N(suite, ncharacters), .of = &suite_character_shape, .min = 1, .max = CHARACTERS_MAX},
    {"elicit", SHAPE_MAP, SHAPE_HAND, AT(suite, elicit), .of = &suite_elicit_shape},
    {"instrument", SHAPE_MAP, SHAPE_HAND | SHAPE_NEEDED, AT(suite, instrument),
     .of = &suite_instrument_shape},
    {"rules", SHAPE_MAP, SHAPE_HAND, AT(suite, rules), .of = &suite_rules_shape},
    {"judge", SHAPE_MAP, SHAPE_HAND, .of = &suite_judge_shape},
    {"score", SHAPE_MAP, SHAPE_HAND, AT(suite, score), .of = &suite_score_shape},
    {"examples", SHAPE_LIST, SHAPE_HAND | SHAPE_SPARE, AT(suite, examples), N(suite, nexamples),
     .of = &suite_example_shape, .min = 1, .max = EXAMPLES_MAX},
    {"items", SHAPE_OWN, SHAPE_FILE, .of = &suite_item_shape},
    {"pick", SHAPE_OWN, .min = 1, .max = 100000, .write = write_pick},
    {"form", SHAPE_LONG, SHAPE_STORE | SHAPE_SPARE, AT(suite, form), .max = 1e9, .since = "0.2"},
};
const struct shape suite_shape = {SHAPE_OF("suite", suite_keys, struct suite)};

const char *suite_freeze(struct arena *a, const struct suite *s)
{
    return shape_text(a, &suite_shape, s);
}

const char *suite_hashed(struct arena *a, const struct suite *s)
{
    struct suite here = *s;

    here.rules.training = NULL; /* identified by its hash, not its path */
    return shape_hashed(a, &suite_shape, suite_freeze(a, &here));
}

bool suite_read_shape(const struct suite_reading *r, const struct shape *s, const struct node *n,
                      void *out)
{
    const struct shape_reading reading = {r->a, r->d, r->s->language, !r->path};

    return shape_read(&reading, s, n, out);
}

enum status suite_thaw(struct arena *a, struct str frozen, struct suite *out, struct err *e)
{
    struct suite s = {0};
    struct node *n;
    struct diags d;
    struct suite_reading r = {.a = a, .d = &d, .s = &s};

    if (json_tree(a, frozen, &n, e) != OK)
        return err_wrap(e, "stored suite");
    diags_init(&d, a);
    suite_read(&r, n);
    for (const struct diag *one = d.first; one; one = one->next)
        if (one->level == DIAG_ERROR)
            return err_set(e, E_INPUT, "stored suite: %s", one->msg);
    *out = s;
    return OK;
}
