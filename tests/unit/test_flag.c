/* Facts about answers: found with their evidence, written, overruled; and training lines. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>

#include "eval/derive.h"
#include "eval/flag.h"
#include "eval/score.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/training.h"
#include "text/fold.h"
#include "text/similar.h"
#include "unit/store_world.h"

/* ---- a run whose answers are given ---- */

struct said {
    const char *item;
    int64_t repeat;
    const char *answer, *finish; /* without an answer: why there is none */
};

static void write_text(const struct world *w, const char *name, const char *text)
{
    struct err e = {0};

    assert_ok(file_write(arena_printf(w->arena, "%s/%s", w->dir, name), str_of(text), &e));
}

static void add_items(struct world *w, const struct suite *suite, const struct item_source *from,
                      struct diags *d)
{
    struct item_reader *r = item_reader_new(suite, from, d);
    struct item item;
    int64_t n = 0;
    struct err e = {0};

    while (item_reader_next(r, &item))
        assert_ok(store_item_add(w->store, w->run.id, n++, item.id,
                                 str_of(item_freeze(w->arena, &item)), &e));
    item_reader_free(r);
}

static const struct said *answer_to(const struct world *w, const struct leased *l,
                                    const struct said *v, size_t n)
{
    struct item item;
    struct str body;
    struct err e = {0};

    assert_ok(store_item_body(w->arena, w->store, l->item, &body, &e));
    assert_ok(item_thaw(w->arena, body, &item, &e));
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i].item, item.id) == 0 && v[i].repeat == l->repeat)
            return &v[i];
    return NULL;
}

/* What is not said stays planned. */
static void answer(struct world *w, const struct said *v, size_t n)
{
    struct leased_list l;
    struct err e = {0};

    assert_ok(store_worker_start(w->store, &e));
    assert_ok(
        store_lease(w->arena, w->store, PARTY_MODEL, w->models[0].id, 100, &(int64_t){0}, &l, &e));
    for (size_t i = 0; i < l.n; i++) {
        const struct said *s = answer_to(w, &l.v[i], v, n);
        struct sample_result r = {.id = l.v[i].id, .state = STATE_DONE};
        if (!s)
            continue;
        if (s->answer) {
            r.answer = str_of(s->answer);
            r.finish = s->finish ? s->finish : "stop";
        } else {
            r.state = STATE_FAILED;
            r.fault = s->finish;
            r.why = "the reply contains no text";
        }
        assert_ok(store_sample_end(w->store, &r, &e));
    }
    assert_ok(store_worker_end(w->store, &e));
    assert_ok(store_run_stale(w->store, w->run.id, &e));
    w->run.stale = true;
}

static struct suite *plan(struct world *w, const char *yaml)
{
    const char *path = arena_printf(w->arena, "%s/suite.yaml", w->dir);
    AUTO(buf_done) struct buf faults = BUF_MAX(1 << 16);
    struct item_source *items;
    struct suite *suite;
    struct diags d;
    struct err e = {0};

    write_text(w, "suite.yaml", yaml);
    diags_init(&d, w->arena);
    suite = suite_load(w->arena, path, &items, &d);
    diags_show(&d, NULL, &faults);
    if (d.errors)
        fail_msg("%s", faults.p);
    w->run = (struct run_row){.key = arena_printf(w->arena, "%064d", 1),
                              .suite = suite->id,
                              .frozen = str_of(suite_freeze(w->arena, suite)),
                              .repeats = suite->elicit.repeats,
                              .stale = true};
    w->models[0] = (struct party){.name = "ann", .family = "", .config = STR("{}")};
    assert_ok(store_begin(w->store, &e));
    assert_ok(store_run_add(w->arena, w->store, &w->run, &e));
    assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &w->models[0], &e));
    add_items(w, suite, items, &d);
    for (int64_t i = 0; i < w->run.repeats; i++)
        assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, i, &e));
    assert_ok(store_commit(w->store, &e));
    return suite;
}

/* ---- what was found ---- */

static struct flag_list flags_of(struct world *w)
{
    struct flag_list flags;
    struct err e = {0};

    assert_ok(derive_refresh(w->store, &w->run, &e));
    assert_ok(store_flag_list(w->arena, w->store, w->run.id, &flags, &e));
    return flags;
}

