/* Battle files, good and bad, and the tables of ratings made from them. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <unistd.h>

#include "base/json.h"
#include "eval/rating.h"
#include "exchange/battle_file.h"
#include "report/rank_table.h"
#include "unit/near.h"
#include "unit/reference.h"

static char path[64]; /* of the file under test */

static int make_file(void **state)
{
    int fd;

    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/test_battle.XXXXXX");
    fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static enum status read_text(struct arena *a, struct str text, const char *cluster,
                             struct battle_set *out, struct err *e)
{
    assert_int_equal(file_write(path, text, e), OK);
    *e = (struct err){0};
    return battle_read(a, path, &(struct battle_want){.cluster = cluster}, out, e);
}

static struct battle_set good(struct arena *a, const char *text)
{
    struct battle_set set = {0};
    struct err e = {0};

    if (read_text(a, str_of(text), NULL, &set, &e) != OK)
        fail_msg("%s", e.msg);
    return set;
}

/* The file is refused at this line with these words. */
static void bad_bytes(struct str text, const char *cluster, int line, const char *words)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct battle_set set = {.n = 77};
    struct err e = {0};
    const char *place =
        line ? arena_printf(a, "%s:%d: ", path, line) : arena_printf(a, "%s: ", path);

    assert_int_equal(read_text(a, text, cluster, &set, &e), E_INPUT);
    if (strncmp(e.msg, place, strlen(place)) != 0 || !strstr(e.msg, words))
        fail_msg("\"%s\" should begin with \"%s\" and have \"%s\"", e.msg, place, words);
    assert_int_equal(set.n, 77);
}

static void bad(const char *text, int line, const char *words)
{
    bad_bytes(str_of(text), NULL, line, words);
}

#define TOP "model_a,model_b,winner\n"

static void plain(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set s = good(a, "id,winner,model_b,prompt,model_a,weight\n"
                                  "1,x,y,p1,x,2\n\n2,y,x,p2,y,1\n3,b,z,p1,x,1\n4,TIE,z,p3,y,0.5");

    (void)state;
    assert_int_equal(s.n, 4);
    assert_int_equal(s.models, 3);
    assert_string_equal(s.names[0], "x");
    assert_string_equal(s.names[2], "z");
    assert_int_equal(s.v[0].outcome, DUEL_WON);
    assert_true(s.v[1].a == 1 && s.v[1].b == 0 && s.v[1].outcome == DUEL_WON);
    assert_int_equal(s.v[2].outcome, DUEL_LOST);
    assert_int_equal(s.v[3].outcome, DUEL_TIED);
    assert_true(s.weighted && s.v[0].weight == 2 && s.v[3].weight == 0.5);
    assert_string_equal(s.cluster, "prompt");
    assert_true(s.clusters == 3 && s.v[2].cluster == 0 && s.v[3].cluster == 2);
}

static void spellings(void **state)
{
    static const struct {
        const char *winner;
        uint32_t outcome;
    } words[] = {
        {"a", DUEL_WON},
        {"model_a", DUEL_WON},
        {"left", DUEL_WON},
        {"Model_A", DUEL_WON},
        {"b", DUEL_LOST},
        {"model_b", DUEL_LOST},
        {"right", DUEL_LOST},
        {"x1", DUEL_WON},
        {"tie", DUEL_TIED},
        {"draw", DUEL_TIED},
        {"x2", DUEL_LOST},
        {" tie ", DUEL_TIED},
        {"tie (bothbad)", DUEL_TIED},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        AUTO(arena_freep) struct arena *a = arena_new();
        AUTO(battle_done)
        struct battle_set s =
            good(a, arena_printf(a, "left,right,winner\nx1,x2,%s\n", words[i].winner));
        assert_int_equal(s.v[0].outcome, words[i].outcome);
        assert_null(s.cluster);
    }
}

/* Judgements as two well-known benchmarks write them. What was not judged is no battle, and no tie.
 */
