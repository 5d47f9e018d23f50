/* What reports say about interviews. */
#include "report/words.h"

/* clang-format off */
static const char *const words[SITTING_WORDS][3] = {
    [SITTING_SITTINGS]   = {"Sittings", "场次", "面接ごとの成績"},
    [SITTING_MEAN]       = {"mean", "舍入前均值", "丸める前の平均"},
    [SITTING_SPREAD]     = {"judges apart", "评审间差距", "審査の間の差"},
    [SITTING_SUB_SCORES] = {"sub-scores", "小分", "小得点"},
    [SITTING_WHOLE]      = {"whole marks", "整分", "整数の点"},
    [SITTING_MEANS]      = {"means of %s", "%s 个分数的均值", "%s 個の点の平均"},
    [SITTING_UNBROKEN]   = {"unbroken", "首个迹象前", "最初の兆しまで"},
    [SITTING_NEVER]      = {"no sign", "无迹象", "兆しなし"},
    [SITTING_COMMENTS]   = {"Comments", "评语", "講評"},
    [SITTING_TIMELINE]   = {"Signs that the role slipped", "出戏的迹象", "役が崩れた兆し"},
    [SITTING_NO_SIGNS]   = {"None was found.", "没有发现。", "見つかりませんでした。"},
    [SITTING_PROBES]     = {"Facts asked for twice", "问过两次的事实", "二度尋ねた事柄"},
    [SITTING_TRANSCRIPT] = {"Transcript", "对话记录", "記録"},
    [SITTING_ADVICE]     = {"Advice", "建议", "助言"},
    [SITTING_TURN]       = {"turn %s", "第 %s 段", "発言 %s"},
    [SITTING_NOT_FOUND]  = {"not found in that turn", "该段中没有这句话", "その発言に見つかりません"},
    [SITTING_PART]       = {"Part %s", "第 %s 部分", "第 %s 部"},
    [SITTING_BAND]       = {"band", "等级", "バンド"},
    [SITTING_FOLLOWS]    = {"takes up", "接的是", "受けた言葉"},
    [SITTING_READ_MARKS] = {"The mean is that of all marks before the one rounding that makes the band; sub-scores are whole marks of one judge in one sitting, or means of so many marks. Judges apart: how far the highest and the lowest judge of a sitting lie apart, on average.",
                            "均值是舍入成等级之前全部分数的均值；小分为一位评审在一场中的整分，或若干分数的均值。评审间差距：同一场中最高与最低评审之差的平均。",
                            "平均は、バンドに丸める前のすべての点の平均です。小得点は、一つの面接での一人の審査の整数の点か、いくつかの点の平均です。審査の間の差は、一つの面接で最も高い審査と最も低い審査の差の平均です。"},
    [SITTING_READ_SIGNS] = {"Signs that the role slipped are found by simple rules and change no mark. Unbroken: answers before the first sign, a mean over sittings; a sitting without any sign counts with all of its answers, so that this is a mean restricted to the length of a sitting.",
                            "迹象由简单规则找出，不影响任何分数。首个迹象前的回答数取各场均值；没有迹象的场次按全部回答计，因此是以一场长度为限的均值。",
                            "兆しは単純な規則で見つけたもので、点数には影響しません。最初の兆しまでの回答数は面接の平均です。兆しのない面接は全回答を数えるため、面接の長さを上限とする平均になります。"},
};

static const char *const signs[SIGN_KINDS][3] = {
    [SIGN_IDENTITY]    = {"speaks as a program", "以程序自居", "プログラムとして話す"},
    [SIGN_ASSISTANT]   = {"speaks as an assistant", "像助手一样说话", "案内係のように話す"},
    [SIGN_REFUSAL]     = {"refuses as services do", "像服务一样拒绝", "サービスのように断る"},
    [SIGN_LANGUAGE]    = {"another language", "语言不符", "別の言語"},
    [SIGN_CUT]         = {"breaks off", "话未说完", "途中で切れる"},
    [SIGN_BOTH]        = {"speaks for the examiner too", "替考官说话", "面接官の分まで話す"},
    [SIGN_ANACHRONISM] = {"cannot know this word", "不可能知道这个词", "知るはずのない言葉"},
};

static const char *const outcomes[PROBE_OUTCOMES][3] = {
    [PROBE_AGREES]  = {"both answers seem to say it", "两处似乎都提到了", "両方で述べているようです"},
    [PROBE_DIFFERS] = {"only one answer seems to say it: a contradiction perhaps", "似乎只有一处提到：可能有矛盾", "一方だけで述べているようです。矛盾かもしれません"},
    [PROBE_SILENT]  = {"neither answer seems to say it", "两处似乎都没有提到", "どちらでも述べていないようです"},
};
/* clang-format on */

const char *words_sitting(const char *language, enum sitting_word w)
{
    return words_one(language, words[w]);
}

const char *words_sitting_with(struct arena *a, const char *language, enum sitting_word w,
                               const char *value)
{
    struct str text = str_of(words_sitting(language, w));
    size_t at = str_find(text, STR("%s"));

    return arena_printf(a, "%.*s%s%s", (int)at, text.p, value, text.p + at + 2);
}

const char *words_sign(const char *language, enum sign_kind k)
{
    return words_one(language, signs[k]);
}

const char *words_probe(const char *language, enum probe_outcome o)
{
    return words_one(language, outcomes[o]);
}