/* "item/repeat=kind ..." */
static const char *summary(struct world *w, const struct flag_list *flags)
{
    const char *text = "";

    for (size_t i = 0; i < flags->n; i++)
        text = arena_printf(w->arena, "%s%s%s/%lld=%s", text, i ? " " : "", flags->v[i].item_name,
                            (long long)flags->v[i].repeat, flags->v[i].kind);
    return text;
}

static const struct flag_row *flag_of(const struct flag_list *flags, const char *item,
                                      const char *kind)
{
    for (size_t i = 0; i < flags->n; i++)
        if (strcmp(flags->v[i].item_name, item) == 0 && strcmp(flags->v[i].kind, kind) == 0)
            return &flags->v[i];
    fail_msg("%s has no flag %s", item, kind);
    return NULL;
}

static void assert_evidence(const struct flag_row *f, const char *key, const char *text)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};

    assert_ok(json_read(f->evidence, &j, &e));
    if (!str_is(json_str_at(j, key, STR("")), text))
        fail_msg("%s of %s: %.*s", key, f->kind, STR_ARG(f->evidence));
}

#define HEAD                                                                                       \
    "suite: s\n"                                                                                   \
    "language: en\n"                                                                               \
    "instrument: {dimensions: [{id: q, scale: 0..1, step: any}]}\n"

static void facts_are_found(void **state)
{
    static const struct said said[] = {
        {"a", 0, "Good evening, stranger.", NULL},
        {"b", 0, "THE FERRY is late", NULL},
        {"c", 0, "Reply: no.", NULL},
        {"d", 0, "It was a dark and", "length"},
        {"e", 0, "我不知道你在说什么", NULL},
        {"f", 0, "As an AI, I cannot row.", NULL},
        {"g", 0, "Lost \xEF\xBF\xBD letters.", NULL},
        {"h", 0, NULL, "empty"},
        {"i", 0, NULL, "timeout"}, /* says nothing about the model */
    };
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "character: {name: Ann, text: a ferrywoman}\n"
                       "items: [{id: a, prompt: x}, {id: b, prompt: x, reference: The ferry is "
                       "late.}, {id: c, prompt: x}, {id: d, prompt: x}, {id: e, prompt: x}, "
                       "{id: f, prompt: x}, {id: g, prompt: x}, {id: h, prompt: x}, "
                       "{id: i, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "b/0=leak c/0=markup d/0=truncated e/0=language "
                                            "f/0=identity g/0=malformed h/0=empty");
    assert_evidence(flag_of(&flags, "b", "leak"), "other", "The ferry is late.");
    assert_evidence(flag_of(&flags, "b", "leak"), "shared", "THE FERRY is late");
    assert_evidence(flag_of(&flags, "b", "leak"), "shared_other", "The ferry is late");
    assert_evidence(flag_of(&flags, "c", "markup"), "why", "label");
    assert_evidence(flag_of(&flags, "c", "markup"), "shared", "Reply:");
    assert_evidence(flag_of(&flags, "d", "truncated"), "why", "length");
    assert_evidence(flag_of(&flags, "h", "empty"), "why", "the reply contains no text");
    assert_evidence(flag_of(&flags, "f", "identity"), "shared", "As an AI");
    assert_true(isnan(flag_of(&flags, "f", "identity")->value));
    assert_true(flag_of(&flags, "e", "language")->value == 0);
}

static void rules_can_be_off(void **state)
{
    static const struct said said[] = {{"a", 0, "Reply: as an AI, 我不知道你在说什么,", "length"}};
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "rules: {markup: off, truncated: off, language: off, identity: off}\n"
                       "items: [{id: a, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "");
}

/* A reply that was cut far behind its first line has a whole first line. */
static void a_part_may_be_whole(void **state)
{
    static const struct said said[] = {{"a", 0, "Come in.", "length"}, {"b", 0, "Come", "length"}};
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "elicit: {take: first-line}\n"
                       "items: [{id: a, prompt: x}, {id: b, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "b/0=truncated");
}

static void each_item_has_its_card(void **state)
{
    static const struct said said[] = {{"a", 0, "I am an AI.", NULL},
                                       {"b", 0, "I am an AI.", NULL}};
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "characters: [{id: ann, name: Ann, text: a ferrywoman}, {id: aria, name: "
                       "Aria, text: the AI of a ship}]\n"
                       "items: [{id: a, prompt: x}, {id: b, prompt: x, character: aria}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/0=identity");
}