static void judgements_of_others(void **state)
{
    static const uint32_t pairs[] = {DUEL_WON, DUEL_TIED, DUEL_TIED, DUEL_LOST};
    static const uint32_t preferences[] = {DUEL_WON, DUEL_LOST, DUEL_TIED, DUEL_WON, DUEL_LOST};
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set s =
        good(a, "{\"question_id\":81,\"model_1\":\"x\",\"model_2\":\"y\",\"g1_winner\":\"model_1\","
                "\"g2_winner\":\"model_1\",\"judge\":[\"j\",\"pair-v2\"],\"turn\":1}\n"
                "{\"question_id\":82,\"model_1\":\"x\",\"model_2\":\"y\",\"g1_winner\":\"model_1\","
                "\"g2_winner\":\"model_2\"}\n"
                "{\"question_id\":83,\"model_1\":\"x\",\"model_2\":\"y\",\"g1_winner\":\"tie\","
                "\"g2_winner\":\"tie\"}\n"
                "{\"question_id\":84,\"model_1\":\"x\",\"model_2\":\"y\",\"g1_winner\":\"model_1\","
                "\"g2_winner\":\"error\"}\n"
                "{\"question_id\":84,\"model_1\":\"x\",\"model_2\":\"y\",\"g1_winner\":\"model_2\","
                "\"g2_winner\":\"model_2\"}\n");
    AUTO(battle_done)
    struct battle_set p =
        good(a, "[\n {\"instruction\":\"sing\",\"generator_1\":\"x\",\"generator_2\":\"y\","
                "\"preference\":1},\n"
                " {\"instruction\":\"tell\",\"generator_1\":\"x\",\"generator_2\":\"y\","
                "\"preference\":\"2\"},\n"
                " {\"instruction\":\"tell\",\"generator_1\":\"x\",\"generator_2\":\"y\","
                "\"preference\":1.5},\n"
                " {\"instruction\":\"hum\",\"generator_1\":\"z\",\"generator_2\":\"y\","
                "\"preference\":null},\n"
                " {\"instruction\":\"hum\",\"generator_1\":\"x\",\"generator_2\":\"y\","
                "\"preference\":1.98}]\n");

    (void)state;
    assert_true(s.n == 4 && s.unjudged == 1 && p.n == 5 && p.unjudged == 1);
    assert_int_equal(p.split, 1); /* 98 % for the second: both halves, on one prompt */
    assert_near(p.v[3].weight, 0.02, 1e-12);
    assert_near(p.v[4].weight, 0.98, 1e-12);
    assert_int_equal(p.v[3].cluster, p.v[4].cluster);
    assert_int_equal(p.models, 2); /* z was never judged */
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(s.v[i].outcome, pairs[i]);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(p.v[i].outcome, preferences[i]);
    assert_string_equal(s.cluster, "question_id");
    assert_string_equal(p.cluster, "instruction");
    assert_int_equal(p.clusters, 3);
    bad("model_1,model_2,preference\nx,y,3\n", 2, "preference \"3\" is not a number from 1 to 2");
    AUTO(battle_done) struct battle_set drawn = good(a, "model_1,model_2,preference\nx,y,0\n");
    assert_int_equal(drawn.v[0].outcome, DUEL_TIED);
    bad("model_1,model_2,preference\nx,y,\n", 0, "no battles");
    bad("model_1,model_2,g1_winner\nx,y,tie\n", 1, "no column winner");
    bad("model_1,model_2,g1_winner,g2_winner\nx,y,tie,z\n", 2, "winner \"z\" is neither");
}

/* A model called "b" that stands first and wins is no "b". */
static void names_go_first(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = good(a, TOP "b,a,b\ntie,b,tie\n");

    (void)state;
    assert_true(s.v[0].outcome == DUEL_WON && s.v[1].outcome == DUEL_WON);
}

static void quotes_and_line_ends(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set s =
        good(a, "\xEF\xBB\xBFmodel_a,model_b,winner,note\r\n"
                "\"one, two\",🦊,\"one, two\",\"first\r\nsecond \"\"line\"\"\"\r\n"
                "\"\"\"q\"\"\",🦊,b,\"\"\r\n"
                "🦊,\"one, two\",tie,\r\n");

    (void)state;
    assert_int_equal(s.n, 3);
    assert_string_equal(s.names[0], "one, two");
    assert_string_equal(s.names[1], "🦊");
    assert_string_equal(s.names[2], "\"q\"");
    assert_true(s.v[0].outcome == DUEL_WON && s.v[1].outcome == DUEL_LOST);
}

