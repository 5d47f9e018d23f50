#include "cmd/dry.h"

#include <math.h>

#include "base/message.h"
#include "cmd/progress.h"
#include "net/chat.h"
#include "reply/about.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/sitting.h"
#include "suite/tag.h"
#include "suite/template.h"

enum {
    OUT_GUESS = 512,     /* tokens of a reply if the request sets no limit */
    LINE_GUESS = 40,     /* ... of what a user says */
    CACHED_LEAST = 1024, /* providers cache no shorter beginnings, in tokens */
};

enum part { PART_MODEL, PART_EXAMINER, PART_USER, PART_JUDGE };
static const char *const parts[] = {[PART_MODEL] = "model",
                                    [PART_EXAMINER] = "examiner",
                                    [PART_USER] = "user",
                                    [PART_JUDGE] = "judge"};

/* What is asked of one endpoint. */
struct share {
    const struct endpoint *ep;
    enum part as;
    int64_t requests, in, out; /* tokens */
    int64_t cached;            /* of `in`: the beginning shared with the previous request */
    double cost;               /* NaN: the price is unknown */
};

/* Sums over the items. */
struct volume {
    int64_t items;
    int64_t ask_tokens;  /* of all prompts, once each */
    int64_t case_tokens; /* of prompts and references, as judges see them */
    /* of conversations */
    int64_t answers; /* requests to a model */
    int64_t heard;   /* earlier answers that requests repeat, over all requests */
    /* ... and what requests share with the one before: tokens, and answers */
    int64_t again_tokens, again_heard;
    int64_t follow_ups; /* requests to the examiner */
};

static int64_t guess(struct str s)
{
    return chat_tokens_guess(s);
}

/* Each question is sent with everything that was said before it. */
static void measure_sitting(struct arena *a, const struct suite *s, const struct item *item,
                            struct volume *v)
{
    const struct interview_template *t = &s->elicit.interview.template;
    int64_t said = guess(t->system) + guess(vocab_character(s, item)->text), before = 0;
    struct err ignored = {0};
    struct turn next;
    struct paper p;

    if (paper_thaw(a, item->paper, &p, &ignored) != OK)
        return;
    for (size_t n = 0, answers = 0; n < sitting_length(&p); n++) {
        if (sitting_next(&p, n, &next) == SITTING_ANSWER) {
            v->ask_tokens += said;
            v->again_tokens += before;
            v->again_heard += answers ? (int64_t)answers - 1 : 0;
            v->heard += (int64_t)answers++;
            before = said;
        }
        said += guess(next.text);
    }
    v->answers += (int64_t)sitting_answers(&p);
    v->case_tokens += said;
    if (s->elicit.interview.examiner == EXAMINER_MODEL)
        v->follow_ups += (int64_t)p.follow_ups;
}

/* As if it went on to the limit of turns, though users may leave sooner. The context bounds what is
 * sent again. */
static void measure_dialogue(const struct suite *s, const struct item *item, struct volume *v)
{
    const struct dialogue *d = &s->elicit.dialogue;
    const struct character *who = vocab_character(s, item);
    int64_t told = guess(d->template.system) + guess(who->text) + guess(item->prompt);
    int64_t most = d->context == CONTEXT_LAST      ? d->keep
                   : d->context == CONTEXT_SUMMARY ? 2 * (int64_t)d->keep
                                                   : d->turns;
    int64_t others = 0; /* turns of a cast that are not the model's */

    for (int64_t n = 0; n < d->turns; n++) {
        int64_t before = n < most ? n : most;
        if (d->cast.nmembers && d->cast.members[(size_t)n % d->cast.nmembers].other) {
            others++;
            continue;
        }
        v->heard += before;
        v->ask_tokens += told + (before + 1) * LINE_GUESS;
        if (n > 0) /* a window that moves shares only what is told at the beginning */
            v->again_tokens += told + (n <= most ? n * LINE_GUESS : 0);
        if (n > 0 && n <= most)
            v->again_heard += n - 1;
    }
    v->answers += d->turns - others;
    v->case_tokens += told * vocab_stretches(s) + (int64_t)d->turns * LINE_GUESS;
    v->follow_ups += others;
    if (d->cast.nmembers ? d->cast.takes == TAKES_DIRECTOR : d->by == USER_MODEL)
        v->follow_ups += d->turns;
}

