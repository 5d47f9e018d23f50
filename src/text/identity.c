#include "text/identity.h"

#include "text/word.h"

/* clang-format off */

/* "I am", up to the article where a language has one. */
static const char *const heads[] = {
    "as an", "as a", "as your", "i am an", "i am a", "i am just an", "i am just a", "i am only an", "i am only a",
    "i'm an", "i'm a", "i'm just an", "i'm just a", "i'm only an", "i'm only a", "i'm actually an", "i am actually an",
    "being an", "i am your", "i'm your",
    "作为", "身为", "我是", "我只是", "我就是", "我其实是", "我毕竟是", "我不过是", "作為", "身為", "我其實是",
    "私は", "わたしは", "わたくしは", "あたしは", "僕は", "ぼくは", "俺は", "自分は", NULL,
};
static const char *const articles[] = {
    "一个", "一名", "一款", "一位", "一种", "个", "一個", "一種", "ただの", "単なる", "一介の", "所詮", NULL,
};
/* What one may be without a language model: no leak where the card speaks of machines. */
static const char *const machines[] = {
    "ai", "artificial intelligence", "chatbot", "chat bot", "virtual assistant", "人工智能", "人工智慧", "聊天机器人", "聊天機器人",
    "虚拟助手", "智能助手", "人工知能", "チャットボット", NULL,
};
static const char *const models[] = {
    "language model", "large language model", "ai language model", "llm", "语言模型", "大语言模型", "大型语言模型", "大模型",
    "語言模型", "大型語言模型", "言語モデル", "大規模言語モデル", NULL,
};
/* Japanese says it behind the word. */
static const char *const tails[] = {"として", "なので", "ですので", "ですから", "だから", NULL};
/* Who works with machines is none; and Japanese denies behind the word. */
static const char *const others[] = {
    "researcher", "engineer", "developer", "scientist", "expert", "specialist", "student", "professor", "company", "startup",
    "artist", "enthusiast", "lab", "skeptic", "研究", "工程", "专家", "專家", "开发", "開發", "公司", "从业", "爱好", "画师", "行业", "领域",
    "训练师", "产品", "科学家", "技術者", "開発", "企業", "絵師", "ではな", "ではあり", "じゃな", "じゃあり", "でもな", "とは違", "を", "が", NULL,
};
/* A card with one of these speaks of a machine. */
static const char *const machine_cards[] = {
    "ai", "artificial intelligence", "robot", "android", "cyborg", "chatbot", "hologram", "人工智能", "人工智慧", "机器人", "機器人", "仿生人",
    "虚拟主播", "虚拟偶像", "虚拟人", "虛擬主播", "数字生命", "智能助手", "人工知能", "ロボット", "アンドロイド", "バーチャル", NULL,
};
static const char *const names[] = {
    "chatgpt", "openai", "gpt-3", "gpt-3.5", "gpt-4", "gpt-4o", "gpt-5", "anthropic", "deepseek", "qwen", "chatglm", "mistral ai",
    "moonshot ai", "google deepmind", "通义千问", "文心一言", "智谱清言", "讯飞星火", "腾讯混元", "月之暗面", "深度求索", "百川智能",
    "零一万物", "阶跃星辰", NULL,
};
/* Names that are words or first names too: only behind "I am". */
static const char *const self_names[] = {"claude", "gemini", "llama", "kimi", "grok", "bard", "copilot", "豆包", "混元", "文心", "クロード", NULL};
static const char *const self_heads[] = {
    "i am", "i'm", "my name is", "this is", "call me", "我是", "我叫", "我的名字是", "私は", "わたしは", "僕は", "名前は", NULL,
};
/* clang-format on */

struct list {
    struct runes *v;
    size_t n;
    bool begins[256]; /* some word begins with a rune that ends so */
};

struct identity {
    struct list heads, articles, machines, models, tails, others, machine_cards, names, self_names,
        self_heads, except;
    bool begins[256]; /* of all lists that a fault can begin with */
};

/* ---- folded words ---- */

static void note_words(struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].n)
            l->begins[l->v[i].p[0] & 255] = true;
}

static struct list fold_list(struct arena *a, const char *const *words)
{
    struct list l = {0};

    while (words[l.n])
        l.n++;
    l.v = NEW_N(a, struct runes, l.n);
    for (size_t i = 0; i < l.n; i++)
        l.v[i] = fold_text(a, str_of(words[i]));
    note_words(&l);
    return l;
}

static struct list fold_views(struct arena *a, const struct str *words, size_t n)
{
    struct list l = {.v = NEW_N(a, struct runes, n), .n = n};

    for (size_t i = 0; i < n; i++)
        l.v[i] = fold_text(a, words[i]);
    note_words(&l);
    return l;
}