#define QUESTION                                                                                   \
    "The lamp over the gate has gone out again, and who was it that should have filled it?"
#define CARD                                                                                       \
    "Ann has rowed the ferry at Low Landing for thirty years. She never learned to swim, and she " \
    "tells nobody who crossed."

/* Near misses: a sentence out of the card, a question taken up and answered. */
static void echoes_are_no_answers(void **state)
{
    static const struct said said[] = {
        {"a", 0,
         "The lamp over the gate has gone out again; and who was it, that should have filled it?",
         NULL},
        {"b", 0, CARD, NULL},
        {"c", 0, "I never learned to swim.", NULL},
        {"f", 0, "Is the ferry running tonight?", NULL}, /* short, but nothing else */
        {"g", 0, "Good night.", NULL},
        {"h", 0, "A cold morning", NULL}, /* a tag is said by nobody */
        {"d", 0,
         "Who should have filled it? The lamp over the gate is my sister's, and she has been in "
         "bed "
         "since Tuesday with a tooth. Ask the boy, he has the oil and nothing to do.",
         NULL},
        {"e", 0,
         "Ann. For thirty years I have rowed the ferry at Low Landing, since you ask, and there "
         "was never a night that I slept through the bell.",
         NULL},
    };
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "character: {name: Ann, text: '" CARD "'}\n"
                       "items: [{id: a, prompt: '" QUESTION "'}, {id: b, prompt: x}, {id: c, "
                       "prompt: x}, {id: f, prompt: is the ferry running tonight}, {id: g, prompt: "
                       "Good night.}, {id: h, prompt: <A cold morning>}, {id: d, prompt: '" QUESTION
                       "'}, {id: e, prompt: '" QUESTION "'}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/0=echo b/0=echo f/0=echo h/0=echo");
    assert_evidence(flag_of(&flags, "a", "echo"), "why", "prompt");
    assert_evidence(flag_of(&flags, "b", "echo"), "why", "card");
}

/* Twice may be chance, and so is what is short; the first ones are flagged as well. */
static void one_answer_for_everything(void **state)
{
    static const struct said said[] = {
        {"a", 0, "You are stronger than you know, my dear.", NULL},
        {"a", 1, "Mind the third plank, it was never nailed.", NULL},
        {"b", 0, "Yes.", NULL},
        {"b", 1, "You are stronger than you know, my dear!", NULL},
        {"c", 0, "Yes.", NULL},
        {"c", 1, "Mind the third plank, it was never nailed.", NULL},
        {"d", 0, "Yes.", NULL},
        {"d", 1, "you are stronger than you know, my dear", NULL},
    };
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "elicit: {repeats: 2}\n"
                       "items: [{id: a, prompt: x}, {id: b, prompt: x}, {id: c, prompt: x}, {id: "
                       "d, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/0=stock b/1=stock d/1=stock");
    assert_evidence(flag_of(&flags, "d", "stock"), "where", "a");
}

static void answers_that_go_round(void **state)
{
    static const struct said said[] = {
        {"a", 0,
         "The lamp is a lamp on the wall. The lamp is a lamp on the wall. The lamp is a lamp on "
         "the wall. The lamp is a lamp on the wall.",
         NULL},
        {"b", 0, "Roll it down, lads, roll it down! And then, mind, roll it back up again.", NULL},
    };
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "items: [{id: a, prompt: x}, {id: b, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/0=loop");
    assert_evidence(flag_of(&flags, "a", "loop"), "shared", "The lamp is a lamp on the wall.");
}

/* Compared with all earlier repeats, those that were duplicates themselves included. */
static void duplicates_chain(void **state)
{
    static const struct said said[] = {
        {"a", 0, "The moon is round tonight.", NULL},
        {"a", 1, "Ask the crows about it.", NULL},
        {"a", 2, "the moon is round tonight!", NULL},
        {"b", 0, "The moon is round tonight.", NULL}, /* another item */
        {"b", 1, "Where the mud begins.", NULL},
        {"b", 2, "Two oars and an old debt.", NULL},
    };
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "elicit: {repeats: 3}\n"
                       "rules: {duplicate: {threshold: 0.8, then: zero}}\n"
                       "items: [{id: a, prompt: x}, {id: b, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/2=duplicate");
    assert_evidence(&flags.v[0], "other", "The moon is round tonight.");
    assert_true(flags.v[0].value == 1);
}