static void measure_prompt(const struct suite *s, const struct item *item, struct volume *v)
{
    const struct str *system = tag_system(&s->elicit, item);
    int64_t dialogue = guess(item->prompt);

    for (size_t i = 0; i < item->nturns; i++)
        dialogue += guess(item->turns[i].text);
    v->ask_tokens += guess(s->elicit.template.user) + dialogue + (system ? guess(*system) : 0) +
                     (s->ncharacters ? guess(s->characters[0].text) : 0);
    v->case_tokens += dialogue + guess(item->reference);
}

static struct volume measure(const struct plan *p, struct diags *d)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct suite *s = p->suite;
    struct item_reader *r = item_reader_new(s, p->items, d);
    struct volume v = {0};
    struct item item;

    for (size_t i = 0; i < p->nmodels; i++)
        item_reader_model(r, p->models[i]);
    while ((p->limit == 0 || v.items < p->limit) && item_reader_next(r, &item)) {
        arena_reset(a);
        v.items++;
        if (item.paper.n)
            measure_sitting(a, s, &item, &v);
        else if (s->elicit.kind == ELICIT_DIALOGUE)
            measure_dialogue(s, &item, &v);
        else
            measure_prompt(s, &item, &v);
    }
    item_reader_free(r);
    return v;
}

static int64_t reply_limit(const struct endpoint *ep, const char *sampling)
{
    const char *const texts[] = {sampling, ep->parameters};

    for (size_t i = 0; i < COUNT(texts); i++) {
        AUTO(json_freep) json_t *j = NULL;
        struct err e;
        int64_t n = 0;
        if (json_read(str_of(texts[i] ? texts[i] : "{}"), &j, &e) == OK)
            n = dialect_limit(j);
        if (n > 0)
            return n;
    }
    return OUT_GUESS;
}

static void price(struct share *s)
{
    if (isnan(s->ep->price_cached) || s->cached < s->requests * CACHED_LEAST)
        s->cached = 0;
    s->cost = s->ep->kind != ENDPOINT_CHAT ? 0 : models_cost(s->ep, s->in, s->out, s->cached);
}

static struct share of_model(const struct plan *p, const struct volume *v,
                             const struct endpoint *ep)
{
    int64_t repeats = p->suite->elicit.repeats;
    int64_t each = reply_limit(ep, p->suite->elicit.sampling);
    struct share s = {.ep = ep, .requests = v->items * repeats, .in = v->ask_tokens * repeats};

    if (ep->template.user.p && !v->answers)
        s.in += (guess(ep->template.user) - guess(p->suite->elicit.template.user)) * s.requests;
    if (v->answers) {
        s.requests = v->answers * repeats;
        s.in += v->heard * each * repeats;
        s.cached = (v->again_tokens + v->again_heard * each) * repeats;
    }
    s.out = s.requests * each;
    price(&s);
    return s;
}

/* An examiner is only told about part 2: the card, and up to two answers before. */
static struct share of_examiner(const struct plan *p, const struct volume *v)
{
    const struct template *t = &p->suite->elicit.interview.template.follow_up;
    int64_t times = p->suite->elicit.repeats * (int64_t)p->nmodels;
    struct share s = {.ep = p->others[0], .as = PART_EXAMINER, .requests = v->follow_ups * times};

    s.in = s.requests * (guess(t->system) + guess(t->user) +
                         2 * reply_limit(p->models[0], p->suite->elicit.sampling));
    s.out = s.requests * reply_limit(s.ep, NULL);
    price(&s);
    return s;
}

/* Each request to a user holds the whole conversation; several players share the requests. */
static struct share of_user(const struct plan *p, const struct volume *v, size_t who)
{
    const struct dialogue *d = &p->suite->elicit.dialogue;
    int64_t times = p->suite->elicit.repeats * (int64_t)p->nmodels;
    int64_t each = reply_limit(p->models[0], p->suite->elicit.sampling);
    struct share s = {.ep = p->others[who], .as = PART_USER};

    s.requests = (v->follow_ups * times + (int64_t)p->nothers - 1) / (int64_t)p->nothers;
    s.in = s.requests * (guess(d->template.user) + (d->nusers ? guess(d->users[0].who) : 0) +
                         d->turns / 2 * (each + LINE_GUESS));
    s.out = s.requests * LINE_GUESS;
    price(&s);
    return s;
}

/* Tokens of one answer as a judge reads it; of a conversation, all its answers. */
static int64_t answer_tokens(const struct plan *p, const struct volume *v,
                             const struct endpoint *model)
{
    int64_t each = reply_limit(model, p->suite->elicit.sampling);

    return v->answers && v->items ? each * (v->answers / v->items) : each;
}

