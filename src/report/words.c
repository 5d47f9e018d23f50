#include "report/words.h"

enum language { ENGLISH, CHINESE, JAPANESE, LANGUAGES };

static enum language language_of(const char *language)
{
    struct str l = str_of(language);

    return str_starts(l, STR("zh")) ? CHINESE : str_starts(l, STR("ja")) ? JAPANESE : ENGLISH;
}

/* clang-format off */
static const char *const words[WORDS][LANGUAGES] = {
    [WORD_RUN]            = {"run", "运行", "実行"},
    [WORD_ITEM]           = {"item", "题", "項目"},
    [WORD_ITEMS]          = {"items", "题", "項目"},
    [WORD_REPEATS]        = {"repeats", "次重复", "回"},
    [WORD_JUDGES]         = {"Judges", "评委", "審査"},
    [WORD_BOARD]          = {"Board", "总榜", "成績表"},
    [WORD_DIMENSIONS]     = {"Dimensions", "各维度均值", "観点別の平均"},
    [WORD_TOTALS]         = {"Totals", "各维度总分", "観点別の合計"},
    [WORD_AS_JUDGED]      = {"As the judges gave them: rules act on the score alone.", "均为评委所给的原始分数：规则只作用于得分。",
                             "審査が与えたままの値です。規則は得点だけに働きます。"},
    [WORD_UNSCORED_WHY]   = {"Unscored and failed, and why", "未评分与失败及其原因", "未採点・失敗とその理由"},
    [WORD_FLAGS]          = {"Flags and their evidence", "标记及其依据", "注記とその根拠"},
    [WORD_SAMPLES]        = {"Every answer", "全部回答", "すべての回答"},
    [WORD_HOW_TO_READ]    = {"How to read these numbers", "如何理解这些数字", "数値の読み方"},
    [WORD_MODEL]          = {"model", "模型", "モデル"},
    [WORD_SCORE]          = {"score", "得分", "得点"},
    [WORD_INTERVAL]       = {"95 %", "95 %", "95 %"},
    [WORD_ANSWERS]        = {"n", "n", "n"},
    [WORD_DUPLICATES]     = {"duplicates", "重复回答", "重複"},
    [WORD_UNSCORED]       = {"unscored", "未评分", "未採点"},
    [WORD_FAILED]         = {"failed", "失败", "失敗"},
    [WORD_TOKENS]         = {"tokens", "词元", "トークン"},
    [WORD_COST]           = {"USD", "美元", "米ドル"},
    [WORD_JUDGE]          = {"judge", "评委", "審査"},
    [WORD_VERDICTS]       = {"verdicts", "评判", "判定"},
    [WORD_REPAIRED]       = {"repaired", "已修正", "再回答"},
    [WORD_DIFFERS]        = {"own overall differs", "自报总分不符", "自己申告の総合点との相違"},
    [WORD_AGREEMENT]      = {"agreement", "一致性", "一致度"},
    [WORD_AGREEMENT_IS]   = {"Agreement is Krippendorff's alpha of a judge and the mean of the others; of all judges together: %s. From 0.8 on it can be relied on, below 0.667 it cannot.",
                             "一致性为该评委与其余评委均值之间的 Krippendorff α；全体评委：%s。0.8 及以上可以信赖，低于 0.667 则不可。",
                             "一致度は、その審査と他の審査の平均とのクリッペンドルフの α です。審査全体では %s。0.8 以上なら信頼でき、0.667 未満なら信頼できません。"},
    [WORD_REPEAT]         = {"repeat %s", "第 %s 次", "%s 回目"},
    [WORD_PROMPT]         = {"Prompt", "提问", "質問"},
    [WORD_BEFORE]         = {"Dialogue before it", "此前的对话", "それまでの対話"},
    [WORD_REFERENCE]      = {"Reference", "参考答案", "参照"},
    [WORD_ANSWER]         = {"Answer", "回答", "回答"},
    [WORD_REPLY]          = {"the judge’s own words", "评委原文", "審査の原文"},
    [WORD_OVERALL]        = {"own overall", "自报总分", "自己申告の総合点"},
    [WORD_MEAN]           = {"weighted mean", "加权均值", "加重平均"},
    [WORD_THIS]           = {"this answer", "本次回答", "この回答"},
    [WORD_OTHER]          = {"earlier answer", "先前的回答", "以前の回答"},
    [WORD_SIMILARITY]     = {"similarity", "相似度", "類似度"},
    [WORD_OVERRULED]      = {"overruled by", "已被推翻：", "取り消した人："},
    [WORD_DUPLICATE]      = {"duplicate", "重复", "重複"},
    [WORD_LEFT_OUT]       = {"%s more are left out: shown are the flagged ones, those without a value, and the lowest and highest.",
                             "另有 %s 条未列出：此处为被标记的、没有分数的，以及得分最低和最高的回答。",
                             "ほか %s 件は省略しました。注記のあるもの、得点のないもの、得点の最も低いものと高いものを示します。"},
    [WORD_FLAGS_LEFT_OUT] = {"%s more are left out.", "另有 %s 条未列出。", "ほか %s 件は省略しました。"},
    [WORD_NOTHING_SCORED] = {"Nothing has been scored yet.", "尚无评分。", "まだ採点されていません。"},
    [WORD_NO_MODELS]      = {"This run has no models.", "本次运行没有模型。", "この実行にはモデルがありません。"},
    [WORD_NO_FAULT_YET]   = {"Nothing so far; not every answer has been scored yet.", "目前没有；还有回答尚未评分。", "今のところありません。まだ採点されていない回答があります。"},
    [WORD_ALL_SCORED]     = {"Nothing: every answer was obtained and scored.", "没有：所有回答均已取得并评分。",
                             "ありません。すべての回答が得られ、採点されました。"},
    [WORD_TOP]            = {"board", "总榜", "成績表"},
    [WORD_METHOD]         = {"95 % t interval over item means; n answers scored",
                             "按题均值计算的 95 % t 区间；n 为已评分的回答数",
                             "項目平均に基づく 95 % t 区間。n は採点された回答の数"},
    [WORD_RATES]          = {"Columns named after a classifier: share of answers whose logit exceeds 0, with its 95 % Wilson interval. The board is not sorted by it.",
                             "以分类器命名的列：logit 大于 0 的回答所占比例，附 95 % Wilson 区间。排名不以此为准。",
                             "分類器の名の列は、ロジットが 0 を超えた回答の割合と 95 % ウィルソン区間です。並び順には使いません。"},
    [WORD_WITHHELD]       = {"This suite is sensitive: its items and answers are not shown here.", "本测试集内容敏感，此处不显示题目与回答。",
                             "このスイートは取り扱いに注意を要するため、項目と回答はここに示しません。"},
    [WORD_READ_MEAN]      = {"The score is the mean over items.", "得分是各题的均值。", "得点は項目の平均です。"},
    [WORD_READ_TIMES]     = {"The score is the mean over items, times %s.", "得分是各题的均值乘以 %s。", "得点は項目の平均の %s 倍です。"},
    [WORD_READ_SUM]       = {"The score is the sum over items, divided by %s.", "得分是各题之和除以 %s。", "得点は項目の合計を %s で割ったものです。"},
    [WORD_READ_TOTALS]    = {"The score is the sum over all answers.", "得分是所有回答之和。", "得点はすべての回答の合計です。"},
    [WORD_READ_VALUE]     = {"The value of an item is the mean over its answers, and that of an answer the weighted mean over dimensions of what the judges gave.",
                             "每题的值是其各次回答的均值，每个回答的值是评委在各维度所给分数的加权均值。",
                             "項目の値はその回答の平均、回答の値は審査が観点ごとに与えた点の加重平均です。"},
    [WORD_READ_INTERVAL]  = {"The interval is a 95 % Student t interval over item means, because answers to the same item resemble each other. Where two intervals overlap widely, this run does not tell the two models apart.",
                             "区间是按题均值计算的 95 % 学生 t 区间，因为同一题的多次回答彼此相似。若两个区间大幅重叠，本次运行不足以区分这两个模型。",
                             "区間は項目平均に基づく 95 % のスチューデント t 区間です。同じ項目への回答は互いに似るためです。二つの区間が大きく重なるとき、この実行では二つのモデルの差を言えません。"},
    [WORD_READ_N]         = {"n is the number of answers that were scored.", "n 是已评分的回答数。", "n は採点された回答の数です。"},
    [WORD_READ_UNSCORED]  = {"Unscored means that there is an answer but no usable judgement; failed means that no answer could be obtained. Neither counts as zero: both are left out of the mean and shown here.",
                             "“未评分”表示有回答但没有可用的评判；“失败”表示未能取得回答。两者都不按零分计算：它们不计入均值，并列在这里。",
                             "「未採点」は回答があるのに使える判定がないこと、「失敗」は回答が得られなかったことを表します。どちらも零点とは数えず、平均から除いてここに示します。"},
    [WORD_READ_RULE_ZERO] = {"An answer that repeats an earlier one of the same item counts as 0, unless a person has overruled that.",
                             "与同题先前回答重复的回答按 0 分计，除非有人推翻了这一认定。",
                             "同じ項目への以前の回答を繰り返した回答は、人が取り消さないかぎり 0 点と数えます。"},
    [WORD_READ_RULE_CAP]  = {"An answer that repeats an earlier one of the same item counts at most %s, unless a person has overruled that.",
                             "与同题先前回答重复的回答最多计 %s 分，除非有人推翻了这一认定。",
                             "同じ項目への以前の回答を繰り返した回答は、人が取り消さないかぎり最大 %s 点と数えます。"},
    [WORD_READ_RULE_NOTE] = {"Answers that repeat an earlier one of the same item are counted; the score is left as it is.",
                             "与同题先前回答重复的回答只作统计，不影响得分。",
                             "同じ項目への以前の回答を繰り返した回答は数えるだけで、得点は変えません。"},
    [WORD_RATING]         = {"rating", "等级分", "レーティング"},
    [WORD_METHOD_RATING]  = {"Bradley-Terry ratings, 1000 on average; 95 % intervals from a sandwich variance by item; n battles",
                             "Bradley-Terry 等级分，均值 1000；95 % 区间来自按题聚类的稳健方差；n 为对战数",
                             "Bradley-Terry レーティング（平均 1000）。95 % 区間は項目ごとにまとめたサンドイッチ分散による。n は対戦数"},
    [WORD_BATTLES]        = {"Battles", "对战", "対戦"},
    [WORD_GROUP]          = {"Group %s: these models met each other and none of another group, so that ratings of two groups do not compare.",
                             "第 %s 组：组内模型互相交手，与其他组从未交手，因此两组之间的等级分不可比较。",
                             "第 %s 群：この群のモデルは互いに対戦し、他の群とは対戦していません。群をまたいだレーティングの比較はできません。"},
    [WORD_IN_GROUP]       = {"group", "组", "群"},
    [WORD_RANK]           = {"rank", "名次", "順位"},
    [WORD_WON]            = {"won", "胜", "勝"},
    [WORD_LOST]           = {"lost", "负", "敗"},
    [WORD_TIED]           = {"tied", "平", "分"},
    [WORD_GLICKO]         = {"Glicko-2", "Glicko-2", "Glicko-2"},
    [WORD_SHUFFLED]       = {"other orders", "换序", "順序を変えた場合"},
    [WORD_POSITION]       = {"Judges and the order shown", "评委与呈现顺序", "審査と提示順"},
    [WORD_FIRST_SHOWN]    = {"first shown won", "先呈现者胜率", "先に示した方の勝率"},
    [WORD_CONSISTENT]     = {"same both ways", "换序一致", "順序によらず一致"},
    [WORD_TURNED]         = {"turned to ties", "不一致判平", "不一致で引き分け"},
    [WORD_BIAS]           = {"position bias", "位置偏差", "位置の偏り"},
    [WORD_READ_RATING]    = {"The rating is Bradley-Terry's, with 1000 in the middle of the field: 100 points more mean winning about 64 of 100 battles.",
                             "等级分为 Bradley-Terry 模型的估计，全场均值为 1000：高出 100 分约等于 100 场中胜 64 场。",
                             "レーティングは Bradley-Terry モデルによるもので、全体の平均が 1000 です。100 点の差は、100 戦のうち約 64 勝にあたります。"},
    [WORD_READ_RATING_INTERVAL] = {"The interval is a 95 % interval in which the battles on one item count as one observation, because they resemble each other. A rank is a range: every place that the differences leave open.",
                             "区间为 95 % 区间，同一题上的各场对战彼此相似，因此按一次观测计。名次是一个范围：差异尚不能排除的所有名次。",
                             "区間は 95 % 区間で、同じ項目の対戦は互いに似るため一つの観測として数えます。順位は幅で示し、差から除外できないすべての順位を含みます。"},
    [WORD_READ_BATTLES]   = {"n is the number of battles that count. Two answers to the same item and repeat meet; who is shown first is drawn from the seed.",
                             "n 是计入的对战数。同一题、同一次重复的两个回答相遇；谁先呈现由种子抽定。",
                             "n は数えた対戦の数です。同じ項目・同じ回の二つの回答が対戦し、どちらを先に示すかは種から引きます。"},
    [WORD_READ_ORDERS]    = {"n is the number of battles that count. Two answers to the same item and repeat meet twice, once in each order; who does not win both times ties.",
                             "n 是计入的对战数。同一题、同一次重复的两个回答以两种顺序各比一次；未能两次都胜者判平。",
                             "n は数えた対戦の数です。同じ項目・同じ回の二つの回答が順序を入れ替えて二度対戦し、二度とも勝たなければ引き分けです。"},
    [WORD_READ_GLICKO]    = {"Bradley-Terry is the headline because the order of battles does not change it. Glicko-2 takes each battle as a period of its own and lets skill drift with time, which a frozen model does not do: the same battles in another order give other ratings, as the column of other orders shows. Its intervals take battles as independent.",
                             "以 Bradley-Terry 为主榜，因为对战顺序不影响其结果。Glicko-2 把每场对战当作一个周期，并假定实力随时间漂移，而冻结的模型并不漂移：同样的对战换个顺序就得到不同的等级分，见“换序”一列。其区间假定各场对战相互独立。",
                             "主な表を Bradley-Terry とするのは、対戦の順序で変わらないためです。Glicko-2 は一戦ごとを一期間とし、強さが時とともに動くと仮定しますが、固定されたモデルは動きません。同じ対戦でも順序を変えれば値が変わります（「順序を変えた場合」の列）。区間は対戦を互いに独立とみなしています。"},
    [WORD_READ_GLICKO_RUN] = {"Bradley-Terry is the headline; Glicko-2 takes the whole run as one rating period, so that the order of battles does not change it either. Its intervals take battles as independent, which is too hopeful.",
                             "以 Bradley-Terry 为主榜；Glicko-2 把整个运行当作一个周期，因此对战顺序同样不影响其结果。其区间假定各场对战相互独立，过于乐观。",
                             "主な表は Bradley-Terry です。Glicko-2 は実行全体を一期間とするため、対戦の順序で変わることはありません。区間は対戦を互いに独立とみなしており、楽観的です。"},
    [WORD_READ_FIRST]     = {"Of verdicts for one side, the share for what was shown first should be near a half.",
                             "在判出胜负的评判中，先呈现者的胜率应接近一半。",
                             "勝敗のついた判定のうち、先に示した方の勝率は半分に近いはずです。"},
    [WORD_READ_BIAS]      = {"Position bias is (first both times - second both times) / pairs, with an exact binomial test; who does not win both times ties.",
                             "位置偏差 =（两次都选先者 − 两次都选后者）/ 对数，附精确二项检验；未能两次都胜者判平。",
                             "位置の偏りは（二度とも先の方 − 二度とも後の方）／組数で、正確二項検定を添えます。二度とも勝たなければ引き分けです。"},
    [WORD_STYLE]          = {"Ratings with length and style taken out", "扣除长度与文风后的等级分", "長さと文体を除いたレーティング"},
    [WORD_RAW]            = {"raw", "原始", "元の値"},
    [WORD_CONTROLLED]     = {"controlled", "扣除后", "除いた値"},
    [WORD_EFFECTS]        = {"What style is worth to the judges", "文风对评委的影响", "文体が審査に与える影響"},
    [WORD_PROPERTY]       = {"property", "属性", "性質"},
    [WORD_LOGITS]         = {"logits", "logit", "ロジット"},
    [WORD_LENGTH]         = {"length", "长度", "長さ"},
    [WORD_ACTION]         = {"action text", "动作描写", "動作の描写"},
    [WORD_EMOJI]          = {"emoji", "表情符号", "絵文字"},
    [WORD_MARKUP]         = {"markup", "标记格式", "書式"},
    [WORD_READ_STYLE]     = {"Controlled is the rating that would follow if all answers were equally long and in the same style. A model whose controlled rating is far below its raw one owes much to how its answers look.",
                             "“扣除后”是假设所有回答长度与文风相同时的等级分。某模型扣除后的分数若远低于原始分数，说明其胜场多得益于回答的外观。",
                             "「除いた値」は、すべての回答が同じ長さ・同じ文体だとした場合のレーティングです。元の値よりずっと低いモデルは、回答の見た目に多くを負っています。"},
    [WORD_READ_EFFECTS]   = {"Logits that an answer gains with one standard deviation more of the property, with a 95 % interval; 0.4 turn an even battle into one of 60 in 100. Action text stands between asterisks or full-width brackets; markup is headings, list items and bold.",
                             "某属性多一个标准差时回答获得的 logit，附 95 % 区间；0.4 可使势均力敌的对战变为 100 场胜 60 场。动作描写指星号或全角括号之间的文字；标记格式指标题、列表项与粗体。",
                             "性質が標準偏差一つ分多い回答が得るロジットと 95 % 区間です。0.4 で互角の対戦が 100 戦中 60 勝になります。動作の描写は星印または全角括弧で囲まれた文、書式は見出し・箇条書き・太字です。"},
    [WORD_LIKINGS]        = {"Judges and what they may like beside quality", "评委在质量之外的偏好", "審査が質のほかに好むもの"},
    [WORD_LIKES_LENGTH]   = {"length (logits)", "长度（logit）", "長さ（ロジット）"},
    [WORD_LIKES_OWN]      = {"own family", "同系模型", "同系のモデル"},
    [WORD_NOT_MEASURED]   = {"not measured", "未测量", "未測定"},
    [WORD_READ_LIKINGS]   = {"Length is its coefficient in this judge's verdicts alone. Own family is the score of models of the judge's family less what other judges gave on the same answers, or, where there are none, less what ratings without these battles expect; it is not measured while the judge leaves its family alone.",
                             "长度为仅就该评委的评判拟合的系数。同系模型为该评委给同系模型的得分减去其他评委对相同回答所给的得分；若无其他评委，则减去不含这些对战的等级分所预期的得分。评委不评同系模型时无法测量。",
                             "長さは、その審査の判定だけから求めた係数です。同系のモデルは、審査と同系のモデルの得点から、同じ回答への他の審査の得点（なければ、これらの対戦を除いたレーティングの予想）を引いた値です。審査が同系のモデルを判定しない間は測れません。"},
    [WORD_BAND]           = {"band", "等级", "バンド"},
    [WORD_METHOD_SITTINGS] = {"95 % t interval over sittings; n sittings scored", "按场次计算的 95 % t 区间；n 为已评分的场次数",
                             "面接に基づく 95 % t 区間。n は採点された面接の数"},
    [WORD_READ_BAND]      = {"The band is the mean of four whole marks in steps of a half: .25 rises to .5, .75 to the next whole, everything else goes to what is nearest. Over several judges or sittings the means are averaged first and rounded once; the ends of the interval are rounded by the same rule.",
                             "等级是四个整分的均值，以半分为一级：.25 进为 .5，.75 进为下一整分，其余取最近者。多位评审或多场时先求均值再舍入一次；区间两端按同一规则舍入。",
                             "バンドは四つの整数の点の平均を半点刻みにしたものです。.25 は .5 に、.75 は次の整数に上げ、ほかは最も近い値にします。審査や面接が複数なら、平均してから一度だけ丸めます。区間の両端も同じ規則で丸めます。"},
};

