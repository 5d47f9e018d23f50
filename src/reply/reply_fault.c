#include "reply/reply_fault.h"

enum { FOUND_MAX = 40 }; /* code points of the judge's text that a fault repeats */

enum tongue { ENGLISH, CHINESE, JAPANESE, TONGUES };

/* @d: the dimension, @f: what was found, @a: what is allowed. */
static const struct {
    const char *kind;
    const char *text[TONGUES];
} faults[] = {
    [FAULT_NONE] = {"", {"", "", ""}},
    [FAULT_EMPTY] = {"empty", {"the reply is empty", "回复是空的", "返答が空です"}},
    [FAULT_LONG] = {"too-long",
                    {"the reply is too long: more than @a bytes", "回复过长：超过 @a 字节",
                     "返答が長すぎます：@a バイトを超えています"}},
    [FAULT_NO_JSON] = {"no-json",
                       {"the reply holds no JSON object that scores @a",
                        "回复中没有为 @a 打分的 JSON 对象",
                        "返答に @a を採点した JSON オブジェクトがありません"}},
    [FAULT_CUT] = {"cut",
                   {"the reply ends before its JSON object does", "回复在 JSON 对象结束之前中断了",
                    "JSON オブジェクトが閉じる前に返答が途切れています"}},
    [FAULT_BROKEN] = {"broken",
                      {"the JSON object cannot be read from here on: '@f'",
                       "JSON 对象从此处起无法解析：“@f”",
                       "JSON オブジェクトをここから先、解釈できません：「@f」"}},
    [FAULT_DOUBLED] = {"doubled",
                       {"'@f' is given more than once; every dimension is scored exactly once",
                        "“@f”重复出现；每个维度只能打一次分",
                        "「@f」が重複しています。各観点の採点は一度だけです"}},
    [FAULT_MISSING] = {"missing",
                       {"dimension '@d' has no score; allowed is @a",
                        "维度“@d”没有分数；允许的取值：@a",
                        "観点「@d」に点数がありません。使える値：@a"}},
    [FAULT_EXTRA] = {"extra",
                     {"'@f' is not a dimension; score only @a", "“@f”不是评分维度；只能为 @a 打分",
                      "「@f」は採点の観点ではありません。採点するのは @a だけです"}},
    [FAULT_NUMBER] = {"not-a-number",
                      {"dimension '@d': '@f' is not a number; allowed is @a",
                       "维度“@d”：“@f”不是数字；允许的取值：@a",
                       "観点「@d」：「@f」は数値ではありません。使える値：@a"}},
    [FAULT_RANGE] = {"range",
                     {"dimension '@d': @f is out of range; allowed is @a",
                      "维度“@d”：@f 超出范围；允许的取值：@a",
                      "観点「@d」：@f は範囲外です。使える値：@a"}},
    [FAULT_WHOLE] = {"fractional",
                     {"dimension '@d': @f is not a whole number; allowed is @a",
                      "维度“@d”：@f 不是整数；允许的取值：@a",
                      "観点「@d」：@f は整数ではありません。使える値：@a"}},
    [FAULT_LEVEL] = {"level",
                     {"dimension '@d': @f is not one of @a", "维度“@d”：@f 不是允许的取值之一：@a",
                      "観点「@d」：@f は使える値（@a）のどれでもありません"}},
    [FAULT_UNQUOTED] =
        {"unquoted",
         {"dimension '@d' quotes no answer; every score needs words of an answer "
          "and the number of their turn",
          "维度“@d”没有引用回答；每个分数都要引用回答中的原话并注明其编号",
          "観点「@d」に回答の引用がありません。どの点数にも、回答の言葉とその番号が要りま"
          "す"}},
    [FAULT_MISQUOTED] =
        {"misquoted",
         {"dimension '@d': '@f' does not stand in the turn that it names; quote an "
          "answer word for word, with the number of its turn",
          "维度“@d”：“@f”在所注编号的话中找不到；请一字不差地引用回答，并注明其编号",
          "観点「@d」：「@f」は、示された番号の発言に見つかりません。回答を一字も変えず"
          "に、その番号とともに引用してください"}},
    [FAULT_NO_VERDICT] = {"no-verdict",
                          {"the reply does not say which answer is better; \"winner\" is one of @a",
                           "回复没有说明哪个回答更好；“winner”只能是 @a 之一",
                           "どちらの回答が優れているかが示されていません。\"winner\" は @a "
                           "のいずれかです"}},
    [FAULT_VERDICTS] = {"two-verdicts",
                        {"the reply gives verdicts that differ; exactly one of @a is wanted",
                         "回复给出了互相矛盾的判断；只能从 @a 中选一个",
                         "食い違う判定が書かれています。@a から一つだけ選びます"}},
    [FAULT_CHOICE] = {"choice",
                      {"'@f' is not one of @a", "“@f”不是 @a 之一",
                       "「@f」は @a のどれでもありません"}},
    [FAULT_CHARACTER] = {"other-character",
                         {"the reply is about '@f', and the answers are those of '@d'",
                          "回复谈论的是“@f”，而要评判的是“@d”的回答",
                          "「@f」について述べていますが、評価するのは「@d」の回答です"}},
};

static enum tongue tongue_of(const char *language)
{
    struct str l = str_of(language);

    return str_starts(l, STR("zh")) ? CHINESE : str_starts(l, STR("ja")) ? JAPANESE : ENGLISH;
}

/* Controls, and the marks that reorder or hide what is printed after them. */
static bool is_unprintable(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
           c == 0x61C;
}

static void add_found(struct buf *b, struct str found)
{
    struct str head = utf8_head(found, FOUND_MAX);
    bool cut = head.n < found.n;

    while (head.n) {
        uint32_t c = utf8_next(&head);
        buf_rune(b, is_unprintable(c) ? ' ' : c);
    }
    if (cut)
        buf_text(b, "…");
}

const char *reply_fault_kind(enum fault f)
{
    return faults[f].kind;
}

const char *reply_fault_text(struct arena *a, enum fault f, struct fault_words w,
                             const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);

    for (const char *p = faults[f].text[tongue_of(language)]; *p; p++) {
        if (*p != '@') {
            buf_char(&b, *p);
            continue;
        }
        p++;
        if (*p == 'f')
            add_found(&b, w.found);
        else
            buf_add(&b, *p == 'd' ? w.dimension : w.allowed);
    }
    return arena_text(a, buf_str(&b));
}

struct str reply_fault_list(struct arena *a, const struct str *v, size_t n, const char *language)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);

    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_text(&b, tongue_of(language) == ENGLISH ? ", " : "、");
        buf_add(&b, v[i]);
    }
    return arena_str(a, buf_str(&b));
}

struct str reply_fault_span(struct arena *a, double min, double max, bool whole,
                            const char *language)
{
    switch (tongue_of(language)) {
    case CHINESE:
        return str_of(arena_printf(a, "%g 到 %g 的%s", min, max, whole ? "整数" : "数"));
    case JAPANESE:
        return str_of(arena_printf(a, "%g から %g までの%s", min, max, whole ? "整数" : "数"));
    case ENGLISH:
    case TONGUES:
        break;
    }
    return str_of(arena_printf(a, "a %snumber from %g to %g", whole ? "whole " : "", min, max));
}
