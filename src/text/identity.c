#include "text/identity.h"

#include "text/identity_words.h"
#include "text/word.h"

struct list {
    struct runes *v;
    size_t n;
    bool begins[256]; /* by the low byte of a rune: some word begins with such a rune */
};

struct identity {
    struct list heads, subjects, adverbs, copulas, as_heads, between, machines, doubtful, models,
        after, tails, causes, articles, endings, others, phrases, trained, amounts, corpora,
        reporters, speakers, own_speakers, machine_cards, names, self_names, self_heads, except;
    bool begins[256]; /* of all lists with which a fault can begin */
};

/* ---- folded words ---- */

/* The built-in words, then those of the suite. */
static struct list fold_words(struct arena *a, const char *const *words, const struct str *more,
                              size_t nmore)
{
    struct list l = {0};
    size_t own = 0;

    while (words[own])
        own++;
    l.n = own + nmore;
    l.v = NEW_N(a, struct runes, l.n);
    for (size_t i = 0; i < l.n; i++) {
        l.v[i] = fold_text(a, i < own ? str_of(words[i]) : more[i - own]);
        if (l.v[i].n)
            l.begins[l.v[i].p[0] & 255] = true;
    }
    return l;
}

static struct list fold_list(struct arena *a, const char *const *words)
{
    return fold_words(a, words, NULL, 0);
}

struct identity *identity_new(struct arena *a, const struct identity_words *words)
{
    static const char *const none[] = {NULL};
    struct identity *id = NEW(a, struct identity);
    const struct list *const first[] = {&id->heads,    &id->subjects, &id->as_heads,
                                        &id->phrases,  &id->trained,  &id->self_heads,
                                        &id->machines, &id->models,   &id->names};

    *id = (struct identity){
        .heads = fold_list(a, heads),
        .subjects = fold_list(a, subjects),
        .adverbs = fold_list(a, adverbs),
        .copulas = fold_list(a, copulas),
        .as_heads = fold_list(a, as_heads),
        .between = fold_list(a, between),
        .machines = fold_list(a, machines),
        .doubtful = fold_list(a, doubtful),
        .models = fold_list(a, models),
        .after = fold_list(a, after),
        .tails = fold_list(a, tails),
        .causes = fold_list(a, causes),
        .articles = fold_list(a, articles),
        .endings = fold_list(a, endings),
        .others = fold_list(a, others),
        .phrases = fold_list(a, phrases),
        .trained = fold_list(a, trained),
        .amounts = fold_list(a, amounts),
        .corpora = fold_list(a, corpora),
        .reporters = fold_list(a, reporters),
        .speakers = fold_list(a, speakers),
        .own_speakers = fold_list(a, own_speakers),
        .machine_cards = fold_list(a, machine_cards),
        .names = fold_words(a, names, words->also, words->nalso),
        .self_names = fold_list(a, self_names),
        .self_heads = fold_list(a, self_heads),
        .except = fold_words(a, none, words->except, words->nexcept),
    };
    for (size_t k = 0; k < COUNT(first); k++)
        for (size_t i = 0; i < COUNT(id->begins); i++)
            id->begins[i] |= first[k]->begins[i];
    return id;
}

/* ---- matching ---- */

/* The length of the longest word of the list that stands at t[at]; 0 if none does. *which, unless
 * it is NULL, becomes that word. */
static size_t list_at(struct runes t, size_t at, const struct list *l, struct runes *which)
{
    size_t best = 0;

    if (at >= t.n || !l->begins[t.p[at] & 255])
        return 0;
    for (size_t i = 0; i < l->n; i++) {
        size_t n = word_at(t, at, l->v[i]);
        if (n > best) {
            best = n;
            if (which)
                *which = l->v[i];
        }
    }
    return best;
}

static bool has_any(struct runes t, const struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (word_in(t, l->v[i]))
            return true;
    return false;
}

static bool is_excepted(const struct identity *id, struct runes word)
{
    for (size_t i = 0; i < id->except.n; i++)
        if (fold_equal(id->except.v[i], word))
            return true;
    return false;
}

static size_t past_space(struct runes t, size_t at)
{
    return at < t.n && t.p[at] == ' ' ? at + 1 : at;
}

/* ---- one place ---- */

/* Folded runes that give a program away; n is 0 if there are none. */
struct hit {
    const char *why;
    size_t at, n;
};

static size_t skip_all(struct runes t, size_t at, const struct list *l)
{
    size_t n;

    while ((n = list_at(t, at, l, NULL)) > 0)
        at = past_space(t, at + n);
    return at;
}

static bool is_card_of_machine(const struct identity *id, const struct identity_text *t)
{
    return has_any(t->card, &id->machine_cards);
}