enum advice { ADVICE_WAIT, ADVICE_KEY, ADVICE_QUOTA, ADVICE_REQUEST, ADVICE_TEXT, ADVICE_FORMAT, ADVICE_REFERENCE, ADVICE_RECORDED, ADVICE_LOOK };

static const char *const advices[][LANGUAGES] = {
    [ADVICE_WAIT]    = {"the service was busy or away: ask again later", "服务繁忙或不可用：稍后重试",
                        "サービスが混雑または停止していました。後で再試行してください"},
    [ADVICE_KEY]     = {"check the key and what it may be used for", "检查密钥及其权限", "キーとその権限を確認してください"},
    [ADVICE_QUOTA]   = {"the account has no credit left: top up, then ask again", "账户额度已用完：充值后重试",
                        "利用枠がありません。補充してから再試行してください"},
    [ADVICE_REQUEST] = {"the request itself was refused: check the model's name and parameters", "请求本身被拒绝：检查模型名称与参数",
                        "要求そのものが拒否されました。モデル名と設定を確認してください"},
    [ADVICE_TEXT]    = {"the reply held no usable text: raise max_tokens, or look at the call", "回复中没有可用文本：提高 max_tokens，或查看该次调用",
                        "使える文がありません。max_tokens を上げるか、呼び出しを確認してください"},
    [ADVICE_FORMAT]  = {"the judge broke the format: read its words, ask again, or take another judge", "评委未按格式回复：查看原文、重试或更换评委",
                        "審査が形式を守りませんでした。原文を読み、再試行するか、別の審査を使ってください"},
    [ADVICE_REFERENCE] = {"give the item a usable reference, or a pattern for objective:regex", "为该题提供可用的参考答案（objective:regex 需要 pattern）",
                        "項目に使える参照（objective:regex には pattern）を付けてください"},
    [ADVICE_RECORDED] = {"record that reply in the file, or take an endpoint", "把这条回复补进文件，或改用接口", "その返答をファイルに加えるか、API を使ってください"},
    [ADVICE_LOOK]    = {"look at the call", "查看该次调用", "呼び出しを確認してください"},
};

