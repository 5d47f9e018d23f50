/* What judges said about users and leaks, as the finders of flags need it. */
#include "eval/flag_find.h"
#include "reply/about.h"

/* A mark, in the list of its sample, the last read first. */
struct said {
    const char *about, *judge, *dimension;
    double value;
    struct str analysis, evidence;
    struct said *next;
};

struct loading {
    struct arena *keep;
    struct map *said; /* sample to struct said */
};

static enum status take(void *user, const struct about_fact *f, struct err *e)
{
    struct loading *l = user;
    struct said *one = NEW(l->keep, struct said);

    (void)e;
    *one = (struct said){
        .about = about_is(str_of(f->about)),
        .judge = arena_text(l->keep, str_of(f->judge)),
        .dimension = arena_text(l->keep, str_of(f->dimension)),
        .value = f->value,
        .analysis = arena_str(l->keep, f->analysis),
        .evidence = arena_str(l->keep, f->evidence),
        .next = map_get(l->said, map_id(&f->sample)),
    };
    (void)map_put(l->said, map_id(&f->sample), one);
    return OK;
}

enum status flag_ruling_load(struct flag_search *s, const struct flag_look *look, struct err *e)
{
    struct loading l = {.keep = s->keep};
    bool asked = false;

    for (size_t i = 0; i < ABOUT_KINDS; i++)
        asked |= s->suite->rules.of[about_kinds[i]].judge != NULL;
    if (!asked)
        return OK;
    s->said = l.said = NEW(s->keep, struct map);
    map_init(l.said, s->keep);
    return store_about_each(look->store, look->run, take, &l, e);
}

/* The first true one. */
static struct evidence_quote quoted(const struct flag_search *s, struct str evidence)
{
    struct evidence_quotes l = evidence_read(s->keep, evidence);

    for (size_t i = 0; i < l.n; i++)
        if (l.v[i].found)
            return l.v[i];
    return (struct evidence_quote){.text = STR("")};
}

struct flag_ruling flag_ruling(const struct flag_search *s, int64_t sample, enum rule_kind kind,
                               const char *dimension, double value)
{
    const struct said *all = s->said ? map_get(s->said, map_id(&sample)) : NULL;
    struct flag_ruling r = {.word = "unconfirmed", .judges = "", .said = STR("")};
    bool aye;

    for (const struct said *one = all; one; one = one->next)
        if (strcmp(one->about, vocab_rule_name(kind)) == 0 &&
            strcmp(one->dimension, dimension) == 0) {
            r.n++;
            r.ayes += one->value == value;
        }
    if (2 * r.ayes == r.n) /* nobody, or as many as not */
        return r;
    aye = 2 * r.ayes > r.n;
    r.word = aye ? "confirmed" : "overruled";
    for (const struct said *one = all; one; one = one->next)
        if (strcmp(one->about, vocab_rule_name(kind)) == 0 &&
            strcmp(one->dimension, dimension) == 0 && (one->value == value) == aye) {
            r.judges = arena_printf(s->keep, "%s%s%s", one->judge, *r.judges ? "+" : "", r.judges);
            r.said = one->analysis;
            r.quote = quoted(s, one->evidence);
        }
    return r;
}