static void json_lines(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set s =
        good(a, "{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\",\"prompt\":7}\n"
                "{\"model_id_A\":\"y\",\"model_id_B\":\"x\",\"winner\":\"x\",\"prompt\":\"8\","
                "\"weight\":3,\"review\":\"A, \\n B\"}\r\n");

    (void)state;
    assert_true(s.n == 2 && s.models == 2 && s.clusters == 2);
    assert_true(s.v[0].outcome == DUEL_WON && s.v[1].outcome == DUEL_LOST);
    assert_true(s.v[1].weight == 3);
    bad("{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\"}\n{\"model_a\":\"x\"}\n", 2,
        "model_b");
    bad("{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":null}\n", 1, "winner");
    bad("{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\",\"weight\":\"NaN\"}\n", 1, "weight");
    bad("{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\",\"weight\":[]}\n", 1, "weight");
    bad("{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\",\"prompt\":1}\n"
        "{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\"}\n",
        2, "prompt");
    bad("{\"model_a\":\"x\",\n", 1, "");
    bad("{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\"}\n[]\n", 2, "");
}

/* Programs write a list as one line: a limit on lines is none on lists. One of lines holds. */
static void one_line_list(void **state)
{
    static const char battle[] =
        "{\"model_a\":\"x\",\"model_b\":\"y\",\"winner\":\"a\",\"note\":\"";
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = {0};
    AUTO(buf_done) struct buf text = BUF_MAX(16 << 20);

    (void)state;
    for (int i = 0; i < 2; i++) {
        buf_fmt(&text, "%c%s", i ? ',' : '[', battle);
        for (int k = 0; k < 3 << 20; k++)
            buf_char(&text, 'n');
        buf_text(&text, "\"}");
    }
    buf_char(&text, ']');
    s = good(a, text.p);
    assert_int_equal(s.n, 2);
    text.p[text.n - 1] = '\n';
    bad(text.p + 1, 1, "line over");
}

static void faults(void **state)
{
    (void)state;
    bad("", 0, "no battles");
    bad(TOP, 0, "no battles");
    bad("\n\n", 0, "no battles");
    bad(TOP "x,y,a\nx,y,z\n", 3, "winner \"z\" is neither \"x\" nor \"y\"");
    bad(TOP "x,y,\n", 2, "winner");
    bad(TOP "x,x,a\n", 2, "\"x\" is paired with itself");
    bad(TOP ",y,b\n", 2, "model_a is empty");
    bad(TOP "x,y\n", 2, "2 fields, but the header has 3");
    bad(TOP "x,y,a,b\n", 2, "4 fields");
    bad("model_a,winner\nx,a\n", 1,
        "no column model_b; a battle is model_a,model_b,winner; found: model_a, winner");
    bad(TOP "\"x,y,a\nx,y,a\n", 2, "not closed");
    bad(TOP "\"x\"s,y,a\n", 2, "after a closing quote");
    bad("[{\"model_a\":1}]", 0, "element 1: \"model_b\" is missing");
    bad("[[\"x\", \"y\"]]", 0, "element 1: \"model_a\" is missing");
    bad("[{\"model_a\":\"x\",", 0, "expected");
    bad("[]", 0, "no battles");
    bad_bytes(STR(TOP "x,\xff\xfe,a\n"), NULL, 2, "UTF-8");
    bad_bytes(STR(TOP "x,y\0,a\n"), NULL, 2, "NUL");
    bad_bytes(STR(TOP "x,y,a\n"), "topic", 1, "no column topic");
    bad_bytes(STR("model_a,model_b,winner,prompt\nx,y,a,\n"), NULL, 2, "prompt is empty");
}

