/* Reads dialogues: `elicit: {kind: dialogue, ...}`, their users, context and template. */
#include "base/file.h"
#include "suite/suite_read.h"

enum { LINE_BYTES_MAX = 1 << 20, NAME_MAX_BYTES = 100 };

/* ---- one user ---- */

static void check_topics(struct suite_reading *r, const struct node *n, const struct user *u)
{
    const struct node *m = node_first(n);

    for (size_t i = 0; m && i < u->nbrings; i++, m = m->next) {
        const struct user_topic *t = &u->brings[i];
        if (!t->say.n == !t->about.n)
            diags_error(r->d, m->at,
                        "each entry needs either 'say' (words) or 'about' (a subject)");
        if (t->until && t->until < t->at)
            diags_error(r->d, field_get(m, "until")->at, "'until' comes before 'at'");
    }
}

/* Memory and knowledge are counted by id, so ids must be unique. */
static void refuse_twin(struct suite_reading *r, const struct node *fact, const char *id)
{
    if (*id)
        diags_error(r->d, field_get(fact, "id")->at, "'%s' is also the id of another fact", id);
}

static void check_facts(struct suite_reading *r, const struct node *n, const struct user *u)
{
    const struct node *m = node_first(n);

    for (size_t i = 0; m && i < u->nfacts; i++, m = m->next) {
        for (size_t k = 0; k < i && r->path; k++)
            if (strcmp(u->facts[k].id, u->facts[i].id) == 0)
                refuse_twin(r, m, u->facts[i].id);
        for (size_t k = 0; k < u->facts[i].nagain; k++) {
            int64_t distance;
            if (!str_int(u->facts[i].again[k], &distance) || distance < 1 ||
                distance >= USER_TURNS_MAX)
                diags_error(r->d, field_get(m, "again")->at,
                            "'again' is a list of distances in turns: whole numbers from 1 to %d",
                            USER_TURNS_MAX - 1);
        }
    }
}

/* Facts are scheduled before anything that is drawn; what falls after the end is never said. */
static void check_end(struct suite_reading *r, const struct node *n, const struct user *u)
{
    const struct node *fact = node_first(field_get(n, "facts"));
    const struct node *topic = node_first(field_get(n, "brings"));
    int end = r->s->elicit.dialogue.turns, after = u->leaves.after;
    const struct user_cue *plan;

    end = after && after < end ? after : end;
    plan = user_plan(r->a, u, 0, 0, (size_t)end);
    for (size_t i = 0; fact && i < u->nfacts; i++, fact = fact->next) {
        size_t missing = 1 + u->facts[i].nagain;
        for (int t = 0; t < end; t++)
            missing -= plan[t].fact == u->facts[i].id;
        if (missing)
            diags_warn(r->d, fact->at,
                       "the dialogue ends after turn %d: not everything about the fact '%s' is "
                       "told and asked",
                       end, u->facts[i].id);
    }
    for (size_t i = 0; topic && i < u->nbrings; i++, topic = topic->next)
        if (u->brings[i].at > end || u->brings[i].until > end)
            diags_warn(r->d, topic->at,
                       "the dialogue ends after turn %d: this may never be brought up", end);
}

/* The text of one line of a recording; empty: the character's turn, or a fault that is reported. */
static struct str recorded(struct suite_reading *r, const struct lines *l, struct str line)
{
    struct source *source = NEW(r->a, struct source);
    struct place at = {source, (int)l->number, 0, 0};
    struct json_fault fault = {0};
    AUTO(json_freep) json_t *j = json_read_at(line, &fault);
    struct str text = json_str_at(j, "text", STR(""));

    *source = (struct source){arena_text(r->a, str_of(l->path)), arena_str(r->a, line), at.line};
    at.column = fault.column;
    at.width = fault.column > 0;
    if (!j)
        diags_error(r->d, at, "not JSON: %s", fault.what);
    else if (str_is(json_str_at(j, "speaker", STR("user")), "model"))
        return STR("");
    else if (str_trim(text).n == 0)
        diags_error(r->d, at, "expected an object with a \"text\"");
    return arena_str(r->a, str_trim(text));
}

/* A recording: a JSONL file of {"text": ...}, or of turns written by `audition export`. Lines
 * beyond the maximum number of turns are never said, so they are not read. */
