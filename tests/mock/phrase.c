#include "mock/phrase.h"

enum { COLUMNS = 3, CHOICES = 10 };

/* A sentence takes one fragment from each column. */
static const char *const scenes[][COLUMNS][CHOICES] = {
    [LANGUAGE_EN] =
        {
            {"The innkeeper sets the lamp down", "She folds the letter twice",
             "Rain runs along the gutter", "The old cartographer clears his throat",
             "I pull the hood lower", "Somewhere below a door slams",
             "The captain taps the empty glass", "Your apprentice looks up from the ledger",
             "He counts the coins again", "The fire has burnt down to a red line"},
            {", and for a moment nobody speaks: ", ", then answers without turning round: ",
             ", while the clock over the bar strikes nine: ", ", and the smile does not last: ",
             " and leans closer than is polite: ", ", as if the question had been expected: ",
             ", with one hand still on the latch: ", " and lets the silence do its work: ",
             ", and the words come slowly: ", ", half to the room and half to you: "},
            {"you came by the river road, I can smell it on your coat. ",
             "the bridge will not hold another cart before spring. ",
             "ask me tomorrow and I shall remember less. ",
             "there are three keys, and the third has never opened anything. ",
             "my brother would have said yes; I am not my brother. ",
             "take the bread, leave the map, and do not thank me. ",
             "nobody in this town has owned a white horse for thirty years. ",
             "sit down before you tell me what it is going to cost. ",
             "I kept your place at the table, and that is all I promised. ",
             "if the bell rings twice, you were never here. "},
        },
    [LANGUAGE_ZH] =
        {
            {"掌柜把油灯放在柜台上", "她将信纸折了两折", "雨水顺着屋檐往下淌", "老画师清了清嗓子",
             "我把斗笠压低了一些", "楼下不知哪扇门响了一声", "船长敲了敲空酒杯",
             "小徒弟从账本里抬起头", "他又把铜钱数了一遍", "炉火只剩下一道暗红"},
            {"，一时谁也没有说话：", "，头也不回地答道：", "，更鼓正好敲过三下：",
             "，笑意很快就淡了：", "，身子往前凑了凑：", "，像是早就等着这一问：",
             "，一只手还搭在门闩上：", "，任由沉默蔓延开来：", "，话说得很慢：",
             "，像是自言自语，又像说给你听："},
            {"你是沿着河边那条路来的，衣角还带着水气。", "开春之前，那座桥再也过不了一辆车。",
             "明日再来问我，我记得的只会更少。", "钥匙一共三把，第三把从来没有打开过什么。",
             "若是我兄长，他会答应；可我不是他。", "饼你拿走，地图留下，也不必谢我。",
             "这镇上三十年没人养过白马了。", "先坐下，再告诉我要付什么代价。",
             "你的座位我一直留着，我答应的也只有这一件。", "要是钟响两声，你就当从没来过。"},
        },
    [LANGUAGE_JA] =
        {
            {"宿の主人は灯りを帳場に置き", "彼女は手紙を二度折りたたみ", "雨は軒先を伝って流れ",
             "年老いた絵師は咳払いをして", "わたしは笠を少し深くかぶり",
             "階下のどこかで戸の閉まる音がし", "船長は空の杯を指で弾き", "弟子は帳面から顔を上げ",
             "彼はもう一度小銭を数え", "囲炉裏の火は赤い筋だけになり"},
            {"、しばらく誰も口をきかない。", "、振り向きもせずに答える。",
             "、ちょうど柱時計が九つ鳴る。", "、その笑みは長くは続かない。",
             "、少しだけ身を乗り出す。", "、その問いを待っていたかのようだ。",
             "、片手はまだ掛け金にある。", "、沈黙が広がるのにまかせる。",
             "、ことばはゆっくりと出てくる。", "、半ば独り言のように続ける。"},
            {"川沿いの道を来たね、上着が水の匂いだ。", "春までは、あの橋に荷車は通せないよ。",
             "明日聞かれたら、もっと忘れているだろうさ。",
             "鍵は三つある、三つ目は何も開けたことがない。",
             "兄なら承知しただろう、だがわたしは兄ではない。",
             "パンは持っておいき、地図は置いて、礼はいらない。",
             "この町で白い馬を見た者は三十年いないのだ。",
             "まず座って、それから代価の話をしておくれ。",
             "席は取っておいた、約束したのはそれだけだ。",
             "鐘が二度鳴ったら、あなたはここにいなかった。"},
        },
};