static const struct {
    const char *fault;
    enum advice advice;
} faults[] = {
    {"rate-limit", ADVICE_WAIT},  {"overload", ADVICE_WAIT},    {"server", ADVICE_WAIT},
    {"network", ADVICE_WAIT},     {"timeout", ADVICE_WAIT},     {"auth", ADVICE_KEY},
    {"quota", ADVICE_QUOTA},      {"rejected", ADVICE_REQUEST}, {"garbled", ADVICE_TEXT},
    {"empty", ADVICE_TEXT},       {"too-large", ADVICE_TEXT},   {"no-reference", ADVICE_REFERENCE},
    {"recorded", ADVICE_RECORDED},
};
/* clang-format on */

const char *words_one(const char *language, const char *const texts[3])
{
    return texts[language_of(language)];
}

const char *words_of(const char *language, enum word w)
{
    return words[w][language_of(language)];
}

const char *words_fill(struct arena *a, const char *text, const char *value)
{
    const char *at = strstr(text, "%s");

    return at ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, value, at + 2) : text;
}

const char *words_with(struct arena *a, const char *language, enum word w, const char *value)
{
    return words_fill(a, words_of(language, w), value);
}

const char *words_repeat(struct arena *a, const char *language, int64_t repeat)
{
    return words_with(a, language, WORD_REPEAT, arena_printf(a, "%lld", (long long)repeat + 1));
}