static void read_recording(struct suite_reading *r, const struct node *n, struct user *out)
{
    const char *path = field_file(r->a, n, r->path, "file of lines", r->d);
    struct str *v = NEW_N(r->a, struct str, USER_TURNS_MAX);
    size_t faults = r->d->errors;
    AUTO(lines_close) struct lines l = {0};
    struct err e = {0};
    struct str line;
    bool more = path != NULL;

    if (path && lines_open(&l, path, LINE_BYTES_MAX, &e) != OK)
        more = false;
    while (more && out->nlines < USER_TURNS_MAX && lines_next(&l, &line, &more, &e) == OK)
        if (more && str_trim(line).n) {
            v[out->nlines] = recorded(r, &l, line);
            out->nlines += v[out->nlines].n > 0;
        }
    if (e.code != OK)
        diags_error(r->d, n->at, "%s", e.msg);
    else if (path && out->nlines == 0 && r->d->errors == faults)
        diags_error(r->d, n->at, "the recording has no line with a \"text\"");
    out->lines = v;
}

static void read_user(struct suite_reading *r, const struct node *n, const char *id,
                      struct user *out)
{
    const struct shape_reading reading = {r->a, r->d, r->s->language, !r->path};
    const struct node *lines = field_get(n, "lines");

    out->id = id;
    if (!suite_read_shape(r, &suite_user_shape, n, out))
        return;
    if (lines && lines->kind == NODE_SCALAR)
        read_recording(r, lines, out);
    else
        shape_read_key(&reading, &suite_user_shape, "lines", n, out);
    out->name = str_trim(out->name);
    if (out->name.n > NAME_MAX_BYTES || memchr(out->name.p, '\n', out->name.n))
        diags_error(r->d, n->at, "'name' is what transcripts call the user: a word or two");
    if (out->leaves.words.n == 0 && r->path && r->s->elicit.dialogue.by == USER_SCRIPT &&
        out->nlines == 0)
        diags_error(r->d, n->at, "a scripted user needs 'lines'");
    check_topics(r, field_get(n, "brings"), out);
    check_facts(r, field_get(n, "facts"), out);
    if (r->path && !r->d->errors)
        check_end(r, n, out);
}

static void add_user(struct suite_reading *r, const struct node *n, struct user *users)
{
    struct dialogue *d = &r->s->elicit.dialogue;
    const struct node *root = n;
    const char *id = arena_printf(r->a, "user-%zu", d->nusers + 1);
    struct suite_reading beside = *r; /* resolves paths relative to the user file */

    if (n->kind == NODE_SCALAR) {
        root = suite_read_file(r, n, "user file");
        if (!root)
            return;
        beside.path = root->at.source->path;
        id = field_stem(r->a, beside.path);
    }
    read_user(&beside, root, id, &users[d->nusers++]);
    for (size_t i = 0; i + 1 < d->nusers; i++)
        if (strcmp(users[i].id, users[d->nusers - 1].id) == 0)
            diags_error(r->d, n->at, "two users share the id '%s'", users[i].id);
}

static void read_users(struct suite_reading *r, const struct node *elicit)
{
    const struct node *one = field_get(field_get(elicit, "user"), "file");
    const struct node *list = field_get(elicit, "users");
    const size_t most = USERS_MAX - (one ? 1 : 0);
    struct user *users;

    if (list && (list->kind != NODE_LIST || list->n == 0 || list->n > most)) {
        diags_error(r->d, list->at, "expected a list of 1 to %zu users", most);
        return;
    }
    if (!one && !list) {
        diags_error(r->d, elicit->at,
                    "the dialogue has no user: `user: {file: users/NAME.yaml}`, or a list 'users'");
        return;
    }
    users = NEW_N(r->a, struct user, 1 + (list ? list->n : 0));
    r->s->elicit.dialogue.users = users;
    if (one)
        add_user(r, one, users);
    for (const struct node *m = node_first(list); m; m = m->next)
        add_user(r, m, users);
}

/* ---- casts ---- */

static void check_members(struct suite_reading *r, const struct node *n, const struct str *v,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!cast_find(&r->s->elicit.dialogue.cast, v[i]))
            diags_error(r->d, n->at, "the cast has no member '%.*s'", STR_ARG(utf8_head(v[i], 40)));
}

