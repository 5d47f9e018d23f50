#include "exchange/import_bench.h"

#include "base/doc.h"
#include "base/words.h"
#include "suite/vocab.h"
#include "text/language.h"
#include "text/rune.h"

enum {
    PARTS_MAX = 4,
    LINES_MAX = 1000,
    ITEM_BYTES_MAX = 1 << 20,
    ID_BYTES_MAX = 100,
    NAME_BYTES_MAX = 100,
    ITEMS_BYTES_MAX = 1 << 30,
    SAMPLE_BYTES = 2000,
};

/* Where a record has its parts: keys, "/" between those that lie within each other. */
static const struct import_bench_shape {
    const char *name;
    const char *who;                        /* the character, or a list: an item for each */
    const char *card[PARTS_MAX];            /* of what the card is made ... */
    const char *cards;                      /* ... or cards by name; "": in a file of their own */
    const char *scene, *greeting;           /* may be missing in a record */
    const char *talk, *speaker, *words;     /* what was said: a list, or lines "Name：words" */
    const char *motives[2];                 /* of those under key_characters */
    const char *records, *situations;       /* within an object by language */
    const char *user, *user_who, *user_say; /* who talks with the character, and begins so */
    const char *scripts[PARTS_MAX];         /* lists of what users say */
    int turns;                              /* of a dialogue, at least; 0: a next line */
} shapes[] = {
    /* clang-format off */
    {.name = "charactereval", .who = "role", .cards = "", .talk = "context"},
    {.name = "coser", .who = "major_characters", .cards = "character_profiles", .scene = "scenario",
     .talk = "dialogues", .speaker = "character", .words = "message", .motives = {"motivation", "thought"}},
    {.name = "pingpong", .who = "char_name", .card = {"system_prompt", "example_prompt"}, .greeting = "initial_message",
     .records = "characters", .situations = "situations", .turns = 1},
    {.name = "rmtbench", .who = "name", .card = {"description"}, .turns = 1,
     .scripts = {"character_understanding", "character_maintenance", "implicit_motivations", "user_preference"}},
    {.name = "rpbench-auto", .who = "npc_profile/name_text", .scene = "background", .greeting = "conversation/0/sentences", .turns = 5,
     .card = {"npc_profile/title", "npc_profile/description", "npc_profile/definition_text", "npc_profile/long_definition_text"}},
    {.name = "role-play-bench", .who = "ai_name", .card = {"ai_setting"}, .greeting = "ai_prologue", .turns = 50,
     .user = "user_name", .user_who = "user_setting", .user_say = "initial_user_input"},
    /* clang-format on */
};

struct import_bench_said {
    struct str who, text;
};

bool import_bench_init(struct import_bench *b, struct arena *a, const char *name)
{
    *b = (struct import_bench){.arena = a, .items = BUF_MAX(ITEMS_BYTES_MAX)};
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (strcmp(shapes[i].name, name) == 0)
            b->shape = &shapes[i];
    if (!b->shape)
        return false;
    b->cards = json_object();
    b->characters = json_array();
    b->users = json_array();
    b->turns = b->shape->turns;
    b->said = NEW_N(a, struct import_bench_said, LINES_MAX + 1);
    map_init(&b->known, a);
    map_init(&b->ids, a);
    return true;
}

void import_bench_done(struct import_bench *b)
{
    json_decref(b->cards);
    json_decref(b->characters);
    json_decref(b->users);
    buf_done(&b->items);
}

const char *import_bench_names(struct arena *a)
{
    const char *all = shapes[0].name;

    for (size_t i = 1; i < COUNT(shapes); i++)
        all = arena_printf(a, "%s, %s", all, shapes[i].name);
    return all;
}

bool import_bench_has_books(const struct import_bench *b)
{
    return b->shape->records || (b->shape->cards && !*b->shape->cards);
}

/* A text; the texts of a list, a line each; those of an object with their names. */
static struct str text_of(struct arena *a, const json_t *j)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2); /* no longer than the record */
    json_t *all = (json_t *)(uintptr_t)j, *one;          /* jansson has no iterator over const */
    const char *key;
    size_t i;

    if (json_is_string(j))
        return str_trim(rune_clean(a, json_str(j)));
    json_array_foreach(all, i, one)
    {
        if (json_is_string(one))
            buf_fmt(&b, "%s\n", json_string_value(one));
    }
    json_object_foreach(all, key, one)
    {
        if (json_is_string(one))
            buf_fmt(&b, "%s: %s\n", key, json_string_value(one));
    }
    return str_trim(rune_clean(a, buf_str(&b)));
}

