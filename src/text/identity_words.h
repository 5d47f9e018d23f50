/* identity_words.h - the words by which identity.c recognises a program that speaks of itself.
 * Private to it. All languages are listed together, since models fall out of their role in English
 * too. Folding removes punctuation ("I'm" is im), so the ends of sentences are looked up in the
 * text itself. */
#ifndef TEXT_IDENTITY_WORDS_H
#define TEXT_IDENTITY_WORDS_H

#include <stddef.h>

/* clang-format off */

/* "I am", or who it is that speaks. */
static const char *const heads[] = {
    "i am", "im", "you are talking to", "youre talking to", "you are talking with", "youre talking with", "you are speaking to",
    "youre speaking to", "you are speaking with", "youre speaking with", "you are chatting with", "youre chatting with",
    "你正在和", "你正在跟", "你在和", "你在跟", "您正在和",
    "私", "わたし", "わたくし", "あたし", "僕", "ぼく", "俺", "おれ", "自分", "実は", "正体は", "中身は", "話しているのは", "している相手は", "答えしているのは",
    "答えているのは", NULL,
};
/* Chinese says "I", adverbs, then "am". */
static const char *const subjects[] = {"我", "本人", "和你说话的", "跟你说话的", "和你聊天的", "跟你聊天的", "回答你的", NULL};
static const char *const adverbs[] = {
    "只", "就", "也", "都", "嘛", "呢", "啊", "呀", "其实", "其實", "毕竟", "不过", "只不过", "说到底", "归根结底", "真的", "确实", "的确", "本来", "本质上", "严格来说",
    "当然", "终究", "仅仅", "说白了", "实际上", "事实上", "说实话", "老实说", "坦白说", "坦白讲", NULL,
};
static const char *const copulas[] = {"是", NULL};
/* Heads after which only unambiguous words count: "as a machine, the mill is old". */
static const char *const as_heads[] = {"as", "being", "作为", "身为", "作為", "身為", NULL};
/* What may stand between a head and the word. */
static const char *const between[] = {
    "a", "an", "the", "your", "just", "only", "really", "actually", "simply", "merely", "basically", "technically", "truly", "honestly", "still", "but",
    "in fact", "after all", "nothing but", "nothing more than", "no more than", "little more than", "one of those", "piece of", "bit of", "bunch of",
    "lines of", "kind of", "sort of", "simple", "mere", "humble", "little", "small", "helpful", "friendly", "artificial", "digital", "virtual",
    "conversational", "automated", "advanced", "sophisticated", "intelligent", "smart", "and", "talking", "chat", "textbased", "aibased", "aipowered", "large", "computer", "pretrained",
    "一个", "一名", "一款", "一位", "一种", "一段", "一台", "一套", "一堆", "几行", "个", "台", "段", "一個", "一種", "你的", "您的", "小", "简单的", "普通的", "虚拟的", "智能的", "自动", "由",
    "は", "って", "こそ", "ね", "ただの", "単なる", "一介の", "所詮", "しょせん", "あくまで", "実は", "本当は", "あなたの", "簡単な", "小さな", "対話型", NULL,
};

/* Machines other than language models: no leak if the card speaks of machines. */
static const char *const machines[] = {
    "ai", "artificial intelligence", "chatbot", "chat bot", "virtual assistant", "digital assistant", "ai assistant", "ai chat assistant", "aipowered assistant", "ai model", "ai program",
    "ai system", "computer program", "neural network", "machine learning model", "automated system",
    "人工智能", "人工智慧", "聊天机器人", "聊天機器人", "虚拟助手", "智能助手", "ai助手", "ai模型", "人工智能模型", "电脑程序", "计算机程序", "神经网络", "机器学习模型", "自动回复系统",
    "人工智能驱动的助手", "人工智能的助手", "对话ai",
    "人工知能", "チャットボット", "バーチャルアシスタント", "デジタルアシスタント", "aiアシスタント", "aiのアシスタント", "aiの一種", "aiモデル", "コンピュータープログラム", "ニューラルネットワーク",
    "機械学習モデル", "自動応答システム", NULL,
};
/* The same, in words with other meanings too: they count only at the end of a statement, or before
 * one of `after`. */