static int64_t rubric_tokens(const struct suite *s, const struct template *t)
{
    const struct instrument *in = &s->instrument;
    int64_t n = guess(t->system) + guess(t->user) + guess(in->score_details) + guess(in->steps);

    for (size_t i = 0; i < in->ndimensions; i++) {
        n += guess(in->dimensions[i].description);
        for (size_t l = 0; l < in->dimensions[i].nlevels; l++)
            n += guess(in->dimensions[i].levels[l].text);
    }
    for (size_t i = 0; s->judge_examples && i < s->nexamples; i++)
        n += guess(s->examples[i].prompt) + guess(s->examples[i].answer) +
             guess(s->examples[i].reference) + guess(s->examples[i].reason);
    return n;
}

/* Every pair of models that this judge compares, with two answers each. --budget-battles caps their
 * number; --target-rd may need all of them. */
static void count_pairs(struct share *s, const struct plan *p, const struct volume *v,
                        int64_t models, const struct drive_values *values, int64_t each)
{
    int64_t battles = models * (models - 1) / 2 * v->items * p->suite->elicit.repeats;
    int64_t answer = p->nmodels ? answer_tokens(p, v, p->models[0]) : 0;

    if (values->budget_battles > 0 && battles > values->budget_battles)
        battles = values->budget_battles;
    s->requests = battles * values->judge_repeat * (p->suite->instrument.both_orders ? 2 : 1);
    s->in = v->items ? v->case_tokens / v->items * s->requests : 0;
    s->in += s->requests * (each + 2 * answer);
}

/* Judges are asked about the user of each dialogue too. Questions about leaks are not foreseen. */
static void add_users(struct share *s, const struct plan *p, const struct volume *v, int64_t models)
{
    int64_t n = models * v->items * p->suite->elicit.repeats;
    int64_t each = rubric_tokens(p->suite, p->suite->rules.of[RULE_USER].judge);

    s->requests += n;
    s->in += n * (each + (p->nmodels ? answer_tokens(p, v, p->models[0]) : 0));
    s->out += n * reply_limit(s->ep, p->suite->judge_sampling);
}

static struct share of_judge(const struct plan *p, const struct volume *v,
                             const struct drive_judges *judges, size_t at,
                             const struct drive_values *values)
{
    struct share s = {.ep = judges->v[at], .as = PART_JUDGE};
    int64_t each = rubric_tokens(p->suite, judges->template ? judges->template : &p->suite->judge);
    int64_t times = p->suite->elicit.repeats * values->judge_repeat, models = 0;

    for (size_t i = 0; i < p->nmodels; i++) {
        const char *family = p->models[i]->family;
        if (*family && strcmp(family, s.ep->family) == 0 && !values->own_family)
            continue;
        models++;
        s.requests += v->items * times * vocab_stretches(p->suite);
        s.in += v->case_tokens * times + v->items * times * answer_tokens(p, v, p->models[i]) +
                v->items * times * vocab_stretches(p->suite) * each;
    }
    if (p->suite->instrument.kind == INSTRUMENT_PAIR)
        count_pairs(&s, p, v, models, values, each);
    s.cached =
        s.requests * each; /* the constant part comes first; the first request is neglected */
    s.out = s.requests * reply_limit(s.ep, p->suite->judge_sampling);
    if (s.ep->kind == ENDPOINT_OBJECTIVE)
        s.in = s.out = s.cached = 0;
    else if (about_asks(p->suite, RULE_USER, STR("")))
        add_users(&s, p, v, models);
    price(&s);
    return s;
}

/* ---- printing ---- */

struct dry {
    const struct plan *plan;
    struct volume volume;
    struct share *shares;
    size_t n;
    struct share total; /* of tokens and cost */
    int64_t samples, verdicts;
};

/* Decimals that show a small amount as more than nothing. */
#define CENTS(usd) ((usd) > 0 && (usd) < 1 ? 4 : 2)

/* Was this endpoint named before? One may examine and judge. */
static bool told_before(const struct dry *dry, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (isnan(dry->shares[i].cost) &&
            strcmp(dry->shares[i].ep->name, dry->shares[at].ep->name) == 0)
            return true;
    return false;
}

static void print_unpriced(struct app *app, const struct dry *dry)
{
    const char *before = _("cost not known: no price for ");

    for (size_t i = 0; i < dry->n; i++) {
        if (!isnan(dry->shares[i].cost) || told_before(dry, i))
            continue;
        fprintf(app->out, "%s%s", before, dry->shares[i].ep->name);
        before = _(", ");
    }
    (void)fputc('\n', app->out);
}