/* At a path that the shape may not have. */
static struct str words_at(struct arena *a, const json_t *record, const char *path)
{
    return path ? text_of(a, json_at(record, path)) : STR("");
}

static struct str or_else(struct str s, const char *otherwise)
{
    return s.n ? s : str_of(otherwise);
}

/* Both, with something between them where there are two. */
static struct str joined(struct arena *a, struct str x, const char *between, struct str y)
{
    if (x.n == 0 || y.n == 0)
        return x.n ? x : y;
    return str_of(arena_printf(a, "%.*s%s%.*s", STR_ARG(x), between, STR_ARG(y)));
}

/* ---- characters ---- */

/* Parts that repeat what was said before are left out. */
static struct str card_of(const struct import_bench *b, const json_t *record, struct str who)
{
    const struct import_bench_shape *s = b->shape;
    const json_t *cards = s->cards && *s->cards ? json_at(record, s->cards) : b->cards;
    struct str card = STR("");

    if (s->cards)
        return text_of(b->arena, json_object_getn(cards, who.p, who.n));
    for (size_t i = 0; i < PARTS_MAX && s->card[i]; i++) {
        struct str part = words_at(b->arena, record, s->card[i]);
        if (str_find(card, part) == SIZE_MAX)
            card = joined(b->arena, card, "\n\n", part);
    }
    return card;
}

/* The id of a character who may have been met before; NULL: there are too many. */
static const char *character_of(struct import_bench *b, const json_t *record, struct str who,
                                struct str card)
{
    struct str greeting = words_at(b->arena, record, b->shape->greeting);
    struct str key = str_of(
        arena_printf(b->arena, "%.*s\t%.*s\t%.*s", STR_ARG(who), STR_ARG(card), STR_ARG(greeting)));
    json_t *c = map_get(&b->known, key);

    if (!c && b->known.n == CHARACTERS_MAX)
        return NULL;
    if (!c) {
        c = json_add_object(b->characters);
        json_put_text(c, "id", arena_printf(b->arena, "character-%zu", b->known.n + 1));
        json_put_str(c, "name", who);
        json_put_str(c, "text", card);
        json_put_some(c, "greeting", greeting);
        (void)map_put(&b->known, key, c);
    }
    return json_string_value(json_object_get(c, "id"));
}

/* ---- items ---- */

/* One item on its way, of one character. */
struct draft {
    const json_t *record;
    struct str who;
    const char *id, *character;
    int64_t number; /* of the items of this draft that are out */
};

static const char *put_item(struct import_bench *b, struct draft *d, const json_t *item)
{
    const char *line = json_text(b->arena, item);

    if (strlen(line) > ITEM_BYTES_MAX)
        return arena_printf(b->arena, N_("item %s has over %d bytes"), d->id, ITEM_BYTES_MAX);
    buf_fmt(&b->items, "%s\n", line);
    b->nitems++;
    return NULL;
}

/* ---- items: a next line ---- */

/* Lines "Name：words"; one without a name goes on with the last. */
static size_t lines_of_text(const struct import_bench *b, struct str text,
                            struct import_bench_said *v)
{
    struct str line;
    size_t n = 0;

    while (n <= LINES_MAX && str_line(&text, &line)) {
        size_t colon = str_find(line, STR("："));
        if (colon != SIZE_MAX)
            v[n++] = (struct import_bench_said){str_trim((struct str){line.p, colon}),
                                                str_trim(str_from(line, colon + strlen("：")))};
        else if (n)
            v[n - 1].text = joined(b->arena, v[n - 1].text, "\n", str_trim(line));
    }
    return n;
}

/* Up to one more than there may be. */
static size_t lines_of(const struct import_bench *b, const json_t *record,
                       struct import_bench_said *v)
{
    const struct import_bench_shape *s = b->shape;
    const json_t *talk = json_at(record, s->talk), *one;
    size_t n;

