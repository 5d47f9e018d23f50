#include "web/page_flags.h"

#include <math.h>

#include "base/json.h"
#include "eval/derive.h"
#include "report/wording.h"
#include "web/account.h"
#include "web/explore.h"
#include "web/pages.h"

/* The part that both texts share stands out. */
static void marked(struct page *p, const char *language, struct str text, struct str part)
{
    size_t at = part.n ? str_find(text, part) : SIZE_MAX;

    if (at == SIZE_MAX) {
        html_foreign(&p->h, language, text);
        return;
    }
    html_foreign(&p->h, language, (struct str){text.p, at});
    html_open(&p->h, "mark", NULL);
    html_foreign(&p->h, language, part);
    html_close(&p->h);
    html_foreign(&p->h, language, str_from(text, at + part.n));
}

static void text_of(struct page *p, enum word title, const char *language, struct str text,
                    struct str part)
{
    if (text.n == 0)
        return;
    html_open(&p->h, "div", "class", "words-of");
    page_say(p, "h3", NULL, title);
    html_open(&p->h, "p", "class", "lines");
    marked(p, language, text, part);
    html_close_n(&p->h, 2);
}

static void evidence(struct page *p, const char *language, const struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct str shared, other;
    const char *judged;
    struct err e;

    if (f->evidence.n == 0 || json_read(f->evidence, &j, &e) != OK)
        return;
    judged = wording_flag_judged(p->q->arena, p->q->language, f, j);
    if (judged)
        html_element(&p->h, "p", "soft", judged);
    shared = str_trim(json_str_at(j, "shared", STR("")));
    other = str_trim(json_str_at(j, "shared_other", shared));
    html_open(&p->h, "div", "class", "pair");
    text_of(p, PHRASE_FLAG_THIS, language, json_str_at(j, "this", STR("")), shared);
    text_of(p, PHRASE_FLAG_OTHER, language, json_str_at(j, "other", STR("")), other);
    html_close(&p->h);
}

static void act_form(struct page *p, const struct run_row *run, const struct flag_row *f, bool here)
{
    const char *label = page_phrase(p, PHRASE_WHY);

    page_form(p, page_printf(p, "/runs/%s/flags/%lld", run->name, (long long)f->id));
    page_hidden(p, "act", f->overruled_by ? "restore" : "overrule");
    if (here)
        page_hidden(p, "sample", page_number(p, f->sample));
    html_open(&p->h, "div", "class", "field");
    html_leaf(&p->h, "input", "name", "why", "required", "", "aria-label", label, "placeholder",
              label);
    html_close(&p->h);
    page_button(p, f->overruled_by ? PHRASE_FLAG_RESTORE : PHRASE_FLAG_OVERRULE, NULL, NULL);
    html_close(&p->h);
}

void page_flags_open(struct page *p, const struct run_row *run, const struct flag_row *f, bool here)
{
    struct html *h = &p->h;

    html_open(h, "section", "class", "card", "id", page_printf(p, "f%lld", (long long)f->id));
    html_open(h, here ? "h3" : "h2", NULL);
    html_text(h, wording_flag(p->q->language, f->kind));
    if (!here) {
        html_text(h, "\u00a0· ");
        page_link(p, explore_sample_to(p->q, run->name, f->sample),
                  page_printf(p, "%s · %s", f->model_name, f->item_name));
    }
    if (isfinite(f->value))
        html_fmt(h, "\u00a0· %s %.2f", wording_flag_value(p->q->language, f->kind), f->value);
    html_close(h);
}

void page_flags_close(struct page *p, const struct run_row *run, const struct suite *suite,
                      const struct flag_row *f, bool here)
{
    if (f->overruled_by)
        html_element(&p->h, "p", NULL,
                     page_two(p, WORD_LABELLED, page_phrase(p, PHRASE_FLAG_OVERRULED),
                              page_printf(p, "%s, %s", f->overruled_by, f->overruled_why)));
    if (!suite->sensitive)
        evidence(p, suite->language, f);
    if (!p->q->publish)
        act_form(p, run, f, here);
    html_close(&p->h);
}

enum status page_flags_list(struct request *q, struct response *r, struct err *e)
{
    int64_t from = request_int(request_query(q, "after"), 0);
    struct flag_list flags;
    struct explore x;
    struct page p;
    size_t i, end;

    if (explore_load(q, &x, e) != OK ||
        store_flag_list(q->arena, q->store, x.run.id, &flags, e) != OK)
        return e->code;
    i = from > 0 && (size_t)from < flags.n ? (size_t)from : 0;
    end = i + EXPLORE_PAGE < flags.n ? i + EXPLORE_PAGE : flags.n;
    explore_open(&p, q, r, &x, TAB_FLAGS, NULL);
    if (flags.n)
        page_say(&p, "p", "note", PHRASE_FLAGS_LEAD);
    else
        widget_empty(&p, SEE_NO_FLAGS);
    for (size_t k = i; k < end; k++) {
        page_flags_open(&p, &x.run, &flags.v[k], false);
        page_flags_close(&p, &x.run, &x.suite, &flags.v[k], false);
    }
    if (flags.n)
        explore_pager(&p, end - i, (int64_t)flags.n,
                      end < flags.n ? explore_after(q, arena_printf(q->arena, "%zu", end)) : NULL);
    return page_close(&p);
}

enum status page_flags_act(struct request *q, struct response *r, struct err *e)
{
    struct str why = request_form(q, "why");
    struct flag_act act = {.flag = request_int(request_param(q, "id"), 0),
                           .restore = str_is(request_form(q, "act"), "restore"),
                           .who = q->session->name,
                           .why = why.p};
    long long sample = request_int(request_form(q, "sample"), 0);
    struct run_row run;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK)
        return e->code;
    if (str_trim(why).n == 0)
        return err_set(e, E_INPUT, "give a reason");
    if (derive_overrule(q->store, &run, &act, e) != OK ||
        account_audit(q, act.restore ? "flag.restore" : "flag.overrule", run.name, why.p, e) != OK)
        return e->code;
    return response_redirect(
        r, sample ? arena_printf(q->arena, "/runs/%s/samples/%lld#flags", run.name, sample)
                  : arena_printf(q->arena, "/runs/%s/flags#f%lld", run.name, (long long)act.flag));
}