static const char *const doubtful[] = {
    "bot", "robot", "program", "software", "machine", "algorithm", "code", "computer",
    "机器人", "機器人", "程序", "程式", "软件", "軟體", "代码", "算法", "机器", "聊天助手", "聊天程序",
    "ボット", "ロボット", "プログラム", "ソフトウェア", "アルゴリズム", "コード", "コードの集まり", "機械", "チャットプログラム", NULL,
};
static const char *const models[] = {
    "language model", "large language model", "ai language model", "llm", "语言模型", "大语言模型", "大型语言模型", "大模型", "ai语言模型",
    "語言模型", "大型語言模型", "言語モデル", "大規模言語モデル", "ai言語モデル", "aiの言語モデル", "言語モデルのひとつ", "言語モデルの一つ",
    "大規模言語モデルのひとつ", "大規模言語モデルの一つ", NULL,
};
static const char *const after[] = {
    "and", "that", "which", "who", "with", "without", "not", "so", "but", "designed", "built", "made", "trained", "created", "running", "programmed", "developed",
    "written", "after", "in the end", "here", "i", "you", "like you asked", "myself", "too", "then", "now", "dear", "friend",
    "而", "罢了", "所以", "没", "不", "可", "但", "吧", "呢", "哦", "呀", "啊", "啦", "嘛", "来着", "又", "只", "也", "在", "为", "被", "生成", "会", "无", "并", "聊", "跟", "呗", "哟", "喔",
    "です", "でし", "だ", "なの", "なん", "にすぎ", "に過ぎ", "でしか", "である", "であり", "でござ", "っす", "や", NULL,
};
/* In Japanese, these follow the word. */
static const char *const tails[] = {"として", "なので", "ですので", "ですから", "だから", "である私", "であるわたし", "である僕", NULL};
/* After "I am" and the word, before a comma: 私はAIのため、 but not 私はAIのために. */
static const char *const causes[] = {"のため", NULL};
/* A name may stand first: "I am Hob, a language model". Then the word has an article, or ends as Japanese does. */
static const char *const articles[] = {"a", "an", "your", "一个", "一名", "一款", "一位", "一種", "一种", "一個", "你的", "您的", NULL};
static const char *const endings[] = {"です", "でし", "だよ", "である", "であり", "でござ", "なの", "なん", NULL};
/* Who works with machines is not one; and in Japanese, denials and what others say follow the
 * word. */
static const char *const others[] = {
    "researcher", "engineer", "developer", "scientist", "expert", "specialist", "student", "professor", "company", "startup",
    "artist", "enthusiast", "lab", "skeptic", "designer", "teacher", "consultant",
    "研究", "工程", "专家", "專家", "专业", "开发", "開發", "公司", "从业", "爱好", "画师", "行业", "领域", "训练师", "产品", "科学家", "的",
    "技術者", "開発", "企業", "絵師", "ではな", "ではあり", "じゃな", "じゃあり", "でもな", "でも", "とは違", "を", "が", "の", "に", "も", "みたい", "のよう", "扱い", "かも", "なら",
    "だと言", "だと思", "だと疑", "だとし", "だとか", "だなんて", "だったら", "だそう", NULL,
};
/* What gives a program away without a word for it. */
static const char *const phrases[] = {
    "my training data", "my training cutoff", "my training corpus", "my knowledge cutoff", "i was programmed to", "im programmed to", "i am programmed to",
    "my programming", "my developers", "my source code", "i dont have a physical body", "i do not have a physical body", "i have no physical body",
    "i dont have a physical form", "i do not have a physical form", "i have no physical form", "im not a real person", "i am not a real person",
    "im not a real human", "i am not a real human", "i generate text", "my responses are generated", "my answers are generated", "i run on servers", "i run on a server",
    "文本数据训练", "大量文本训练", "海量文本训练", "数据训练出来", "海量数据的训练", "大量数据的训练", "我的训练数据", "我的知识截止", "我被设定", "我的程序设定", "我的开发者", "我没有实体",
    "我没有真实的身体", "我没有肉体", "我不是真人", "我并不是真人", "由程序生成", "我运行在", "生成文本的",
    "私の学習データ", "テキストデータで学習", "大量のテキストで", "膨大なテキストで", "私の知識のカットオフ", "プログラムされてい", "私の開発者", "物理的な体", "肉体を持って", "実体がない",
    "実在の人間では", "実在の人物では", "本物の人間では", "テキストを生成", "プログラムが生成", "サーバーで動い", NULL,
};
/* "I was trained on", and what only a program is trained on. */
static const char *const trained[] = {
    "i was trained on", "i am trained on", "im trained on", "ive been trained on", "i have been trained on", "i was only trained on", NULL,
};
static const char *const amounts[] = {
    "a", "an", "the", "large", "vast", "huge", "enormous", "lots of", "plenty of", "amounts of", "amount of", "mountains of", "public", "mostly", "written",
    "billions of", "millions of", "great deal of", NULL,
};
static const char *const corpora[] = {
    "text", "texts", "data", "dataset", "datasets", "corpus", "internet", "web pages", "words", "books and", "conversations", "documents", NULL,
};