/* c is like b, which is like a; c is not like a. That b counts for nothing does not save c. */
static void duplicates_of_duplicates_count(void **state)
{
    static const struct said said[] = {
        {"a", 0, "one two three four five six seven eight nine ten", NULL},
        {"a", 1, "one two three four five six seven eight crows crow", NULL},
        {"a", 2, "night owls three four five six seven eight crows crow", NULL},
    };
    struct world *w = *state;
    struct flag_list flags;

    (void)plan(w, HEAD "elicit: {repeats: 3}\n"
                       "rules: {duplicate: {threshold: 0.8, then: zero}}\n"
                       "items: [{id: a, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/1=duplicate a/2=duplicate");
    assert_evidence(&flags.v[1], "other", said[1].answer);
    /* without b in between, c stands */
    assert_true(similar_compare(w->arena, fold_text(w->arena, str_of(said[0].answer)),
                                fold_text(w->arena, str_of(said[2].answer)))
                    .score < 0.8);
}

/* ---- training lines ---- */

#define TRAINED                                                                                    \
    HEAD "rules: {training: {file: train.jsonl, near: cap 0.75, particles: cap 0.5}}\n"            \
         "items: [{id: a, prompt: x}, {id: b, prompt: x}, {id: c, prompt: x}]\n"

static const struct said trained[] = {
    {"a", 0, "the lighthouse keeper said nothing, and lit another lamp", NULL},
    {"b", 0, "The lighthouse keeper said nothing; he simply lit another lamp.", NULL},
    {"c", 0, "Nobody came to the harbour.", NULL},
};

static struct look look_of(struct world *w)
{
    struct look l;
    struct err e = {0};

    assert_ok(store_look_get(w->arena, w->store, w->run.id, &l, &e));
    return l;
}

static void training_lines_are_found(void **state)
{
    struct world *w = *state;
    struct flag_list flags;

    write_text(w, "train.jsonl",
               "{\"text\": \"Something else altogether.\"}\n"
               "\n"
               "{\"text\": \"\xFF\"}\n"
               "{\"text\": \"The lighthouse keeper said nothing and lit another lamp.\"}\n");
    (void)plan(w, TRAINED);
    answer(w, trained, COUNT(trained));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "a/0=training b/0=training-near");
    assert_evidence(&flags.v[0], "why", "exact");
    assert_evidence(&flags.v[0], "where", "train.jsonl:4");
    assert_evidence(&flags.v[1], "why", "near");
    assert_evidence(&flags.v[1], "other",
                    "The lighthouse keeper said nothing and lit another lamp.");
    assert_true(flags.v[1].value >= 0.8 && flags.v[1].value < 1);
    assert_int_equal(look_of(w).lines, 3);
    assert_int_equal(look_of(w).skipped, 1);
    assert_non_null(strstr(look_of(w).note, "the first is line 3: not UTF-8"));
}

static struct flag_look look_at(const struct world *w, const struct suite *suite)
{
    return (struct flag_look){.store = w->store, .run = w->run.id, .suite = suite};
}

static void one_search_is_enough(void **state)
{
    struct world *w = *state;
    struct flag_look look;
    struct flag_training t;
    struct flag_list flags;
    struct err e = {0};

    write_text(w, "train.jsonl", "\"Nobody came to the harbour!\"\n");
    look = look_at(w, plan(w, TRAINED));
    answer(w, trained, 2);
    flags = flags_of(w);
    assert_int_equal(flags.n, 0);
    assert_ok(flag_training(w->arena, &look, &t, &e));
    assert_false(t.searched);
    /* an answer more is another search */
    assert_ok(store_plan_samples(w->store, w->run.id, w->models[0].id, 0, &e));
    answer(w, trained, COUNT(trained));
    assert_ok(flag_training(w->arena, &look, &t, &e));
    assert_true(t.searched);
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "c/0=training");
}

