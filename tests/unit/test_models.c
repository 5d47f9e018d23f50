#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "suite/models.h"

struct world {
    char home[4096], dir[64];
    struct arena *a;
    struct diags d;
    struct models m;
};

static int setup(void **state)
{
    struct world *w = mem_new(sizeof *w);

    assert_non_null(getcwd(w->home, sizeof w->home));
    (void)snprintf(w->dir, sizeof w->dir, "/tmp/test_models.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    assert_int_equal(chdir(w->dir), 0);
    assert_int_equal(unsetenv("OPENAI_BASE_URL"), 0);
    assert_int_equal(unsetenv("OPENAI_API_BASE"), 0);
    w->a = arena_new();
    diags_init(&w->d, w->a);
    *state = w;
    return 0;
}

static int teardown(void **state)
{
    struct world *w = *state;

    (void)unlink("models.yaml");
    (void)unlink("steady.jsonl");
    assert_int_equal(chdir(w->home), 0);
    assert_int_equal(rmdir(w->dir), 0);
    arena_free(w->a);
    free(w);
    return 0;
}

static void load(struct world *w, const char *text)
{
    struct err e = {0};

    assert_int_equal(file_write("models.yaml", str_of(text), &e), OK);
    diags_init(&w->d, w->a);
    models_load(w->a, "models.yaml", &w->m, &w->d);
}

static const char *shown(struct world *w)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 20);

    diags_show(&w->d, NULL, &b);
    return arena_text(w->a, buf_str(&b));
}

static const char whole[] =
    "models:\n"
    "  - name: qwen-rp\n"
    "    base_url: http://localhost:8000\n"
    "    model: Qwen/Qwen2.5-7B-Instruct\n"
    "    key: QWEN_KEY\n"
    "    family: qwen\n"
    "    parameters: {temperature: 0.8, top_p: 1, deep: {a: [1, {b: null}]}}\n"
    "    price: {in: 0.5, out: 1.5}\n"
    "    limits: {concurrency: 8, requests_per_minute: 600, "
    "tokens_per_minute: 200000}\n"
    "    timeout: 1.5\n"
    "    stall: 0\n"
    "    headers: {X-Title: audition, X-Two: ''}\n"
    "    body: {min_p: 0.05, top_p: 0.5}\n"
    "  - {name: steady, kind: recorded, file: steady.jsonl, family: demo}\n"
    "  - {name: org/model:7b, key: none}\n";

static void load_whole(struct world *w)
{
    struct err e = {0};

    assert_int_equal(file_write("steady.jsonl", STR("{}\n"), &e), OK);
    load(w, whole);
    assert_string_equal(shown(w), "");
    assert_int_equal(w->m.n, 3);
}

static void everything_is_read(void **state)
{
    struct world *w = *state;
    const struct endpoint *ep;

    load_whole(w);
    ep = models_find(&w->m, "qwen-rp");
    assert_non_null(ep);
    assert_string_equal(ep->url, "http://localhost:8000/v1/chat/completions");
    assert_string_equal(ep->model, "Qwen/Qwen2.5-7B-Instruct");
    assert_string_equal(ep->key_var, "QWEN_KEY");
    assert_true(ep->key_named);
    assert_string_equal(ep->family, "qwen");
    assert_non_null(strstr(ep->parameters, "\"deep\":{\"a\":[1,{\"b\":null}]}"));
    assert_non_null(strstr(ep->parameters, "\"top_p\":0.5")); /* body wins */
    assert_non_null(strstr(ep->parameters, "\"min_p\":0.05"));
    assert_true(ep->price_in == 0.5 && ep->price_out == 1.5);
    assert_int_equal(ep->limits.concurrency, 8);
    assert_true(ep->limits.requests_per_minute == 600 && ep->limits.tokens_per_minute == 200000);
    assert_int_equal(ep->timeout_ms, 1500);
    assert_int_equal(ep->stall_ms, 0);
    assert_int_equal(ep->nheaders, 2);
    assert_string_equal(ep->headers[0].p, "X-Title: audition");
    assert_null(models_find(&w->m, "qwen"));
}