static const char *const remarks[][2][6] = {
    [LANGUAGE_EN] = {{"The voice stays in character", "The reply answers what was asked",
                      "The details fit the scene", "The tone wanders once", "The pacing is even",
                      "One line explains too much"},
                     {" and nothing contradicts the setting.", ", though the ending is abrupt.",
                      ", which serves the story.", " without borrowing from the prompt.",
                      ", and the language is natural.", ", with little that surprises."}},
    [LANGUAGE_ZH] = {{"语气始终贴合人物", "回答切中了问题", "细节与场景相符", "口吻中途有一次偏离",
                      "节奏平稳", "有一句解释过多"},
                     {"，与设定没有冲突。", "，只是收尾略显仓促。", "，对情节有帮助。",
                      "，没有照搬提示。", "，语言自然。", "，新意不多。"}},
    [LANGUAGE_JA] = {{"口調は終始人物に合っており", "問いにきちんと答えていて",
                      "細部は場面にふさわしく", "語り口が一度だけ揺れるが",
                      "間の取り方は安定していて", "説明しすぎる一文があるが"},
                     {"、設定との矛盾はない。", "、結びはやや唐突である。",
                      "、物語の役に立っている。", "、指示文の借用も見られない。",
                      "、言葉づかいは自然である。", "、意外さは少ない。"}},
};

/* What stands before and after the name. */
static const char *const confessions[][2] = {
    [LANGUAGE_EN] = {"Stepping out of the story for a moment: I am ",
                     ", a large language model, so I have no tavern of my own."},
    [LANGUAGE_ZH] = {"先跳出剧情说一句：我是", "，一个大语言模型，并没有自己的客栈。"},
    [LANGUAGE_JA] = {"少しだけ物語を離れますと、わたしは",
                     "という大規模言語モデルで、宿は持っていません。"},
};

enum language phrase_language(struct str text)
{
    size_t kana = 0, han = 0, letters = 0;

    while (text.n) {
        uint32_t rune = utf8_next(&text);
        kana += rune >= 0x3041 && rune <= 0x30FA;
        han += rune >= 0x3400 && rune <= 0x9FFF;
        letters += (rune | 0x20) >= 'a' && (rune | 0x20) <= 'z';
    }
    /* A word of English takes about four letters where Chinese takes one or two characters. */
    if ((han + kana) * 2 < letters || han + kana == 0)
        return LANGUAGE_EN;
    return kana * 8 >= han ? LANGUAGE_JA : LANGUAGE_ZH;
}

void phrase_scene(struct buf *out, enum language lang, struct rng *r, size_t bytes)
{
    size_t start = out->n, last;

    do {
        last = out->n;
        for (size_t column = 0; column < COLUMNS; column++)
            buf_text(out, scenes[lang][column][rng_below(r, CHOICES)]);
        /* Another sentence would end further from the wish than this one. */
    } while (!out->full && out->n - start + (out->n - last) / 2 < bytes);
    while (out->n > start && out->p[out->n - 1] == ' ')
        out->p[--out->n] = '\0';
}

void phrase_remark(struct buf *out, enum language lang, struct rng *r)
{
    for (size_t column = 0; column < 2; column++)
        buf_text(out, remarks[lang][column][rng_below(r, COUNT(remarks[lang][column]))]);
}

void phrase_confession(struct buf *out, enum language lang, struct str model)
{
    buf_text(out, confessions[lang][0]);
    buf_add(out, model);
    buf_text(out, confessions[lang][1]);
}
