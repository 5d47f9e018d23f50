#include "reply/reply.h"

#include <math.h>

#include "base/json.h"
#include "reply/reply_fault.h"
#include "reply/reply_json.h"
#include "reply/reply_own.h"
#include "suite/mark.h"

/* Two written values are the same mark when they differ by less. */
#define SAME 1e-9

/* Names under which judges give things. A dimension of the same name comes first. */
static const char *const containers[] = {"dimensions", "scores", "marks", "维度", "評価", NULL};
static const char *const names[] = {"dimension", "id", "name", "维度", NULL};
static const char *const scores[] = {"score", "分数", "得分", "value", "点数", "スコア", NULL};
static const char *const analyses[] = {"analysis", "reason", "comment", "分析",
                                       "理由",     "说明",   NULL};
static const char *const quotes[] = {"quotes", "evidence", "引用", NULL};
static const char *const advices[] = {"advice", "suggestion", "建议", "改进建议", "助言", NULL};
static const char *const overalls[] = {"overall",  "overall_score", "综合评分", "总分",
                                       "総合評価", "total",         NULL};
static const char *const reasons[] = {"reason",         "overall_reason", "综合评分原因",
                                      "総合評価の理由", "summary",        NULL};

struct reading {
    struct arena *a;
    const struct instrument *in;
    const char *language;
    struct reply *out;
    bool *seen; /* per dimension */
    bool draft; /* an object that does not count: it is read only to be compared */
};

/* ---- faults ---- */

/* The first fault stays. */
static void fault(struct reading *r, enum fault kind, struct fault_words w)
{
    if (r->out->fault)
        return;
    r->out->fault = reply_fault_text(r->a, kind, w, r->language);
    r->out->kind = reply_fault_kind(kind);
}

static struct str dimension_names(const struct reading *r)
{
    struct str *v = NEW_N(r->a, struct str, r->in->ndimensions);

    for (size_t i = 0; i < r->in->ndimensions; i++)
        v[i] = str_of(r->in->dimensions[i].id);
    return reply_fault_list(r->a, v, r->in->ndimensions, r->language);
}

static struct str allowed_values(const struct reading *r, const struct dimension *d)
{
    struct str *v = NEW_N(r->a, struct str, d->nlevels);

    if (d->nlevels == 0)
        return reply_fault_span(r->a, d->min, d->max, d->whole, r->language);
    for (size_t i = 0; i < d->nlevels; i++)
        v[i] = str_of(arena_printf(r->a, "%g", d->levels[i].value));
    return reply_fault_list(r->a, v, d->nlevels, r->language);
}

static void fault_at(struct reading *r, enum fault kind, size_t i, struct str found)
{
    const struct dimension *d = &r->in->dimensions[i];

    fault(r, kind,
          (struct fault_words){
              .dimension = vocab_label(r->a, d), .found = found, .allowed = allowed_values(r, d)});
}

static void fault_extra(struct reading *r, struct str found)
{
    fault(r, FAULT_EXTRA, (struct fault_words){.found = found, .allowed = dimension_names(r)});
}

/* ---- names ---- */

static bool same_name(struct str a, struct str b)
{
    a = str_trim(a);
    b = str_trim(b);
    return a.n && a.n == b.n && str_starts_nocase(a, b);
}

/* Index of the dimension that key names, by id before title; SIZE_MAX when it names none. */
static size_t dimension_of(const struct reading *r, struct str key)
{
    for (size_t i = 0; i < r->in->ndimensions; i++)
        if (same_name(key, str_of(r->in->dimensions[i].id)))
            return i;
    for (size_t i = 0; i < r->in->ndimensions; i++)
        if (same_name(key, r->in->dimensions[i].title))
            return i;
    return SIZE_MAX;
}

/* The member of o that has one of these names and is no dimension; *n says how many there are. */
static json_t *member(const struct reading *r, json_t *o, const char *const *list, size_t *n)
{
    json_t *hit = NULL, *v;
    const char *key;

    *n = 0;
    json_object_foreach(o, key, v)
    {
        if (!str_any(str_of(key), same_name, list) || dimension_of(r, str_of(key)) != SIZE_MAX)
            continue;
        hit = hit ? hit : v;
        ++*n;
    }
    return hit;
}