static void defaults_apply(void **state)
{
    struct world *w = *state;
    const struct endpoint *ep;

    load_whole(w);
    ep = models_find(&w->m, "steady");
    assert_int_equal(ep->kind, ENDPOINT_RECORDED);
    assert_string_equal(ep->file, "steady.jsonl");
    ep = models_find(&w->m, "org/model:7b");
    assert_string_equal(ep->model, "org/model:7b");
    assert_string_equal(ep->key_var, "");
    assert_string_equal(ep->url, "https://api.openai.com/v1/chat/completions");
    assert_string_equal(ep->parameters, "{}");
    assert_true(isnan(ep->price_in) && isnan(ep->price_out));
    assert_int_equal(ep->limits.concurrency, 0);
    assert_int_equal(ep->timeout_ms, 300000);
    assert_int_equal(ep->stall_ms, 60000);
}

static void a_map_of_models_is_accepted(void **state)
{
    struct world *w = *state;

    load(w, "models:\n  one: {model: m}\n  two: {base_url: 'https://h/x/v2'}\n");
    assert_string_equal(shown(w), "");
    assert_string_equal(models_find(&w->m, "one")->model, "m");
    assert_string_equal(models_find(&w->m, "one")->key_var, "OPENAI_API_KEY");
    assert_false(models_find(&w->m, "one")->key_named);
    assert_string_equal(models_find(&w->m, "two")->url, "https://h/x/v2/chat/completions");
}

static void the_environment_gives_the_default(void **state)
{
    struct world *w = *state;
    struct endpoint *ep;

    assert_null(models_default(w->a, "m", &w->d)); /* nobody named an address or a key */
    assert_int_equal(setenv("OPENAI_API_BASE", "http://two:2", 1), 0);
    ep = models_default(w->a, "m", &w->d);
    assert_string_equal(ep->url, "http://two:2/v1/chat/completions");
    assert_int_equal(setenv("OPENAI_BASE_URL", "http://one:1/v1", 1), 0);
    ep = models_default(w->a, "m", &w->d);
    assert_string_equal(ep->url, "http://one:1/v1/chat/completions");
    assert_string_equal(ep->name, "m");
    assert_string_equal(ep->model, "m");
    load(w, "models: [{name: a}, {name: b, base_url: 'http://three'}]");
    assert_string_equal(w->m.list[0].base_url, "http://one:1/v1");
    assert_string_equal(w->m.list[1].base_url, "http://three");
    assert_string_equal(shown(w), "");
    assert_int_equal(setenv("OPENAI_BASE_URL", "nonsense", 1), 0);
    (void)models_default(w->a, "m", &w->d);
    assert_int_equal(w->d.errors, 1);
}