static void bad_weights(void **state)
{
    static const char *const weights[] = {"nan", "NaN", "inf", "-inf", "1e999", "0",
                                          "-1",  "",    "two", "1e10", "0x10"};

    (void)state;
    for (size_t i = 0; i < COUNT(weights); i++) {
        AUTO(arena_freep) struct arena *a = arena_new();
        bad(arena_printf(a, "model_a,model_b,winner,weight\nx,y,a,1\nx,y,b,%s\n", weights[i]), 3,
            "weight");
    }
}

/* ---- ratings ---- */

static struct rating_table rate(struct arena *a, const struct battle_set *s, struct rating_how how)
{
    struct rating_table t;
    struct err e = {0};

    how.glicko.tau = GLICKO_TAU;
    if (rating_compute(a, s, &how, &t, &e) != OK)
        fail_msg("%s", e.msg);
    return t;
}

static struct rating_table rate_text(struct arena *a, const char *text, struct rating_how how)
{
    AUTO(battle_done) struct battle_set set = good(a, text);

    return rate(a, &set, how);
}

static bool noted(const struct rating_table *t, const char *words)
{
    for (size_t i = 0; i < t->nnotes; i++)
        if (strstr(t->notes[i], words))
            return true;
    return false;
}

static void one_battle(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = good(a, TOP "x,y,b\n");
    struct rating_table t = rate(a, &s, (struct rating_how){0});

    (void)state;
    assert_true(t.ngroups == 1 && t.groups[0].n == 2);
    assert_string_equal(s.names[t.groups[0].v[0].model], "y");
    assert_true(noted(&t, "ridge"));
    assert_true(t.groups[0].v[0].rating < 1200 && isnan(t.groups[0].v[0].lo));
    assert_int_equal(t.groups[0].v[0].why, INTERVAL_FEW_UNITS);
    assert_int_equal(t.groups[0].v[0].rank_best, 0);
}

static void groups_stay_apart(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set s = good(a, TOP "x,y,a\nx,y,b\nx,y,a\np,q,a\nq,r,a\nr,p,a\nx,p,tie\n");
    struct rating_table joined = rate(a, &s, (struct rating_how){0}), t;

    (void)state;
    assert_int_equal(joined.ngroups, 1);
    t = rate(a, &s, (struct rating_how){.ties = BT_DROP, .anchor = "x", .anchored = 1500});
    assert_true(t.ngroups == 2 && t.groups[0].n == 3 && t.groups[1].n == 2);
    assert_true(noted(&t, "no battle between them but ties") && noted(&t, "anchor"));
    assert_true(fabs(t.groups[0].v[0].rating - 1000) < 1e-6);
    assert_true(t.groups[1].v[0].rating == 1500);
    assert_int_equal(t.groups[1].v[0].games, 3); /* the dropped tie was between groups */
}

static const char cycle[] = TOP "x,y,a\ny,z,a\nz,x,a\nx,y,a\nx,z,tie\ny,z,b\nx,z,a\n";

static void anchor_shifts_all(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = good(a, cycle);
    struct rating_how how = {.anchor = "y", .anchored = 1200};
    struct rating_table plain_table = rate(a, &s, (struct rating_how){0}), t = rate(a, &s, how);
    struct err e = {0};
    double shift = t.groups[0].v[0].rating - plain_table.groups[0].v[0].rating;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct rating *p = &plain_table.groups[0].v[i], *q = &t.groups[0].v[i];
        assert_true(p->model == q->model && fabs(q->rating - p->rating - shift) < 1e-9);
        assert_true(fabs((q->hi - q->lo) - (p->hi - p->lo)) < 1e-9);
        assert_true(strcmp(s.names[q->model], "y") != 0 || q->rating == 1200);
    }
    how.anchor = "nobody";
    assert_int_equal(rating_compute(a, &s, &how, &t, &e), E_USAGE);
}