static bool has(const struct reading *r, json_t *o, const char *const *list)
{
    size_t n;

    return member(r, o, list, &n) != NULL;
}

static struct str text_of(struct arena *a, const json_t *v)
{
    if (!v || json_is_null(v))
        return STR("");
    if (json_is_string(v))
        return arena_str(a, json_str(v));
    return str_of(json_text(a, v));
}

/* ---- values ---- */

/* Full-width digits and signs as ASCII ones: U+FF01..FF5E mirror 0x21..0x7E. */
static struct str narrow(struct arena *a, struct str s)
{
    AUTO(buf_done) struct buf b = BUF_MAX(s.n);

    while (s.n) {
        uint32_t c = utf8_next(&s);
        buf_rune(&b, c >= 0xFF01 && c <= 0xFF5E ? c - 0xFEE0 : c == 0x3000 ? ' ' : c);
    }
    return str_trim(arena_str(a, buf_str(&b)));
}

static bool take_number(struct str *s, double *out)
{
    size_t n = 0;
    bool good;

    while (n < s->n && memchr("0123456789+-.eE", s->p[n], 15))
        n++;
    good = str_double((struct str){s->p, n}, out);
    *s = str_trim(str_from(*s, n));
    return good;
}

/* A string that is one number: alone, with its unit, or as a share of the maximum. */
static bool number_in(struct arena *a, struct str text, double max, double *out)
{
    static const char *const units[] = {"分", "点", "point", "points", NULL};
    struct str s;
    double v, of;

    if (text.n > 128) /* no number is that long; do not copy an essay to find out */
        return false;
    s = narrow(a, text);
    if (!take_number(&s, &v))
        return false;
    if (s.n && s.p[0] == '/') {
        s = str_trim(str_from(s, 1));
        if (!take_number(&s, &of) || fabs(of - max) > SAME)
            return false;
    }
    if (s.n && !str_any(s, same_name, units))
        return false;
    *out = v;
    return true;
}

static bool number_of(struct arena *a, const json_t *v, double max, double *out)
{
    if (json_is_string(v))
        return number_in(a, text_of(a, v), max, out);
    if (!json_is_number(v) || !isfinite(json_number_value(v)))
        return false;
    *out = json_number_value(v);
    return true;
}

static enum fault level_of(const struct dimension *d, double v, double *out)
{
    for (size_t i = 0; i < d->nlevels; i++)
        if (fabs(v - d->levels[i].value) <= SAME) {
            *out = d->levels[i].value;
            return FAULT_NONE;
        }
    return FAULT_LEVEL;
}

/* What is wrong with v, or the value that it stands for in *out. */
static enum fault allowed(const struct dimension *d, double v, double *out)
{
    if (d->nlevels)
        return level_of(d, v, out);
    if (v < d->min || v > d->max)
        return FAULT_RANGE;
    if (d->whole && v != nearbyint(v))
        return FAULT_WHOLE;
    *out = v + 0.0; /* -0 is 0 */
    return FAULT_NONE;
}

/* A value as the judge may recognise it: 0.8, and not 0.80000000000000004. */
static struct str found_of(struct arena *a, const json_t *v)
{
    if (json_is_number(v))
        return str_of(arena_printf(a, "%.10g", json_number_value(v)));
    return json_is_string(v) ? text_of(a, v) : str_of(json_text(a, v));
}

static void read_value(struct reading *r, size_t i, const json_t *v)
{
    const struct dimension *d = &r->in->dimensions[i];
    enum fault kind = FAULT_NUMBER;
    double x;

    if (number_of(r->a, v, d->max, &x))
        kind = allowed(d, x, &r->out->marks[i].value);
    if (kind != FAULT_NONE)
        fault_at(r, kind, i, found_of(r->a, v));
}

/* Quotations as a JSON list: a lone string is a list of one. */
static struct str evidence_of(struct arena *a, const json_t *v)
{
    if (json_is_array(v))
        return str_of(json_text(a, v));
    return json_is_string(v) ? str_of(arena_printf(a, "[%s]", json_text(a, v))) : STR("");
}