/* The text from folded rune `at` on. */
static struct str text_from(const struct identity_text *t, size_t at)
{
    return at < t->folded.n ? str_from(t->text, t->folded.at[at]) : STR("");
}

enum { LONG_VOWEL = 0x30FC }; /* folding drops it, but it ends no clause */

/* Does a clause end between folded runes at - 1 and at? */
static bool ends_at(const struct identity_text *t, size_t at)
{
    struct str last = fold_source(t->text, t->folded, at - 1, 1), rest, next = text_from(t, at);

    if (next.n == 0)
        return true;
    rest = str_from(t->text, (size_t)(last.p + last.n - t->text.p));
    while (rest.p < next.p && rest.n) {
        uint32_t r = utf8_next(&rest);
        if (!rune_is_space(r) && r != LONG_VOWEL)
            return true;
    }
    return false;
}

/* True at a で before a comma, after which a Japanese sentence goes on. */
static bool goes_on(const struct identity_text *t, size_t at)
{
    return at < t->folded.n && t->folded.p[at] == 0x3067 && ends_at(t, at + 1);
}

/* True at "because (I am)" at the end of a clause. */
static bool is_cause(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t n = list_at(t->folded, at, &id->causes, NULL);

    return n && ends_at(t, at + n);
}

/* The length of a word for a machine at t[at]; 0 if there is none, or if the card says the same. */
static size_t nature_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    struct runes which = {0};
    size_t model = list_at(t->folded, at, &id->models, &which), n = model, end;

    if (n == 0)
        n = list_at(t->folded, at, &id->machines, &which);
    if (n == 0 || is_excepted(id, which))
        return 0;
    end = past_space(t->folded, at + n);
    if (!ends_at(t, at + n) && list_at(t->folded, end, &id->others, NULL) &&
        !list_at(t->folded, end, &id->tails, NULL) && !is_cause(id, t, end))
        return 0;
    return has_any(t->card, model ? &id->models : &id->machine_cards) ? 0 : n;
}

/* The same for words that may also mean something else. */
static size_t doubtful_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    struct runes which = {0};
    size_t n = list_at(t->folded, at, &id->doubtful, &which), end = past_space(t->folded, at + n);
    bool stands;

    if (n == 0 || is_excepted(id, which) || is_card_of_machine(id, t))
        return 0;
    stands = ends_at(t, at + n) || goes_on(t, at + n) ||
             list_at(t->folded, end, &id->after, NULL) > list_at(t->folded, end, &id->others, NULL);
    return stands ? n : 0;
}

static size_t any_nature_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t n = nature_at(id, t, at);

    return n ? n : doubtful_at(id, t, at);
}

/* Skips articles and the like until `look` finds a word, which may begin like one of them:
 * "artificial intelligence". Returns the length of the word, or 0; *to is its place, or where the
 * skipped words end. */
static size_t past_articles(const struct identity *id, const struct identity_text *t, size_t at,
                            size_t (*look)(const struct identity *, const struct identity_text *,
                                           size_t),
                            size_t *to)
{
    size_t n, skip;

    for (;; at = past_space(t->folded, at + skip)) {
        *to = at;
        n = look(id, t, at);
        skip = list_at(t->folded, at, &id->between, NULL);
        if (n || skip == 0)
            return n;
    }
}

/* Runes of a clause before the word, such as "that answers questions", in Chinese and Japanese. */
enum { GAP_MAX = 18 };

/* The runes from t[at] to the end of a word for a machine that follows articles and the like or, in
 * scripts without spaces, a clause that describes it; 0 if there is none. */
static size_t described_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t to, n = past_articles(id, t, at, any_nature_at, &to);

    if (n)
        return to + n - at;
    for (size_t i = to + 1; i < t->folded.n && i < at + GAP_MAX; i++) {
        uint32_t before = t->folded.p[i - 1];
        if (!rune_is_cjk(before) || ends_at(t, i))
            return 0;
        /* Chinese clauses end in 的; Japanese ones in a verb, an adjective or の: in any hiragana
         * but を, が and に */
        if (before != 0x7684 && (before < 0x3041 || before > 0x3096 || before == 0x3092 ||
                                 before == 0x304C || before == 0x306B))
            continue;
        n = past_articles(id, t, i, any_nature_at, &to);
        if (n)
            return to + n - at;
    }
    return 0;
}

/* The length of "I am" or 我其实是 at t[at]; 0 if there is none. */
static size_t head_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t n = list_at(t->folded, at, &id->heads, NULL), to;

    if (n)
        return n;
    n = list_at(t->folded, at, &id->subjects, NULL);
    if (n == 0)
        return 0;
    to = skip_all(t->folded, at + n, &id->adverbs);
    n = list_at(t->folded, to, &id->copulas, NULL);
    return n ? to + n - at : 0;
}

