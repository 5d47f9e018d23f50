/* What judges said about users and leaks, as the finders of flags need it. */
#include "eval/flag_find.h"
#include "reply/about.h"

/* A mark, in the list of its sample, the last read first. */
struct said {
    const struct about_fact *mark;
    struct said *next;
};

enum status flag_ruling_load(struct flag_search *s, const struct flag_look *look, struct err *e)
{
    struct about_facts l;
    bool asked = false;

    for (size_t i = 0; i < ABOUT_KINDS; i++)
        asked |= s->suite->rules.of[about_kinds[i]].judge != NULL;
    if (!asked)
        return OK;
    if (store_about_list(s->keep, look->store, look->run, &l, e) != OK)
        return e->code;
    s->said = NEW(s->keep, struct map);
    map_init(s->said, s->keep);
    for (size_t i = 0; i < l.n; i++) {
        struct said *one = NEW(s->keep, struct said);
        *one = (struct said){&l.v[i], map_get(s->said, map_id(&l.v[i].sample))};
        (void)map_put(s->said, map_id(&l.v[i].sample), one);
    }
    return OK;
}

/* Is it on this question? */
static bool is_on(const struct about_fact *mark, enum rule_kind kind, const char *dimension)
{
    return strcmp(mark->about, suite_rule_name(kind)) == 0 &&
           strcmp(mark->dimension, dimension) == 0;
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
        if (is_on(one->mark, kind, dimension)) {
            r.n++;
            r.ayes += one->mark->value == value;
        }
    if (2 * r.ayes == r.n) /* nobody, or as many as not */
        return r;
    aye = 2 * r.ayes > r.n;
    r.word = aye ? "confirmed" : "overruled";
    for (const struct said *one = all; one; one = one->next)
        if (is_on(one->mark, kind, dimension) && (one->mark->value == value) == aye) {
            r.judges =
                arena_printf(s->keep, "%s%s%s", one->mark->judge, *r.judges ? "+" : "", r.judges);
            r.said = one->mark->analysis;
            r.quote = quoted(s, one->mark->evidence);
        }
    return r;
}
