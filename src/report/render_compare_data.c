/* A comparison for programs: JSON, and JUnit XML for CI. */
#include <math.h>

#include "math/band.h"
#include "report/html.h"
#include "report/render_compare.h"

/* ---- JSON ---- */

static void add_item(json_t *list, const struct compare_item *item)
{
    json_t *o = json_add_object(list);

    json_put_text(o, "item", item->name);
    json_put_text(o, "change", compare_change_name(item->change));
    json_put_real(o, "now", item->now);
    json_put_real(o, "before", item->then);
    if (item->answer.n)
        json_put_str(o, "answer_now", item->answer);
    if (item->before.n)
        json_put_str(o, "answer_before", item->before);
}

/* The marks of a model, by dimension. */
static void put_marks(struct arena *a, const struct compare *c, const struct compare_model *m,
                      json_t *o)
{
    AUTO(json_freep) json_t *rows = json_array();
    json_t *marks;

    if (!m->marks)
        return;
    marks = json_put_object(o, "marks");
    table_json(render_compare_marks(a, c, m), rows);
    for (size_t d = 0; d < c->ndimensions; d++)
        (void)json_object_set(marks, c->dimensions[d].id, json_array_get(rows, d));
}

void render_compare_json(const struct compare *c, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *root = json_object();
    json_t *models;

    json_put_text(root, "suite", c->run.suite);
    json_put_text(root, "run", c->run.name);
    json_put_text(root, "baseline", c->baseline.name);
    json_put_real(root, "margin", c->margin);
    json_put_int(root, "only_now", c->only_now);
    json_put_int(root, "only_before", c->only_then);
    json_put_int(root, "edited", c->edited);
    json_put(root, "form_now", c->forms ? json_integer(c->form_now) : json_null());
    json_put(root, "form_before", c->forms ? json_integer(c->form_then) : json_null());
    json_put_bool(root, "same_judges", c->judged_alike);
    json_put_text(root, "judge", c->judge);
    json_put_text(root, "judge_before", c->judge_then);
    models = json_put_list(root, "models");
    table_json(render_compare_models(a, c), models);
    for (size_t i = 0; i < c->nmodels; i++) {
        const struct compare_model *m = &c->models[i];
        json_t *o = json_array_get(models, i), *items;
        put_marks(a, c, m, o);
        json_put_real(o, "items_needed", m->needed);
        json_put_real(o, "band_now", c->band ? band_of_mean(m->now) : (double)NAN);
        json_put_real(o, "band_before", c->band ? band_of_mean(m->then) : (double)NAN);
        items = json_put_list(o, "items");
        for (size_t k = 0; k < m->nitems; k++)
            add_item(items, &m->items[k]);
    }
    buf_fmt(out, "%s\n", json_text(a, root));
}

/* ---- JUnit ---- */

/* Replaces U+FFFE and U+FFFF, which are not allowed in XML; html.h cleans all others. */
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
    const char *message = arena_printf(h->scratch, "was %s, is %s", str_exact(then, item->then),
                                       str_exact(now, item->now));

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
    html_open(h, "properties", NULL);
    html_leaf(h, "property", "name", "judge", "value", xml_text(h->scratch, str_of(c->judge)).p);
    html_leaf(h, "property", "name", "judge_before", "value",
              xml_text(h->scratch, str_of(c->judge_then)).p);
    html_close(h);
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
