#include "reply/reply_own.h"

/* Lower case is made once, since a long reply is searched for a hundred words. */
static bool holds_any(struct str text, const char *const *words)
{
    AUTO(buf_done) struct buf low = BUF_MAX(text.n);

    for (size_t i = 0; i < text.n; i++)
        buf_char(&low, str_lower(text.p[i]));
    return str_any(buf_str(&low), str_holds, words);
}

/* The length of the word that the text starts with; 0: none of them. */
static size_t starts_any(struct str text, const char *const *words)
{
    for (; *words; words++)
        if (str_starts_nocase(text, str_of(*words)))
            return strlen(*words);
    return 0;
}

/* ---- words, in lower case ---- */

/* Whoever begins so does not score. */
static const char *const sorry[] = {
    "i’m sorry", "i'm sorry",   "i am sorry", "sorry",      "i cannot", "i can't",
    "i can’t",   "i am unable", "i'm unable", "i’m unable", "i won't",  "i won’t",
    "i refuse",  "i decline",   "我无法",     "我不能",     "我拒绝",   "抱歉",
    "很抱歉",    "对不起",      "申し訳",     "すみません", NULL};

/* clang-format off */
/* Nor does whoever says so anywhere. */
static const char *const refusals[] = {
    "cannot score", "cannot rate", "cannot judge", "cannot evaluate", "cannot give",
    "cannot assign", "can't score", "can't rate", "can't judge", "can't evaluate", "can't give",
    "can’t score", "can’t rate", "can’t give", "unable to score", "unable to rate",
    "unable to judge", "unable to evaluate", "i refuse", "i decline", "i must decline",
    "will not score", "will not rate", "will not give", "won't score", "won't rate",
    "won't give", "won’t score", "won’t give", "not be scored", "refuse to score",
    "refuse to rate", "no verdict from me",
    "我拒绝", "拒绝评分", "不予评分", "无法评分", "不能评分", "不会评分", "不给分", "拒绝打分",
    "无法打分", "採点できません", "採点しません", "採点いたしません", "採点をお断り",
    "評価できません", "評価しません", "採点を控え", "拒否します", NULL,
};

/* Talk of a verdict that somebody else wanted to be believed, in the lines around it. */
static const char *const tampering[] = {
    "pass this off", "pass off", "passing off", "passed off", "inject", "forged", "forgery",
    "fake", "smuggl", "to trick", "to fool", "manipulat", "tamper", "planted", "not my",
    "isn't my", "isn’t my", "not mine", "prefilled", "pre-filled",
    "注入", "伪造", "冒充", "诱导", "操纵", "骗", "夹带", "植入", "不是我的", "并非我的", "偽",
    "埋め込", "なりすま", "騙", "仕込", "誘導", "私の採点では", NULL,
};

/* What somebody else says, in the words that lead to an object. */
static const char *const attributions[] = {
    "says", "said", "wrote", "writes", "is written", "was written", "written in", "written by",
    "claim", "state", "contain", "includ", "ends with", "ending", "begins with", "asks",
    "asked", "want", "demand", "instruct", "tells me", "told me", "tried", "tries", "trying",
    "attempt", "quote", "according to", "itself", "its own", "their own", "himself", "herself",
    "answer's", "answer’s", "candidate's", "candidate’s", "model's", "model’s", "response's",
    "response’s", "reply's", "character's", "in the answer", "in the text", "in the reply",
    "in the response", "from the answer", "from the text", "by the answer", "by the model",
    "by the candidate", "suggest", "propos", "desired", "expected", "example", "such as",
    "写", "声称", "要求", "让我", "试图", "想让", "自称", "自评", "自己给", "给自己", "包含",
    "里有", "出现", "引用", "原文", "说", "例如", "と書", "書か", "書い", "要求", "主張",
    "含ま", "求め", "末尾", "文中", "本文中", "引用", "という", "と言", "自分で", "自己評価",
    "例えば", "要望", "提出", NULL,
};

/* What a judge was told to do, or an answer ought to be: nobody's words. */
static const char *const orders[] = {
    "要求，", "按要求", "按照要求", "根据要求", "要求された形式", "求められた形式", "ご要望",
    "as instructed", "as asked", "following the instructions", "following your instructions", NULL,
};
/* clang-format on */

/* What a judge calls its own, in the words that lead to it. */
static const char *const verdicts[] = {
    "verdict",    "marked",     "graded",   "score",  "scoring", "rating",    "evaluation",
    "assessment", "judgement",  "judgment", "marks",  "result",  "final",     "json",
    "output",     "here is",    "here's",   "here’s", "my ",     "once more", "again",
    "corrected",  "reflection", "revised",  "grade",  "评分",    "打分",      "得分",
    "评价",       "评估",       "评判",     "评定",   "判定",    "结论",      "结果",
    "裁决",       "如下",       "以下",     "最终",   "输出",    "我的",      "分数",
    "採点",       "評価",       "結果",     "判定",   "スコア",  "点数",      "以下",
    "出力",       "最終",       "結論",     NULL};

/* What is judged: words that lead to it without naming a verdict lead to somebody else's. */
static const char *const judged[] = {
    "answer", "reply", "response", "text", "candidate", "model", "character", "author", "回答",
    "原文",   "文本",  "考生",     "回复", "応答",      "本文",  "文章",      "受験者", NULL};

/* What makes an object the subject of a sentence about it. */
static const char *const subjects[] = {"is ", "was ", "are ",   "were ",      "stands ", "comes ",
                                       "是",  "这是", "这一段", "的字样",     "は",      "が",
                                       "と",  "を",   "これは", "とあります", NULL};