static void faults_are_said_at_their_place(void **state)
{
    struct world *w = *state;
    static const char *const table[][2] = {
        {"[]", "error"},
        {"models: 3", "expected 'models:' with a list"},
        {"models: []", "expected 'models:' with a list"},
        {"judges: []", "unknown key 'judges'"},
        {"models: [{model: x}]", "the model has no 'name'"},
        {"models: [{name: a b}]", "no white space"},
        {"models: [{name: x, model: ''}]", "'model' is empty"},
        {"models: [{name: x}, {name: x}]",
         "models.yaml:1:21: error: two models share the name 'x'"},
        {"models: {x: {name: y}}", "the model already has a name"},
        {"models: [{name: x, modle: y}]", "did you mean 'model'?"},
        {"models: [{name: x, kind: echo}]", "expected one of chat, recorded, local"},
        {"models: [{name: x, base_url: ftp://h}]", "the base URL cannot be used"},
        {"models: [{name: x, price: {in: 1}}]", "the price has no 'out'"},
        {"models: [{name: x, price: {in: -1, out: 1}}]", "expected a number from 0"},
        {"models: [{name: x, limits: {concurrency: 0}}]", "from 1 to 4096"},
        {"models: [{name: x, limits: {rpm: 3}}]", "unknown key 'rpm'"},
        {"models: [{name: x, timeout: 0}]", "expected a number from 0.1"},
        {"models: [{name: x, headers: {'a b': c}}]", "not the name of an HTTP header"},
        {"models: [{name: x, headers: {a: \"b\\r\\nc: d\"}}]", "one line without control"},
        {"models: [{name: x, headers: [a]}]", "expected a map of at most"},
        {"models: [{name: x, parameters: [a]}]", "expected a map such as"},
        {"models: [{name: x, body: {messages: []}}]", "'messages' is set by the program"},
        {"models: [{name: x, file: y}]", "'file' has no meaning for kind: chat"},
        {"models: [{name: x, server: y}]", "'server' applies to kind: local only"},
        {"models: [{name: x, kind: local}]", "a local model needs a 'file' (GGUF)"},
        {"models: [{name: x, kind: local, file: nil.gguf}]", "no GGUF file 'nil.gguf'"},
        {"models: [{name: x, kind: local, file: models.yaml}]", "models.yaml is not a GGUF file"},
        {"models: [{name: x, kind: recorded}]", "needs a 'file' of replies"},
        {"models: [{name: x, kind: recorded, file: nil.jsonl}]", "no file of replies 'nil.jsonl'"},
        {"models: [{name: x, kind: recorded, key: K, file: models.yaml}]",
         "'key' applies to kind: chat only"},
        {"models: [x]", "expected a map"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        load(w, table[i][0]);
        if (!strstr(shown(w), table[i][1]))
            fail_msg("%s gave\n%s", table[i][0], shown(w));
    }
    load(w, "models: [{name: a b}]");
    assert_int_equal(w->d.errors, 1); /* that it has no id follows from it */
}

static void what_a_dialect_cannot_say_is_said(void **state)
{
    struct world *w = *state;
    const char *text;

    load(w, "models:\n"
            "  - {name: a, base_url: 'http://h/v1/responses', parameters: {seed: 1, stop: x}}\n"
            "  - {name: b, base_url: 'http://h/v1', thinking: 5, body: {thinking: 1, seed: null}}\n"
            "  - {name: c, base_url: 'http://h/anthropic', thinking: 5, body: {seed: 1}}\n");
    text = shown(w);
    assert_int_equal(w->d.errors, 0);
    assert_int_equal(w->d.warnings, 4);
    assert_non_null(strstr(text, "'seed' is not sent: the dialect responses"));
    assert_non_null(strstr(text, "'stop' is not sent"));
    assert_non_null(strstr(text, "'thinking' is not sent: the dialect openai"));
    assert_non_null(strstr(text, "'seed' is not sent: the dialect anthropic"));
}

static void keys_are_refused_and_not_shown(void **state)
{
    struct world *w = *state;
    static const char *const table[] = {
        "models: [{name: x, key: sk-Abc0123456789012345}]",
        "models:\n  - name: x\n    key: \"Abc0123456789012345\"\n",
        "models: [{name: x, bogus: 1, key: Abc0123456789012345, worse: 2}]",
        "models: [{name: x, key: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABC0123456789012345}]",
        "models: [{name: x, headers: {Authorization: Bearer Abc0123456789012345}}]",
        "models: [{name: x, headers: {x-api-key: Abc0123456789012345}}]",
        "models: [{name: x, api_key: Abc0123456789012345}]",
        "models: [{name: x, key: sk-Abc0123456789012345",
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        load(w, table[i]);
        assert_true(w->d.errors > 0);
        if (strstr(shown(w), "0123456789"))
            fail_msg("%s gave\n%s", table[i], shown(w));
    }
    load(w, table[0]);
    assert_string_equal(
        shown(w), "models.yaml:1:25: error: this looks like the key itself: put it into .env as "
                  "NAME=... and write the NAME here\n"
                  "    1 | models: [{name: x, key: **********************}]\n"
                  "      |                         ^~~~~~~~~~~~~~~~~~~~~~\n"
                  "1 error\n");
    load(w, table[4]);
    assert_non_null(strstr(shown(w), "'Authorization' carries a key: write 'key: NAME'"));
}

static void an_absent_file_says_what_to_do(void **state)
{
    struct world *w = *state;

    models_load(w->a, "nowhere.yaml", &w->m, &w->d);
    assert_string_equal(shown(w), "error: no 'nowhere.yaml' (`audition init DIR` creates "
                                  "one)\n1 error\n");
    assert_int_equal(w->m.n, 0);
}

static void endpoints_survive_freezing(void **state)
{
    struct world *w = *state;
    struct err e = {0};

    load_whole(w);
    for (size_t i = 0; i < w->m.n; i++) {
        const struct endpoint *ep = &w->m.list[i];
        const char *frozen = models_freeze(w->a, ep);
        struct endpoint back;
        assert_int_equal(models_thaw(w->a, str_of(frozen), &back, &e), OK);
        assert_string_equal(models_freeze(w->a, &back), frozen);
        assert_int_equal(back.kind, ep->kind);
        assert_string_equal(back.name, ep->name);
        assert_string_equal(back.family, ep->family);
        assert_string_equal(back.url, ep->url);
        assert_string_equal(back.base_url, ep->base_url);
        assert_string_equal(back.model, ep->model);
        assert_string_equal(back.key_var, ep->key_var);
        assert_int_equal(back.key_named, ep->key_named);
        assert_string_equal(back.parameters, ep->parameters);
        assert_string_equal(back.file, ep->file);
        assert_int_equal(back.nheaders, ep->nheaders);
        for (size_t k = 0; k < ep->nheaders; k++)
            assert_string_equal(back.headers[k].p, ep->headers[k].p);
        assert_true(isnan(ep->price_in) ? isnan(back.price_in) : back.price_in == ep->price_in);
        assert_true(isnan(ep->price_out) ? isnan(back.price_out) : back.price_out == ep->price_out);
        assert_memory_equal(&back.limits, &ep->limits, sizeof back.limits.concurrency);
        assert_true(back.limits.tokens_per_minute == ep->limits.tokens_per_minute);
        assert_int_equal(back.timeout_ms, ep->timeout_ms);
        assert_int_equal(back.stall_ms, ep->stall_ms);
    }
    {
        struct endpoint out = {.name = "untouched"};
        assert_int_equal(models_thaw(w->a, STR("{}"), &out, &e), E_INPUT);
        assert_int_equal(models_thaw(w->a, STR("{"), &out, &e), E_INPUT);
        assert_string_equal(out.name, "untouched");
    }
}

static void identity_is_what_answers_not_where(void **state)
{
    struct world *w = *state;
    const char *first;

    load(w, "models: [{name: x, base_url: 'http://a', parameters: {b: 1, a: 2}, timeout: 3}]");
    first = models_identity(w->a, &w->m.list[0]);
    load(w, "models: [{name: x, base_url: 'http://b', key: K, parameters: {a: 2, b: 1}}]");
    assert_string_equal(models_identity(w->a, &w->m.list[0]), first);
    load(w, "models: [{name: x, base_url: 'http://a', parameters: {b: 1, a: 3}}]");
    assert_string_not_equal(models_identity(w->a, &w->m.list[0]), first);
    load(w, "models: [{name: x, base_url: 'http://a', model: y, parameters: {b: 1, a: 2}}]");
    assert_string_not_equal(models_identity(w->a, &w->m.list[0]), first);
    load(w, "models: [{name: x, parameters: {b: 1, a: 2}, template: 'To {{prompt}}'}]");
    assert_string_not_equal(models_identity(w->a, &w->m.list[0]), first);
    {
        const struct endpoint plain = models_untemplated(&w->m.list[0]);
        assert_string_equal(models_identity(w->a, &plain), first);
    }
}

static void templates_are_read(void **state)
{
    struct world *w = *state;
    const struct endpoint *ep;
    struct endpoint back;
    struct err e = {0};

    assert_int_equal(file_write("base.txt", STR("{{character}}\n{{prompt}}\n"), &e), OK);
    load(w, "models:\n"
            "  - {name: base, template: base.txt}\n"
            "  - {name: chat, template: {system: '', user: 'Q: {{prompt}}'}}\n"
            "  - {name: inline, template: 'Go on: {{prompt}}'}\n"
            "  - {name: plain}\n");
    assert_string_equal(shown(w), "");
    ep = w->m.list;
    assert_true(str_is(ep[0].template.user, "{{character}}\n{{prompt}}"));
    assert_string_equal(ep[0].template.name, "base.txt");
    assert_null(ep[0].template.system.p); /* the suite's */
    assert_non_null(ep[1].template.system.p);
    assert_int_equal(ep[1].template.system.n, 0); /* none at all */
    assert_true(str_is(ep[2].template.user, "Go on: {{prompt}}"));
    assert_null(ep[3].template.user.p);
    for (size_t i = 0; i < w->m.n; i++) {
        assert_int_equal(models_thaw(w->a, str_of(models_freeze(w->a, &ep[i])), &back, &e), OK);
        assert_true(str_eq(back.template.user, ep[i].template.user));
        assert_int_equal(back.template.user.p == NULL, ep[i].template.user.p == NULL);
        assert_int_equal(back.template.system.p == NULL, ep[i].template.system.p == NULL);
        assert_string_equal(models_identity(w->a, &back), models_identity(w->a, &ep[i]));
    }
    assert_int_equal(unlink("base.txt"), 0);
}

static void faulty_templates_are_said(void **state)
{
    struct world *w = *state;

    load(w, "models:\n"
            "  - {name: a, template: nowhere.txt}\n"
            "  - {name: b, template: 'Say {{reference}}'}\n"
            "  - {name: c, template: {system: only}}\n"
            "  - {name: d, template: [x]}\n"
            "  - {name: e, template: {user: ' '}}\n"
            "  - {name: f, template: next-line.fr}\n"
            "  - {name: g, kind: recorded, file: steady.jsonl, template: 'x {{prompt}}'}\n");
    assert_non_null(strstr(shown(w), "models.yaml:2:25: error: no template file 'nowhere.txt'"));
    assert_non_null(strstr(shown(w), "models.yaml:3:25: error: the template 'inline' uses "
                                     "{{reference}}, which models must not see"));
    assert_non_null(
        strstr(shown(w), "models.yaml:4:25: error: the template 'inline' has no 'user' text"));
    assert_non_null(strstr(shown(w), "models.yaml:5:25: error: expected text, the name"));
    assert_non_null(strstr(shown(w), "models.yaml:6:25: error: the template is empty"));
    assert_non_null(
        strstr(shown(w), "models.yaml:7:25: error: no built-in template 'next-line.fr'"));
    assert_non_null(strstr(shown(w), "'template' has no meaning for kind: recorded"));
}

static void classifiers_are_read(void **state)
{
    struct world *w = *state;
    const struct class_endpoint *c;

    load(w, "classifiers:\n"
            "  - {name: polite, dialect: predict, base_url: 'http://h:8080', label: 1, key: none}\n"
            "  - {name: rude, dialect: moderation, label: harassment, model: omni,\n"
            "     limits: {concurrency: 3}}\n");
    assert_int_equal(w->d.errors, 0);
    assert_int_equal(w->m.n, 0);
    c = models_classifier(&w->m, "polite");
    assert_string_equal(c->at.url, "http://h:8080/predict");
    assert_string_equal(c->label, "1");
    assert_string_equal(c->at.key_var, "");
    c = models_classifier(&w->m, "rude");
    assert_string_equal(c->at.url, "https://api.openai.com/v1/moderations");
    assert_string_equal(c->at.model, "omni");
    assert_int_equal(c->dialect, CLASSIFY_MODERATION);
    assert_int_equal(c->at.limits.concurrency, 3);
    assert_null(models_classifier(&w->m, "nobody"));
    assert_null(models_find(&w->m, "polite")); /* it answers nothing */
}

static void headers_carry_the_key(void **state)
{
    struct world *w = *state;
    struct models_headers h = {0};
    struct err e = {0};

    load(w, "models:\n  - {name: a, key: TEST_MODELS_KEY, headers: {X-A: b}}\n");
    assert_int_equal(unsetenv("TEST_MODELS_KEY"), 0);
    assert_int_equal(models_headers(w->a, &w->m.list[0], NULL, &h, &e), E_USAGE);
    assert_non_null(strstr(e.msg, "TEST_MODELS_KEY"));
    assert_int_equal(setenv("TEST_MODELS_KEY", "a\nb", 1), 0);
    assert_int_equal(models_headers(w->a, &w->m.list[0], NULL, &h, &e), E_USAGE);
    assert_int_equal(setenv("TEST_MODELS_KEY", "secret", 1), 0);
    assert_int_equal(models_headers(w->a, &w->m.list[0], NULL, &h, &e), OK);
    assert_int_equal(h.n, 2);
    assert_string_equal(h.v[0], "X-A: b");
    assert_string_equal(h.v[1], "Authorization: Bearer secret");
    assert_string_equal(models_without_key(w->a, h.key, "no secret, secret!"), "no [key], [key]!");
    assert_string_equal(models_without_key(w->a, NULL, "no secret"), "no secret");
    /* What the dialect demands, unless one's own says otherwise. */
    load(w, "models:\n"
            "  - {name: a, base_url: 'http://h/anthropic', key: TEST_MODELS_KEY}\n"
            "  - {name: b, base_url: 'http://h/anthropic', key: TEST_MODELS_KEY,\n"
            "     headers: {Anthropic-Version: '2026-10-21'}}\n");
    assert_int_equal(models_headers(w->a, &w->m.list[0], NULL, &h, &e), OK);
    assert_int_equal(h.n, 2);
    assert_string_equal(h.v[0], "x-api-key: secret");
    assert_string_equal(h.v[1], "anthropic-version: 2023-06-01");
    assert_int_equal(models_headers(w->a, &w->m.list[1], NULL, &h, &e), OK);
    assert_int_equal(h.n, 2);
    assert_string_equal(h.v[0], "Anthropic-Version: 2026-10-21");
    assert_int_equal(unsetenv("TEST_MODELS_KEY"), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static void what_a_provider_had_cached_costs_less(void **state)
{
    struct endpoint ep = {.price_in = 2, .price_out = 10, .price_cached = NAN};

    (void)state;
    assert_true(fabs(models_cost(&ep, 1000000, 100000, 600000) - 3) < 1e-12);
    ep.price_cached = 0.5;
    assert_true(fabs(models_cost(&ep, 1000000, 100000, 600000) - 2.1) < 1e-12);
    assert_true(fabs(models_cost(&ep, 1000000, 100000, -1) - 3) < 1e-12);        /* not said */
    assert_true(fabs(models_cost(&ep, 1000000, 100000, 9000000) - 1.5) < 1e-12); /* a lie */
    assert_true(isnan(models_cost(&ep, -1, 100000, 0)));
    ep.price_in = ep.price_out = NAN;
    assert_true(isnan(models_cost(&ep, 1000000, 100000, 600000)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_provider_had_cached_costs_less),
        TEST(everything_is_read),
        TEST(defaults_apply),
        TEST(a_map_of_models_is_accepted),
        TEST(the_environment_gives_the_default),
        TEST(faults_are_said_at_their_place),
        TEST(what_a_dialect_cannot_say_is_said),
        TEST(keys_are_refused_and_not_shown),
        TEST(an_absent_file_says_what_to_do),
        TEST(endpoints_survive_freezing),
        TEST(identity_is_what_answers_not_where),
        TEST(templates_are_read),
        TEST(faulty_templates_are_said),
        TEST(classifiers_are_read),
        TEST(headers_carry_the_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
