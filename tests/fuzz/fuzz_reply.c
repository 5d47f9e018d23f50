/* Any bytes are a reply: it is good, with every mark an allowed one, or it has one fault; and any
 * bytes are a transcript, in which its quotations are looked up. */
#include <math.h>
#include <stdlib.h>

#include "reply/evidence.h"
#include "suite/mark.h"
#include "suite/vocab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool good)
{
    if (!good)
        abort();
}

static bool is_allowed(const struct dimension *d, double v)
{
    for (size_t i = 0; i < d->nlevels; i++)
        if (v == d->levels[i].value)
            return true;
    return d->nlevels == 0 && v >= d->min && v <= d->max && (!d->whole || v == nearbyint(v));
}

/* Quotations are found or not; what is kept of them can be read again. */
static void check_evidence(struct arena *a, struct str text, const struct instrument *in,
                           struct reply *r)
{
    static const struct suite suite;
    const struct evidence_case c = {text, &suite, in, "ja"};

    evidence_check(a, &c, r);
    expect(!r->fault == !r->kind && !r->fault == (r->marks != NULL));
    for (size_t i = 0; !r->fault && i < in->ndimensions; i++) {
        struct evidence_quotes l = evidence_read(a, r->marks[i].evidence);
        bool found = false;
        for (size_t k = 0; k < l.n; k++)
            found |= l.v[k].found;
        expect(found);
    }
}

static void check(struct str text, const struct instrument *in, const char *language)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct reply r;

    reply_read(a, text, in, language, &r);
    expect(!r.fault == !r.kind);
    if (r.fault) {
        expect(r.fault[0] && utf8_check(str_of(r.fault)) == strlen(r.fault) && !r.marks);
        return;
    }
    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct mark *m = &r.marks[i];
        expect(strcmp(m->dimension, in->dimensions[i].id) == 0);
        expect(is_allowed(&in->dimensions[i], m->value));
        expect(utf8_check(m->analysis) == m->analysis.n);
        expect(utf8_check(m->evidence) == m->evidence.n);
        expect(utf8_check(m->advice) == m->advice.n);
    }
    if (utf8_check(text) == text.n)
        check_evidence(a, text, in, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct level levels[] = {{.value = 0}, {.value = 0.5}, {.value = 1}};
    struct dimension one[] = {{.id = "quality", .max = 1, .levels = levels, .nlevels = 3}};
    struct dimension two[] = {{.id = "overall", .max = 10, .whole = true},
                              {.id = "b", .title = STR("维度"), .min = -1, .max = 1}};
    struct str text = {(const char *)data, size};

    check(text, &(struct instrument){.dimensions = one, .ndimensions = 1}, "en");
    check(text, &(struct instrument){.dimensions = two, .ndimensions = 2}, "zh");
    return 0;
}