/* Answers that come between the search and the writing are not forgotten. */
static void late_answers_leave_the_run_stale(void **state)
{
    struct world *w = *state;
    struct flag_look look;
    struct flag_training t;
    struct err e = {0};
    bool whole;

    write_text(w, "train.jsonl", "\"Nobody came to the harbour!\"\n");
    look = look_at(w, plan(w, TRAINED));
    answer(w, trained, 2);
    assert_ok(flag_training(w->arena, &look, &t, &e));
    answer(w, trained, COUNT(trained));
    assert_ok(store_begin(w->store, &e));
    assert_ok(flag_refresh(&look, &t, &whole, &e));
    assert_ok(store_commit(w->store, &e));
    assert_false(whole);
}

static void a_changed_file_keeps_what_was_found(void **state)
{
    struct world *w = *state;
    struct flag_list flags;
    struct err e = {0};

    write_text(w, "train.jsonl", "\"Nobody came to the harbour!\"\n");
    (void)plan(w, TRAINED);
    answer(w, trained, COUNT(trained));
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "c/0=training");
    write_text(w, "train.jsonl", "\"Other lines.\"\n");
    assert_ok(db_script(w->store->db, "UPDATE look SET key = 'old'", &e));
    w->run.stale = true;
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "c/0=training");
    assert_non_null(strstr(look_of(w).note, "has changed"));
    assert_string_equal(look_of(w).key, "");
    /* the file comes back: searched again */
    write_text(w, "train.jsonl", "\"Nobody came to the harbour!\"\n");
    w->run.stale = true;
    flags = flags_of(w);
    assert_string_equal(look_of(w).note, "");
    assert_true(look_of(w).key[0] != '\0');
}

/* Goes on as often as `left` says, and keeps what it was told last; it is first told at line 0. */
struct patience {
    int left;
    struct training_progress last;
    bool over;
};

static bool look_on(void *user, const struct training_progress *now)
{
    struct patience *p = user;

    assert_false(p->over);
    if (!now)
        return p->over = true;
    assert_true(now->lines > p->last.lines && now->bytes > p->last.bytes);
    assert_true(now->bytes <= now->size);
    p->last = *now;
    return p->left-- > 0;
}

/* A search that is ended leaves no trace but itself undone. */
static void a_search_can_be_ended(void **state)
{
    AUTO(buf_done) struct buf lines = BUF_MAX(1 << 20);
    struct patience one = {2, {-1, -1, 0}, false}, many = {1000, {-1, -1, 0}, false};
    struct world *w = *state;
    struct flag_list flags;
    struct err e = {0};

    for (int i = 0; i < 2000; i++)
        buf_fmt(&lines, "\"Line %d, of no importance.\"\n", i);
    buf_text(&lines, "\"Nobody came to the harbour!\"\n");
    write_text(w, "train.jsonl", lines.p);
    (void)plan(w, TRAINED);
    answer(w, trained, COUNT(trained));
    assert_int_equal(
        derive_refresh_watched(w->store, &w->run, &(struct training_watch){look_on, &one}, &e),
        E_STOP);
    assert_says(&e, "interrupted at line 512 of the training data");
    assert_true(w->run.stale);
    assert_ok(store_flag_list(w->arena, w->store, w->run.id, &flags, &e));
    assert_int_equal(flags.n, 0);
    assert_ok(
        derive_refresh_watched(w->store, &w->run, &(struct training_watch){look_on, &many}, &e));
    assert_int_equal(many.last.lines, 1792); /* every 256 */
    assert_true(many.over && !one.over);
    flags = flags_of(w);
    assert_string_equal(summary(w, &flags), "c/0=training");
}

/* Memory is that of the longest line, whatever the size of the file; lines that are not text are
 * told by their number. */
static void training_files_have_any_size(void **state)
{
    enum { LINES = 200000, EVERY = 50000 };
    struct world *w = *state;
    const char *path = arena_printf(w->arena, "%s/large", w->dir);
    FILE *out = fopen(path, "w");
    struct training_text x;
    struct training t;
    struct err e = {0};
    int64_t good = 0, bad = 0;
    bool more;

    assert_non_null(out);
    for (int i = 1; i <= LINES; i++)
        assert_true(fprintf(out, "{\"text\": \"%s and line %d of many, and more words\"}\n",
                            i % EVERY ? "One" : "\xFF", i) > 0);
    assert_int_equal(fclose(out), 0);
    assert_ok(training_open(&t, path, &e));
    assert_true(t.size > 8 << 20);
    for (;;) {
        assert_ok(training_next(&t, &x, &more, &e));
        if (!more)
            break;
        good += !x.fault;
        bad += x.fault != NULL;
        if (x.fault) {
            assert_string_equal(x.fault, "not UTF-8");
            assert_int_equal(x.line, bad * EVERY);
        }
        assert_true(t.lines.cap <= 64 << 10);
    }
    assert_int_equal(good, LINES - LINES / EVERY);
    assert_int_equal(bad, LINES / EVERY);
    training_close(&t);
}