/* A mark as an object: {"analysis": ..., "score": ...}. */
static void read_mark(struct reading *r, size_t i, json_t *o)
{
    size_t n, ignored;
    const json_t *score = member(r, o, scores, &n);

    r->out->marks[i].analysis = text_of(r->a, member(r, o, analyses, &ignored));
    r->out->marks[i].evidence = evidence_of(r->a, member(r, o, quotes, &ignored));
    r->out->marks[i].advice = text_of(r->a, member(r, o, advices, &ignored));
    if (n > 1)
        fault(r, FAULT_DOUBLED, (struct fault_words){.found = str_of(r->in->dimensions[i].id)});
    else if (n == 0)
        fault_at(r, FAULT_MISSING, i, STR(""));
    else
        read_value(r, i, score);
}

static void put(struct reading *r, size_t i, json_t *v)
{
    if (r->seen[i]) {
        fault(r, FAULT_DOUBLED, (struct fault_words){.found = str_of(r->in->dimensions[i].id)});
        return;
    }
    r->seen[i] = true;
    if (json_is_object(v))
        read_mark(r, i, v);
    else
        read_value(r, i, v);
}

/* ---- objects ---- */

/* The dimension that an entry {"dimension": ..., "score": ...} is about. Where there is only one,
 * an entry that names none is about that one. */
static size_t entry_dimension(const struct reading *r, json_t *o)
{
    size_t n;
    const json_t *name = member(r, o, names, &n);

    if (!name)
        return r->in->ndimensions == 1 ? 0 : SIZE_MAX;
    return json_is_string(name) && n == 1 ? dimension_of(r, text_of(r->a, name)) : SIZE_MAX;
}

static void read_entry(struct reading *r, json_t *o)
{
    size_t i = json_is_object(o) ? entry_dimension(r, o) : SIZE_MAX;

    if (i == SIZE_MAX)
        fault_extra(r, found_of(r->a, o));
    else
        put(r, i, o);
}

static void read_overall(struct reading *r, json_t *v)
{
    size_t n;
    double max = 0, x;
    json_t *score = json_is_object(v) ? member(r, v, scores, &n) : v;

    for (size_t i = 0; i < r->in->ndimensions; i++)
        max = fmax(max, r->in->dimensions[i].max);
    /* Only compared with ours, so that one which cannot be read counts as not given. */
    if (!score || !number_of(r->a, score, max, &x))
        return;
    r->out->overall = x;
    if (score != v)
        r->out->reason = text_of(r->a, member(r, v, analyses, &n));
}

static bool is_mark(const struct reading *r, json_t *v)
{
    return json_is_number(v) || (json_is_object(v) && has(r, v, scores));
}

/* A score that stands in o itself, so that o is an entry. */
static void read_flat(struct reading *r, json_t *o, struct str key)
{
    size_t i = entry_dimension(r, o);

    if (i == SIZE_MAX)
        fault_extra(r, key);
    else
        put(r, i, o);
}

static void read_members(struct reading *r, json_t *o)
{
    json_t *v;
    const char *text;

    json_object_foreach(o, text, v)
    {
        struct str key = str_of(text);
        size_t i = dimension_of(r, key);
        if (i != SIZE_MAX)
            put(r, i, v);
        else if (str_any(key, same_name, scores))
            read_flat(r, o, key);
        else if (!str_any(key, same_name, overalls) && is_mark(r, v))
            fault_extra(r, key);
        else if (str_any(key, same_name, overalls) && isnan(r->out->overall))
            read_overall(r, v);
    }
}

static void read_container(struct reading *r, json_t *v)
{
    if (json_is_object(v))
        read_members(r, v);
    for (size_t i = 0; i < json_array_size(v); i++)
        read_entry(r, json_array_get(v, i));
}

/* What stands beside the marks: the reason of the overall; with one dimension, its analysis. */
static void read_rest(struct reading *r, json_t *o)
{
    struct mark *only = r->in->ndimensions == 1 ? &r->out->marks[0] : NULL;
    size_t n;

    if (!isnan(r->out->overall) && r->out->reason.n == 0)
        r->out->reason = text_of(r->a, member(r, o, reasons, &n));
    if (only && only->analysis.n == 0)
        only->analysis = text_of(r->a, member(r, o, analyses, &n));
    if (only && only->evidence.n == 0)
        only->evidence = evidence_of(r->a, member(r, o, quotes, &n));
    if (only && only->advice.n == 0)
        only->advice = text_of(r->a, member(r, o, advices, &n));
}