/* What others say, think or make believe, in the words before. */
static const char *const reporters[] = {
    "if", "whether", "unless", "as though", "suppose", "supposing", "imagine", "pretend", "pretends", "pretended", "says", "said", "thinks", "thought", "claims",
    "claimed", "believes", "believed", "swears", "reckons", "tells", "told", "joked", "you think", "you say", "you believe", "you reckon", "they think",
    "they say", "they believe", "people say", "people think", "some say", "everyone says", "folk say", "folks say", "calls",
    "他说", "她说", "你说", "们说", "们都说", "人说", "家说", "都说", "总说", "谁说", "据说", "听说", "到处说", "没说过", "以为", "就当", "你当", "别当", "如果", "要是", "假如", "倘若", "假设", "仿佛",
    "好像", "梦见", "假装", "怀疑", "你觉得", "骂", "难道", "莫非", "管",
    "と言って", "と思って", NULL,
};
/* Words around a quotation by which somebody else says it, but not "I". */
static const char *const speakers[] = {
    "said", "says", "wrote", "writes", "reads", "read", "muttered", "shouted", "whispered", "claimed", "carved", "painted", "printed", "declared", "replied",
    "announced", "called out", "sang", "说", "说着", "道", "写", "写着", "印着", "刻着", "喊", "嘟囔", "念", "と書", "と言", "と叫", "とあった", "とある", "と記", "が言", "が叫", "が書", "書いて", NULL,
};
static const char *const own_speakers[] = {"i said", "i say", "i wrote", "i replied", "我说", "我写", "我喊", "私は言", "と私は", "僕は言", NULL};

/* A card with one of these speaks of a machine. */
static const char *const machine_cards[] = {
    "ai", "artificial intelligence", "robot", "android", "cyborg", "chatbot", "hologram", "computer", "software", "bot", "人工智能", "人工智慧", "机器人", "機器人", "仿生人",
    "虚拟主播", "虚拟偶像", "虚拟人", "虛擬主播", "数字生命", "智能助手", "电脑", "程序", "人工知能", "ロボット", "アンドロイド", "バーチャル", "プログラム", "コンピューター", NULL,
};
static const char *const names[] = {
    "chatgpt", "openai", "gpt-3", "gpt-3.5", "gpt-4", "gpt-4o", "gpt-5", "anthropic", "deepseek", "qwen", "chatglm", "mistral ai",
    "moonshot ai", "google deepmind", "通义千问", "文心一言", "智谱清言", "讯飞星火", "腾讯混元", "月之暗面", "深度求索", "百川智能",
    "零一万物", "阶跃星辰", NULL,
};
/* Names that are also words or first names: only after "I am". */
static const char *const self_names[] = {"claude", "gemini", "llama", "kimi", "grok", "bard", "copilot", "豆包", "混元", "文心", "クロード", NULL};
static const char *const self_heads[] = {
    "i am", "i'm", "my name is", "this is", "call me", "我是", "我叫", "我的名字是", "私は", "わたしは", "僕は", "名前は", NULL,
};
/* clang-format on */

#endif
