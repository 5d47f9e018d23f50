#include "eval/elicit.h"

#include "base/message.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/prompt.h"
#include "suite/role.h"
#include "suite/suite.h"
#include "suite/tag.h"
#include "suite/template.h"
#include "text/take.h"

struct elicit_work {
    struct str speaker; /* the character's name */
    struct sample_result result;
};

/* Everything that an elicitation template may name: see the item reader. */
static struct prompt_vars vars_of(struct arena *a, const struct suite *s, const struct item *item)
{
    const struct character *who = vocab_character(s, item);
    struct prompt_var *v = NEW_N(a, struct prompt_var, item->nvars + 6);
    size_t n = 0;

    v[n++] = (struct prompt_var){"character", role_text(a, who, item)};
    v[n++] = (struct prompt_var){"character_name", who->name};
    v[n++] = (struct prompt_var){"greeting", who->greeting};
    v[n++] = (struct prompt_var){"prompt", item->prompt};
    v[n++] = (struct prompt_var){"language", str_of(s->language)};
    v[n++] = (struct prompt_var){"title", s->title};
    for (size_t i = 0; i < item->nvars; i++)
        v[n++] = (struct prompt_var){item->vars[i].name, item->vars[i].value};
    return (struct prompt_vars){v, n};
}

/* A model that has a template of its own is asked with it. A system text in it is for all items,
 * whatever their tags. Between system text and prompt stands the item's dialogue. */
static enum status build_turns(const struct context *c, struct task *t, const struct template *own,
                               const struct item *item, struct err *e)
{
    const struct suite *s = c->suite;
    struct prompt_vars vars = vars_of(c->scratch, s, item);
    const struct str *system = own && own->system.p ? &own->system : tag_system(&s->elicit, item);
    struct str text = STR("");

    t->turns = NEW_N(t->arena, struct chat_turn, item->nturns + 2);
    if (system && prompt_fill(t->arena, *system, vars, &text, e) != OK)
        return e->code;
    if (str_trim(text).n)
        t->turns[t->nturns++] = (struct chat_turn){.role = "system", .text = text};
    for (size_t i = 0; i < item->nturns; i++)
        t->turns[t->nturns++] =
            (struct chat_turn){.role = arena_text(t->arena, str_of(item->turns[i].role)),
                               .text = arena_str(t->arena, item->turns[i].text)};
    if (prompt_fill(t->arena, (own ? own : &s->elicit.template)->user, vars, &text, e) != OK)
        return e->code;
    /* An item whose dialogue ends with the user's words needs no prompt of its own. Nothing at all
     * is no request: then the endpoint may say what it thinks of an empty message. */
    if (str_trim(text).n || t->nturns == 0)
        t->turns[t->nturns++] = (struct chat_turn){.role = "user", .text = text};
    return OK;
}

static enum status elicit_prepare(const struct context *c, const struct party *who,
                                  const struct leased *row, struct task *t, struct err *e)
{
    struct elicit_work *w = t->work = NEW(t->arena, struct elicit_work);
    struct item item;

    if (item_thaw(c->scratch, row->body, &item, e) != OK ||
        build_turns(c, t, who->own, &item, e) != OK)
        return e->code;
    w->result.id = row->id;
    w->speaker = vocab_character(c->suite, &item)->name;
    t->tag = arena_printf(t->arena, "%s\t%s\t%lld", who->name, item.id, (long long)row->repeat);
    return OK;
}

/* Quotes with which a prompt may leave off, and what ends the line of speech that they begin. */
static const struct quotes {
    const char *open, *close, *also; /* also: how some keyboards write the close */
} quotes[] = {{"「", "」", "」"}, {"『", "』", "』"}, {"“", "”", "\""}, {"\"", "\"", "”"}};

static const struct quotes *quotes_of(struct str prompt)
{
    prompt = str_trim(prompt);
    for (size_t i = 0; i < COUNT(quotes); i++)
        if (str_ends(prompt, str_of(quotes[i].open)))
            return &quotes[i];
    return NULL;
}

static struct str skip(struct str s, struct str head)
{
    return head.n && str_starts(s, head) ? str_trim(str_from(s, head.n)) : s;
}

/* The line without what the prompt has said already: models like to repeat the speaker's name and
 * the opening quote. */
static struct str without_opening(struct str text, struct str speaker, const struct quotes *q)
{
    struct str rest = skip(text, speaker);

    if (rest.n < text.n)
        rest = skip(skip(rest, STR(":")), STR("："));
    return skip(rest, str_of(q->open));
}

/* The quotes that the reply closes with: it may write them in another way than the prompt. */
static const struct quotes *quotes_used(struct str text, const struct quotes *q)
{
    if (str_find(text, str_of(q->close)) <= str_find(text, str_of(q->also)))
        return q;
    for (size_t i = 0; i < COUNT(quotes); i++)
        if (strcmp(quotes[i].close, q->also) == 0)
            return &quotes[i];
    return q;
}

/* Up to and with the quote that ends the first line, and units after it: see take_units(). Whole
 * lines where the prompt left no quote open. Nothing when only the quote is there. */
static struct str first_lines(const struct task *t, struct str text, size_t n)
{
    const struct elicit_work *w = t->work;
    const struct quotes *q = quotes_of(t->turns[t->nturns - 1].text);
    struct str part;

    if (!q)
        return take_lines(t->arena, text, n);
    text = without_opening(text, w->speaker, q);
    q = quotes_used(text, q);
    part = str_trim(take_units(text, (struct take_quotes){str_of(q->open), str_of(q->close)}, n));
    return str_is(part, q->close) ? STR("") : part;
}

/* The part of a reply that counts. */
static struct str take(const struct task *t, const struct elicit *how, struct str text)
{
    text = str_trim(text);
    switch (how->take) {
    case TAKE_FIRST_LINES:
        return first_lines(t, text, (size_t)how->lines);
    case TAKE_LINES:
        return take_lines(t->arena, text, (size_t)how->lines);
    case TAKE_ALL:
        break;
    }
    return text;
}

static bool elicit_advance(const struct context *c, struct task *t, const struct chat_reply *reply)
{
    struct elicit_work *w = t->work;
    struct str part = take(t, &c->suite->elicit, reply->text);

    w->result.finish = arena_text(t->arena, str_of(reply->finish));
    w->result.thinking = arena_str(t->arena, reply->thinking);
    if (part.n) {
        w->result.state = STATE_DONE;
        w->result.answer = arena_str(t->arena, part);
    } else {
        w->result.state = STATE_FAILED;
        w->result.fault = "empty";
        w->result.why = N_("nothing of the reply counts under the suite's `take` rule");
    }
    return false;
}

static bool elicit_fail(struct task *t, const char *fault, const char *why)
{
    struct elicit_work *w = t->work;

    w->result.state = STATE_FAILED;
    w->result.fault = fault;
    w->result.why = arena_text(t->arena, str_of(why));
    return false;
}

static enum status elicit_save(const struct context *c, struct task *t, struct err *e)
{
    struct elicit_work *w = t->work;

    w->result.spent = t->spent;
    t->state = w->result.state;
    return store_sample_end(c->store, &w->result, e);
}

const struct stage elicit_stage = {
    .kind = PARTY_MODEL,
    .prepare = elicit_prepare,
    .advance = elicit_advance,
    .fail = elicit_fail,
    .save = elicit_save,
};