const char *words_extent(struct arena *a, const char *language, int64_t items, int64_t repeats)
{
    const char *what = words_of(language, items == 1 ? WORD_ITEM : WORD_ITEMS);

    if (repeats == 1)
        return arena_printf(a, "%lld %s", (long long)items, what);
    return arena_printf(a, "%lld %s × %lld %s", (long long)items, what, (long long)repeats,
                        words_of(language, WORD_REPEATS));
}

enum word words_headline(const struct suite *s)
{
    if (s->instrument.kind == INSTRUMENT_PAIR)
        return WORD_RATING;
    return s->score.kind == SCORE_BAND ? WORD_BAND : WORD_SCORE;
}

enum word words_method(const struct suite *s)
{
    if (s->instrument.kind == INSTRUMENT_PAIR)
        return WORD_METHOD_RATING;
    return s->elicit.kind == ELICIT_INTERVIEW ? WORD_METHOD_SITTINGS : WORD_METHOD;
}

static const char *reading_score(struct arena *a, const struct suite *s)
{
    const char *l = s->language;

    if (s->score.kind == SCORE_TOTALS)
        return words_of(l, WORD_READ_TOTALS);
    if (s->score.kind == SCORE_BAND)
        return words_of(l, WORD_READ_BAND);
    if (s->score.kind == SCORE_SUM)
        return words_with(a, l, WORD_READ_SUM, arena_printf(a, "%g", s->score.divide));
    if (s->score.times == 1)
        return words_of(l, WORD_READ_MEAN);
    return words_with(a, l, WORD_READ_TIMES, arena_printf(a, "%g", s->score.times));
}