/* 2 GiB without a line break: refused when the limit of a line is passed, not read. */
static void a_line_has_a_limit(void **state)
{
    struct world *w = *state;
    const char *path = arena_printf(w->arena, "%s/sparse", w->dir);
    struct training_text x;
    struct training t;
    struct err e = {0};
    bool more;

    write_text(w, "sparse", "one\n");
    assert_int_equal(truncate(path, (off_t)2 << 30), 0);
    assert_ok(training_open(&t, path, &e));
    assert_int_equal(t.size, (int64_t)2 << 30);
    assert_ok(training_next(&t, &x, &more, &e));
    assert_true(str_is(x.text, "one"));
    assert_int_equal(training_next(&t, &x, &more, &e), E_INPUT);
    assert_says(&e, "sparse:2: line over");
    assert_true(t.lines.cap <= 64 << 20);
    training_close(&t);
}

/* ---- looked for again ---- */

static void keep_text(void *user, const char *difference)
{
    struct buf *b = user;

    buf_fmt(b, "%s\n", difference);
}

static struct flag_check checked(struct world *w, const struct suite *suite, struct buf *out)
{
    struct flag_look look = look_at(w, suite);
    struct flag_check c = {0};
    struct err e = {0};

    buf_clear(out);
    assert_ok(flag_check(w->arena, &look, keep_text, out, &c, &e));
    return c;
}

static void flags_can_be_checked(void **state)
{
    AUTO(buf_done) struct buf said = BUF_MAX(1 << 16);
    struct world *w = *state;
    struct suite *suite;
    struct flag_check c;
    struct err e = {0};

    write_text(w, "train.jsonl", "\"The lighthouse keeper said nothing and lit another lamp.\"\n");
    suite = plan(w, TRAINED);
    answer(w, trained, COUNT(trained));
    assert_int_equal(flags_of(w).n, 2);
    c = checked(w, suite, &said);
    assert_int_equal(said.n, 0);
    assert_int_equal(c.compared, 2);
    assert_string_equal(c.note, "");
    assert_ok(db_script(w->store->db,
                        "UPDATE flag SET value = 0.9 WHERE kind = 'training-near';"
                        "UPDATE flag SET evidence = '{}' WHERE kind = 'training'",
                        &e));
    c = checked(w, suite, &said);
    assert_non_null(strstr(said.p, "(training-near, sample 2): stored 0.9"));
    assert_non_null(strstr(said.p, "(training, sample 1): its evidence does not match the answer"));
    assert_ok(db_script(w->store->db,
                        "UPDATE flag SET kind = 'markup' WHERE kind = 'training-near'", &e));
    c = checked(w, suite, &said);
    assert_non_null(
        strstr(said.p, "(markup, sample 2): stored, but the answer does not warrant it"));
    assert_non_null(
        strstr(said.p, "sample 2: its answer warrants 'training-near', but no such flag"));
    write_text(w, "train.jsonl", "\"Other lines.\"\n"); /* nothing can be said of those */
    c = checked(w, suite, &said);
    assert_int_equal(c.compared, 1);
    assert_non_null(strstr(c.note, "has changed"));
    assert_null(strstr(said.p, "training"));
}