/* Checks who is present when. Stored runs are not checked: they may predate these rules. */
static void check_presence(struct suite_reading *r, const struct node *n)
{
    const struct cast *c = &r->s->elicit.dialogue.cast;
    const struct node *m = node_first(field_get(n, "members"));
    bool begins = c->nmembers == 0;

    for (size_t i = 0; m && i < c->nmembers; i++, m = m->next) {
        const struct cast_member *one = &c->members[i];
        begins = begins || cast_present(one, 1);
        if (cast_find(c, str_of(one->character)) != one)
            diags_error(r->d, m->at, "the cast has the member '%s' twice", one->character);
        if (one->to && one->to < one->from)
            diags_error(r->d, m->at, "'to' comes before 'from'");
    }
    if (!begins)
        diags_error(r->d, n->at, "nobody in the cast is present in turn 1");
}

/* Events are told in the order listed. */
static void check_events(struct suite_reading *r, const struct node *n)
{
    const struct cast *c = &r->s->elicit.dialogue.cast;
    const struct node *m = node_first(field_get(n, "events"));

    for (size_t i = 0; m && i < c->nevents; i++, m = m->next) {
        if (i && c->events[i].at < c->events[i - 1].at)
            diags_error(r->d, m->at, "the event before this one happens later: list them in order");
        if (c->events[i].at > r->s->elicit.dialogue.turns)
            diags_warn(r->d, m->at, "the scene ends after turn %d: this never happens",
                       r->s->elicit.dialogue.turns);
    }
}

static void check_known(struct suite_reading *r, const struct node *n)
{
    const struct cast *c = &r->s->elicit.dialogue.cast;
    const struct node *m = node_first(field_get(n, "facts"));

    for (size_t i = 0; m && i < c->nfacts; i++, m = m->next)
        for (size_t k = 0; k < i; k++)
            if (strcmp(c->facts[k].id, c->facts[i].id) == 0)
                refuse_twin(r, m, c->facts[i].id);
}

static void check_cast(struct suite_reading *r, const struct node *n)
{
    const struct cast *c = &r->s->elicit.dialogue.cast;

    for (size_t i = 0; i < c->nmembers; i++)
        if (!vocab_character_by(r->s, c->members[i].character))
            diags_error(r->d, n->at, "the suite has no character '%.*s'",
                        STR_ARG(str_of(c->members[i].character)));
    if (r->path) {
        check_presence(r, n);
        check_events(r, n);
        check_known(r, n);
    }
    if (c->takes == TAKES_SCRIPT && c->norder == 0)
        diags_error(r->d, n->at, "a scripted scene needs an 'order' of its members");
    check_members(r, n, c->order, c->norder);
    for (size_t i = 0; i < c->nevents; i++)
        check_members(r, n, c->events[i].seen, c->events[i].nseen);
    for (size_t i = 0; i < c->nfacts; i++)
        check_members(r, n, c->facts[i].witnesses, c->facts[i].nwitnesses);
}

/* Beside 'file' only 'plays' is read, which the suite chooses; any other key would be silently
 * lost. */
static void check_beside_file(struct suite_reading *r, const struct node *n)
{
    for (const struct node *m = n->first; m; m = m->next)
        if (!str_is(m->key->text, "file") && !str_is(m->key->text, "plays"))
            diags_error(
                r->d, m->key->at,
                "beside 'file' only 'plays' may stand: write '%.*s' in the file of the cast",
                STR_ARG(utf8_head(m->key->text, 40)));
}

static void read_cast(struct suite_reading *r, const struct node *n)
{
    const struct shape_reading reading = {r->a, r->d, r->s->language, !r->path};
    const struct node *file = field_get(n, "file"), *root = n;
    struct cast *c = &r->s->elicit.dialogue.cast;

    c->id = "cast"; /* default for a cast inside the suite */
    if (file) {
        check_beside_file(r, n);
        root = suite_read_file(r, file, "cast file");
        if (!root)
            return;
        c->id = field_stem(r->a, root->at.source->path);
    }
    if (!suite_read_shape(r, &suite_cast_shape, root, c))
        return;
    if (file && field_get(root, "file"))
        diags_error(r->d, field_get(root, "file")->key->at, "a cast file names no other file");
    if (field_get(n, "plays"))
        shape_read_key(&reading, &suite_cast_shape, "plays", n, c);
    if (c->nmembers == 0)
        diags_error(r->d, root->at, "the cast has no 'members'");
    check_cast(r, root);
}