static void orders_are_shuffled(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = good(a, cycle);
    struct rating_how how = {.system = RATING_GLICKO, .glicko.period = GLICKO_SEQUENTIAL};
    struct rating_table t = rate(a, &s, how), same = rate(a, &s, how);

    (void)state;
    assert_int_equal(t.shuffles, RATING_SHUFFLES);
    for (size_t i = 0; i < 3; i++) {
        assert_true(t.groups[0].v[i].order_lo < t.groups[0].v[i].order_hi);
        assert_true(t.groups[0].v[i].order_lo == same.groups[0].v[i].order_lo);
    }
    how.glicko.period = GLICKO_ALL;
    t = rate(a, &s, how);
    assert_true(t.shuffles == 0 && isnan(t.groups[0].v[0].order_lo));
    t = rate(a, &s, (struct rating_how){.system = RATING_ELO});
    assert_true(t.shuffles == RATING_SHUFFLES && isnan(t.groups[0].v[0].lo));
}

static void few_prompts(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set one = good(a, "model_a,model_b,winner,prompt\nx,y,a,p\nx,y,b,p\nx,y,a,p\n"),
                      two = good(a, "model_a,model_b,winner,prompt\nx,y,a,p\nx,y,b,p\nx,y,a,q\n");
    struct rating_table t = rate(a, &one, (struct rating_how){0});

    (void)state;
    assert_true(noted(&t, "no intervals: 1 prompt,") && !t.method);
    t = rate(a, &two, (struct rating_how){0});
    assert_true(noted(&t, "no intervals: 2 prompts,") && !t.method);
}

/* Two models that met once on each of twelve prompts. */
static void few_battles_of_two(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *text = "model_a,model_b,winner,prompt\n";
    struct rating_table t;

    (void)state;
    for (int p = 0; p < 12; p++)
        text = arena_printf(a, "%sx,y,%c,%d\n", text, p % 3 ? 'a' : 'b', p);
    t = rate_text(a, text, (struct rating_how){0});
    assert_int_equal(t.groups[0].v[0].why, INTERVAL_WIDE);
}

/* A dropped tie is no unit: three decided battles are too few, however many ties there are. */
static void dropped_ties(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct rating_table t = rate_text(a,
                                      "model_a,model_b,winner\nx,y,tie\nx,y,a\nx,y,tie\nx,y,b\n"
                                      "x,y,tie\nx,y,a\nx,y,tie\nx,y,tie\n",
                                      (struct rating_how){.ties = BT_DROP});

    (void)state;
    assert_true(noted(&t, "no intervals: 3 battles,") && isnan(t.groups[0].v[0].lo));
}

/* Where every prompt says the same nothing tells how far it may be off: no interval, no place and
 * no probability either. */
static void nothing_varies(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *text = "model_a,model_b,winner,prompt\n";
    struct rating_table t;

    (void)state;
    for (int p = 0; p < 30; p++)
        text = arena_printf(a, "%sx,y,a,%d\nx,y,a,%d\nx,y,b,%d\n", text, p, p, p);
    t = rate_text(a, text, (struct rating_how){0});
    assert_int_equal(t.groups[0].v[0].why, INTERVAL_NO_SPREAD);
    assert_true(isnan(t.groups[0].v[0].rd) && isnan(t.groups[0].pairs[1].better));
    assert_int_equal(t.groups[0].v[0].rank_worst, 2);
}

/* Two of forty prompts have three of five battles: that they differ says little about others. */
static void two_prompts_have_most_battles(void **state)
{
    enum { PROMPTS = 40, MOST = 57 };
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel *v = NEW_N(a, struct duel, 2 * (PROMPTS + MOST));
    struct battle_set s = {.names = (const char *[]){"x", "y"},
                           .models = 2,
                           .v = v,
                           .cluster = "prompt",
                           .clusters = PROMPTS};
    struct rating_table t;

    (void)state;
    for (uint32_t prompt = 0; prompt < PROMPTS; prompt++)
        for (uint32_t k = 0; k < (prompt < 2 ? MOST + 1 : 2); k++) {
            bool won = prompt < 2 ? k * 10 < MOST * (prompt ? 5 : 8) : k == 0;
            v[s.n++] = (struct duel){0, 1, prompt, won ? DUEL_WON : DUEL_LOST, 1};
        }
    t = rate(a, &s, (struct rating_how){.system = RATING_BT});
    assert_string_equal(t.method, "jackknife by prompt (40)");
    assert_near(t.groups[0].v[0].lo, 940.897, 1e-3); /* with t(4.4), computed elsewhere */
    assert_near(t.groups[0].v[0].hi, 1120.95, 1e-2);
}

