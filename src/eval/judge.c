#include "eval/judge.h"

#include <math.h>

#include "eval/judge_objective.h"
#include "eval/judge_prompt.h"
#include "reply/about.h"
#include "reply/evidence.h"
#include "reply/reply.h"
#include "store/store_pair.h"
#include "store/store_turn.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/probe.h"
#include "suite/suite.h"
#include "suite/template.h"
#include "talk/voice.h"

enum { REPAIRS_MAX = 1 };

struct judge_work {
    const char *subject; /* what a recorded judge is asked by, but for the attempt: recorded.h */
    struct template template;
    const struct instrument *instrument;
    struct pair_ask ask;   /* of a pair */
    int64_t shown[2];      /* ... its models, A first */
    struct str transcript; /* in which quotations are looked for */
    struct verdict_result result;
};

static const char *model_name(const struct context *c, int64_t id)
{
    for (size_t i = 0; i < c->models.n; i++)
        if (c->models.v[i].id == id)
            return c->models.v[i].name;
    return "";
}

/* Which verdict of a recorded judge it is: on one model or two in the order shown, and its repeat,
 * or the rule or the stretch that it is about. */
static const char *subject_of(const struct context *c, struct arena *a, const int64_t shown[2],
                              const struct leased *row, const char *item)
{
    const char *models =
        row->other ? arena_printf(a, "%s\n%s", model_name(c, shown[0]), model_name(c, shown[1]))
                   : model_name(c, row->model);
    const char *which = row->shown.first ? arena_printf(a, "#%lld", (long long)row->shown.first)
                        : *row->about    ? arena_printf(a, "@%s", row->about)
                                         : arena_int(a, row->repeat);

    return arena_printf(a, "%s\t%s\t%lld\t%s", models, item, (long long)row->sample_repeat, which);
}

static enum status build_turns(struct task *t, const struct judge_case *k,
                               const struct template *template, struct err *e)
{
    struct prompt_vars vars;
    struct str text;

    if (template->user.n == 0) /* a judge that needs no words */
        return OK;
    vars = judge_vars(t->arena, k);
    t->turns = NEW_N(t->arena, struct chat_turn, 2 + 2 * REPAIRS_MAX);
    if (prompt_fill(t->arena, template->system, vars, &text, e) != OK)
        return e->code;
    if (str_trim(text).n)
        t->turns[t->nturns++] = (struct chat_turn){.role = "system", .text = text};
    if (prompt_fill(t->arena, template->user, vars, &text, e) != OK)
        return e->code;
    t->turns[t->nturns++] = (struct chat_turn){.role = "user", .text = text};
    return OK;
}

/* What a judge of an interview is told about facts that were asked for twice. */
static enum status find_probes(const struct context *c, struct arena *a, const struct leased *row,
                               struct judge_case *k, struct err *e)
{
    struct turn_list turns;
    struct probe_list probes;
    struct paper paper;

    if (k->item->paper.n == 0 || row->other)
        return OK;
    if (paper_thaw(a, k->item->paper, &paper, e) != OK ||
        store_turn_list(a, c->store, row->sample, &turns, e) != OK)
        return e->code;
    probes = probe_find(a, &paper, &turns);
    k->probes = probe_text(a, &probes, c->suite->language);
    return OK;
}

/* Of a stretch, show its turns and as many before them, so that the judge knows the context. */
static enum status cut_out(const struct context *c, struct arena *a, const struct leased *row,
                           struct judge_case *k, struct err *e)
{
    const struct turn_span span = row->shown;
    int64_t width = span.last - span.first + 1;
    struct turn_list all;

    if (!span.first || row->other)
        return OK;
    if (store_turn_list(a, c->store, row->sample, &all, e) != OK)
        return e->code;
    k->answer = voice_stretch(a, c->suite, k->item, &all, span);
    k->before = voice_stretch(a, c->suite, k->item, &all,
                              (struct turn_span){span.first - width, span.first - 1});
    return OK;
}

/* What is asked, and in which words. */
static enum status choose_words(const struct context *c, const struct party *who, struct task *t,
                                const struct leased *row, struct judge_case *k, struct err *e)
{
    struct judge_work *w = t->work;
    const struct rule *rule = about_rule(c->suite, row->about);

    k->instrument = w->instrument = about_instrument(t->arena, c->suite, row->about, row->answer);
    w->template = *who->own;
    if (!rule)
        return OK;
    if (!rule->judge)
        return err_set(e, E_INPUT, "verdict %lld: nobody asks about '%s'", (long long)row->id,
                       row->about);
    w->template = *rule->judge;
    t->form = w->instrument;
    return OK;
}