/* ---- the rest ---- */

/* whole | {last: 12} | {summary: 20} */
static void read_context(struct suite_reading *r, const struct node *n)
{
    static const char *const words[] = {"whole"}, *const keys[] = {"last", "summary"};
    struct dialogue *d = &r->s->elicit.dialogue;
    const struct node *last = field_get(n, keys[0]), *summary = field_get(n, keys[1]);

    if (!n || n->kind != NODE_MAP) {
        (void)node_choice(n, words, COUNT(words), 0, r->d);
        return;
    }
    if (!node_keys(n, keys, COUNT(keys), r->d))
        return;
    if (!last == !summary)
        diags_error(r->d, n->at, "expected whole, {last: turns} or {summary: turns}");
    if (d->cast.nmembers && r->path) /* stored runs ignored it */
        diags_error(r->d, n->at,
                    "members of a cast are always sent everything they saw: leave out 'context'");
    d->context = last ? CONTEXT_LAST : CONTEXT_SUMMARY;
    d->keep = (int)shape_int(&suite_elicit_shape, "context", last ? last : summary, 1, r->d);
}

static const char *const system_names[] = {"character", "character_name", "scene",
                                           "user_name", "language",       NULL};
static const char *const user_names[] = {"user_name", "who",   "wants",          "style",
                                         "leaves",    "leave", "character_name", "scene",
                                         "language",  NULL};
static const char *const about_names[] = {"about", NULL}, *const no_names[] = {NULL};
static const char *const recall_names[] = {"summary", NULL};
static const char *const member_names[] = {"character", "character_name", "scene",
                                           "others",    "language",       NULL};
static const char *const ensemble_names[] = {"characters", "scene", "language", NULL};
static const char *const cue_names[] = {"character_name", NULL};
static const char *const director_names[] = {"scene", "names", "said", "language", NULL};

static void read_words(struct suite_reading *r, const struct node *elicit)
{
    struct dialogue_template *t = &r->s->elicit.dialogue.template;
    const struct node *n = suite_words_load(r, elicit, "dialogue");

    t->name = "dialogue";
    if (!n || !suite_read_shape(r, &suite_dialogue_words_shape, n, t))
        return;
    suite_check_names(r, t->system, system_names, n->at);
    suite_check_names(r, t->user, user_names, n->at);
    suite_check_names(r, t->opening, no_names, n->at);
    suite_check_names(r, t->about, about_names, n->at);
    suite_check_names(r, t->summary, no_names, n->at);
    suite_check_names(r, t->recall, recall_names, n->at);
    suite_check_names(r, t->member, member_names, n->at);
    suite_check_names(r, t->ensemble, ensemble_names, n->at);
    suite_check_names(r, t->cue, cue_names, n->at);
    suite_check_names(r, t->director, director_names, n->at);
    t->leave = str_trim(t->leave);
}

void suite_read_dialogue(struct suite_reading *r, const struct node *elicit)
{
    const struct dialogue *d = &r->s->elicit.dialogue;
    const struct node *cast = field_get(elicit, "cast"), *user = field_get(elicit, "user");

    if (!user)
        user = field_get(elicit, "users");
    read_words(r, elicit);
    if (cast && user && r->path) /* stored runs have a `user` that says who plays */
        diags_error(r->d, user->key->at, "a cast has no user: leave out '%.*s'",
                    STR_ARG(user->key->text));
    if (cast)
        read_cast(r, cast);
    else
        read_users(r, elicit);
    read_context(r, field_get(elicit, "context"));
    /* With several characters, a user may not meet all of them. */
    for (size_t i = 0; r->path && i < d->nusers && r->s->ncharacters == 1; i++)
        if (str_eq(d->users[i].name, r->s->characters[0].name))
            diags_error(r->d, elicit->at, "the user '%s' has the name of a character",
                        d->users[i].id);
    if (r->path && r->s->ncharacters == 0)
        diags_error(r->d, elicit->at, "a dialogue needs a 'character' to talk with");
}
