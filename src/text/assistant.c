#include "text/assistant.h"

#include "text/word.h"

/* clang-format off */
static const char *const services[] = {
    "how can i help you today", "how can i assist you", "how may i assist you", "is there anything else i can help",
    "is there anything else you'd like to know", "is there anything else you would like to know",
    "feel free to ask", "let me know if you have any other questions", "let me know if you have any questions",
    "let me know if you'd like", "let me know if you would like", "i hope this helps", "i hope that helps",
    "here are some tips", "here's a step-by-step", "here is a step-by-step", "in conclusion it is important",
    "很高兴为您服务", "很高兴为你服务", "有什么可以帮您", "有什么可以帮你", "还有什么可以帮", "如有其他问题", "如果您有任何问题", "如果你有任何问题",
    "希望以上信息", "希望这些信息", "希望对您有所帮助", "希望对你有所帮助", "请随时告诉我", "请随时提问", "以下是一些建议",
    "お手伝いできることはありますか", "何かお手伝い", "他にご質問", "ほかにご質問", "お気軽にご質問", "お気軽にお尋ね", "お気軽にお申し付け", "ご不明な点がございましたら",
    "お役に立てれば幸い", "以下にまとめました", NULL,
};
static const char *const refusals[] = {
    "i can't assist with", "i cannot assist with", "i can't help with that", "i cannot help with that", "i'm sorry but i can't",
    "i'm sorry but i cannot", "i am sorry but i cannot", "i am sorry but i can't", "i'm not able to help with", "i am not able to help with",
    "i'm unable to provide", "i am unable to provide", "i cannot provide", "i can't provide", "i'm not able to role-play",
    "i can't role-play", "i cannot role-play", "continue this role-play", "continue the role-play", "step out of character",
    "stepping out of character", "out of character for a moment", "against my guidelines", "my guidelines", "content policy", "usage policies",
    "我无法提供", "我不能提供", "抱歉我无法", "抱歉我不能", "对不起我无法", "对不起我不能", "无法协助您", "无法协助你", "无法满足您的请求", "无法满足你的请求",
    "不能继续扮演", "无法继续扮演", "无法进行角色扮演", "不能进行角色扮演", "跳出角色", "使用政策", "内容政策", "安全准则",
    "お手伝いすることはできません", "お手伝いできません", "お答えすることはできません", "ご要望にはお応えできません", "ご要望にお応えできません", "対応いたしかねます",
    "ロールプレイを続けること", "ロールプレイはできません", "役から離れ", "役を離れ", "ガイドラインに反", "利用規約", "コンテンツポリシー", NULL,
};
/* clang-format on */

struct phrases {
    struct runes *v;
    size_t n;
};

struct assistant {
    struct phrases services, refusals;
};

static struct phrases fold_all(struct arena *a, const char *const *words)
{
    struct phrases p = {0};

    while (words[p.n])
        p.n++;
    p.v = NEW_N(a, struct runes, p.n);
    for (size_t i = 0; i < p.n; i++)
        p.v[i] = fold_text(a, str_of(words[i]));
    return p;
}

struct assistant *assistant_new(struct arena *a)
{
    struct assistant *p = NEW(a, struct assistant);

    *p = (struct assistant){fold_all(a, services), fold_all(a, refusals)};
    return p;
}

/* The phrase that occurs first in the text; empty if none does. */
static struct str first_of(const struct phrases *p, struct str text, struct runes folded)
{
    struct str first = STR("");

    for (size_t i = 0; i < p->n; i++) {
        struct str part = word_find(text, folded, p->v[i]);
        if (part.n && (first.n == 0 || part.p < first.p))
            first = part;
    }
    return first;
}

struct str assistant_serves(const struct assistant *p, struct str text, struct runes folded)
{
    return first_of(&p->services, text, folded);
}

struct str assistant_refuses(const struct assistant *p, struct str text, struct runes folded)
{
    return first_of(&p->refusals, text, folded);
}