    if (!s->speaker)
        return lines_of_text(b, text_of(b->arena, talk), v);
    for (n = 0; n <= LINES_MAX && (one = json_array_get(talk, n)); n++)
        v[n] = (struct import_bench_said){words_at(b->arena, one, s->speaker),
                                          words_at(b->arena, one, s->words)};
    return n;
}

/* What others hear: not what stands in square brackets, which is thought. */
static struct str aloud(struct arena *a, struct str text)
{
    AUTO(buf_done) struct buf b = BUF_MAX(text.n);
    int depth = 0;

    for (size_t i = 0; i < text.n; i++) {
        depth += text.p[i] == '[';
        if (depth == 0)
            buf_char(&b, text.p[i]);
        depth -= text.p[i] == ']' && depth > 0;
    }
    return str_trim(arena_str(a, buf_str(&b)));
}

/* Turns of the character and of the others, called by name; never two of a side in a row. */
static void put_turns(const struct import_bench *b, json_t *item, const struct import_bench_said *v,
                      size_t n, struct str who)
{
    json_t *turns = json_put_list(item, "turns"), *turn = NULL;
    bool before = false;

    for (size_t i = 0; i < n; i++) {
        bool own = str_eq(v[i].who, who);
        struct str words = own || !b->shape->speaker ? v[i].text : aloud(b->arena, v[i].text);
        if (words.n == 0)
            continue;
        if (!own)
            words = joined(b->arena, v[i].who, vocab_in(b->language, ": ", "：", "："), words);
        if (!turn || own != before)
            turn = json_add_object(turns);
        json_put_text(turn, "role", own ? "assistant" : "user");
        json_put_str(turn, "text",
                     joined(b->arena, json_str_at(turn, "text", STR("")), "\n", words));
        before = own;
    }
}

/* The scene, and what the character is after in it. */
static struct str scene_of(const struct import_bench *b, const struct draft *d)
{
    struct str scene = words_at(b->arena, d->record, b->shape->scene), motive = STR("");
    const json_t *people = json_object_get(d->record, "key_characters"), *one;
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)people, i, one)
    {
        if (str_eq(words_at(b->arena, one, "name"), d->who))
            for (size_t k = 0; k < COUNT(b->shape->motives) && motive.n == 0; k++)
                motive = words_at(b->arena, one, b->shape->motives[k]);
    }
    return joined(b->arena, scene, "\n\n", motive);
}

/* Lines after the character's last one are dropped; that one is the reference. */
static const char *add_line(struct import_bench *b, struct draft *d)
{
    AUTO(json_freep) json_t *item = json_object();
    struct str reference = STR("");
    struct import_bench_said *v = b->said;
    size_t n = lines_of(b, d->record, v), end;

    if (n > LINES_MAX)
        return arena_printf(b->arena, "over %d lines", LINES_MAX);
    for (end = n; b->shape->speaker && end && !str_eq(v[end - 1].who, d->who);)
        end--;
    for (; end && str_eq(v[end - 1].who, d->who); end--)
        reference = v[end - 1].text;
    if (end == 0)
        return arena_printf(b->arena, N_("nobody speaks before %.*s does"), STR_ARG(d->who));
    json_put_text(item, "id", d->id);
    json_put_text(item, "character", d->character);
    if (b->shape->scene)
        json_put_str(item, "scene", or_else(scene_of(b, d), words_of(b->language, MADE_SCENE)));
    put_turns(b, item, v, end, d->who);
    json_put_some(item, "reference", reference);
    return put_item(b, d, item);
}

/* ---- items: dialogues ---- */

/* A new user of the suite, who says `lines` or begins with `say`; NULL: there are too many. */
static json_t *add_user(struct import_bench *b, struct str wants, const json_t *record,
                        int64_t turns)
{
    const struct import_bench_shape *s = b->shape;
    struct str say = words_at(b->arena, record, s->user_say);
    struct str name = utf8_head(words_at(b->arena, record, s->user), NAME_BYTES_MAX / 4);
    size_t n = json_array_size(b->users) + 1;
    json_t *u = n > USERS_MAX ? NULL : json_add_object(b->users);

    if (!u)
        return NULL;
    json_put_text(u, "user", arena_printf(b->arena, "user-%zu", n));
    json_put_str(u, "name", or_else(name, words_of(b->language, MADE_USER)));
    json_put_str(u, "who",
                 or_else(words_at(b->arena, record, s->user_who), words_of(b->language, MADE_WHO)));
    json_put_str(u, "wants", or_else(wants, words_of(b->language, MADE_WANTS)));
    if (say.n)
        json_put(u, "brings", json_pack("[{s:i, s:s%}]", "at", 1, "say", say.p, say.n));
    if (turns)
        json_put(u, "leaves", json_pack("{s:I}", "after", (json_int_t)turns));
    b->turns = turns > b->turns ? turns : b->turns;
    return u;
}

