/* Scenes: several characters among themselves. Each sees what happens while it is there. One model
 * plays all of them in one conversation, or each in a conversation of its own; some may be another
 * model's. */
#include "suite/prompt.h"
#include "suite/role.h"
#include "suite/sitting.h"
#include "talk/talk.h"
#include "talk/voice.h"
#include "text/word.h"

struct scene_talk {
    const struct dialogue *how;
    const struct cast *cast;
    struct view *views; /* of each member; of an ensemble the first is all there is */
    int64_t spoken;     /* turns so far */
    size_t told;        /* events so far */
    size_t speaker;     /* whose reply is awaited */
    bool directs;       /* ... or the director's */
};

static const struct character *character_of(const struct talk *t, size_t member)
{
    const struct scene_talk *w = t->own;

    return vocab_character_by(t->suite, w->cast->members[member].character);
}

static size_t member_at(const struct scene_talk *w, const char *id)
{
    const struct cast_member *m = cast_find(w->cast, str_of(id));

    return m ? (size_t)(m - w->cast->members) : SIZE_MAX;
}

static bool is(const struct turn *turn, const char *kind)
{
    return strcmp(turn->kind, kind) == 0;
}

/* ---- what each sees ---- */

static struct str named(const struct talk *t, const struct turn *turn)
{
    struct str who = voice_name(t->suite, &t->item, turn);

    return str_of(arena_printf(t->a, "%.*s: %.*s", STR_ARG(who), STR_ARG(turn->text)));
}

static bool saw(const struct scene_talk *w, const struct turn *turn, size_t member)
{
    const struct cast_member *m = &w->cast->members[member];

    return is(turn, TURN_EVENT) ? cast_sees(&w->cast->events[w->told], m)
                                : cast_present(m, turn->part);
}

static struct str cue(const struct talk *t, size_t member)
{
    const struct scene_talk *w = t->own;
    const struct prompt_var v[] = {{"character_name", character_of(t, member)->name}};
    struct str text = STR("");
    struct err e = {0};

    if (prompt_fill(t->a, w->how->template.cue, (struct prompt_vars){v, COUNT(v)}, &text, &e) != OK)
        text = v[0].value;
    return str_trim(text);
}

static void scene_heard(struct talk *t, const struct turn *turn)
{
    struct scene_talk *w = t->own;
    size_t who = is(turn, TURN_EVENT) ? SIZE_MAX : member_at(w, turn->source);

    if (is(turn, TURN_DIRECTION))
        return;
    for (size_t i = 0; i < w->cast->nmembers && w->cast->each; i++)
        if (i == who)
            view_push(t->a, &w->views[i], "assistant", turn->text);
        else if (saw(w, turn, i))
            view_push(t->a, &w->views[i], "user", named(t, turn));
    if (!w->cast->each && who == SIZE_MAX)
        view_push(t->a, &w->views[0], "user", named(t, turn));
    else if (!w->cast->each) {
        view_push(t->a, &w->views[0], "user", cue(t, who));
        view_push(t->a, &w->views[0], "assistant", turn->text);
    }
    if (who == SIZE_MAX)
        w->told++;
    else
        w->spoken = turn->part;
}

/* ---- opening ---- */

static struct str others(const struct talk *t, size_t me)
{
    const struct scene_talk *w = t->own;
    const char *all = "";

    for (size_t i = 0; i < w->cast->nmembers; i++)
        if (i != me)
            all = arena_printf(t->a, "%s%s%.*s", all, *all ? ", " : "",
                               STR_ARG(character_of(t, i)->name));
    return str_of(all);
}

/* The description of a member, with what its lorebook has about what it has heard. */
static struct str card_of(const struct talk *t, size_t member)
{
    const struct scene_talk *w = t->own;
    const struct character *who = character_of(t, member);
    struct turn_list heard = {NULL, 0};
    size_t events = 0;

    if (!who->lorebook)
        return who->text;
    heard.v = NEW_N(t->a, struct turn, t->turns.n + 1);
    for (size_t i = 0; i < t->turns.n; i++) {
        const struct turn *one = &t->turns.v[i];
        const struct cast_member *m = &w->cast->members[member];
        const struct cast_event *event = is(one, TURN_EVENT) ? &w->cast->events[events++] : NULL;
        if (!is(one, TURN_DIRECTION) &&
            (!w->cast->each || (event ? cast_sees(event, m) : cast_present(m, one->part))))
            heard.v[heard.n++] = *one;
    }
    return role_told(t->a, who, &heard);
}