static void training_files_have_many_forms(void **state)
{
    static const struct {
        const char *file, *texts;
    } v[] = {
        {"one\r\n\n  two  \n", "1:one 3:two "},
        {"\xEF\xBB\xBF{\"answer\": \"a\"}\n{\"target\": \"b\"}\n\"c\"\n", "1:a 2:b 3:c "},
        {"{\"messages\": [{\"role\": \"user\", \"content\": \"u\"}, {\"role\": \"assistant\", "
         "\"content\": \"a\"}, {\"role\": \"assistant\", \"content\": \"b\"}]}\n\"c\"",
         "1:a 1:b 2:c "},
        {"{\"conversations\": [{\"from\": \"gpt\", \"value\": \"a\"}]}\n", "1:a "},
        {"{\"id\": 1}\n[1]\n{\"text\": 3}\n{\"text\"\n", "1! 2! 3! 4! "},
        {"", ""},
    };
    struct world *w = *state;
    const char *path = arena_printf(w->arena, "%s/t", w->dir);
    struct err e = {0};

    for (size_t i = 0; i < COUNT(v); i++) {
        AUTO(training_close) struct training t;
        struct training_text x;
        const char *texts = "";
        char whole[HASH_HEX], read[HASH_HEX];
        bool more;
        write_text(w, "t", v[i].file);
        assert_ok(training_open(&t, path, &e));
        for (;;) {
            assert_ok(training_next(&t, &x, &more, &e));
            if (!more)
                break;
            texts = x.fault ? arena_printf(w->arena, "%s%lld! ", texts, (long long)x.line)
                            : arena_printf(w->arena, "%s%lld:%.*s ", texts, (long long)x.line,
                                           STR_ARG(x.text));
        }
        assert_string_equal(texts, v[i].texts);
        training_hash_hex(&t, read);
        assert_ok(training_hash(path, whole, &e));
        assert_string_equal(read, whole);
    }
}

/* ---- people ---- */

static double value_of(struct world *w, const char *metric)
{
    struct score_list scores;
    struct err e = {0};

    assert_ok(store_score_list(w->arena, w->store, w->run.id, "", &scores, &e));
    for (size_t i = 0; i < scores.n; i++)
        if (strcmp(scores.v[i].metric, metric) == 0)
            return scores.v[i].value;
    fail_msg("there is no %s", metric);
    return NAN;
}

static void a_person_can_overrule(void **state)
{
    static const struct said said[] = {{"a", 0, "Reply: no.", NULL}};
    struct world *w = *state;
    struct flag_act act = {.who = "kay", .why = "she signs so"};
    struct flag_list flags;
    struct flag_log log;
    struct err e = {0};

    (void)plan(w, HEAD "items: [{id: a, prompt: x}]\n");
    answer(w, said, COUNT(said));
    flags = flags_of(w);
    act.flag = flags.v[0].id;
    assert_true(value_of(w, "flag:markup") == 1);
    assert_ok(derive_overrule(w->store, &w->run, &act, &e));
    assert_false(w->run.stale);
    assert_true(value_of(w, "flag:markup") == 0);
    flags = flags_of(w);
    assert_string_equal(flags.v[0].overruled_by, "kay");
    assert_string_equal(flags.v[0].overruled_why, "she signs so");
    assert_int_equal(derive_overrule(w->store, &w->run, &act, &e), E_USAGE);

    act = (struct flag_act){.flag = act.flag, .restore = true, .who = "ida", .why = "she does not"};
    assert_ok(derive_overrule(w->store, &w->run, &act, &e));
    flags = flags_of(w);
    assert_null(flags.v[0].overruled_by);
    assert_int_equal(derive_overrule(w->store, &w->run, &act, &e), E_USAGE);
    act.flag = 12345;
    assert_int_equal(derive_overrule(w->store, &w->run, &act, &e), E_ABSENT);

    /* the log outlives the flag */
    assert_ok(store_flag_drop(w->store, flags.v[0].id, &e));
    assert_ok(store_flag_log(w->arena, w->store, w->run.id, &log, &e));
    assert_int_equal(log.n, 2);
    assert_string_equal(log.v[0].act, "overrule");
    assert_string_equal(log.v[0].who, "kay");
    assert_string_equal(log.v[1].act, "restore");
    assert_string_equal(log.v[1].why, "she does not");
    assert_string_equal(log.v[1].kind, "markup");
    assert_string_equal(log.v[1].item_name, "a");
}

/* ---- what they do ---- */

static enum status one_value(void *user, const struct score_value *v, struct err *e)
{
    struct score_value *out = user;

    (void)e;
    *out = *v;
    return OK;
}

/* The only answer's value, which a judge has given 1, when it has these flags. */
static struct score_value ruled(struct world *w, const struct suite *suite)
{
    struct score_value v = {.value = NAN};
    struct err e = {0};