static void read_object(struct reading *r, json_t *o)
{
    size_t n;

    read_members(r, o);
    read_container(r, member(r, o, containers, &n));
    if (n > 1)
        fault(r, FAULT_DOUBLED, (struct fault_words){.found = str_of(containers[0])});
    for (size_t i = 0; i < r->in->ndimensions; i++)
        if (!r->seen[i])
            fault_at(r, FAULT_MISSING, i, STR(""));
    read_rest(r, o);
}

/* ---- which object ---- */

static bool names_dimension(const struct reading *r, json_t *o)
{
    const char *key;
    json_t *v;

    json_object_foreach(o, key, v) if (dimension_of(r, str_of(key)) != SIZE_MAX) return true;
    return json_is_object(o) && has(r, o, scores) && entry_dimension(r, o) != SIZE_MAX;
}

/* Does the object answer the question: is there a dimension in it? */
static bool answers(const struct reading *r, json_t *o)
{
    size_t n;
    json_t *inner = member(r, o, containers, &n);

    if (names_dimension(r, o) || names_dimension(r, inner))
        return true;
    for (size_t i = 0; i < json_array_size(inner); i++)
        if (names_dimension(r, json_array_get(inner, i)))
            return true;
    return false;
}

static bool holds_word(struct str text, struct str word)
{
    return word.n && str_find_nocase(text, word) != SIZE_MAX;
}

/* May the unreadable text be meant as an answer? When in doubt, yes. */
static bool may_answer(const struct reading *r, struct str text)
{
    for (size_t i = 0; i < r->in->ndimensions; i++)
        if (holds_word(text, str_trim(str_of(r->in->dimensions[i].id))) ||
            holds_word(text, str_trim(r->in->dimensions[i].title)))
            return true;
    return str_any(text, holds_word, scores);
}

struct finds {
    struct reply_object *v;
    size_t n, cap;
};

static bool is_closed(struct str text)
{
    return str_find(text, STR("}")) != SIZE_MAX || str_find(text, STR("｝")) != SIZE_MAX;
}

static bool is_plain_end(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!memchr(" \t\r\n`", text.p[i], 5))
            return false;
    return true;
}

/* Is whole object k an object of its own? It may be a quotation inside the judge's object, which an
 * unescaped quotation mark has ended too early: then that object's brace comes after it. */
static bool stands_alone(struct str text, const struct finds *f, size_t k)
{
    size_t at = f->v[k].end;
    bool after_broken = false;

    for (size_t i = 0; i < k; i++)
        after_broken = after_broken || f->v[i].state == OBJECT_BROKEN;
    if (after_broken && !is_plain_end(str_from(text, at)))
        return false;
    for (size_t i = k + 1; i < f->n; i++) {
        if (is_closed((struct str){text.p + at, f->v[i].begin - at}))
            return false;
        at = f->v[i].end;
    }
    return !is_closed(str_from(text, at));
}

static void fault_broken(struct reading *r, struct str near)
{
    fault(r, FAULT_BROKEN, (struct fault_words){.found = near});
}

/* Look at one whole object. False: it has nothing to do with the question. */
static bool read_whole(struct reading *r, struct str text, const struct finds *f, size_t k)
{
    AUTO(buf_done) struct buf b = BUF_MAX(6 * (size_t)REPLY_MAX);
    AUTO(json_freep) json_t *o = NULL;
    const struct reply_object *at = &f->v[k];
    struct str span = {text.p + at->begin, at->end - at->begin};
    struct json_fault wrong = {0};
    struct err e = {0};
    bool mended;

    reply_json_write(text, at, &b);
    o = json_read_at(buf_str(&b), &wrong);
    if (!o && (wrong.twice.n || json_read_mended(buf_str(&b), &o, &mended, &e) != OK)) {
        if (!may_answer(r, span))
            return false;
        if (wrong.twice.n)
            fault(r, FAULT_DOUBLED, (struct fault_words){.found = wrong.twice});
        else
            fault_broken(r, span);
        return true;
    }
    if (!answers(r, o))
        return false;
    if (r->draft || stands_alone(text, f, k))
        read_object(r, o);
    else
        fault_broken(r, str_from(text, at->end));
    return true;
}