static struct str all_cards(const struct talk *t)
{
    const struct scene_talk *w = t->own;
    const char *all = "";

    for (size_t i = 0; i < w->cast->nmembers; i++)
        all = arena_printf(t->a, "%s%s## %.*s\n\n%.*s", all, *all ? "\n\n" : "",
                           STR_ARG(character_of(t, i)->name), STR_ARG(card_of(t, i)));
    return str_of(all);
}

static enum status tell(struct talk *t, size_t member, struct str *out, struct err *e)
{
    const struct scene_talk *w = t->own;
    const struct dialogue_template *words = &w->how->template;
    const struct prompt_var v[] = {
        {"character", card_of(t, member)}, {"character_name", character_of(t, member)->name},
        {"characters", all_cards(t)},      {"others", others(t, member)},
        {"scene", t->item.prompt},         {"language", str_of(t->suite->language)},
    };
    return prompt_fill(t->a, w->cast->each ? words->member : words->ensemble,
                       (struct prompt_vars){v, COUNT(v)}, out, e);
}

static enum status scene_open(struct talk *t, struct err *e)
{
    struct scene_talk *w = NEW(t->a, struct scene_talk);
    size_t most;

    t->own = w;
    t->referenced = true;
    w->how = &t->suite->elicit.dialogue;
    w->cast = &w->how->cast;
    most = 3 * (size_t)w->how->turns + w->cast->nevents + 2;
    t->turns.v = NEW_N(t->a, struct turn, most);
    w->views = NEW_N(t->a, struct view, w->cast->nmembers);
    for (size_t i = 0; i < (w->cast->each ? w->cast->nmembers : 1); i++) {
        w->views[i] = view_new(t->a, most + 1);
        if (tell(t, i, &w->views[i].v[0].text, e) != OK)
            return e->code;
    }
    return OK;
}

/* Before each turn come events, in order, and at most one direction. */
static bool scene_fits(const struct talk *t, const struct turn_list *turns)
{
    const struct scene_talk *w = t->own;
    int64_t spoken = 0, directed = 0;
    size_t told = 0;

    for (size_t i = 0; i < turns->n; i++) {
        const struct turn *one = &turns->v[i];
        if (one->position != (int64_t)i + 1 || one->part != spoken + 1 || one->part > w->how->turns)
            return false;
        if (is(one, TURN_EVENT) ? told++ == w->cast->nevents
            : is(one, TURN_DIRECTION)
                ? directed == one->part
                : !is(one, TURN_ANSWER) || member_at(w, one->source) == SIZE_MAX)
            return false;
        directed = is(one, TURN_DIRECTION) ? one->part : directed;
        spoken += is(one, TURN_ANSWER);
    }
    return true;
}

/* ---- who speaks next ---- */

static size_t next_present(const struct scene_talk *w, size_t after, int64_t turn)
{
    size_t n = w->cast->nmembers;

    for (size_t i = 1; i <= n; i++)
        if (cast_present(&w->cast->members[(after + i) % n], turn))
            return (after + i) % n;
    return SIZE_MAX;
}

static const struct turn *last_said(const struct talk *t)
{
    for (size_t i = t->turns.n; i-- > 0;)
        if (is(&t->turns.v[i], TURN_ANSWER))
            return &t->turns.v[i];
    return NULL;
}

static size_t in_turn(const struct talk *t, int64_t turn)
{
    const struct scene_talk *w = t->own;
    const struct turn *last = last_said(t);

    return next_present(w, last ? member_at(w, last->source) : w->cast->nmembers - 1, turn);
}

/* Where the last occurrence of a name in a text ends; 0: none. `exact`: "Hope" is not hope. */
static size_t last_named(struct str text, struct runes all, struct str name, bool exact)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct runes word = fold_text(scratch, name), rest = all;
    size_t last = 0;
    struct str here;

    while ((here = word_find(text, rest, word)).n) {
        size_t end = (size_t)(here.p - text.p) + here.n, k = 0;
        while (k < rest.n && rest.at[k] < end)
            k++;
        rest = (struct runes){rest.p + k, rest.at + k, rest.n - k};
        if (!exact || str_starts(here, name))
            last = end;
    }
    return last;
}