    assert_ok(
        score_value_each(w->store, &w->run, suite, &(struct jury){.key = ""}, one_value, &v, &e));
    return v;
}

static void judge(struct world *w)
{
    struct mark mark = {.dimension = "q", .value = 1};
    struct verdict_plan p = {.run = w->run.id, .family = ""};
    struct leased_list l;
    int64_t n;
    struct err e = {0};

    w->judge = (struct party){
        .name = "jo", .family = "", .config = STR("{}"), .template = STR("{}"), .repeats = 1};
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &w->judge, &e));
    p.judge = w->judge.id;
    assert_ok(store_worker_start(w->store, &e));
    assert_ok(store_plan_verdicts(w->store, &p, &n, &e));
    assert_ok(store_lease(w->arena, w->store, PARTY_JUDGE, w->judge.id, 10, &(int64_t){0}, &l, &e));
    for (size_t i = 0; i < l.n; i++) {
        struct verdict_result r = {
            .id = l.v[i].id, .state = STATE_DONE, .overall = NAN, .marks = &mark, .nmarks = 1};
        assert_ok(store_verdict_end(w->store, &r, &e));
    }
    assert_ok(store_worker_end(w->store, &e));
}

static void the_hardest_rule_wins(void **state)
{
    static const struct said said[] = {{"a", 0, "Reply: 我不知道你在说什么,", NULL}};
    struct world *w = *state;
    struct suite *suite;
    struct rule *of;

    suite = plan(w, HEAD "items: [{id: a, prompt: x}]\n");
    of = suite->rules.of;
    answer(w, said, COUNT(said));
    judge(w);
    assert_int_equal(flags_of(w).n, 3); /* markup, truncated, language */
    assert_true(ruled(w, suite).value == 1);
    assert_null(ruled(w, suite).rule);
    of[RULE_MARKUP] = (struct rule){.on = true, .effect = EFFECT_CAP, .cap = 0.5};
    assert_true(ruled(w, suite).value == 0.5);
    of[RULE_LANGUAGE] = (struct rule){.on = true, .effect = EFFECT_CAP, .cap = 0.25};
    assert_true(ruled(w, suite).value == 0.25);
    assert_string_equal(ruled(w, suite).rule, "language");
    of[RULE_MARKUP].cap = 0.125;
    assert_string_equal(ruled(w, suite).rule, "markup");
    of[RULE_TRUNCATED] = (struct rule){.on = true, .effect = EFFECT_ZERO};
    assert_true(ruled(w, suite).value == 0);
    assert_string_equal(ruled(w, suite).rule, "truncated");
    of[RULE_TRUNCATED].on = false;
    assert_true(ruled(w, suite).value == 0.125);
    of[RULE_MARKUP].cap = of[RULE_LANGUAGE].cap = 5; /* a cap above the value does nothing */
    assert_true(ruled(w, suite).value == 1);
    assert_null(ruled(w, suite).rule);
}

#define TESTS(setup)                                                                               \
    WORLD_TEST(facts_are_found, setup), WORLD_TEST(rules_can_be_off, setup),                       \
        WORLD_TEST(a_part_may_be_whole, setup), WORLD_TEST(each_item_has_its_card, setup),         \
        WORLD_TEST(echoes_are_no_answers, setup), WORLD_TEST(one_answer_for_everything, setup),    \
        WORLD_TEST(answers_that_go_round, setup), WORLD_TEST(duplicates_chain, setup),             \
        WORLD_TEST(duplicates_of_duplicates_count, setup),                                         \
        WORLD_TEST(training_lines_are_found, setup), WORLD_TEST(one_search_is_enough, setup),      \
        WORLD_TEST(late_answers_leave_the_run_stale, setup),                                       \
        WORLD_TEST(a_changed_file_keeps_what_was_found, setup),                                    \
        WORLD_TEST(a_search_can_be_ended, setup), WORLD_TEST(training_files_have_any_size, setup), \
        WORLD_TEST(a_line_has_a_limit, setup), WORLD_TEST(flags_can_be_checked, setup),            \
        WORLD_TEST(training_files_have_many_forms, setup),                                         \
        WORLD_TEST(a_person_can_overrule, setup), WORLD_TEST(the_hardest_rule_wins, setup)

WORLD_MAIN("flag", TESTS)