enum { NAME_MAX = 24 }; /* runes of the name in "I am Hob, a language model" */

/* The length of "Hob, a language model" at t[at]; 0 if there is none. */
static size_t apposition_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t i = at + 1, to, n;
    bool article;

    while (i < t->folded.n && i < at + NAME_MAX && !ends_at(t, i))
        i++;
    if (i >= t->folded.n || !ends_at(t, i))
        return 0;
    i = past_space(t->folded, i);
    article = list_at(t->folded, i, &id->articles, NULL) > 0;
    n = past_articles(id, t, i, nature_at, &to);
    if (n == 0)
        return 0;
    i = past_space(t->folded, to + n);
    if (article ? !ends_at(t, to + n) && !list_at(t->folded, i, &id->after, NULL)
                : !list_at(t->folded, i, &id->endings, NULL))
        return 0;
    return to + n - at;
}

static struct hit self_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t head = head_at(id, t, at), to, n;

    if (head) {
        to = past_space(t->folded, at + head);
        n = described_at(id, t, to);
        if (n)
            return (struct hit){"self", at, to + n - at};
    }
    head = list_at(t->folded, at, &id->self_heads, NULL);
    if (head) {
        to = past_space(t->folded, at + head);
        n = apposition_at(id, t, to);
        if (n)
            return (struct hit){"self", at, to + n - at};
    }
    head = list_at(t->folded, at, &id->as_heads, NULL);
    if (head) {
        n = past_articles(id, t, past_space(t->folded, at + head), nature_at, &to);
        return (struct hit){"self", at, n ? to + n - at : 0};
    }
    n = nature_at(id, t, at); /* AIとして */
    to = list_at(t->folded, at + n, &id->tails, NULL);
    return (struct hit){"self", at, n && to ? n + to : 0};
}

/* What only a program says about itself. */
static struct hit phrase_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t n = list_at(t->folded, at, &id->phrases, NULL), to;

    if (n == 0) {
        n = list_at(t->folded, at, &id->trained, NULL);
        to = skip_all(t->folded, past_space(t->folded, at + n), &id->amounts);
        n = n ? list_at(t->folded, to, &id->corpora, NULL) : 0;
        n = n ? to + n - at : 0;
    }
    return (struct hit){"self", at, n && is_card_of_machine(id, t) ? 0 : n};
}

static struct hit self_name_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    struct runes which = {0};
    size_t n = list_at(t->folded, at, &id->self_heads, &which);
    size_t to = past_space(t->folded, at + n);

    n = n ? list_at(t->folded, to, &id->self_names, &which) : 0;
    if (n == 0 || is_excepted(id, which) || word_in(t->card, which))
        return (struct hit){0};
    return (struct hit){"name", at, to + n - at};
}

static struct hit name_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    struct runes which = {0};
    size_t n = list_at(t->folded, at, &id->names, &which);

    if (n == 0 || is_excepted(id, which) || word_in(t->card, which) || word_in(t->said, which))
        return (struct hit){0};
    return (struct hit){"name", at, n};
}

/* ---- whose words they are ---- */

static bool ends_sentence(uint32_t r)
{
    return r == '.' || r == '!' || r == '?' || r == ';' || r == '\n' || r == 0x3002 ||
           r == 0xFF01 || r == 0xFF1F || r == 0x2026;
}

/* What was found around the previous place. Places come in the order of the text, and one sentence
 * may have very many of them: it must not be read again for each. */
struct around {
    size_t from, to; /* places for which `asked` holds */
    bool asked;      /* their sentence ends with a question mark */
    size_t place, open;
    size_t after, until, close;
};

static bool is_within(size_t place, size_t from, size_t to)
{
    return place >= from && place < to;
}

/* True if the sentence that contains `part` ends with a question mark. */
static bool is_asked(struct around *x, struct str text, struct str part)
{
    size_t place = (size_t)(part.p + part.n - text.p);
    struct str rest = str_from(text, place);

    if (is_within(place, x->from, x->to))
        return x->asked;
    x->from = place;
    x->to = text.n + 1;
    x->asked = false;
    while (rest.n) {
        size_t at = (size_t)(rest.p - text.p);
        uint32_t r = utf8_next(&rest);
        x->asked = r == '?' || r == 0xFF1F;
        if (x->asked || ends_sentence(r)) {
            x->to = at + 1;
            break;
        }
    }
    return x->asked;
}

static bool is_torn(struct str part)
{
    while (part.n)
        if (ends_sentence(utf8_next(&part)))
            return true;
    return false;
}

enum { WINDOW = 28 }; /* folded runes before or around the words that may say who speaks */

/* Folded runes [from, to). */
static struct runes slice(struct runes t, size_t from, size_t to)
{
    return (struct runes){t.p + from, t.at + from, to - from};
}