static const char *add_talk(struct import_bench *b, struct draft *d, const json_t *user,
                            struct str reference)
{
    AUTO(json_freep) json_t *item = json_object();

    if (!user)
        return arena_printf(b->arena, N_("a suite has at most %d users"), USERS_MAX);
    json_put_text(item, "id", arena_printf(b->arena, "%s-%lld", d->id, (long long)++d->number));
    json_put_text(item, "character", d->character);
    json_put_str(item, "user", json_str_at(user, "user", STR("")));
    json_put_str(
        item, "prompt",
        or_else(words_at(b->arena, d->record, b->shape->scene), words_of(b->language, MADE_SCENE)));
    json_put_some(item, "reference", reference);
    return put_item(b, d, item);
}

/* A text, or a list of them. */
static void add_lines(struct arena *a, json_t *lines, const json_t *more)
{
    size_t n = json_is_array(more) ? json_array_size(more) : 1;

    for (size_t i = 0; i < n; i++) {
        struct str words = text_of(a, json_is_array(more) ? json_array_get(more, i) : more);
        if (words.n)
            (void)json_array_append_new(lines, json_from_str(words));
    }
}

/* What one user says, turn by turn: a list, or {chat, question, answer}, the question last. */
static const char *add_script(struct import_bench *b, struct draft *d, const json_t *block)
{
    AUTO(json_freep) json_t *lines = json_array();
    json_t *user;
    size_t n;

    add_lines(b->arena, lines, json_is_object(block) ? json_object_get(block, "chat") : block);
    add_lines(b->arena, lines, json_object_get(block, "question"));
    n = json_array_size(lines);
    if (n == 0 || n > USER_TURNS_MAX)
        return arena_printf(b->arena, N_("expected 1 to %d texts of a user, found %zu"),
                            USER_TURNS_MAX, n);
    user = add_user(b, STR(""), NULL, (int64_t)n);
    if (user)
        json_put(user, "lines", json_incref(lines));
    return add_talk(b, d, user, words_at(b->arena, block, "answer"));
}

static const char *add_scripts(struct import_bench *b, struct draft *d)
{
    const char *fault = NULL, *last;

    for (size_t k = 0; k < PARTS_MAX && b->shape->scripts[k]; k++) {
        const json_t *list = json_object_get(d->record, b->shape->scripts[k]);
        bool single = json_is_string(json_array_get(list, 0)); /* the list is one block itself */
        for (size_t i = 0; i < (single ? 1 : json_array_size(list)); i++) {
            last = add_script(b, d, single ? list : json_array_get(list, i));
            fault = fault ? fault : last;
        }
    }
    return fault || d->number ? fault : N_("no texts of a user");
}

/* A dialogue with each user who meets every character, or by the record's scripts, or with a user
 * of its own or the one for all. */
static const char *add_dialogue(struct import_bench *b, struct draft *d)
{
    const json_t *first = b->shape->user ? NULL : json_array_get(b->users, 0);
    const char *fault = NULL;

    for (size_t i = 0; i < b->situations && !fault; i++)
        fault = add_talk(b, d, json_array_get(b->users, i), STR(""));
    if (b->situations)
        return fault;
    if (b->shape->scripts[0])
        return add_scripts(b, d);
    return add_talk(b, d, first ? first : add_user(b, STR(""), d->record, 0), STR(""));
}

/* ---- records ---- */

static const char *add_one(struct import_bench *b, const json_t *record, struct str who,
                           const char *id)
{
    struct draft d = {.record = record, .who = who, .id = id};
    struct str card = card_of(b, record, who);

    if (who.n == 0)
        return arena_printf(b->arena, N_("expected a text \"%s\""), b->shape->who);
    if (card.n == 0)
        return arena_printf(b->arena, N_("there is no card of %.*s"), STR_ARG(who));
    if (map_put(&b->ids, str_of(id), b))
        return arena_printf(b->arena, N_("item %s is there already"), id);
    if (!b->language)
        b->language = language_guess(utf8_head(card, SAMPLE_BYTES));
    d.character = character_of(b, record, who, card);
    if (!d.character)
        return arena_printf(b->arena, N_("a suite has at most %d characters"), CHARACTERS_MAX);
    return b->shape->turns ? add_dialogue(b, &d) : add_line(b, &d);
}