/* Does object k answer too, without a fault, and otherwise than what was read? */
static bool contradicts(const struct reading *r, struct str text, const struct finds *f, size_t k)
{
    struct reply other = {.marks = NEW_N(r->a, struct mark, r->in->ndimensions), .overall = NAN};
    struct reading x = *r;

    x.out = &other;
    x.seen = NEW_N(r->a, bool, r->in->ndimensions);
    x.draft = true;
    if (f->v[k].state != OBJECT_WHOLE || !read_whole(&x, text, f, k) || other.fault)
        return false;
    for (size_t i = 0; i < r->in->ndimensions; i++)
        if (fabs(other.marks[i].value - r->out->marks[i].value) > SAME)
            return true;
    return false;
}

/* What was read from object k counts only if nothing else in the text could. */
static void doubt(struct reading *r, struct str text, const struct finds *f, size_t k)
{
    struct str before = {text.p, f->v[k].begin}, after = str_from(text, f->v[k].end);

    if (r->out->fault)
        return;
    r->out->doubted = r->out->marks;
    while (k-- > 0 && !r->out->fault)
        if (contradicts(r, text, f, k))
            fault(r, FAULT_ANSWERS, (struct fault_words){0});
    if (!r->out->fault && !reply_own(before, after))
        fault(r, FAULT_NOT_OWN, (struct fault_words){0});
}

/* Read objects from the last to the first: the first of these that answers counts. */
static void read_finds(struct reading *r, struct str text, const struct finds *f)
{
    for (size_t k = f->n; k-- > 0;) {
        const struct reply_object *o = &f->v[k];
        struct str span = {text.p + o->begin, o->end - o->begin};
        if (o->state == OBJECT_CUT) {
            fault(r, FAULT_CUT, (struct fault_words){.found = span});
            return;
        }
        if (o->state == OBJECT_BROKEN && may_answer(r, span)) {
            fault_broken(r, str_from(text, o->fault));
            return;
        }
        if (o->state == OBJECT_WHOLE && read_whole(r, text, f, k)) {
            doubt(r, text, f, k);
            return;
        }
    }
    fault(r, FAULT_NO_JSON, (struct fault_words){.allowed = dimension_names(r)});
}

static struct str valid_utf8(struct arena *a, struct str s)
{
    AUTO(buf_done) struct buf b = BUF_MAX(3 * (size_t)REPLY_MAX);

    if (utf8_check(s) == s.n)
        return s;
    while (s.n)
        buf_rune(&b, utf8_next(&s));
    return arena_str(a, buf_str(&b));
}

static void read_text(struct reading *r, struct str text)
{
    struct finds f = {0};
    struct reply_object o;

    for (size_t at = 0; reply_json_next(text, &at, &o);) {
        f.v = arena_grow(r->a, f.v, &f.cap, f.n + 1, sizeof *f.v);
        f.v[f.n++] = o;
    }
    read_finds(r, text, &f);
}

void reply_read(struct arena *a, struct str text, const struct instrument *in, const char *language,
                struct reply *out)
{
    struct reading r = {.a = a, .in = in, .language = language, .out = out};

    *out = (struct reply){.marks = NEW_N(a, struct mark, in->ndimensions), .overall = NAN};
    r.seen = NEW_N(a, bool, in->ndimensions);
    for (size_t i = 0; i < in->ndimensions; i++)
        out->marks[i].dimension = in->dimensions[i].id;
    if (text.n > REPLY_MAX) {
        const char *most = arena_int(a, REPLY_MAX);
        fault(&r, FAULT_LONG, (struct fault_words){.allowed = str_of(most)});
    } else if (str_trim(text).n == 0) {
        fault(&r, FAULT_EMPTY, (struct fault_words){0});
    } else {
        read_text(&r, valid_utf8(a, text));
    }
    if (out->fault)
        *out = (struct reply){
            .overall = NAN, .fault = out->fault, .doubted = out->doubted, .kind = out->kind};
    else
        out->doubted = NULL;
}