/* True if the same sentence says before it that others say it, or that it is only supposed. */
static bool is_reported(const struct identity *id, const struct identity_text *t, size_t at)
{
    size_t from = at;

    while (from > 0 && at - from < WINDOW) {
        struct str step = fold_source(t->text, t->folded, from - 1, 2 - (from == t->folded.n));
        if (is_torn(step))
            break;
        from--;
    }
    return has_any(slice(t->folded, from, at), &id->reporters);
}

/* Index of the first folded rune at or after this place of the text. */
static size_t rune_at(const struct identity_text *t, size_t place)
{
    size_t lo = 0, hi = t->folded.n;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (t->folded.at[mid] < place)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool is_open_quote(uint32_t r)
{
    return r == 0x201C || r == 0x300C || r == 0x300E;
}

static bool is_close_quote(uint32_t r)
{
    return r == 0x201D || r == 0x300D || r == 0x300F;
}

/* The quotation around `part`, within its paragraph: SIZE_MAX when it stands in none. */
static size_t quote_before(struct around *x, struct str text, size_t place)
{
    bool on = x->place && place >= x->place;
    size_t from = on ? x->place : 0, open = on ? x->open : SIZE_MAX, at;
    struct str rest = {text.p + from, place - from};

    while (rest.n) {
        uint32_t r;
        at = (size_t)(rest.p - text.p);
        r = utf8_next(&rest);
        if (r == '\n' || is_close_quote(r) || (r == '"' && open != SIZE_MAX))
            open = SIZE_MAX;
        else if (r == '"' || is_open_quote(r))
            open = at;
    }
    x->place = place;
    x->open = open;
    return open;
}

static size_t quote_after(struct around *x, struct str text, size_t place)
{
    struct str rest = str_from(text, place);

    if (is_within(place, x->after, x->until))
        return x->close;
    x->after = place;
    x->until = text.n + 1;
    x->close = SIZE_MAX;
    while (rest.n) {
        size_t at = (size_t)(rest.p - text.p);
        uint32_t r = utf8_next(&rest);
        if (r != '"' && !is_close_quote(r) && r != '\n')
            continue;
        x->until = at + 1;
        x->close = r == '\n' ? SIZE_MAX : (size_t)(rest.p - text.p);
        break;
    }
    return x->close;
}

/* True if it stands between quotation marks and somebody else says it. */
static bool is_quoted(const struct identity *id, const struct identity_text *t, struct around *x,
                      struct str part)
{
    size_t place = (size_t)(part.p - t->text.p), open = quote_before(x, t->text, place), from, to;
    size_t close = quote_after(x, t->text, place + part.n);
    struct runes before, behind;

    if (open == SIZE_MAX || close == SIZE_MAX)
        return false;
    to = rune_at(t, open);
    from = to > WINDOW ? to - WINDOW : 0;
    before = slice(t->folded, from, to);
    from = rune_at(t, close);
    to = from + WINDOW < t->folded.n ? from + WINDOW : t->folded.n;
    behind = slice(t->folded, from, to);
    if (has_any(before, &id->own_speakers) || has_any(behind, &id->own_speakers))
        return false;
    return has_any(before, &id->speakers) || has_any(behind, &id->speakers);
}

/* True if it is no confession: it is asked, reported or quoted, or spans two sentences. */
static bool is_excused(const struct identity *id, const struct identity_text *t, struct around *x,
                       struct hit hit, struct str part)
{
    return is_asked(x, t->text, part) || is_torn(part) || is_quoted(id, t, x, part) ||
           (strcmp(hit.why, "self") == 0 && is_reported(id, t, hit.at));
}

/* True in the middle of a Latin word, where no listed word can begin. */
static bool is_inside(struct runes t, size_t at)
{
    return at > 0 && word_is_latin(t.p[at]) && word_is_latin(t.p[at - 1]);
}

struct identity_fault identity_find(const struct identity *id, const struct identity_text *t)
{
    static struct hit (*const looks[])(const struct identity *, const struct identity_text *,
                                       size_t) = {self_at, phrase_at, self_name_at, name_at};
    struct around x = {0};

    for (size_t at = 0; at < t->folded.n; at++) {
        if (!id->begins[t->folded.p[at] & 255] || is_inside(t->folded, at))
            continue;
        for (size_t i = 0; i < COUNT(looks); i++) {
            struct hit hit = looks[i](id, t, at);
            struct str part;
            if (hit.n == 0)
                continue;
            part = fold_source(t->text, t->folded, hit.at, hit.n);
            if (!is_excused(id, t, &x, hit, part))
                return (struct identity_fault){hit.why, part};
        }
    }
    return (struct identity_fault){0};
}