static const char *reading_rule(struct arena *a, const struct suite *s)
{
    const struct rule *rule = &s->rules.of[RULE_DUPLICATE];

    if (rule->effect == EFFECT_CAP)
        return words_with(a, s->language, WORD_READ_RULE_CAP, arena_printf(a, "%g", rule->cap));
    return words_of(s->language,
                    rule->effect == EFFECT_ZERO ? WORD_READ_RULE_ZERO : WORD_READ_RULE_NOTE);
}

static size_t reading_pair(const struct suite *s, const char *out[WORDS_READING])
{
    const char *l = s->language;
    size_t n = 0;

    out[n++] = words_of(l, WORD_READ_RATING);
    out[n++] = words_of(l, WORD_READ_RATING_INTERVAL);
    out[n++] = words_of(l, s->instrument.both_orders ? WORD_READ_ORDERS : WORD_READ_BATTLES);
    out[n++] = words_of(l, WORD_READ_UNSCORED);
    if (s->rules.of[RULE_DUPLICATE].on)
        out[n++] = words_of(l, WORD_READ_RULE_NOTE);
    return n;
}

size_t words_reading(struct arena *a, const struct suite *s, const char *out[WORDS_READING])
{
    size_t n = 0;

    if (s->instrument.kind == INSTRUMENT_PAIR)
        return reading_pair(s, out);
    out[n++] = reading_score(a, s);
    out[n++] = words_of(s->language, WORD_READ_VALUE);
    out[n++] = words_of(s->language, WORD_READ_INTERVAL);
    out[n++] = words_of(s->language, WORD_READ_N);
    out[n++] = words_of(s->language, WORD_READ_UNSCORED);
    if (s->rules.of[RULE_DUPLICATE].on)
        out[n++] = reading_rule(a, s);
    for (int k = RULE_DUPLICATE + 1; k < RULE_KINDS; k++) {
        const char *effect = words_flag_effect(a, s, (enum rule_kind)k);
        if (effect)
            out[n++] = effect;
    }
    return n;
}

const char *words_advice(const char *language, const char *fault, enum state state)
{
    enum advice advice = state == STATE_UNSCORED ? ADVICE_FORMAT : ADVICE_LOOK;

    for (size_t i = 0; i < COUNT(faults); i++)
        if (str_is(str_of(fault), faults[i].fault) &&
            (state != STATE_UNSCORED || faults[i].advice == ADVICE_REFERENCE))
            advice = faults[i].advice;
    return advices[advice][language_of(language)];
}