static void print_text(struct app *app, const struct dry *dry)
{
    const char *times = app->common.plain ? "x" : "×";
    int64_t tokens = dry->total.in + dry->total.out;

    fprintf(app->out, _("%s: %zu model%s %s %lld item%s %s %d repeat%s\n"), dry->plan->suite->id,
            dry->plan->nmodels, message_s(dry->plan->nmodels), times, (long long)dry->volume.items,
            message_s(dry->volume.items), times, dry->plan->suite->elicit.repeats,
            message_s(dry->plan->suite->elicit.repeats));
    fprintf(app->out, _("%lld sample%s, %lld verdict%s, about %lld tokens, "),
            (long long)dry->samples, message_s(dry->samples), (long long)dry->verdicts,
            message_s(dry->verdicts), (long long)tokens);
    if (isnan(dry->total.cost))
        print_unpriced(app, dry);
    else
        fprintf(app->out, _("about $%.*f\n"), CENTS(dry->total.cost), dry->total.cost);
    for (size_t i = 0; i < dry->n; i++) {
        const struct share *s = &dry->shares[i];
        fprintf(app->out, "  %s %s%s%s\n", _(parts[s->as]), s->ep->name, _(": "),
                message_show(app->arena, NULL, models_source(s->ep)));
        fprintf(app->out, _("    %lld request%s, about %lld tokens in and %lld out"),
                (long long)s->requests, message_s(s->requests), (long long)s->in,
                (long long)s->out);
        if (s->cached)
            fprintf(app->out, _(", about %lld in the provider's cache"), (long long)s->cached);
        if (!isnan(s->cost))
            fprintf(app->out, _(", about $%.*f"), CENTS(s->cost), s->cost);
        (void)fputc('\n', app->out);
    }
    fprintf(app->out, _("Nothing was asked and nothing was stored.\n"));
}

static void put_share(json_t *j, const struct share *s)
{
    json_put_text(j, "name", s->ep->name);
    json_put_text(j, "as", parts[s->as]);
    json_put_text(j, "url", models_source(s->ep));
    json_put_int(j, "requests", s->requests);
    json_put_int(j, "tokens_in", s->in);
    json_put_int(j, "tokens_out", s->out);
    json_put_int(j, "tokens_cached", s->cached);
    json_put_real(j, "cost", s->cost);
}

static void print_json(struct app *app, const struct dry *dry)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *list;

    json_put_bool(j, "dry_run", true);
    json_put_text(j, "suite", dry->plan->suite->id);
    json_put_int(j, "items", dry->volume.items);
    json_put_int(j, "models", (int64_t)dry->plan->nmodels);
    json_put_int(j, "repeats", dry->plan->suite->elicit.repeats);
    json_put_int(j, "samples", dry->samples);
    json_put_int(j, "verdicts", dry->verdicts);
    json_put_int(j, "tokens", dry->total.in + dry->total.out);
    json_put_real(j, "cost", dry->total.cost);
    list = json_put_list(j, "endpoints");
    for (size_t i = 0; i < dry->n; i++)
        put_share(json_add_object(list), &dry->shares[i]);
    fprintf(app->out, "%s\n", json_text(app->arena, j));
}

static void add_share(struct dry *dry, struct share s)
{
    dry->shares[dry->n++] = s;
    dry->total.in += s.in;
    dry->total.out += s.out;
    dry->total.cost += s.cost; /* NaN spreads: with one price unknown, so is the sum */
    if (s.as == PART_JUDGE)
        dry->verdicts += s.requests;
}

void dry_run(struct app *app, const struct plan *p, const struct drive_judges *judges,
             const struct drive_values *v, struct diags *d)
{
    struct dry dry = {.plan = p};
    struct progress shown;

    progress_begin(&shown, app, _("reading items ..."));
    dry.volume = measure(p, d);
    progress_done(&shown);
    if (d->errors)
        return;
    dry.samples = dry.volume.items * p->suite->elicit.repeats * (int64_t)p->nmodels;
    dry.shares = NEW_N(app->arena, struct share, p->nmodels + judges->n + p->nothers);
    for (size_t i = 0; i < p->nmodels; i++)
        add_share(&dry, of_model(p, &dry.volume, p->models[i]));
    for (size_t i = 0; i < p->nothers; i++)
        add_share(&dry, p->suite->elicit.kind == ELICIT_DIALOGUE ? of_user(p, &dry.volume, i)
                                                                 : of_examiner(p, &dry.volume));
    for (size_t i = 0; i < judges->n; i++)
        add_share(&dry, of_judge(p, &dry.volume, judges, i, v));
    if (app->common.json)
        print_json(app, &dry);
    else
        print_text(app, &dry);
}
