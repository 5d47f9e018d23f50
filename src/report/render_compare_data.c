/* A comparison for programs: JSON, and JUnit XML for CI. */
#include <math.h>

#include "base/json.h"
#include "math/band.h"
#include "report/html.h"
#include "report/render_compare.h"
#include "report/show.h"

/* ---- JSON ---- */

static void set(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

static void set_number(json_t *object, const char *key, double v)
{
    set(object, key, isfinite(v) ? json_real(v) : json_null());
}

static void set_text(json_t *object, const char *key, const char *text)
{
    set(object, key, json_from_str(str_of(text)));
}

static json_t *from_item(const struct compare_item *item)
{
    json_t *o = json_object();

    set_text(o, "item", item->name);
    set_text(o, "change", compare_change_name(item->change));
    set_number(o, "now", item->now);
    set_number(o, "before", item->then);
    if (item->answer.n)
        set(o, "answer_now", json_from_str(item->answer));
    if (item->before.n)
        set(o, "answer_before", json_from_str(item->before));
    return o;
}

static void set_difference(json_t *o, struct interval difference)
{
    set_number(o, "difference", difference.value);
    set_number(o, "lo", difference.low);
    set_number(o, "hi", difference.high);
    set(o, "compared", json_integer((json_int_t)difference.clusters));
}

static json_t *from_marks(const struct compare *c, const struct compare_mark *marks)
{
    json_t *all = json_object();

    for (size_t d = 0; d < c->ndimensions; d++) {
        json_t *one = json_object();
        set_number(one, "now", marks[d].now);
        set_number(one, "before", marks[d].then);
        set_difference(one, marks[d].difference);
        set(all, c->dimensions[d].id, one);
    }
    return all;
}

static json_t *from_model(const struct compare *c, const struct compare_model *m)
{
    json_t *o = json_object(), *items = json_array();

    set_text(o, "model", m->name);
    set_text(o, "against", m->against);
    set_number(o, "now", m->now);
    set_number(o, "before", m->then);
    set_difference(o, m->difference);
    if (m->marks)
        set(o, "marks", from_marks(c, m->marks));
    if (c->band) {
        set_number(o, "band_now", band_of_mean(m->now));
        set_number(o, "band_before", band_of_mean(m->then));
    }
    for (int k = 0; k < COMPARE_CHANGES; k++)
        set(o, compare_change_name((enum compare_change)k), json_integer((json_int_t)m->counts[k]));
    for (size_t i = 0; i < m->nitems; i++)
        (void)json_array_append_new(items, from_item(&m->items[i]));
    set(o, "items", items);
    return o;
}

void render_compare_json(struct arena *a, const struct compare *c, struct buf *out)
{
    AUTO(json_freep) json_t *root = json_object();
    json_t *models = json_array();

    set_text(root, "suite", c->run.suite);
    set_text(root, "run", c->run.name);
    set_text(root, "baseline", c->baseline.name);
    set_number(root, "margin", c->margin);
    set(root, "only_now", json_integer(c->only_now));
    set(root, "only_before", json_integer(c->only_then));
    set(root, "edited", json_integer(c->edited));
    set(root, "same_judges", json_boolean(c->judged_alike));
    for (size_t i = 0; i < c->nmodels; i++)
        (void)json_array_append_new(models, from_model(c, &c->models[i]));
    set(root, "models", models);
    buf_text(out, json_text(a, root));
    buf_char(out, '\n');
}

/* ---- JUnit ---- */

/* U+FFFE and U+FFFF are characters that XML does not have; others html.h cleans. */
static struct str xml_text(struct arena *a, struct str text)
{
    char *copy = arena_alloc(a, text.n + 1);

    if (text.n)
        memcpy(copy, text.p, text.n);
    for (size_t i = 0; i + 2 < text.n; i++)
        if (memcmp(copy + i, "\xEF\xBF\xBE", 3) == 0 || memcmp(copy + i, "\xEF\xBF\xBF", 3) == 0)
            copy[i + 2] = '\xBD'; /* U+FFFD */
    return (struct str){copy, text.n};
}

static void failure(struct html *h, const struct compare_item *item)
{
    char then[SHOW_MAX], now[SHOW_MAX];
    const char *message = arena_printf(h->scratch, "was %s, is %s", show_exact(then, item->then),
                                       show_exact(now, item->now));

    html_open(h, "failure", "type", "regressed", "message", message);
    html_text(h, "before:\n");
    html_str(h, xml_text(h->scratch, item->before));
    html_text(h, "\n\nnow:\n");
    html_str(h, xml_text(h->scratch, item->answer));
    html_close(h);
}

static void test_case(struct html *h, const char *class, const struct compare_item *item)
{
    html_open(h, "testcase", "classname", class, "name",
              xml_text(h->scratch, str_of(item->name)).p);
    if (item->change == COMPARE_REGRESSED)
        failure(h, item);
    else if (item->change == COMPARE_MISSING)
        html_leaf(h, "skipped", "message", "not scored in both runs");
    html_close(h);
    buf_char(h->out, '\n');
}

static void test_suite(struct html *h, const struct compare *c, const struct compare_model *m)
{
    const char *class = arena_printf(h->scratch, "%s.%s", c->run.suite, m->name);
    const char *tests = arena_printf(h->scratch, "%zu", m->nitems);
    const char *failures = arena_printf(h->scratch, "%zu", m->counts[COMPARE_REGRESSED]);
    const char *skipped = arena_printf(h->scratch, "%zu", m->counts[COMPARE_MISSING]);

    html_open(h, "testsuite", "name", class, "tests", tests, "failures", failures, "errors", "0",
              "skipped", skipped);
    buf_char(h->out, '\n');
    for (size_t i = 0; i < m->nitems; i++)
        test_case(h, class, &m->items[i]);
    html_close(h);
    buf_char(h->out, '\n');
}

void render_compare_junit(const struct compare *c, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct html h = {.out = out, .scratch = a};

    buf_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    html_open(&h, "testsuites", "name",
              arena_printf(a, "%s against %s", c->run.name, c->baseline.name));
    buf_char(out, '\n');
    for (size_t i = 0; i < c->nmodels; i++)
        test_suite(&h, c, &c->models[i]);
    html_close(&h);
    buf_char(out, '\n');
}