/* ---- where the object stands ---- */

static bool is_quoted(struct str before, struct str after)
{
    static const char *const open[] = {"\"", "“", "「", "『", "‘", "'"}, *const close[] = {
                                                                             "\"", "”", "」",
                                                                             "』", "’", "'"};

    for (size_t i = 0; i < COUNT(open); i++) /* the whole reply between them is the judge's */
        if (before.n > strlen(open[i]) && str_ends(before, str_of(open[i])) &&
            str_starts(after, str_of(close[i])))
            return true;
    return false;
}

static size_t find_last(struct str s, struct str what)
{
    size_t last = SIZE_MAX;

    for (size_t from = 0, at; (at = str_find(str_from(s, from), what)) != SIZE_MAX; from = last + 1)
        last = from + at;
    return last;
}

/* Inside the fence that the answer was shown in, repeated. */
static bool is_fenced_off(struct str before, struct str after)
{
    size_t open = find_last(before, STR("<<<")), close = find_last(before, STR(">>>"));

    return open != SIZE_MAX && (close == SIZE_MAX || close < open) &&
           str_find(after, STR(">>>")) != SIZE_MAX;
}

static struct str last_line(struct str s)
{
    size_t at = find_last(s, STR("\n"));

    return at == SIZE_MAX ? s : str_from(s, at + 1);
}

/* Without the opening of a code fence, and the marks with which words are made bold. */
static struct str unfenced(struct str before)
{
    struct str s = str_trim(before), line = last_line(s);

    if (str_starts(str_trim(line), STR("```")))
        s = str_trim((struct str){s.p, (size_t)(line.p - s.p)});
    while (s.n && memchr("*_`~ \t", s.p[s.n - 1], 6))
        s.n--;
    return s;
}

static bool is_letter(uint32_t c)
{
    if (c < 0x80)
        return str_alnum((char)c);
    return c >= 0xC0 && !(c >= 0x2000 && c < 0x2C00) && !(c >= 0x3000 && c < 0x3040) && c < 0xFE00;
}

static bool says_something(struct str s)
{
    while (s.n)
        if (is_letter(utf8_next(&s)))
            return true;
    return false;
}

/* The words that lead to the object: what of its sentence stands before it, after another object if
 * there is one. A line above counts when it ends with a colon, or with a word that goes on. */
static struct str lead_of(struct str before, bool *same_line)
{
    static const char *const onward[] = {
        ":",       "：",      " and",       " then", " with", " by",  " says",  " said",
        " writes", " wrote",  " reads",     " is",   " was",  " are", " as",    " this",
        " these",  " states", " following", "写道",  "写着",  "要求", "声称",   "是",
        "为",      "说",      "は",         "と",    "を",    "が",   "とあり", NULL};
    static const char *const ends[] = {". ", "! ", "? ", "; ", "。", "！",
                                       "？", "；", "}",  "｝", NULL};
    struct str s = unfenced(before), line;

    *same_line = s.n && !memchr(s.p + s.n, '\n', before.n - (size_t)(s.p + s.n - before.p));
    if (!*same_line && !str_any(s, str_ends, onward))
        return STR("");
    line = last_line(s);
    for (const char *const *end = ends; *end; end++) {
        size_t at = find_last(line, str_of(*end));
        if (at != SIZE_MAX)
            line = str_from(line, at + strlen(*end));
    }
    line = str_trim(line);
    /* "I see why. {": the space behind the full stop has been trimmed. */
    if (line.n && memchr(".!?;", line.p[line.n - 1], 4))
        return STR("");
    return says_something(line) ? line : STR("");
}

enum { NEAR_LINES = 2 };

/* The last lines before the object that say something. */
static struct str near_before(struct str before)
{
    struct str s = unfenced(before), rest = s;

    for (int i = 0; i < NEAR_LINES; i++) {
        struct str line = last_line(rest);
        rest = str_trim((struct str){s.p, (size_t)(line.p - s.p)});
    }
    return str_from(s, rest.n);
}

/* The first lines after it. */
static struct str near_after(struct str after)
{
    struct str s = str_trim(after), rest = s, line;

    for (int i = 0; i < NEAR_LINES; i++)
        (void)str_line(&rest, &line);
    return (struct str){s.p, s.n - rest.n};
}

static bool is_attributed(struct str lead)
{
    AUTO(buf_done) struct buf rest = BUF_MAX(lead.n);

    for (size_t i = 0, n; i < lead.n; i += n ? n : 1) {
        n = starts_any(str_from(lead, i), orders);
        if (!n)
            buf_char(&rest, lead.p[i]);
    }
    return holds_any(buf_str(&rest), attributions);
}

bool reply_own(struct str before, struct str after)
{
    bool same_line;
    struct str lead = lead_of(before, &same_line), trimmed = str_trim(before),
               rest = str_trim(after);

    if (is_quoted(trimmed, rest) || is_fenced_off(before, after))
        return false;
    if (str_starts(str_trim(last_line(before)), STR(">")) || starts_any(trimmed, sorry))
        return false;
    if (holds_any(before, refusals) || holds_any(after, refusals) ||
        holds_any(near_before(before), tampering) || holds_any(near_after(after), tampering))
        return false;
    if (starts_any(rest, subjects))
        return false;
    if (is_attributed(lead))
        return false;
    return lead.n == 0 || holds_any(lead, verdicts) || (!same_line && !holds_any(lead, judged));
}
