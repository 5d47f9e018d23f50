/* What reports say about flags. */
#include "report/words.h"

struct said {
    const char *word;
    const char *in[3]; /* English, Chinese, Japanese */
};

/* clang-format off */
static const struct said kinds[] = {
    {"duplicate",     {"duplicate", "重复", "重複"}},
    {"training",      {"in the training set", "见于训练集", "学習データにある"}},
    {"training-near", {"near the training set", "与训练集相近", "学習データに近い"}},
    {"leak",          {"equals the reference", "与参考答案相同", "参照と同じ"}},
    {"markup",        {"not plain text", "非纯文本", "平文でない"}},
    {"malformed",     {"malformed", "格式错乱", "壊れた出力"}},
    {"truncated",     {"cut off", "被截断", "途中で切れた"}},
    {"language",      {"another language", "语言不符", "別の言語"}},
    {"identity",      {"gives itself away", "暴露身份", "正体の露呈"}},
    {"empty",         {"no answer", "没有回答", "回答なし"}},
};

static const struct said others[] = {
    {"duplicate",     {"earlier answer", "先前的回答", "以前の回答"}},
    {"training",      {"training line", "训练语料", "学習データの行"}},
    {"training-near", {"training line", "训练语料", "学習データの行"}},
    {"leak",          {"reference", "参考答案", "参照"}},
};

static const struct said values[] = {
    {"language", {"share of its own letters", "本语言文字占比", "その言語の文字の割合"}},
};

static const struct said whys[] = {
    {"exact",       {"word for word", "逐字相同", "一字一句同じ"}},
    {"particles",   {"equal but for particles", "仅语气词不同", "語尾以外は同じ"}},
    {"near",        {"nearly the same", "高度相似", "ほぼ同じ"}},
    {"tag",         {"a tag", "含标签", "タグ"}},
    {"label",       {"a label before the answer", "回答前有标注", "回答の前の見出し語"}},
    {"class",       {"it classifies itself", "自带分类", "自らを分類している"}},
    {"heading",     {"a heading", "含标题", "見出し"}},
    {"list",        {"a list", "含列表", "箇条書き"}},
    {"table",       {"a table", "含表格", "表"}},
    {"fence",       {"a code block", "含代码块", "コードブロック"}},
    {"json",        {"JSON", "JSON", "JSON"}},
    {"replacement", {"characters were lost", "有字符丢失", "文字が失われている"}},
    {"control",     {"control characters", "含控制字符", "制御文字"}},
    {"repetition",  {"it repeats itself without end", "无休止地重复", "際限なく繰り返す"}},
    {"signs",       {"nothing but signs", "只有符号", "記号だけ"}},
    {"unclosed",    {"something is never closed", "结构未闭合", "閉じられていない"}},
    {"cut",         {"it stops in the middle", "话未说完", "途中で終わる"}},
    {"length",      {"the limit of tokens was reached", "达到词元上限", "トークンの上限に達した"}},
    {"script",      {"mostly in another script", "多为其他文字", "大半が別の文字"}},
    {"japanese",    {"it is Japanese", "是日语", "日本語である"}},
    {"chinese",     {"it is Chinese", "是中文", "中国語である"}},
    {"self",        {"it speaks as a program", "自称程序", "プログラムとして話す"}},
    {"name",        {"it names a model or its maker", "提及模型或厂商", "モデルや開発元の名"}},
};

static const char *const zero[3] = {
    "An answer that is flagged \"%s\" counts as 0, unless a person has overruled that.",
    "被标记为“%s”的回答按 0 分计，除非有人推翻了这一认定。",
    "「%s」と注記された回答は、人が取り消さないかぎり 0 点と数えます。",
};
static const char *const cap[3] = {
    "An answer that is flagged \"%s\" counts at most %s, unless a person has overruled that.",
    "被标记为“%s”的回答最多计 %s 分，除非有人推翻了这一认定。",
    "「%s」と注記された回答は、人が取り消さないかぎり最大 %s 点と数えます。",
};
static const char *const silence[3] = {
    "One exception: an answer that stayed empty counts as 0 in this suite, unless a person has overruled that.",
    "唯一的例外：在本测试集中，始终空白的回答按 0 分计，除非有人推翻了这一认定。",
    "例外が一つあります。このスイートでは、空のままだった回答は、人が取り消さないかぎり 0 点と数えます。",
};
/* clang-format on */

static const char *find(const struct said *v, size_t n, const char *language, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i].word, word) == 0)
            return words_one(language, v[i].in);
    return NULL;
}

const char *words_flag(const char *language, const char *kind)
{
    const char *text = find(kinds, COUNT(kinds), language, kind);

    return text ? text : kind;
}

const char *words_flag_other(const char *language, const char *kind)
{
    const char *text = find(others, COUNT(others), language, kind);

    return text ? text : words_of(language, WORD_OTHER);
}

const char *words_flag_why(const char *language, const char *why)
{
    const char *text = find(whys, COUNT(whys), language, why);

    return text ? text : why;
}

const char *words_flag_value(const char *language, const char *kind)
{
    const char *text = find(values, COUNT(values), language, kind);

    return text ? text : words_of(language, WORD_SIMILARITY);
}

/* `text` with its first %s replaced. */
static const char *filled(struct arena *a, const char *text, const char *value)
{
    size_t at = str_find(str_of(text), STR("%s"));

    return arena_printf(a, "%.*s%s%s", (int)at, text, value, text + at + 2);
}

const char *words_flag_effect(struct arena *a, const struct suite *s, enum rule_kind kind)
{
    const struct rule *rule = &s->rules.of[kind];
    const char *name = words_flag(s->language, vocab_rule_name(kind));

    if (!rule->on || rule->effect == EFFECT_NOTE)
        return NULL;
    if (kind == RULE_EMPTY)
        return words_one(s->language, silence);
    if (rule->effect == EFFECT_ZERO)
        return filled(a, words_one(s->language, zero), name);
    return filled(a, filled(a, words_one(s->language, cap), name),
                  arena_printf(a, "%g", rule->cap));
}