/* A name that several members have, such as that of a family, names none of them. */
static bool is_shared(const struct talk *t, size_t member, struct str word)
{
    const struct scene_talk *w = t->own;

    for (size_t i = 0; i < w->cast->nmembers; i++) {
        struct str name = character_of(t, i)->name, other;
        while (i != member && sitting_called(&name, &other))
            if (str_eq(word, other))
                return true;
    }
    return false;
}

/* Which of those present is named last in a text, by the whole name or a word of it; not `but`. */
static size_t mentioned(const struct talk *t, struct str text, size_t but, int64_t turn)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct scene_talk *w = t->own;
    struct runes all = fold_text(scratch, text);
    size_t found = SIZE_MAX, last = 0;

    for (size_t i = 0; i < w->cast->nmembers; i++) {
        struct str name = character_of(t, i)->name, word;
        size_t at;
        if (i == but || !cast_present(&w->cast->members[i], turn))
            continue;
        at = last_named(text, all, name, false);
        while (sitting_called(&name, &word))
            if (!is_shared(t, i, word)) {
                size_t end = last_named(text, all, word, true);
                at = end > at ? end : at;
            }
        if (at > last) {
            found = i;
            last = at;
        }
    }
    return found;
}

/* A member who is absent loses the turn: the order goes on after the one who speaks. */
static size_t scripted(const struct scene_talk *w, int64_t turn)
{
    size_t at = 0, who = SIZE_MAX;

    for (int64_t now = 1; now <= turn; now++) {
        who = SIZE_MAX;
        for (size_t i = 0; i < w->cast->norder && who == SIZE_MAX; i++) {
            const struct cast_member *m =
                cast_find(w->cast, w->cast->order[at++ % w->cast->norder]);
            if (m && cast_present(m, now))
                who = (size_t)(m - w->cast->members);
        }
    }
    return who == SIZE_MAX ? next_present(w, w->cast->nmembers - 1, turn) : who;
}

/* Who speaks next; SIZE_MAX: nobody is there. Sets `directs` if the director has to be asked. */
static size_t choose(struct talk *t, int64_t turn)
{
    struct scene_talk *w = t->own;
    const struct turn *last = t->turns.n ? &t->turns.v[t->turns.n - 1] : NULL, *said = last_said(t);
    size_t who = SIZE_MAX;

    w->directs = false;
    if (w->cast->takes == TAKES_SCRIPT)
        return scripted(w, turn);
    if (w->cast->takes == TAKES_NAME && said)
        who = mentioned(t, said->text, member_at(w, said->source), turn);
    if (w->cast->takes == TAKES_DIRECTOR && last && is(last, TURN_DIRECTION) && last->part == turn)
        who = mentioned(t, last->text, SIZE_MAX, turn);
    else if (w->cast->takes == TAKES_DIRECTOR)
        w->directs = true;
    return who == SIZE_MAX ? in_turn(t, turn) : who;
}

static bool ask_director(struct talk *t, int64_t turn)
{
    struct scene_talk *w = t->own;
    const char *names = "";
    struct err e = {0};
    struct str text;

    for (size_t i = 0; i < w->cast->nmembers; i++)
        if (cast_present(&w->cast->members[i], turn))
            names = arena_printf(t->a, "%s%s%.*s", names, *names ? ", " : "",
                                 STR_ARG(character_of(t, i)->name));
    const struct prompt_var v[] = {
        {"scene", t->item.prompt},
        {"names", str_of(names)},
        {"said", voice_transcript(t->a, t->suite, &t->item, &t->turns)},
        {"language", str_of(t->suite->language)},
    };
    if (prompt_fill(t->a, w->how->template.director, (struct prompt_vars){v, COUNT(v)}, &text,
                    &e) != OK)
        return false;
    t->ask = NEW(t->a, struct chat_turn);
    *t->ask = (struct chat_turn){.role = "user", .text = text};
    t->nask = 1;
    t->told = NULL;
    t->to = 1;
    return true;
}

static bool has_lore(const struct talk *t, size_t member)
{
    const struct scene_talk *w = t->own;
    bool has = character_of(t, member)->lorebook != NULL;

    for (size_t i = 0; i < w->cast->nmembers && !w->cast->each; i++)
        has |= character_of(t, i)->lorebook != NULL;
    return has;
}