static void add_list(struct arena *a, struct list *to, struct list more)
{
    struct runes *v = NEW_N(a, struct runes, to->n + more.n);

    for (size_t i = 0; i < to->n + more.n; i++)
        v[i] = i < to->n ? to->v[i] : more.v[i - to->n];
    *to = (struct list){.v = v, .n = to->n + more.n};
    note_words(to);
}

static void note_begins(struct identity *id, const struct list *l)
{
    for (size_t i = 0; i < COUNT(id->begins); i++)
        id->begins[i] |= l->begins[i];
}

struct identity *identity_new(struct arena *a, const struct identity_words *words)
{
    struct identity *id = NEW(a, struct identity);

    *id = (struct identity){
        .heads = fold_list(a, heads),
        .articles = fold_list(a, articles),
        .machines = fold_list(a, machines),
        .models = fold_list(a, models),
        .tails = fold_list(a, tails),
        .others = fold_list(a, others),
        .machine_cards = fold_list(a, machine_cards),
        .names = fold_list(a, names),
        .self_names = fold_list(a, self_names),
        .self_heads = fold_list(a, self_heads),
        .except = fold_views(a, words->except, words->nexcept),
    };
    add_list(a, &id->names, fold_views(a, words->also, words->nalso));
    note_begins(id, &id->heads);
    note_begins(id, &id->self_heads);
    note_begins(id, &id->machines);
    note_begins(id, &id->models);
    note_begins(id, &id->names);
    return id;
}

/* ---- matching ---- */

/* The longest of the list at t[at]: its runes, and which one it is. */
static size_t list_at(struct runes t, size_t at, const struct list *l, struct runes *which)
{
    size_t best = 0;

    if (at >= t.n || !l->begins[t.p[at] & 255])
        return 0;
    for (size_t i = 0; i < l->n; i++) {
        size_t n = word_at(t, at, l->v[i]);
        if (n > best) {
            best = n;
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

/* A stretch of folded runes that gives something away; n is 0 when it does not. */
struct hit {
    const char *why;
    size_t at, n;
};

/* What one is said to be at t[at]: runes of it, when the card does not say so too. */
static size_t nature_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    struct runes which = {0}, ignored;
    size_t model = list_at(t->folded, at, &id->models, &which), n = model;

    if (n == 0)
        n = list_at(t->folded, at, &id->machines, &which);
    if (n == 0 || is_excepted(id, which))
        return 0;
    if (list_at(t->folded, past_space(t->folded, at + n), &id->others, &ignored))
        return 0;
    return has_any(t->card, model ? &id->models : &id->machine_cards) ? 0 : n;
}

static struct hit self_at(const struct identity *id, const struct identity_text *t, size_t at)
{
    struct runes which;
    size_t to = at, n = list_at(t->folded, at, &id->heads, &which);

    if (n == 0) { /* AIとして */
        n = nature_at(id, t, at);
        to = list_at(t->folded, at + n, &id->tails, &which);
        return (struct hit){"self", at, n && to ? n + to : 0};
    }
    to = past_space(t->folded, at + n);
    to = past_space(t->folded, to + list_at(t->folded, to, &id->articles, &which));
    n = nature_at(id, t, to);
    return (struct hit){"self", at, n ? to + n - at : 0};
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

/* The sentence that `part` stands in ends with a question mark. */
static bool is_asked(struct str text, struct str part)
{
    struct str rest = str_from(text, (size_t)(part.p + part.n - text.p));

    while (rest.n) {
        uint32_t r = utf8_next(&rest);
        if (r == '?' || r == 0xFF1F)
            return true;
        if (r == '.' || r == '!' || r == '\n' || r == 0x3002 || r == 0xFF01 || r == 0x2026)
            return false;
    }
    return false;
}

/* In the middle of a Latin word, where none of ours begins. */
static bool is_inside(struct runes t, size_t at)
{
    return at > 0 && word_is_latin(t.p[at]) && word_is_latin(t.p[at - 1]);
}

struct identity_fault identity_find(const struct identity *id, const struct identity_text *t)
{
    static struct hit (*const looks[])(const struct identity *, const struct identity_text *,
                                       size_t) = {self_at, self_name_at, name_at};

    for (size_t at = 0; at < t->folded.n; at++) {
        if (!id->begins[t->folded.p[at] & 255] || is_inside(t->folded, at))
            continue;
        for (size_t i = 0; i < COUNT(looks); i++) {
            struct hit hit = looks[i](id, t, at);
            struct str part;
            if (hit.n == 0)
                continue;
            part = fold_source(t->text, t->folded, hit.at, hit.n);
            if (!is_asked(t->text, part))
                return (struct identity_fault){hit.why, part};
        }
    }
    return (struct identity_fault){0};
}