/* With many models, a fit for each of many prompts takes minutes. */
static void many_prompts_of_many_models(void **state)
{
    enum { MODELS = 200, PROMPTS = 300 };
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel *v = NEW_N(a, struct duel, 4 * MODELS + PROMPTS);
    struct battle_set s = {.names = NEW_N(a, const char *, MODELS),
                           .models = MODELS,
                           .v = v,
                           .cluster = "prompt",
                           .clusters = PROMPTS};

    (void)state;
    for (uint32_t m = 0; m < MODELS; m++) {
        s.names[m] = arena_printf(a, "m%u", (unsigned)m);
        for (uint32_t k = 0; k < 4; k++)
            v[s.n++] = (struct duel){m, (m + 1) % MODELS, k / 2, k % 2 ? DUEL_WON : DUEL_LOST, 1};
    }
    for (uint32_t prompt = 2; prompt < PROMPTS; prompt++)
        v[s.n++] = (struct duel){0, 1, prompt, DUEL_WON, 1};
    assert_string_equal(rate(a, &s, (struct rating_how){.system = RATING_BT}).method,
                        "sandwich by prompt (300)");
}

/* Three people for whom the first of ten models wins 29, 30 and 31 of 40 battles with each other
 * one: enough to tell two models apart, and not ten together, since t(2) has long tails. */
static void few_people(void **state)
{
    enum { MODELS = 10, PROMPTS = 40, PEOPLE = 3, N = (MODELS - 1) * PROMPTS * PEOPLE };
    AUTO(arena_freep) struct arena *a = arena_new();
    struct duel *v = NEW_N(a, struct duel, N);
    uint32_t *who = NEW_N(a, uint32_t, N), n = 0;
    struct battle_set s = {.names = NEW_N(a, const char *, MODELS),
                           .models = MODELS,
                           .v = v,
                           .n = N,
                           .cluster = "prompt",
                           .clusters = PROMPTS,
                           .rater = who,
                           .raters = PEOPLE};
    struct rating_table t;

    (void)state;
    for (uint32_t m = 0; m < MODELS; m++)
        s.names[m] = arena_printf(a, "m%u", (unsigned)m);
    for (uint32_t prompt = 0; prompt < PROMPTS; prompt++)
        for (uint32_t m = 1; m < MODELS; m++)
            for (uint32_t k = 0; k < PEOPLE; k++, n++) {
                bool won = (prompt * 3 + m * 7 + k * 11) % 40 < 29 + k;
                v[n] = (struct duel){0, m, prompt, won ? DUEL_WON : DUEL_LOST, 1};
                who[n] = k;
            }
    t = rate(a, &s, (struct rating_how){.system = RATING_BT});
    assert_int_equal(t.groups[0].v[0].model, 0);
    assert_true(t.groups[0].pairs[1].better > 0.995 && t.groups[0].pairs[1].better < 0.999);
    assert_int_equal(t.groups[0].v[0].rank_worst, MODELS);
}

/* Ten thousand models: Bradley-Terry says what to do, Glicko-2 does it. */
static void ten_thousand(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf text = BUF_MAX(4 << 20);
    AUTO(battle_done) struct battle_set s = {0};
    struct rating_table t;
    struct err e = {0};

    (void)state;
    buf_text(&text, TOP);
    for (int i = 0; i < 10000; i++)
        buf_fmt(&text, "m%d,m%d,a\n", i, (i + 1) % 10000);
    assert_int_equal(read_text(a, buf_str(&text), NULL, &s, &e), OK);
    assert_int_equal(s.models, 10000);
    assert_int_equal(rating_compute(a, &s, &(struct rating_how){0}, &t, &e), E_INPUT);
    assert_non_null(strstr(e.msg, "--system glicko2"));
    t = rate(a, &s, (struct rating_how){.system = RATING_GLICKO});
    assert_true(t.groups[0].n == 10000 && !t.groups[0].pairs);
}

/* ---- what is printed ---- */