static enum status judge_prepare(const struct context *c, const struct party *who,
                                 const struct leased *row, struct task *t, struct err *e)
{
    struct judge_work *w = t->work = NEW(t->arena, struct judge_work);
    struct objective_case *asked = NEW(t->arena, struct objective_case);
    struct item item;
    struct judge_case k = {
        .suite = c->suite,
        .item = &item,
        .answer = arena_str(t->arena, row->other_first ? row->other_answer : row->answer),
        .other = arena_str(t->arena, row->other_first ? row->answer : row->other_answer),
    };

    t->asked = asked;
    w->result = (struct verdict_result){.id = row->id, .overall = NAN};
    if (choose_words(c, who, t, row, &k, e) != OK ||
        item_thaw(t->arena, row->body, &item, e) != OK ||
        find_probes(c, t->arena, row, &k, e) != OK || cut_out(c, t->arena, row, &k, e) != OK ||
        build_turns(t, &k, &w->template, e) != OK)
        return e->code;
    *asked = judge_objective_case(&item, k.answer);
    w->transcript = arena_str(t->arena, row->answer); /* all of it: verify has no less */
    if (row->other)
        w->ask = reply_pair_ask(t->arena, c->suite, &item);
    w->shown[0] = row->other_first ? row->other_model : row->model;
    w->shown[1] = row->other_first ? row->model : row->other_model;
    w->subject = subject_of(c, t->arena, w->shown, row, item.id);
    t->tag =
        *row->about || row->shown.first ? w->subject : arena_printf(t->arena, "%s\t0", w->subject);
    return OK;
}

/* Send the reply back with its fault. False when the template has no words for that. */
static bool ask_repair(const struct context *c, struct task *t, struct str said, const char *fault)
{
    struct judge_work *w = t->work;
    const struct prompt_var v[] = {
        {"fault", str_of(fault)},
        {"format", str_of(judge_format(t->arena, w->instrument, false))},
        {"format_whole", str_of(judge_format(t->arena, w->instrument, true))},
        {"language", str_of(c->suite->language)},
    };
    struct err e = {0};
    struct str text;

    if (w->template.repair.n == 0 ||
        prompt_fill(t->arena, w->template.repair, (struct prompt_vars){v, COUNT(v)}, &text, &e) !=
            OK)
        return false;
    w->result.repairs++;
    t->tag = arena_printf(t->arena, "%s\t%d", w->subject, w->result.repairs);
    t->turns[t->nturns++] = (struct chat_turn){.role = "assistant", .text = said};
    t->turns[t->nturns++] = (struct chat_turn){.role = "user", .text = text};
    return true;
}

static bool advance_pair(const struct context *c, struct task *t)
{
    struct judge_work *w = t->work;
    struct verdict_result *r = &w->result;
    struct pair_reply read;

    reply_pair_read(t->arena, r->reply, &w->ask, c->suite->language, &read);
    store_pair_verdict(&read, w->shown, r);
    return read.fault && r->repairs < REPAIRS_MAX && ask_repair(c, t, r->reply, read.fault);
}

static void read_marks(const struct context *c, const struct task *t, struct reply *out)
{
    const struct judge_work *w = t->work;
    const struct evidence_case k = {
        .transcript = w->transcript,
        .suite = c->suite,
        .instrument = w->instrument,
        .language = c->suite->language,
    };

    reply_read(t->arena, w->result.reply, k.instrument, k.language, out);
    if (k.instrument->quotes)
        evidence_check(t->arena, &k, out);
}

static bool judge_advance(const struct context *c, struct task *t, const struct chat_reply *reply)
{
    struct judge_work *w = t->work;
    struct verdict_result *r = &w->result;
    struct reply read;

    r->reply = arena_str(t->arena, reply->text);
    if (w->instrument->kind == INSTRUMENT_PAIR)
        return advance_pair(c, t);
    read_marks(c, t, &read);
    if (read.fault && r->repairs < REPAIRS_MAX && ask_repair(c, t, r->reply, read.fault))
        return true;
    r->reason = read.reason;
    r->overall = read.overall;
    r->state = read.fault ? STATE_UNSCORED : STATE_DONE;
    r->fault = read.fault ? read.kind : NULL;
    r->why = read.fault;
    r->marks = read.fault ? NULL : read.marks;
    r->nmarks = read.fault ? 0 : w->instrument->ndimensions;
    return false;
}

static bool judge_fail(struct task *t, const char *fault, const char *why)
{
    struct judge_work *w = t->work;

    /* A judge that needs no words was not unreachable: it had nothing to compare with. */
    w->result.state = w->template.user.n ? STATE_FAILED : STATE_UNSCORED;
    w->result.fault = fault;
    w->result.why = arena_text(t->arena, str_of(why));
    return false;
}

static enum status judge_save(const struct context *c, struct task *t, struct err *e)
{
    struct judge_work *w = t->work;

    w->result.spent = t->spent;
    t->state = w->result.state;
    return store_verdict_write(c->store, &w->result, e);
}

static enum status judge_detail(const struct context *c, const struct task *t, struct err *e)
{
    const struct judge_work *w = t->work;

    return t->more ? OK : store_verdict_marks(c->store, &w->result, e);
}

const struct stage judge_stage = {
    .kind = PARTY_JUDGE,
    .prepare = judge_prepare,
    .advance = judge_advance,
    .fail = judge_fail,
    .save = judge_save,
    .detail = judge_detail,
};