static void ask_member(struct talk *t, size_t member)
{
    struct scene_talk *w = t->own;
    struct view *v = &w->views[w->cast->each ? member : 0];
    struct view now;
    struct err e;

    /* The template was filled before, so that this cannot fail. */
    if (has_lore(t, member))
        (void)!tell(t, w->cast->each ? member : 0, &v->v[0].text, &e);
    now = (struct view){arena_copy(t->a, v->v, v->n + 1, sizeof *v->v), v->n, v->told};
    /* A member that has heard nothing new is told that it is its turn, an ensemble always. */
    if (!w->cast->each || strcmp(now.v[now.n - 1].role, "user") != 0)
        view_push(t->a, &now, "user", cue(t, member));
    w->speaker = member;
    t->ask = now.v;
    t->nask = now.n;
    /* Its reply to a cue is joined to its last line, which therefore is not final yet. */
    t->told = w->cast->each && now.n > v->n ? NULL : now.told;
    t->to = cast_player(w->cast, member);
}

/* ---- the course ---- */

/* What happens before the next turn, in the order of the file. */
static void tell_events(struct talk *t, int64_t turn)
{
    struct scene_talk *w = t->own;

    while (w->told < w->cast->nevents && w->cast->events[w->told].at <= turn) {
        struct turn event = sitting_turn(SPEAKER_EXAMINER, TURN_EVENT,
                                         w->cast->events[w->told].text, TURN_NARRATOR, turn);
        (void)talk_add(t, &event);
    }
}

static bool scene_next(struct talk *t)
{
    struct scene_talk *w = t->own;
    int64_t turn = w->spoken + 1;
    const struct turn *said = last_said(t);
    size_t who = SIZE_MAX;

    if (said && talk_ends_by_rule(t, said))
        t->finish = "rule";
    else if (turn > w->how->turns)
        t->finish = "limit";
    if (!t->finish) {
        tell_events(t, turn);
        who = choose(t, turn);
        if (who == SIZE_MAX)
            t->finish = "empty-stage";
    }
    if (t->finish) {
        t->transcript = voice_transcript(t->a, t->suite, &t->item, &t->turns);
        return false;
    }
    if (w->directs && ask_director(t, turn))
        return true;
    w->directs = false;
    ask_member(t, who);
    return true;
}

static struct turn direction(const struct scene_talk *w, struct str text)
{
    return sitting_turn(SPEAKER_EXAMINER, TURN_DIRECTION, text, "director", w->spoken + 1);
}

static bool scene_take(struct talk *t, const struct chat_reply *reply)
{
    const struct scene_talk *w = t->own;
    const struct cast_member *m = &w->cast->members[w->speaker];
    struct turn turn;
    struct voice_cast voices = {NEW_N(t->a, struct str, w->cast->nmembers), 0};

    if (w->directs) {
        turn = direction(w, arena_str(t->a, utf8_head(str_trim(reply->text), VOICE_LINE_MAX)));
        talk_add_reply(t, &turn, reply);
        return false;
    }
    for (size_t i = 0; i < w->cast->nmembers; i++)
        if (i != w->speaker)
            voices.v[voices.n++] = character_of(t, i)->name;
    turn = sitting_turn(m->other ? SPEAKER_EXAMINER : SPEAKER_MODEL, TURN_ANSWER, STR(""),
                        m->character, w->spoken + 1);
    turn.text =
        voice_line_of(t->a, character_of(t, w->speaker)->name, &voices, reply->text, &turn.why);
    talk_add_reply(t, &turn, reply);
    return false;
}

/* If the director cannot be had, members speak in turn. */
static bool scene_miss(struct talk *t, const char *fault, const char *why)
{
    const struct scene_talk *w = t->own;
    struct turn turn = direction(w, STR(""));

    if (!w->directs)
        return false;
    turn.why = arena_printf(t->a, "%s: %s", fault, why);
    (void)talk_add(t, &turn);
    return true;
}

const struct talk_course scene_course = {
    .open = scene_open,
    .fits = scene_fits,
    .heard = scene_heard,
    .next = scene_next,
    .take = scene_take,
    .miss = scene_miss,
};