const char *import_bench_add(struct import_bench *b, const json_t *record, int64_t number)
{
    const json_t *who = json_at(record, b->shape->who), *one;
    struct str name = json_name_at(b->arena, record, "id");
    const char *id =
        str_is_word(name, ID_BYTES_MAX) ? arena_text(b->arena, name) : arena_int(b->arena, number);
    const char *fault = NULL, *last;
    size_t i;

    if (!json_is_array(who) || json_array_size(who) == 0)
        return add_one(b, record, json_is_string(who) ? text_of(b->arena, who) : STR(""), id);
    json_array_foreach((json_t *)(uintptr_t)who, i, one)
    {
        last =
            add_one(b, record, text_of(b->arena, one), arena_printf(b->arena, "%s-%zu", id, i + 1));
        fault = fault ? fault : last;
    }
    return fault;
}

/* ---- books ---- */

static const char *add_situation(struct import_bench *b, const json_t *situation)
{
    struct str text = words_at(b->arena, situation, "text");
    int64_t turns = json_int_at(situation, "num_turns", 0);

    if (text.n == 0)
        return "expected a text \"text\"";
    if (turns < 1 || turns > USER_TURNS_MAX)
        return arena_printf(b->arena, N_("expected \"num_turns\" from 1 to %d"), USER_TURNS_MAX);
    if (!add_user(b, text, NULL, turns))
        return arena_printf(b->arena, N_("a suite has at most %d users"), USERS_MAX);
    b->situations++;
    return NULL;
}

/* The part in a language that the program speaks. */
static const struct node *part_of(struct import_bench *b, const struct node *root)
{
    const struct node *part = NULL;

    for (size_t i = 0; i < LANGUAGES && !part; i++) {
        b->language = message_languages[i];
        part = node_get(root, b->language);
    }
    return part;
}

const char *import_bench_book(struct import_bench *b, const struct node *root,
                              const struct node **records, int64_t *line)
{
    const struct node *part, *situations;

    *records = NULL;
    *line = root->at.line;
    if (!b->shape->records) {
        AUTO(json_freep) json_t *cards = doc_to_json(root);
        (void)json_object_update(b->cards, cards);
        return NULL;
    }
    part = root->kind == NODE_MAP ? part_of(b, root) : NULL;
    *records = part ? node_get(part, b->shape->records) : NULL;
    situations = part ? node_get(part, b->shape->situations) : NULL;
    if (!*records || !situations)
        return arena_printf(b->arena, N_("expected \"%s\" and \"%s\" under en, zh or ja"),
                            b->shape->records, b->shape->situations);
    for (const struct node *n = situations->first; n; n = n->next) {
        AUTO(json_freep) json_t *one = doc_to_json(n);
        const char *fault = add_situation(b, one);
        *line = n->at.line;
        if (fault)
            return fault;
    }
    return NULL;
}

/* ---- the suite ---- */

static json_t *elicit_of(const struct import_bench *b)
{
    if (b->shape->turns)
        return json_pack("{s:s, s:I, s:{s:s}, s:O}", "kind", "dialogue", "turns",
                         (json_int_t)b->turns, "user", "by",
                         b->shape->scripts[0] ? "script" : "model", "users", b->users);
    return json_pack("{s:s, s:s*}", "kind", "single", "system",
                     b->shape->scene ? "{{character}}\n\n{{scene}}" : NULL);
}

void import_bench_suite(const struct import_bench *b, struct buf *out)
{
    AUTO(json_freep)
    json_t *suite =
        json_pack("{s:s, s:s, s:O, s:o, s:{s:[{s:s, s:s, s:s}]}, s:s}", "suite", b->shape->name,
                  "language", b->language, "characters", b->characters, "elicit", elicit_of(b),
                  "instrument", "dimensions", "id", "role", "title",
                  words_of(b->language, MADE_TITLE), "scale", "1..5", "items", "items.jsonl");

    doc_write(out, suite);
}