static struct rank_table table_of(const struct battle_set *s, const struct rating_how *how,
                                  const struct rating_table *t)
{
    return (struct rank_table){"battles.csv", s, how, t, NULL};
}

static void as_json(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = good(a, cycle);
    AUTO(buf_done) struct buf out = BUF_MAX(1 << 20);
    AUTO(json_freep) json_t *j = NULL;
    struct rating_how how = {.system = RATING_ELO};
    struct rating_table t = rate(a, &s, how);
    struct rank_table table = table_of(&s, &how, &t);
    struct err e = {0};
    const json_t *first;

    (void)state;
    rank_table_json(&table, &out);
    assert_int_equal(json_read(str_trim(buf_str(&out)), &j, &e), OK);
    assert_true(str_is(json_str_at(j, "system", STR("")), "elo"));
    assert_int_equal(json_array_size(json_object_get(j, "ratings")), 3);
    assert_int_equal(json_array_size(json_object_get(j, "pairs")), 3);
    first = json_array_get(json_object_get(j, "ratings"), 0);
    assert_true(str_is(json_str_at(first, "model", STR("")), "x"));
    assert_int_equal(json_int_at(first, "games", 0), 5);
    assert_int_equal(json_int_at(first, "wins", 0), 3);
    assert_true(json_is_null(json_object_get(first, "rd"))); /* what does not apply is null */
    assert_true(json_is_null(json_object_get(first, "group")));
}

/* Any width holds the table, and names cannot act on the terminal. */
static void any_width(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done)
    struct battle_set s = good(a, TOP "\x1b[31m赤い狐と緑の狸とても長い名前のモデル,y,a\n"
                                      "y,\x1b[31m赤い狐と緑の狸とても長い名前のモデル,a\n");
    struct rating_how how = {0};
    struct rating_table t = rate(a, &s, how);
    struct rank_table table = table_of(&s, &how, &t);

    (void)state;
    for (int columns = 20; columns < 200; columns += 7) {
        AUTO(buf_done) struct buf out = BUF_MAX(1 << 20);
        rank_table_terminal(&table, &(struct render_terminal){.columns = columns, .unicode = true},
                            &out);
        assert_null(memchr(out.p, '\x1b', out.n));
        assert_non_null(strstr(out.p, "ル")); /* a long name loses its middle */
        assert_non_null(strstr(out.p, "no intervals"));
    }
}

static void reviews(void **state)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set csv = {0}, jsonl = {0};
    const char *file = reference_file(&a, "oshizo/review_gpt-4.jsonl");
    const struct battle_want want = {.cluster = "situation_id"};
    struct err e = {0};

    (void)state;
    assert_int_equal(battle_read(a, file, &want, &jsonl, &e), OK);
    assert_int_equal(battle_read(a, file_beside(a, file, "battles_v20231103.csv"), &want, &csv, &e),
                     OK);
    assert_int_equal(jsonl.n, csv.n);
    assert_int_equal(jsonl.clusters, 10);
    for (size_t i = 0; i < csv.n; i++)
        assert_string_equal(jsonl.names[jsonl.v[i].a], csv.names[csv.v[i].a]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(spellings),
        cmocka_unit_test(judgements_of_others),
        cmocka_unit_test(names_go_first),
        cmocka_unit_test(quotes_and_line_ends),
        cmocka_unit_test(json_lines),
        cmocka_unit_test(one_line_list),
        cmocka_unit_test(faults),
        cmocka_unit_test(bad_weights),
        cmocka_unit_test(one_battle),
        cmocka_unit_test(groups_stay_apart),
        cmocka_unit_test(anchor_shifts_all),
        cmocka_unit_test(orders_are_shuffled),
        cmocka_unit_test(few_prompts),
        cmocka_unit_test(few_battles_of_two),
        cmocka_unit_test(dropped_ties),
        cmocka_unit_test(nothing_varies),
        cmocka_unit_test(two_prompts_have_most_battles),
        cmocka_unit_test(many_prompts_of_many_models),
        cmocka_unit_test(few_people),
        cmocka_unit_test(ten_thousand),
        cmocka_unit_test(as_json),
        cmocka_unit_test(any_width),
        cmocka_unit_test(reviews),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
