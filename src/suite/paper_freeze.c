/* Papers as a run stores them. */
#include "base/json.h"
#include "suite/paper.h"

static void set_text(json_t *j, const char *key, struct str text)
{
    (void)json_object_set_new(j, key, json_from_str(text));
}

static json_t *texts_json(const struct str *v, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(list, json_from_str(v[i]));
    return list;
}

static json_t *questions_json(const struct paper_questions *q)
{
    json_t *list = json_array();

    for (size_t i = 0; i < q->n; i++) {
        json_t *j = json_object();
        set_text(j, "kind", str_of(q->v[i].kind));
        set_text(j, "text", q->v[i].text);
        if (q->v[i].fact[0])
            set_text(j, "fact", str_of(q->v[i].fact));
        set_text(j, "source", str_of(q->v[i].source));
        (void)json_array_append_new(list, j);
    }
    return list;
}

static json_t *facts_json(const struct paper *p)
{
    json_t *list = json_array();

    for (size_t i = 0; i < p->nfacts; i++) {
        json_t *j = json_object();
        set_text(j, "id", str_of(p->facts[i].id));
        set_text(j, "fact", p->facts[i].fact);
        (void)json_object_set_new(j, "expect", texts_json(p->facts[i].expect, p->facts[i].nexpect));
        (void)json_array_append_new(list, j);
    }
    return list;
}

static json_t *task_json(const struct paper *p)
{
    json_t *j = json_object();

    set_text(j, "theme", p->theme);
    (void)json_object_set_new(j, "points", texts_json(p->points, TASK_POINTS));
    set_text(j, "text", p->task);
    set_text(j, "source", str_of(p->task_source));
    (void)json_object_set_new(j, "prepared", texts_json(p->prepared, p->nprepared));
    (void)json_object_set_new(j, "follow_ups", json_integer((json_int_t)p->follow_ups));
    return j;
}

const char *paper_freeze(struct arena *a, const struct paper *p)
{
    AUTO(json_freep) json_t *j = json_object();

    (void)json_object_set_new(j, "number", json_integer((json_int_t)p->number));
    set_text(j, "era", p->era);
    set_text(j, "surroundings", p->surroundings);
    (void)json_object_set_new(j, "instructions", texts_json(p->instruction, COUNT(p->instruction)));
    (void)json_object_set_new(j, "part1", questions_json(&p->part1));
    (void)json_object_set_new(j, "task", task_json(p));
    (void)json_object_set_new(j, "part3", questions_json(&p->part3));
    (void)json_object_set_new(j, "facts", facts_json(p));
    (void)json_object_set_new(j, "anachronisms", texts_json(p->anachronisms, p->nanachronisms));
    (void)json_object_set_new(j, "ai", json_boolean(p->ai));
    return json_text(a, j);
}

/* ---- and back ---- */

static struct str text_at(struct arena *a, const json_t *j, const char *key)
{
    return arena_str(a, json_str_at(j, key, STR("")));
}

static const struct str *thaw_texts(struct arena *a, const json_t *list, size_t *n)
{
    struct str *v;

    *n = json_array_size(list);
    v = NEW_N(a, struct str, *n);
    for (size_t i = 0; i < *n; i++) {
        const json_t *one = json_array_get(list, i);
        v[i] = arena_str(a, (struct str){json_string_value(one), json_string_length(one)});
    }
    return v;
}

/* As many texts as there is room for; false when there are others. */
static bool thaw_fixed(struct arena *a, const json_t *list, struct str *out, size_t want)
{
    size_t n;
    const struct str *v = thaw_texts(a, list, &n);

    for (size_t i = 0; i < n && i < want; i++)
        out[i] = v[i];
    return n == want;
}

static struct paper_questions thaw_questions(struct arena *a, const json_t *list)
{
    size_t n = json_array_size(list);
    struct paper_question *v = NEW_N(a, struct paper_question, n);

    for (size_t i = 0; i < n; i++) {
        const json_t *j = json_array_get(list, i);
        v[i] = (struct paper_question){text_at(a, j, "kind").p, text_at(a, j, "text"),
                                       text_at(a, j, "fact").p, text_at(a, j, "source").p};
    }
    return (struct paper_questions){v, n};
}

static void thaw_facts(struct arena *a, const json_t *list, struct paper *out)
{
    size_t n = json_array_size(list);
    struct paper_fact *v = NEW_N(a, struct paper_fact, n);

    for (size_t i = 0; i < n; i++) {
        const json_t *j = json_array_get(list, i);
        v[i].id = text_at(a, j, "id").p;
        v[i].fact = text_at(a, j, "fact");
        v[i].expect = thaw_texts(a, json_object_get(j, "expect"), &v[i].nexpect);
    }
    out->facts = v;
    out->nfacts = n;
}

enum status paper_thaw(struct arena *a, struct str frozen, struct paper *out, struct err *e)
{
    AUTO(json_freep) json_t *j = NULL;
    struct paper p = {0};
    const json_t *task;

    if (json_read(frozen, &j, e) != OK)
        return err_wrap(e, "stored paper");
    task = json_object_get(j, "task");
    p.number = json_int_at(j, "number", 1);
    p.era = text_at(a, j, "era");
    p.surroundings = text_at(a, j, "surroundings");
    p.part1 = thaw_questions(a, json_object_get(j, "part1"));
    p.part3 = thaw_questions(a, json_object_get(j, "part3"));
    p.theme = text_at(a, task, "theme");
    p.task = text_at(a, task, "text");
    p.task_source = text_at(a, task, "source").p;
    p.prepared = thaw_texts(a, json_object_get(task, "prepared"), &p.nprepared);
    p.follow_ups = (size_t)json_int_at(task, "follow_ups", 0);
    thaw_facts(a, json_object_get(j, "facts"), &p);
    p.anachronisms = thaw_texts(a, json_object_get(j, "anachronisms"), &p.nanachronisms);
    p.ai = json_is_true(json_object_get(j, "ai"));
    if (!thaw_fixed(a, json_object_get(j, "instructions"), p.instruction, COUNT(p.instruction)) ||
        !thaw_fixed(a, json_object_get(task, "points"), p.points, TASK_POINTS) ||
        p.follow_ups > p.nprepared || p.part1.n == 0 || p.part3.n == 0)
        return err_set(e, E_INPUT, "stored paper: it is not a whole one");
    *out = p;
    return OK;
}
